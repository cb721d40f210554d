"""Information in the votes files of a dataset in addition to the votes: the texts of items, and reports of what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.votes import ReadOptions, inspect_votes, item_texts
from votewise.wording import counted

_PARTS = ("votes", "validation", "test")


def texts_in_votes(dataset: Dataset) -> dict[str, str]:
    """The text of each item by its id, in a column of a votes file with a usual name; empty if there is none."""
    found = dict[str, str]()
    for path, options in _files(dataset):
        try:
            found |= item_texts(path, options)
        except VotewiseError:
            continue  # a format without columns
    return found


def left_out(dataset: Dataset) -> list[str]:
    """A line for each votes file from which something was dropped or merged while it was read."""
    lines, origin = [], dataset.origin or {}
    separate = origin.get("inputs") and origin.get("text")  # a table of texts, which also has the split
    columns = [] if separate else [*(origin.get("text") or ()), *filter(None, [origin.get("split")])]
    for path, options in _files(dataset):
        try:
            report = inspect_votes(path, **options).report.also_read(columns)
        except VotewiseError:
            continue  # the page has a warning that the data has changed
        dropped = [f"dropped {count:,}: {reason}" for reason, count in report.dropped.items()]
        if dropped or report.notes:
            what = [counted(report.rows, "row"), *dropped, *report.notes]
            lines.append(f"{Path(path).name}: {'; '.join(what)}")
    return lines


def _files(dataset: Dataset) -> Iterator[tuple[str, Any]]:
    """The votes files of a dataset, and the options that they are read with."""
    origin = dataset.origin or {}
    options = {name: origin[name] for name in get_type_hints(ReadOptions) if origin.get(name) is not None}
    return ((origin[part], options) for part in _PARTS if origin.get(part) is not None)
