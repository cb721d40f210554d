"""What the axes and curves of charts reach to, and what their legends and captions say."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from made_up import made_up
from votewise.papers import paper
from votewise.probes import reliability
from votewise.reporting.charts import save
from votewise.reporting.charts.reliability import _mean_curve
from votewise.reporting.charts.training import _ends


@pytest.mark.parametrize(("low", "high"), [(0.3, 1.0), (0.3, 0.95), (0.25, 0.99)])
def test_a_reliability_curve_stays_among_the_confidences_that_occur(low: float, high: float) -> None:
    place = np.arange(2000)
    confidence = low + (high - low) * np.sqrt(place / 1999)
    predictions = np.stack([confidence, *[(1 - confidence) / 9] * 9], axis=1)
    votes = np.zeros((2000, 10))
    votes[place, np.where((place * 0.618) % 1 < confidence, 0, 1)] = 1  # calibrated
    curve: Any = SimpleNamespace(data=reliability(predictions, votes).curves["smooth"])
    drawn = [row["confidence"] for row in _mean_curve("soft", [curve])]
    assert low <= min(drawn) < max(drawn) <= high
    assert max(drawn) - min(drawn) > 0.7 * (high - low)


def test_a_method_that_overfits_does_not_rule_the_axis() -> None:
    good = [{"method": "soft", "low": 1.0, "high": value} for value in (1.4, 1.1)]
    bad = [{"method": "majority", "low": value, "high": value} for value in (1.5, 9.0)]
    low, high = _ends([*good, *bad], ruled=False)
    assert (low, high) == pytest.approx((1.0, 2.0))
    assert _ends([*good, *bad], ruled=True) == [1.0, 9.0]


def test_a_method_that_never_comes_close_is_outside_but_one_that_is_a_little_worse_is_not() -> None:
    near = [("soft", 0.90), ("soft", 0.95), ("sls", 0.93), ("sls", 0.97), ("mixup", 1.04), ("mixup", 1.05)]
    far = [("majority", 3.0), ("majority", 3.4)]
    low, high = _ends([{"method": name, "low": value, "high": value} for name, value in [*near, *far]], ruled=False)
    assert (low, high) == pytest.approx((0.9, 1.04))


def test_captions_do_not_depend_on_where_a_panel_stands() -> None:
    for figure in paper("basins").figures(made_up()):
        assert not re.search(r"\b(left|right)\b", figure.caption, re.IGNORECASE), figure.key
        assert not re.search(r"(low|high|earlier) on the (left|right)", figure.reading), figure.key


def test_figure_8_has_lines_in_its_legend_and_figure_10_names_its_methods(tmp_path: Path) -> None:
    figures = {figure.key: figure for figure in paper("basins").figures(made_up())}
    for key, lines in ((8, True), (10, False)):
        drawn = save(figures[key], tmp_path / f"{key}.svg").read_text()
        symbols = re.findall(r'role-legend-symbol[^>]*>\s*<path[^>]* d="([^"]*)"', drawn)
        assert len(symbols) == 2, key
        assert all((re.fullmatch(r"M[-\d.]+,0L[-\d.]+,0", symbol) is not None) == lines for symbol in symbols), symbols
        assert all(name in drawn for name in ("Soft labels", "SLS"))
