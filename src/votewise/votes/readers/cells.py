"""A table of numbers, one row per item and one column per class, as votes or as distributions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.votes.distributions import Distributions
from votewise.votes.readers.reading import Options
from votewise.votes.readers.source import Source
from votewise.votes.scale import NOMINAL, ordinal
from votewise.votes.votes import Votes

_MOST = 10**10  # votes in one file; more are no counts


def answers(
    source: Source,
    options: Options,
    table: NDArray[Any],
    classes: Sequence[str],
    items: Sequence[str] | None,
    cell: Callable[[int, int | None], str],
) -> tuple[Votes | Distributions, list[str]]:
    """Whole numbers [N, C] are counts of votes, rows that sum to one are probabilities, anything else is an error.

    Whole numbers of floating type in rows that all sum to one are probabilities. `cell` names a row, or one of its cells,
    as a person finds it in the file. The notes say how many items have no votes.
    """

    def refuse(wrong: NDArray[np.bool_], what: str, remedy: str) -> None:
        if wrong.any():
            row, column = (int(place) for place in np.argwhere(wrong)[0])
            raise source.error(f"{cell(row, column)} is {table[row, column]}{what}", remedy)

    if not table.size:
        raise source.error("there are no numbers in it", "give one row per item and one column per class")
    refuse(~np.isfinite(table), "", "give a number for every class, 0 where nobody chose it")
    refuse(table < 0, ", which is negative", "counts and probabilities are 0 or more; give exp of log-probabilities")
    total = table.sum(axis=1, dtype=np.float64)
    fraction = table != np.floor(table)
    to_one = np.abs(total - 1) <= 1e-6
    scale = ordinal(tuple(classes)) if options.ordinal else NOMINAL
    try:
        if table.dtype.kind not in "iub" and to_one.all():
            return Distributions(table, classes=tuple(classes), scale=scale, items=items), []  # type: ignore[arg-type]
        if fraction.any():
            refuse(
                fraction & ~to_one[:, None],
                ", no whole number, and the numbers of its row do not sum to one",
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
    except VotewiseError as error:
        error.where = str(source.path)
        raise
    empty = int((total == 0).sum())
    return votes, [f"items without votes: {empty:,}"] if empty else []
