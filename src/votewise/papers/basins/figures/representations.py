"""Figures 9 and 12: how similar the seeds of a method are in their Grad-CAM maps and representations."""

from __future__ import annotations

from votewise.comparison import axis, inside, listed, name, quantity
from votewise.papers.basins.figures.captions import ending, means, most_seeds
from votewise.papers.basins.in_print import number
from votewise.reporting.charts import Figure, Looks, absent, panels, strip
from votewise.studies import Needs, Results

GRADCAM = "Stability of Grad-CAM maps"
CKA = "Similarity of representations"
METHODS = ("soft", "sls")
MEASURES = ("gradcam_correlation", "gradcam_overlap", "gradcam_distance")
SLICES = {"": "all items", "_high": "high slice"}
PARTNERS = {"": "same method", "_between": "other method"}
ESTIMATORS = {"cka": "Linear CKA", "cka_debiased": "Debiased linear CKA"}
NEEDS = Needs(METHODS, "main", probe="representation")


def gradcam(results: Results) -> Figure:
    """Figure 9: three measures of the similarity of the maps of a seed and of the other seeds."""
    values = {
        measure: {
            (part, method): results.values(method, measure + suffix)
            for suffix, part in SLICES.items()
            for method in METHODS
        }
        for measure in MEASURES
    }
    values = {measure: cells for measure, cells in values.items() if any(cells.values())}
    if not values:
        return absent(9, GRADCAM, NEEDS)
    words = "; ".join(
        f"{inside(quantity(measure).label)} on {part}: {means({method: cells[part, method] for method in METHODS})}"
        for measure, cells in values.items()
        for part in SLICES.values()
    )
    published = {
        (part, method): number(f"r-gradcam-{part}-{method}") for part in ("all", "high-entropy") for method in METHODS
    }
    looks = Looks.of(results)
    return Figure(
        9,
        GRADCAM,
        "Similarity of the Grad-CAM maps of a seed and of the other seeds of its method, on items that neither was trained on: correlation of the maps, overlap of"
        " their hottest fifths, distance of their centres. A dot is a seed's mean over the other seeds; large marks are means with one SD. "
        f"Means: {words}. "
        + ending(
            results,
            max(most_seeds(cells.values()) for cells in values.values()),
            f"correlation SLS {published['all', 'sls']:.3f}, soft labels {published['all', 'soft']:.3f}; on the high-entropy slice"
            f" {published['high-entropy', 'sls']:.3f} and {published['high-entropy', 'soft']:.3f}.",
            "best checkpoint",
        ),
        "Higher correlation and overlap, and a smaller distance, mean that seeds look at the same places.",
        f"Three panels of dots for {listed(map(inside, map(name, METHODS)))}. {words}.",
        panels(
            [strip(cells, looks, axis=axis(measure), categories=list(SLICES.values())) for measure, cells in values.items()]
        ),
    )  # fmt: skip


def similarity(results: Results) -> Figure:
    """Figure 12: linear CKA of the penultimate layer with the seeds of the same and of the other method, in two estimators."""
    values = {
        key: {
            (partner, method): results.values(method, key + suffix)
            for suffix, partner in PARTNERS.items()
            for method in METHODS
        }
        for key in ESTIMATORS
    }
    values = {key: {place: by_seed for place, by_seed in cells.items() if by_seed} for key, cells in values.items()}
    values = {key: cells for key, cells in values.items() if cells}
    if not values:
        return absent(12, CKA, NEEDS)
    words = "; ".join(
        f"{inside(ESTIMATORS[key])} with the {partner}: {text}"
        for key, cells in values.items()
        for partner in PARTNERS.values()
        if (text := means({method: cells.get((partner, method), {}) for method in METHODS}))
    )
    looks = Looks.of(results)
    published = f"SLS {number('r-cka-sls'):.3f}, soft labels {number('r-cka-soft'):.3f} within a method."
    return Figure(
        12,
        CKA,
        "Linear CKA of the penultimate layer between a seed and the other seeds of its method, and of the other method (SLS with soft labels), on items that neither"
        " was trained on; the usual estimator on the left, the debiased one on the right. A dot is a seed's mean over its partners; large marks are means with one"
        f" SD. The means of two seeds share a pair of runs, so dots are not independent. Means: {words}. "
        + ending(results, max(most_seeds(cells.values()) for cells in values.values()), published, "best checkpoint"),
        "Higher means more similar representations. If the other method is as similar as the same one, the delivery does not separate them.",
        f"Dots for {listed(map(inside, map(name, METHODS)))}. {words}.",
        panels(
            [
                strip(cells, looks, axis=ESTIMATORS[key], categories=[p for p in PARTNERS.values() if any(p == at for at, _ in cells)])
                for key, cells in values.items()
            ]
        ),
    )  # fmt: skip
