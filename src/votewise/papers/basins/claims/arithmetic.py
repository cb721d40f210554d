"""Arithmetic on the published numbers: what follows from them alone, and what does not. No run is needed."""

from __future__ import annotations

from itertools import product

import numpy as np

from votewise.comparison import holm, seeds_needed, smallest_p
from votewise.papers.basins.arithmetic import (
    detector_tail_counts,
    detectors_above,
    end_of_the_sweep,
    entropy_floor,
    flatness_ratios,
    improvement,
    sls_in_three_places,
    smallest_printed_p,
    tail_counts,
)
from votewise.papers.basins.claims.paper import BASINS
from votewise.papers.basins.published import HARD, cells, number, published
from votewise.papers.claims import Verdict, View, holds, verdict
from votewise.papers.claims.verdict import LEVEL

claim = BASINS.section("Arithmetic on the published numbers")


@claim(
    "X1", "Five pairs: the smallest p is 1/32 = 0.03125 one-sided and 2/32 = 0.0625 two-sided.",
    kind="arithmetic", where="5.1, 5.2", published=number("s-min-p"),
)  # fmt: skip
def x1(r: View) -> Verdict:
    one, two = published().number("s-min-p"), published().number("h-p-shuffled")
    least = smallest_p(one["n"]), smallest_p(two["n"], 2)
    return holds(
        least == (one["p"], two["p"]),
        f"{one['n']} pairs cannot go below p = {least[0]:g} one-sided or {least[1]:g} two-sided; printed are {one['p']:g} and {two['p']:g}",
        one_sided=least[0],
        two_sided=least[1],
    )


@claim(
    "X2", "Nine of the twelve cells of Table 1 have that p; the other three (0.063, 0.063, 0.094) mean four of five seeds each.",
    kind="arithmetic", where="5.1", published=number("s-unanimous"),
)  # fmt: skip
def x2(r: View) -> Verdict:
    least, others = smallest_printed_p(published().table(1))
    entry = published().number("s-unanimous")
    agree = sorted(set[int]().union(*(seeds for _, seeds in others)))
    return holds(
        least == entry["count"] and agree == [entry["n"] - 1],
        f"{least} of {least + len(others)} cells have the smallest p; in the others ({', '.join(f'{p:g}' for p, _ in others)})"
        f" {' or '.join(map(str, agree))} of {entry['n']} seeds agree",
        smallest=least,
        others=len(others),
    )


@claim(
    "X3", "Holm over 12 cells cannot reject with five pairs; it takes 8 pairs one-sided, 9 two-sided.",
    kind="arithmetic", where="5.1", published=number("s-holm"),
)  # fmt: skip
def x3(r: View) -> Verdict:
    entry = published().number("s-holm")
    printed = [cell.p for cell in published().table(1).cells.values() if cell.p is not None]
    best, survive = float(holm([smallest_p(entry["n"])] * len(printed)).min()), int((holm(printed) <= LEVEL).sum())
    one, two = seeds_needed(len(printed)), seeds_needed(len(printed), 2)
    return holds(
        best > LEVEL and survive == entry["count"],
        f"with {entry['n']} pairs the smallest p after Holm over {len(printed)} cells is {best:.3g}, and {survive} survive;"
        f" it takes {one} pairs one-sided, {two} two-sided",
        smallest_after_holm=best,
        survivors=survive,
        one_sided=one,
        two_sided=two,
    )


@claim(
    "X4", "All 12 cells of Table 1 are below soft labels.", kind="arithmetic", where="5.1", published=number("s-cells")
)
def x4(r: View) -> Verdict:
    table, entry = published().table(1), published().number("s-cells")
    below = [table.mean(row, k) < table.mean("soft", k) for row, k in product(HARD, table.columns)]
    return holds(
        sum(below) == entry["count"] == len(below),
        f"{sum(below)} of {len(below)} cells are below soft labels",
        below=sum(below),
    )


