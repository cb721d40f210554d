"""`votewise reproduce STUDY`: the paper's experiments, or a plan of your own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import study as s
from votewise.cli.groups import grouped


@grouped
def reproduce(
    study: Annotated[
        str,
        typer.Argument(
            metavar="STUDY",
            help="A paper (basins, companion), one of its studies (main, sparse, ablation, resampling, twins), all, or a plan in a .toml file.",
            show_default=False,
        ),
    ],
    preset: Annotated[
        str | None,
        typer.Option(
            help="demo (the digits, minutes), cpu or paper (CIFAR-10H); demo unless given.", show_default=False
        ),
    ] = None,
    store: s.StoreFolder = Path("votewise-store"),
    seeds: s.Seeds = None,
    epochs: s.Epochs = None,
    *,
    execution: s.Execution,
) -> None:
    """Train every run of a study that is not in the store yet, print the means, and for all studies, or a plan that names probes, run the probes and make the page. The same command goes on after a stop."""
    from votewise.workflows import stages_of

    stages, evidence = stages_of(study, preset)
    changed = [[plan.changed(seeds=s.numbers(seeds), epochs=epochs) for plan in stage] for stage in stages]
    s.run_plans(changed, store, execution, evidence)
