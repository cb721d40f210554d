"""`votewise probe`: run probes on finished runs, or all that the plans of a store have."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli import study as s
from votewise.cli.screen import print_json, printable, progress_bars
from votewise.errors import VotewiseError
from votewise.probes import CHUNK, SUMMARIES

if TYPE_CHECKING:
    from votewise.probes import Reading
    from votewise.studies import ProbeJob, Store

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
    from votewise.studies import Store, executor_of, jobs_of_runs, jobs_of_store, make_probe, run_probes
    from votewise.training import Engine, Run, check_checkpoint

    names = [] if only is None else [name.strip() for name in only.split(",")]
    engine = Engine(device=device, threads=threads)
    executor, _ = executor_of("local", engine, workers)
    for folder in runs:
        if not folder.is_dir():
            raise VotewiseError("no such folder", where=folder, remedy="name a store, or STORE/runs/NAME")
    check_checkpoint(checkpoint)
    for name in names:
        make_probe(name, {"checkpoint": checkpoint})
    if chunk < 1:
        raise VotewiseError(f"--chunk must be at least 1, got {chunk}")
    if len(runs) == 1 and not Run(runs[0]).started:
        store = Store(runs[0])
        jobs = jobs_of_store(store, names)
    else:
        store = Store(Run(runs[0]).store)
        jobs = jobs_of_runs(runs, names, checkpoint)
    failures = dict[str, str]()
    with progress_bars() as on_progress:
        for source, some in jobs.items():
            failures |= run_probes(
                some, source, store, engine=engine, executor=executor, chunk=chunk, on_progress=on_progress
            )
    every = [job for some in jobs.values() for job in some]
    _show(store, every, json)
    if failures:
        reasons = "; ".join(f"{name}: {why}" for name, why in list(failures.items())[:3])
        raise VotewiseError(f"{len(failures)} of {len(every)} probes failed: {reasons}")


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
