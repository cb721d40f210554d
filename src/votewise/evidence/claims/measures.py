"""From a part of a claim to its comparisons, and to a value per seed in each of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from votewise.evidence.claims.rows import Part
from votewise.evidence.methods import DETECTORS, QUANTITIES, look, votes_name
from votewise.evidence.results import Results
from votewise.evidence.runs import Arm, Runs, Values, mean, subtract
from votewise.scoring import SCORES


@dataclass(frozen=True)
class Comparison:
    """An arm, the arm that it is compared with, and a score."""

    arm: Arm
    other: Arm | None
    score: str

    def at(self, k: int | None) -> Comparison:
        """The same with so many votes per item."""
        return Comparison(replace(self.arm, K=k), self.other and replace(self.other, K=k), self.score)


def comparisons(part: Part, results: Results) -> list[Comparison]:
    """Every comparison that a part names: arms, what each is compared with, scores, votes per item."""
    others: Sequence[Arm | None] = arms(part.against, part, results) if part.against else [None]
    return [
        Comparison(arm, other, score).at(k)
        for arm in arms(part.arms, part, results)
        for other in others
        for score in part.scores
        for k in votes(part.K, results)
    ]


def arms(names: Sequence[str], part: Part, results: Results) -> list[Arm]:
    """Arms by name: "main/soft" is one of another study, "intervals" and "stale" are those of the resampling study."""
    found = []
    drawn = ["sls" if interval == 1 else f"sls-every-{interval}" for interval in results.intervals]
    for name in names:
        study, _, method = name.rpartition("/")
        methods = {"intervals": drawn, "stale": drawn[1:]}.get(method, [method])
        found += [Arm(study or part.study, each) for each in methods]
    return found


def votes(word: str, results: Results) -> tuple[int | None, ...]:
    """The votes per item that a word means in these results."""
    sweep = results.sweep
    half = len(sweep) // 2
    numbers = tuple(k for k in sweep if k is not None)
    return {
        "all": (None,), "each": sweep, "few": numbers, "lower": sweep[:half], "upper": sweep[len(sweep) - half :],
        "end": sweep[-1:], "each and all": (*numbers, None), "": (),
    }[word]  # fmt: skip


def differences(part: Part, comparison: Comparison, runs: Runs) -> Values:
    """A value per seed: the arm minus the other one, where there is one; positive is what the part claims."""
    first = _scaled(part, comparison.arm, comparison.score, runs)
    second = _scaled(part, comparison.other, comparison.score, runs) if comparison.other else dict.fromkeys(first, 0.0)
    positive = sign(part, comparison.score)
    return {seed: positive * value for seed, value in subtract(first, second).items()}


def every_difference(part: Part, runs: Runs) -> dict[Comparison, Values]:
    """The values of each comparison; with a contrast of K, the mean over K minus the mean over the others."""
    found = {each: differences(part, each, runs) for each in comparisons(part, runs.results)}
    if not part.minus_votes:
        return found
    off = part.model_copy(update={"K": part.minus_votes, "minus_votes": ""})
    less = every_difference(off, runs)
    return {
        key: subtract(
            mean(values for each, values in found.items() if each.at(None) == key),
            mean(values for each, values in less.items() if each.at(None) == key),
        )
        for key in dict.fromkeys(each.at(None) for each in found)
    }


def cells(part: Part, runs: Runs) -> dict[str, Values]:
    """The values of a part by the name of the cell; a single one where it asks for the average."""
    every = every_difference(part, runs)
    if part.average:
        return {part.name or "average": mean(every.values())}
    return {cell_name(each, every, runs.results): values for each, values in every.items()}


def columns(part: Part, runs: Runs) -> dict[str, Values]:
    """For a trend: in each column (an interval, or a K) the mean over the comparisons in it."""
    found: dict[str, list[Values]] = defaultdict(list)
    for each, values in every_difference(part, runs).items():
        over_votes = "intervals" not in part.arms
        found[f"K = {votes_name(each.arm.K)}" if over_votes else arm_name(each.arm.method, runs.results)].append(values)
    return {column: mean(some) for column, some in found.items()}


# --- names -----------------------------------------------------------------------------------------------------------


def cell_name(comparison: Comparison, every: Collection[Comparison], results: Results) -> str:
    """A comparison by what sets it apart from the others of its part."""
    arm, other = comparison.arm, comparison.other
    words = [arm_name(arm.method, results)] if len({each.arm.method for each in every}) > 1 else []
    if other and len({each.other.method for each in every if each.other}) > 1:
        words.append(f"against {look(other.method).name}")
    if len({each.score for each in every}) > 1:
        words.append(f"on {score_name(comparison.score)}" if words else score_name(comparison.score))
    if len({each.arm.K for each in every}) > 1:
        words.append(f"at K = {votes_name(arm.K)}" if words else f"K = {votes_name(arm.K)}")
    return " ".join(words) or look(arm.method).name


def arm_name(method: str, results: Results) -> str:
    """A method by its name; an arm of the resampling study by its interval, and one that outlasts the training by what it is."""
    _, _, interval = method.partition("-every-")
    if not interval or "resampling" not in results.plans:
        return look(method).name
    epochs = results.plans["resampling"].trained_with.epochs
    return f"drawn every {interval} epochs" if int(interval) < epochs else f"one single draw ({interval} epochs)"


def score_name(score: str) -> str:
    """What a column is called in a sentence.

    >>> score_name("soft_nll"), score_name("auroc_far_energy"), score_name("sharpness_full")
    ('Soft NLL', 'Energy', 'sharpness full')
    """
    if score.startswith("auroc_"):
        return DETECTORS[score.rpartition("_")[2]]
    return QUANTITIES[score].name if score in QUANTITIES else score.replace("_", " ")


# --- direction and scale ---------------------------------------------------------------------------------------------


def _improvement(score: str) -> int:
    """1 where higher is better, -1 where lower is."""
    better = "higher" if score.startswith("auroc_") else SCORES[score].better
    return {"higher": 1, "lower": -1}[str(better)]


def sign(part: Part, score: str) -> int:
    """What a difference is multiplied by, so that positive is what the part claims."""
    if part.claim == "better" or (part.rule == "MONO" and part.against):  # a trend of improvements
        return _improvement(score)
    if part.claim == "worse" or part.rule == "NOT-WORSE":
        return -_improvement(score)
    return -1 if part.claim == "lower" else 1


def _scaled(part: Part, arm: Arm, score: str, runs: Runs) -> Values:
    values = runs.values(arm, score)
    if part.minus_score:
        values = subtract(values, runs.values(arm, part.minus_score))
    if part.scale == "log":  # what has no logarithm is no number: the rules leave the seed out and say so
        return {seed: math.log(value) if value > 0 else math.nan for seed, value in values.items()}
    if part.scale == "epochs":
        epochs = runs.values(arm, "epochs")
        return {seed: value / epochs[seed] for seed, value in values.items() if seed in epochs}
    return values
