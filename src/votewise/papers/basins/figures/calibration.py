"""Figures 3 and 10: calibration."""

from __future__ import annotations

from dataclasses import replace

from votewise.comparison import name, quantity
from votewise.papers.basins.figures.captions import ending, most_seeds, spreads
from votewise.papers.basins.published import METHODS, note
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import Figure, Looks, absent, panels, reliability_curves, strip
from votewise.studies import Needs, Results

DRAWN = ("soft", "sls", "majority")
BRIER = "Brier score decomposition"
PARTS = {
    "brier_reliability": "Reliability (lower is better)",
    "brier_resolution": "Resolution (higher is better)",
}


def reliability(results: Results) -> Figure:
    """Figure 3."""
    figure = reliability_curves(results, DRAWN)
    if figure.missing:
        return replace(figure, key=3, missing=(Needs(DRAWN, "main", probe="reliability"),))
    published = ", ".join(f"{name(method)} {number(f'f-smooth-ece-{method}'):.3f}" for method in DRAWN)
    return replace(figure, key=3, caption=f"{figure.caption} {note(results, f'smooth ECE {published}.')}")


def brier(results: Results) -> Figure:
    """Figure 10: reliability and resolution of each method, for each seed and as mean with SD."""
    values = {part: {method: results.values(method, part) for method in METHODS} for part in PARTS}
    if not any(by_seed for by_method in values.values() for by_seed in by_method.values()):
        return absent(10, BRIER, Needs(METHODS, "main"))
    words = "; ".join(f"{quantity(part).label}: {spreads(by_method)}" for part, by_method in values.items())
    looks = Looks.of(results)
    seeds = max(most_seeds(by_method.values()) for by_method in values.values())
    return Figure(
        10,
        BRIER,
        "Two terms of the Brier score of the predicted class, computed in the bins of equal-mass ECE: reliability (squared gap between confidence and accuracy) and resolution"
        f" (variance of the accuracy between bins). Dots are seeds, and lines connect the same seed; large marks are means with one SD. Means: {words}. "
        + ending(results, seeds, "the methods are close on reliability, and SLS is slightly higher on resolution (no numbers).", "best checkpoint"),
        "Good predictions have a low reliability term and a high resolution term.",
        f"Two panels of dots. {words}.",
        panels(
            [
                strip({(part, method): by_seed for method, by_seed in by_method.items() if by_seed}, looks, axis=PARTS[part], categories=[part])
                for part, by_method in values.items()
            ]
        ),
    )  # fmt: skip
