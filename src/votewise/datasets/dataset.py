"""A dataset: inputs paired with votes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, InitVar, dataclass, field, replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.arrays import I64
from votewise.datasets.feature_table import features_in_frame, votes_on
from votewise.errors import VotewiseError
from votewise.files import digest
from votewise.frozen import frozen, restored
from votewise.votes import Distributions, ReadOptions, Votes, is_frame, positions_of, require_answers
from votewise.wording import counted, listing

Inputs = NDArray[Any]  # uint8 [N, H, W, C] or float32 [N, D]

AUGMENTATIONS = ("crop", "flip")


@dataclass(frozen=True, eq=False)
class Dataset:
    """N inputs and the votes on each. Frozen: the arrays are read-only, and `select` gives a new dataset.

    Inputs and votes are paired by position, `inputs[i]` belongs to item i of the votes, or by ids: with `items` the votes are
    brought into the order of the inputs. `Dataset.from_files` matches files by their ids.

    Args:
        inputs: images, uint8 [N, H, W, C] or [N, H, W], or features [N, D], which become float32. An array or a list.
        votes: `Votes` or `Distributions` of the N items, in the order of the inputs; with `items` in any order, and those on
            other items are left out.
        name: what to call the dataset; not part of its fingerprint.
        truth: the distribution that the votes of each item were drawn from, if it is known exactly.
        labels: the class that each item has in its source [N], if it has one.
        mean: mean of the last axis of the inputs [C] or [D], images scaled to [0, 1]. Default: computed.
        std: standard deviation of the last axis. Default: computed; 1 where an axis does not vary.
        augment: augmentations that keep the content of the images, out of `AUGMENTATIONS`.
        ood: name -> out-of-distribution inputs in the same layout, loaded on first use.
        origin: where the dataset comes from, as plain JSON: its name for `load_dataset`, or the absolute paths and options
            for `from_files`; not part of its fingerprint, and None if it was made from arrays.
        items: ids of the inputs [N], to match the votes by. Those of a frame are in its index or in a column of ids.

    Raises:
        VotewiseError: the inputs are neither images nor features, or the numbers of inputs and items differ.

    Example:
        >>> votes = Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"))
        >>> Dataset([[0.5, 1.0, 2.0], [1.5, 0.0, 1.0]], votes)
        Dataset('data', inputs float32 [2, 3], Votes(6 votes on 2 items, 2 classes))
    """

    inputs: Inputs
    votes: Votes | Distributions
    _: KW_ONLY
    name: str = "data"
    truth: Distributions | None = None
    labels: I64 | None = None
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    augment: tuple[str, ...] = ()
    ood: Mapping[str, Inputs] = field(default_factory=dict)
    origin: Mapping[str, Any] | None = None
    items: InitVar[Sequence[object] | NDArray[Any] | None] = None

    def __post_init__(self, items: Sequence[object] | NDArray[Any] | None) -> None:
        require_answers(self.votes)
        if is_frame(self.inputs):
            inputs, items = features_in_frame(self.inputs, self.votes, items)
            object.__setattr__(self, "inputs", inputs)
        inputs = as_inputs(self.inputs)
        if items is not None:
            object.__setattr__(self, "votes", votes_on(items, len(inputs), self.votes))
        images = inputs.ndim == 4
        for what, values in (("votes", self.votes), ("truth", self.truth), ("labels", self.labels)):
            if values is not None and len(values) != len(inputs):
                raise VotewiseError(
                    f"{what} of {counted(len(values), 'item')} for {counted(len(inputs), 'input')}",
                    remedy="give one for each input",
                )
        if self.truth is not None and self.truth.classes != self.votes.classes:
            raise VotewiseError(
                f"truth has the classes {listing(self.truth.classes)} and votes {listing(self.votes.classes)}",
                remedy="give both the same classes in the same order",
            )
        if unknown := set(self.augment).difference(AUGMENTATIONS if images else ()):
            raise VotewiseError(
                f"augmentation {listing(sorted(unknown))} does not fit {'images' if images else 'features'}",
                remedy=f"choose from {listing(AUGMENTATIONS)} for images, none for features",
            )
        if self.labels is not None:
            object.__setattr__(self, "labels", frozen(np.asarray(self.labels, dtype=np.int64)))
        object.__setattr__(self, "inputs", frozen(inputs))
        if not self.mean or not self.std:
            mean, std = statistics(inputs)
            object.__setattr__(self, "mean", self.mean or mean)
            object.__setattr__(self, "std", self.std or std)
        if not len(self.mean) == len(self.std) == inputs.shape[-1]:
            raise VotewiseError(
                f"{len(self.mean)} means and {len(self.std)} standard deviations for inputs of shape {inputs.shape}",
                remedy="give one of each for every position of the last axis",
            )

    @classmethod
    def from_files(
        cls,
        inputs: str | os.PathLike[str] | NDArray[Any] | Any,
        votes: str | os.PathLike[str] | Votes | Distributions | Any,
        *,
        size: int | tuple[int, int] | None = None,
        augment: Sequence[str] = (),
        **options: Unpack[ReadOptions],
    ) -> Dataset:
        """Pair inputs with votes by item id, in the order of the votes. Every item needs both.

        Args:
            inputs: a folder of PNG or JPEG images, whose items are the file names with or without extension (in
                subfolders, the relative paths); an .npy file or an array of images uint8 [N, H, W] or [N, H, W, C] or of
                features [N, D], whose items are the row numbers 0, 1, 2 ...; an .npz file with such an array and the
                ids of its rows [N] as `items`; a CSV, TSV or Parquet file or a frame with a column of ids and features in
                all others.
            votes: a file or a frame that `read_votes` reads; or votes already read.
            size: side, or (height, width), to resize the images of a folder to.
            augment: augmentations that keep the content of the images: 'crop', 'flip'.
            **options: how to read the votes, see `ReadOptions`.

        Raises:
            VotewiseError: a file cannot be read, or the ids of inputs and votes differ.

        Example:
            >>> votes = Votes.from_long(["1", "0", "1"], ["cat", "dog", "dog"])
            >>> Dataset.from_files(np.zeros((2, 8, 8), np.uint8), votes)
            Dataset('own', inputs uint8 [2, 8, 8, 1], Votes(3 votes on 2 items, 2 classes))
        """
        from votewise.datasets.user_data import from_files

        return from_files(inputs, votes, size, augment, options)

    def __len__(self) -> int:
        return len(self.inputs)

    def __repr__(self) -> str:
        return f"Dataset({self.name!r}, inputs {self.inputs.dtype} {list(self.inputs.shape)}, {self.votes})"

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), vars(self))

    @property
    def images(self) -> bool:
        """Whether the inputs are images, not features."""
        return self.inputs.ndim == 4

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the inputs and the votes: the same under any name and from any place."""
        return digest([b"votewise.dataset/1", *_content(self.inputs), self.votes.fingerprint.encode()])

    @cached_property
    def ood_facts(self) -> dict[str, dict[str, Any]]:
        """The size and SHA-256 of each out-of-distribution set by name; all of them are loaded."""
        return {name: {"n": len(values), "digest": digest(_content(values))} for name, values in self.ood.items()}

    def select(self, index: ArrayLike) -> Dataset:
        """The items at `index` (positions [n] or mask [N]), in that order; mean and std stay those of the whole."""
        place = positions_of(index, len(self))
        return replace(
            self,
            inputs=self.inputs[place],
            votes=self.votes.select(place),
            truth=None if self.truth is None else self.truth.select(place),
            labels=None if self.labels is None else self.labels[place],
            origin=None,  # which is that of the whole
        )


