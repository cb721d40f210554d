"""Arithmetic on the published numbers: what follows from them, and what does not. Needs no runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from votewise.comparison import holm, seeds_needed, smallest_p
from votewise.comparison.statistics import Sides, rank_sums
from votewise.papers.basins.claims.shared import BASINS
from votewise.papers.basins.published import HARD, cells, number, published
from votewise.papers.claims import Verdict, holds, verdict
from votewise.papers.claims.verdict import LEVEL
from votewise.papers.published import Published

claim = BASINS.section("Arithmetic on the published numbers")


def _claim(id: str, statement: str, decide: Callable[[Published], Verdict], **about: Any) -> None:
    claim(id, statement, lambda _: decide(published()), kind="arithmetic", **about)


def tail_count(p: float, n: int, sides: Sides, decimals: int) -> int | None:
    """The number of the 2**n sign patterns in one tail of the exact test that gives the printed p; None if no tail matches."""
    tails = np.cumsum(rank_sums(tuple(range(1, n + 1)))) * 2**n
    return next((int(count) for count in tails if rounds_to(sides * count / 2**n, p, decimals)), None)


def seeds_above(p: float, n: int, decimals: int) -> set[int]:
    """The possible numbers of seeds above zero, of n, that give the printed one-sided p."""
    tail = np.cumsum(rank_sums(tuple(range(1, n + 1)))[::-1])[::-1]  # probability of a rank sum of at least 0, 1, ...
    signs = np.array(list(product((0, 1), repeat=n)))
    sums = signs @ np.arange(1, n + 1)
    return {int(row.sum()) for row, w in zip(signs, sums, strict=True) if rounds_to(float(tail[w]), p, decimals)}


def rounds_to(exact: float, printed: float, decimals: int) -> bool:
    """Whether an exact number rounds to the printed one."""
    return abs(exact - printed) <= 0.5 * 10.0**-decimals + 1e-12


def _x1(print_: Published) -> Verdict:
    one, two = print_.number("s-min-p"), print_.number("h-p-shuffled")
    least = smallest_p(one["n"]), smallest_p(two["n"], 2)
    reason = f"{one['n']} pairs have a smallest possible p-value of {least[0]:g} one-sided and {least[1]:g} two-sided; the paper prints {one['p']:g} and {two['p']:g}"
    return holds(least == (one["p"], two["p"]), reason, one_sided=least[0], two_sided=least[1])


_claim("X1", "With five pairs, the smallest possible p-value is 1/32 = 0.03125 one-sided and 2/32 = 0.0625 two-sided.", _x1,
    where="5.1, 5.2", published=number("s-min-p"))  # fmt: skip


def _x2(print_: Published) -> Verdict:
    table, entry = print_.table(1), print_.number("s-unanimous")
    tested = [(cell.p, cell.n) for cell in table.cells.values() if cell.p is not None and cell.n is not None]
    others = [(p, n) for p, n in tested if not rounds_to(smallest_p(n), p, table.p_decimals)]
    least = len(tested) - len(others)
    agree = sorted(set[int]().union(*(seeds_above(p, n, table.p_decimals) for p, n in others)))
    return holds(
        least == entry["count"] and agree == [entry["n"] - 1],
        f"{least} of {len(tested)} cells have the smallest possible p-value; in the others ({', '.join(f'{p:g}' for p, _ in others)})"
        f" {' or '.join(map(str, agree))} of {entry['n']} seeds agree",
        smallest=least, others=len(others),
    )  # fmt: skip


_claim("X2", "Nine of the twelve cells of Table 1 have the smallest possible p-value of five pairs; the p-values of the other three (0.063, 0.063, 0.094) mean that four of five seeds agree.", _x2,
    where="5.1", published=number("s-unanimous"))  # fmt: skip


def _x3(print_: Published) -> Verdict:
    entry = print_.number("s-holm")
    printed = [cell.p for cell in print_.table(1).cells.values() if cell.p is not None]
    best, survive = float(holm([smallest_p(entry["n"])] * len(printed)).min()), int((holm(printed) <= LEVEL).sum())
    one, two = seeds_needed(len(printed)), seeds_needed(len(printed), 2)
    return holds(
        best > LEVEL and survive == entry["count"],
        f"with {entry['n']} pairs, the smallest p-value after Holm's correction over {len(printed)} cells is {best:.3g}, and {survive} cells are significant;"
        f" {one} pairs are needed one-sided, {two} two-sided",
        smallest_after_holm=best, survivors=survive, one_sided=one, two_sided=two,
    )  # fmt: skip


_claim("X3", "With five pairs, no cell can be significant after Holm's correction over 12 cells; 8 pairs are needed one-sided, 9 two-sided.", _x3,
    where="5.1", published=number("s-holm"))  # fmt: skip


def _x4(print_: Published) -> Verdict:
    table = print_.table(1)
    below = [table.mean(row, k) < table.mean("soft", k) for row, k in product(HARD, table.columns)]
    held = sum(below) == print_.number("s-cells")["count"] == len(below)
    return holds(held, f"{sum(below)} of {len(below)} cells are below soft labels", below=sum(below))


_claim("X4", "All 12 cells of Table 1 are below soft labels.", _x4, where="5.1", published=number("s-cells"))


def _x5(print_: Published) -> Verdict:
    table = print_.table(7)
    above = [row for row in table.rows if all(table.mean(row, m) > table.mean(row, "soft") for m in HARD)]
    highest = [row for row in table.rows if max(table.columns, key=lambda m: table.mean(row, m)) == "deterministic"]
    claimed = print_.number("o-svhn-above")["count"], print_.number("o-svhn-deterministic")["count"]
    others = ", ".join(heading["label"] for row, heading in table.rows.items() if row not in above) or "none"
    return holds(
        (len(above), len(highest)) == claimed,
        f"the hard family is above soft labels on {len(above)} of {len(table.rows)} detectors (not {others}),"
        f" and deterministic control is highest on {len(highest)}",
        above=len(above), highest=len(highest),
    )  # fmt: skip


_claim("X5", "Table 7: the hard family is above soft labels on five of six detectors, and deterministic control is highest on five of six.", _x5,
    where="5.3, Table 7", published=(number("o-svhn-above"), number("o-svhn-deterministic")))  # fmt: skip


def _x6(print_: Published) -> Verdict:
    near, family = print_.table(8), print_.table(9)
    above = [near.mean(row, "sls") > near.mean(row, "soft") for row in near.rows]
    inside = [family.mean(row, m) > family.mean(row, "soft") for row, m in product(family.rows, HARD)]
    reason = (
        f"SLS is above soft labels on {sum(above)} of {len(above)} detectors of Table 8,"
        f" and the hard family in {sum(inside)} of {len(inside)} cells of Table 9"
    )
    return holds(all(above) and all(inside), reason, detectors=sum(above), cells=sum(inside))


_claim("X6", "Table 8: SLS is above soft labels on six of six detectors. Table 9: the hard family is above soft labels in nine of nine cells.", _x6,
    where="5.3", published=(cells(8, "", "sls soft"), cells(9)))  # fmt: skip


def _x7(print_: Published) -> Verdict:
    table = print_.table(1)
    columns = {heading["votes_per_item"]: k for k, heading in table.columns.items()}
    loss = {k: table.mean("soft", column) for k, column in columns.items()}
    gain = {k: float(np.mean([loss[k] - table.mean(row, column) for row in HARD])) for k, column in columns.items()}
    few = sorted(gain)[: len(gain) // 2]
    shares = ", ".join(f"{gain[k] / loss[k]:.1%}" for k in gain).replace("%", " %")
    return holds(
        min(gain[k] for k in few) > max(gain[k] for k in gain if k not in few),
        f"the average improvement is {', '.join(f'{value:.4f}' for value in gain.values())} at K = {', '.join(map(str, gain))}"
        f" ({shares} of the loss): largest at K = {max(gain, key=gain.__getitem__)}, smallest at K = {min(gain, key=gain.__getitem__)}",
        **{f"K={k}": value for k, value in gain.items()},
    )


_claim("X7", "The effect is strongest at K = 5 and K = 10.", _x7,
    where="5.1, Table 1", published=cells(1), beside=("S5", "U7"), note="In Table 1 the average improvement is largest at K = 50 and smallest at K = 5.")  # fmt: skip

SCORES = ("soft-nll", "accuracy", "ece-equal-mass", "entropy-correlation")


def _x8(print_: Published) -> Verdict:
    entries = {score: print_.number(f"f-p-{score}") for score in SCORES}
    one, two = (
        {score: tail_count(e["p"], e["n"], sides, e["decimals"]) for score, e in entries.items()} for sides in (1, 2)
    )
    n = entries["soft-nll"]["n"]
    return holds(
        None not in two.values() and not any(one.values()),
        f"the p-values are twice {', '.join(map(str, two.values()))} of {2**n} sign patterns: exact two-sided values over {n} pairs,"
        " and none is a one-sided value",
        **{score: count for score, count in two.items() if count is not None},
    )


_claim("X8", "The four p-values of the main comparison are values of the exact two-sided test over ten pairs.", _x8,
    where="5.2", published=tuple(number(f"f-p-{score}") for score in SCORES))  # fmt: skip


def _x9(print_: Published) -> Verdict:
    table = print_.table(8)
    tested = {row: cell for (row, _), cell in table.cells.items() if cell.p is not None and cell.n is not None}
    one, two = (
        {row: tail_count(cell.p or 0, cell.n or 0, sides, table.p_decimals) for row, cell in tested.items()} for sides in (1, 2)
    )  # fmt: skip
    if None in one.values() or any(two.values()):
        return holds(False, "the p-values are not all exact one-sided values")
    counts = {row: count for row, count in one.items() if count is not None}
    exact = np.array(list(counts.values())) / 1024
    survive = [int((holm(p) <= LEVEL).sum()) for p in (exact, np.minimum(2 * exact, 1))]
    return verdict(
        "shown",
        f"the p-values are {', '.join(map(str, counts.values()))} of 1024 sign patterns: exact one-sided values over ten pairs, which the text does not"
        f" say; two-sided, they would be {', '.join(f'{2 * p:.4f}' for p in exact)}; after Holm's correction over the {len(exact)} detectors,"
        f" {survive[0]} are significant one-sided and {survive[1]} two-sided",
        **counts,
    )


_claim("X9", "The p-values of Table 8 are values of the exact one-sided test over ten pairs and not of the two-sided test; after Holm's correction over the six detectors, none is significant in either case.", _x9,
    where="Table 8", published=cells(8, "", "sls-vs-soft"), note="The text calls them paired p-values and does not say whether they are one-sided.")  # fmt: skip


def _x10(print_: Published) -> Verdict:
    main, other = print_.table(2), print_.table(5)
    gap = {row: main.mean(row, "soft_nll") - other.mean(row, "kl") for row in other.rows}
    low, high = min(gap.values()), max(gap.values())
    rounding = (
        2 * 10.0 ** -main.columns["soft_nll"]["decimals"]
    )  # four rounded numbers, each off by at most half a unit of its last decimal
    return holds(
        high - low <= rounding + 1e-12,
        f"soft NLL minus KL is between {low:.4f} and {high:.4f} for {len(gap)} methods: the mean annotator entropy in nats, so KL is"
        " KL(annotators ‖ model)",
        **gap,
    )


_claim("X10", "Soft NLL minus KL is the same for all five methods: the mean annotator entropy in nats.", _x10,
    where="Tables 2, 5", published=(cells(2, "", "soft_nll"), cells(5, "", "kl")), note="This determines the base of the logarithm and the direction of KL.")  # fmt: skip


def _x11(print_: Published) -> Verdict:
    places = {
        "resampling": print_.number("t-resample-1")["value"],
        "ablation": print_.table(3).mean("sls", "soft_nll"),
        "main": print_.table(2).mean("sls", "soft_nll"),
    }
    named = ", ".join(f"{value:.4f} ({place})" for place, value in places.items())
    different = f"{len(set(places.values()))} different numbers"
    return verdict("shown", f"SLS with a draw in every epoch has {named}: {different}", **places)


_claim("X11", "SLS with a draw in every epoch has a soft NLL of 0.5027 in the resampling probe, 0.5035 in the ablation and 0.5052 in the main comparison: these are three sets of runs.", _x11,
    where="5.1, Tables 2, 3", published=(number("t-resample-1"), cells(3, "sls", "soft_nll"), cells(2, "sls", "soft_nll")), note="This project shares the runs, so it has a single number.")  # fmt: skip


def _x12(print_: Published) -> Verdict:
    table, full = print_.table(1), print_.table(2).cells["soft", "soft_nll"]
    largest = max(table.columns, key=lambda k: int(table.columns[k]["votes_per_item"]))
    assert full.mean is not None
    assert full.sd is not None
    apart = (table.mean("soft", largest) - full.mean) / full.sd
    reason = f"soft labels at the end of the sweep are {apart:.1f} across-seed SDs above soft labels with all votes"
    return verdict("shown", reason, sds=apart)


_claim("X12", "Soft labels have a soft NLL of 0.5628 at K = 50 and of 0.5096 with all (about 51) votes: more than two SDs apart, although the targets hardly differ.", _x12,
    where="Tables 1, 2", published=(cells(1, "soft", "k25 k50"), cells(2, "soft", "soft_nll")), beside=("S14",), note="The sweep and the main comparison may differ in more than K.")  # fmt: skip


def _x13(print_: Published) -> Verdict:
    table, by_votes = print_.table(4), print_.table(6)
    main = {column: table.mean("soft", column) / table.mean("sls-main", column) for column in table.columns}
    swept = [
        by_votes.mean(k, f"soft_{s}") / by_votes.mean(k, f"sls_{s}") for k in by_votes.rows for s in ("full", "high")
    ]
    in_words = ", ".join(f"{value:.2f}" for value in main.values())
    reason = f"the ratios of soft labels to SLS are {in_words} in Table 4, and {min(swept):.1f} to {max(swept):.1f} in Table 6"
    return verdict("shown", reason, **main)


_claim("X13", "λmax and the trace are larger for soft labels than for SLS by factors of 2.31, 3.03, 2.49 and 3.08 in Table 4, and λmax by factors of 2.0 to 3.2 in Table 6.", _x13,
    where="Tables 4, 6", published=(cells(4, "sls-main soft"), cells(6)))  # fmt: skip
