"""A table of numbers, one row per item and one column per class, as votes or as distributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import locating
from votewise.read_options import ReadOptions
from votewise.votes.distributions import TOLERANCE, Distributions
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import Votes

_MOST = 10**10  # votes in one file; more are no counts
_PRINTED = 1e-6  # a row that is further from one was rounded when it was written


def answers(
    source: SourceFile,
    options: ReadOptions,
    table: NDArray[Any],
    classes: Sequence[str],
    items: Sequence[str] | None,
    cell: Callable[[int, int | None], str],
) -> tuple[Votes | Distributions, list[str]]:
    """Whole numbers [N, C] are counts of votes, rows that sum to one are probabilities, anything else is an error.

    Whole numbers of floating type in rows that all sum to one are probabilities. `cell` names a row, or one of its cells,
    as a person finds it in the file. The notes say how many items have no votes, and how far off rounded rows were.
    """

    def refuse(wrong: NDArray[np.bool_], what: str, remedy: str) -> None:
        if wrong.any():
            row, column = (int(place) for place in np.argwhere(wrong)[0])
            raise source.error(f"{cell(row, column)} is {table[row, column]}{what}", remedy)

    if not table.size:
        raise source.error("there are no numbers in it", "give one row per item and one column per class")
    refuse(~np.isfinite(table), "", "give a number for every class, 0 where nobody chose it")
    logs = "; if these are log-probabilities, give np.exp of them" if (table <= 0).all() else ""
    refuse(table < 0, ", which is negative", f"counts and probabilities are 0 or more{logs}")
    total = table.sum(axis=1, dtype=np.float64)
    fraction = table != np.floor(table)
    off = np.abs(total - 1)
    to_one = off <= TOLERANCE
    scale = Scale.ordinal(classes) if options.get("ordinal") else NOMINAL
    with locating(source.path):
        if table.dtype.kind not in "iub" and to_one.all():
            rounded = off.max() > _PRINTED
            note = f"rows of probabilities are off one by up to {off.max():.2g}, as if rounded: they were made to sum to one"
            shares = Distributions(table, classes=tuple(classes), scale=scale, items=items)  # type: ignore[arg-type]
            return shares, [note] if rounded else []
        if fraction.any():
            row = int((fraction & ~to_one[:, None]).any(axis=1).argmax())
            refuse(
                fraction & ~to_one[:, None],
                f", no whole number, and its row sums to {total[row]:.6g}, not to one",
                "give counts, or probabilities that sum to one in each row",
            )
            row = int((~to_one).argmax())
            raise source.error(
                f"{cell(row, None)} sums to {total[row]:g} where others hold probabilities",
                "give probabilities that sum to one in each row",
            )
        if total.sum() > _MOST:
            raise source.error(f"the counts add up to {total.sum():.3g} votes", "give counts of votes")
        votes = Votes.from_counts(table, classes, scale=scale, items=items)
    empty = int((total == 0).sum())
    return votes, [f"items without votes: {empty:,}"] if empty else []
