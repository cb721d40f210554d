"""What follows from the numbers in print alone, and what does not: no run is needed, every outcome is calculated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy as np

from votewise.comparison.statistics.power import Sides, seeds_needed, smallest_p
from votewise.comparison.statistics.wilcoxon import holm, rank_sums
from votewise.evidence.claims.verdict import Finding
from votewise.evidence.published import PrintedTable, Published, published

LEVEL = 0.05
HARD = ("sls", "multipass", "deterministic")


def arithmetic(numbers: Published | None = None) -> dict[str, Finding]:
    """Every calculation on the numbers in print, by its id.

    >>> found = arithmetic()
    >>> found["X4"].outcome, found["X7"].outcome
    ('holds', 'does not hold')
    """
    given = published() if numbers is None else numbers
    return {name: calculate(given) for name, calculate in CALCULATIONS.items()}


def x1(numbers: Published) -> Finding:
    """The smallest p that five pairs can give, one-sided and two-sided."""
    one, two = numbers.number("s-min-p"), numbers.number("h-p-shuffled")
    least = smallest_p(one["n"]), smallest_p(two["n"], 2)
    return _holds(
        least == (one["p"], two["p"]),
        f"{one['n']} pairs cannot go below p = {least[0]:g} one-sided or {least[1]:g} two-sided;"
        f" printed are {one['p']:g} and {two['p']:g}",
    )


def x2(numbers: Published) -> Finding:
    """Cells of Table 1 at the smallest p, and what the p of the others says of their seeds."""
    table, said = numbers.table(1), numbers.number("s-unanimous")
    cells = [(cell.p, cell.n) for cell in table.cells.values() if cell.p is not None and cell.n is not None]
    others = [(p, n) for p, n in cells if not _rounds_to(smallest_p(n), p, table.p_decimals)]
    agree = [_seeds_above(p, n, table.p_decimals) for p, n in others]
    least = len(cells) - len(others)
    return _holds(
        least == said["count"] and all(seeds == {said["n"] - 1} for seeds in agree),
        f"{least} of {len(cells)} cells have the smallest p; in the others ({_list(p for p, _ in others)})"
        f" {_any(agree)} of {said['n']} seeds agree",
    )


def x3(numbers: Published) -> Finding:
    """Holm over the cells of Table 1."""
    table, said = numbers.table(1), numbers.number("s-holm")
    printed = [cell.p for cell in table.cells.values() if cell.p is not None]
    best = holm([smallest_p(said["n"])] * len(printed)).min()
    survive = int((holm(printed) <= LEVEL).sum())
    needed = seeds_needed(len(printed)), seeds_needed(len(printed), 2)
    return _holds(
        best > LEVEL and survive == said["count"],
        f"with {said['n']} pairs the smallest p after Holm over {len(printed)} cells is {best:.3g}, and {survive} survive;"
        f" it takes {needed[0]} pairs one-sided, {needed[1]} two-sided",
    )


def x4(numbers: Published) -> Finding:
    """Soft NLL of hard delivery against soft labels in Table 1."""
    table, said = numbers.table(1), numbers.number("s-cells")
    lower = [table.mean(row, k) < table.mean("soft", k) for row, k in product(HARD, table.columns)]
    return _holds(
        sum(lower) == said["count"] == len(lower), f"{sum(lower)} of {len(lower)} cells are below soft labels"
    )


def x5(numbers: Published) -> Finding:
    """Far out-of-distribution detection, Table 7."""
    table = numbers.table(7)
    above = [row for row in table.rows if all(table.mean(row, m) > table.mean(row, "soft") for m in HARD)]
    highest = [row for row in table.rows if max(table.columns, key=lambda m: table.mean(row, m)) == "deterministic"]
    said = numbers.number("o-svhn-above")["count"], numbers.number("o-svhn-deterministic")["count"]
    return _holds(
        (len(above), len(highest)) == said,
        f"the hard family is above soft labels on {len(above)} of {len(table.rows)} detectors (not"
        f" {_names(table, above)}), deterministic control is highest on {len(highest)}",
    )


def x6(numbers: Published) -> Finding:
    """Near out-of-distribution detection, Tables 8 and 9."""
    near, family = numbers.table(8), numbers.table(9)
    above = [near.mean(row, "sls") > near.mean(row, "soft") for row in near.rows]
    cells = [family.mean(row, m) > family.mean(row, "soft") for row, m in product(family.rows, HARD)]
    return _holds(
        all(above) and all(cells),
        f"SLS is above soft labels on {sum(above)} of {len(above)} detectors of Table 8,"
        f" the hard family in {sum(cells)} of {len(cells)} cells of Table 9",
    )


def x7(numbers: Published) -> Finding:
    """Where in the sweep the improvement is largest."""
    table = numbers.table(1)
    votes = {k: heading["votes_per_item"] for k, heading in table.columns.items()}
    soft = {k: table.mean("soft", k) for k in votes}
    gain = {k: float(np.mean([soft[k] - table.mean(row, k) for row in HARD])) for k in votes}
    few = sorted(votes, key=votes.__getitem__)[: len(votes) // 2]
    largest, smallest = max(gain, key=gain.__getitem__), min(gain, key=gain.__getitem__)
    return _holds(
        min(gain[k] for k in few) > max(gain[k] for k in votes if k not in few),
        f"the average improvement is {', '.join(f'{gain[k]:.4f}' for k in votes)} at K ="
        f" {', '.join(map(str, votes.values()))} ({', '.join(f'{gain[k] / soft[k]:.1%}' for k in votes)} of the loss):"
        f" largest at K = {votes[largest]}, smallest at K = {votes[smallest]}",
    )


def x8(numbers: Published) -> Finding:
    """Which test gives the p-values of the main comparison."""
    entries = [
        numbers.number(f"f-p-{score}") for score in ("soft-nll", "accuracy", "ece-equal-mass", "entropy-correlation")
    ]
    one, two = ([_count(entry["p"], entry["n"], sides, entry["decimals"]) for entry in entries] for sides in (1, 2))
    printed = ", ".join(f"{entry['p']:.{entry['decimals']}f}" for entry in entries)
    return _holds(
        None not in two and not any(one),
        f"{printed} are twice {_list(two)} of"
        f" {2 ** entries[0]['n']} patterns of signs: exact two-sided values over {entries[0]['n']} pairs, and none is a one-sided one",
    )


def x9(numbers: Published) -> Finding:
    """Which test gives the p-values of Table 8, and what the other side says."""
    table = numbers.table(8)
    p, n = zip(*((cell.p, cell.n) for cell in table.cells.values() if cell.p is not None and cell.n), strict=True)
    one, two = ([_count(*pair, sides, table.p_decimals) for pair in zip(p, n, strict=True)] for sides in (1, 2))
    if None in one or any(two):
        return Finding("does not hold", f"{_list(p)} are not the exact one-sided values over {n[0]} pairs alone")
    exact = np.array([c / 2.0**pairs for c, pairs in zip(one, n, strict=True) if c is not None])
    survive = [int((holm(values) <= LEVEL).sum()) for values in (exact, np.minimum(2 * exact, 1))]
    return Finding(
        "noted",
        f"{_list(p)} are {_list(one)} of {2 ** n[0]}: exact one-sided values over {n[0]} pairs, and none is a two-sided one,"
        f" which the text does not say; two-sided they are {', '.join(f'{2 * value:.4f}' for value in exact)},"
        f" and Holm over the {len(exact)} leaves {survive[0]} one-sided, {survive[1]} two-sided",
    )


def x10(numbers: Published) -> Finding:
    """Soft NLL minus KL: the entropy of the annotators, whatever the method."""
    main, other = numbers.table(2), numbers.table(5)
    gap = [main.mean(row, "soft_nll") - other.mean(row, "kl") for row in other.rows]
    rounding = 2 * 10.0 ** -main.columns["soft_nll"]["decimals"]  # four numbers, each off by at most half a unit
    return _holds(
        max(gap) - min(gap) <= rounding + 1e-12,
        f"soft NLL minus KL is {min(gap):.4f} to {max(gap):.4f} for {len(gap)} methods: the mean annotator entropy in nats,"
        f" so KL is that of the annotators from the model",
    )


def x11(numbers: Published) -> Finding:
    """SLS that draws every epoch, in three places."""
    probe = numbers.number("t-resample-1")["value"]
    ablation, main = (numbers.table(t).mean("sls", "soft_nll") for t in (3, 2))
    if probe == ablation == main:
        return Finding("holds", f"SLS that draws every epoch has {probe:.4f} in all three places")
    return Finding(
        "noted",
        f"SLS that draws every epoch has {probe:.4f} in the resampling probe, {ablation:.4f} in the ablation and"
        f" {main:.4f} in the main comparison: other sets of runs",
    )


def x12(numbers: Published) -> Finding:
    """Soft labels at the end of the sweep and with all votes."""
    sweep, main = numbers.table(1), numbers.table(2).cells["soft", "soft_nll"]
    votes = {k: heading["votes_per_item"] for k, heading in sweep.columns.items()}
    last, before = sorted(votes, key=votes.__getitem__, reverse=True)[:2]
    assert main.mean is not None
    assert main.sd is not None
    apart = (sweep.mean("soft", last) - main.mean) / main.sd
    return Finding(
        "noted" if abs(apart) > 2 else "holds",
        f"soft labels have {sweep.mean('soft', last):.4f} at K = {votes[last]} ({sweep.mean('soft', before):.4f} at"
        f" K = {votes[before]}) and {main.mean:.4f} with all votes: {abs(apart):.1f} across-seed SDs apart",
    )


def x13(numbers: Published) -> Finding:
    """How much flatter SLS is."""
    main, sweep = numbers.table(4), numbers.table(6)
    ratio = [main.mean("soft", column) / main.mean("sls-main", column) for column in main.columns]
    by_votes = [
        sweep.mean(k, f"soft_{s}") / sweep.mean(k, f"sls_{s}") for k, s in product(sweep.rows, ("full", "high"))
    ]
    return Finding(
        "shown",
        f"soft labels over SLS: {', '.join(f'{value:.2f}' for value in ratio)} in Table 4,"
        f" {min(by_votes):.1f} to {max(by_votes):.1f} in Table 6",
    )


def f14(numbers: Published) -> Finding:
    """Where mixup stands by three proper scores."""
    main, other = numbers.table(2), numbers.table(5)
    scored = {"soft_brier": other, "soft_nll": main, "kl": other}
    place = {score: _place(table, "mixup", score) for score, table in scored.items()}
    middle = (len(main.rows) + 1) // 2
    return _holds(
        list(place.values()) == [1, middle, middle],
        f"of {len(main.rows)} methods mixup has place {place['soft_brier']} on soft Brier ({other.mean('mixup', 'soft_brier'):.4f}),"
        f" {place['soft_nll']} on soft NLL and {place['kl']} on KL: the scores do not rank the methods alike",
    )


CALCULATIONS: dict[str, Callable[[Published], Finding]] = {
    "X1": x1, "X2": x2, "X3": x3, "X4": x4, "X5": x5, "X6": x6, "X7": x7, "X8": x8, "X9": x9, "X10": x10, "X11": x11,
    "X12": x12, "X13": x13, "F14": f14,
}  # fmt: skip


# --- the exact test over n pairs without ties ------------------------------------------------------------------------


def _count(p: float, n: int, sides: Sides, decimals: int) -> int | None:
    """How many of 2**n patterns of signs lie in one tail of a test whose p is printed so; None if there is no such tail."""
    tails = np.cumsum(rank_sums(tuple(range(1, n + 1)))) * 2**n
    fitting = [int(c) for c in tails if _rounds_to(sides * c / 2**n, p, decimals)]
    return fitting[0] if fitting else None


def _seeds_above(p: float, n: int, decimals: int) -> set[int]:
    """How many of n seeds can be above zero where the one-sided p is printed so."""
    tail = np.cumsum(rank_sums(tuple(range(1, n + 1)))[::-1])[::-1]  # chance of a rank sum of at least 0, 1, ...
    signs = np.array(list(product((0, 1), repeat=n)))
    sums = signs @ np.arange(1, n + 1)
    return {int(row.sum()) for row, w in zip(signs, sums, strict=True) if _rounds_to(float(tail[w]), p, decimals)}


def _rounds_to(exact: float, printed: float, decimals: int) -> bool:
    return abs(exact - printed) <= 0.5 * 10.0**-decimals + 1e-12


# --- words -----------------------------------------------------------------------------------------------------------


def _holds(it_does: bool, why: str) -> Finding:
    return Finding("holds" if it_does else "does not hold", why)


def _list(values: Iterable[object]) -> str:
    return ", ".join(
        "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value) for value in values
    )


def _place(table: PrintedTable, row: str, column: str) -> int:
    """The place of a row from the lowest mean of a column, 1, on."""
    return 1 + sum(table.mean(other, column) < table.mean(row, column) for other in table.rows)


def _any(sets: Iterable[set[int]]) -> str:
    every = sorted(set[int]().union(*sets))
    return " or ".join(map(str, every)) or "no number"


def _names(table: PrintedTable, without: Sequence[str]) -> str:
    return ", ".join(heading["label"] for row, heading in table.rows.items() if row not in without) or "none"
