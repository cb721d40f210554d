"""Readers of annotation exports: one file per format, one table of them, detection by score."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from votewise.errors import VotewiseError
from votewise.votes.distributions import Distributions
from votewise.votes.readers import (
    annotator_columns,
    argilla,
    arrays,
    chaosnli,
    cifar10h,
    doccano,
    label_studio,
    lewidi2023,
    lewidi2025,
    mturk,
    popquorn,
    potato,
    prodigy,
    tables,
    wide,
    written,
)
from votewise.votes.readers.reading import DoubtfulClasses, DroppedVotes, Duplicates, Options, Reading, Report
from votewise.votes.readers.source import Source
from votewise.votes.votes import Votes

__all__ = ["READERS", "DoubtfulClasses", "DroppedVotes", "Reading", "Report", "detect", "read", "read_votes"]


class Reader(Protocol):
    """A module that reads one format."""

    NAME: str

    def recognise(self, source: Source) -> tuple[float, str]:
        """How sure it is, from 0 to 1, that this is its format, and why in a few words."""

    def read(self, source: Source, options: Options) -> Reading:
        """The answers in the file and a report of what was dropped."""


_ALL: tuple[Reader, ...] = (
    tables,
    wide,
    annotator_columns,
    arrays,
    written,
    cifar10h,
    chaosnli,
    popquorn,
    lewidi2023,
    lewidi2025,
    label_studio,
    prodigy,
    argilla,
    doccano,
    potato,
    mturk,
)


class _Readers(dict[str, Reader]):
    def __reduce__(self) -> str:
        return "READERS"  # pickled and copied by name, because modules can only be imported


READERS: Mapping[str, Reader] = _Readers({reader.NAME: reader for reader in _ALL})
_SURE = 0.15  # a table that lacks something scores above it, so that its reader can say what


def detect(source: Source, options: Options | None = None) -> tuple[Reader, str]:
    """The reader that recognises the file best, and why; an error where none does, or two do equally.

    Whoever names the column of the label, the annotator or the weight has no table with one row per item.
    """
    named = options is not None and (options.label or options.annotator or options.weight)
    possible = [reader for reader in _ALL if not (named and reader in (wide, annotator_columns))]
    scored = [(*reader.recognise(source), reader) for reader in possible]
    best = max(score for score, _, _ in scored)
    found = [(reader, why) for score, why, reader in scored if score == best]
    if best < _SURE:
        raise source.error("the format is not recognised", f"say which with format= (--format): {', '.join(READERS)}")
    if len(found) > 1:
        raise source.error(
            " and ".join(f"it may be {reader.NAME} ({why})" for reader, why in found),
            "say which with format= (--format)",
        )
    return found[0]


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    item: str | None = None,
    label: str | None = None,
    annotator: str | None = None,
    weight: str | None = None,
    classes: Sequence[str] | None = None,
    ordinal: bool | None = None,
    duplicates: Duplicates | None = None,
) -> Reading:
    """All questions of a file, and the report of how it was read.

    format      long-table, wide-table, annotator-columns, array, votewise, cifar10h-raw, chaosnli, popquorn, lewidi-2023,
                lewidi-2025, label-studio, prodigy, argilla, doccano, potato or mturk (the keys of `READERS`); found by looking
                at the file unless given
    item, label, annotator, weight  names of columns, where they are not the usual ones
    classes     all classes in their order; those that occur, sorted, unless the format names them
    ordinal     whether the classes are ordered, where the format does not say it
    duplicates  what to do with a second vote of one person on one item: 'error', 'keep' or 'last'
    """
    source = Source(path)
    options = Options(
        item=item,
        label=label,
        annotator=annotator,
        weight=weight,
        classes=classes,
        ordinal=ordinal,
        duplicates=duplicates,
    )
    reader, why = detect(source, options) if format is None else (_named(format), "as asked")
    reading = reader.read(source, options)
    return replace(reading, report=replace(reading.report, format=reader.NAME, why=why))


def read_votes(
    path: str | os.PathLike[str],
    *,
    question: str | None = None,
    format: str | None = None,
    item: str | None = None,
    label: str | None = None,
    annotator: str | None = None,
    weight: str | None = None,
    classes: Sequence[str] | None = None,
    ordinal: bool | None = None,
    duplicates: Duplicates | None = None,
) -> Votes | Distributions:
    """The `Votes` in a file, or the `Distributions` where it holds no votes; arguments as in `read`.

    A file that asks several questions needs `question`. Whatever is dropped is told by a `DroppedVotes` warning, and a class
    that looks like a typo or a missing value by a `DoubtfulClasses` warning.
    """
    reading = read(
        path,
        format=format,
        item=item,
        label=label,
        annotator=annotator,
        weight=weight,
        classes=classes,
        ordinal=ordinal,
        duplicates=duplicates,
    )
    if reading.report.dropped:
        warnings.warn(str(reading.report), DroppedVotes, stacklevel=2)
    if reading.report.doubts:
        warnings.warn("\n  ".join([f"{path}:", *reading.report.doubts]), DoubtfulClasses, stacklevel=2)
    return reading.question(question)


def _named(format: str) -> Reader:
    if format not in READERS:
        raise VotewiseError(f"there is no format {format!r}", remedy=f"choose one of {', '.join(READERS)}")
    return READERS[format]
