"""Arithmetic on the published numbers: functions from what the paper prints to numbers that it does not print."""

from __future__ import annotations

from itertools import product

import numpy as np

from votewise.comparison import smallest_p
from votewise.comparison.statistics import Sides, rank_sums
from votewise.papers.basins.published import HARD
from votewise.papers.published import PrintedTable, Published


def smallest_printed_p(table: PrintedTable) -> tuple[int, list[tuple[float, set[int]]]]:
    """How many cells have the smallest p of their seeds; of the others the p, and how many seeds can agree with it."""
    tested = [(cell.p, cell.n) for cell in table.cells.values() if cell.p is not None and cell.n is not None]
    others = [(p, n) for p, n in tested if not rounds_to(smallest_p(n), p, table.p_decimals)]
    return len(tested) - len(others), [(p, seeds_above(p, n, table.p_decimals)) for p, n in others]


def improvement(numbers: Published) -> dict[int, float]:
    """The improvement of soft NLL over soft labels in Table 1, averaged over the hard family, by K."""
    table = numbers.table(1)
    return {
        heading["votes_per_item"]: float(np.mean([table.mean("soft", k) - table.mean(row, k) for row in HARD]))
        for k, heading in table.columns.items()
    }


def tail_counts(numbers: Published, sides: Sides) -> dict[str, int | None]:
    """How many of 2**n sign patterns lie in one tail, for the p of each score of the main comparison; None if no tail fits."""
    scores = ("soft-nll", "accuracy", "ece-equal-mass", "entropy-correlation")
    entries = {score: numbers.number(f"f-p-{score}") for score in scores}
    return {score: tail_count(e["p"], e["n"], sides, e["decimals"]) for score, e in entries.items()}


def detector_tail_counts(numbers: Published, sides: Sides) -> dict[str, int | None]:
    """The same for the p of each detector of Table 8."""
    table = numbers.table(8)
    return {
        row: tail_count(cell.p, cell.n, sides, table.p_decimals)
        for (row, _), cell in table.cells.items()
        if cell.p is not None and cell.n is not None
    }


def entropy_floor(numbers: Published) -> dict[str, float]:
    """Soft NLL minus KL by method: the entropy of the annotators."""
    main, other = numbers.table(2), numbers.table(5)
    return {row: main.mean(row, "soft_nll") - other.mean(row, "kl") for row in other.rows}


def flatness_ratios(numbers: Published) -> tuple[dict[str, float], dict[tuple[str, str], float]]:
    """Soft labels over SLS: by column of Table 4, and by K and slice of Table 6."""
    main, by_votes = numbers.table(4), numbers.table(6)
    return (
        {column: main.mean("soft", column) / main.mean("sls-main", column) for column in main.columns},
        {
            (k, s): by_votes.mean(k, f"soft_{s}") / by_votes.mean(k, f"sls_{s}")
            for k, s in product(by_votes.rows, ("full", "high"))
        },
    )


def detectors_above(table: PrintedTable) -> list[str]:
    """The detectors on which the whole hard family has a higher mean than soft labels."""
    return [row for row in table.rows if all(table.mean(row, m) > table.mean(row, "soft") for m in HARD)]


def mixup_places(numbers: Published) -> dict[str, int]:
    """The place of mixup from the lowest mean on, by score."""
    tables = {"soft_brier": numbers.table(5), "soft_nll": numbers.table(2), "kl": numbers.table(5)}
    return {
        score: 1 + sum(table.mean(row, score) < table.mean("mixup", score) for row in table.rows)
        for score, table in tables.items()
    }


def sls_in_three_places(numbers: Published) -> dict[str, float]:
    """Soft NLL of SLS that draws every epoch: in the resampling probe, the ablation and the main comparison."""
    return {
        "resampling": numbers.number("t-resample-1")["value"],
        "ablation": numbers.table(3).mean("sls", "soft_nll"),
        "main": numbers.table(2).mean("sls", "soft_nll"),
    }


def end_of_the_sweep(numbers: Published) -> float:
    """How many across-seed SDs soft labels at the largest K are above soft labels with all votes."""
    table, full = numbers.table(1), numbers.table(2).cells["soft", "soft_nll"]
    largest = max(table.columns, key=lambda k: int(table.columns[k]["votes_per_item"]))
    assert full.mean is not None
    assert full.sd is not None
    return (table.mean("soft", largest) - full.mean) / full.sd


def tail_count(p: float, n: int, sides: Sides, decimals: int) -> int | None:
    """How many of 2**n sign patterns lie in one tail of the exact test whose p is printed so; None if no tail fits."""
    tails = np.cumsum(rank_sums(tuple(range(1, n + 1)))) * 2**n
    fitting = [int(count) for count in tails if rounds_to(sides * count / 2**n, p, decimals)]
    return fitting[0] if fitting else None


def seeds_above(p: float, n: int, decimals: int) -> set[int]:
    """How many of n seeds can be above zero if the one-sided p is printed so."""
    tail = np.cumsum(rank_sums(tuple(range(1, n + 1)))[::-1])[::-1]  # probability of a rank sum of at least 0, 1, ...
    signs = np.array(list(product((0, 1), repeat=n)))
    sums = signs @ np.arange(1, n + 1)
    return {int(row.sum()) for row, w in zip(signs, sums, strict=True) if rounds_to(float(tail[w]), p, decimals)}


def rounds_to(exact: float, printed: float, decimals: int) -> bool:
    """Whether an exact number is printed so."""
    return abs(exact - printed) <= 0.5 * 10.0**-decimals + 1e-12
