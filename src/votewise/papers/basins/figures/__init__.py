"""Figures 1 to 12 of the paper, for any results with its methods, with the published numbers in the captions."""

from __future__ import annotations

from collections.abc import Callable

from votewise.errors import VotewiseError
from votewise.papers.basins.figures.calibration import brier, reliability
from votewise.papers.basins.figures.geometry import barrier, spectrum
from votewise.papers.basins.figures.learning import dynamics, gradient_noise, resampling
from votewise.papers.basins.figures.representations import gradcam, similarity
from votewise.papers.basins.figures.sparse import by_js_distance, by_l1_distance, on_the_high_slice, sweep
from votewise.reporting.charts import Figure, require_altair
from votewise.studies import Results
from votewise.wording import listing

__all__ = ["FIGURES", "figure"]

NUMBERED = (
    sweep, by_js_distance, reliability, resampling, by_l1_distance, on_the_high_slice, gradient_noise, dynamics, gradcam, brier, barrier, similarity,
)  # fmt: skip
FIGURES: dict[int | str, Callable[[Results], Figure]] = {**dict(enumerate(NUMBERED, start=1)), "spectrum": spectrum}


def figure(key: int | str, results: Results) -> Figure:
    """Figure 1 to 12 of the paper, or "spectrum", which is not in the paper, from results on one dataset.

    Raises:
        VotewiseError: if the figure is unknown, or altair is not installed.
    """
    if key not in FIGURES:
        raise VotewiseError(f"unknown figure {key!r}", remedy=f"choose one of {listing(FIGURES, limit=20)}")
    require_altair()
    return FIGURES[key](results)