@claim(
    "X5", "Table 7: the hard family is above soft labels on five of six detectors, and deterministic control is highest on five of six.",
    kind="arithmetic", where="5.3, Table 7", published=(number("o-svhn-above"), number("o-svhn-deterministic")),
)  # fmt: skip
def x5(r: View) -> Verdict:
    table = published().table(7)
    above = detectors_above(table)
    highest = [row for row in table.rows if max(table.columns, key=lambda m: table.mean(row, m)) == "deterministic"]
    claimed = published().number("o-svhn-above")["count"], published().number("o-svhn-deterministic")["count"]
    others = ", ".join(heading["label"] for row, heading in table.rows.items() if row not in above) or "none"
    return holds(
        (len(above), len(highest)) == claimed,
        f"the hard family is above soft labels on {len(above)} of {len(table.rows)} detectors (not {others}),"
        f" deterministic control is highest on {len(highest)}",
        above=len(above),
        highest=len(highest),
    )


@claim(
    "X6", "Table 8: SLS is above on six of six detectors. Table 9: nine of nine cells are above soft labels.",
    kind="arithmetic", where="5.3", published=(cells(8, "", "sls soft"), cells(9)),
)  # fmt: skip
def x6(r: View) -> Verdict:
    near, family = published().table(8), published().table(9)
    above = [near.mean(row, "sls") > near.mean(row, "soft") for row in near.rows]
    inside = [family.mean(row, m) > family.mean(row, "soft") for row, m in product(family.rows, HARD)]
    return holds(
        all(above) and all(inside),
        f"SLS is above soft labels on {sum(above)} of {len(above)} detectors of Table 8,"
        f" the hard family in {sum(inside)} of {len(inside)} cells of Table 9",
        detectors=sum(above),
        cells=sum(inside),
    )


