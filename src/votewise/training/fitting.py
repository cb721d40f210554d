"""Train one model with one call."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.training.completing import complete
from votewise.training.config import Split, configure
from votewise.training.environment import Engine, restored_settings
from votewise.training.loop import Progress
from votewise.training.method import Method
from votewise.training.method import method as method_of
from votewise.training.recipe import Recipe
from votewise.training.run import Run


def fit(
    dataset: Dataset,
    method: str | Method | Callable[..., Any] = "multipass",
    recipe: Recipe | None = None,
    *,
    model: str | Callable[..., Any] | None = None,
    seed: int = 0,
    votes_per_item: int | None = None,
    subsample: Literal["multinomial", "nested"] = "multinomial",
    subsample_seed: int | None = None,
    split: Split | None = None,
    store: str | Path = "votewise-store",
    engine: Engine | None = None,
    on_progress: Callable[[Progress], None] | None = None,
) -> Run:
    """Train a model on the votes of a dataset and score it on held-out items.

    The run is a folder in `store`. Equal arguments give the same run: a finished run is returned, an interrupted run is resumed.

    Args:
        dataset: Inputs and votes.
        method: The target of each example in each epoch: "soft", "multipass", "sls", "deterministic", "shuffled-sls", "majority",
            "label-smoothing" or "mixup"; with options, for example `Method(delivery="sls", resample_every=5)`; or a custom delivery: its import path
            "package.module:object", or the class or function `(votes, seed) -> delivery` itself.
        recipe: How the model is trained; default: `Recipe.for_dataset(dataset)`.
        model: A model that replaces the one of the recipe: a name, or a function or torch.nn.Module class that takes (shape, num_classes),
            or its import path. See `Recipe`.
        seed: Seed of the split (80 % for training, 20 % held out, stratified), the initial weights, the data order and the labels.
        votes_per_item: Number of votes per item used for training; default: all. Held-out items are always scored against all their votes.
        subsample: How these votes are drawn: "multinomial" (with replacement) or "nested" (without; fewer votes are a subset of more).
        subsample_seed: Seed of that draw; default: `seed`.
        split: Which items are held out, and which are used to choose the best epoch, for example `Split(fraction=0.2, selection=0.1)`;
            default: 20 % are held out and also used to choose the best epoch.
        store: Folder of runs.
        engine: Device and threads; default: one CPU core.
        on_progress: Called after every epoch.

    Returns:
        The finished run: `run.best.scores`, `run.predict(inputs)`, `run.model()`.

    Raises:
        VotewiseError: If an argument is invalid.
        RunFailedError: If training diverges.

    Example:
        >>> import tempfile, votewise as vw
        >>> digits = vw.load_dataset("digits")
        >>> with tempfile.TemporaryDirectory() as store:
        ...     run = vw.fit(digits, "sls", vw.Recipe.for_dataset(digits, epochs=1), store=store)
        ...     run.predict(digits.inputs[:3]).shape
        (3, 10)
    """
    for name, value, kind, what, remedy in (
        ("dataset", dataset, Dataset, "a Dataset", "vw.load_dataset('digits') or vw.Dataset.from_files(inputs, votes)"),
        ("recipe", recipe, Recipe | None, "a Recipe", "vw.Recipe.for_dataset(dataset, epochs=10)"),
        ("split", split, Split | None, "a Split", "vw.Split(fraction=0.2)"),
        ("engine", engine, Engine | None, "an Engine", "vw.Engine(threads=1)"),
        ("store", store, str | os.PathLike, "a path", "the path of a folder"),
    ):
        if not isinstance(value, kind):
            raise VotewiseError(f"{name} must be {what}, got {type(value).__name__}", remedy=f"give {remedy}")
    engine, given = engine or Engine(), dict[str, Any]({} if model is None else {"model": model})
    recipe = Recipe.for_dataset(dataset, **given) if recipe is None else recipe.changed(**given) if given else recipe
    config = configure(
        dataset,
        method_of(method),
        recipe,
        seed=seed,
        votes_per_item=votes_per_item,
        subsample=subsample,
        subsample_seed=subsample_seed,
        split=split,
    )
    with restored_settings(engine):
        engine.prepare()
        return complete(dataset, config, store, engine, on_progress or (lambda _: None))
