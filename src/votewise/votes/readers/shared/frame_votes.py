"""Large CSV files whose columns are known: read as a polars frame, turned into `Votes` without a Python loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from votewise.errors import locating
from votewise.read_options import ReadOptions
from votewise.votes.coding import codes
from votewise.votes.readers.shared.duplicates import EARLIER, settle_duplicates
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

CORRECT_IT = "correct it, or give the original file"


def read_columns(source: SourceFile, needed: Sequence[str], optional: Sequence[str] = ()) -> pl.DataFrame:
    """These columns of a CSV file as text, those of `optional` if present."""
    there = source.csv_columns
    if missing := [name for name in needed if name not in there]:
        raise source.error(
            f"column {listing(missing)} is missing", f"the file has {listing(there, 12)}; give the original file"
        )
    return source.load([*needed, *(name for name in optional if name in there)]).cast(pl.String)


def numbers(source: SourceFile, column: pl.Series, *, whole: bool = True) -> pl.Series:
    """A column of text as numbers, null if empty; integers may be written as 3.0."""
    text = column.str.strip_chars().replace("", None)
    number = text.cast(pl.Float64, strict=False)
    wrong = text.is_not_null() & ~number.is_finite().fill_null(value=False)
    if whole:
        wrong |= (number != number.round()).fill_null(value=False) | (number.abs() >= 2**53).fill_null(value=False)
    kind = "a whole number" if whole else "a number"
    source.refuse(wrong, lambda row: f": {quoted(column.name)} is {quoted(text[row])}, not {kind}", CORRECT_IT)
    return number.cast(pl.Int64) if whole else number


def votes_of(
    source: SourceFile,
    options: ReadOptions,
    frame: pl.DataFrame,
    classes: Sequence[str],
    dropped: Counter[str],
    *,
    ordered: bool = False,
) -> Votes:
    """Votes out of a frame with the columns item, label and annotator; every further one is carried along."""
    if not len(frame):
        raise source.error("there are no votes in this file", "check that it holds the annotators' answers")
    item, annotator = (codes(frame[name], missing=True)[0] for name in ("item", "annotator"))
    names, ordinal = options.get("classes") or classes, options.get("ordinal")

    def describe(row: int) -> tuple[None, str, str]:
        return None, str(frame["annotator"][row]), str(frame["item"][row])

    with locating(source.name):
        kept, count = settle_duplicates(item, annotator, options.get("duplicates"), describe)
        if kept is not None:
            dropped[EARLIER] += count
            frame = frame.filter(kept)
        items, labels, annotators, *further = frame.get_columns()
        return Votes.from_long(
            items,  # type: ignore[arg-type]
            labels,  # type: ignore[arg-type]
            annotators if annotators.is_not_null().any() else None,  # type: ignore[arg-type]
            classes=names,
            scale=Scale.ordinal(names) if (ordered if ordinal is None else ordinal) else NOMINAL,
            columns={column.name: column.to_numpy() for column in further},
        )
