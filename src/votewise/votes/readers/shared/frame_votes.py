"""Large CSV files whose columns are known: read as a polars frame, turned into `Votes` without a Python loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl

from votewise.errors import locating
from votewise.read_options import ReadOptions
from votewise.votes.cleaning import LEFT_OUT, annotator_names, label_names
from votewise.votes.coding import among, codes, only_used
from votewise.votes.readers.shared.duplicates import dropped_as, settle_duplicates
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
            f"column {listing(missing)} is missing", f"the columns are {listing(there, 12)}; give the original file"
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
    """Votes from a frame with the columns item, label and annotator; any other column is carried along."""
    frame, names = _cleaned(frame, options, options.get("classes") or classes, dropped)
    if not len(frame):
        raise source.error("the file has no votes", "check that it holds the annotators' answers")
    (item, items), (annotator, annotators), (label, labels) = (
        codes(frame[name], missing=True) for name in ("item", "annotator", "label")
    )
    ordinal, policy = options.get("ordinal"), options.get("duplicates")

    def describe(row: int) -> tuple[None, str, str]:
        return None, str(frame["annotator"][row]), str(frame["item"][row])

    with locating(source.name):
        kept, count = settle_duplicates(item, annotator, policy, describe, label=label)
        if kept is not None:
            dropped[dropped_as(policy)] += count
            frame, label = frame.filter(kept), label[kept]
            item, items = only_used(item[kept], items)
            annotator, annotators = only_used(annotator[kept], annotators)
        return Votes.from_codes(
            item,
            among(label, labels, names),
            annotator if annotators else None,
            items=items,
            classes=names,
            annotators=annotators,
            scale=Scale.ordinal(names) if (ordered if ordinal is None else ordinal) else NOMINAL,
            columns={column.name: column.to_numpy() for column in frame.get_columns()[3:]},
        )


def _cleaned(
    frame: pl.DataFrame, options: ReadOptions, classes: Sequence[str], dropped: Counter[str]
) -> tuple[pl.DataFrame, list[str]]:
    """The frame and the classes with labels and annotators cleaned; votes without a label are dropped."""
    names = list(classes)
    for column, rename in (("label", label_names(options)), ("annotator", annotator_names(options))):
        if rename:
            old = frame[column].cast(pl.String)
            written = old.drop_nulls().unique().to_list()
            if out := [name for name in written if rename.leaves_out(name)]:
                before = len(frame)
                frame = frame.filter(~old.is_in(out).fill_null(value=False))
                dropped[LEFT_OUT] += before - len(frame)
                old = frame[column].cast(pl.String)
            new = [rename(name) for name in written]
            frame = frame.with_columns(old.replace_strict(written, new, return_dtype=pl.String).alias(column))
            if column == "label":
                names = list(dict.fromkeys(name for one in names if (name := rename(one)) is not None))
    if lost := frame["label"].null_count():
        dropped["no label"] += lost
    return frame.drop_nulls("label"), names
