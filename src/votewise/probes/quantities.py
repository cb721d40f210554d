"""Every number that a probe produces, declared once: key, label, meaning, unit, direction and citation.

They are separate from the functions so that tables and pages can look them up without importing torch. A family of numbers, for
example the curvature on a slice of the items or the AUROC of a detector on a set, is a function of its parts.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from votewise.quantity import Direction, Quantity

SLICES = {"full": "all held-out items", "high": "the tenth with the highest vote entropy"}
SETS = ("near", "far", "outside")  # of out-of-distribution inputs; `outside` is a set without a name
DETECTORS = {
    "energy": "Energy",
    "msp": "MSP",
    "odin": "ODIN",
    "entropy": "Pred. entropy",
    "margin": "Logit margin",
    "knn": "KNN",
}


@dataclass(frozen=True, kw_only=True)
class ProbeQuantity(Quantity):
    """A number of a probe of stored runs.

    Attributes:
        probe: the name of the probe that produces it, a key of `votewise.probes.PROBES`.
    """

    probe: str


def _number(
    key: str, label: str, meaning: str, unit: str = "", better: Direction | None = None, citation: str = ""
) -> Quantity:
    return Quantity(key=key, label=label, meaning=meaning, unit=unit, better=better, citation=citation)


def curvature_quantities(part: str) -> list[Quantity]:
    """The curvature of the loss on a slice of the items: "full", "high", or a custom slice.

    >>> curvature_quantities("high")[0].label
    'λmax (high)'
    """
    rows = {
        "lambda_max_{}": ("λmax", "largest eigenvalue of the Hessian on {}; larger is sharper"),
        "lambda_max_{}_residual": ("Residual of λmax", "an eigenvalue lies within this of lambda_max"),
        "lambda_min_{}": ("λmin", "smallest eigenvalue of the Hessian on {}; well below 0 is a saddle"),
        "lambda_min_{}_residual": ("Residual of λmin", "an eigenvalue lies within this of lambda_min"),
        "lambda_power_{}": ("Power iteration", "eigenvalue of largest modulus on {}, by power iteration"),
        "trace_{}": ("Trace", "trace of the Hessian on {}, the sum of its eigenvalues; larger is sharper"),
        "trace_{}_se": ("SE of the trace", "standard error of the trace"),
        "trace_hutchinson_{}": ("Trace, Hutchinson", "trace of the Hessian on {} by Hutchinson's estimate"),
        "trace_hutchinson_{}_se": ("SE of the trace, Hutchinson", "standard error of Hutchinson's estimate"),
        "sharpness_{}": (
            "Sharpness",
            "largest eigenvalue on {}, relative to the size of each weight; larger is sharper",
        ),
    }
    items = SLICES.get(part, part)
    return [
        _number(key.format(part), f"{label} ({part})", meaning.format(items)) for key, (label, meaning) in rows.items()
    ]


def detection_quantities(sets: Collection[str]) -> list[Quantity]:
    """How well each detector separates sets of out-of-distribution inputs, by name, from held-out inputs.

    >>> [quantity.key for quantity in detection_quantities(["far"])][:3]
    ['n_far', 'auroc_far_energy', 'auroc_far_msp']
    """
    sizes = [_number(f"n_{name}", f"Inputs ({name})", "inputs in the set") for name in sets]
    measures: dict[str, tuple[str, Direction]] = {
        "auroc": ("probability that an input of the set scores higher than a held-out one; 0.5 is chance", "higher"),
        "fpr95": ("share of the set that is accepted when 95 % of the held-out inputs are accepted", "lower"),
        "aupr": ("average precision of detecting the set", "higher"),
    }
    return sizes + [
        _number(f"{measure}_{name}_{detector}", f"{measure.upper()} ({name}, {shown})", meaning, "", better)
        for name in sets
        for measure, (meaning, better) in measures.items()
        for detector, shown in DETECTORS.items()
    ]


def _maps(suffix: str, part: str, on: str) -> list[Quantity]:
    """How similar the Grad-CAM maps of two runs are."""
    rows: tuple[tuple[str, str, str, str, Direction], ...] = (
        ("correlation", "Correlation of maps", "correlation of the maps of two runs{}; 1: identical regions", "", "higher"),
        ("overlap", "Overlap of hottest fifths", "overlap (IoU) of the hottest fifths of both maps{}; 1: identical regions", "", "higher"),
        ("distance", "Distance of centres", "distance between the centres of both maps{}; 0: same centre", "pixels", "lower"),
    )  # fmt: skip
    return [
        _number(f"gradcam_{key}{suffix}", label + part, meaning.format(on), unit, better, "Selvaraju et al. 2017")
        for key, label, meaning, unit, better in rows
    ]


def _sparse_targets(prefix: str, distance: str, of: str) -> list[Quantity]:
    """Where hard labels improve the soft NLL, by the distance of the sparse target from the full distribution."""
    follows = "rank correlation between the error of the target and the improvement by hard labels"
    gain = "mean improvement of the soft NLL by hard labels"
    rows = {
        "correlation": ("Correlation", f"{follows}; above 0: hard labels help where targets are poor", ""),
        "correlation_high": ("Correlation, high", f"{follows} on the high-disagreement slice", ""),
        "correlation_partial": ("Correlation, partial", f"{follows}, controlling for vote entropy", ""),
        "correlation_disputed": ("Correlation, disputed", f"{follows} without unanimous items", ""),
        "lowest": ("Gain, best targets", f"{gain} where targets are best", "nats"),
        "highest": ("Gain, poorest targets", f"{gain} where targets are poorest", "nats"),
        "highest_high": ("Gain, poorest targets, high", f"{gain} where targets are poorest on the slice", "nats"),
        "others_high": ("Gain, other targets, high", f"{gain} on the rest of the slice", "nats"),
    }
    return [
        _number(f"{prefix}{distance}_{key}", f"{label} ({of})", meaning, unit)
        for key, (label, meaning, unit) in rows.items()
    ]


_DECLARED: dict[str, list[Quantity]] = {
    "curvature": [
        *(quantity for part in SLICES for quantity in curvature_quantities(part)),
        _number("weight_norm", "Weight norm", "Euclidean norm of all trainable weights"),
    ],
    "spectrum": [
        _number("spectrum_mean", "Mean eigenvalue", "mean eigenvalue of the Hessian, from the density of its spectrum", citation="Ghorbani, Krishnan and Xiao 2019"),
    ],
    "barrier": [
        _number("barrier", "Barrier", "maximum rise of the loss above the line between its ends; 0: same basin", "nats", citation="Frankle et al. 2020"),
        _number("barrier_reestimated", "Barrier, re-estimated", "barrier with re-estimated batch-norm statistics", "nats", citation="Jordan et al. 2023"),
        _number("loss_first", "Loss, first", "soft NLL of the first run", "nats", "lower"),
        _number("loss_second", "Loss, second", "soft NLL of the second run", "nats", "lower"),
    ],
    "representation": [
        _number("items", "Items", "items that were compared"),
        _number("items_high", "Items (high)", "compared items on the high-disagreement slice"),
        _number("cka", "CKA", "linear CKA of the penultimate layers; 1: equal up to rotation and scale", "", "higher", "Kornblith et al. 2019"),
        _number("cka_debiased", "CKA, debiased", "linear CKA, corrected for the bias with few items", "", "higher", "Nguyen et al. 2021"),
        *_maps("", "", ""),
        *_maps("_high", " (high)", " on the high-disagreement slice"),
        _number("empty_maps", "Empty maps", "items left out because one of their maps is constant"),
    ],
    "noise": [
        _number("noise_correlation", "Noise correlation", "rank correlation of vote entropy and gradient variance; 1: noise where annotators disagree", citation="Gheibi and Ghazizadeh 2026"),
        _number("noise_correlation_sampled", "Noise correlation, sampled", "rank correlation of vote entropy and the gradient variance of drawn labels"),
        _number("noise_correlation_disputed", "Noise correlation, disputed", "rank correlation of vote entropy and gradient variance without unanimous items"),
        _number("noise_share_high", "Noise share (high)", "share of the gradient variance on the tenth with the highest vote entropy; 0.1 if uniform"),
        _number("noise_share_votes", "Noise share by votes (high)", "share of 1 - sum p^2 on the same tenth: the noise share expected from the votes alone"),
        _number("noise_agreement", "Noise agreement", "rank correlation of closed-form and sampled variance; near 1 if there are enough draws"),
    ],
    "dynamics": [
        _number("epoch_95", "Epoch at 95 %", "first epoch within 5 % of the best soft NLL, counted from 0; lower is faster"),
        _number("best_epoch", "Best epoch", "epoch of the lowest soft NLL, counted from 0"),
        _number("soft_nll_end", "Soft NLL, end", "soft NLL of the last epoch", "nats", "lower"),
        _number("epochs", "Epochs", "epochs of training"),
    ],
    "ood": detection_quantities(SETS),
    "reliability": [
        _number("smooth_ece", "Smooth ECE", "smoothed distance of confidence from accuracy", "", "lower", "Błasiok and Nakkiran 2024"),
        _number("diagonal_distance", "Diagonal distance", "mean distance of the reliability curve from the diagonal", "", "lower"),
        _number("smooth_ece_floor", "Smooth ECE of the votes", "smooth ECE of the vote shares themselves as predictions"),
        _number("ece_equal_mass_floor", "Equal-mass ECE of the votes", "equal-mass ECE of the vote shares themselves as predictions"),
        _number("brier_reliability_votes", "Brier reliability (votes)", "mean over bins of (mean confidence - mean vote share)^2", "squared probability", "lower"),
        _number("brier_resolution_votes", "Brier resolution (votes)", "mean over bins of (mean vote share of the bin - of all)^2", "squared probability", "higher"),
    ],
    "diagnosis": [
        quantity
        for prefix, items in (("", ""), ("train_", ", training items"))
        for distance, shown in (("js", "JS"), ("l1", "L1"))
        for quantity in _sparse_targets(prefix, distance, shown + items)
    ],
    "spread": [
        _number("entropy_pearson", "Entropy correlation (Pearson)", "correlation of the entropies of predictions and votes", "", "higher"),
        _number("entropy_gap_high", "Entropy gap (high)", "mean gap between both entropies on the tenth with the highest vote entropy", "nats", "lower"),
        _number("peak_gap_high", "Peak gap (high)", "largest probability minus largest vote share on that tenth; above 0: overconfident"),
        _number("kl_low_third", "KL, low third", "mean KL from the votes on the third with the lowest vote entropy", "nats", "lower"),
        _number("kl_high_third", "KL, high third", "mean KL from the votes on the third with the highest vote entropy", "nats", "lower"),
        _number("vote_entropy_first_decile", "Vote entropy, first decile", "first decile of the vote entropy; 0: unanimous, 1: evenly split"),
        _number("vote_entropy_median", "Vote entropy, median", "median of the vote entropy; 0: unanimous, 1: evenly split"),
        _number("vote_entropy_last_decile", "Vote entropy, last decile", "last decile of the vote entropy; 0: unanimous, 1: evenly split"),
        _number("largest_class", "Largest class", "accuracy of always predicting the most frequent class"),
        _number("constant_loss", "Constant loss", "soft NLL of always predicting the mean of the votes", "nats"),
        _number("own_best_epoch", "Best epoch, own loss", "epoch with the lowest validation loss of the kind used in training, counted from 0"),
        _number("own_rise", "Rise, own loss", "relative rise of that loss from its best to the last epoch"),
    ],
    "same-winner": [
        _number("kl_gain_agreed", "KL gain, agreed", "median difference of KL from the votes, first minus second, where both predict the majority; above 0: the second is closer", "nats"),
        _number("items_agreed", "Items, agreed", "items on which both predict the majority"),
    ],
    "examples": [
        _number("kl_example_first", "KL of the example, first", "KL of the first run from the votes on an item for which both predict the majority", "nats", "lower"),
        _number("kl_example_second", "KL of the example, second", "KL of the second run from the votes on the same item", "nats", "lower"),
    ],
}  # fmt: skip

QUANTITIES: dict[str, ProbeQuantity] = {
    quantity.key: ProbeQuantity(probe=probe, **vars(quantity))
    for probe, declared in _DECLARED.items()
    for quantity in declared
}
