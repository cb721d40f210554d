"""Charts of any comparison, for a page (Vega-Lite) and as files (SVG, PNG, PDF), from one definition.

figure, looks, marks, theme  a chart with its texts; colours, shapes and dashes of methods; shared marks; fonts and neutral colours
output                       specifications for a page, and files
votes_sweep, training_curves, reliability_curves, paired_differences   figures for any results
"""

from votewise.reporting.charts.differences import model_differences, paired_differences
from votewise.reporting.charts.figure import Figure, absent, alt, inline, mean, mean_sd, require_altair, tips, with_sd
from votewise.reporting.charts.looks import Look, Looks
from votewise.reporting.charts.marks import (
    BAND,
    HEIGHT,
    band,
    colour,
    dash,
    lane_names,
    lanes,
    panels,
    selection,
    shape,
    span,
    strip,
    zero_line,
)
from votewise.reporting.charts.output import FIT, FORMATS, VEGA_LITE, save, save_all, spec
from votewise.reporting.charts.reliability import reliability_curves
from votewise.reporting.charts.theme import theme
from votewise.reporting.charts.training import LOSSES, TITLE, histories, history_panels, mean_history, training_curves
from votewise.reporting.charts.votes_sweep import votes_sweep

__all__ = [
    "BAND", "FIGURES", "FIT", "FORMATS", "HEIGHT", "LOSSES", "TITLE", "VEGA_LITE", "Figure", "Look", "Looks",
    "absent", "alt", "band", "colour", "dash", "histories", "history_panels", "inline", "lane_names", "lanes", "mean", "mean_history", "mean_sd", "model_differences", "paired_differences",
    "panels", "reliability_curves", "require_altair", "save", "save_all", "selection", "shape", "span", "spec", "strip", "theme", "tips", "training_curves",
    "votes_sweep", "with_sd", "zero_line",
]  # fmt: skip

FIGURES = (paired_differences, votes_sweep, reliability_curves, training_curves)
