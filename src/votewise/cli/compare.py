"""`votewise compare`: deliveries × seeds (× votes per item) on your own data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

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
        str, typer.Option(help="Methods; the others are compared with the first.")
    ] = "soft,multipass,sls,majority",
    seeds: s.Seeds = "0-6",
    votes_per_item: Annotated[str, typer.Option(help="How many votes training sees, as 3,5,all.")] = "all",
    subsample: o.Subsample = "multinomial",
    subsample_seed: o.SubsampleSeed = None,
    selection: o.Selection = 0.0,
    name: Annotated[str, typer.Option(help="Name of the study in the store.")] = "compare",
    preset: Annotated[
        str | None, typer.Option(help="demo, cpu, paper or text; what fits the data unless given.", show_default=False)
    ] = None,
    epochs: s.Epochs = None,
    size: o.Size = None,
    augment: o.Augment = None,
    *,
    material: o.Material,
    read_options: ReadOptions,
    store: s.StoreFolder = Path("votewise-store"),
    execution: s.Execution,
) -> None:
    """Compare ways of training on your votes. The plan is kept in the store: edit it, and run it with `votewise reproduce PLAN.toml`."""
    from votewise.training import model_for, preset_for
    from votewise.workflows import comparison_plan

    names = o.parts(methods) or []
    source = o.source(data, inputs, votes, size, augment, material, read_options).below(Path())
    dataset = source.load()
    recipe: dict[str, Any] = model_for(dataset)
    if epochs is not None:
        recipe["epochs"] = epochs
    plan = comparison_plan(
        source.model_dump(exclude_defaults=True),
        names,
        name=name,
        seeds=s.numbers(seeds),
        votes_per_item=[int(k) if k.isdecimal() else k for k in o.parts(votes_per_item) or []],
        subsample=subsample,
        subsample_seed=subsample_seed,
        split={"selection": selection},
        preset=preset or preset_for(dataset),
        recipe=recipe,
    )
    s.run_plans([[plan]], store, execution, evidence=True)
