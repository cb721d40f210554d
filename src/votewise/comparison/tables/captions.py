"""The caption of a table: what its numbers are, how they were tested, where they come from, and what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from votewise.comparison.setting import setting
from votewise.comparison.tables.definition import Definition, Key, Line
from votewise.comparison.tables.filling import Value
from votewise.comparison.tables.layout import MARK
from votewise.studies import Results
from votewise.wording import counted

_LISTED = 6  # missing rows, columns and cells


def caption(definition: Definition, values: Mapping[Key, Value], results: Results) -> str:
    """The caption of a filled table."""
    parts = [definition.caption]
    if definition.last_below:
        last = ", and below at the last" if any(value.checkpoint == "last" for value in values.values()) else ""
        parts.append(f"Mean ± SD across seeds (n − 1) at the best checkpoint{last}.")
    if definition.others_name and any(value.quantity in definition.others.values() for value in values.values()):
        parts.append(f"Rows below: {definition.others_name}.")
    family = sum(value.p_holm is not None and value.checkpoint == "best" for value in values.values())
    if definition.test and any(value.p is not None for value in values.values()):
        parts.append(definition.test.words.format(comparisons=counted(family, "comparison")))
        if not definition.last_below and any(v.significant for v in values.values() if v.checkpoint == "last"):
            parts.append(f"{MARK} The difference at the last epoch is significant by the same test.")
    if definition.bold:
        parts.append("Bold: the best of a column.")
    parts += [setting(results), definition.note]
    if absent := missing_cells(definition, values):
        more = f" and {len(absent) - _LISTED} more" if len(absent) > _LISTED else ""
        parts.append(f"Missing: {'; '.join(absent[:_LISTED])}{more}.")
    return " ".join(part for part in parts if part)


def missing_cells(definition: Definition, values: Mapping[Key, Value]) -> list[str]:
    """Rows and columns without a number, and single cells beyond those."""
    empty = {(row.id, column.id) for row, column, place in definition.cells() if not values[place.key].n}
    if not empty:
        return []

    def whole(lines: Sequence[Line], across: Sequence[Line], *, rows: bool) -> list[Line]:
        return [
            line
            for line in lines
            if all(((line.id, other.id) if rows else (other.id, line.id)) in empty for other in across)
        ]

    lines = [
        *whole(definition.rows, definition.columns, rows=True),
        *whole(definition.columns, definition.rows, rows=False),
    ]
    gone = {line.id for line in lines}
    names = {line.id: line.name for line in (*definition.rows, *definition.columns)}
    single = [f"{names[row]} at {names[column]}" for row, column in sorted(empty) if not {row, column} & gone]
    return [*dict.fromkeys(line.name for line in lines), *single]
