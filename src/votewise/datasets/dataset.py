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
from votewise.datasets.feature_table import inputs_in_frame, votes_on
from votewise.datasets.inputs import Inputs, Kind, as_inputs, content_of, kind_of, statistics
from votewise.datasets.parts import as_parts, remarks
from votewise.errors import VotewiseError
from votewise.frozen import fresh, frozen, restored
from votewise.hashing import digest
from votewise.votes import Distributions, ReadOptions, Votes, is_frame, positions_of, require_answers
from votewise.wording import counted, listing

AUGMENTATIONS = ("crop", "flip")


@dataclass(frozen=True, eq=False)
class Dataset:
    """N inputs and the votes on each input. Frozen: the arrays are read-only, and `select` gives a new dataset.

    Inputs and votes are paired by position or, if `items` is given, by ids: the votes are then brought into the order of the inputs.
    By position, `inputs[i]` belongs to `votes.items[i]`: votes from a file are sorted by id, unless it has one column per class.
    `Dataset.from_files` matches files by their ids.

    Args:
        inputs: images, uint8 [N, H, W, C] or [N, H, W]; features [N, D], which become float32; texts, or pairs of texts, which
            become strings [N, 1] or [N, 2]. An array, a list, or columns of a frame.
        votes: `Votes` or `Distributions` of the N items, in the order of the inputs. With `items` they may be in any order, and votes
            on other items are left out.
        name: name of the dataset; not part of its fingerprint.
        truth: the distribution that the votes of each item were drawn from, if it is known exactly.
        labels: the class of each item in its source [N], if any.
        mean: mean of the last axis of the inputs [C] or [D], images scaled to [0, 1]. Default: computed.
        std: standard deviation of the last axis. Default: computed; 1 where an axis does not vary.
        augment: augmentations that preserve the content of the images, from `AUGMENTATIONS`.
        ood: name -> out-of-distribution inputs in the same layout, loaded on first use.
        origin: where the dataset comes from, as plain JSON: its name for `load_dataset`, or the absolute paths and options
            for `from_files`; not part of its fingerprint, and None if it was created from arrays.
        parts: the part of each item in a predefined split [N]: "train", "validation" or "test". Runs on the dataset use this split.
        texts: the texts [N, 1 or 2] that the inputs are embeddings of; see `embed`.
        encoder: name and digest of the encoder of the inputs.
        truncated: number of texts that were truncated to the limit of the encoder, and this limit in tokens.
        features: names of the features, if they come from a table.
        items: ids of the inputs [N], to match the votes by. A frame has its ids in the index or in a column.

    Raises:
        VotewiseError: the inputs are not images, features or texts, or the numbers of inputs and items differ.

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
    parts: I64 | None = None
    texts: Inputs | None = None
    encoder: tuple[str, str] | None = None
    truncated: tuple[int, int] | None = None
    features: tuple[str, ...] = ()
    items: InitVar[Sequence[object] | NDArray[Any] | None] = None

    def __post_init__(self, items: Sequence[object] | NDArray[Any] | None) -> None:
        require_answers(self.votes)
        if is_frame(self.inputs):
            table = inputs_in_frame(self.inputs, self.votes, matched=items is not None)
            items = table.ids if items is None else items
            object.__setattr__(self, "inputs", table.inputs)
            object.__setattr__(self, "features", table.features)
        inputs = as_inputs(self.inputs)
        if items is not None:
            object.__setattr__(self, "votes", votes_on(items, len(inputs), self.votes))
        if self.parts is not None:
            object.__setattr__(self, "parts", frozen(as_parts(self.parts)))
        columns = (("votes", self.votes), ("truth", self.truth), ("labels", self.labels), ("parts", self.parts))
        for what, values in columns:
            if values is not None and len(values) != len(inputs):
                raise VotewiseError(
                    f"{what} of {counted(len(values), 'item')} for {counted(len(inputs), 'input')}",
                    remedy="give one value per input",
                )
        if self.truth is not None and self.truth.classes != self.votes.classes:
            raise VotewiseError(
                f"truth has the classes {listing(self.truth.classes)}, but the votes have {listing(self.votes.classes)}",
                remedy="give both the same classes in the same order",
            )
        if unknown := set(self.augment).difference(AUGMENTATIONS if kind_of(inputs) == "images" else ()):
            raise VotewiseError(
                f"unknown augmentation {listing(sorted(unknown))} for {kind_of(inputs)}",
                remedy=f"choose from {listing(AUGMENTATIONS)} for images; other inputs have no augmentations",
            )
        if self.labels is not None:
            object.__setattr__(self, "labels", frozen(np.asarray(self.labels, dtype=np.int64)))
        object.__setattr__(self, "inputs", frozen(inputs))
        if kind_of(inputs) == "texts":
            return
        if not self.mean or not self.std:
            mean, std = statistics(inputs)
            object.__setattr__(self, "mean", self.mean or mean)
            object.__setattr__(self, "std", self.std or std)
        if not len(self.mean) == len(self.std) == inputs.shape[-1]:
            raise VotewiseError(
                f"{len(self.mean)} means and {len(self.std)} standard deviations for inputs of shape {inputs.shape}",
                remedy="give one of each per entry of the last axis",
            )

    @classmethod
    def from_files(
        cls,
        inputs: str | os.PathLike[str] | NDArray[Any] | Any = None,
        votes: str | os.PathLike[str] | Votes | Distributions | Any = None,
        *,
        text: str | Sequence[str] | None = None,
        validation: str | os.PathLike[str] | Votes | Distributions | Any = None,
        test: str | os.PathLike[str] | Votes | Distributions | Any = None,
        split: str | None = None,
        size: int | tuple[int, int] | None = None,
        augment: Sequence[str] = (),
        **options: Unpack[ReadOptions],
    ) -> Dataset:
        """Pair inputs with votes by item id, in the order of the votes. Every item must have an input and votes.

        Args:
            inputs: a folder of PNG or JPEG images, whose items are the file names with or without extension (in
                subfolders, the relative paths); an .npy file or an array of images uint8 [N, H, W] or [N, H, W, C] or of
                features [N, D], whose items are the row numbers 0, 1, 2 ...; an .npz file with such an array and the
                ids of its rows [N] as `items`; a CSV, TSV or Parquet file or a frame with a column of ids and a feature in
                every other column; or, with `text`, a table of texts. Default: the texts are in the file of votes.
            votes: a file or a frame that `read_votes` reads; or votes already read.
            text: the column with the text, or two columns for pairs; in JSON a dot separates nested keys, e.g. "example.premise".
            validation: votes on further items, on which the best epoch is chosen; `votes` are then for training.
            test: votes on further items, on which the result is reported.
            split: the column with the part of each item: train, validation (dev) or test.
            size: side length, or (height, width), to which images from a folder are resized.
            augment: augmentations that preserve the content of the images: 'crop', 'flip'.
            **options: how to read the votes, see `ReadOptions`.

        Raises:
            VotewiseError: a file cannot be read, or the ids of inputs and votes differ.

        Example:
            >>> votes = Votes.from_long(["1", "0", "1"], ["cat", "dog", "dog"])
            >>> Dataset.from_files(np.zeros((2, 8, 8), np.uint8), votes)
            Dataset('own', inputs uint8 [2, 8, 8, 1], Votes(3 votes on 2 items, 2 classes))
        """
        from votewise.datasets.user_data import from_files

        return from_files(inputs, votes, text, validation, test, split, size, augment, options)

    def __len__(self) -> int:
        return len(self.inputs)

    def __repr__(self) -> str:
        kind = {1: "texts", 2: "pairs of texts"}[self.inputs.shape[1]] if self.kind == "texts" else None
        inputs = kind or f"inputs {self.inputs.dtype} {list(self.inputs.shape)}"
        return f"Dataset({self.name!r}, {inputs}, {self.votes})"

    def __reduce__(self) -> tuple[Any, ...]:
        return restored, (type(self), vars(self))

    @property
    def kind(self) -> Kind:
        """The type of the inputs: "images", "features" or "texts"."""
        return kind_of(self.inputs)

    @property
    def images(self) -> bool:
        """Whether the inputs are images."""
        return self.kind == "images"

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the inputs, the votes and the predefined split. It does not depend on the name and the location of the dataset.

        Embeddings are identified by the texts and the encoder, because their last bits may differ between machines.
        """
        parts = [] if self.parts is None else [b"parts", self.parts.astype(np.uint8).tobytes()]
        content = content_of(self.inputs)
        if self.encoder is not None and self.texts is not None:
            content = [b"embedded", self.encoder[1].encode(), *content_of(self.texts)]
        return digest([b"votewise.dataset/1", *content, self.votes.fingerprint.encode(), *parts])

    @property
    def shown_texts(self) -> Inputs | None:
        """The texts of the items [N, 1 or 2], even if the inputs are their embeddings; None for other inputs."""
        return self.inputs if self.kind == "texts" else self.texts

    @cached_property
    def remarks(self) -> list[str]:
        """Remarks on the data: split sizes, classes and annotators that do not occur in training, truncated texts, features."""
        cut, limit = self.truncated or (0, 0)
        shortened = [f"{counted(cut, 'text')} longer than the encoder's limit of {limit} tokens: truncated"]
        named = [f"{counted(len(self.features), 'feature')}: {listing(self.features)}"]
        return remarks(self) + shortened * bool(cut) + named * bool(self.features)

    def embed(self, model: str = "minilm") -> Dataset:
        """The same items with embeddings of a frozen encoder in place of their texts, for a linear model or an MLP.

        A single text becomes its mean-pooled embedding u [D], a pair (u, v, |u - v|, u * v) [4 D]. Embeddings are
        computed once per model and kept in the cache folder (VOTEWISE_CACHE, or the user's cache).

        Args:
            model: "minilm", the folder of a Hugging Face model, or its name on the hub.

        Raises:
            VotewiseError: the inputs are not texts, or the model cannot be used.
        """
        from votewise.text import embed, find_model

        if self.kind != "texts":
            raise VotewiseError(
                f"only texts can be embedded, but the inputs are {self.kind}", remedy="leave the encoder out"
            )
        files = find_model(model)
        found = embed(self.inputs, files)
        origin = None if self.origin is None else {**self.origin, "encoder": files.name}
        return replace(
            self,
            inputs=found.vectors,
            mean=(),
            std=(),
            texts=self.inputs,
            encoder=(files.name, found.encoder),
            truncated=(found.truncated, found.limit),
            origin=origin,
        )

    @cached_property
    def ood_facts(self) -> dict[str, dict[str, Any]]:
        """The size and SHA-256 of each out-of-distribution set by name; all of them are loaded."""
        return {name: {"n": len(values), "digest": digest(content_of(values))} for name, values in self.ood.items()}

    def select(self, index: ArrayLike) -> Dataset:
        """The items at `index` (positions [n] or mask [N]), in that order; mean and std remain those of the whole dataset."""
        place = positions_of(index, len(self))
        return replace(
            self,
            inputs=fresh(self.inputs[place]),
            votes=self.votes.select(place),
            truth=None if self.truth is None else self.truth.select(place),
            labels=None if self.labels is None else fresh(self.labels[place]),
            parts=None,  # because a selection may lack a part
            texts=None if self.texts is None else self.texts[place],
            truncated=None,  # because it is the number for the whole dataset
            origin=None,  # because it describes the whole dataset
        )


class Lazy(Mapping[str, Inputs]):
    """Name -> inputs. Inputs are created by a function on first use, and kept; a name in `absent` raises its error."""

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
