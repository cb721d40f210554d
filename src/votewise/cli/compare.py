"""`votewise compare`: compares methods × seeds (× votes per item) on the user's data."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o
from votewise.cli import study as s
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions


@grouped
def compare(
    *,
    place: o.Place,
    methods: Annotated[
        str, typer.Option(help="Comma-separated methods; the first is the reference.")
    ] = "soft,sls,multipass,majority",
    model: Annotated[
        str | None, o.option("Comma-separated models to compare, e.g. linear,mlp. Default: the model of the recipe.")
    ] = None,
    seeds: Annotated[
        str | None,
        o.option("Seeds, e.g. 0-4 or 3,7,11. Default: 0-6, or more if the tests of all comparisons need them."),
    ] = None,
    votes_per_item: Annotated[
        str, typer.Option(help="Comma-separated numbers of votes per item for training, e.g. 3,5,all.")
    ] = "all",
    subsample: o.Subsample = "multinomial",
    subsample_seed: o.SubsampleSeed = None,
    protocol: Annotated[
        str,
        typer.Option(
            help="Items for choosing the best epoch. validation: separate validation items, so that the result is reported on"
            " other items, the test items; paper: the reported items themselves, as in the papers."
        ),
    ] = "validation",
    name: Annotated[str, typer.Option(help="Name of the study in the store.")] = "compare",
    preset: o.Preset = None,
    recipe: o.RecipeFile = None,
    epochs: s.Epochs = None,
    material: o.Material,
    read_options: ReadOptions,
    store: s.StoreFolder = Path("votewise-store"),
    execution: s.Execution,
) -> None:
    """Compare training methods on your votes and recommend one.

    The plan is saved in the store: edit it and run it with `votewise reproduce PLAN.toml`.
    """
    import votewise as vw
    from votewise.toml_files import read_toml

    dataset = o.source(place, material, read_options).load()
    changes = ({} if recipe is None else read_toml(recipe)) | ({} if epochs is None else {"epochs": epochs})
    with s.on_screen(execution, store) as how:
        done = vw.compare(
            dataset,
            o.parts(methods) or [],
            model=o.parts(model),
            seeds=s.numbers(seeds),
            votes_per_item=[int(k) if k.isdecimal() else k for k in o.parts(votes_per_item) or []],
            subsample=subsample,
            subsample_seed=subsample_seed,
            protocol=protocol,
            recipe=partial(vw.Recipe.for_dataset, dataset, preset, where=recipe, **changes),
            name=name,
            store=store,
            evidence=execution.evidence is not False,
            execution=how,
        )
    s.show_results(done.reproduction, execution.json, done.advice)
