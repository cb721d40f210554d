"""Items on a page: the votes for an item and the predictions of each method while the item was held out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import F64, I64
from votewise.comparison import HeldOut
from votewise.datasets import Dataset
from votewise.reporting.source_texts import texts_in_votes
from votewise.votes import Votes, carried_texts, entropy

LIMIT = 2_000  # items on a page
_STRIPS = 20  # bins of entropy with the same number of items each
_CLASSES = 12  # maximum number of separate classes per item on the page
_TEXT = 2_000  # characters shown per text


@dataclass(frozen=True, eq=False)
class Items:
    """A selection of n items of a dataset, in the order of the dataset, with the predictions of each method.

    position  [n] in the dataset
    held_out  method -> its predictions, if any
    total     number of items to choose from
    """

    dataset: Dataset
    position: I64
    held_out: Mapping[str, HeldOut]
    total: int

    def __len__(self) -> int:
        return len(self.position)

    def pictures(self) -> NDArray[np.uint8] | None:
        """Images uint8 [n, H, W, C]; None if the inputs are not images."""
        looks = self.dataset.images and self.dataset.inputs.shape[-1] in (1, 3)
        return self.dataset.inputs[self.position] if looks else None

    def data(self) -> dict[str, Any]:
        """Plain lists for the page, with shares in thousandths, and entropy and divergence in thousandths of a nat."""
        votes = self.dataset.votes
        share = votes.probabilities(self.position)
        truth = None if self.dataset.truth is None else self.dataset.truth.probabilities(self.position)
        counts = votes.votes_per_item[self.position] if isinstance(votes, Votes) else None
        predicted = {name: _at(part, self.position) for name, part in self.held_out.items()}
        texts = _texts(self.dataset, self.position)
        spread = entropy(share)
        entries = []
        for i, position in enumerate(self.position.tolist()):
            there = [share[i], *([] if truth is None else [truth[i]])]
            there += [part.share[i] for part in predicted.values() if part.runs[i]]
            shown = _shown(np.max(there, axis=0), share[i])
            entry: dict[str, Any] = {
                "id": votes.name_of(position),
                "e": round(1000 * spread[i]),
                "c": shown.tolist(),
                "p": _thousandths(share[i, shown]),
                "q": [_thousandths(part.share[i, shown]) if part.runs[i] else 0 for part in predicted.values()],
                "k": [round(1000 * part.kl[i]) if part.runs[i] else -1 for part in predicted.values()],
                "r": [int(part.runs[i]) for part in predicted.values()],
            }
            if counts is not None:
                entry["n"] = int(counts[i])
            if truth is not None:
                entry["t"] = _thousandths(truth[i, shown])
            if self.dataset.labels is not None:
                entry["y"] = int(self.dataset.labels[position])
            if texts is not None:
                entry["x"] = texts[i]
            entries.append(entry)
        return {"classes": list(votes.classes), "methods": list(predicted), "total": self.total, "items": entries}


def choose_items(dataset: Dataset, held_out: Mapping[str, HeldOut], limit: int = LIMIT) -> Items:
    """At most `limit` of the items that some method held out, chosen evenly over entropy and error.

    Each of twenty bins of entropy gives the same number of items, if it has enough. Within a bin, items are chosen at equal
    steps from the smallest to the largest error.
    """
    error, count = np.zeros(len(dataset)), np.zeros(len(dataset))
    for part in held_out.values():
        error[part.position] += part.kl
        count[part.position] += 1
    candidates = np.flatnonzero(count)
    if len(candidates) <= limit:
        return Items(dataset, candidates, held_out, len(candidates))
    spread = entropy(dataset.votes.probabilities(candidates))
    strip = np.minimum((spread / max(spread.max(), 1e-12) * _STRIPS).astype(np.int64), _STRIPS - 1)
    size = np.bincount(strip, minlength=_STRIPS)
    mean = error[candidates] / count[candidates]
    chosen = []
    for number, take in enumerate(_quotas(size, limit).tolist()):
        inside = np.flatnonzero(strip == number)
        inside = inside[np.argsort(mean[inside], kind="stable")]
        chosen.append(inside[np.linspace(0, len(inside) - 1, take).round().astype(np.int64)] if take else inside[:0])
    return Items(dataset, np.sort(candidates[np.concatenate(chosen)]), held_out, len(candidates))


def _at(part: HeldOut, position: I64) -> HeldOut:
    """The predictions for the items at `position`, in this order; `runs` is 0 if there is no prediction."""
    at = np.searchsorted(part.position, position)
    at = np.minimum(at, len(part.position) - 1)
    known = part.position[at] == position
    share = np.where(known[:, None], part.share[at], 0.0)
    return HeldOut(position, share, np.where(known, part.kl[at], 0.0), np.where(known, part.runs[at], 0))


def _shown(largest: F64, share: F64) -> I64:
    """The relevant classes of an item: those with votes, most votes first, then those that methods predict."""
    found = np.sort(np.argsort(-largest, kind="stable")[:_CLASSES])
    found = found[largest[found] >= 0.0005]
    unchosen = np.where(share[found] > 0, 0, -largest[found])
    return found[np.lexsort((found, unchosen, -share[found]))]


def _quotas(size: I64, total: int) -> I64:
    """The number of items to choose from each bin: equal numbers, or all items of a smaller bin.

    >>> _quotas(np.array([100, 3, 0, 50]), 23).tolist()
    [10, 3, 0, 10]
    """
    take = np.zeros_like(size)
    while (left := total - int(take.sum())) > 0 and (open_ := np.flatnonzero(take < size)).size:
        step = max(1, left // open_.size)
        open_ = open_[:left]
        take[open_] = np.minimum(take[open_] + step, size[open_])
    return take


def _texts(dataset: Dataset, position: I64) -> list[str] | None:
    """The text of each item, with the texts of a pair on separate lines. If the inputs are not texts: a carried column of the votes, or of their file."""
    if dataset.shown_texts is not None:
        texts = ["\n".join(row) for row in dataset.shown_texts[position].tolist()]
    elif (carried := carried_texts(dataset.votes, position)) is not None:
        texts = carried
    elif found := texts_in_votes(dataset):
        texts = [found.get(dataset.votes.name_of(at), "") for at in position.tolist()]
    else:
        return None
    return [text[:_TEXT] for text in texts]


def _thousandths(share: F64) -> list[int]:
    return np.rint(1000 * share).astype(np.int64).tolist()  # type: ignore[no-any-return]  # NumPy types tolist() as Any
