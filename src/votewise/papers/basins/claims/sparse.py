"""Sparse votes: the sweep over K votes per item. Cells are hard deliveries at each K below all votes."""

from __future__ import annotations

from dataclasses import replace

from votewise.comparison import name as method_name
from votewise.comparison import smallest_p
from votewise.papers.basins.claims.shared import BASINS, MARGINS, by_votes, each_method, family, sweep, swept_values
from votewise.papers.basins.published import HARD, cells, number
from votewise.papers.claims import (
    Verdict,
    View,
    all_of,
    composed,
    each,
    equivalent,
    every,
    higher,
    holds,
    lower,
    mean,
    monotone,
    shown,
    unanimous,
)
from votewise.papers.claims.verdict import LEVEL

claim = BASINS.section("Sparse votes")

CELLS, UNANIMOUS, SEEDS = 12, 9, 5  # in the paper's sweep


s1 = claim("S1", "Each hard delivery has a lower soft NLL than soft labels at each K.",
    lambda r: every(lower, sweep(r)),
    asides={"all votes": lambda r: every(lower, each_method(r, HARD, "soft", "soft_nll"))},
    where="abstract, 5.1, Fig. 1, Table 1, Limitations", published=(number("s-cells"), cells(1)), beside=("S14", "S15", "X4"),
    how="The mean improvement over soft labels is above zero in every cell (delivery and K, without K = all), and the average over cells passes the direction test.")  # fmt: skip


