"""Datasets from the user's files: images, features or texts with votes, matched by item id, and a predefined split if given."""

from __future__ import annotations

import math
import os
import pathlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import I64, plain
from votewise.datasets.dataset import Dataset
from votewise.datasets.feature_table import TableInputs, inputs_in_frame, is_feature_table, read_features
from votewise.datasets.image_folder import Size, find_images, read_images
from votewise.datasets.inputs import Inputs, as_inputs
from votewise.datasets.parts import as_parts
from votewise.datasets.texts import as_texts
from votewise.datasets.votes_files import AnyPath, AnyVotes, check_texts, path_of, read_parts, text_columns
from votewise.errors import VotewiseError
from votewise.files import as_path
from votewise.packed import ArrayFile
from votewise.votes import (
    ITEM_ARRAYS,
    Distributions,
    Frame,
    ReadOptions,
    SourceFile,
    Votes,
    has_items,
    is_frame,
    match_ids,
    read_item_fields,
    with_cleaning_file,
)
from votewise.wording import counted, listing, quoted

_INPUTS = ("inputs", "images", "features", "x")  # usual names of the array of inputs in an .npz
_NAMED = 1_000_000  # rows of which an error about ids names some; of more, only their number is compared

# Remedies if items have no input: in general; if inputs are rows of an array; and if the votes number these rows from 1.
_GIVE_IDS = "use the same ids in both"
_NUMBER = (
    "number the items from 0, in the order of the rows, or give an .npz with the arrays 'inputs' and 'items' (the ids)"
)
_ADD_IDS = "add a column 'item' with the ids of the rows"
_ONE_EACH = "give one input per item of the votes, or ids in both"
_NUMBER_FROM_1 = f"the votes seem to count from 1, so {_NUMBER}"


def from_files(
    inputs: AnyPath | NDArray[Any] | Any,
    votes: AnyVotes | None,
    text: str | Sequence[str] | None,
    validation: AnyVotes | None,
    test: AnyVotes | None,
    split: str | None,
    size: Size | None,
    augment: Sequence[str],
    options: ReadOptions,
) -> Dataset:
    """See `Dataset.from_files`."""
    columns = text_columns(text)
    if votes is None or (inputs is None and not columns):
        raise VotewiseError(
            "inputs or votes are missing", remedy="give inputs and votes, or votes and text=, the column with the text"
        )
    if columns and (size is not None or augment):
        raise VotewiseError("size and augment are for images, but the inputs are texts", remedy="leave them out")
    features: tuple[str, ...] = ()
    files = {"train": votes, "validation": validation, "test": test}
    path = None if inputs is None or isinstance(inputs, np.ndarray) or is_frame(inputs) else as_path(inputs)
    votes_path = path_of(votes)
    with _naming_swapped(inputs, votes):
        if inputs is None:
            voted = read_parts(files, columns, split, options)
            _all_voted(voted.answers, votes_path)
            array, parts = as_texts(voted.texts, votes_path), voted.parts
        elif columns:
            voted = read_parts(files, (), None, options)
            array, parts = _texts_of(voted.answers, inputs, path, columns, split, options)
            parts = voted.parts if parts is None else parts
        else:
            voted = read_parts(files, (), split, options)
            (array, features), parts = _array(inputs, voted.answers, path, votes_path, size, options), voted.parts
    paths = {"inputs": path, "votes": votes, "validation": validation, "test": test}
    given = {"text": columns, "split": split, "size": size, "augment": augment, **options}
    origin = _origin(paths, given) if inputs is None or path is not None else None
    return Dataset(
        array, voted.answers, name="own", augment=tuple(augment), origin=origin, parts=parts, features=features
    )


@contextmanager
def _naming_swapped(inputs: object, votes: object) -> Iterator[None]:
    """Replace an error by one about swapped arguments if the inputs have votes and the votes have inputs."""
    try:
        yield
    except VotewiseError:
        if isinstance(inputs, str | os.PathLike) and isinstance(votes, str | os.PathLike):
            from votewise.scoring import refuse_swapped  # on demand, because this import takes time

            refuse_swapped(inputs, votes)
        raise


def _texts_of(
    answers: Votes | Distributions,
    inputs: AnyPath | NDArray[Any] | Any,
    path: pathlib.Path | None,
    columns: Sequence[str],
    split: str | None,
    options: ReadOptions,
) -> tuple[Inputs, I64 | None]:
    """The texts of a separate table, and the part of each item if the table has one, in the order of the votes."""
    if isinstance(inputs, np.ndarray):
        raise VotewiseError(
            "text= names columns of a file, but the inputs are an array", remedy="use vw.Dataset(texts, votes)"
        )
    given = with_cleaning_file(options).get("item")
    table = Frame(inputs) if is_frame(inputs) else SourceFile(inputs)
    by_format = given not in table.columns and has_items(inputs, {})
    found: ReadOptions = {} if by_format else {"item": given, "format": "long-table"}
    fields = read_item_fields(inputs, (*columns, *((split,) if split else ())), found)
    names, count = list(fields), len(columns)
    place = _match(answers, {name: n for n, name in enumerate(names)}, path, None)
    rows = [fields[names[n]] for n in place.tolist()]
    check_texts(answers.names(), [row[:count] for row in rows], path)
    parts = as_parts([row[count] or "" for row in rows], path) if split else None
    return as_texts([row[:count] for row in rows], path), parts


