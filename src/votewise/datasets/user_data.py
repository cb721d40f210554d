"""The user's files: images, features or texts with any file of votes, matched by item id; and a split that they give."""

from __future__ import annotations

import os
import pathlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import I64
from votewise.datasets.dataset import Dataset, Inputs, as_inputs
from votewise.datasets.image_folder import Size, find_images, read_images
from votewise.datasets.parts import PARTS, as_parts
from votewise.datasets.texts import as_texts
from votewise.errors import VotewiseError
from votewise.files import existing_file, read_arrays
from votewise.votes import (
    Distributions,
    ReadOptions,
    Votes,
    item_column,
    match_ids,
    merged,
    read_item_fields,
    read_votes,
    repeated,
)
from votewise.wording import listing, quoted

AnyPath = str | os.PathLike[str]

_INPUTS = ("inputs", "images", "features", "x")  # names of the array in an .npz; `items` beside it has the ids

# What to do if items have no input: in general; if inputs are the rows of an array; and if votes number them from 1.
_GIVE_IDS = "give both the same ids"
_NUMBER = "number the items as the rows, from 0, or name the rows in an .npz with the arrays 'inputs' and 'items'"
_NUMBER_FROM_1 = f"the votes seem to count from 1, so {_NUMBER}"


@dataclass(frozen=True)
class TextColumns:
    """The columns with the text of an item: none, one, or two for a pair."""

    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str | Sequence[str] | None) -> TextColumns:
        """One column, or a sequence of one or two."""
        names = () if text is None else (text,) if isinstance(text, str) else tuple(text)
        if len(names) > 2 or len(set(names)) < len(names):
            raise VotewiseError(
                f"text= (--text) names the columns {listing(names)}",
                remedy="name one column, or two different ones for pairs",
            )
        return cls(names)


@dataclass(frozen=True)
class Parts:
    """Where a given split comes from: files of their own, or a column."""

    validation: AnyPath | None = None
    test: AnyPath | None = None
    column: str | None = None

    def files(self, votes: AnyPath | Votes | Distributions) -> dict[str, AnyPath | Votes | Distributions]:
        """The votes of each part by its name."""
        named = dict(zip(PARTS, (votes, self.validation, self.test), strict=True))
        found = {part: file for part, file in named.items() if file is not None}
        if len(found) > 1 and self.column is not None:
            raise VotewiseError(
                "a split is given by files and by a column",
                remedy="give either validation= and test= or split= (--split)",
            )
        return found


def from_files(
    inputs: AnyPath | NDArray[Any] | None,
    votes: AnyPath | Votes | Distributions | None,
    text: TextColumns,
    split: Parts,
    size: Size | None,
    augment: Sequence[str],
    options: ReadOptions,
) -> Dataset:
    """See `Dataset.from_files`."""
    if votes is None or (inputs is None and not text.names):
        raise VotewiseError(
            "inputs or votes are missing", remedy="give inputs and votes, or votes and text=, the column with the text"
        )
    if text.names and (size is not None or augment):
        raise VotewiseError("size and augment are for images, and these inputs are texts", remedy="leave them out")
    files = split.files(votes)
    in_votes, in_inputs = (text, None) if inputs is None else (TextColumns(), split.column if text.names else None)
    column = None if in_inputs else split.column
    read = {part: _read(file, in_votes, column, options) for part, file in files.items()}
    answers = _joined(read, text_inside=inputs is None)
    votes_path = None if isinstance(votes, Votes | Distributions) else pathlib.Path(votes)
    path = None if inputs is None or isinstance(inputs, np.ndarray) else pathlib.Path(inputs)
    parts = _parts(read, column, votes_path)
    if inputs is None:
        _all_voted(answers, votes_path)
        array: Inputs = as_texts([row for one in read.values() for row in one.texts], votes_path)
    elif text.names:
        rows, part = _texts_of(answers, path, text, in_inputs, options)
        array, parts = as_texts(rows, path), parts if in_inputs is None else as_parts(part, path)
    else:
        array = _array(inputs, answers, path, votes_path, size)
    given = {"text": list(text.names), "split": split.column, "size": size, "augment": augment or None, **options}
    paths = {"inputs": path, **files}
    paths["votes"] = paths.pop("train")
    origin = _origin(paths, given) if inputs is None or path is not None else None
    return Dataset(array, answers, name="own", augment=tuple(augment), origin=origin, parts=parts)


