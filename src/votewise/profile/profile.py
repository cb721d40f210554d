"""`describe(votes)`: annotator disagreement, the effect of few votes, and the recommended delivery."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, Unpack

import numpy as np
from numpy.typing import NDArray

from votewise import terminal
from votewise.arrays import F64, I64
from votewise.errors import VotewiseError
from votewise.profile import agreement, cells
from votewise.profile.advice import Advice, advise
from votewise.profile.agreement import Annotator
from votewise.profile.cells import Cells
from votewise.profile.few_votes import FewVotes, few_votes
from votewise.profile.html import html
from votewise.profile.render import page
from votewise.read_options import ReadOptions
from votewise.votes import Distributions, Votes, inspect_votes, is_frame
from votewise.wording import listing

_HARDEST = 5
_BARS = 10


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram with `count[b]` values from `edge[b]` to `edge[b + 1]`, the last edge included. Integers have edges at half-integers."""

    edge: tuple[float, ...]
    count: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class VotesPerItem:
    """The numbers of votes per item, over the items that have votes."""

    least: int
    median: float
    most: int
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class Agreement:
    """`alpha` by level of measurement (Krippendorff); `pairwise`, the share of pairs of votes on one item that agree."""

    alpha: Mapping[str, float]
    pairwise: float
    deviant: tuple[Annotator, ...] = ()


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Entropy of the answers to an item, in nats: its mean, its maximum, and its histogram.

    `histogram` leaves out the `unanimous` items, whose entropy is zero. `tied` items have no single majority.
    """

    mean_entropy: float
    largest_possible: float
    histogram: Histogram
    unanimous: int
    tied: int


@dataclass(frozen=True, slots=True)
class Contested:
    """An item that annotators disagree on: its id, or its row, and class -> votes (or share); largest first, or in scale order."""

    item: str
    entropy: float
    answers: Mapping[str, float]


@dataclass(frozen=True, slots=True, repr=False)
class Profile:
    """The result of `describe`. `print(profile)` draws it; `profile.as_dict()` is ready for JSON.

    Example:
        >>> from votewise import Votes
        >>> profile = describe(Votes.from_counts([[3, 0], [2, 1]]))
        >>> profile.items, profile.votes, profile.as_dict()["disagreement"]["unanimous"]
        (2, 6, 1)
    """

    kind: Literal["votes", "distributions"]
    items: int
    unvoted: int
    votes: int | None
    annotators: int | None
    weighted: bool
    scale: str
    class_share: Mapping[str, float]
    votes_per_item: VotesPerItem | None
    agreement: Agreement | None
    disagreement: Disagreement
    hardest: tuple[Contested, ...]
    few_votes: FewVotes | None
    advice: Advice
    answers: Votes | Distributions | None = field(default=None, compare=False)  # the votes; not part of `as_dict`

    def __repr__(self) -> str:
        return f"Profile({self.items} items, {len(self.class_share)} classes, advice: {self.advice.delivery})"

    __str__ = terminal.text
    __rich__ = page
    _repr_html_ = html

    def as_dict(self) -> dict[str, Any]:
        """Plain dicts, lists, strings and numbers; None for numbers that are not defined."""
        summary = asdict(replace(self, answers=None))
        summary.pop("answers")
        return {name: _plain(value) for name, value in summary.items()}


def describe(
    votes: Votes | Distributions | str | os.PathLike[str] | Any, *, seed: int = 0, **options: Unpack[ReadOptions]
) -> Profile:
    """Profile of the votes on one question, and the advice that follows from it.

    The cost is O(V) for V votes and O(N C) for distributions.

    Args:
        votes: `Votes` or `Distributions`; items without votes are counted. Or the path of a file or a pandas or polars
            `DataFrame`, which are read as by `read_votes`.
        seed: seed of the simulated targets of few votes.
        **options: for a file or a frame, how it is read: see `ReadOptions`, for example `item="comment"`.

    Returns:
        The profile; `print` it, or use its attributes or `as_dict()`.

    Raises:
        VotewiseError: If no item has a vote, or the file cannot be read.

    Example:
        >>> profile = describe(Votes.from_counts([[5, 0], [4, 1], [2, 3], [5, 0]], classes=("cat", "dog")))
        >>> profile.disagreement.unanimous, profile.hardest[0].answers, profile.advice.delivery
        (2, {'dog': 3, 'cat': 2}, 'multipass')
    """
    votes = _answers(votes, options)
    answers = cells.cells(votes)
    if not len(answers):
        raise VotewiseError(
            f"none of the {len(votes):,} items has votes" if len(votes) else "there are no items",
            remedy="give at least one item that has votes",
        )
    weighted = isinstance(votes, Votes) and votes.weighted
    position = None if votes.scale.position is None else np.array(votes.scale.position)
    per_item = _votes_per_item(answers.size) if answers.counted else None
    disagreement, hardest = _disagreement(votes, answers)
    few = few_votes(answers, votes.num_classes, votes.scale, votes.row[answers.position], seed)
    unvoted = len(votes) - len(answers)
    share = cells.class_share(answers, votes.num_classes)
    return Profile(
        kind="votes" if isinstance(votes, Votes) else "distributions",
        items=len(votes),
        unvoted=unvoted,
        votes=int(answers.size.sum()) if answers.counted else None,
        annotators=_annotators(votes),
        weighted=weighted,
        scale=votes.scale.kind,
        class_share=dict(zip(votes.classes, share.tolist(), strict=True)),
        votes_per_item=per_item,
        agreement=_agreement(votes, answers, position),
        disagreement=disagreement,
        hardest=hardest,
        few_votes=few,
        advice=advise(
            votes_per_item=None if per_item is None else per_item.median,
            most_votes=None if per_item is None else per_item.most,
            unanimous=disagreement.unanimous / len(answers),
            single_votes=isinstance(votes, Votes),
            weighted=weighted,
            unvoted=unvoted,
            distance=None
            if few is None or few.now is None or few.twice is None
            else (few.now.bias["js_distance"], few.twice.bias["js_distance"]),
        ),
        answers=votes,
    )


def _answers(votes: Any, options: ReadOptions) -> Votes | Distributions:
    """Votes as they are, or those in a file or a frame."""
    if isinstance(votes, str | os.PathLike) or is_frame(votes):
        file = inspect_votes(votes, **options)
        file.report.warn()
        return file.votes()
    if not isinstance(votes, Votes | Distributions):
        raise VotewiseError(
            f"votes must be Votes, Distributions, the path of a file or a DataFrame, got {type(votes).__name__}",
            remedy="make them with Votes.from_counts, Votes.from_long or Distributions",
        )
    if options:
        raise VotewiseError(
            f"{listing(options)} is for reading a file or a frame, but votes is {type(votes).__name__}",
            remedy="leave it out, or read the file with it",
        )
    return votes


def _annotators(votes: Votes | Distributions) -> int | None:
    """Number of annotators of these votes; None if they are unknown."""
    if isinstance(votes, Distributions) or votes.annotator is None:
        return None
    return int((np.bincount(votes.annotator[votes.annotator >= 0], minlength=1) > 0).sum())


def _votes_per_item(size: I64) -> VotesPerItem:
    least, most = int(size.min()), int(size.max())
    step = max(1, -(-(most - least + 1) // _BARS))
    edge = np.arange(least, most + step + 1, step) - 0.5
    return VotesPerItem(least, float(np.median(size)), most, _histogram(size, edge))


def _agreement(votes: Votes | Distributions, answers: Cells, position: F64 | None) -> Agreement | None:
    if answers.size.max() < 2:
        return None
    levels: tuple[agreement.Level, ...] = ("nominal",) if position is None else ("ordinal", "interval", "nominal")
    return Agreement(
        {level: agreement.alpha(answers, votes.num_classes, level, position) for level in levels},
        agreement.overall_agreement(answers),
        agreement.most_deviant(votes, answers) if isinstance(votes, Votes) else (),
    )


def _disagreement(votes: Votes | Distributions, answers: Cells) -> tuple[Disagreement, tuple[Contested, ...]]:
    entropy, unanimous = cells.entropy(answers), cells.unanimous(answers)
    reach = min(votes.num_classes, max(2, int(answers.size.max()))) if answers.counted else votes.num_classes
    disagreement = Disagreement(
        float(entropy.mean()),
        float(np.log(reach)),
        _histogram(entropy[~unanimous], np.linspace(0, np.log(reach), _BARS + 1)),
        int(unanimous.sum()),
        int(cells.tied(answers).sum()),
    )
    return disagreement, tuple(
        _contested(votes, answers, item, entropy[item]) for item in _largest(entropy, answers.size)
    )


def _largest(entropy: F64, size: I64) -> I64:
    """The few items with the largest entropy, without unanimous ones; ties go to more votes, then keep their order."""
    bar = np.partition(entropy, -_HARDEST)[-_HARDEST] if len(entropy) > _HARDEST else 0.0
    candidate = np.flatnonzero((entropy > 0) & (entropy >= bar - 1e-9))
    order = np.lexsort((candidate, -size[candidate], -entropy[candidate].round(9)))
    return candidate[order[:_HARDEST]]


def _contested(votes: Votes | Distributions, answers: Cells, item: int, entropy: float) -> Contested:
    part = slice(answers.start[item], answers.start[item + 1])
    label, mass = answers.label[part], (answers.count if isinstance(votes, Votes) else answers.mass)[part]
    number = int if isinstance(votes, Votes) else float
    order = np.lexsort((label, -mass)) if votes.scale.kind == "nominal" else np.arange(len(label))
    chosen = {votes.classes[label[cell]]: number(mass[cell]) for cell in order}
    return Contested(votes.name_of(int(answers.position[item])), float(entropy), chosen)


def _histogram(values: F64 | I64, edge: NDArray[np.floating[Any]]) -> Histogram:
    count, _ = np.histogram(np.minimum(values, edge[-1]), edge)
    return Histogram(tuple(edge.tolist()), tuple(count.tolist()))


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value
