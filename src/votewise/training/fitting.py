"""Train one model in one line: a method by its name, a recipe that suits the data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.training.complete import complete
from votewise.training.config import Split, configure
from votewise.training.environment import Engine
from votewise.training.loop import Progress
from votewise.training.method import Method
from votewise.training.method import method as method_of
from votewise.training.recipe import Recipe, preset
from votewise.training.run import Run

PRESETS = {"digits": "demo"}  # by dataset; others are trained with `cpu`


def suited(dataset: Dataset, name: str | None = None, *, where: object = None, **changes: Any) -> Recipe:
    """A recipe for the dataset: that of a preset (demo, cpu or paper; the one that suits the data unless named), with what you change.

    Features are trained with an MLP, pictures with the preset's net. What can be changed are the fields of `Recipe`: model, epochs, batch_size,
    lr, momentum, nesterov, weight_decay, schedule, augment, padding, precision, select. `where` is named in the error if one of them is wrong.

    >>> from votewise.datasets import load_dataset
    >>> recipe = suited(load_dataset("digits"), epochs=5)
    >>> recipe.model, recipe.epochs, recipe.lr
    ('digits', 5, 0.3)
    """
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
    subsample_seed: int | None = None,
    split: Split | None = None,
    store: str | Path = "votewise-store",
    engine: Engine | None = None,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Run:
    """Train a model on the votes of a dataset and score it against them: a run in `store`, at its best epoch and at the last.

    A run that is there is given back, one that was stopped goes on: the same arguments are the same run.

    method          soft, multipass, sls, deterministic, shuffled-sls, majority, label-smoothing or mixup; with options of its own:
                    `votewise.training.method("sls", resample_every=5)`
    recipe          how it is trained: `suited(dataset)` unless given
    seed            of the split (80 % of the items train, 20 % are held out, each class in proportion), first weights, order and labels
    votes_per_item  how many votes of each item training sees, drawn as `subsample` says: with replacement ("multinomial"), or "nested", without.
                    The held-out items are always judged by all their votes
    subsample_seed  seed of that draw; default: `seed`
    split           which items are held out, and which the best epoch is chosen on: `votewise.training.Split(fraction=0.2, selection=0.1)`;
                    default: 20 % held out, and the best epoch is chosen on them
    engine          device and threads: one processor core unless given
    tell            called with the progress after every epoch
    """
    for what, value, kind, remedy in (
        ("dataset", dataset, Dataset, "use vw.load_dataset('digits') or vw.Dataset(inputs, votes)"),
        ("method", method, str | Method, "name one, as 'soft' or 'multipass'"),
        ("recipe", recipe, Recipe | None, "make one with vw.suited(dataset, epochs=10)"),
    ):
        if not isinstance(value, kind):
            raise VotewiseError(f"the {what} is given as {type(value).__name__}", remedy=remedy)
    config = configure(
        dataset,
        method_of(method) if isinstance(method, str) else method,
        recipe or suited(dataset),
        seed=seed,
        votes_per_item=votes_per_item,
        subsample=subsample,
        subsample_seed=subsample_seed,
        split=split,
    )
    threads, exact = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    try:
        return complete(dataset, config, Path(store), engine, tell)
    finally:  # the rest of a notebook is not ours to slow down
        torch.set_num_threads(threads)
        torch.use_deterministic_algorithms(exact)
