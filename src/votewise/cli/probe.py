"""`votewise probe`: run probes on finished runs, or all that the plans of a store have."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli import study as s
from votewise.cli.screen import job_bar, print_json, printable
from votewise.errors import VotewiseError
from votewise.probes import CHUNK, SUMMARIES

if TYPE_CHECKING:
    from votewise.probes import Reading
    from votewise.studies import Executor, ProbeJob, Source, Store
    from votewise.training import Engine

EPILOG = "\b\nThe probes:\n" + "\n".join(f"{name:15} {summary}" for name, summary in SUMMARIES.items())
SHOWN = 20  # readings that are printed


def probe(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Folders of runs, compared in pairs; or a store, for all probes of its plans.",
            show_default=False,
        ),
    ],
    only: Annotated[
        str | None,
        typer.Option(help="Comma-separated names of probes, listed below.", show_default=False),
    ] = None,
    checkpoint: Annotated[str, typer.Option(help="best or last, if folders of runs are named.")] = "best",
    chunk: Annotated[int, typer.Option(help="Examples at a time; fewer need less memory.")] = CHUNK,
    workers: s.Workers = None,
    threads: s.Threads = 1,
    device: s.Device = "cpu",
    json: o.Json = False,
) -> None:
    """Run probes on finished runs: all that apply, or those given with --only. Stored readings are reused."""
    from votewise.studies import Store, jobs_of_runs, jobs_of_store, make_probe
    from votewise.training import Engine
    from votewise.training.checkpoint import check_checkpoint

    names = [] if only is None else [name.strip() for name in only.split(",")]
    engine = Engine(device=device, threads=threads)
    executor, _ = s.executor_of("local", workers, engine)
    for folder in runs:
        if not folder.is_dir():
            raise VotewiseError("no such folder", where=folder, remedy="name a store, or STORE/runs/NAME")
    check_checkpoint(checkpoint)
    for name in names:
        make_probe(name, {"checkpoint": checkpoint})
    if chunk < 1:
        raise VotewiseError(f"--chunk must be at least 1, got {chunk}")
    if len(runs) == 1 and not (runs[0] / "config.json").exists():
        store = Store(runs[0])
        jobs = jobs_of_store(store, names)
    else:
        store = Store(runs[0].resolve().parent.parent)
        jobs = jobs_of_runs(runs, names, checkpoint)
    failed = [line for source, some in jobs.items() for line in run_jobs(some, source, store, engine, executor, chunk)]
    every = [job for some in jobs.values() for job in some]
    _show(store, every, json)
    if failed:
        raise VotewiseError(f"{len(failed)} of {len(every)} probes failed: {'; '.join(failed[:3])}")


def run_jobs(
    jobs: Sequence[ProbeJob], source: Source, store: Store, engine: Engine, executor: Executor, chunk: int = CHUNK
) -> list[str]:
    """Run every probe job that has no reading yet, with a progress bar; returns a sentence for each that failed."""
    from votewise.studies import Probing

    dataset = source.load() if jobs else None
    pending = {job.id: job for job in jobs if job.reading(store.path, dataset) is None}
    failed = list[str]()
    work = Probing(source, store.path.absolute(), engine, chunk)
    with (
        job_bar("probes", len(pending), len(pending), "probes") as (advance, say),
        closing(executor.execute(list(pending.values()), work, lambda *_: None)) as outcomes,
    ):
        for done, outcome in enumerate(outcomes, 1):
            name = str(pending[outcome.id])
            say(name, outcome.why if outcome.kind == "failed" else None)
            advance(done)
            failed += [f"{name}: {outcome.why}"] if outcome.kind == "failed" else []
    return failed


def _show(store: Store, jobs: Sequence[ProbeJob], json: bool) -> None:
    """The readings: a line for each number and what it means, or everything as JSON."""
    readings = [(job, reading) for job in jobs if (reading := job.reading(store.path)) is not None]
    if json:
        print_json({"readings": [_as_dict(job, reading) for job, reading in readings]})
        return
    if len(readings) > SHOWN:
        print(f"{len(readings)} readings beside the runs in {store.path / 'runs'}", file=sys.stderr)
        return
    for job, reading in readings:
        print(job)
        print(printable(indent(str(reading), "  ")))


def _as_dict(job: ProbeJob, reading: Reading) -> dict[str, Any]:
    return {
        "probe": job.probe.name,
        "parameters": job.probe.model_dump(mode="json"),
        "runs": [config.folder_name for config in job.configs],
        "numbers": dict(reading.numbers),
        "curves": dict(reading.curves),
        "notes": list(reading.notes),
    }
