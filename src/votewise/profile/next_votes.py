"""Ranks items for more votes: first those whose estimated distribution one more vote is expected to improve most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from votewise.arrays import F64
from votewise.cards import Rows
from votewise.limits import whole_number
from votewise.profile import cells, prior
from votewise.profile.cells import Cells
from votewise.profile.few_votes import class_balance, evenly
from votewise.profile.uncertainty import of_no_votes, uncertainty
from votewise.votes import Distributions, Votes, carried_texts, require_answers

_FITTED = 10_000  # maximum number of items to which the prior is fitted
_LONGEST = 500  # maximum number of characters of a text


def next_items(votes: Votes | Distributions, top: int | None = None, *, texts: Mapping[str, str] | None = None) -> Rows:
    """Items ranked by how much one more vote is expected to improve the estimate of their distribution.

    The distribution of an item with unlimited votes is estimated by the posterior mean under a mixture of Dirichlet
    priors fitted to all items. `error` is the expected distance of that estimate from the true distribution (root of the expected
    squared error, summed over classes), `error_after` the same after one more vote. The ranking is by the reduction of the squared error
    and not by entropy, because an item with 50 votes for each of two classes has a high entropy but a known distribution, and an
    item with a single vote has no entropy but an unknown distribution.

    Args:
        votes: `Votes`, or `Distributions` with the number of votes behind them; items without votes are ranked too.
        top: number of items. Default: all.
        texts: the text of each item, by id. Default: a carried column of the votes, e.g. `text` or `comment`.

    Returns:
        One row per item, the largest improvement first: `item`, its `text` if known, `votes`, `answers`, `error` and
        `error_after`.

    Raises:
        UndefinedError: the number of votes is unknown, or no item has two votes.

    Example:
        >>> rows = next_items(Votes.from_counts([[50, 50], [1, 1], [8, 0], [9, 1]], items=["known", "open", "clear", "slip"]))
        >>> rows["item"]
        ['open', 'slip', 'clear', 'known']
    """
    require_answers(votes)
    if top is not None:
        whole_number("top (--top)", top, 1)
    answers = cells.cells(votes)
    cells.require_pairs(answers, "so uncertainty and disagreement cannot be separated")
    error, gain = expected_errors(answers, votes.num_classes, len(votes))
    size = np.zeros(len(votes), np.int64)
    size[answers.position] = answers.size
    order = np.lexsort((np.arange(len(votes)), -gain.round(12)))[:top]
    said = _answers(votes, answers)
    names = [votes.name_of(int(at)) for at in order]
    shown = [texts.get(name, "") for name in names] if texts else carried_texts(votes, order)
    columns: dict[str, Any] = {
        "item": names,
        **({} if shown is None else {"text": [text[:_LONGEST] for text in shown]}),
        "votes": size[order],
        "answers": [said(int(at)) for at in order],
        "error": np.sqrt(error[order]),
        "error_after": np.sqrt(np.maximum(error - gain, 0)[order]),
    }
    return Rows(columns)


def expected_errors(answers: Cells, num_classes: int, items: int) -> tuple[F64, F64]:
    """Expected squared error of the estimated distributions of all `items` [N], and its reduction by one more vote [N]."""
    base = class_balance(answers, num_classes)
    weight = prior.fit(answers.take(evenly(len(answers), min(len(answers), _FITTED))), base)
    error, gain = np.zeros(items), np.zeros(items)
    if len(answers) < items:  # it takes memory for [C, C] numbers
        error[:], gain[:] = of_no_votes(base, weight)
    error[answers.position], gain[answers.position] = uncertainty(answers, base, weight)
    return error, gain


def _answers(votes: Votes | Distributions, answers: Cells) -> Callable[[int], str]:
    """The answers to an item by its position, the most frequent class first."""
    place = np.full(len(votes), -1)
    place[answers.position] = np.arange(len(answers))

    def said(at: int) -> str:
        if place[at] < 0:
            return ""
        part = slice(answers.start[place[at]], answers.start[place[at] + 1])
        pairs = sorted(zip(answers.label[part], answers.count[part], strict=True), key=lambda pair: (-pair[1], pair[0]))
        return ", ".join(f"{votes.classes[label]}: {count:g}" for label, count in pairs)

    return said
