"""The numbers of a table as text: rows of the best checkpoint, followed by the last checkpoint and published numbers, and the caption."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from votewise.comparison.quantities import quantity
from votewise.comparison.tables.filling import Value
from votewise.comparison.tables.outline import Definition, Key, Kind, Line, Place, Quoted, Show
from votewise.comparison.wording import minus, p_text, setting
from votewise.studies import Results
from votewise.wording import counted

ABSENT = "–"
LISTED = 6  # maximum number of missing rows, columns and cells that a caption lists
Values = Mapping[Key, Value]


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and the numbers behind it.

    Attributes:
        text: the text of the cell.
        kind: "best" and "last" checkpoint, "other" for a further estimator, "published" for published numbers.
        value: the computed numbers.
        quoted: the published numbers.
        strong: whether the value is the best of its column.
    """

    text: str
    kind: Kind = "best"
    value: Value | None = None
    quoted: Quoted | None = None
    strong: bool = False

    def __str__(self) -> str:
        return self.text


def heads(definition: Definition, values: Values) -> tuple[str, ...]:
    """Column headers."""
    if not definition.n_in_heads:
        return definition.head, "n", *(column.name for column in definition.columns)
    return definition.head, *(_with_n(definition, column, values) for column in definition.columns)


def _with_n(definition: Definition, column: Line, values: Values) -> str:
    places, name = _column(definition, column), column.name
    if not any(place.show.startswith("mean") for place in places):
        return name
    n = _count(values[place.key].n for place in places)
    return f"{name.removesuffix(')')}, n = {n})" if name.endswith(")") else f"{name} (n = {n})"


def _column(definition: Definition, column: Line) -> list[Place]:
    return [place for row in definition.rows if (place := definition.place(row, column))]


