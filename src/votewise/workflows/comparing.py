"""Compare ways of training on votes, on any dataset."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.comparison import (
    ModelRecommendation,
    Recommendation,
    Table,
    models_side_by_side,
    recommend,
    recommend_model,
    seeds_needed,
    side_by_side,
)
from votewise.datasets import PARTS
from votewise.errors import VotewiseError
from votewise.files import make_folder, write_atomic
from votewise.limits import MOST_SEEDS, whole_number
from votewise.studies import Plan, Results, Source, Store, label, make_plan
from votewise.votes import Votes, repeated, write_votes
from votewise.wording import listing
from votewise.workflows.announcing import comparisons
from votewise.workflows.reporting import report
from votewise.workflows.reproducing import Execution, Reproduction, run

if TYPE_CHECKING:
    from votewise.datasets import Dataset
    from votewise.training import Recipe

METHODS = ("soft", "sls", "multipass", "majority")  # the default methods, in the order of charts and tables
PROTOCOLS = {
    "validation": 0.1,
    "paper": 0.0,
}  # protocol -> share of the items used to choose the best epoch; 0: the reported items
FEWEST = 7  # default number of seeds, if the tests do not need more
PROBES = ("dynamics", "reliability", "spread")  # fast probes, run on every run


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of `compare`: the methods side by side.

    `print(comparison)` shows the recommendation and the table.

    Attributes:
        store: the store of its runs.
        studies: its studies in the store, one per model.
        reproduction: its pages and failures.
    """

    store: Store
    studies: tuple[str, ...]
    reproduction: Reproduction

    @cached_property
    def results(self) -> Results:
        """All numbers of the runs."""
        return Results.of(self.store, self.studies)

    @cached_property
    def table(self) -> Table:
        """The methods side by side; with several models, a row for each model and method."""
        return models_side_by_side(self.results) if len(self.studies) > 1 else side_by_side(self.results)

    @cached_property
    def recommendation(self) -> Recommendation | ModelRecommendation:
        """The method to use (and the model, if there are several), as far as the number of seeds supports a choice."""
        return recommend_model(self.results) if len(self.studies) > 1 else recommend(self.results, self.table)

    @property
    def advice(self) -> list[str]:
        """The advice, followed by the reasons; empty if no run is finished."""
        if not any(self.store.finished(study) for study in self.studies):
            return []
        return [self.recommendation.headline, *self.recommendation.paragraphs]

    def report(self, path: str | Path | None = None) -> Path:
        """Build the page of the comparison; default: in the store."""
        return report(self.store, study=self.studies[0], path=path)[0]

    def __str__(self) -> str:
        return f"{self.recommendation}\n\n{self.table}"


def compare(
    dataset: Dataset,
    methods: Sequence[Any] = METHODS,
    *,
    model: Any = None,
    seeds: int | Sequence[int] | None = None,
    votes_per_item: Sequence[int | str] = ("all",),
    subsample: str = "multinomial",
    subsample_seed: int | None = None,
    protocol: str = "validation",
    recipe: Recipe | Callable[..., Recipe] | None = None,
    name: str = "compare",
    store: str | Path = "votewise-store",
    evidence: bool = True,
    execution: Execution | None = None,
) -> Comparison:
    """Train each method with each seed on a dataset and compare them on held-out votes.

    Args:
        dataset: inputs and votes.
        methods: names, mappings with a name and options, `Method` objects, or custom deliveries (import paths,
            classes or functions). The other methods are compared with the first.
        model: a model that replaces the one of the recipe, or several models to compare, e.g. ["linear", "mlp"]; see `Recipe`.
        seeds: the number of seeds, or a list of seeds; default: as many as the tests of all comparisons need, and at least 7.
        votes_per_item: numbers of votes per item used for training, or "all".
        subsample: how these votes are drawn: "multinomial" (with replacement) or "nested" (without).
        subsample_seed: seed of that draw; default: the seed of the run.
        protocol: "validation": the best epoch is chosen on 10 % of the items, and results are reported on another 20 %, the test items;
            "paper": the best epoch is chosen on the reported items, as in the papers. Predefined validation items are always used.
        recipe: how models are trained: a recipe, whose model is replaced by each `model`, or a function that takes model= and returns a recipe.
            Default: `Recipe.for_dataset(dataset, model=...)`, which chooses the learning rate for each model of features.
        name: name of the study in the store; with several models, the studies are called NAME-MODEL.
        store: the folder of runs and studies.
        evidence: whether to run the fast probes and build the page.
        execution: executor, workers and callbacks.

    Returns:
        The comparison: `.table`, `.recommendation`, `.report("comparison.html")`.

    Raises:
        VotewiseError: If an argument is invalid. Nothing is trained in this case.

    Example:
        >>> import tempfile, votewise as vw
        >>> digits = vw.load_dataset("digits")
        >>> quick = vw.Recipe.for_dataset(digits, model="linear", epochs=1)
        >>> with tempfile.TemporaryDirectory() as store:
        ...     found = vw.compare(digits, ["soft", "sls"], seeds=2, recipe=quick, store=store, evidence=False)
        ...     found.results.paired("sls", "soft", "soft_nll").seeds
        (0, 1)
    """
    from votewise.training import Recipe, preset_for

    preset = preset_for(dataset)
    usual = Recipe.preset(preset).model_dump(mode="json")
    build = partial(Recipe.for_dataset, dataset) if recipe is None else recipe
    models = model if isinstance(model, list | tuple) else [model]
    recipes = [_recipe(build, **({} if each is None else {"model": each})) for each in models]
    names = [name] if len(recipes) == 1 else [f"{name}-{_short(each.model)}" for each in recipes]
    if again := repeated(names):
        raise VotewiseError(f"the model {again[0].removeprefix(f'{name}-')!r} is listed twice", remedy="list it once")
    plans = [
        comparison_plan(
            _source(dataset, Store(store)),
            methods,
            seeds=_seeds(FEWEST if seeds is None else seeds),
            votes_per_item=list(votes_per_item),
            subsample=subsample,
            subsample_seed=subsample_seed,
            split={"selection": _selection(dataset, protocol)},
            preset=preset,
            recipe={key: value for key, value in each.model_dump(mode="json").items() if value != usual[key]},
            name=study,
            comparison=name if len(recipes) > 1 else None,
        )
        for study, each in zip(names, recipes, strict=True)
    ]
    if seeds is None and (cells := comparisons(plans[0])):
        plans = [plan.changed(seeds=_seeds(max(FEWEST, seeds_needed(cells, 2)))) for plan in plans]
    done = run([plans], Store(store), evidence=evidence, execution=execution)
    return Comparison(done.store, tuple(names), done)


