"""Arithmetic on the published numbers: its outcomes, and that they follow the numbers."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from made_up import made_up
from votewise.papers.basins import published
from votewise.papers.basins.claims import BASINS, full
from votewise.papers.basins.claims import arithmetic as rows
from votewise.papers.claims import View
from votewise.papers.published import Published

OUTCOMES = {
    "X1": "reproduced", "X2": "reproduced", "X3": "reproduced", "X4": "reproduced", "X5": "reproduced", "X6": "reproduced",
    "X7": "contradicted", "X8": "reproduced", "X9": "shown", "X10": "reproduced", "X11": "shown", "X12": "shown", "X13": "shown",
    "F14": "reproduced", "S4": "reproduced",
}  # fmt: skip


def verdict(id: str):
    return BASINS[id](View(made_up("demo")))


def test_outcomes() -> None:
    assert {id: verdict(id).outcome for id in OUTCOMES} == OUTCOMES


def test_the_numbers() -> None:
    def rounded(id: str, digits: int) -> list[float]:
        return [round(value, digits) for value in verdict(id).numbers.values()]

    assert verdict("X2").numbers == {"smallest": 9, "others": 3}
    assert verdict("X3").numbers == {"smallest_after_holm": 0.375, "survivors": 0, "one_sided": 8, "two_sided": 9}
    assert "(not KNN)" in verdict("X5").reason
    assert rounded("X7", 4) == [0.0259, 0.0370, 0.0267, 0.0374]  # at K = 5, 10, 25, 50
    assert verdict("X8").numbers == {
        "soft-nll": 356,
        "accuracy": 320,
        "ece-equal-mass": 472,
        "entropy-correlation": 192,
    }
    assert verdict("X9").numbers == {"energy": 19, "odin": 19, "entropy": 82, "msp": 67, "knn": 320, "margin": 82}
    assert set(rounded("X10", 4)) == {0.1537, 0.1538}
    assert rounded("X11", 4) == [0.5027, 0.5035, 0.5052]
    assert rounded("X12", 3) == [2.283]
    assert rounded("X13", 2) == [2.31, 3.03, 2.49, 3.08]
    assert verdict("F14").numbers == {"soft_brier": 1, "soft_nll": 3, "kl": 3}
    assert [rows.seeds_above(p, 5, 3) for p in (0.063, 0.094)] == [{4}, {4}]


def set_cell(table: int, row: str, column: str, **values: float) -> Callable[[Any], None]:
    def change(data: Any) -> None:
        cells = next(entry["cells"] for entry in data["table"] if entry["id"] == f"table{table}")
        next(cell for cell in cells if (cell["row"], cell["column"]) == (row, column)).update(values)

    return change


def set_number(name: str, **values: float) -> Callable[[Any], None]:
    return lambda data: next(entry for entry in data["number"] if entry["id"] == name).update(values)


@pytest.mark.parametrize(
    ("id", "change"),
    [
        ("X1", set_number("s-min-p", p=0.05)),
        ("X2", set_cell(1, "sls", "k5", p=0.063)),
        ("X2", set_cell(1, "sls", "k50", p=0.156)),  # 5/32: four or three of five seeds
        ("X3", set_number("s-holm", n=8)),
        ("X4", set_cell(1, "sls", "k50", mean=0.57)),
        ("X5", set_cell(7, "knn", "soft", mean=0.7)),
        ("X5", set_cell(7, "msp", "sls", mean=0.9)),
        ("X6", set_cell(8, "knn", "sls", mean=0.8)),
        ("X6", set_cell(9, "knn", "sls", mean=0.8)),
        ("X7", set_cell(1, "soft", "k5", mean=0.60)),
        ("X8", set_number("f-p-accuracy", p=0.6200)),
        ("X9", set_cell(8, "energy", "sls-vs-soft", p=0.0371)),
        ("X10", set_cell(5, "mixup", "kl", mean=0.3992)),
        ("F14", set_cell(5, "mixup", "soft_brier", mean=0.16)),
    ],
)
def test_with_another_number_it_does_not_hold(
    monkeypatch: pytest.MonkeyPatch, id: str, change: Callable[[Any], None]
) -> None:
    data = deepcopy(dict(published().data))
    change(data)
    for module in (rows, full):
        monkeypatch.setattr(module, "published", lambda: Published(data))
    assert verdict(id).outcome == "contradicted"


def test_the_sentence_on_few_votes_would_hold_with_larger_gains_there(monkeypatch: pytest.MonkeyPatch) -> None:
    data = deepcopy(dict(published().data))
    for column, mean in (("k5", 0.65), ("k10", 0.64)):
        set_cell(1, "soft", column, mean=mean)(data)
    monkeypatch.setattr(rows, "published", lambda: Published(data))
    assert verdict("X7").outcome == "reproduced"


def test_scipy_gives_the_printed_p_values_on_one_side_only() -> None:
    """All patterns of signs over ten pairs: the main comparison was two-sided, Table 8 one-sided."""
    signs = np.array(list(product((-1, 1), repeat=10)))
    one, two = (
        np.unique(stats.wilcoxon(signs * np.arange(1, 11), alternative=side, method="exact", axis=1).pvalue)
        for side in ("greater", "two-sided")
    )
    names = ("f-p-soft-nll", "f-p-accuracy", "f-p-ece-equal-mass", "f-p-entropy-correlation")
    main = [published().number(name)["p"] for name in names]
    near = [cell.p for cell in published().table(8).cells.values() if cell.p is not None]
    for p, side, other in [*((p, two, one) for p in main), *((p, one, two) for p in near)]:
        assert np.abs(side - p).min() <= 0.5e-4
        assert np.abs(other - p).min() > 0.5e-4