class Lazy(Mapping[str, Inputs]):
    """Name -> inputs, made by a function on first use and kept. A name in `absent` raises its error."""

    def __init__(
        self, make: Mapping[str, Callable[[], Inputs]], absent: Mapping[str, VotewiseError] | None = None
    ) -> None:
        self._make, self._absent, self._made = dict(make), dict(absent or {}), dict[str, Inputs]()

    def __getitem__(self, name: str) -> Inputs:
        if name in self._absent:
            raise self._absent[name]
        if name not in self._made:
            self._made[name] = frozen(self._make[name]())
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._make

    def __iter__(self) -> Iterator[str]:
        return iter(self._make)

    def __len__(self) -> int:
        return len(self._make)

    def __reduce__(self) -> tuple[Any, ...]:
        return Lazy, (self._make, self._absent)


def _content(inputs: Inputs) -> tuple[bytes, memoryview]:
    """Type and shape, and the bytes, of inputs: what their digest is taken of."""
    kind = "|u1" if inputs.ndim == 4 else "<f4"
    content = np.ascontiguousarray(inputs, dtype=kind).reshape(-1).view(np.uint8).data
    return repr((kind, inputs.shape)).encode(), content


def as_inputs(values: Any, where: object = None) -> Inputs:
    """Images as uint8 [N, H, W, C], or features as finite float32 [N, D].

    Raises:
        VotewiseError: the values are neither; `where` is the file they come from.
    """
    array = np.asarray(values)
    if array.dtype == np.uint8 and array.ndim in (3, 4):
        images = array[..., None] if array.ndim == 3 else array
        if images.shape[3] > 4 >= images.shape[1]:
            raise VotewiseError(
                f"images of shape {images.shape} seem to have their channels first",
                where=where,
                remedy="give them as [N, H, W, C], for example with array.transpose(0, 2, 3, 1)",
            )
        return images
    if array.ndim != 2 or array.dtype.kind not in "iuf":
        raise VotewiseError(
            f"inputs of type {array.dtype} and shape {array.shape} are neither images nor features",
            where=where,
            remedy="give images as uint8 [N, H, W, C] (0 to 255) or features as numbers [N, D]",
        )
    with np.errstate(over="ignore"):
        features = array.astype(np.float32, copy=False)
    if not (finite := np.isfinite(features).all(axis=1)).all():
        raise VotewiseError(
            f"row {int(finite.argmin())} of the inputs has a feature that is not a finite float32",
            where=where,
            remedy="fill it in, or leave the item out",
        )
    return features


def statistics(inputs: Inputs) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and standard deviation over all but the last axis; images are scaled to [0, 1], their sums exact integers."""
    if not inputs.size:
        return (0.0,) * inputs.shape[-1], (1.0,) * inputs.shape[-1]
    if inputs.dtype == np.uint8:
        total, squares = np.zeros((2, inputs.shape[-1]), np.int64)
        for start in range(0, len(inputs), 1024):
            level = inputs[start : start + 1024].reshape(-1, inputs.shape[-1]).astype(np.int64)
            total += level.sum(axis=0)
            squares += (level * level).sum(axis=0)
        count = inputs.size // inputs.shape[-1]
        mean = total / count / 255
        std = np.sqrt(np.maximum(squares / count - (total / count) ** 2, 0)) / 255
    else:
        mean, std = inputs.mean(axis=0, dtype=np.float64), inputs.std(axis=0, dtype=np.float64)
    return tuple(mean.tolist()), tuple(np.where(std > 0, std, 1).tolist())
