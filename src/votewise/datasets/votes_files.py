"""The votes of a dataset: one file, or one for each part of a predefined split. They may also contain the texts of the items."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from votewise.arrays import I64
from votewise.datasets.parts import as_parts
from votewise.errors import VotewiseError
from votewise.files import as_path
from votewise.votes import (
    Distributions,
    ReadOptions,
    Votes,
    has_items,
    inspect_votes,
    is_frame,
    merged,
    read_item_fields,
    repeated,
)
from votewise.wording import listing, quoted

AnyPath = str | os.PathLike[str]
AnyVotes = AnyPath | Votes | Distributions | Any  # or a frame
Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Voted:
    """Votes, and for each item the values of further columns of their files: its text or its two texts, and its part of a split."""

    answers: Votes | Distributions
    texts: Sequence[Row]
    parts: I64 | None


def path_of(votes: AnyVotes) -> Path | None:
    """The file of votes; None if they are in memory."""
    return None if isinstance(votes, Votes | Distributions) or is_frame(votes) else as_path(votes)


def text_columns(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """The columns with the text of an item: zero, one, or two for a pair."""
    names = () if text is None else (text,) if isinstance(text, str) else tuple(text)
    if len(names) > 2 or len(set(names)) < len(names):
        raise VotewiseError(
            f"text= (--text) names the columns {listing(names)}",
            remedy="name one column, or two different columns for pairs",
        )
    return names


def read_parts(
    files: Mapping[str, AnyVotes | None], text: Sequence[str], split: str | None, options: ReadOptions
) -> Voted:
    """Read the votes of all parts, and merge them.

    Args:
        files: part -> its votes, None if it has none. If only "train" is given, it has all votes.
        text: columns of the files with the text.
        split: the column with the part of each item, for a single file.
        options: how to read the votes.
    """
    given = {part: file for part, file in files.items() if file is not None}
    if len(given) > 1 and split is not None:
        raise VotewiseError(
            "a split is given twice: by files and by a column",
            remedy="give either validation= and test= or split= (--split)",
        )
    columns = (*text, *((split,) if split else ()))
    answers, rows = zip(*(_read(file, columns, len(text), options) for file in given.values()), strict=True)
    texts = [row[: len(text)] for some in rows for row in some]
    if len(given) > 1:
        parts = as_parts([part for part, one in zip(given, answers, strict=True) for _ in range(len(one))])
        return Voted(merged(answers, _ids(given, answers, bool(text))), texts, parts)
    return Voted(
        answers[0], texts, as_parts([row[-1] or "" for row in rows[0]], path_of(given["train"])) if split else None
    )


def _read(
    file: AnyVotes, columns: Sequence[str], texts: int, options: ReadOptions
) -> tuple[Votes | Distributions, list[Row]]:
    """The votes of one file, and its columns by item; the first `texts` of these are texts."""
    if isinstance(file, Votes | Distributions):
        if columns:
            raise VotewiseError(
                f"votes in memory have no column {listing(columns)}",
                remedy="give a file, or use vw.Dataset(texts, votes)",
            )
        return file, []
    if texts and "." not in columns[0] and not has_items(file, options):
        options = {**options, "item": columns[0]}  # if there are no ids, the text is the item id
    found = inspect_votes(file, **options)
    found.report.also_read(columns).warn()
    answers = found.votes()
    if not columns:
        return answers, []
    fields = read_item_fields(file, columns, {**options, "format": found.report.format})
    if lost := [name for name in answers.names() if name not in fields]:
        raise VotewiseError(
            f"{len(lost)} of {len(answers)} items have no {columns[0]}: {listing(lost)}",
            where=path_of(file),
            remedy="give a value for each item",
        )
    rows = [fields[name] for name in answers.names()]
    check_texts(answers.names(), [row[:texts] for row in rows], path_of(file))
    return answers, rows


def check_texts(names: Sequence[str], rows: Sequence[Row], file: Path | None) -> None:
    """Raise for an item with an empty text or with only one text of a pair."""
    for name, row in zip(names, rows, strict=True):
        if None in row:
            half = "has only one text of a pair" if any(row) else "has an empty text"
            raise VotewiseError(
                f"item {quoted(name)} {half}", where=file, remedy="fill it in, or leave out the item and its votes"
            )


def _ids(parts: Mapping[str, object], answers: Sequence[Votes | Distributions], texts: bool) -> list[str]:
    """The ids of all items. Ids may occur in two parts if inputs are texts in the same files; all ids then get their part as a prefix."""
    ids = [one.names() for one in answers]
    every = [name for some in ids for name in some]
    again = repeated(every)
    if again and not texts:
        raise VotewiseError(
            f"{len(again)} items are in two parts of the split: {listing(again)}",
            remedy="put each item into a single part",
        )
    return [f"{part}/{name}" for part, some in zip(parts, ids, strict=True) for name in some] if again else every
