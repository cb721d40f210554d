"""Every score by its key, in groups and in the order of the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from votewise.errors import VotewiseError
from votewise.frozen import FrozenMapping
from votewise.importing import import_object, is_import_path
from votewise.scoring import brier, calibration, distances, entropies, predicted_class, proper, smooth
from votewise.scoring.declaration import Score
from votewise.wording import listing, quoted

GROUPS: Mapping[str, tuple[Score, ...]] = FrozenMapping(
    {
        title: tuple(entry for module in modules for entry in vars(module).values() if isinstance(entry, Score))
        for title, modules in {
            "Proper scores": (proper,),
            "Predicted class, order of the classes": (predicted_class,),
            "Calibration of the predicted class": (calibration, smooth),
            "Brier score of the predicted class": (brier,),
            "Entropy of model and votes": (entropies,),
            "Distances between model and votes": (distances,),
        }.items()
    }
)
SCORES: Mapping[str, Score] = FrozenMapping({score.key: score for group in GROUPS.values() for score in group})


def chosen(scores: Iterable[str | Score] | None) -> dict[str, Score]:
    """Scores by key; all of `SCORES` if none are given.

    Args:
        scores: each the key of a score, a `Score`, or the import path of one, for example `package.module:score`.

    Raises:
        VotewiseError: If one is unknown, is not a score, or has the key of another.

    Example:
        >>> list(chosen(["kl", SCORES["accuracy"], "votewise.scoring:soft_nll"]))
        ['kl', 'accuracy', 'soft_nll']
    """
    if scores is None:
        return dict(SCORES)
    if isinstance(scores, str):
        raise VotewiseError(
            f"scores must be a list, got the text {quoted(scores)}", remedy=f"give a list: scores=[{scores!r}]"
        )
    by_key: dict[str, Score] = {}
    for score in map(_score, scores):
        if by_key.setdefault(score.key, score) is not score:
            raise VotewiseError(f"two scores have the key {score.key!r}", remedy="give one of them a different key=")
    return by_key


def _score(named: str | Score) -> Score:
    if isinstance(named, str):
        if named in SCORES:
            return SCORES[named]
        if not is_import_path(named):
            raise VotewiseError(
                f"unknown score {quoted(named)}",
                remedy=f"choose some of {listing(SCORES, len(SCORES))}, or give a custom score as package.module:score",
            )
        made = import_object(named)
    else:
        made = named
    if not isinstance(made, Score):
        raise VotewiseError(
            f"{quoted(named)} is not a score", remedy="create one with votewise.scored or votewise.Score.mean_of"
        )
    return made
