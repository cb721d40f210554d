"""A dataset for plain torch that also yields the index of each example."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Number
from typing import Any

from votewise.delivery.compatibility import require_fit
from votewise.errors import VotewiseError
from votewise.votes import Answers


class Indexed:
    """A map-style dataset of pairs (index, x), in the order of the items of `votes`."""

    def __init__(self, dataset: Any, x: Callable[[Any], Any], votes: Any = None) -> None:
        self.dataset = dataset
        self.votes = votes
        self._x = x

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: int) -> tuple[int, Any]:
        return index, self._x(self.dataset[index])


def _first(example: Any) -> Any:
    """The input of an example: the example itself, or the first element of (x,) or (x, label)."""
    if not isinstance(example, (tuple, list)):
        return example
    if len(example) > 2 or not all(isinstance(y, Number) or getattr(y, "ndim", None) == 0 for y in example[1:]):
        raise VotewiseError(
            f"an example of the dataset has {len(example)} fields, which are not an input and a class, so its input is not known",
            remedy="give with_index a function that returns the input, e.g. x=lambda example: example[:2]",
        )
    return example[0]


def with_index(
    dataset: Any, votes: Answers, x: Callable[[Any], Any] = _first, *, ids: Iterable[object] | None = None
) -> Indexed:
    """`dataset` as pairs (index, x), checked to have one example per item of `votes`.

    Args:
        dataset: Map-style dataset, array or tensor of N examples in the order of the votes.
        votes: Votes on its examples.
        x: Function that returns the input of an example. Default: the example, or x of a tuple (x,) or (x, label). For a tuple of
            several inputs give `x=lambda example: example`.
        ids: Ids of the examples [N], compared with the ids of the votes.

    Raises:
        VotewiseError: If the dataset has a different number of examples, cannot be indexed, or is in a different order.
            When an example is requested: if it has several fields that are not an input and a class.

    Example:
        >>> from votewise.votes import Votes
        >>> with_index(["a.png", "b.png"], Votes.from_counts([[3, 1], [0, 2]]))[1]
        (1, 'b.png')
    """
    require_fit(votes, dataset=dataset, ids=ids)
    return Indexed(dataset, x, votes)


def require_same_items(delivery: Any, loader: Any) -> None:
    """Raise if the votes of a loader over `with_index(dataset, votes)` and of the delivery have different orders. Other loaders are accepted.

    Raises:
        VotewiseError: For the first item that differs.
    """
    indexed = getattr(loader, "dataset", None)
    votes = getattr(indexed, "votes", None) if isinstance(indexed, Indexed) else None
    mine = getattr(delivery, "votes", None)
    if votes is None or mine is None or votes is mine:
        return
    both_named = votes.items is not None and mine.items is not None
    require_fit(delivery, dataset=range(len(votes)), ids=votes.names() if both_named else None)
