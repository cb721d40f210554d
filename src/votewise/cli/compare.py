"""`votewise compare`: methods × seeds (× votes per item) on your own data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o
from votewise.cli import study as s
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions


@grouped
def compare(
    data: o.Data = None,
    inputs: o.Inputs = None,
    votes: o.Votes = None,
    methods: Annotated[
        str, typer.Option(help="Comma-separated methods; the others are compared with the first.")
    ] = "soft,multipass,sls,majority",
    seeds: s.Seeds = "0-6",
    votes_per_item: Annotated[str, typer.Option(help="Number of votes that training sees, e.g. 3,5,all.")] = "all",
    subsample: o.Subsample = "multinomial",
    subsample_seed: o.SubsampleSeed = None,
    selection: o.Selection = 0.0,
    name: Annotated[str, typer.Option(help="Name of the study in the store.")] = "compare",
    preset: o.Preset = None,
    epochs: s.Epochs = None,
    size: o.Size = None,
    augment: o.Augment = None,
    *,
    material: o.Material,
    read_options: ReadOptions,
    store: s.StoreFolder = Path("votewise-store"),
    execution: s.Execution,
) -> None:
    """Compare ways of training on your votes.

    The plan is kept in the store: edit it and run it with `votewise reproduce PLAN.toml`.
    """
    import votewise as vw

    dataset = o.source(data, inputs, votes, size, augment, material, read_options).load()
    changes = {} if epochs is None else {"epochs": epochs}
    with s.on_screen(execution, store) as how:
        done = vw.compare(
            dataset,
            o.parts(methods) or [],
            seeds=s.numbers(seeds) or (),
            votes_per_item=[int(k) if k.isdecimal() else k for k in o.parts(votes_per_item) or []],
            subsample=subsample,
            subsample_seed=subsample_seed,
            selection=selection,
            recipe=vw.Recipe.for_dataset(dataset, preset, **changes),
            name=name,
            store=store,
            evidence=execution.evidence is not False,
            execution=how,
        )
    s.show_results(done.reproduction, execution.json)
