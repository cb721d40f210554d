"""A table of annotators: number of votes, agreement with the others, preferred classes, and flags."""

from __future__ import annotations

import numpy as np

from votewise.arrays import F64, I64, Bool
from votewise.cards import Rows
from votewise.errors import UndefinedError
from votewise.profile import agreement, cells
from votewise.profile.cells import Cells
from votewise.votes import Votes, require_answers
from votewise.wording import counted

_INVERTED = 3  # standard errors of a correlation (Fisher): inverted annotators are rare, and most are clear
_ALWAYS = 0.95  # share of votes for one class above which an annotator is said to give one answer
_BY_CHANCE = 1e-3  # p-value of one answer, if votes followed the distribution of the others
_NAMED = 5  # annotators with a sentence
_MOSTLY = 0.1  # minimum excess of a class over the others to mention it


def annotator_table(votes: Votes) -> Rows:
    """One row per annotator, flagged annotators first.

    Columns: `annotator`, `votes`, `shared` (votes on items that others voted on as well), `agreement` (with a vote of
    another annotator on the same item), `usual` (agreement of two votes on these items), `flag`, `why`, and for each class the
    share of the annotator's votes, e.g. `share: cat`.

    The flags, for annotators with ten shared votes or more:
        one answer: the same class on at least 95 % of the votes, while the others vary significantly.
        inverted: on an ordered scale or with two classes, the chosen position is negatively correlated with that of the
            others, and inverting the scale would increase the agreement.
        low agreement: four standard errors below the usual agreement on the same items.

    Args:
        votes: votes of named annotators.

    Raises:
        UndefinedError: the annotators of the votes are unknown.

    Example:
        >>> votes = Votes.from_long(["x", "x", "y", "y"], ["a", "a", "a", "b"], ["ann", "bob", "ann", "bob"])
        >>> annotator_table(votes)["agreement"].tolist()
        [0.5, 0.5]
    """
    require_answers(votes)
    if not isinstance(votes, Votes):
        raise UndefinedError("these are probabilities, not votes, so annotators are unknown", remedy="give the votes")
    if votes.annotator is None or not (votes.annotator >= 0).any():
        raise UndefinedError(
            "the annotators of the votes are unknown", remedy="name the column of annotators (--annotator)"
        )
    answers = cells.cells(votes)
    whose = votes.annotator
    count = np.bincount(whose[whose >= 0], minlength=len(votes.annotators))
    shared, own, usual, error = agreement.with_others(votes, answers)
    own_share, expected = _shares(votes, answers)
    gap = own - usual
    enough = shared >= agreement.ENOUGH
    one_answer = enough & (own_share.max(axis=1) >= _ALWAYS) & (_by_chance(own_share, expected, shared) < _BY_CHANCE)
    inverted = enough & ~one_answer & _inverted(votes, answers, own)
    low = agreement.deviates(shared, gap, error)
    flag = np.select([one_answer, inverted, low], ["one answer", "inverted", "low agreement"], default="")
    severity = np.select([one_answer, inverted, low], [0, 1, 2], default=3)
    present = np.flatnonzero(count)
    order = present[np.lexsort((present, np.nan_to_num(gap[present], nan=np.inf), severity[present]))]
    why = [
        _why(str(flag[at]), votes.classes, own_share[at], expected[at], own[at], usual[at], int(shared[at]))
        for at in order
    ]
    columns = {
        "annotator": [votes.annotators[code] for code in order],
        "votes": count[order],
        "shared": shared[order],
        "agreement": own[order],
        "usual": usual[order],
        "flag": flag[order].tolist(),
        "why": why,
    }
    return Rows(columns | {f"share: {name}": own_share[order, code] for code, name in enumerate(votes.classes)})


def _shares(votes: Votes, answers: Cells) -> tuple[F64, F64]:
    """Share of each class in an annotator's votes [A, C], and in the other votes on the same items."""
    from scipy.sparse import csr_array

    assert votes.annotator is not None
    people, classes = len(votes.annotators), votes.num_classes
    item = np.repeat(np.arange(len(answers)), answers.size)
    known = votes.annotator >= 0
    who, label, item = votes.annotator[known], votes.label[known], item[known]
    own = np.bincount(who * classes + label, minlength=people * classes).reshape(people, classes).astype(np.float64)
    others = 1 / np.maximum(answers.size - 1, 1)[item] * (answers.size[item] > 1)
    seen = csr_array((others, (who, item)), shape=(people, len(answers)))
    count = csr_array((answers.count, answers.label, answers.start), shape=(len(answers), classes))
    rest = (seen @ count).toarray()
    rest -= np.bincount(who * classes + label, others, minlength=people * classes).reshape(people, classes)
    return _normalised(own), _normalised(np.maximum(rest, 0.0))


