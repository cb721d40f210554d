"""The methods side by side: how well each fits the votes of held-out items, and its difference from a reference method."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from votewise.comparison.methods import Methods
from votewise.comparison.quantities import head
from votewise.comparison.statistics.intervals import interval
from votewise.comparison.tables import Definition, Line, Table, Test, make_table
from votewise.comparison.uniform import uniform_words
from votewise.comparison.wording import votes_name
from votewise.profile import FITS, TO_SHARES
from votewise.studies import Needs, Plan, Results, label

KEY = "methods"
TITLE = "The methods side by side"
COMPARED = "soft_nll"  # the score that methods are compared on


def side_by_side(results: Results) -> Table:
    """One row per method and number of votes per item.

    Soft NLL is compared with that of the reference, the method that most plans list first, at the same number of votes per item and over
    paired seeds: two-sided p-values of the exact Wilcoxon test after Holm's correction over all rows.

    Args:
        results: results on one dataset; studies that are not comparable with the first study are left out.

    Returns:
        The table. If no run is finished, its `missing` lists the methods.
    """
    results = comparable(results)
    methods, reference = Methods.of(results), reference_of(results)
    arms = _arms(results.plans.values(), reference, methods)
    fitted = any(results.values(method, "excess", K=K, checkpoint="last") for method, K in arms)
    swept = any(K is not None for _, K in arms)
    against = methods.in_sentence(reference) if reference else ""
    ids = {(method, K): method if K is None else f"{method}-k{K}" for method, K in arms}
    words = (
        "Difference: mean over paired seeds with its 95 % t interval, not corrected. p: two-sided exact Wilcoxon test over paired seeds, after Holm's"
        f" correction over {{comparisons}}, separately for each epoch. {_chance(results)}"
    )
    definition = Definition(
        key=KEY,
        title=TITLE,
        head="Method",
        rows=[Line(ids[m, K], _name(m, K, methods, reference, swept), {"method": m, "K": K}) for m, K in arms],
        columns=_columns(fitted),
        caption=_caption(results, fitted),
        reading=f"A lower soft NLL is a better fit to the votes. The difference is relative to {against} with the same seeds; negative is better.",
        needs=(Needs(results.methods()),),
        of={"tested": False},
        test=Test(against=reference or "", improves=False, words=words, family=True),
        blank=frozenset((id, "excess") for (method, _), id in ids.items() if method not in TO_SHARES),
    )
    return make_table(definition, results)


def reference_of(results: Results) -> str | None:
    """The method that the others are compared with: among methods with runs, the one that most plans list first."""
    votes = (None, *results.votes_per_item())
    run = {method for method in results.methods() if any(results.values(method, COMPARED, K=K) for K in votes)}
    labels = ([name for name in map(label, plan.arms) if name in run] for plan in results.plans.values())
    firsts = Counter(names[0] for names in labels if names)
    return max(firsts, key=firsts.__getitem__, default=None)


class Improvement(NamedTuple):
    """The improvement of a method on a reference over n paired seeds: the mean, its 95 % interval (t), and the number of seeds that agree."""

    mean: float
    low: float
    high: float
    agree: int
    n: int


def improvement(
    results: Results, method: str, reference: str, quantity: str, K: int | None = None
) -> Improvement | None:
    """The reference minus the method, for a quantity where lower is better; None with fewer than two shared seeds."""
    gain = results.paired(reference, method, quantity, K=K).difference
    return Improvement(float(gain.mean()), *interval(gain), int((gain > 0).sum()), len(gain)) if len(gain) > 1 else None


def comparable(results: Results) -> Results:
    """The results of the studies whose runs are comparable with those of the first study.

    They have the same dataset, recipe and split, and sub-sample votes in the same way.
    """
    plans = dict(results.plans)
    if not plans:
        return results
    first = next(iter(plans.values()))
    sweeps = [plan for plan in plans.values() if plan.votes_per_item != ("all",)]

    def alike(plan: Plan) -> bool:
        trained = (plan.dataset, plan.trained_with, plan.split) == (first.dataset, first.trained_with, first.split)
        drawn = plan not in sweeps or (plan.subsample, plan.subsample_seed) == (
            sweeps[0].subsample,
            sweeps[0].subsample_seed,
        )
        return trained and drawn

    return results.select(studies=[study for study, plan in plans.items() if alike(plan)])


def _columns(fitted: bool) -> list[Line]:
    compared: dict[str, Any] = {"quantity": COMPARED, "tested": True}
    columns = [
        Line(COMPARED, head(COMPARED), compared),
        Line("difference", "Difference (95 % interval)", compared | {"show": "difference"}),
        Line("p", "p (Holm)", compared | {"show": "p_holm"}),
        Line("accuracy", head("accuracy"), {"quantity": "accuracy"}),
        Line("smooth_ece_votes", "Calibration error ↓", {"quantity": "smooth_ece_votes", "show": "mean"}),
    ]
    if fitted:
        columns.append(Line("excess", head("excess"), {"quantity": "excess", "checkpoint": "last", "show": "mean"}))
    return columns


def _arms(plans: Iterable[Plan], reference: str | None, methods: Methods) -> list[tuple[str, int | None]]:
    """Each method at each number of votes per item, once: all votes first, then descending; within each number, the reference first, then the order of charts."""
    swept = ((label(arm), K) for plan in plans for K in plan.votes_per_item for arm in plan.arms)
    arms = dict.fromkeys((method, None if K == "all" else K) for method, K in swept)
    order = methods.in_order(method for method, _ in arms)
    return sorted(arms, key=lambda arm: (arm[1] is not None, -(arm[1] or 0), arm[0] != reference, order.index(arm[0])))


def _name(method: str, K: int | None, methods: Methods, reference: str | None, swept: bool) -> str:
    votes = f", {votes_name(K)} vote{'' if K == 1 else 's'}" if swept else ""
    return f"{methods.name(method)}{votes}{' (ref.)' if method == reference else ''}"


def held_out(results: Results) -> tuple[int | None, bool]:
    """The number of held-out items of a run, and whether each seed holds out different items."""
    plan = next(iter(results.plans.values()), None)
    if plan is None:
        return None, True
    fixed = plan.split.seed is not None or (plan.split.given and plan.dataset.predefined_split)
    return results.evaluated.get(plan.dataset.title), not fixed


def _caption(results: Results, fitted: bool) -> str:
    count, per_seed = held_out(results)
    items = "items" if count is None else f"{count:,} items"
    chosen = "separate validation items" if results.validated else "the same items"
    split = f"Each seed holds out a different set of {items}" if per_seed else f"All seeds hold out the same {items}"
    parts = [
        f"Scores are against all votes of the held-out items. The best epoch of each run is chosen on {chosen}; the last epoch needs no choice.",
        f"{split}. Soft NLL equals KL from the votes plus the entropy of the votes, so differences in soft NLL are differences in KL.",
        uniform_words(results),
        "Accuracy is measured against the majority of the votes (the lowest class of a tie), and the calibration error (smooth ECE) against the vote shares;"
        " the smooth ECE of the reliability curves is against the majority, and may rank methods differently.",
    ]
    if fitted:
        parts.append(
            "Training excess: training loss at the last epoch minus the entropy of the targets, in nats, for methods whose expected target is the vote"
            f" share. A model fits its targets if the excess is at most {100 * FITS:.0f} % of the excess that uniform predictions would have."
        )
    return " ".join(filter(None, parts))


def _chance(results: Results) -> str:
    """The sources of variation that the tests account for."""
    _, per_seed = held_out(results)
    if per_seed:
        return "The tests account for splits, initial weights and data order, but not for new items, because the held-out items of different seeds overlap."
    return "The tests account for initial weights and data order, but not for new items."
