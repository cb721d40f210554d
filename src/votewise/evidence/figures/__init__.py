"""The paper's figures out of any results: charts for a page, pictures for a paper, from one definition each."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from votewise.errors import VotewiseError
from votewise.evidence.figures.calibration import brier, reliability
from votewise.evidence.figures.diagnosis import by_js_distance, by_l1_distance, on_the_high_slice
from votewise.evidence.figures.dynamics import dynamics
from votewise.evidence.figures.figure import Figure
from votewise.evidence.figures.geometry import barrier, spectrum
from votewise.evidence.figures.noise import gradient_noise
from votewise.evidence.figures.output import FIT, FORMATS, VEGA_LITE, save, spec
from votewise.evidence.figures.representations import gradcam, similarity
from votewise.evidence.figures.resampling import resampling
from votewise.evidence.figures.sweep import sweep
from votewise.evidence.figures.theme import theme
from votewise.evidence.results import Results
from votewise.wording import listing

__all__ = ["FIGURES", "FIT", "FORMATS", "VEGA_LITE", "Figure", "figure", "save", "spec", "theme"]

FIGURES: dict[int | str, Callable[[Results], Figure]] = {
    1: sweep,
    2: by_js_distance,
    3: reliability,
    4: resampling,
    5: by_l1_distance,
    6: on_the_high_slice,
    7: gradient_noise,
    8: dynamics,
    9: gradcam,
    10: brier,
    11: barrier,
    12: similarity,
    "spectrum": spectrum,
}


def figure(number: int | str, results: Results) -> Figure:
    """One of the paper's figures 1 to 12, or "spectrum", which the paper does not have."""
    if number not in FIGURES:
        raise VotewiseError(f"there is no figure {number!r}", remedy=f"choose one of {listing(FIGURES, limit=20)}")
    if find_spec("altair") is None:
        raise VotewiseError("figures need altair", remedy="install votewise[report]")
    return FIGURES[number](results)
