"""The user's files: a folder of images, or an array of images or features, with any file of votes, matched by item id."""

from __future__ import annotations

import os
import pathlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import I64
from votewise.datasets.dataset import Dataset, Inputs, as_inputs
from votewise.datasets.image_folder import Size, find_images, read_images
from votewise.errors import VotewiseError
from votewise.files import existing_file, read_arrays
from votewise.votes import Distributions, ReadOptions, Votes, match_ids, read_votes
from votewise.wording import listing

AnyPath = str | os.PathLike[str]

_INPUTS = ("inputs", "images", "features", "x")  # names of the array in an .npz; `items` beside it has the ids

# What to do if items have no input: in general; if inputs are the rows of an array; and if votes number them from 1.
_GIVE_IDS = "give both the same ids"
_NUMBER = "number the items as the rows, from 0, or name the rows in an .npz with the arrays 'inputs' and 'items'"
_NUMBER_FROM_1 = f"the votes seem to count from 1, so {_NUMBER}"


def from_files(
    inputs: AnyPath | NDArray[Any],
    votes: AnyPath | Votes | Distributions,
    size: Size | None,
    augment: Sequence[str],
    options: ReadOptions,
) -> Dataset:
    """See `Dataset.from_files`."""
    answers = votes if isinstance(votes, Votes | Distributions) else read_votes(votes, **options)
    votes_path = None if isinstance(votes, Votes | Distributions) else pathlib.Path(votes)
    path = None if isinstance(inputs, np.ndarray) else pathlib.Path(inputs)
    if path is not None and path.is_dir():
        names = find_images(path)
        place = _match(answers, _with_and_without_suffix(names), path, votes_path)
        array = read_images(path, [names[n] for n in place], size)
    elif size is not None:
        raise VotewiseError(
            f"size={size} resizes the images of a folder only", where=path, remedy="leave size= (--size) out"
        )
    elif path is None:
        array = _rows(np.array(inputs), None, answers, None, votes_path)  # a copy, which nobody else can change
    else:
        arrays = read_arrays(existing_file(path))
        ids = arrays.pop("items", None)
        array = _rows(_choose(path, arrays), ids, answers, path, votes_path)
    origin = _origin(path, votes_path, {"size": size, "augment": augment or None, **options})
    return Dataset(array, answers, name="own", augment=tuple(augment), origin=origin)


def _origin(
    inputs: pathlib.Path | None, votes: pathlib.Path | None, options: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Where both files are and how they are read, to find and read them from any folder."""
    if inputs is None or votes is None:
        return None
    given = {
        name: list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value
        for name, value in options.items()
        if value is not None
    }
    return {"inputs": str(inputs.resolve()), "votes": str(votes.resolve()), **given}


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
