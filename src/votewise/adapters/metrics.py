"""Scores with the interface of torchmetrics, updated batch by batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from votewise.adapters.targets import distributed
from votewise.arrays import plain
from votewise.errors import VotewiseError
from votewise.scoring import AnyKind, Score, Scorecard, as_array, score
from votewise.votes import Answers, require_answers


class SoftScores:
    """`update(logits, index)` for each batch, `compute()` for the scores of all of them, `reset()` for the next epoch.

    Predictions are kept until `compute`, because calibration errors are not means over batches. An example that occurs twice, for
    example because a distributed sampler pads with it, counts once. `compute` gathers the predictions of all processes of
    `torch.distributed`.

    Args:
        votes: Votes on the N items of the evaluation set.
        scores: Keys of `SCORES` or `Score` objects. Default: all.
        kind: Type of the predictions given to `update`: "logits" (default), "probabilities", "log-probabilities" or "auto".
        prefix: Prefix of every key, for example "val_".

    Example:
        >>> from votewise.votes import Votes
        >>> metric = SoftScores(Votes.from_counts([[4, 1], [1, 4]]), ["soft_nll"], kind="probabilities")
        >>> metric.update([[0.7, 0.3]], [0])
        >>> metric.update([[0.2, 0.8]], [1])
        >>> {name: round(value, 4) for name, value in metric.compute().items()}
        {'soft_nll': 0.5133}
    """

    def __init__(
        self, votes: Answers, scores: Iterable[str | Score] | None = None, *, kind: AnyKind = "logits", prefix: str = ""
    ) -> None:
        require_answers(votes)
        self.votes, self.scores, self.kind, self.prefix = votes, None if scores is None else list(scores), kind, prefix
        self.reset()

    def reset(self) -> None:
        """Discard all predictions."""
        self._index: list[Any] = []
        self._predicted: list[Any] = []

    def update(self, predicted: Any, index: Any) -> None:
        """Add the predictions [n, C] for the items at positions `index` [n].

        Raises:
            VotewiseError: If the shapes do not fit the votes, or an index is out of range.
        """
        rows, at = as_array(predicted), plain(index).reshape(-1)
        c = self.votes.num_classes
        if rows.shape != (len(at), c):
            raise VotewiseError(
                f"predictions have shape {rows.shape} for {len(at)} items and {c} classes",
                remedy="give one row per item and one column per class",
            )
        if at.size and (at.dtype.kind not in "iu" or at.min() < 0 or at.max() >= len(self.votes)):
            raise VotewiseError(f"an index is not a position among the {len(self.votes)} items of the votes")
        self._index.append(at)
        self._predicted.append(rows)

    def card(self) -> Scorecard:
        """The scorecard of all items so far.

        Raises:
            VotewiseError: If there were no updates.
        """
        parts = _from_all_processes((self._index, self._predicted))
        if not any(len(index) for index, _ in parts):
            raise VotewiseError("there are no predictions to score", remedy="call update(predicted, index) first")
        index = np.concatenate([at for indices, _ in parts for at in indices])
        predicted = np.concatenate([rows for _, all_rows in parts for rows in all_rows])
        kept, first = np.unique(index, return_index=True)
        return score(predicted[first], self.votes[kept], scores=self.scores, kind=self.kind, dialect=None)

    def compute(self) -> dict[str, float]:
        """The scores by key, with the prefix."""
        return {f"{self.prefix}{key}": float(value) for key, value in self.card().scores.items()}


def _from_all_processes(part: Any) -> list[Any]:
    processes = distributed()
    if processes is None:
        return [part]
    parts: list[Any] = [None] * processes.get_world_size()
    processes.all_gather_object(parts, part)
    return parts
