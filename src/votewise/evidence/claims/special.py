"""Rules of single claims: counts and ratios that none of the general rules covers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from votewise import counter
from votewise.comparison.statistics.intervals import effect_size
from votewise.comparison.statistics.power import FEWEST, smallest_p
from votewise.comparison.statistics.wilcoxon import F64, agreement
from votewise.evidence.claims.measures import arms, cells, every_difference, score_name
from votewise.evidence.claims.rows import Part
from votewise.evidence.claims.rules import LEVEL, Verdict, all_cells, direction, shown, undecided
from votewise.evidence.claims.verdict import Outcome
from votewise.evidence.methods import look
from votewise.evidence.runs import Runs, aligned, mean, shared_seeds

RESAMPLES = 4000
FEW = 5  # seeds of the paper's sweep
DATASETS = ("chaosnli", "popquorn", "cifar10h")  # of the companion


def survivors(part: Part, runs: Runs) -> Verdict:
    """No cell survives Holm with five seeds: arithmetic; with as many as are here, how many do."""
    _, values = aligned(cells(part, runs))
    told = f"five pairs cannot go below p = {smallest_p(FEW):g}, and Holm over {part.of} cells asks for {LEVEL / part.of:.2g}"
    outcome: Outcome = "reproduced" if smallest_p(FEW) > LEVEL / part.of else "contradicted"
    if not values or not next(iter(values.values())):
        return Verdict(outcome, told)
    found = all_cells(values)
    left = sum(cell.holm is not None and cell.holm <= LEVEL for cell in found.cells)
    why = f"{told}; with {found.n} seeds here {left} of {len(values)} cells survive"
    return replace(found, outcome=outcome, why=why, uncorrected=False)


def unanimous(part: Part, runs: Runs) -> Verdict:
    """So many columns in which all seeds agree; contradicted if all seeds agree the other way in too many for that."""
    _, values = aligned(cells(part, runs))
    found = all_cells(values, side="two-sided")
    if found.n < FEWEST:
        return found
    as_claimed, otherwise = (
        [name for name, d in values.items() if agreement(d, side)[0] == found.n] for side in ("greater", "less")
    )
    outcome: Outcome = "reproduced" if len(as_claimed) >= part.at_least else "undecided"
    if len(values) - len(otherwise) < part.at_least:
        outcome = "contradicted"
    told = ", ".join(as_claimed) or "none"
    return replace(
        found, outcome=outcome, why=f"all {found.n} seeds agree on {len(as_claimed)} of {len(values)} ({told})"
    )


def first_order(part: Part, runs: Runs) -> Verdict:
    """How many times the largest mean difference among several arms the distance between the first two is."""
    every = [*arms(part.arms, part, runs.results), *arms(part.against, part, runs.results)]
    values = [runs.values(arm, part.scores[0]) for arm in every]
    seeds = shared_seeds(values)
    if len(seeds) < FEWEST:
        return undecided(f"{len(seeds)} shared seeds, and a verdict takes at least {FEWEST}", len(seeds))
    table = np.array([[each[seed] for seed in seeds] for each in values])

    def ratio(means: F64) -> F64:
        among = means[2:].max(axis=0) - means[2:].min(axis=0)
        return np.abs(means[0] - means[1]) / np.maximum(among, 1e-12)  # type: ignore[no-any-return]

    at, (low, high) = float(ratio(table.mean(axis=1, keepdims=True))[0]), resampled(ratio, table)
    outcome: Outcome = "reproduced" if at >= part.at_least else "contradicted" if high < part.at_least else "undecided"
    return Verdict(
        outcome, f"{at:.3g} times the largest difference among the others, by resampling seeds {low:.3g} to {high:.3g}",
        n=len(seeds), mean=at, low=low, high=high,
    )  # fmt: skip


def order(part: Part, runs: Runs) -> Verdict:
    """The measures by their difference in its own standard deviations, strongest first: shown."""
    seeds, values = aligned(cells(part, runs))
    if len(seeds) < 2:
        return undecided(f"{len(seeds)} shared seeds", len(seeds))
    effects = {measure: effect_size(d) for measure, d in values.items()}
    ranked = sorted(effects, key=lambda measure: -abs(effects[measure]))
    told = ", ".join(f"{measure} {effects[measure]:+.2f}" for measure in ranked)
    first = next(iter(values))
    return replace(shown(values[first], f"standardised differences: {told}"), cells=all_cells(values).cells)


def detectors_above(part: Part, runs: Runs) -> Verdict:
    """Detectors on which every delivery is above the others in the mean, and each delivery's average over detectors."""
    every = every_difference(part, runs)
    seeds = shared_seeds(every.values())
    if not seeds:
        return undecided("the arms share no seed")
    counting = [
        score
        for score in part.scores
        if all(np.mean([v[seed] for seed in seeds]) > 0 for cell, v in every.items() if cell.score == score)
    ]
    average = {
        arm: mean(v for cell, v in every.items() if cell.arm == arm)
        for arm in dict.fromkeys(cell.arm for cell in every)
    }
    found = {look(arm.method).name: direction([v[seed] for seed in seeds]) for arm, v in average.items()}
    outcomes = {each.outcome for each in found.values()}
    outcome: Outcome = "undecided"
    if "contradicted" in outcomes:
        outcome = "contradicted"
    elif len(counting) >= part.at_least and outcomes == {"reproduced"}:
        outcome = "reproduced"
    told = "; ".join(f"{name} on average {each.mean:+.3g} (p = {each.p:.3g})" for name, each in found.items() if each.n)
    return replace(
        all_cells(aligned(cells(part, runs))[1]),
        outcome=outcome,
        why=f"{len(counting)} of {len(part.scores)} detectors ({_names(counting)}); {told}",
        uncorrected=False,
    )


