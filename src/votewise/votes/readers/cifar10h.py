"""CIFAR-10H as it was collected: one row per trial of `cifar10h-raw.csv` (Peterson et al. 2019)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl

from votewise.votes.readers.numpy_file import CIFAR10_CLASSES as CLASSES
from votewise.votes.readers.shared import ReadOptions, ReadReport, SourceFile, VotesFile
from votewise.votes.readers.shared.frame_votes import CORRECT_IT, numbers, read_columns, votes_of
from votewise.wording import quoted

_INDEX = (
    "cifar10_test_test_idx",
    "cifar10_test_set_idx",
)  # the published file uses the first name, its documentation the second
_NEEDED = ("annotator_id", "is_attn_check", "chosen_label")


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """The columns of the raw file, under either name of the test image index."""
    columns = set(source.csv_columns)
    if columns.issuperset(_NEEDED) and columns.intersection(_INDEX):
        return 0.95, "the columns of CIFAR-10H's raw file"
    return None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One vote per trial; its `reaction_time` in ms is carried along. Item ids are positions in CIFAR-10's test set."""
    index = next((name for name in _INDEX if name in source.csv_columns), _INDEX[0])
    frame = read_columns(source, (*_NEEDED, index), ("chosen_category", "correct_guess", "reaction_time"))
    item, label = numbers(source, frame[index]), numbers(source, frame["chosen_label"])
    check = numbers(source, frame["is_attn_check"])
    attention = (check == 1).fill_null(value=False) | (item < 0).fill_null(value=False)
    fits = (item <= 9999).fill_null(value=False) & label.is_between(0, 9).fill_null(value=False)
    source.refuse(
        ~attention & ~fits, lambda row: f": image {item[row]} or label {label[row]} does not exist", CORRECT_IT
    )
    name = label.replace_strict(range(10), CLASSES, default=None, return_dtype=pl.String)
    if "chosen_category" in frame:
        category = frame["chosen_category"]
        differs = ~attention & category.ne_missing(name)
        source.refuse(
            differs,
            lambda row: f": label {label[row]} is {quoted(name[row])}, but the category is {quoted(category[row])}",
            CORRECT_IT,
        )
    trials = pl.DataFrame({"item": item, "label": name, "annotator": numbers(source, frame["annotator_id"])})
    if "reaction_time" in frame:
        trials = trials.with_columns(reaction_time=numbers(source, frame["reaction_time"], whole=False))
    dropped = Counter({"an attention check": int(attention.sum())} if attention.any() else {})
    votes = votes_of(source, options, trials.filter(~attention), CLASSES, dropped)
    votes = replace(
        votes, row=np.array(votes.items, dtype=np.int64)
    )  # the rows of the file of counts, so that both give the same draws
    notes = _careless(frame.filter(attention)) if "correct_guess" in frame else ()
    return VotesFile({"label": votes}, ReadReport(rows=len(frame), dropped=dict(dropped), notes=notes))


def _careless(checks: pl.DataFrame) -> tuple[str, ...]:
    """A note on annotators who fail attention checks. They are kept (the published counts exclude 3,200 of the 514,200 votes)."""
    right = checks.group_by("annotator_id").agg((pl.col("correct_guess") == "1").mean().alias("share"))
    below = int((right["share"] < 0.75).sum())
    return (f"annotators below 75 % on the attention checks: {below}; their votes are kept",) * (below > 0)
