"""The outcomes of the calculations on the numbers in print, and that they follow those numbers."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from votewise.evidence import Published, arithmetic, published

OUTCOMES = {
    "X1": "holds", "X2": "holds", "X3": "holds", "X4": "holds", "X5": "holds", "X6": "holds", "X7": "does not hold", "X8": "holds",
    "X9": "noted", "X10": "holds", "X11": "noted", "X12": "noted", "X13": "shown", "F14": "holds",
}  # fmt: skip


def test_outcomes() -> None:
    assert {name: finding.outcome for name, finding in arithmetic().items()} == OUTCOMES


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("X1", ["0.03125", "0.0625"]),
        ("X2", ["9 of 12", "0.063, 0.094, 0.063", "4 of 5"]),
        ("X3", ["0.375", "0 survive", "8 pairs one-sided, 9 two-sided"]),
        ("X5", ["5 of 6", "not KNN", "highest on 5"]),
        ("X6", ["6 of 6", "9 of 9"]),
        ("X7", ["0.0259, 0.0370, 0.0267, 0.0374", "4.4%, 6.4%, 5.0%, 6.6%", "largest at K = 50, smallest at K = 5"]),
        ("X8", ["356, 320, 472, 192 of 1024"]),
        ("X9", ["19, 19, 82, 67, 320, 82 of 1024", "0.0371, 0.0371, 0.1602, 0.1309, 0.6250, 0.1602", "0 one-sided, 0 two-sided"]),
        ("X10", ["0.1537 to 0.1538"]),
        ("X11", ["0.5027", "0.5035", "0.5052"]),
        ("X12", ["0.5628", "0.5096", "0.5388", "2.3 across-seed SDs"]),
        ("X13", ["2.31, 3.03, 2.49, 3.08", "2.0 to 3.2"]),
        ("F14", ["place 1 on soft Brier", "3 on soft NLL and 3 on KL"]),
    ],
)  # fmt: skip
def test_the_sentence_has_the_numbers(name: str, numbers: list[str]) -> None:
    for number in numbers:
        assert number in arithmetic()[name].why


def set_cell(table: int, row: str, column: str, **values: float) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        cells = next(entry["cells"] for entry in data["table"] if entry["id"] == f"table{table}")
        next(cell for cell in cells if (cell["row"], cell["column"]) == (row, column)).update(values)

    return change


def set_number(name: str, **values: float) -> Callable[[Any], None]:
    return lambda data: next(entry for entry in data["number"] if entry["id"] == name).update(values)


@pytest.mark.parametrize(
    ("name", "change", "outcome"),
    [
        ("X1", set_number("s-min-p", p=0.05), "does not hold"),
        ("X2", set_cell(1, "sls", "k5", p=0.063), "does not hold"),
        ("X2", set_cell(1, "sls", "k50", p=0.156), "does not hold"),  # 5/32: four or three of five seeds
        ("X3", set_number("s-holm", n=8), "does not hold"),
        ("X4", set_cell(1, "sls", "k50", mean=0.57), "does not hold"),
        ("X5", set_cell(7, "knn", "soft", mean=0.7), "does not hold"),
        ("X5", set_cell(7, "msp", "sls", mean=0.9), "does not hold"),
        ("X6", set_cell(8, "knn", "sls", mean=0.8), "does not hold"),
        ("X6", set_cell(9, "knn", "sls", mean=0.8), "does not hold"),
        ("X7", set_cell(1, "soft", "k5", mean=0.60), "does not hold"),
        ("X8", set_number("f-p-accuracy", p=0.6200), "does not hold"),
        ("X9", set_cell(8, "energy", "sls-vs-soft", p=0.0371), "does not hold"),
        ("X10", set_cell(5, "mixup", "kl", mean=0.3992), "does not hold"),
        ("X12", set_cell(1, "soft", "k50", mean=0.52), "holds"),
        ("F14", set_cell(5, "mixup", "soft_brier", mean=0.16), "does not hold"),
    ],
)  # fmt: skip
def test_another_number_has_another_outcome(name: str, change: Callable[[Any], None], outcome: str) -> None:
    data = deepcopy(dict(published().data))
    change(data)
    assert arithmetic(Published(data))[name].outcome == outcome


def test_the_sentence_on_few_votes_would_hold_with_larger_gains_there() -> None:
    data = deepcopy(dict(published().data))
    for column, mean in (("k5", 0.65), ("k10", 0.64)):
        set_cell(1, "soft", column, mean=mean)(data)
    assert arithmetic(Published(data))["X7"].outcome == "holds"


def test_one_number_in_three_places_holds() -> None:
    data = deepcopy(dict(published().data))
    set_number("t-resample-1", value=0.5052)(data)
    set_cell(3, "sls", "soft_nll", mean=0.5052)(data)
    assert arithmetic(Published(data))["X11"].outcome == "holds"


def test_scipy_gives_the_printed_p_values_on_one_side_only() -> None:
    """All patterns of signs over ten pairs: the main comparison was two-sided, Table 8 one-sided."""
    signs = np.array(list(product((-1, 1), repeat=10)))
    one, two = (
        np.unique(stats.wilcoxon(signs * np.arange(1, 11), alternative=side, method="exact", axis=1).pvalue)
        for side in ("greater", "two-sided")
    )
    main = [
        published().number(name)["p"]
        for name in ("f-p-soft-nll", "f-p-accuracy", "f-p-ece-equal-mass", "f-p-entropy-correlation")
    ]
    near = [cell.p for cell in published().table(8).cells.values() if cell.p is not None]
    for p, side, other in [*((p, two, one) for p in main), *((p, one, two) for p in near)]:
        assert np.abs(side - p).min() <= 0.5e-4
        assert np.abs(other - p).min() > 0.5e-4
