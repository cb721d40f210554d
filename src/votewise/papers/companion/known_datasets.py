"""What the page has to know of the paper's datasets when their files are not here."""

from __future__ import annotations

from votewise.votes import CIFAR10_CLASSES

CLASSES = {
    "cifar10h": CIFAR10_CLASSES,
    "chaosnli-snli": ("entailment", "neutral", "contradiction"),
    "popquorn-offensiveness": ("1", "2", "3", "4", "5"),
}
CHAOSNLI = ("chaosnli-snli", "chaosnli-mnli", "chaosnli-alphanli")
TRAINED_ON = "all-MiniLM-L6-v2 was itself trained on pairs from SNLI and MultiNLI, so numbers on ChaosNLI are not those of a model that has not seen the task."


def class_names(dataset: str, count: int) -> tuple[str, ...]:
    """The names of the classes of a dataset; numbers, if they are not known."""
    return CLASSES.get(dataset) or tuple(map(str, range(count)))


def remark(dataset: str) -> str:
    """What has to be said beside every number on a dataset."""
    return TRAINED_ON if dataset in CHAOSNLI else ""
