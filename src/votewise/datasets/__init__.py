"""Inputs paired with votes: the embedded digits, CIFAR-10H, the user's files and arrays."""

from votewise.datasets.dataset import AUGMENTATIONS, Dataset
from votewise.datasets.downloads import TERMS
from votewise.datasets.fetch import Fetched, fetch
from votewise.datasets.registry import DATASETS, load_dataset

__all__ = ["AUGMENTATIONS", "DATASETS", "TERMS", "Dataset", "Fetched", "fetch", "load_dataset"]