@dataclass(frozen=True)
class _Read:
    """The votes of one file, with the texts and the part of each item where the file has them."""

    answers: Votes | Distributions
    texts: Sequence[tuple[str | None, ...]] = ()
    part: Sequence[str | None] = ()


def _read(file: AnyPath | Votes | Distributions, text: TextColumns, column: str | None, options: ReadOptions) -> _Read:
    names = (*text.names, *(() if column is None else (column,)))
    if isinstance(file, Votes | Distributions):
        if names:
            raise VotewiseError(
                f"votes in memory have no column {listing(names)}",
                remedy="give a file, or use vw.Dataset(texts, votes)",
            )
        return _Read(file)
    if not names:
        return _Read(read_votes(file, **options))
    if text.names and "." not in text.names[0] and options.get("item") is None and item_column(file, options) is None:
        options = {**options, "item": text.names[0]}  # without ids, the text is the item
    answers = read_votes(file, **options)
    fields = read_item_fields(file, names, options)
    ids = [str(number) for number in range(len(answers))] if answers.items is None else answers.items.tolist()
    if lost := [name for name in ids if name not in fields]:
        raise VotewiseError(
            f"{len(lost)} of {len(ids)} items have no text: {listing(lost)}",
            where=file,
            remedy="give each item its text",
        )
    rows = [fields[name] for name in ids]
    count = len(text.names)
    for name, row in zip(ids, rows, strict=True):
        _check_text(name, row[:count], file)
    return _Read(answers, [row[:count] for row in rows], [row[count] for row in rows] if column else ())


def _check_text(name: str, row: Sequence[str | None], file: AnyPath) -> None:
    if all(text is not None for text in row):
        return
    half = "has only one half of a pair" if any(text is not None for text in row) else "has an empty text"
    raise VotewiseError(
        f"item {quoted(name)} {half}", where=file, remedy="fill it in, or leave the item and its votes out"
    )


def _joined(read: Mapping[str, _Read], text_inside: bool) -> Votes | Distributions:
    """The answers of all files, part after part; ids that occur in two files get the name of their part in front."""
    if len(read) == 1:
        return next(iter(read.values())).answers
    ids = [[str(name) for name in one.answers.names()] for one in read.values()]
    every = [name for some in ids for name in some]
    if again := repeated(every):
        if not text_inside:
            raise VotewiseError(
                f"{len(again)} items are in two parts of the split: {listing(again)}",
                remedy="put each item into one part",
            )
        every = [f"{part}/{name}" for part, some in zip(read, ids, strict=True) for name in some]
    return merged([one.answers for one in read.values()], every)


def _parts(read: Mapping[str, _Read], column: str | None, where: pathlib.Path | None) -> I64 | None:
    """The part of each item, by its file or by the column."""
    if column is not None:
        (one,) = read.values()
        return as_parts([name or "" for name in one.part], where)
    if len(read) == 1:
        return None
    return as_parts([part for part, one in read.items() for _ in range(len(one.answers))])


def _texts_of(
    answers: Votes | Distributions,
    path: pathlib.Path | None,
    text: TextColumns,
    column: str | None,
    options: ReadOptions,
) -> tuple[list[tuple[str | None, ...]], list[str]]:
    """The texts, and the part of each item, of a table of their own, in the order of the votes."""
    if path is None:
        raise VotewiseError(
            "text= names columns of a file, and the inputs are an array", remedy="use vw.Dataset(texts, votes)"
        )
    item = item_column(path, {}) or options.get("item")
    fields = read_item_fields(path, (*text.names, *((column,) if column else ())), {"item": item})
    names, count = list(fields), len(text.names)
    place = _match(answers, {name: n for n, name in enumerate(names)}, path, None)
    rows = [fields[names[n]] for n in place.tolist()]
    for name, row in zip(answers.names(), rows, strict=True):
        _check_text(str(name), row[:count], path)
    return [row[:count] for row in rows], [row[-1] or "" for row in rows]


