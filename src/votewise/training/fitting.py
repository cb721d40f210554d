"""Train one model in one line: a method by its name, a recipe that suits the data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from votewise.datasets import Dataset
from votewise.training.environment import Engine
from votewise.training.loop import Progress
from votewise.training.method import Method
from votewise.training.method import method as method_of
from votewise.training.recipe import Recipe, preset
from votewise.training.run import Run, complete, configure

PRESETS = {"digits": "demo"}  # by dataset; others are trained with `cpu`


def suited(dataset: Dataset, name: str | None = None, *, where: object = None, **changes: Any) -> Recipe:
    """The recipe under a preset's name, or under the one that suits the dataset; an MLP unless the inputs are pictures."""
    model = {} if dataset.images else {"model": "mlp"}
    return preset(name or PRESETS.get(dataset.name, "cpu"), where=where, **{**model, **changes})


def fit(
    dataset: Dataset,
    method: str | Method = "multipass",
    recipe: Recipe | None = None,
    *,
    seed: int = 0,
    votes_per_item: int | None = None,
    subsample: str = "multinomial",
    store: str | Path = "votewise-store",
    engine: Engine | None = None,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Run:
    """Train a model on the votes of a dataset and score it against them: a run in `store`, at its best epoch and at the last.

    A run that is there is given back, one that was stopped goes on: the same arguments are the same run.
    """
    config = configure(
        dataset,
        method_of(method) if isinstance(method, str) else method,
        recipe or suited(dataset),
        seed=seed,
        votes_per_item=votes_per_item,
        subsample=subsample,
    )
    threads, exact = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    try:
        return complete(dataset, config, Path(store), engine, tell)
    finally:  # the rest of a notebook is not ours to slow down
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(exact)
