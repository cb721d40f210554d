"""The numbers of a table as rows of cells: ours at the best checkpoint, at the last one below, and the paper's below that."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import ROUND_HALF_UP, Decimal

from votewise.evidence.methods import QUANTITIES
from votewise.evidence.tables.definition import Definition, Line
from votewise.evidence.tables.table import Cell, Kind, Value

ABSENT = "–"
LAST, MARK = "At the last epoch", "*"
Places = dict[tuple[str, str], Value]  # by row and column
NAMES: dict[Kind, str] = {"last": "last checkpoint", "published": "published"}


def lay_out(definition: Definition, values: Sequence[Value]) -> tuple[tuple[str, ...], tuple[tuple[Cell, ...], ...]]:
    """Heads of the columns, and the rows."""
    own = {column.of.get("score", score) for column in definition.columns for score in _scores_of(definition)}
    places: dict[Kind, Places] = {
        "best": {_at(value): value for value in values if value.checkpoint == "best" and value.score in own},
        "other": {_at(value): value for value in values if value.score not in own},
        "last": {_at(value): value for value in values if value.checkpoint == "last"},
    }
    places["published"] = {at: value for at, value in places["best"].items() if value.printed is not None}
    decimals = _decimals(definition, values)
    strong = _strongest(definition, places["best"]) if definition.bold else set()
    rows: list[tuple[Cell, ...]] = []
    for line in definition.rows:
        for kind, found in places.items():
            cells = [found.get((line.id, column.id)) for column in definition.columns]
            if (kind != "best" and not any(cells)) or (kind == "last" and definition.last == "beside"):
                continue
            name = line.name if kind == "best" else definition.others_name if kind == "other" else NAMES[kind]
            shown = [_cell(definition, value, kind, decimals, strong) for value in cells]
            shown[1:1] = _difference(cells[0]) if _shown(definition, "difference") else []
            shown[3:3] = (
                [_at_the_end(places["last"].get((line.id, definition.columns[0].id)))]
                if definition.last == "beside"
                else []
            )
            rows.append((Cell(name, kind), *_n(definition, kind, cells), *shown, *_p_columns(definition, kind, cells)))
    rows += _p_rows(definition, places)
    return _heads(definition, places["best"]), tuple(rows)


def _at(value: Value) -> tuple[str, str]:
    return value.row, value.column


def _scores_of(definition: Definition) -> set[str]:
    parts = [definition.of, *(line.of for line in (*definition.rows, *definition.columns))]
    return {part["score"] for part in parts if "score" in part}


def _heads(definition: Definition, best: Places) -> tuple[str, ...]:
    heads = []
    for column in definition.columns:
        n = _count(value.n for (_, at), value in best.items() if at == column.id)
        noted = (
            f"{column.name.removesuffix(')')}, n = {n})" if column.name.endswith(")") else f"{column.name} (n = {n})"
        )
        heads.append(noted if definition.n_on == "heads" else column.name)
    p = ["p (one-sided)", "p (two-sided)", "p (Holm)"] if _shown(definition, "columns") else []
    if _shown(definition, "difference"):
        heads[1:1] = ["Difference (95 % interval)", "p (Holm)"]
        heads[3:3] = [LAST] if definition.last == "beside" else []
    return (definition.head, *(["n"] if definition.n_on == "column" else []), *heads, *p)


def _shown(definition: Definition, where: str) -> bool:
    return definition.test is not None and definition.test.shown == where


def _n(definition: Definition, kind: Kind, cells: Sequence[Value | None]) -> list[Cell]:
    if definition.n_on != "column":
        return []
    if kind == "published":
        return [Cell(_count(value.printed.n or 0 for value in cells if value and value.printed), kind)]
    return [Cell(_count(value.n for value in cells if value), kind)]


def _count(counts: Iterable[int]) -> str:
    found = sorted({count for count in counts if count})
    return ABSENT if not found else str(found[0]) if len(found) == 1 else f"{found[0]}–{found[-1]}"


def _cell(
    definition: Definition, value: Value | None, kind: Kind, decimals: Callable[[Value], int], strong: set[Value]
) -> Cell:
    if value is None or (kind != "published" and value.mean is None):
        return Cell(ABSENT, kind, value)
    if kind == "published":
        p = "" if value.printed is None or value.printed.p is None else f" ({p_text(value.printed.p, 3)})"
        return Cell(minus(str(value.printed)) + (p if _shown(definition, "cells") else ""), kind, value)
    places = decimals(value)
    bare = value.sd is None or value.column in definition.bare
    text = f"{value.mean:.{places}f}" + ("" if bare else f" ± {value.sd:.{places}f}")
    if _shown(definition, "cells") and value.p is not None:
        corrected = "" if value.p_holm is None else f"; {p_text(value.p_holm, 3)}"
        text += f" ({p_text(value.p, 3)}{corrected})"
    return Cell(minus(text), kind, value, value in strong)


def _p_columns(definition: Definition, kind: Kind, cells: Sequence[Value | None]) -> list[Cell]:
    """One-sided, two-sided and corrected p of the row; the paper has the first."""
    if not _shown(definition, "columns"):
        return []
    tested = next((value for value in cells if value and value.p is not None), None)
    if tested is None:
        return [Cell(ABSENT, kind)] * 3
    if kind == "published":
        p = tested.printed.p if tested.printed else None
        return [Cell(ABSENT if p is None else p_text(p), kind, tested), *[Cell(ABSENT, kind, tested)] * 2]
    return [
        Cell(ABSENT if p is None else p_text(p), kind, tested) for p in (tested.p, tested.p_two_sided, tested.p_holm)
    ]


def _difference(value: Value | None) -> list[Cell]:
    """How far from the reference a cell is, and its corrected p."""
    if value is None or value.difference is None or value.p_holm is None:
        return [Cell(ABSENT, "best", value)] * 2
    text = f"{value.difference:+.4f}"
    if value.low is not None and value.high is not None:
        text += f" ({value.low:+.4f} to {value.high:+.4f})"
    return [Cell(minus(text), "best", value), Cell(p_text(value.p_holm), "best", value)]


def _at_the_end(value: Value | None) -> Cell:
    """The mean at the last epoch, marked where it is told from the reference there."""
    if value is None or value.mean is None:
        return Cell(ABSENT, "last", value)
    return Cell(f"{value.mean:.4f}{MARK if value.told else ''}", "last", value)


def _p_rows(definition: Definition, places: dict[Kind, Places]) -> list[tuple[Cell, ...]]:
    """The rows of p-values below the others."""
    if not _shown(definition, "row"):
        return []
    rows = []
    for kind, found in places.items():
        tested = {at: value for (_, at), value in found.items() if value.p is not None}
        if not tested:
            continue
        name = "p, SLS against soft labels" if kind == "best" else NAMES[kind]
        cells = [tested.get(column.id) for column in definition.columns]
        n = _count(
            (value.printed.n or 0) if kind == "published" and value.printed else value.pairs or 0
            for value in tested.values()
        )
        rows.append((Cell(name, kind), Cell(n, kind), *(_p_cell(value, kind) for value in cells)))
    return rows


def _p_cell(value: Value | None, kind: Kind) -> Cell:
    p = None if value is None else value.p if kind != "published" else value.printed.p if value.printed else None
    return Cell(ABSENT if p is None else p_text(p), kind, value)


def p_text(p: float, decimals: int = 4) -> str:
    """A p-value as tables print it.

    >>> p_text(0.0625, 3), p_text(0.6953125), p_text(0.00000095)
    ('0.063', '0.6953', '<0.0001')
    """
    step = Decimal(1).scaleb(-decimals)
    rounded = Decimal(p).quantize(step, ROUND_HALF_UP)  # 0.0625 is printed as 0.063
    return str(rounded) if rounded else f"<{step}"


def minus(text: str) -> str:
    """Numbers with a minus sign in place of a hyphen."""
    return text.replace("-", "−")


def _decimals(definition: Definition, values: Sequence[Value]) -> Callable[[Value], int]:
    """Four for scores; for curvature one, as in print, or enough for three digits of the smallest mean of the table."""
    if not definition.curved:
        return lambda value: 4
    sizes = [abs(value.mean) for value in values if value.mean]
    smallest = min(sizes, default=100.0)
    return lambda value: max(1, min(6, 2 - math.floor(math.log10(smallest)))) if smallest < 10 else 1


def _strongest(definition: Definition, best: Places) -> set[Value]:
    """The best of each column at the best checkpoint; several where they are the same."""
    found: set[Value] = set()
    for column in definition.columns:
        here = [value for value in best.values() if value.column == column.id and value.mean is not None]
        if len(here) < 2:
            continue
        score = here[0].score
        better = QUANTITIES[score].better if score in QUANTITIES else definition.better
        pick = (min if better == "lower" else max)(value.mean for value in here if value.mean is not None)
        found |= {value for value in here if value.mean == pick}
    return found


def holes(definition: Definition, values: Sequence[Value]) -> list[str]:
    """Rows, and columns, that have no numbers at all; and single cells beyond those."""
    empty = {_at(value) for value in values if value.checkpoint == "best" and not value.n}
    if not empty:
        return []

    def whole(
        lines: Sequence[Line], across: Sequence[Line], place: Callable[[Line, Line], tuple[str, str]]
    ) -> list[Line]:
        return [line for line in lines if all(place(line, other) in empty for other in across)]

    rows = whole(definition.rows, definition.columns, lambda row, column: (row.id, column.id))
    columns = whole(definition.columns, definition.rows, lambda column, row: (row.id, column.id))
    gone = {line.id for line in (*rows, *columns)}
    names = {line.id: line.name for line in (*definition.rows, *definition.columns)}
    single = [f"{names[row]} at {names[column]}" for row, column in sorted(empty) if not {row, column} & gone]
    return [*(line.name for line in (*rows, *columns)), *single]
