"""The parts of a module in which a change makes no difference that a test should notice."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

Place = tuple[int, int]  # line, counted from 1, and column in characters
CACHES = {"cache", "lru_cache", "cached_property", "overload"}


def left_out(source: str, operator: str, start: Place) -> str | None:
    """The reason why a mutant is left out, if any: the Cosmic Ray operator `operator` at a place in the source.

    Left out are other operators for `|` in annotations, changes inside a `raise` statement (the message of an error), and the removal of
    decorators that only save time or inform a type checker.
    """
    for reason, of, first, last in _spans(source):
        if operator.startswith(of) and first <= start < last:
            return reason
    return None


@cache
def _spans(source: str) -> list[tuple[str, str, Place, Place]]:
    lines = source.splitlines()
    return [
        (reason, of, _place(lines, node.lineno, node.col_offset - (of == _DECORATOR)), _place(lines, node.end_lineno or 0, node.end_col_offset or 0))
        for reason, of, node in _nodes(ast.parse(source))
    ]  # fmt: skip


_DECORATOR = "core/RemoveDecorator"


def _nodes(tree: ast.AST) -> Iterator[tuple[str, str, ast.expr | ast.stmt]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            yield "in a raise statement", "core/", node
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
            yield "in an annotation", "core/ReplaceBinaryOperator_BitOr", node.annotation
        elif isinstance(node, ast.FunctionDef):
            if node.returns:
                yield "in an annotation", "core/ReplaceBinaryOperator_BitOr", node.returns
            for decorator in node.decorator_list:
                named = decorator.func if isinstance(decorator, ast.Call) else decorator
                if isinstance(named, ast.Name) and named.id in CACHES:
                    yield "a decorator", _DECORATOR, decorator


def _place(lines: list[str], line: int, column: int) -> Place:
    """A place with its column in characters; `ast` counts bytes."""
    return line, len(lines[line - 1].encode()[:column].decode())
