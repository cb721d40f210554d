"""Agreement in published datasets, to judge whether the agreement of some votes is low for their kind of task.

Computed with `describe` from the published votes (nominal alpha and the share of pairs of votes on one item that agree). The
items of ChaosNLI were chosen because few annotators had disagreed on them before; the others are samples of their source.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """Agreement in a dataset: the question, the number of classes, nominal alpha, and the share of agreeing pairs."""

    name: str
    task: str
    classes: int
    alpha: float
    pairwise: float


REFERENCES = (
    Reference("CIFAR-10H", "what a small photograph shows", 10, 0.915, 0.924),
    Reference("ConvAbuse, test", "whether a message to a chatbot is abusive", 2, 0.670, 0.924),
    Reference("ChaosNLI, abductive", "which of two explanations is likelier", 2, 0.648, 0.824),
    Reference("ChaosNLI, SNLI", "whether a sentence follows from another", 3, 0.447, 0.658),
    Reference("ChaosNLI, MNLI", "whether a sentence follows from another", 3, 0.283, 0.540),
    Reference("Paraphrase, training", "how alike two questions are, on 11 levels", 11, 0.154, 0.269),
    Reference("POPQUORN", "how offensive a comment is, on 5 levels", 5, 0.134, 0.467),
)
RELIABLE, TENTATIVE = 0.800, 0.667  # Krippendorff 2004, Reliability in content analysis


def verdict(alpha: float, nominal: float | None = None, level: str = "nominal") -> str:
    """The interpretation of an alpha by Krippendorff's limits, with the published datasets of the nearest nominal alpha.

    >>> verdict(0.4).split(":")[0]
    'Low'
    """
    if alpha != alpha:
        return "Agreement cannot be judged: all votes are for one class, or no item has two."
    name = "alpha" if level == "nominal" else f"{level} alpha"
    if alpha >= RELIABLE:
        judgement = f"High: {name} {alpha:.2f} is above {RELIABLE:.2f}, Krippendorff's limit for reliable labels"
    elif alpha >= TENTATIVE:
        judgement = f"Moderate: {name} {alpha:.2f} is above {TENTATIVE:.3f}, Krippendorff's limit for tentative conclusions, and below {RELIABLE:.2f}"
    else:
        judgement = f"Low: {name} {alpha:.2f} is below {TENTATIVE:.3f}, Krippendorff's limit for tentative conclusions"
    equal = alpha if nominal is None else nominal
    near = sorted(REFERENCES, key=lambda one: abs(one.alpha - equal))[:2]
    beside = " and ".join(f"{one.name} ({one.task}, {one.alpha:.2f})" for one in near)
    return f"{judgement}. Published data with the nearest nominal alpha ({equal:.2f}): {beside}. Agreement is higher on questions of fact and lower on questions of opinion."