def rows(definition: Definition, values: Values) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table, each starting with its name."""
    decimals = _decimals(definition, values.values())
    strong = _strongest(definition, values) if definition.bold else set()
    grid: list[tuple[Cell, ...]] = []

    def add(name: str, kind: Kind, counts: Iterable[int], cells: Iterable[Cell]) -> None:
        n = [] if definition.n_in_heads else [Cell(_count(counts), kind)]
        grid.append((Cell(name, kind), *n, *cells))

    below: dict[Kind, str] = {"best": "", "other": definition.others_name, "last": "last checkpoint"}
    for row in definition.rows:
        places = [definition.place(row, column) for column in definition.columns]
        for kind, name in below.items():
            shown = places if kind == "best" else [definition.below(kind, place) if place else None for place in places]
            numbers = [values.get(place.key) if place else None for place in shown]
            if kind == "best" or any(value is not None for value in numbers):
                texts = [_text(v, place.show, decimals) if v and place else ABSENT for v, place in zip(numbers, shown, strict=True)]  # fmt: skip
                marked = [kind == "best" and place is not None and place.key in strong for place in shown]
                cells = [Cell(text, kind, v, None, mark) for text, v, mark in zip(texts, numbers, marked, strict=True)]
                add(name or row.name, kind, _seeds(numbers, shown), cells)
        quoted = [definition.quoted.get((row.id, column.id)) for column in definition.columns]
        if any(quoted):
            texts = [_quoted(printed, place.show) if printed and place else ABSENT for place, printed in zip(places, quoted, strict=True)]  # fmt: skip
            cells = [Cell(text, "published", None, printed) for text, printed in zip(texts, quoted, strict=True)]
            add("published", "published", (printed.n or 0 for printed in quoted if printed), cells)
    return tuple(grid)


def _seeds(numbers: Sequence[Value | None], places: Sequence[Place | None]) -> list[int]:
    """The number of seeds of a row; for a row of p-values, the number of pairs."""
    cells = [(value, place) for value, place in zip(numbers, places, strict=True) if value and place]
    means = [value.n for value, place in cells if place.show.startswith("mean")]
    return means or [value.pairs or 0 for value, _ in cells]


def _count(counts: Iterable[int]) -> str:
    seen = sorted({count for count in counts if count})
    return ABSENT if not seen else str(seen[0]) if len(seen) == 1 else f"{seen[0]}–{seen[-1]}"


def _text(value: Value, show: Show, decimals: int) -> str:
    if show in ("p", "p_two_sided", "p_holm"):
        p = getattr(value, show)
        return ABSENT if p is None else p_text(p)
    if show == "difference":
        ends = "" if value.low is None or value.high is None else f" ({value.low:+.4f} to {value.high:+.4f})"
        return ABSENT if value.p_holm is None else minus(f"{value.difference:+.4f}{ends}")
    if value.mean is None:
        return ABSENT
    text = f"{value.mean:.{decimals}f}"
    if show == "mean":
        return minus(text)
    text += "" if value.sd is None else f" ± {value.sd:.{decimals}f}"
    if show == "mean_sd_p" and value.p is not None:
        corrected = "" if value.p_holm is None else f"; {p_text(value.p_holm, 3)}"
        text += f" ({p_text(value.p, 3)}{corrected})"
    return minus(text)


def _quoted(quoted: Quoted, show: Show) -> str:
    """The published numbers, trailing zeros included."""
    if show == "p":
        return ABSENT if quoted.p is None else p_text(quoted.p)
    if quoted.mean is None or not show.startswith("mean"):
        return ABSENT
    p = f" ({p_text(quoted.p, 3)})" if show == "mean_sd_p" and quoted.p is not None else ""
    return minus(f"{quoted}{p}")


def _decimals(definition: Definition, values: Iterable[Value]) -> int:
    """The decimals of the definition, or enough for three digits of the smallest mean of the table."""
    if definition.decimals is not None:
        return definition.decimals
    smallest = min((abs(value.mean) for value in values if value.mean), default=100.0)
    return max(1, min(6, 2 - math.floor(math.log10(smallest)))) if smallest < 10 else 1


def _strongest(definition: Definition, values: Values) -> set[Key]:
    """The best value of each column; several in case of ties."""
    strongest: set[Key] = set()
    for column in definition.columns:
        places = _column(definition, column)
        means = {place.key: mean for place in places if (mean := values[place.key].mean) is not None}
        if len(means) > 1:
            best = (min if quantity(places[0].quantity).better == "lower" else max)(means.values())
            strongest |= {key for key, mean in means.items() if mean == best}
    return strongest


def caption(definition: Definition, values: Values, results: Results) -> str:
    """The caption: the numbers, the test, the source, and what is missing."""
    parts, every = [definition.caption], values.values()
    if definition.last_below:
        last = ", with rows below for the last checkpoint" if any(value.checkpoint == "last" for value in every) else ""
        parts.append(f"Mean ± SD across seeds (n − 1) at the best checkpoint{last}.")
    if definition.others_name and any(value.quantity in definition.others.values() for value in every):
        parts.append(f"Rows below: {definition.others_name}.")
    if definition.test and any(value.p is not None for value in every):
        family = sum(value.p_holm is not None and value.checkpoint == "best" for value in every)
        parts.append(definition.test.words.format(comparisons=counted(family, "comparison")))
    if definition.bold:
        parts.append("Bold: the best value of each column.")
    parts += [setting(results), definition.note]
    if absent := _missing(definition, values):
        more = f" and {len(absent) - LISTED} more" if len(absent) > LISTED else ""
        parts.append(f"Missing: {'; '.join(absent[:LISTED])}{more}.")
    return " ".join(part for part in parts if part)


def _missing(definition: Definition, values: Values) -> list[str]:
    """Rows and columns without numbers, and other empty cells."""
    cells = {(row.id, column.id): not values[place.key].n for row, column, place in definition.cells()}
    lines = (*definition.rows, *definition.columns)
    whole = [line for line in lines if all(empty for cell, empty in cells.items() if line.id in cell)]
    gone, names = {line.id for line in whole}, {line.id: line.name for line in lines}
    single = [
        f"{names[row]} at {names[column]}"
        for (row, column), empty in cells.items()
        if empty and not {row, column} & gone
    ]
    return [*dict.fromkeys(line.name for line in whole), *single]
