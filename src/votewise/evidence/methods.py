"""How methods, scores and detectors are called and drawn: one name, colour, shape and dash for each, the same everywhere.

The colours are those of Okabe and Ito (2008) but for black and yellow, which vanish on a dark or on a white page: a dark grey and an
indigo stand in. Any two stay apart for people who do not see red, green or blue; shape and dash say the same once more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Look:
    """What a method is called and how it is drawn; `shape` and `dash` are Vega's."""

    name: str
    colour: str
    shape: str
    dash: tuple[int, ...]


METHODS = {
    "soft": Look("Soft labels", "#0072B2", "circle", (1, 0)),
    "sls": Look("SLS", "#D55E00", "square", (7, 3)),
    "multipass": Look("Multipass", "#009E73", "triangle-up", (4, 2)),
    "deterministic": Look("Deterministic control", "#CC79A7", "diamond", (2, 2)),
    "shuffled-sls": Look("Shuffled SLS", "#6A4FE0", "triangle-left", (1, 3)),
    "majority": Look("Majority vote", "#646464", "cross", (9, 3, 2, 3)),
    "label-smoothing": Look("Label smoothing", "#56B4E9", "triangle-down", (5, 2, 1, 2)),
    "mixup": Look("Mixup", "#E69F00", "triangle-right", (12, 4)),
}

_STRANGER = ("#646464", "stroke", (3, 5))


def look(method: str) -> Look:
    """The look of a method; one with options of its own has the look of its kind, and a stranger is grey.

    >>> look("sls").name, look("sls-every-5").name, look("label-smoothing(epsilon=0.2)").name
    ('SLS', 'SLS, drawn every 5 epochs', 'Label smoothing (epsilon=0.2)')
    >>> look("sls-every-5").colour == look("sls").colour
    True
    """
    if method in METHODS:
        return METHODS[method]
    plain, _, options = method.partition("(")
    plain, _, interval = plain.partition("-every-")
    kind = METHODS.get(plain)
    if kind is None:
        return Look(method, *_STRANGER)
    name = kind.name
    name += f", drawn every {interval} epochs" if interval else ""
    name += f" ({options}" if options else ""
    return Look(name, kind.colour, kind.shape, kind.dash)


def in_words(method: str) -> str:
    """What a sentence calls a method.

    >>> in_words("soft"), in_words("sls")
    ('soft labels', 'SLS')
    """
    name = look(method).name
    return name if name == method or name[:2].isupper() else name[:1].lower() + name[1:]


def listed(names: Iterable[str], last: str = "and") -> str:
    """Names in a sentence.

    >>> listed(["soft labels"]), listed(["soft labels", "SLS", "mixup"], "or")
    ('soft labels', 'soft labels, SLS or mixup')
    """
    *some, end = names
    return f"{', '.join(some)} {last} {end}" if some else end


def in_order(methods: Iterable[str]) -> list[str]:
    """Methods, each once, in the order in which charts and legends have them; strangers last."""
    places = {name: place for place, name in enumerate(METHODS)}
    return sorted(dict.fromkeys(methods), key=lambda name: (places.get(name, len(places)), name))


@dataclass(frozen=True)
class Quantity:
    """What a column of the results is called, in a table's head and on an axis; `better` is None where neither is."""

    name: str
    axis: str
    better: Literal["lower", "higher"] | None = None

    @property
    def head(self) -> str:
        """The name with the direction that is better, as tables have it."""
        return self.name + {"lower": " ↓", "higher": " ↑", None: ""}[self.better]


QUANTITIES = {
    "soft_nll": Quantity("Soft NLL", "Soft NLL (nats)", "lower"),
    "kl": Quantity("KL to annotators", "KL to annotators (nats)", "lower"),
    "soft_brier": Quantity("Soft Brier", "Soft Brier", "lower"),
    "accuracy": Quantity("Hard accuracy", "Hard accuracy (share of items)", "higher"),
    "ece_equal_mass": Quantity("Equal-mass ECE", "Equal-mass ECE", "lower"),
    "smooth_ece_votes": Quantity("Calibration error", "Smooth ECE against the votes", "lower"),
    "smooth_ece": Quantity("Smooth ECE", "Smooth ECE", "lower"),
    "entropy_correlation": Quantity("Entropy correlation", "Entropy correlation (Spearman)", "higher"),
    "excess_last": Quantity("Training excess", "Training loss above the entropy of the targets, last epoch (nats)"),
    "brier_reliability": Quantity("Reliability", "Reliability", "lower"),
    "brier_resolution": Quantity("Resolution", "Resolution", "higher"),
    "lambda_max_full": Quantity("λmax (full)", "Largest Hessian eigenvalue, full split"),
    "lambda_max_high": Quantity("λmax (high)", "Largest Hessian eigenvalue, high slice"),
    "trace_full": Quantity("Trace (full)", "Hessian trace, full split"),
    "trace_high": Quantity("Trace (high)", "Hessian trace, high slice"),
    "cka": Quantity("CKA", "Linear CKA with the other seeds", "higher"),
    "cka_debiased": Quantity("CKA, debiased", "Debiased linear CKA with the other seeds", "higher"),
    "gradcam_correlation": Quantity("Correlation", "Correlation of maps", "higher"),
    "gradcam_overlap": Quantity("Overlap", "Overlap of hottest fifths (IoU)", "higher"),
    "gradcam_distance": Quantity("Distance", "Distance of centres (pixels)", "lower"),
}

DETECTORS = {
    "energy": "Energy",
    "msp": "MSP",
    "odin": "ODIN",
    "entropy": "Pred. entropy",
    "margin": "Logit margin",
    "knn": "KNN",
}

DATASETS = {"digits": "the embedded digits", "cifar10h": "CIFAR-10H"}


def dataset_name(dataset: str) -> str:
    """What a sentence calls a dataset."""
    return DATASETS.get(dataset, dataset)


def votes_name(K: int | None) -> str:
    """The votes per item on an axis or in a head.

    >>> votes_name(5), votes_name(None)
    ('5', 'all')
    """
    return "all" if K is None else str(K)
