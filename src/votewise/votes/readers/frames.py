"""Large CSV files whose columns are known: read as a polars frame, turned into `Votes` without a Python loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from votewise.errors import VotewiseError
from votewise.votes.readers import tabular
from votewise.votes.readers.reading import Duplicates, Options
from votewise.votes.readers.record import header
from votewise.votes.readers.source import Source
from votewise.votes.scale import NOMINAL, ordinal
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl


def read_columns(source: Source, needed: Sequence[str], optional: Sequence[str] = ()) -> pl.DataFrame:
    """These columns of a CSV file as text, those of `optional` where they are there."""
    import polars as pl

    there = header(source)
    if missing := [name for name in needed if name not in there]:
        raise source.error(
            f"column {listing(missing)} is missing", f"the file has {listing(there, 12)}; give the original file"
        )
    return tabular.load(source, [*needed, *(name for name in optional if name in there)]).cast(pl.String)


def numbers(source: Source, column: pl.Series, *, whole: bool = True) -> pl.Series:
    """A column of text as numbers, null where it is empty; whole ones may be written as 3.0."""
    import polars as pl

    text = column.str.strip_chars().replace("", None)
    number = text.cast(pl.Float64, strict=False)
    wrong = text.is_not_null() & ~number.is_finite().fill_null(value=False)
    if whole:
        wrong |= (number != number.round()).fill_null(value=False) | (number.abs() >= 2**53).fill_null(value=False)
    kind = "a whole number" if whole else "a number"
    refuse(source, wrong, lambda row: f"{quoted(column.name)} is {quoted(text[row])}, not {kind}")
    return number.cast(pl.Int64) if whole else number


def refuse(source: Source, wrong: pl.Series, what: Callable[[int], str]) -> None:
    """An error that names the line of the first row marked `wrong`, if there is one."""
    if wrong.any():
        row = wrong.arg_max() or 0
        raise source.error(f"{tabular.place(source, row)}: {what(row)}", "correct it, or give the original file")


def votes_of(
    source: Source,
    options: Options,
    frame: pl.DataFrame,
    classes: Sequence[str],
    dropped: Counter[str],
    *,
    ordered: bool = False,
    duplicates: Duplicates = "error",
) -> Votes:
    """Votes out of a frame with the columns item, label and annotator; every further one is carried along."""
    if not len(frame):
        raise source.error("there are no votes in this file", "check that it holds people's answers")
    frame = _once_each(source, frame, options.duplicates or duplicates, dropped)
    item, label, annotator, *further = frame.get_columns()
    names = options.classes or classes
    try:
        return Votes.from_long(
            item,  # type: ignore[arg-type]
            label,  # type: ignore[arg-type]
            annotator if annotator.is_not_null().any() else None,  # type: ignore[arg-type]
            classes=names,
            scale=ordinal(names) if (ordered if options.ordinal is None else options.ordinal) else NOMINAL,
            columns={column.name: column.to_numpy() for column in further},
        )
    except VotewiseError as error:
        error.where = error.where or str(source.path)
        raise


def _once_each(source: Source, frame: pl.DataFrame, duplicates: Duplicates, dropped: Counter[str]) -> pl.DataFrame:
    named = frame["annotator"].is_not_null()
    twice = frame.select("item", "annotator").is_duplicated() & named
    if not twice.any() or duplicates == "keep":
        return frame
    if duplicates == "error":
        item, _, person, *_ = frame.row(twice.arg_max() or 0)
        raise source.error(
            f"annotator {quoted(person)} votes on item {quoted(item)} more than once",
            "say duplicates='last' or 'keep' (--duplicates last)",
        )
    last = frame.filter(named).unique(["item", "annotator"], keep="last", maintain_order=True)
    dropped["an earlier vote of the same person on the same item"] += int(named.sum()) - len(last)
    return last.vstack(frame.filter(~named))
