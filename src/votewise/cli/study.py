"""What `reproduce` and `compare` share: say what will be done, do it, show what came out."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli.announcement import announcement
from votewise.cli.screen import print_json, printable, progress_bars
from votewise.errors import RunFailedError, VotewiseError
from votewise.wording import counted

if TYPE_CHECKING:
    import polars as pl
    from rich.table import Table

    from votewise.studies import Plan

StoreFolder = Annotated[
    Path, typer.Option("--store", help="The folder of runs and studies; runs that are there are kept.")
]
Seeds = Annotated[str | None, typer.Option(help="Other seeds, as 0-4 or 3,7,11.", show_default=False)]
Epochs = Annotated[int | None, typer.Option(help="Another number of epochs.", show_default=False)]
Workers = Annotated[
    int | None, typer.Option(help="Runs at a time; as many as fit the cores unless given.", show_default=False)
]
Threads = Annotated[int, typer.Option(help="Cores of each run; the number decides bits, so it is recorded.")]
Device = Annotated[str, typer.Option(help="cpu or cuda; a worker for each GPU.")]


@dataclass(frozen=True)
class Execution:
    """Who carries a study out, how, and what is made of it."""

    workers: Workers = None
    threads: Threads = 1
    device: Device = "cpu"
    shard: Annotated[
        str | None,
        typer.Option(help="Only the share i/n of the runs, as 0/4 to 3/4 on four machines.", show_default=False),
    ] = None
    on: Annotated[
        str, typer.Option(help="Who trains: local, or ray (RAY_ADDRESS, else a cluster on this machine).")
    ] = "local"
    evidence: Annotated[
        bool | None,
        typer.Option(
            "--evidence/--no-evidence",
            help="Run the probes and build the report. Default: yes for `all`, for comparisons and for plans with probes.",
            show_default=False,
        ),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", help="Start a long study without asking.")] = False
    json: o.Json = False


LONG = 600  # seconds from which a person at a terminal is asked first


def run_plans(stages: Sequence[Sequence[Plan]], store: Path, options: Execution, evidence: bool) -> None:
    """Announce the studies, run them, print the means and the pages.

    Exit code 3 if a run failed on its own, 2 if a probe failed; the rest is done all the same.
    """
    from votewise import studies, workflows
    from votewise.training import Engine

    engine = Engine(device=options.device, threads=options.threads)
    engine.prepare()
    place = studies.Store(store)

    def announce(work: studies.Agenda, workers: int) -> None:
        # So far this process did what every worker starts with: import, read the data, prepare. Other workers run the probes.
        starts = time.process_time() * (2 if work.pending_probes else 1)
        expected = studies.forecast(work.dataset, work.pending, place, engine, workers, starts)
        for line in announcement(work, expected, workers, store):
            print(printable(line), file=sys.stderr)
        if expected.seconds > LONG and not options.yes and sys.stdin.isatty():
            typer.confirm("Start?", abort=True, err=True)
        for plan in work.plans:
            if place.has_other_plan(plan):
                print(
                    f"the study {plan.name} had another plan, which is replaced; its runs stay in the store",
                    file=sys.stderr,
                )

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a batch system's way to say Ctrl-C
    try:
        with progress_bars() as on_progress:
            done = workflows.run(
                stages,
                place,
                evidence=evidence if options.evidence is None else options.evidence,
                execution=workflows.Execution(
                    engine,
                    options.on,
                    options.workers,
                    options.shard,
                    on_start=announce,
                    on_progress=on_progress,
                    on_page=lambda page: print(f"page: {page}", file=sys.stderr),
                ),
            )
    except KeyboardInterrupt:
        print(
            "\nStopped. The same command goes on: what is finished stays, and a run under way goes on from its last saved state"
            f" (one every {engine.checkpoint_seconds:.0f} s at the latest).",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None
    _show_results(place, done.plans, options.json)
    runs, probes = dict[str, str](), dict[str, str]()
    for failures in done.failures:
        runs |= failures.runs
        probes |= failures.probes
    if runs:
        reasons = "; ".join(f"{name}: {why}" for name, why in list(runs.items())[:3])
        raise RunFailedError(f"{counted(len(runs), 'run')} failed: {reasons}")
    if probes:
        reasons = "; ".join(f"{name}: {why}" for name, why in list(probes.items())[:3])
        raise VotewiseError(f"{counted(len(probes), 'probe')} failed: {reasons}")


def numbers(text: str | None) -> tuple[int, ...] | None:
    """Seeds as people write them.

    >>> numbers("0-3,7")
    (0, 1, 2, 3, 7)
    """
    if text is None:
        return None
    found = list[int]()
    try:
        for part in text.split(","):
            first, _, last = part.partition("-")
            found += range(int(first), int(last or first) + 1)
    except ValueError:
        found = []
    if not found:
        raise VotewiseError(f"{text!r} are no seeds", remedy="write them as 0-4 or 3,7,11")
    return tuple(dict.fromkeys(found))


def _show_results(store: Any, plans: Sequence[Plan], json: bool) -> None:
    """Means and standard deviations of each study, what is missing, and where it all is."""
    from rich.console import Console

    from votewise.studies import label, summary

    console, found = Console(highlight=False), dict[str, Any]()
    for plan in plans:
        table, missing = store.table(plan.name), store.missing(plan.name)
        means = summary(table, [label(arm) for arm in plan.arms]) if len(table) else table
        found[plan.name] = {
            "runs": len(store.runs(plan.name)),
            "missing": [{"id": each.id, "folder": each.run.name, "why": each.reason} for each in missing],
            "means": means.to_dicts(),
        }
        if not json:
            console.print(_drawn(plan.name, means))
            for run in missing[:5]:
                console.print(f"  not there: {run}", markup=False)
            if len(missing) > 5:
                console.print(f"  and {len(missing) - 5} more")
    if json:
        print_json({"store": str(store.path), "studies": found})
    else:
        console.print(f"store: {store.path}", markup=False, soft_wrap=True)


def _drawn(name: str, means: pl.DataFrame) -> Table:
    from rich.table import Table

    shown = {"soft NLL, best": "soft_nll_best", "soft NLL, last": "soft_nll_last", "accuracy, best": "accuracy_best"}
    table = Table(
        "method",
        "K",
        "n",
        *shown,
        title=f"{name}: mean ± SD over seeds",
        title_justify="left",
        box=None,
        pad_edge=False,
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for row in means.to_dicts():
        cells = [_cell(row[f"{key}_mean"], row[f"{key}_sd"]) for key in shown.values()]
        table.add_row(row["method"], "all" if row["K"] is None else str(row["K"]), str(row["n"]), *cells)
    return table


def _cell(mean: float | None, sd: float | None) -> str:
    if mean is None:
        return "–"
    return f"{mean:.4f}" if sd is None else f"{mean:.4f} ± {sd:.4f}"
