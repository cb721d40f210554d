"""The numbers of a table as rows of text: the best checkpoint, and below it the last one and published numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from votewise.comparison.quantities import quantity
from votewise.comparison.tables.definition import Definition, Key, Line, Place, Quoted, Show
from votewise.comparison.tables.filling import Value
from votewise.comparison.tables.table import Cell, Kind
from votewise.comparison.wording import minus, p_text

ABSENT = "–"
MARK = "*"  # a mean at the last checkpoint whose difference is significant
Values = Mapping[Key, Value]


def heads(definition: Definition, values: Values) -> tuple[str, ...]:
    """Heads of the columns."""
    if not definition.n_in_heads:
        return definition.head, "n", *(column.name for column in definition.columns)
    return definition.head, *(_with_n(definition, column, values) for column in definition.columns)


def _with_n(definition: Definition, column: Line, values: Values) -> str:
    places = [place for row in definition.rows if (place := definition.place(row, column))]
    if not any(place.show.startswith("mean") for place in places):
        return column.name
    n = _count(values[place.key].n for place in places)
    name = column.name
    return f"{name.removesuffix(')')}, n = {n})" if name.endswith(")") else f"{name} (n = {n})"


def rows(definition: Definition, values: Values) -> tuple[tuple[Cell, ...], ...]:
    """The rows of a table; the row's name first."""
    decimals = _decimals(definition, values.values())
    strong = _strongest(definition, values) if definition.bold else set()
    grid: list[tuple[Cell, ...]] = []
    for row in definition.rows:
        places = [definition.place(row, column) for column in definition.columns]
        grid.append(_row(definition, row.name, "best", places, values, decimals, strong))
        below: dict[Kind, tuple[str, Callable[[Place], Place | None]]] = {
            "other": (definition.others_name, definition.other),
            "last": ("last checkpoint", definition.last),
        }
        for kind, (name, moved) in below.items():
            shown = [moved(place) if place else None for place in places]
            if any(place is not None and place.key in values for place in shown):
                grid.append(_row(definition, name, kind, shown, values, decimals, set()))
        quoted = [definition.quoted.get((row.id, column.id)) for column in definition.columns]
        if any(quoted):
            grid.append(_published(definition, places, quoted))
    return tuple(grid)


def _row(
    definition: Definition,
    name: str,
    kind: Kind,
    places: Sequence[Place | None],
    values: Values,
    decimals: int,
    strong: set[Key],
) -> tuple[Cell, ...]:
    found = [values.get(place.key) if place else None for place in places]
    n = [] if definition.n_in_heads else [Cell(_count(_seeds(found, places)), kind)]
    cells = [
        Cell(_text(value, place.show, decimals) if value and place else ABSENT, kind, value, None, bool(place and place.key in strong))
        for value, place in zip(found, places, strict=True)
    ]  # fmt: skip
    return Cell(name, kind), *n, *cells


def _seeds(found: Sequence[Value | None], places: Sequence[Place | None]) -> list[int]:
    """The seeds of the means of a row; of the pairs in a row of p-values."""
    cells = [(value, place) for value, place in zip(found, places, strict=True) if value and place]
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
        return ABSENT if value.p_holm is None else _difference(value)
    if value.mean is None:
        return ABSENT
    text = f"{value.mean:.{decimals}f}"
    if show == "mean":
        return minus(text) + (MARK if value.checkpoint == "last" and value.significant else "")
    text += "" if value.sd is None else f" ± {value.sd:.{decimals}f}"
    if show == "mean_sd_p" and value.p is not None:
        corrected = "" if value.p_holm is None else f"; {p_text(value.p_holm, 3)}"
        text += f" ({p_text(value.p, 3)}{corrected})"
    return minus(text)


def _difference(value: Value) -> str:
    text = f"{value.difference:+.4f}"
    if value.low is not None and value.high is not None:
        text += f" ({value.low:+.4f} to {value.high:+.4f})"
    return minus(text)


def _published(
    definition: Definition, places: Sequence[Place | None], quoted: Sequence[Quoted | None]
) -> tuple[Cell, ...]:
    n = [] if definition.n_in_heads else [Cell(_count(known.n or 0 for known in quoted if known), "published")]
    cells = [
        Cell(_quoted(known, place.show) if known and place else ABSENT, "published", None, known)
        for place, known in zip(places, quoted, strict=True)
    ]
    return Cell("published", "published"), *n, *cells


def _quoted(quoted: Quoted, show: Show) -> str:
    """The published numbers, trailing zeros included."""
    if show == "p":
        return ABSENT if quoted.p is None else p_text(quoted.p)
    if quoted.mean is None or not show.startswith("mean"):
        return ABSENT
    text = f"{quoted.mean:.{quoted.decimals}f}" + ("" if quoted.sd is None else f" ± {quoted.sd:.{quoted.decimals}f}")
    if show == "mean_sd_p" and quoted.p is not None:
        text += f" ({p_text(quoted.p, 3)})"
    return minus(text)


def _decimals(definition: Definition, values: Iterable[Value]) -> int:
    """Those of the definition, or enough for three digits of the smallest mean of the table."""
    if definition.decimals is not None:
        return definition.decimals
    smallest = min((abs(value.mean) for value in values if value.mean), default=100.0)
    return max(1, min(6, 2 - math.floor(math.log10(smallest)))) if smallest < 10 else 1


def _strongest(definition: Definition, values: Values) -> set[Key]:
    """The best of each column; several if they are equal."""
    strongest: set[Key] = set()
    for column in definition.columns:
        places = [place for row in definition.rows if (place := definition.place(row, column))]
        means = {place.key: mean for place in places if (mean := values[place.key].mean) is not None}
        if len(means) > 1:
            best = (min if quantity(places[0].quantity).better == "lower" else max)(means.values())
            strongest |= {key for key, mean in means.items() if mean == best}
    return strongest
