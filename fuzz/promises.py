"""Guarantees for every accepted file; raises BrokenPromiseError if one does not hold."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import votewise as vw
from fuzz.cases import BrokenPromiseError
from fuzz.draws import Draws
from votewise.scoring import Scorecard
from votewise.votes import Answers, DoubtfulClasses, DroppedVotes, Votes

MOST_VOTES = 100_000  # maximum size for describing and writing


def hold(condition: object, promise: str) -> None:
    """Raise an error with the name of the guarantee if it does not hold."""
    if not condition:
        raise BrokenPromiseError(promise)


def one_of(draws: Draws) -> str:
    """Choose the guarantee that a case tests."""
    return draws.pick([name for name, often in OFTEN.items() for _ in range(often)])


def keep_promise(name: str, answers: Answers, folder: Path) -> None:
    """Check the guarantee with this name and all cheap guarantees."""
    hold(len(answers) > 0, "there is an item")
    hold(len(set(answers.classes)) == answers.num_classes, "classes are distinct")
    shares = answers.probabilities(np.arange(min(len(answers), 100)))
    voted = shares.sum(axis=1) > 0
    hold(np.isfinite(shares).all() and np.allclose(shares[voted].sum(axis=1), 1), "shares add up to 1")
    if not isinstance(answers, Votes) or len(answers.label) <= MOST_VOTES:
        PROMISES[name](answers, folder)


def _parquet(answers: Answers, folder: Path) -> None:
    if isinstance(answers, Votes):
        vw.write_votes(answers, folder / "again.parquet")
        again = vw.read_votes(folder / "again.parquet")
        hold(again == answers and again.fingerprint == answers.fingerprint, "a Parquet file keeps everything")


def _csv(answers: Answers, folder: Path) -> None:
    if not isinstance(answers, Votes):
        return
    try:
        vw.write_votes(answers, folder / "again.csv")
    except vw.VotewiseError:  # items without votes
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DroppedVotes)
        warnings.simplefilter("ignore", DoubtfulClasses)
        try:
            again = vw.read_votes(
                folder / "again.csv", item="item", label="label", duplicates="keep", classes=list(answers.classes)
            )
        except vw.VotewiseError as error:
            raise BrokenPromiseError(f"what is written as CSV can be read: {error.what[:40]}") from None
    hold(len(again) <= len(answers), "a CSV file has the same items")


def _described(answers: Answers, folder: Path) -> None:
    profile = vw.describe(answers)
    hold(str(profile) and profile.as_dict(), "a profile can be printed")


def _delivered(answers: Answers, folder: Path) -> None:
    index = np.arange(min(len(answers), 50))
    for delivery in ("soft", "sls", "majority"):
        try:
            made = vw.deliver(delivery, answers, seed=1)
        except vw.VotewiseError:  # items without votes
            continue
        targets = made.targets(index, 3)
        if made.kind == "hard":
            hold(((targets >= 0) & (targets < answers.num_classes)).all(), "a label is one of the classes")
        else:
            hold(np.allclose(targets.sum(axis=1), 1, atol=1e-4), "a soft label adds up to 1")


def _scored(answers: Answers, folder: Path) -> Scorecard:
    probabilities = np.full((len(answers), answers.num_classes), 1 / answers.num_classes)
    card = vw.score(probabilities, answers)
    hold(np.isfinite(card["soft_nll"]), "a score is a number")
    return card


def _printed(answers: Answers, folder: Path) -> None:
    hold(str(_scored(answers, folder)), "a card can be printed")


PROMISES: dict[str, Callable[[Answers, Path], object]] = {
    "parquet": _parquet,
    "csv": _csv,
    "described": _described,
    "delivered": _delivered,
    "scored": _scored,
    "printed": _printed,
}
OFTEN = {
    "delivered": 14,
    "parquet": 8,
    "csv": 6,
    "scored": 4,
    "printed": 1,
    "described": 1,
}  # expensive checks are less frequent
