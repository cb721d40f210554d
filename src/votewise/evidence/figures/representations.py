"""Figures 9 and 12: whether two seeds of a method look at the same places and see the same things."""

from __future__ import annotations

from votewise.evidence.figures.figure import Figure, absent, in_print, mean_sd, setting
from votewise.evidence.figures.marks import panels, strip
from votewise.evidence.methods import QUANTITIES, in_words, listed, look
from votewise.evidence.published import published
from votewise.evidence.results import Results

GRADCAM = "Stability of Grad-CAM maps"
CKA = "Similarity of representations"
ARMS = ("soft", "sls")
MEASURES = ("gradcam_correlation", "gradcam_overlap", "gradcam_distance")
SLICES = {"": "all items", "_high": "high slice"}
ESTIMATORS = {"cka": "usual", "cka_debiased": "debiased"}


def gradcam(results: Results) -> Figure:
    """Figure 9: three measures of how alike the maps of a seed are to those of the other seeds."""
    arms = results.arms(ARMS)
    values = {
        measure: {
            (name, method): results.values("main", method, measure + part)
            for part, name in SLICES.items()
            for method in arms
        }
        for measure in MEASURES
    }
    values = {measure: found for measure, found in values.items() if any(found.values())}
    if not values:
        return absent(
            9, GRADCAM, "the probe 'representation' on runs of the study 'main' (soft, sls; at least two seeds)"
        )
    told = "; ".join(
        f"{QUANTITIES[measure].name.lower()} on {name}: "
        + ", ".join(
            f"{look(method).name} {mean_sd(list(found[name, method].values()))[0]:.3f}"
            for method in arms
            if found[name, method]
        )
        for measure, found in values.items()
        for name in SLICES.values()
    )
    return Figure(
        9,
        GRADCAM,
        "How alike the Grad-CAM maps of a seed and of the other seeds of its method are, on items that neither trained on: correlation of the maps, overlap of "
        "their hottest fifths, distance of their centres. A dot is a seed's mean over the other seeds; large marks are means with one SD. "
        f"Means: {told}. "
        + setting(results, max(len(by_seed) for found in values.values() for by_seed in found.values()))
        + in_print(results, _paper_gradcam()),
        "Higher correlation and overlap, and a smaller distance, mean that seeds look at the same places.",
        f"Three panels of dots for {listed(map(in_words, arms))}. {told}.",
        panels(
            [strip(found, axis=QUANTITIES[measure].axis, categories=list(SLICES.values())) for measure, found in values.items()]
        ),
    )  # fmt: skip


def _paper_gradcam() -> str:
    found = {
        (part, method): published().number(f"r-gradcam-{part}-{method}")["value"]
        for part in ("all", "high-entropy")
        for method in ARMS
    }
    return (
        f"correlation SLS {found['all', 'sls']:.3f}, soft labels {found['all', 'soft']:.3f}; on the high-entropy slice "
        f"{found['high-entropy', 'sls']:.3f} and {found['high-entropy', 'soft']:.3f}."
    )


def similarity(results: Results) -> Figure:
    """Figure 12: linear CKA of the penultimate layer within a method, in two estimators."""
    arms = results.arms(ARMS)
    values = {
        (name, method): results.values("main", method, score) for score, name in ESTIMATORS.items() for method in arms
    }
    if not any(values.values()):
        return absent(12, CKA, "the probe 'representation' on runs of the study 'main' (soft, sls; at least two seeds)")
    told = "; ".join(
        f"{name}: "
        + ", ".join(
            f"{look(method).name} {mean_sd(list(values[name, method].values()))[0]:.3f}"
            for method in arms
            if values[name, method]
        )
        for name in ESTIMATORS.values()
    )
    return Figure(
        12,
        CKA,
        "Linear CKA of the penultimate layer between a seed and the other seeds of its method, on items that neither trained on, with the usual and with the debiased "
        "estimator. A dot is a seed's mean over the other seeds; large marks are means with one SD. "
        f"Means: {told}. "
        + setting(results, max(len(by_seed) for by_seed in values.values()))
        + in_print(results, _paper_cka()),
        "Higher means that seeds come to more similar representations.",
        f"Dots for {listed(map(in_words, arms))}. Linear CKA, {told}.",
        strip(values, axis="Linear CKA with the other seeds", categories=list(ESTIMATORS.values())),
    )  # fmt: skip


def _paper_cka() -> str:
    return f"SLS {published().number('r-cka-sls')['value']:.3f}, soft labels {published().number('r-cka-soft')['value']:.3f}."
