"""For plain torch: a dataset that also yields the index of each example."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from votewise.errors import VotewiseError
from votewise.votes import Answers


class Indexed:
    """A map-style dataset that yields (index, x)."""

    def __init__(self, dataset: Any, x: Callable[[Any], Any]) -> None:
        self.dataset = dataset
        self._x = x

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: int) -> tuple[int, Any]:
        return index, self._x(self.dataset[index])


def _first(example: Any) -> Any:
    """The input of an example: itself, or the first element of a tuple such as (x, y)."""
    return example[0] if isinstance(example, (tuple, list)) else example


def with_index(dataset: Any, votes: Answers, x: Callable[[Any], Any] = _first) -> Indexed:
    """`dataset` as pairs (index, x), checked to have one example per item of `votes`.

    x  takes the input out of an example; by default the first element of a tuple, so that a label beside it is dropped

    >>> from votewise.votes import Votes
    >>> with_index(["a.png", "b.png"], Votes.from_counts([[3, 1], [0, 2]]))[1]
    (1, 'b.png')
    """
    if not hasattr(dataset, "__getitem__") or not hasattr(dataset, "__len__"):
        raise VotewiseError(
            "the dataset has no length or cannot be indexed",
            remedy="use a map-style dataset",
        )
    if len(dataset) != len(votes):
        raise VotewiseError(
            f"the dataset has {len(dataset)} examples and the votes have {len(votes)} items",
            remedy="bring the votes into the order of the dataset with votes.align(ids) or votes.select(index)",
        )
    return Indexed(dataset, x)
