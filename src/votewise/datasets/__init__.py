"""Inputs paired with votes: the embedded digits, CIFAR-10H, and your own."""

from votewise.datasets.dataset import AUGMENTATIONS, Dataset
from votewise.datasets.fetch import Fetched, fetch
from votewise.datasets.named import DATASETS, load
from votewise.datasets.own import own

__all__ = ["AUGMENTATIONS", "DATASETS", "Dataset", "Fetched", "fetch", "load", "own"]
