"""The paper's tables out of any results, each beside the published numbers; and the methods of a comparison side by side."""

from __future__ import annotations

from votewise.errors import VotewiseError
from votewise.evidence.methods import dataset_name
from votewise.evidence.results import Results
from votewise.evidence.tables.comparison import side_by_side
from votewise.evidence.tables.definition import Definition
from votewise.evidence.tables.definitions import definition
from votewise.evidence.tables.filling import fill
from votewise.evidence.tables.layout import holes, lay_out
from votewise.evidence.tables.table import Cell, Table, Value

__all__ = ["TABLES", "Cell", "Table", "Value", "side_by_side", "table"]

TABLES = tuple(range(1, 10))
_NAMED = 6  # things that are not there


def table(number: int, results: Results) -> Table:
    """One of the paper's tables 1 to 9: mean ± SD across seeds (n - 1) at the best checkpoint, the last beside it, and the paper's."""
    if number not in TABLES:
        raise VotewiseError(f"there is no table {number!r}", remedy="choose one of 1 to 9")
    made = definition(number, results)
    values = fill(made, results.runs) if made.rows and made.columns else []
    if not any(value.n for value in values):
        return Table(number, made.title, "", made.reading, (), (), (), f"This table needs {made.needs}.")
    columns, rows = lay_out(made, values)
    caption = _caption(made, results, values)
    return Table(number, made.title, caption, made.reading, columns, rows, tuple(values))


def _caption(made: Definition, results: Results, values: list[Value]) -> str:
    where = dataset_name(results.dataset)
    last = any(value.checkpoint == "last" for value in values)
    parts = [
        made.caption,
        f"Mean ± SD across seeds (n − 1) at the best checkpoint{', and below at the last' if last else ''}.",
    ]
    if any(value.score in made.others.values() for value in values):
        parts.append(f"Below also as in the paper: {made.others_name}.")
    if made.test:
        family = sum(value.p_holm is not None and value.checkpoint == "best" for value in values)
        parts.append(made.test.words.format(cells=family) + ".")
    if made.bold:
        parts.append("Bold: the best of a column.")
    parts.append(f"{where[:1].upper()}{where[1:]}, preset {results.preset}.")
    if results.comparable:
        parts.append("Published: the paper's numbers on CIFAR-10H.")
    else:
        parts.append(
            "Published: the paper's numbers on CIFAR-10H with its own training; sizes compare with ours only at preset paper on CIFAR-10H."
        )
    if gone := holes(made, values):
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        parts.append(f"Not there: {'; '.join(gone[:_NAMED])}{more}.")
    return " ".join(parts)