def detectors_highest(part: Part, runs: Runs) -> Verdict:
    """Detectors on which the arm has the highest mean; on the others, whether an arm passes the direction rule against it."""
    every = every_difference(part, runs)
    seeds = shared_seeds(every.values())
    found = {cell: direction([v[seed] for seed in seeds]) for cell, v in every.items()}
    highest = [s for s in part.scores if all((v.mean or 0) > 0 for cell, v in found.items() if cell.score == s)]
    beaten = sorted(
        {cell.score for cell, v in found.items() if cell.score not in highest and v.outcome == "contradicted"}
    )
    outcome: Outcome = "undecided"
    if len(seeds) >= FEWEST and len(highest) >= part.at_least:
        outcome = "reproduced"
    elif beaten:
        outcome = "contradicted"
    told = f"; an arm passes against it on {_names(beaten)}" if beaten else ""
    return replace(
        all_cells(aligned(cells(part, runs))[1]),
        outcome=outcome,
        why=f"highest on {len(highest)} of {len(part.scores)} detectors ({_names(highest)}){told}",
        uncorrected=False,
    )


def reduction(part: Part, runs: Runs) -> Verdict:
    """One minus the ratio of two means over seeds."""
    return _relative(part, runs, lambda means: 1 - means[0] / means[1])


def gain(part: Part, runs: Runs) -> Verdict:
    """The ratio of two means over seeds, minus one; not defined where the second is not above zero."""
    return _relative(part, runs, lambda means: means[0] / means[1] - 1)


def _relative(part: Part, runs: Runs, statistic: Callable[[F64], F64]) -> Verdict:
    """A relative difference of two means, shown: a verdict would take all datasets of the companion."""
    first, second = (
        runs.values(arm, part.scores[0])
        for names in (part.arms, part.against)
        for arm in arms(names, part, runs.results)
    )
    seeds = shared_seeds((first, second))
    table = np.array([[each[seed] for seed in seeds] for each in (first, second)])
    need = f"a verdict takes {', '.join(DATASETS)} together"
    if len(seeds) < 2:
        return undecided(f"{len(seeds)} shared seeds; {need}", len(seeds))
    if not table[1].mean() > 0:
        return undecided(f"not defined: the mean of {look(part.against[0]).name} is not above zero; {need}", len(seeds))
    value, (low, high) = float(statistic(table.mean(axis=1))), resampled(statistic, table)
    why = f"{value:.3g} on this dataset, by resampling seeds {low:.3g} to {high:.3g}; {need}"
    return Verdict("undecided", why, n=len(seeds), mean=value, low=low, high=high)


def resampled(statistic: Callable[[F64], F64], table: F64, level: float = 0.95) -> tuple[float, float]:
    """The interval of a statistic of the means of arms [m, n] over seeds, by drawing seeds with replacement."""
    n = table.shape[1]
    drawn = counter.below(
        counter.draw(counter.key("resampled-seeds", 0), np.arange(RESAMPLES)[:, None], np.arange(n)[None, :]), n
    )
    found = statistic(table[:, drawn].mean(axis=2))
    low, high = np.quantile(found[np.isfinite(found)], [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _names(scores: list[str]) -> str:
    return ", ".join(map(score_name, scores)) or "none"


SPECIAL: dict[str, Callable[[Part, Runs], Verdict]] = {
    "survivors": survivors, "unanimous": unanimous, "first order": first_order, "order": order,
    "detectors above": detectors_above, "detectors highest": detectors_highest, "reduction": reduction, "gain": gain,
}  # fmt: skip
