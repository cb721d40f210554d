"""The initial samples of cases: small valid votes and tables, and the exports of the tests."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.draws import Draws
from votewise.votes import Votes

EXPORTS = Path(__file__).parents[1] / "tests/fixtures/readers"
WORDS = (("cat", "dog", "eel"), ("no", "yes"), ("0", "1", "2", "3"), ("ja", "nein", "weiß nicht"), ("a", "b", "c", "d", "e"))  # fmt: skip
OPTIONS: dict[str, tuple[Any, ...]] = {  # read options with values that are valid for some files
    "item": ("item", "id", "uid", "x", ""), "label": ("label", "counts", "probabilities", "x"), "annotator": ("annotator", "worker", "x"),
    "weight": ("weight", "label", "x"), "time": ("time", "x"), "carry": (["time"], ["x", "x"], []),
    "classes": (["cat", "dog", "eel"], ["no", "yes"], ["0", "1", "2"], ["a", "a"], [], ["x"]), "ordinal": (True, False),
    "duplicates": ("error", "keep", "first", "last", "majority", "x"), "fold": (True, False),
    "map": ({"cat": "dog"}, {"x": ""}, {"cat": ""}, {}), "map_annotators": ({"p0": "p1"}, {"p0": ""}), "missing": (["x"], ["cat"], []),
    "format": ("long-table", "wide-table", "annotator-columns", "array", "votewise", "chaosnli", "doccano", "x"), "question": ("label", "x", ""),
}  # fmt: skip


@cache
def exports() -> dict[str, bytes]:
    """The export of each annotation tool, by the name of its file."""
    return {path.name: path.read_bytes() for path in sorted(EXPORTS.rglob("*")) if path.is_file()}


def options(draws: Draws, share: float = 0.25) -> dict[str, Any]:
    """Read options; none in most cases."""
    if not draws.chance(share):
        return {}
    return {name: draws.pick(OPTIONS[name]) for name in draws.some(tuple(OPTIONS), 0.12)}


def rows(draws: Draws) -> list[list[str]]:
    """A table with one row per vote, with a header."""
    words = draws.pick(WORDS)
    header = ["item", "annotator", "label", *draws.some(("weight", "time", "confidence"), 0.2)]
    table = [header]
    for item in range(draws.between(1, 12)):
        for annotator in range(draws.between(1, 5)):
            extra = [str(draws.between(1, 4)) for _ in header[3:]]
            table.append([f"i{item}", f"p{annotator}", draws.pick(words), *extra])
    return table


def counts(draws: Draws) -> tuple[tuple[str, ...], list[list[int]]]:
    """Classes, and the number of votes per item and class; every item has at least one vote."""
    words = draws.pick(WORDS)
    table = [[draws.below(4) for _ in words] for _ in range(draws.between(1, 12))]
    for row in table:
        row[draws.below(len(words))] += 1
    return words, table


def cast(draws: Draws) -> dict[str, list[str]]:
    """Votes as columns with one row per vote, as arguments of `Votes.from_long`."""
    words, table = counts(draws)
    each = [
        (f"i{item}", word)
        for item, row in enumerate(table)
        for word, count in zip(words, row, strict=True)
        for _ in range(count)
    ]
    found = {"item": [item for item, _ in each], "label": [word for _, word in each], "classes": list(words)}
    return found | ({"annotator": [f"p{number}" for number in range(len(each))]} if draws.chance(0.5) else {})


def votes(draws: Draws) -> Votes:
    """Votes with some of the optional columns and metadata."""
    return Votes.from_long(**cast(draws))


def shares(draws: Draws, items: int, classes: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Probabilities [items, classes]."""
    numbers = np.array([[draws.bits() + 1 for _ in range(classes)] for _ in range(items)], np.float64)
    return numbers / numbers.sum(axis=1, keepdims=True)


def delimited(table: list[list[str]], mark: str) -> bytes:
    """A table as CSV or a similar format."""
    out = io.StringIO()
    csv.writer(out, delimiter=mark, lineterminator="\n").writerows(table)
    return out.getvalue().encode("utf-8", "surrogatepass")


def as_json(value: Any, lines: bool) -> bytes:
    """A JSON value, or JSON Lines with its parts."""
    return ("\n".join(map(json.dumps, value)) if lines and isinstance(value, list) else json.dumps(value)).encode()


def wide(draws: Draws) -> list[list[str]]:
    """A table with one row per item: one column of counts or shares per class, or one column per annotator."""
    words, table = counts(draws)
    names = [f"i{number}" for number in range(len(table))]
    match draws.below(3):
        case 0:
            body = [[name, *map(str, row)] for name, row in zip(names, table, strict=True)]
            return [["item", *words], *body]
        case 1:
            parts = shares(draws, len(table), len(words)).round(4)
            return [
                ["item", *words],
                *([name, *map(str, row)] for name, row in zip(names, parts.tolist(), strict=True)),
            ]
        case _:
            people = draws.between(2, 4)
            return [
                ["item", *(f"annotator_{number}" for number in range(people))],
                *([name, *(draws.pick(words) for _ in range(people))] for name in names),
            ]