def _s2(r: View) -> Verdict:
    every_cell = sweep(r)
    return unanimous(lower, every_cell, at_least=-(-UNANIMOUS * len(every_cell) // CELLS))


claim("S2", "In most cells, all seeds agree that hard delivery is better.", _s2,
    where="5.1", published=number("s-unanimous"), beside=("X2",), how="All seeds agree in at least 9 of 12 cells, or in the same share of the available cells.")  # fmt: skip

claim("S3", "In single cells, the delivery is better than soft labels at this K.",
    lambda r: replace(each(lower, sweep(r)), outcome="shown", ruling=None),
    where="Table 1", published=cells(1, "sls multipass deterministic"), beside=("X1",), how="Direction in each cell separately. Shown without a verdict, because it holds in 9 of the 12 cells of the paper's table.")  # fmt: skip


def _s4(r: View) -> Verdict:
    least, asked = smallest_p(SEEDS), LEVEL / CELLS
    reason = f"the smallest possible p-value of five pairs is {least:g}, and Holm's correction over {CELLS} cells requires {asked:.2g}"
    return holds(least > asked, reason, smallest_p=least, asked=asked)


def _s4_survivors_here(r: View) -> Verdict:
    found = each(lower, sweep(r))
    survivors = sum(cell.holm is not None and cell.holm <= LEVEL for cell in found.cells)
    reason = f"with {found.n} seeds, {survivors} of {len(found.cells)} cells remain significant"
    return replace(found, outcome="shown", reason=reason, numbers={"survivors": survivors}, ruling=None)


claim("S4", "With five seeds, no cell survives Holm's correction over the twelve cells.", _s4,
    asides={"in these runs": _s4_survivors_here},
    kind="arithmetic", where="5.1, Limitations", published=(number("s-holm"), number("s-min-p")), beside=("X3",),
    how="The smallest possible p-value of five pairs is above 0.05/12. The number of cells that remain significant in these runs is shown.")  # fmt: skip


s5 = claim("S5", "The improvement of hard delivery is largest at the smallest K.",
    lambda r: lower(family(r, "soft_nll", r.lower_half) - family(r, "soft_nll", r.upper_half)),
    where="5.1", published="no number in the text", beside=("X7", "S15"), note="The paper's own table does not show this: see X7.",
    how="Direction: the improvement, averaged over the three deliveries, is larger in the lower half of the sweep than in the upper half.")  # fmt: skip


def _s6(r: View) -> Verdict:
    passes = [r.difference(m, "sls", "soft_nll", K=k) for m in ("multipass", "deterministic") for k in r.upper_half]
    return all_of({"(a)": every(lower, sweep(r, votes=r.upper_half)), "(b)": lower(mean(passes))})


claim("S6", "The improvement remains at the larger K, most of all for multipass and deterministic control.", _s6,
    where="5.1", published=cells(1, "", "k25 k50"),
    how="(a) The improvement is above zero in each cell of the upper half of the sweep, and on average (direction). (b) Direction: in the upper half, the mean soft NLL of multipass and deterministic control is below that of SLS.")  # fmt: skip

claim("S7", "Hard accuracy is close between the deliveries over the sweep.",
    lambda r: equivalent(sweep(r, "accuracy"), MARGINS["accuracy"]),
    where="5.1", published="no number", how="Equivalence of the accuracy of each hard delivery and of soft labels in every cell, with a margin of 0.01. Contradicted if one difference is outside the margin after Holm's correction.")  # fmt: skip


claim("S8", "As K grows, the entropy correlation is modestly higher for hard delivery.",
    lambda r: all_of({"(a)": higher(family(r, "entropy_correlation", r.upper_half)), "(b)": monotone(by_votes(r, "entropy_correlation"))}),
    where="5.1", published="no number",
    how="The difference between hard delivery and soft labels is averaged over the deliveries. (a) Direction: it is above zero in the upper half of the sweep. (b) Monotone: it rises with K.")  # fmt: skip


def _grows(r: View, distance: str) -> dict[str, Verdict]:
    lowest, highest = (swept_values(r, f"{distance}_{end}") for end in ("lowest", "highest"))
    rises = {name: highest[name] - lowest[name] for name in lowest}
    return {"(a)": equivalent(lowest, 0.01), "(b)": every(higher, rises)}


def _correlated(r: View, quantity: str) -> Verdict:
    return every(higher, swept_values(r, quantity))


claim("S9", "Improvements are near zero where the sparse target is close to the full distribution, and grow with the distance.",
    lambda r: all_of(_grows(r, "js")),
    where="abstract, 5.1, Fig. 2", published="a figure without numbers", beside=("S13",),
    how="Items are put into bins by the JS distance between their sparse target and their full distribution. (a) Equivalence of the improvement in the lowest bin with zero, with a margin of 0.01, in every cell. (b) The improvement is larger in the highest bin than in the lowest, in every cell and on average (direction).")  # fmt: skip

s10 = claim("S10", "For each seed, delivery and K, JS distance and improvement are positively correlated.",
    lambda r: _correlated(r, "js_correlation"),
    where="5.1", published=number("s-js-spearman"), beside=("S13", "S15"), how="The rank correlation over items, computed for each seed, is above zero in every cell, and on average (direction).")  # fmt: skip


claim("S11", "S9 and S10 also hold with the L1 distance instead of the JS distance.",
    lambda r: all_of({**_grows(r, "l1"), "correlation": _correlated(r, "l1_correlation")}),
    where="Fig. 5", published="a figure without numbers", beside=("S13",),
    how="As S9 and S10, with the L1 distance: the sum over classes of the absolute differences between sparse target and full distribution.")  # fmt: skip


def _s12(r: View) -> Verdict:
    highest, others = (mean(swept_values(r, key).values()) for key in ("js_highest_high", "js_others_high"))
    return higher(highest - others)


claim("S12", "On the high slice, the bins with the largest error of the sparse target still show the largest improvements, with more noise.", _s12,
    where="Fig. 6", published="a figure without numbers", how="Direction: on the high slice, the improvement in the highest bin is larger than the mean of the other bins, averaged over deliveries and K.")  # fmt: skip


GIVEN = {
    "given entropy": "js_correlation_partial", "without unanimous items": "js_correlation_disputed",
    "training items given entropy": "train_js_correlation_partial", "training items without unanimous ones": "train_js_correlation_disputed",
}  # fmt: skip
claim("S13", "The correlation of S10 is not explained by disagreement alone, although the JS distance depends strongly on annotator entropy.",
    lambda r: all_of({name: _correlated(r, key) for name, key in GIVEN.items()}),
    kind="guard", published="no number; our calculation of the rank correlation of JS distance and entropy on CIFAR-10H: 0.96, 0.93, 0.89, 0.84 at K = 5, 10, 25, 50", beside=("S10",),
    how="The correlation is above zero in every cell (direction), both when controlled for annotator entropy and without unanimous items. This is computed for evaluation items, and for training items, on which soft labels fit the sparse targets.")  # fmt: skip


def _s14(r: View) -> Verdict:
    end = r.votes_per_item[-1]
    steps = {method_name(m): r.values(m, "soft_nll", K=end) - r.values(m, "soft_nll") for m in ("soft", *HARD)}
    return shown(steps) if _nested(r) else equivalent(steps, MARGINS["soft_nll"])


claim("S14", "The largest K of the sweep gives the same soft NLL as all votes.", _s14,
    kind="guard", published=(cells(1, "soft", "k50"), cells(2, "soft", "soft_nll")), beside=("X12",), note="In a nested sweep, all votes are the end of the sweep, so the difference is shown without a verdict.",
    how="Equivalence of the largest K and all votes with the same seeds, with a margin of 0.025, for each delivery.")  # fmt: skip


def _s15(r: View) -> Verdict:
    if r.votes_per_item and not _nested(r):
        return Verdict(outcome="undecided", reason="the sub-samples of this sweep are multinomial, not nested")
    return composed({"S1": s1(r), "S5": s5(r), "S10": s10(r)})


claim("S15", "Nested sub-samples, drawn without replacement, give the same results.", _s15,
    kind="guard", beside=("S1", "S5", "S10"), composed_of=("S1", "S5", "S10"), how="As S1, S5 and S10, on a nested sweep.")  # fmt: skip


def _nested(r: View) -> bool:
    return any(plan.subsample == "nested" for plan in r.results.plans.values() if set(plan.votes_per_item) != {"all"})
