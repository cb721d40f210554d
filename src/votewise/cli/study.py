"""What `reproduce` and `compare` share: say what will be done, do it, show what came out."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli.announcement import announcement
from votewise.cli.report import make_page
from votewise.cli.screen import job_bar, print_json, printable
from votewise.errors import RunFailedError, VotewiseError

if TYPE_CHECKING:
    import polars as pl
    from rich.table import Table

    from votewise.studies import Executor, Outcome, Plan
    from votewise.studies.executor import Tell
    from votewise.training import Config

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


def run_plans(plans: Sequence[Plan], store: Path, execution: Execution, evidence: bool) -> None:
    """Announce the studies, train what is not there yet, print the means; with `evidence`, unless told otherwise, run the probes and make the page.

    Exit code 3 if a run failed on its own, 2 if a probe failed; the rest is done all the same.
    """
    from votewise import studies
    from votewise.cli.probe import run_jobs
    from votewise.training import Engine, finished

    engine = Engine(device=execution.device, threads=execution.threads)
    evidence = (evidence if execution.evidence is None else execution.evidence) and execution.shard is None
    place, dataset = studies.Store(store), plans[0].dataset.load()
    engine.prepare()
    # So far this process did what every worker starts with: import, read the data, prepare.
    start_seconds = time.process_time()
    of_plan = {plan.name: plan.configs(dataset) for plan in plans}
    every = list({config.id: config for configs in of_plan.values() for config in configs}.values())
    mine = every if execution.shard is None else studies.shard(every, execution.shard)
    pending = [config for config in mine if not finished(place.folder(config))]
    for plan in plans if pending else ():
        plan.check(dataset)
    executor, count = executor_of(execution.on, execution.workers, engine)
    requested = {job.id: job for plan in plans if evidence for job in studies.probe_jobs(plan, of_plan[plan.name])}
    jobs, unsupported = studies.supported_jobs(list(requested.values()), dataset)
    unprobed = [job for job in jobs if job.reading(store, dataset) is None]
    starts = start_seconds * (2 if unprobed else 1)  # other workers run the probes
    expected = studies.forecast(dataset, pending, place, engine, count, starts)
    for line in announcement(plans, dataset, mine, pending, expected, count, store):
        print(printable(line), file=sys.stderr)
    if jobs:
        print(
            f"not included in the estimate: {len(jobs)} probes ({len(jobs) - len(unprobed)} already done) and the report",
            file=sys.stderr,
        )
    for sentence in unsupported:
        print(printable(f"skipped: {sentence}"), file=sys.stderr)
    if expected.seconds > LONG and not execution.yes and sys.stdin.isatty():
        typer.confirm("Start?", abort=True, err=True)
    for plan in plans:
        if place.record(plan, of_plan[plan.name]):
            print(
                f"the study {plan.name} had another plan, which is replaced; its runs stay in the store",
                file=sys.stderr,
            )

    work = studies.Training(plans[0].dataset, store.absolute(), engine)
    failed: list[Outcome] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a batch system's way to say Ctrl-C
    try:
        with (
            _display(pending) as (tell, heard),
            closing(studies.carry_out(pending, work, executor, tell)) as outcomes,
        ):
            for outcome in outcomes:
                heard(outcome)
                failed += [outcome] if outcome.kind == "failed" else []
        there = {config.id for config in every if finished(place.folder(config))} if jobs else set()
        ready = [job for job in jobs if all(config.id in there for config in job.configs)]
        refused = run_jobs(ready, plans[0].dataset, place, engine, executor)
    except KeyboardInterrupt:
        print(
            "\nStopped. The same command goes on: what is finished stays, and a run under way goes on from its last saved state"
            f" (one every {engine.checkpoint_seconds:.0f} s at the latest).",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None
    _show_results(place, plans, execution.json)
    if evidence and len(failed) < len(every):
        make_page(place, plans[0].name)
    if failed:
        names = {config.id: config.folder_name for config in pending}
        told = "; ".join(f"{names[outcome.id]}: {outcome.why}" for outcome in failed[:3])
        raise RunFailedError(f"{len(failed)} of {len(pending)} runs failed: {told}")
    if refused:
        raise VotewiseError(f"{len(refused)} of {len(jobs)} probes failed: {'; '.join(refused[:3])}")


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


def executor_of(on: str, workers: int | None, engine: Any) -> tuple[Executor, int]:
    """Who trains, and how many runs at a time."""
    from votewise.studies import Local, cores

    engine.prepare()
    if workers is not None and workers < 1:
        raise VotewiseError(f"{workers} workers cannot train", remedy="use --workers 1 or more")
    if on == "ray":
        from votewise.studies.on_ray import OnRay

        executor = OnRay()
        return executor, executor.connect(engine.threads)
    if on != "local":
        raise VotewiseError(f"nobody called {on!r} can train", remedy="choose one of 'local', 'ray'")
    if engine.device == "cuda":
        import torch

        return Local(count := workers or torch.cuda.device_count()), count
    return Local(count := workers or max(cores() // engine.threads, 1)), count


@contextmanager
def _display(pending: Sequence[Config]) -> Iterator[tuple[Tell, Any]]:
    """One bar for the training of a whole study, in epochs."""
    by_id = {config.id: config for config in pending}
    epochs = dict.fromkeys(by_id, 0)
    with job_bar("runs", len(pending), sum(config.recipe.epochs for config in pending), "epochs") as (advance, say):

        def tell(run: str, finished: int) -> None:
            epochs[run] = max(epochs[run], finished)
            advance(sum(epochs.values()))

        def heard(outcome: Outcome) -> None:
            config = by_id[outcome.id]
            say(config.folder_name, outcome.why if outcome.kind == "failed" else None)
            tell(outcome.id, config.recipe.epochs)

        yield tell, heard


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
            "missing": [{"id": run.id, "folder": run.folder, "why": run.why} for run in missing],
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
