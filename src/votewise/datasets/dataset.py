"""A dataset: inputs paired with votes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from votewise.errors import VotewiseError
from votewise.files import digest
from votewise.frozen import frozen, restored
from votewise.votes import Distributions, Votes
from votewise.votes.answers import positions_of
from votewise.wording import listing

Inputs = NDArray[Any]  # uint8 [N, H, W, C] or float32 [N, D]

AUGMENTATIONS = ("crop", "flip")


@dataclass(frozen=True, eq=False)
class Dataset:
    """N inputs and what people said of each. Frozen: the arrays are read-only and `select` gives a new one.

    name       what people call it; no part of its fingerprint
    inputs     images, uint8 [N, H, W, C], or features, float32 [N, D]
    votes      of the N items, in the order of the inputs: all there are; a run trains on these or on fewer
    truth      the distribution that the votes of each item were drawn from, where it is known exactly
    labels     [N] the class that each item is given in its source, where it is given one
    mean, std  [C] or [D], of the last axis: images are scaled to [0, 1] first, features are taken as they are. Computed
               from the inputs unless given; where an axis does not vary, std is 1
    augment    what may be done to these images without changing what they show, out of `AUGMENTATIONS`
    ood        name -> inputs of another kind in the same layout, loaded when they are first asked for
    origin     where it comes from, as plain JSON: its name for `load`, or the absolute paths and options for `own`; no part of its
               fingerprint, and None where it was made from arrays
    """

    name: str
    inputs: Inputs
    votes: Votes | Distributions
    truth: Distributions | None = None
    labels: NDArray[np.int64] | None = None
    mean: tuple[float, ...] = ()
    std: tuple[float, ...] = ()
    augment: tuple[str, ...] = ()
    ood: Mapping[str, Inputs] = field(default_factory=dict)
    origin: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        inputs = np.asarray(self.inputs)
        images = inputs.ndim == 4 and inputs.dtype == np.uint8
        if not images and (inputs.ndim != 2 or inputs.dtype != np.float32):
            raise VotewiseError(
                f"inputs of type {inputs.dtype} and shape {inputs.shape} are neither images nor features",
                remedy="give images as uint8 [N, H, W, C] or features as float32 [N, D]",
            )
        for what, count in (("votes", self.votes), ("truth", self.truth), ("labels", self.labels)):
            if count is not None and len(count) != len(inputs):
                raise VotewiseError(
                    f"{len(inputs)} inputs, but {what} of {len(count)}", remedy="give one for each input"
                )
        if self.truth is not None and self.truth.classes != self.votes.classes:
            raise VotewiseError("truth and votes have other classes", remedy="give both the same, in the same order")
        if unknown := set(self.augment).difference(AUGMENTATIONS if images else ()):
            raise VotewiseError(
                f"{listing(sorted(unknown))} cannot be done to {'images' if images else 'features'}",
                remedy=f"choose out of {listing(AUGMENTATIONS)} for images, nothing for features",
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
                remedy="give one of each for every place of the last axis",
            )

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
    """Name -> inputs, made by a function at the first look and kept. A name in `absent` is told with its error."""

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
