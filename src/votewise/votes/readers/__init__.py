"""Readers of annotation exports, one module per format. The format is given, or detected by the readers' confidence."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any, Protocol, Unpack, cast

from votewise.read_options import FORMATS, ReadOptions
from votewise.votes.cleaning import with_cleaning_file
from votewise.votes.distributions import Distributions
from votewise.votes.frame_columns import is_frame
from votewise.votes.readers.shared import ReadReport, SourceFile, VotesFile
from votewise.votes.readers.shared.source_table import Frame
from votewise.votes.readers.shared.suspicious_classes import with_annotator_doubts
from votewise.votes.readers.shared.votes_file import DoubtfulClasses, DroppedVotes
from votewise.votes.votes import Votes
from votewise.wording import listing

__all__ = [
    "READERS",
    "DoubtfulClasses",
    "DroppedVotes",
    "ReadReport",
    "VotesFile",
    "detect",
    "inspect_votes",
    "read_votes",
]


class Reader(Protocol):
    """A module that reads one format.

    If its records identify items, it also has a function `items(ballots)` that yields the id of the item with each record.
    """

    def recognise(self, source: SourceFile) -> tuple[float, str] | None:
        """Confidence in (0, 1] that the file has this format, and a short reason; None if it does not have it."""

    def read(self, source: SourceFile, options: ReadOptions) -> VotesFile:
        """The votes in the file and a report of what was dropped."""


class _Readers(Mapping[str, Reader]):
    """Readers by the name of their format, each imported when it is first used."""

    def __getitem__(self, name: str) -> Reader:
        return cast(Reader, import_module(f"votewise.votes.readers.{FORMATS[name]}"))

    def __iter__(self) -> Iterator[str]:
        return iter(FORMATS)

    def __len__(self) -> int:
        return len(FORMATS)

    def __reduce__(self) -> str:
        return "READERS"  # pickled and copied by name, because modules cannot be pickled


READERS: Mapping[str, Reader] = _Readers()
_TABLES = ("long-table", "wide-table", "annotator-columns")  # formats that a frame may have
_ONE_ROW_PER_ITEM = ("wide-table", "annotator-columns")
_FORMATS_WITH = {  # option -> formats that it applies to; other formats define these fields themselves
    "item": (*_TABLES, "chaosnli", "label-studio", "prodigy", "argilla", "doccano", "potato", "mturk"),
    "label": ("long-table", "array"),
    "annotator": ("long-table",),
    "weight": ("long-table",),
    "count": ("long-table",),
    "time": ("long-table",),
    "carry": ("long-table",),
}


def detect(source: SourceFile | Frame, options: ReadOptions | None = None) -> tuple[str, str]:
    """The format that fits the file best, and why.

    If a label, annotator, weight or count column is given, formats with one row per item are ruled out.

    Raises:
        VotewiseError: no format fits, or two fit equally well.
    """
    per_vote = any((options or {}).get(role) for role in ("label", "annotator", "weight", "count"))
    scored = [
        (*recognised, name)
        for name, reader in READERS.items()
        if source.kind != "frame" or name in _TABLES
        if not (per_vote and name in _ONE_ROW_PER_ITEM) and (recognised := reader.recognise(source))  # type: ignore[arg-type]  # the readers of tables accept frames
    ]
    if not scored:
        raise source.error("the format is not recognised", f"choose one with format= (--format): {', '.join(READERS)}")
    fitting = [(name, why) for score, why, name in scored if score == max(scored)[0]]
    if len(fitting) > 1:
        may_be = " and ".join(f"it may be {name} ({why})" for name, why in fitting)
        raise source.error(may_be, "choose one with format= (--format)")
    return fitting[0]


def inspect_votes(path: str | os.PathLike[str] | Any, **options: Unpack[ReadOptions]) -> VotesFile:
    r"""Read a file or a frame of votes: all of its questions, and a report of what was detected and dropped.

    Args:
        path: a file in any known format (the keys of `READERS`); or a pandas or polars `DataFrame`, which is read like a
            file with the same table.
        **options: see `ReadOptions`. If `question` is given, only that question is kept.

    Returns:
        The votes on each question, and the report.

    Raises:
        VotewiseError: the file cannot be read, or an option does not fit it.

    Example:
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "votes.csv")
        >>> _ = path.write_text("image,worker,label\na,ann,cat\na,bob,dog\nb,ann,\n")
        >>> file = inspect_votes(path)
        >>> file.votes(), file.report.format, file.report.dropped
        (Votes(2 votes on 1 item, 2 classes, 2 annotators), 'long-table', {'no label': 1, 'an item without votes': 1})
    """
    options = with_cleaning_file(options)
    source: Any = Frame(path) if is_frame(path) else SourceFile(path)
    name = options.get("format")
    if isinstance(source, Frame) and name not in (None, *_TABLES):
        raise source.error(f"a frame cannot be read as {name}", f"choose one of {listing(_TABLES)}")
    format, why = detect(source, options) if name is None else (name, "as given")
    for option, formats in _FORMATS_WITH.items():
        if options.get(option) is not None and format not in formats:
            remedy = f"leave {option}= (--{option}) out"
            raise source.error(f"{option}= does not apply to the format {format}", remedy)
    file = with_annotator_doubts(READERS[format].read(source, options), options)
    if name is None and file.report.why:  # it names the columns that were read, which may differ from the detected ones
        why = file.report.why
    file = replace(file, report=replace(file.report, path=source.name, format=format, why=why))
    question = options.get("question")
    return file if question is None else replace(file, questions={question: file.votes(question)})


def read_votes(path: str | os.PathLike[str] | Any, **options: Unpack[ReadOptions]) -> Votes | Distributions:
    r"""Read the votes in a file or a frame, or the distributions if it holds no votes.

    Warns with `DroppedVotes` if something was left out, and with `DoubtfulClasses` if a class looks like a typo or a
    missing value, or if two annotators look alike; `inspect_votes` returns the report instead.

    Args:
        path: a file in any known format: a table with one row per vote, a table of counts, or an export of an annotation
            tool; or such a table as a pandas or polars `DataFrame`.
        **options: see `ReadOptions`, for example `label="rating"`, `ordinal=True`.

    Returns:
        The votes; items are in the order of their ids.

    Raises:
        VotewiseError: the file cannot be read, or it has several questions and none is given.

    Example:
        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "votes.csv")
        >>> _ = path.write_text("image,worker,label\na,ann,cat\na,bob,dog\nb,ann,cat\n")
        >>> read_votes(path)
        Votes(3 votes on 2 items, 2 classes, 2 annotators)
    """
    file = inspect_votes(path, **options)
    file.report.warn()
    return file.votes()
