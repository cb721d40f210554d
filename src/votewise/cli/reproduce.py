"""`votewise reproduce STUDY`: runs the experiments of a paper, or a custom plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from votewise.cli import options as o
from votewise.cli import study as s
from votewise.cli.groups import grouped


@grouped
def reproduce(
    study: Annotated[
        str,
        o.argument(
            "STUDY",
            "A paper (basins, companion), one of its studies (main, sparse, ablation, resampling, twins), all,"
            " or a plan in a .toml file.",
        ),
    ],
    preset: Annotated[
        str | None, o.option("demo (the digits, in minutes), cpu or paper (CIFAR-10H). Default: demo.")
    ] = None,
    store: s.StoreFolder = Path("votewise-store"),
    seeds: s.Seeds = None,
    epochs: s.Epochs = None,
    *,
    execution: s.Execution,
) -> None:
    """Run a study: train the missing runs and print the means. For a paper or a plan with probes, also run the probes and build the report.

    Run the same command again to resume.
    """
    import votewise as vw

    with s.on_screen(execution, store) as how:
        done = vw.reproduce(
            study,
            preset,
            store=store,
            seeds=s.numbers(seeds),
            epochs=epochs,
            evidence=execution.evidence,
            execution=how,
        )
    s.show_results(done, execution.json)
