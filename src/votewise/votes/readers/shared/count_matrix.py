"""A table of numbers, one row per item and one column per class, as votes or as distributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import Bool
from votewise.errors import locating
from votewise.limits import MOST_OF_A_CELL
from votewise.read_options import TableOptions
from votewise.votes.cleaning import label_names, missing_notes
from votewise.votes.distributions import ROUNDED_PERCENTAGES, TOLERANCE, Distributions
from votewise.votes.readers.shared.source_table import Table
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import CHECK_COUNTS, Votes

_PRINTED = 1e-6  # deviation of a row sum from one above which the row was probably rounded when it was written


def answers(
    source: Table,
    options: TableOptions,
    table: NDArray[Any],
    classes: Sequence[str],
    items: Sequence[str] | None,
    cell: Callable[[int, int | None], str],
) -> tuple[Votes | Distributions, list[str], list[str]]:
    """Whole numbers [N, C] are counts of votes, rows that sum to one are probabilities, anything else is an error.

    Floats that are whole numbers are probabilities if all rows sum to one. `cell` is the name of a row, or of one of its cells,
    in errors. The notes contain the number of items without votes, and the largest deviation of a row sum from one; the doubts,
    whether counts may be rounded percentages.
    """

    def refuse(wrong: Bool, what: str, remedy: str) -> None:
        if wrong.any():
            row, column = (int(place) for place in np.argwhere(wrong)[0])
            raise source.error(f"{cell(row, column)} is {table[row, column]}{what}", remedy)

    rename = label_names(options)
    notes = [*rename.notes(classes), *missing_notes(options, classes)]
    if rename:
        table, classes = _renamed(table, classes, [rename(name) for name in classes])
    if not table.size:
        raise source.error("the table has no numbers", "give one row per item and one column per class")
    refuse(~np.isfinite(table), "", "give a number for every class, 0 if no annotator chose it")
    logs = "; if these are log-probabilities, give np.exp of them" if (table <= 0).all() else ""
    refuse(table < 0, ", which is negative", f"counts and probabilities are 0 or more{logs}")
    total = table.sum(axis=1, dtype=np.float64)
    off = np.abs(total - 1)
    to_one = off <= TOLERANCE
    scale = Scale.ordinal(classes) if options.get("ordinal") else NOMINAL
    with locating(source.name):
        if table.dtype.kind not in "iub" and to_one.all():
            notes.append("each row sums to one: read as probabilities (Distributions), not as votes")
            note = f"rows of probabilities sum to one only within {off.max():.2g}, probably because of rounding: they were renormalised"
            shares = Distributions(table, classes=tuple(classes), scale=scale, items=items)  # type: ignore[arg-type]  # a list of ids becomes an array there
            return shares, notes + [note] * bool(off.max() > _PRINTED), []
        if (fraction := table != np.floor(table)).any():
            wrong = fraction & ~to_one[:, None]
            row = int((wrong if wrong.any() else ~to_one[:, None]).any(axis=1).argmax())
            remedy = "give counts, or probabilities that sum to one in each row"
            if (np.abs(total - 100) <= ROUNDED_PERCENTAGES).all():
                remedy = "divide percentages by 100"
            elif (off <= ROUNDED_PERCENTAGES / 100).all():
                remedy = "if the probabilities were rounded, divide each row by its sum"
            refuse(wrong, f", not a whole number, and its row sums to {total[row]:.6g}, not to one", remedy)
            raise source.error(f"{cell(row, None)} sums to {total[row]:g}, but other rows are probabilities", remedy)
        refuse(
            table > np.float64(MOST_OF_A_CELL),
            f", more than {MOST_OF_A_CELL:,} votes of one item for one class",
            CHECK_COUNTS,
        )
        votes = Votes.from_counts(table, classes, scale=scale, items=items)
    empty = int((total == 0).sum())
    doubts, voted = list[str](), total[total > 0]
    if (voted == 100).all():
        notes.append("each row sums to 100: read as 100 votes per item; if these are percentages, divide them by 100")
    elif (np.abs(voted - 100) <= min(len(classes) / 2, ROUNDED_PERCENTAGES)).all():
        what = f"rows sum to {voted.min():g} to {voted.max():g}, like rounded percentages"
        doubts.append(
            f"{what}: read as {len(votes.label):,} votes; if these are percentages, divide each row by its sum"
        )
    return votes, notes + [f"items without votes: {empty:,}"] * bool(empty), doubts


def _renamed(
    table: NDArray[Any], classes: Sequence[str], names: Sequence[str | None]
) -> tuple[NDArray[Any], Sequence[str]]:
    """The table with renamed classes: columns with the same new name are added, columns without a name are left out."""
    new = list(dict.fromkeys(name for name in names if name is not None))
    if list(classes) == names:
        return table, classes
    place = [[at for at, name in enumerate(names) if name == one] for one in new]
    return np.stack([table[:, columns].sum(axis=1, dtype=table.dtype) for columns in place], axis=1), new
