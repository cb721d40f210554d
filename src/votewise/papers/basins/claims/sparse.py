"""Sparse votes: the sweep over K votes per item. Cells are hard deliveries at each K below all votes."""

from __future__ import annotations

from dataclasses import replace

from votewise.comparison import name as method_name
from votewise.comparison import smallest_p
from votewise.papers.basins.claims.paper import BASINS, MARGINS, family, halves, sweep
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

CELLS, UNANIMOUS, SEEDS = 12, 9, 5  # of the paper's sweep


@claim(
    "S1", "Each hard delivery has a lower soft NLL than soft labels at each K.",
    where="abstract, 5.1, Fig. 1, Table 1, Limitations",
    how="Improvement over soft labels above zero: the mean of every cell (delivery and K below all votes), and the average over cells by the direction test.",
    published=(number("s-cells"), cells(1)), beside=("S14", "S15", "X4"),
)  # fmt: skip
def s1(r: View) -> Verdict:
    return every(lower, sweep(r))


@s1.aside("all votes")
def _(r: View) -> Verdict:
    return every(lower, {method_name(method): r.difference(method, "soft", "soft_nll") for method in HARD})


@claim(
    "S2", "In most cells every seed agrees.",
    where="5.1", how="All seeds agree in at least 9 of 12 cells, or in the same share of as many as there are.",
    published=number("s-unanimous"), beside=("X2",),
)  # fmt: skip
def s2(r: View) -> Verdict:
    every_cell = sweep(r)
    return unanimous(lower, every_cell, at_least=-(-UNANIMOUS * len(every_cell) // CELLS))


@claim(
    "S3", "The single cell: this delivery is better than soft labels at this K.",
    where="Table 1", how="Direction in each cell by itself; shown, as the paper's own table has it in 9 of 12.",
    published=cells(1, "sls multipass deterministic"), beside=("X1",),
)  # fmt: skip
def s3(r: View) -> Verdict:
    return replace(each(lower, sweep(r)), outcome="shown", ruling=None)


@claim(
    "S4", "With five seeds no cell survives Holm over the twelve.",
    kind="arithmetic", where="5.1, Limitations", how="The smallest p of five pairs is above 0.05/12. How many survive here is shown.",
    published=(number("s-holm"), number("s-min-p")), beside=("X3",),
)  # fmt: skip
def s4(r: View) -> Verdict:
    least, asked = smallest_p(SEEDS), LEVEL / CELLS
    reason = f"five pairs cannot go below p = {least:g}, and Holm over {CELLS} cells asks for {asked:.2g}"
    return holds(least > asked, reason, smallest_p=least, asked=asked)


@s4.aside("survivors here")
def _(r: View) -> Verdict:
    found = each(lower, sweep(r))
    survivors = sum(cell.holm is not None and cell.holm <= LEVEL for cell in found.cells)
    reason = f"with {found.n} seeds {survivors} of {len(found.cells)} cells survive"
    return replace(found, outcome="shown", reason=reason, numbers={"survivors": survivors}, ruling=None)


@claim(
    "S5", "The effect is strongest at the smallest K.",
    where="5.1",
    how="Improvement averaged over the three deliveries: the lower half of the sweep minus the upper half above zero, by the direction test.",
    published="no number in the text", beside=("X7", "S15"), note="The paper's own table does not show it: see X7.",
)  # fmt: skip
def s5(r: View) -> Verdict:
    few, more = halves(r)
    return lower(family(r, "soft_nll", few) - family(r, "soft_nll", more))


@claim(
    "S6", "It is still there at the larger K, above all for multipass and deterministic control.",
    where="5.1",
    how="(a) Improvement above zero in each cell of the upper half of the sweep, and on average. (b) There, the mean of multipass and deterministic control is below SLS: direction.",
    published=cells(1, "", "k25 k50"),
)  # fmt: skip
def s6(r: View) -> Verdict:
    _, more = halves(r)
    passes = [r.difference(method, "sls", "soft_nll", K=k) for method in ("multipass", "deterministic") for k in more]
    return all_of({"(a)": every(lower, sweep(r, votes=more)), "(b)": lower(mean(passes))})


@claim(
    "S7", "Hard accuracy is close between the deliveries over the sweep.",
    where="5.1", how="Accuracy of each hard delivery minus soft labels inside 0.01 in every cell; contradicted if one lies outside after Holm's correction.",
    published="no number",
)  # fmt: skip
def s7(r: View) -> Verdict:
    return equivalent(sweep(r, "accuracy"), MARGINS["accuracy"])


@claim(
    "S8", "Entropy correlation is modestly higher for hard delivery as K grows.",
    where="5.1",
    how="Hard delivery minus soft labels, averaged over the deliveries. (a) In the upper half of the sweep above zero: direction. (b) It rises with K: monotone.",
    published="no number",
)  # fmt: skip
def s8(r: View) -> Verdict:
    _, more = halves(r)
    by_votes = {f"K = {k}": family(r, "entropy_correlation", [k]) for k in r.votes_per_item}
    return all_of({"(a)": higher(family(r, "entropy_correlation", more)), "(b)": monotone(by_votes)})


def _grows(r: View, distance: str) -> dict[str, Verdict]:
    lowest, highest = (sweep(r, f"{distance}_{end}", against=None) for end in ("lowest", "highest"))
    return {
        "(a)": equivalent(lowest, 0.01),
        "(b)": every(higher, {name: highest[name] - lowest[name] for name in lowest}),
    }


@claim(
    "S9", "Improvements are near zero where the sparse target is close to the full distribution, and grow with its distance.",
    where="abstract, 5.1, Fig. 2",
    how="Improvement of an item by JS distance, in bins. (a) Lowest bin inside 0.01 in every cell. (b) Highest minus lowest bin above zero in every cell, and on average.",
    published="a figure without numbers", beside=("S13",),
)  # fmt: skip
def s9(r: View) -> Verdict:
    return all_of(_grows(r, "js"))


@claim(
    "S10", "Per seed, JS distance and improvement are positively correlated, for each delivery and K.",
    where="5.1", how="Rank correlation over items, per seed, above zero in every cell, and on average.",
    published=number("s-js-spearman"), beside=("S13", "S15"),
)  # fmt: skip
def s10(r: View) -> Verdict:
    return every(higher, sweep(r, "js_correlation", against=None))


@claim(
    "S11", "The picture is the same with the L1 error.",
    where="Fig. 5", how="S9 and S10 with the sum over classes of the absolute differences between sparse target and full distribution.",
    published="a figure without numbers", beside=("S13",),
)  # fmt: skip
def s11(r: View) -> Verdict:
    correlation = every(higher, sweep(r, "l1_correlation", against=None))
    return all_of({**_grows(r, "l1"), "correlation": correlation})


@claim(
    "S12", "On the high slice the bins of highest error still show the largest improvements, with more noise.",
    where="Fig. 6", how="Highest bin of the high slice minus the mean of the others above zero, averaged over deliveries and K: direction.",
    published="a figure without numbers",
)  # fmt: skip
def s12(r: View) -> Verdict:
    highest, others = (mean(sweep(r, key, against=None).values()) for key in ("js_highest_high", "js_others_high"))
    return higher(highest - others)


@claim(
    "S13", "The correlation of S10 is not only disagreement in disguise: the JS distance follows annotator entropy closely.",
    kind="guard",
    how="The correlation given annotator entropy, and without unanimous items, above zero in every cell; for evaluation items, and for training items, whose sparse targets soft labels fit.",
    published="rank correlation of JS distance and entropy on CIFAR-10H: 0.96, 0.93, 0.89, 0.84 at K = 5, 10, 25, 50 (ours)", beside=("S10",),
)  # fmt: skip
def s13(r: View) -> Verdict:
    keys = {
        "given entropy": "js_correlation_partial",
        "without unanimous items": "js_correlation_disputed",
        "training items, given entropy": "train_js_correlation_partial",
        "training items, without unanimous ones": "train_js_correlation_disputed",
    }
    return all_of({name: every(higher, sweep(r, key, against=None)) for name, key in keys.items()})


@claim(
    "S14", "The sweep ends where all votes begin.",
    kind="guard", how="Largest K minus all votes, same seeds, inside 0.025 for each delivery.",
    published=(cells(1, "soft", "k50"), cells(2, "soft", "soft_nll")), beside=("X12",),
    note="In a nested sweep all votes are its end: the difference is shown.",
)  # fmt: skip
def s14(r: View) -> Verdict:
    end = r.votes_per_item[-1]
    steps = {method_name(m): r.values(m, "soft_nll", K=end) - r.values(m, "soft_nll") for m in ("soft", *HARD)}
    return shown(steps) if _nested(r) else equivalent(steps, MARGINS["soft_nll"])


@claim(
    "S15", "Nested sub-samples without replacement give the same answers.",
    kind="guard", how="S1, S5 and S10 on such a sweep.", beside=("S1", "S5", "S10"), composed_of=("S1", "S5", "S10"),
)  # fmt: skip
def s15(r: View) -> Verdict:
    if r.votes_per_item and not _nested(r):
        return Verdict(outcome="undecided", reason="the sub-samples of this sweep are multinomial, not nested")
    return composed({"S1": s1(r), "S5": s5(r), "S10": s10(r)})


def _nested(r: View) -> bool:
    return any(plan.subsample == "nested" for plan in r.results.plans.values() if set(plan.votes_per_item) != {"all"})
