"""Inputs paired with votes: the embedded digits, CIFAR-10H, text datasets, and the user's files and arrays."""

from votewise.datasets.dataset import AUGMENTATIONS, Dataset
from votewise.datasets.downloads import TERMS
from votewise.datasets.fetch import Fetched, fetch
from votewise.datasets.folder import data_folder
from votewise.datasets.named_texts import OFFICIAL_SPLITS
from votewise.datasets.parts import PARTS
from votewise.datasets.registry import DATASETS, load_dataset
from votewise.datasets.texts import are_texts, as_texts

__all__ = [
    "AUGMENTATIONS",
    "DATASETS",
    "OFFICIAL_SPLITS",
    "PARTS",
    "TERMS",
    "Dataset",
    "Fetched",
    "are_texts",
    "as_texts",
    "data_folder",
    "fetch",
    "load_dataset",
]
