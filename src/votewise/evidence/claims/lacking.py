"""What a part of a claim needs and the results do not have, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from votewise.evidence.claims.measures import Comparison, arms, comparisons, every_difference, votes
from votewise.evidence.claims.rows import Part
from votewise.evidence.methods import votes_name
from votewise.evidence.results import Results
from votewise.evidence.runs import Arm, Runs, shared_seeds
from votewise.scoring import SCORES

# The probe that a column comes from, by how its name begins; others are scores, or facts of the run itself.
PROBES = {
    "curvature": ("lambda_", "trace_", "weight_norm", "sharpness_"),
    "barrier": ("barrier", "loss_first", "loss_second"),
    "representation": ("cka", "gradcam_"),
    "noise": ("noise_",),
    "dynamics": ("epoch_95", "best_epoch", "soft_nll_end"),
    "ood": ("auroc_", "fpr95_", "aupr_"),
    "reliability": ("diagonal_distance", "reliability_gap"),
    "diagnosis": ("js_", "l1_", "train_js_", "train_l1_"),
    "spread": (
        "largest_class", "constant_loss", "entropy_pearson", "entropy_gap_high", "peak_gap_high", "kl_low_third",
        "kl_high_third", "vote_entropy_", "own_",
    ),
    "same-winner": ("kl_gain_agreed", "items_agreed"),
}  # fmt: skip
MOST = 3  # things that a sentence names


def lacking(part: Part, runs: Runs) -> str:
    """What is not there, as in "needs the study sparse"; "" where everything is."""
    results = runs.results
    studies = {arm.study for arm in arms((*part.arms, *part.against), part, results)} | {part.study}
    if absent := sorted(studies - results.members.keys()):
        return f"needs the study {' and '.join(absent)}"
    asked = asked_of(part, results)
    if not asked or (part.minus_votes and not votes(part.minus_votes, results)):
        return "needs a sweep over votes per item" if part.K != "all" else "needs several intervals between draws"
    wanted: dict[tuple[str, str], list[str]] = defaultdict(list)
    for arm, score in dict.fromkeys((arm, score) for each in asked for arm, score in _numbers(part, each)):
        if not runs.values(arm, score):
            at = f" at K = {votes_name(arm.K)}" if arm.study == "sparse" else ""
            wanted[_what(score) if runs.seeds(arm) else "runs of", f" of {arm.study}{at}"].append(arm.method)
    some = [f"{what} {', '.join(dict.fromkeys(methods))}{where}" for (what, where), methods in wanted.items()]
    more = f" and {len(some) - MOST} more" if len(some) > MOST else ""
    last = " at the last checkpoint" if runs.checkpoint == "last" else ""
    return f"needs {'; '.join(some[:MOST])}{more}{last}" if some else ""


def asked_of(part: Part, results: Results) -> list[Comparison]:
    """The comparisons of a part, those that a contrast takes off among them."""
    off = part.model_copy(update={"K": part.minus_votes}) if part.minus_votes else None
    return [*comparisons(part, results), *(comparisons(off, results) if off else ())]


def seeds_there(part: Part, runs: Runs) -> int:
    """How many seeds those comparisons share that have any."""
    return len(shared_seeds(values for values in every_difference(part, runs).values() if values))


def left_out(parts: Iterable[Part], results: Results) -> tuple[str, ...]:
    """Runs of the arms of these parts that are not there, each with the reason: their seeds are left out."""
    from votewise.studies import label

    named = {
        arm for part in parts for each in asked_of(part, results) for arm in (each.arm, each.other) if arm is not None
    }
    found = []
    for run in results.missing:
        if run.config is None:
            continue
        k = run.config.subsample.k if run.config.subsample else None
        fitting = [arm for arm in named if k == arm.K and run.id in results.members.get(arm.study, ())]
        if label(run.config.method) in {arm.method for arm in fitting}:
            found.append(str(run))
    return tuple(found)


def probe_of(score: str) -> str:
    """The probe that a column comes from; "" for a score or a fact of the run.

    >>> probe_of("lambda_max_full"), probe_of("js_lowest"), probe_of("js_distance"), probe_of("soft_nll")
    ('curvature', 'diagnosis', '', '')
    """
    if score in SCORES:
        return ""
    return next((probe for probe, names in PROBES.items() if score.startswith(names)), "")


def _numbers(part: Part, comparison: Comparison) -> Iterable[tuple[Arm, str]]:
    for arm in (comparison.arm, comparison.other):
        for score in (comparison.score, part.minus_score):
            if arm is not None and score:
                yield arm, score


def _what(score: str) -> str:
    probe = probe_of(score)
    return f"the probe {probe} on" if probe else f"the score {score} of"