def _array(
    inputs: AnyPath | NDArray[Any],
    answers: Votes | Distributions,
    path: pathlib.Path | None,
    votes_path: pathlib.Path | None,
    size: Size | None,
) -> Inputs:
    """Images or features, in the order of the votes."""
    if path is not None and path.is_dir():
        names = find_images(path)
        place = _match(answers, _with_and_without_suffix(names), path, votes_path)
        return read_images(path, [names[n] for n in place], size)
    if size is not None:
        raise VotewiseError(
            f"size={size} resizes the images of a folder only", where=path, remedy="leave size= (--size) out"
        )
    if path is None:
        return _rows(np.array(inputs), None, answers, None, votes_path)  # a copy, which nobody else can change
    arrays = read_arrays(existing_file(path))
    ids = arrays.pop("items", None)
    return _rows(_choose(path, arrays), ids, answers, path, votes_path)


def _origin(paths: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where the files are and how they are read, to find and read them from any folder."""
    if any(isinstance(path, Votes | Distributions) for path in paths.values()):
        return None
    given = {
        name: list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value
        for name, value in options.items()
        if value is not None and value != []
    }
    files = {name: str(pathlib.Path(path).resolve()) for name, path in paths.items() if path is not None}
    return {**files, **given}


def _with_and_without_suffix(names: Sequence[str]) -> dict[str, int]:
    """Where the image that an id names stands among `names`; an extension may be left out where that is not ambiguous."""
    stems = [name.rpartition(".")[0] for name in names]
    count = Counter(stems)
    short = {stem: n for n, stem in enumerate(stems) if count[stem] == 1}
    return short | {name: n for n, name in enumerate(names)}


def _rows(
    array: NDArray[Any],
    ids: NDArray[Any] | None,
    answers: Votes | Distributions,
    path: pathlib.Path | None,
    votes: pathlib.Path | None,
) -> Inputs:
    """The rows of an array as inputs, in the order of the votes."""
    if not array.size:
        raise VotewiseError(
            f"there are no inputs in an array of shape {array.shape}", where=path, remedy="give one row per item"
        )
    array = as_inputs(array, path)
    names = list(map(str, range(len(array)) if ids is None else ids.ravel().tolist()))
    if len(names) != len(array) or len(set(names)) < len(names):
        raise VotewiseError(
            f"{len(set(names))} different ids for {len(array)} inputs",
            where=path,
            remedy="give each row its own in `items`",
        )
    if answers.items is None and ids is None:
        if len(answers) != len(array):
            raise VotewiseError(
                f"{len(array)} inputs, but votes on {len(answers)} items",
                where=path,
                remedy="give one input for each row of the votes, or ids to both",
            )
        _all_voted(answers, votes)
        return array
    how = _GIVE_IDS if ids is not None else _NUMBER_FROM_1 if _from_1(answers, len(array)) else _NUMBER
    return array[_match(answers, {name: n for n, name in enumerate(names)}, path, votes, how)]


def _from_1(answers: Votes | Distributions, rows: int) -> bool:
    return answers.items is not None and set(answers.items.tolist()) == {str(row + 1) for row in range(rows)}


def _choose(path: pathlib.Path, arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """The array of inputs in a file: the first of the usual names, or the only one."""
    for name in (*_INPUTS, *(arrays if len(arrays) == 1 else ())):
        if name in arrays:
            return arrays[name]
    raise VotewiseError(
        f"none of the arrays {listing(arrays)} is known to hold inputs" if arrays else "there is no array of inputs",
        where=path,
        remedy="call it 'inputs', and the ids of its rows 'items'",
    )


def _match(
    answers: Votes | Distributions,
    names: Mapping[str, int],
    path: pathlib.Path | None,
    votes: pathlib.Path | None,
    how: str = _GIVE_IDS,
) -> I64:
    """Which of the inputs [N] belongs to each item [N]; `names` maps an id to its position, `how` is the remedy for ids without input."""
    if answers.items is None and list(names) == answers.names():  # the row numbers of both
        _all_voted(answers, votes)
        return np.arange(len(answers))
    if answers.items is None:
        raise VotewiseError(
            "the votes have no item ids to match the inputs by", where=votes, remedy="give them a column of item ids"
        )
    place = match_ids(answers.items.tolist(), names, thing="input", remedy=how, where=path, exact=True)
    _all_voted(answers, votes)
    return place


def _all_voted(answers: Votes | Distributions, votes: pathlib.Path | None) -> None:
    if isinstance(answers, Votes) and not (size := answers.votes_per_item).all():
        empty = np.flatnonzero(size == 0).tolist()
        raise VotewiseError(
            f"{len(empty)} of {len(size)} items have no votes: {listing(answers.name_of(n) for n in empty)}",
            where=votes,
            remedy="add their votes, or leave the items out of votes and inputs",
        )