@claim(
    "X7", "The effect is strongest at K = 5 and K = 10.",
    kind="arithmetic", where="5.1, Table 1", published=cells(1), beside=("S5", "U7"),
    note="In Table 1 the average improvement is largest at K = 50 and smallest at K = 5.",
)  # fmt: skip
def x7(r: View) -> Verdict:
    gain, table = improvement(published()), published().table(1)
    loss = {heading["votes_per_item"]: table.mean("soft", k) for k, heading in table.columns.items()}
    few = sorted(gain)[: len(gain) // 2]
    shares = ", ".join(f"{gain[k] / loss[k]:.1%}" for k in gain).replace("%", " %")
    return holds(
        min(gain[k] for k in few) > max(gain[k] for k in gain if k not in few),
        f"the average improvement is {', '.join(f'{value:.4f}' for value in gain.values())} at K = {', '.join(map(str, gain))}"
        f" ({shares} of the loss): largest at K = {max(gain, key=gain.__getitem__)}, smallest at K = {min(gain, key=gain.__getitem__)}",
        **{f"K={k}": value for k, value in gain.items()},
    )


@claim(
    "X8", "The four p-values of the main comparison are values of the exact two-sided test over ten pairs.",
    kind="arithmetic", where="5.2",
    published=tuple(number(f"f-p-{score}") for score in ("soft-nll", "accuracy", "ece-equal-mass", "entropy-correlation")),
)  # fmt: skip
def x8(r: View) -> Verdict:
    one, two = tail_counts(published(), 1), tail_counts(published(), 2)
    n = published().number("f-p-soft-nll")["n"]
    return holds(
        None not in two.values() and not any(one.values()),
        f"they are twice {', '.join(map(str, two.values()))} of {2**n} sign patterns: exact two-sided values over {n} pairs,"
        " and none is a one-sided one",
        **{score: count for score, count in two.items() if count is not None},
    )


@claim(
    "X9", "The p-values of Table 8 are values of the exact one-sided test over ten pairs and of no two-sided one; Holm over the six rejects none either way.",
    kind="arithmetic", where="Table 8", published=cells(8, "", "sls-vs-soft"), note="The text calls them paired p without the side.",
)  # fmt: skip
def x9(r: View) -> Verdict:
    one, two = detector_tail_counts(published(), 1), detector_tail_counts(published(), 2)
    if None in one.values() or any(two.values()):
        return holds(False, "they are not exact one-sided values alone")
    counts = {row: count for row, count in one.items() if count is not None}
    exact = np.array(list(counts.values())) / 1024
    survive = [int((holm(p) <= LEVEL).sum()) for p in (exact, np.minimum(2 * exact, 1))]
    return verdict(
        "shown",
        f"they are {', '.join(map(str, counts.values()))} of 1024: exact one-sided values over ten pairs, which the text does not say;"
        f" two-sided they are {', '.join(f'{2 * p:.4f}' for p in exact)}, and Holm over the {len(exact)} leaves {survive[0]} one-sided,"
        f" {survive[1]} two-sided",
        **counts,
    )


@claim(
    "X10", "Soft NLL minus KL is the same for all five methods: the mean annotator entropy in nats.",
    kind="arithmetic", where="Tables 2, 5", published=(cells(2, "", "soft_nll"), cells(5, "", "kl")),
    note="It fixes the base of the logarithm and the direction of KL.",
)  # fmt: skip
def x10(r: View) -> Verdict:
    gap = entropy_floor(published())
    low, high = min(gap.values()), max(gap.values())
    rounding = (
        2 * 10.0 ** -published().table(2).columns["soft_nll"]["decimals"]
    )  # four numbers, each off by at most half a unit
    return holds(
        high - low <= rounding + 1e-12,
        f"soft NLL minus KL is {low:.4f} to {high:.4f} for {len(gap)} methods: the mean annotator entropy in nats, so KL is that of the"
        " annotators from the model",
        **gap,
    )


@claim(
    "X11", "Drawing every epoch gives 0.5027 in the resampling probe, SLS has 0.5035 in the ablation and 0.5052 in the main comparison: three sets of runs.",
    kind="arithmetic", where="5.1, Tables 2, 3",
    published=(number("t-resample-1"), cells(3, "sls", "soft_nll"), cells(2, "sls", "soft_nll")), note="With shared runs ours is one number.",
)  # fmt: skip
def x11(r: View) -> Verdict:
    places = sls_in_three_places(published())
    named = ", ".join(f"{value:.4f} ({place})" for place, value in places.items())
    return verdict(
        "shown", f"SLS that draws every epoch has {named}: {len(set(places.values()))} different numbers", **places
    )


@claim(
    "X12", "Soft labels have 0.5628 at K = 50 and 0.5096 with all (about 51) votes, more than two SDs apart though the targets hardly differ.",
    kind="arithmetic", where="Tables 1, 2", published=(cells(1, "soft", "k25 k50"), cells(2, "soft", "soft_nll")), beside=("S14",),
    note="Sweep and main comparison may differ in more than K.",
)  # fmt: skip
def x12(r: View) -> Verdict:
    apart = end_of_the_sweep(published())
    return verdict(
        "shown",
        f"soft labels at the end of the sweep are {apart:.1f} across-seed SDs above soft labels with all votes",
        sds=apart,
    )


@claim(
    "X13", "Soft labels over SLS: λmax and trace 2.31, 3.03, 2.49, 3.08 in Table 4; 2.0 to 3.2 in Table 6.",
    kind="arithmetic", where="Tables 4, 6", published=(cells(4, "sls-main soft"), cells(6)),
)  # fmt: skip
def x13(r: View) -> Verdict:
    main, by_votes = flatness_ratios(published())
    return verdict(
        "shown",
        f"soft labels over SLS: {', '.join(f'{value:.2f}' for value in main.values())} in Table 4,"
        f" {min(by_votes.values()):.1f} to {max(by_votes.values()):.1f} in Table 6",
        **main,
    )