def _array(
    inputs: AnyPath | NDArray[Any] | Any,
    answers: Votes | Distributions,
    path: pathlib.Path | None,
    votes_path: pathlib.Path | None,
    size: Size | None,
    options: ReadOptions,
) -> tuple[Inputs, tuple[str, ...]]:
    """Images or features, in the order of the votes; and the names of the features in a table."""
    if path is not None and path.is_dir():
        names = find_images(path)
        place = _match(answers, _with_and_without_suffix(names), path, votes_path)
        return read_images(path, [names[n] for n in place], size), ()
    if size is not None:
        raise VotewiseError(
            f"size={size} only applies to a folder of images", where=path, remedy="leave size= (--size) out"
        )
    if is_feature_table(inputs):
        table = _table(inputs, answers, options)
        return _rows(table.inputs, table.ids, answers, path, votes_path, _ADD_IDS), table.features
    if path is None:
        return _rows(plain(inputs).copy(), None, answers, None, votes_path), ()  # a copy that other code cannot change
    if (source := SourceFile(path)).kind != "array":
        what = f"inputs cannot be read from a {source.suffix or 'nameless'} file"
        raise source.error(what, "give .npy, .npz, .csv, .tsv, .parquet or a folder of images")
    arrays = ArrayFile(path)
    name, ids = _choose(path, arrays), next((name for name in ITEM_ARRAYS if name in arrays), None)
    sizes = {name: arrays.shapes[name][:1]} | ({} if ids is None else {ids: arrays.shapes[ids]})
    for key, shape in sizes.items():
        if _NAMED < (rows := math.prod(shape)) != len(answers):  # before the array, which may be compressed, is read
            what = (
                f"array {quoted(key)} has {counted(rows, 'row')}, but the votes are on {counted(len(answers), 'item')}"
            )
            raise VotewiseError(what, where=path, remedy=_ONE_EACH)
    return _rows(arrays[name], None if ids is None else arrays[ids], answers, path, votes_path), ()


def _origin(paths: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any] | None:
    """The absolute paths of the files and the options for reading them, so that they can be loaded from any folder."""
    if any(isinstance(path, Votes | Distributions) or is_frame(path) for path in paths.values()):
        return None
    given = {name: plain for name, value in options.items() if (plain := _plain(value)) not in (None, [])}
    if "cleaning" in given:
        given["cleaning"] = str(pathlib.Path(given["cleaning"]).resolve())
    files = {name: str(pathlib.Path(path).resolve()) for name, path in paths.items() if path is not None}
    return {**files, **given}


def _plain(value: Any) -> Any:
    """An option as a JSON value."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value


def _table(inputs: Any, answers: Votes | Distributions, options: ReadOptions) -> TableInputs:
    """The features of a table, or the texts of a frame, and the ids of its rows."""
    item = with_cleaning_file(options).get("item")
    if is_frame(inputs):
        return inputs_in_frame(inputs, answers, item=item)
    return read_features(inputs, item, answers)


def _with_and_without_suffix(names: Sequence[str]) -> dict[str, int]:
    """Id -> position of the image. An id is a name of a file, or the name without its extension if that is unambiguous."""
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
    no_ids: str | None = None,
) -> Inputs:
    """The rows of an array as inputs, in the order of the votes; `no_ids` is the remedy if row numbers are not the ids of the votes."""
    if not array.size:
        raise VotewiseError(
            f"an array of shape {array.shape} has no inputs", where=path, remedy="give one row per item"
        )
    array = as_inputs(array, path)
    names = list(map(str, range(len(array)) if ids is None else ids.ravel().tolist()))
    if len(names) != len(array) or len(set(names)) < len(names):
        raise VotewiseError(
            f"{len(set(names))} different ids for {len(array)} inputs",
            where=path,
            remedy="give each row a unique id in `items`",
        )
    if answers.items is None and ids is None:
        if len(answers) != len(array):
            what = f"{len(array)} inputs, but votes on {len(answers)} items"
            raise VotewiseError(what, where=path, remedy=_ONE_EACH)
        _all_voted(answers, votes)
        return array
    how = _GIVE_IDS if ids is not None else no_ids or (_NUMBER_FROM_1 if _from_1(answers, len(array)) else _NUMBER)
    return array[_match(answers, {name: n for n, name in enumerate(names)}, path, votes, how)]


def _from_1(answers: Votes | Distributions, rows: int) -> bool:
    return answers.items is not None and set(answers.items.tolist()) == {str(row + 1) for row in range(rows)}


def _choose(path: pathlib.Path, arrays: Iterable[str]) -> str:
    """The name of the array of inputs in a file: the first of the usual ones, or the only one."""
    names = [name for name in arrays if name not in ITEM_ARRAYS]
    if usual := [name for name in _INPUTS if name in names] or (names if len(names) == 1 else []):
        return usual[0]
    raise VotewiseError(
        f"none of the arrays {listing(names)} is recognised as the inputs"
        if names
        else "the file has no array of inputs",
        where=path,
        remedy="name the array 'inputs', and the array of ids 'items'",
    )


def _match(
    answers: Votes | Distributions,
    names: Mapping[str, int],
    path: pathlib.Path | None,
    votes: pathlib.Path | None,
    how: str = _GIVE_IDS,
) -> I64:
    """The input [N] of each item [N]; `names` maps an id to the position of its input, and `how` is the remedy for ids without input."""
    if answers.items is None and list(names) == answers.names():  # inputs and votes both have row numbers
        _all_voted(answers, votes)
        return np.arange(len(answers))
    if answers.items is None:
        raise VotewiseError(
            "the votes have no item ids to match with the inputs", where=votes, remedy="add a column of item ids"
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
            remedy="add votes on them, or remove the items from votes and inputs",
        )
