"""A delivery gives the target of example i in epoch t, as a pure function of votes, seed, epoch and index.

There is no RNG state and no `set_epoch` that might not reach a worker: any worker, order, rank, resumed run and framework
gets the same label.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.counter import Tables, as_seed, on_jax, on_numpy, on_torch
from votewise.delivery.frameworks import is_torch, like, to_numpy
from votewise.delivery.indexing import require_same_items
from votewise.delivery.signature import checked_options, option_names
from votewise.delivery.tape import fingerprint
from votewise.errors import VotewiseError
from votewise.frozen import without_caches
from votewise.votes import Answers, Votes, require_answers

_BLOCK = 1 << 14  # examples per pass, so that temporaries stay in the L2 cache


@dataclass(frozen=True, eq=False)
class Delivery(ABC):
    """The targets of the N items of `votes` in each epoch. A custom delivery defines `make_tables` and `compute`.

    Args:
        votes: Votes on N items.
        seed: Seed for drawing labels, or for the order of the votes.

    Attributes:
        name: Name of the delivery.
        kind: "hard": a class index for each example; "soft": a distribution [C] in float32.
        per_item: Whether the target of an item depends only on that item's votes. If so, `votes.select` does not change it.
        unbiased: Whether, in any epoch, the label of an item over many seeds has the distribution of its votes.

    Example:
        >>> from votewise import Votes
        >>> class Last(Delivery):
        ...     name, kind = "last", "hard"
        ...
        ...     def make_tables(self):
        ...         return {"last": self.votes.num_classes - 1 - self.votes.counts()[:, ::-1].astype(bool).argmax(1)}
        ...
        ...     def compute(self, xp, tables, index, epoch):
        ...         return tables["last"][index]
        >>> Last(Votes.from_counts([[3, 1], [2, 0]])).targets([0, 1], epoch=0).tolist()
        [1, 0]
    """

    votes: Answers
    seed: int = field(default=0, kw_only=True)

    name: ClassVar[str]
    kind: ClassVar[Literal["hard", "soft"]]
    per_item: ClassVar[bool] = True
    unbiased: ClassVar[bool] = False

    def __post_init__(self) -> None:
        require_answers(self.votes)
        as_seed(self.seed)
        options = {name: getattr(self, name) for name in option_names(type(self))}
        checked_options(type(self), options, where=getattr(self, "name", type(self).__name__))
        if isinstance(self.votes, Votes) and not (size := self.votes.votes_per_item).all():
            raise VotewiseError(
                f"{int((size == 0).sum())} of {len(size)} items have no votes, so they have no target",
                remedy="leave them out with votes.voted()",
            )

    def __len__(self) -> int:
        return len(self.votes)

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)

    @property
    def num_classes(self) -> int:
        """C, the number of classes."""
        return self.votes.num_classes

    def targets(self, index: Any, epoch: Any) -> Any:
        """The targets of the examples at `index` in `epoch`: classes [...] or distributions [..., C].

        `index` and `epoch` may be arrays that broadcast against each other. The result has the array type and the device of
        `index`: torch int64 or float32, JAX int32 or float32, NumPy intp or float32.
        """
        if is_torch(index) and index.device.type == "cuda":
            return self._on_device(index, epoch)
        # One implementation on every CPU; integers on other devices have been silently wrong (MPS in torch 2.5 to 2.7).
        return like(index, self._on_host(to_numpy(index), to_numpy(epoch)))

    def table(self, epoch: int) -> NDArray[Any]:
        """The targets of all examples in one epoch, [N] or [N, C]."""
        return self._on_host(np.arange(len(self)), np.asarray(epoch))

    def over(self, loader: Iterable[Any], epoch: int) -> Iterator[tuple[Any, Any]]:
        """Pairs (x, target) for each batch (index, x) of a loader over `with_index(dataset, votes)`.

        The labels of the epoch are computed once and looked up. The loader only carries integers, so workers, persistent
        workers, samplers and ranks do not need to know the epoch.

        Raises:
            VotewiseError: If the loader does not yield positions, or its votes are in another order.
        """
        require_same_items(self, loader)
        table = None
        for batch in loader:
            if not isinstance(batch, (tuple, list)) or len(batch) != 2:
                raise VotewiseError(
                    "the loader does not yield pairs (index, x)",
                    remedy="build the loader over votewise.with_index(dataset, votes)",
                )
            index, x = batch
            if self.kind == "soft":
                yield x, self.targets(index, epoch)
                continue
            self._require_positions(to_numpy(index))
            table = like(index, self.table(epoch)) if table is None else table
            try:
                yield x, table[index]
            except IndexError:
                raise self._outside(to_numpy(index)) from None

    def tape(self, epochs: int) -> Iterator[NDArray[Any]]:
        """The targets of all examples, epoch after epoch: all labels that a training run sees."""
        return (self.table(epoch) for epoch in range(epochs))

    def fingerprint(self, epochs: int) -> str:
        """SHA-256 of the tape. Two runs with the same fingerprint were trained on the same targets."""
        return fingerprint(self, epochs)

    def jax(self) -> tuple[Callable[[Tables, Any, Any], Any], Tables]:
        """`fn, tables` for use inside jit: `fn(tables, index, epoch)`. Tables are arguments, so that they are not compiled into the function."""
        if find_spec("jax") is None:
            raise VotewiseError("JAX is not installed", remedy="pip install 'votewise[jax]'")

        def fn(tables: Tables, index: Any, epoch: Any) -> Any:
            return on_jax.cast(self.compute(on_jax, tables, *on_jax.together(index, epoch)), self.kind)

        return fn, on_jax.tables(self._tables)

    # --- what a custom delivery defines --------------------------------------------------------------------------

    @abstractmethod
    def make_tables(self) -> Tables:
        """The look-up arrays for `compute`; with the key of a stream of the counter as "key", if `compute` draws."""

    @abstractmethod
    def compute(self, xp: Any, tables: Tables, index: Any, epoch: Any) -> Any:
        """The targets, computed only by indexing, integer arithmetic and the counter `xp` (`xp.draw`, `xp.below`)."""

    # --- how they are called ------------------------------------------------------------------------------------------

    @cached_property
    def _tables(self) -> Tables:
        return self.make_tables()

    @cached_property
    def _device_tables(self) -> dict[Any, Tables]:
        return {}

    def _on_device(self, index: Any, epoch: Any) -> Any:
        tables = self._device_tables
        if index.device not in tables:
            tables[index.device] = on_torch.tables(self._tables, index.device)
        return on_torch.cast(self.compute(on_torch, tables[index.device], *on_torch.together(index, epoch)), self.kind)

    def _on_host(self, index: NDArray[Any], epoch: NDArray[Any]) -> NDArray[Any]:
        index = index if index.size else index.astype(np.int64)
        self._require_positions(index, epoch)
        if epoch.ndim:
            index, epoch = np.broadcast_arrays(index, epoch)
        flat, when = index.reshape(-1), epoch.reshape(-1) if epoch.ndim else int(epoch)
        out = self._empty(flat.size)
        try:
            for at in range(0, flat.size, _BLOCK):
                part = slice(at, at + _BLOCK)
                out[part] = self._block(flat[part], when if isinstance(when, int) else when[part])
        except IndexError:
            raise self._outside(flat) from None
        return out.reshape(index.shape + out.shape[1:])

    def _require_positions(self, index: NDArray[Any], epoch: NDArray[Any] | int = 0) -> None:
        """Raise for indices that NumPy and torch would interpret differently: booleans and negative numbers."""
        epoch = np.asarray(epoch)
        if index.size and (index.dtype.kind not in "iu" or epoch.dtype.kind not in "iu"):
            raise VotewiseError(
                f"index ({index.dtype}) and epoch ({epoch.dtype}) must be integers",
                remedy="give positions in the dataset and the epoch number",
            )
        if (index.size and index.min() < 0) or (epoch.size and epoch.min() < 0):
            raise VotewiseError("index and epoch must not be negative", remedy="count both from 0")

    def _empty(self, count: int) -> NDArray[Any]:
        hard = self.kind == "hard"
        return np.empty(count, np.intp) if hard else np.empty((count, self.num_classes), np.float32)

    def _block(self, index: Any, epoch: Any) -> NDArray[Any]:
        return self.compute(on_numpy, self._tables, index, epoch)  # type: ignore[no-any-return]  # compute returns Any, because it works in three frameworks

    def _outside(self, index: NDArray[Any]) -> VotewiseError:
        return VotewiseError(
            f"index {int(index.max(initial=0))} is out of range for the {len(self)} items of this delivery",
            remedy="build the loader with votewise.with_index(dataset, votes) on the same votes",
        )


class SoftDelivery(Delivery):
    """A delivery of distributions that are the same in every epoch. Subclasses define `rows`."""

    kind = "soft"

    @abstractmethod
    def rows(self, index: Any) -> NDArray[np.float64]:
        """Distributions [n, C] for the items at `index`, in float64; they are rounded to float32 once."""

    def make_tables(self) -> Tables:
        # The dense table is only built for devices and JAX; on the host, the rows of a batch are computed on demand.
        return {"probability": self.rows(slice(None)).astype(np.float32)}

    def compute(self, xp: Any, tables: Tables, index: Any, epoch: Any) -> Any:
        return tables["probability"][index]

    def _block(self, index: Any, epoch: Any) -> NDArray[Any]:
        if index.size and index.max() >= len(self):
            raise IndexError
        return self.rows(index)
