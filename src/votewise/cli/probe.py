"""`votewise probe`: runs probes on finished runs, or all probes in the plans of a store."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli import study as s
from votewise.cli.screen import print_json, printable, progress_bars, without_reading_reports
from votewise.errors import VotewiseError
from votewise.probes import CHUNK, SUMMARIES

if TYPE_CHECKING:
    from votewise.probes import Reading
    from votewise.studies import ProbeJob

LIST = "The probes:\n" + "\n".join(f"{name:15} {summary}" for name, summary in SUMMARIES.items())
SHOWN = 20  # number of readings that are printed


def probe(
    runs: Annotated[
        list[Path],
        o.argument(
            "RUN...", "Folders of runs, to probe them alone and in pairs; or a store, to run the probes in its plans."
        ),
    ],
    only: Annotated[str | None, o.option("Comma-separated names of probes, listed below.")] = None,
    checkpoint: Annotated[str, typer.Option(help="Checkpoint to probe, for folders of runs: best or last.")] = "best",
    chunk: Annotated[int, typer.Option(help="Number of examples at a time; fewer need less memory.")] = CHUNK,
    workers: s.Workers = None,
    threads: s.Threads = 1,
    device: s.Device = "cpu",
    json: o.Json = False,
) -> None:
    """Run probes on finished runs: all that apply, or those in --only. The reading of a probe is stored with the run and reused."""
    from votewise.studies import probe as run_probes
    from votewise.training import Engine

    engine = Engine(device=device, threads=threads)
    with without_reading_reports(), progress_bars() as on_progress:
        probed = run_probes(
            runs,
            o.parts(only) or (),
            checkpoint=checkpoint,
            chunk=chunk,
            engine=engine,
            workers=workers,
            on_progress=on_progress,
        )
    if json:
        print_json({"readings": [_as_dict(job, reading) for job, reading in probed.readings.items()]})
    elif len(probed.readings) > SHOWN:
        print(
            f"{len(probed.readings)} readings are stored with the runs in {probed.store.path / 'runs'}", file=sys.stderr
        )
    else:
        for job, reading in probed.readings.items():
            print(job)
            print(printable(indent(str(reading), "  ")))
    if probed.failures:
        raise VotewiseError(f"{len(probed.failures)} of {probed.jobs} probes failed: {s.reasons(probed.failures)}")


def _as_dict(job: ProbeJob, reading: Reading) -> dict[str, Any]:
    return {
        "probe": job.probe.name,
        "parameters": job.probe.model_dump(mode="json"),
        "runs": [config.folder_name for config in job.configs],
        "numbers": dict(reading.numbers),
        "curves": dict(reading.curves),
        "notes": list(reading.notes),
    }
