"""Train one model in one line."""

from __future__ import annotations

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

    The run is a folder in `store`. The same arguments are the same run: a finished run is returned, a stopped one is resumed.

    Args:
        dataset: Inputs and votes.
        method: Which target each example gets in each epoch: "soft", "multipass", "sls", "deterministic", "shuffled-sls", "majority",
            "label-smoothing" or "mixup"; with options, `Method(delivery="sls", resample_every=5)`; a custom delivery, by its import path
            "package.module:object" or as the class or function (votes, seed) -> delivery itself.
        recipe: How the model is trained; default: `Recipe.for_dataset(dataset)`.
        model: The model, if it is not that of the recipe: a name, or a function or torch.nn.Module class that takes (shape, num_classes),
            itself or by its import path. See `Recipe`.
        seed: Of the split (80 % of the items train, 20 % are held out, stratified), initial weights, order and labels.
        votes_per_item: Votes of each item that training sees; default: all. Held-out items are always scored against all their votes.
        subsample: How these votes are drawn: "multinomial" (with replacement) or "nested" (without; fewer votes are a subset of more).
        subsample_seed: Of that draw; default: `seed`.
        split: Which items are held out, and on which the best epoch is chosen, for example `Split(fraction=0.2, selection=0.1)`;
            default: 20 % are held out, and the best epoch is chosen on them.
        store: Folder of runs.
        engine: Device and threads; default: one CPU core.
        on_progress: Called after every epoch.

    Returns:
        The finished run: `run.best.scores`, `run.predict(inputs)`, `run.model()`.

    Raises:
        VotewiseError: If an argument is not possible.
        RunFailedError: If the loss diverges.

    Example:
        >>> import tempfile, votewise as vw
        >>> digits = vw.load_dataset("digits")
        >>> with tempfile.TemporaryDirectory() as store:
        ...     run = vw.fit(digits, "sls", vw.Recipe.for_dataset(digits, epochs=1), store=store)
        ...     run.predict(digits.inputs[:3]).shape
        (3, 10)
    """
    for name, value, kind, remedy in (
        ("dataset", dataset, Dataset, "give vw.load_dataset('digits') or vw.Dataset.from_files(inputs, votes)"),
        ("recipe", recipe, Recipe | None, "give vw.Recipe.for_dataset(dataset, epochs=10)"),
    ):
        if not isinstance(value, kind):
            raise VotewiseError(f"{name} is a {type(value).__name__}", remedy=remedy)
    engine, recipe = engine or Engine(), recipe or Recipe.for_dataset(dataset)
    config = configure(
        dataset,
        method_of(method),
        recipe if model is None else recipe.changed(model=model),
        seed=seed,
        votes_per_item=votes_per_item,
        subsample=subsample,
        subsample_seed=subsample_seed,
        split=split,
    )
    with restored_settings():
        engine.prepare()
        return complete(dataset, config, store, engine, on_progress or (lambda _: None))
