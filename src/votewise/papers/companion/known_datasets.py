"""Facts about the paper's datasets that the page needs if their files are missing."""

from __future__ import annotations

from votewise.votes import CIFAR10_CLASSES

CLASSES = {
    "cifar10h": CIFAR10_CLASSES,
    "chaosnli-snli": ("entailment", "neutral", "contradiction"),
    "popquorn-offensiveness": ("1", "2", "3", "4", "5"),
}
CHAOSNLI = ("chaosnli-snli", "chaosnli-mnli", "chaosnli-alphanli")
TRAINED_ON = "all-MiniLM-L6-v2 was trained on pairs from SNLI and MultiNLI, so the numbers on ChaosNLI are for a model that has already seen the task."


def class_names(dataset: str, count: int) -> tuple[str, ...]:
    """The class names of a dataset; numbers if unknown."""
    return CLASSES.get(dataset) or tuple(map(str, range(count)))


def remark(dataset: str) -> str:
    """The remark that must accompany the numbers on a dataset."""
    return TRAINED_ON if dataset in CHAOSNLI else ""