def _by_chance(own_share: F64, expected: F64, shared: I64) -> F64:
    """P-value of the frequency of an annotator's most frequent class [A], if it were chosen as often as by the others."""
    from scipy.special import bdtrc

    class_ = own_share.argmax(axis=1)[:, None]
    share, usual = (np.take_along_axis(values, class_, axis=1)[:, 0] for values in (own_share, expected))
    return np.asarray(bdtrc(np.ceil(share * shared) - 1, np.maximum(shared, 1), usual))


def _normalised(mass: F64) -> F64:
    total = mass.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(mass, total, out=np.zeros_like(mass), where=total > 0))


def _inverted(votes: Votes, answers: Cells, own: F64) -> Bool:
    """Whether an annotator's positions are negatively correlated with the mean of the others [A], and inverting them helps."""
    assert votes.annotator is not None
    people = len(votes.annotators)
    if votes.scale.position is None and votes.num_classes != 2:
        return np.zeros(people, np.bool_)
    place = np.arange(votes.num_classes) if votes.scale.position is None else np.array(votes.scale.position)
    size = np.repeat(answers.size, answers.size).astype(np.float64)
    chosen = place[votes.label].astype(np.float64)
    total = np.repeat(answers.total(answers.count * place[answers.label]), answers.size)
    known = (votes.annotator >= 0) & (size > 1)
    who, mine = votes.annotator[known], chosen[known]
    others = ((total - chosen) / np.maximum(size - 1, 1))[known]

    def summed(values: F64) -> F64:
        return np.asarray(np.bincount(who, values, minlength=people), np.float64)

    n = np.maximum(summed(np.ones(len(who))), 1)
    x, y = mine - (summed(mine) / n)[who], others - (summed(others) / n)[who]
    spread = np.sqrt(summed(x * x) * summed(y * y))
    r = np.divide(summed(x * y), spread, out=np.zeros(people), where=spread > 0)
    beyond = np.arctanh(np.clip(r, -0.999999, 0.999999)) * np.sqrt(np.maximum(n - 3, 0)) < -_INVERTED
    return np.asarray(beyond & (_mirrored(votes, answers) > own))


def _mirrored(votes: Votes, answers: Cells) -> F64:
    """Agreement with the others [A] if an annotator's scale were inverted."""
    assert votes.annotator is not None
    turned = votes.num_classes - 1 - votes.label.astype(np.int64)
    item = np.repeat(np.arange(len(answers)), answers.size)
    key = answers.item * votes.num_classes + answers.label
    wanted = item * votes.num_classes + turned
    at = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    same = np.where(key[at] == wanted, answers.count[at], 0.0) - (turned == votes.label)
    size = answers.size[item]
    known = (votes.annotator >= 0) & (size > 1)
    who = votes.annotator[known]
    people = len(votes.annotators)
    total = np.bincount(who, same[known] / (size[known] - 1), minlength=people)
    return np.asarray(total / np.maximum(np.bincount(who, minlength=people), 1))


def _why(
    flag: str, classes: tuple[str, ...], own_share: F64, expected: F64, own: float, usual: float, shared: int
) -> str:
    if not flag:
        return ""
    more = int(np.argmax(own_share if flag == "one answer" else own_share - expected))
    if flag == "one answer":
        most = "all votes are" if own_share[more] == 1 else f"{own_share[more]:.0%} of the votes are"
        return f"{most} {classes[more]}; the others chose it on {expected[more]:.0%} of the same items"
    agrees = f"agrees with {own:.0%} of the other votes on {counted(shared, 'item')} (usual: {usual:.0%})"
    if flag == "inverted":
        return f"{agrees}; would agree more with an inverted scale"
    if own_share[more] - expected[more] >= _MOSTLY:
        return f"{agrees}; chooses {classes[more]} on {own_share[more]:.0%}, the others on {expected[more]:.0%}"
    return agrees


def whom_to_talk_to(rows: Rows) -> list[str]:
    """The flagged annotators, one sentence each."""
    flagged = [
        (name, why) for name, why, flag in zip(rows["annotator"], rows["why"], rows["flag"], strict=True) if flag
    ]
    said = [f"{name}: {why}." for name, why in flagged[:_NAMED]]
    return [*said, f"and {len(flagged) - _NAMED} more"] if len(flagged) > _NAMED else said
