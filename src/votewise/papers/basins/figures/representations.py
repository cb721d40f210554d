"""Figures 9 and 12: the similarity of Grad-CAM maps and of representations across the seeds of a method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from votewise.comparison import axis, inside, listed, name, quantity
from votewise.papers.basins.figures.captions import ending, means, most_seeds
from votewise.papers.basins.published import METHODS, STABILITY
from votewise.papers.basins.published import in_text as number
from votewise.reporting.charts import Figure, Looks, absent, panels, strip
from votewise.studies import Needs, Results

NEEDS = Needs(METHODS, "main", probe="representation")
GRADCAM, CKA = "Stability of Grad-CAM maps", "Similarity of representations"
ESTIMATORS = {"cka": "Linear CKA", "cka_debiased": "Debiased linear CKA"}
SLICES = {"": "all items", "_high": "high slice"}
PARTNERS = {"": "same method", "_between": "other method"}
Cells = dict[tuple[str, str], dict[int, float]]  # by category and method, values by seed


def _values(results: Results, keys: Iterable[str], parts: Mapping[str, str]) -> dict[str, Cells]:
    """The values of both methods for each key, by the meaning of the key's suffix; keys without values are left out."""
    every = {
        key: {(part, m): results.values(m, key + suffix) for suffix, part in parts.items() for m in METHODS}
        for key in keys
    }
    found = {key: {place: by_seed for place, by_seed in cells.items() if by_seed} for key, cells in every.items()}
    return {key: cells for key, cells in found.items() if cells}


def _in_words(values: Mapping[str, Cells], parts: Mapping[str, str], start: Callable[[str, str], str]) -> str:
    return "; ".join(
        f"{start(key, part)}: {text}"
        for key, cells in values.items()
        for part in parts.values()
        if (text := means({method: cells.get((part, method), {}) for method in METHODS}))
    )


def _dots(results: Results, values: Mapping[str, Cells], parts: Mapping[str, str], axes: Callable[[str], str]) -> Any:
    looks = Looks.of(results)
    return panels(
        [
            strip(
                cells, looks, axis=axes(key), categories=[p for p in parts.values() if any(p == at for at, _ in cells)]
            )
            for key, cells in values.items()
        ]
    )


def gradcam(results: Results) -> Figure:
    """Figure 9: three measures of the similarity of the maps of a seed to those of the other seeds."""
    values = _values(results, STABILITY, SLICES)
    if not values:
        return absent(9, GRADCAM, NEEDS)
    words = _in_words(values, SLICES, lambda key, part: f"{inside(quantity(key).label)} on {part}")
    in_print = [number(f"r-gradcam-{part}-{method}") for part in ("all", "high-entropy") for method in ("sls", "soft")]
    published = "correlation SLS {:.3f}, soft labels {:.3f}; on the high-entropy slice {:.3f} and {:.3f}.".format(
        *in_print
    )
    return Figure(
        9,
        GRADCAM,
        "Similarity of the Grad-CAM maps of a seed to those of the other seeds of its method, on items that both held out. The measures are the correlation of the maps, the overlap"
        " of the fifths with the highest values, and the distance of the centres. A dot is the mean of a seed over the other seeds; large marks are means with one SD. "
        f"Means: {words}. " + ending(results, _most(values), published, "best checkpoint"),
        "A higher correlation, a higher overlap and a smaller distance mean that models with different seeds look at the same regions.",
        f"Three panels of dots for {listed(map(inside, map(name, METHODS)))}. {words}.",
        _dots(results, values, SLICES, axis),
    )  # fmt: skip


def similarity(results: Results) -> Figure:
    """Figure 12: linear CKA of the penultimate layer with the seeds of the same and of the other method, with two estimators."""
    values = _values(results, ESTIMATORS, PARTNERS)
    if not values:
        return absent(12, CKA, NEEDS)
    words = _in_words(values, PARTNERS, lambda key, partner: f"{inside(ESTIMATORS[key])} with the {partner}")
    published = f"SLS {number('r-cka-sls'):.3f}, soft labels {number('r-cka-soft'):.3f} within a method."
    return Figure(
        12,
        CKA,
        "Linear CKA of the penultimate layer between two runs, on items that both held out. A run is compared with the other seeds of its own method, and with the runs of the"
        " other method (SLS or soft labels), with the usual and the debiased estimator. A dot is the mean of a seed over its partners; large marks are means with one"
        f" SD. The means of two seeds share a pair of runs, so dots are not independent. Means: {words}. " + ending(results, _most(values), published, "best checkpoint"),
        "Higher means more similar representations. If the similarity is as high between the methods as within a method, the delivery does not change the representations.",
        f"Dots for {listed(map(inside, map(name, METHODS)))}. {words}.",
        _dots(results, values, PARTNERS, ESTIMATORS.__getitem__),
    )  # fmt: skip


def _most(values: Mapping[str, Cells]) -> int:
    return max(most_seeds(cells.values()) for cells in values.values())