def _recipe(build: Recipe | Callable[..., Recipe], **changes: Any) -> Recipe:
    """The recipe with another model, if given."""
    if callable(build):
        return build(**changes)
    return build if changes in ({}, {"model": build.model}) else build.changed(**changes)


def _short(model: str) -> str:
    """The name of a model as part of a study name, which is a folder name.

    >>> _short("linear"), _short("my_package:Net"), _short("/models/tiny-bert")
    ('linear', 'my_package-Net', 'tiny-bert')
    """
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", Path(model).name)


def _selection(dataset: Dataset, protocol: str) -> float:
    """The share of the items used to choose the best epoch; 0 for the reported items or for predefined validation items."""
    if protocol not in PROTOCOLS:
        raise VotewiseError(f"unknown protocol {protocol!r}", remedy=f"choose one of {listing(PROTOCOLS)}")
    brought = dataset.parts is not None and bool((dataset.parts == PARTS.index("validation")).any())
    return 0.0 if brought else PROTOCOLS[protocol]


def comparison_plan(source: dict[str, Any], methods: Sequence[Any], **values: Any) -> Plan:
    """The plan of a comparison: the methods with the fast probes."""
    named = [_entry(each) for each in methods]
    plan = make_plan({"dataset": source, "methods": named, **values}, where="the comparison")
    labels = [label(method) for method in plan.arms]
    probes: list[dict[str, Any]] = [{"name": probe, "methods": labels} for probe in PROBES]
    hard = [name for name in labels if name != "soft"]
    if hard and "soft" in labels:
        probes.append({"name": "diagnosis", "methods": hard, "against": "soft"})
    return make_plan({"dataset": source, "methods": named, "probes": probes, **values}, where="the comparison")


def _entry(method: Any) -> dict[str, Any]:
    """A method in a plan: its name and options."""
    if isinstance(method, str):
        return {"name": method}
    if isinstance(method, Mapping):
        return dict(method)
    from votewise.training import method as method_of

    chosen = method_of(method)
    mixup = {"mixup": chosen.mixup} if chosen.mixup else {}
    return {"name": chosen.delivery, **(chosen.model_extra or {}), **mixup}


def _seeds(seeds: int | Sequence[int]) -> tuple[int, ...]:
    """The seeds, from a number of seeds or a list."""
    count = seeds if isinstance(seeds, int) else len(seeds)
    whole_number("the number of seeds", count, 1, MOST_SEEDS)
    return tuple(range(seeds)) if isinstance(seeds, int) else tuple(seeds)


def _source(dataset: Dataset, store: Store) -> dict[str, Any]:
    """The source from which workers load the dataset: its origin or, for arrays, a copy in the store."""
    if dataset.origin is not None:
        return dict(dataset.origin)
    if not isinstance(dataset.votes, Votes):
        raise VotewiseError(
            "compare does not support distributions in memory", remedy="save them, and use Dataset.from_files"
        )
    folder = make_folder((store.path / "data" / dataset.fingerprint[:16]).absolute())
    write_votes(dataset.votes, folder / "votes.parquet")
    source = {"votes": str(folder / "votes.parquet"), **_inputs_file(dataset, folder)}
    source |= {"augment": list(dataset.augment)} if dataset.augment else {}
    if Source.model_validate(source).load().fingerprint != dataset.fingerprint:
        raise VotewiseError(
            "the dataset is not the same after saving and loading it",
            remedy="save it yourself, and use Dataset.from_files",
        )
    return source


def _inputs_file(dataset: Dataset, folder: Path) -> dict[str, Any]:
    """Write the inputs: an .npz of images or features, or a Parquet file of texts, including embedded texts."""
    ids, buffer, texts = [str(name) for name in dataset.votes.names()], io.BytesIO(), dataset.shown_texts
    if texts is None:
        if dataset.parts is not None:
            raise VotewiseError(
                "compare does not support a predefined split of images or features in memory",
                remedy="save them, and use Dataset.from_files with split=",
            )
        np.savez(buffer, inputs=dataset.inputs, items=np.array(ids))
        write_atomic(folder / "inputs.npz", buffer.getvalue())
        return {"inputs": str(folder / "inputs.npz")}
    import polars as pl

    names = ["text", "second_text"][: texts.shape[1]]
    columns = {"item": ids, **{name: texts[:, place].tolist() for place, name in enumerate(names)}}
    if dataset.parts is not None:
        columns["split"] = [PARTS[part] for part in dataset.parts.tolist()]
    pl.DataFrame(columns).write_parquet(buffer)
    write_atomic(folder / "inputs.parquet", buffer.getvalue())
    source: dict[str, Any] = {"inputs": str(folder / "inputs.parquet"), "text": names}
    source |= {} if dataset.parts is None else {"split": "split"}
    return source if dataset.encoder is None else {**source, "encoder": dataset.encoder[0]}
