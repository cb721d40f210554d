"""`votewise probe`: look at finished runs, or at all that the studies of a store want looked at."""

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

if TYPE_CHECKING:
    from votewise.studies import Look, Source, Store

CHUNK = 256  # examples at a time, as in `votewise.probes.probe`, which is slow to import
Chunk = Annotated[int, typer.Option(help="Examples at a time; fewer take less memory.")]
PROBES = {  # the keys of votewise.probes.PROBES, which take too long to import for a help text
    "curvature": "how sharp the minimum is: ends and trace of the Hessian",
    "spectrum": "the density of the Hessian's eigenvalues",
    "barrier": "how far the loss rises on the line between two runs",
    "representation": "how alike two runs see the items, and where they look",
    "noise": "whether gradients are noisy where people disagree",
    "dynamics": "when a run is nearly as good as it gets",
    "ood": "how well a run tells inputs of another kind from its own",
    "reliability": "whether a run is as sure as it is right",
    "diagnosis": "whether a hard run beats a soft one where few votes mislead",
    "spread": "whether predictions are as spread as the votes",
    "same-winner": "which of two runs is closer to the votes where both are right",
}
EPILOG = "\b\nThe probes:\n" + "\n".join(f"{name:15} {what}" for name, what in PROBES.items())


def probe(
    runs: Annotated[
        list[Path],
        typer.Argument(
            metavar="RUN...",
            help="Folders of runs; pairs of them are compared. Or a store: all its studies want.",
            show_default=False,
        ),
    ],
    only: Annotated[
        str | None,
        typer.Option(help="Some probes, with commas between: those below.", show_default=False),
    ] = None,
    checkpoint: Annotated[str, typer.Option(help="best or last, for runs that are named.")] = "best",
    chunk: Chunk = CHUNK,
    workers: s.Workers = None,
    threads: s.Threads = 1,
    device: s.Device = "cpu",
    json: o.Json = False,
) -> None:
    """Look at finished runs: every probe that fits, or --only some. What was looked at before is not again."""
    from votewise.studies import Store, executor_of, make_probe, run_probes
    from votewise.training import Engine, Run, check_checkpoint

    names = [] if only is None else [part.strip() for part in only.split(",")]
    engine = Engine(device=device, threads=threads)
    executor, _ = executor_of("local", engine, workers)
    for folder in runs:
        if not folder.is_dir():
            raise VotewiseError("there is no such folder", where=folder, remedy="name a store, or STORE/runs/NAME")
    check_checkpoint(checkpoint)
    for name in names:
        make_probe(name, {"checkpoint": checkpoint})
    if chunk < 1:
        raise VotewiseError(f"a chunk of {chunk} examples", remedy="use --chunk 1 or more")
    if len(runs) == 1 and not Run(runs[0]).started:
        store = Store(runs[0])
        found = _of_store(store, names)
    else:
        store = Store(Run(runs[0]).store)
        found = _of_runs(runs, names, checkpoint)
    failures = dict[str, str]()
    with progress_bars() as on_progress:
        for source, looks in found:
            failures |= run_probes(
                looks, source, store, engine=engine, executor=executor, chunk=chunk, on_progress=on_progress
            )
    _show(store, [look for _, looks in found for look in looks], json)
    if failures:
        reasons = "; ".join(f"{name}: {why}" for name, why in list(failures.items())[:3])
        raise VotewiseError(
            f"{len(failures)} of {sum(len(looks) for _, looks in found)} probes could not be run: {reasons}"
        )


def _of_store(store: Store, only: Sequence[str]) -> list[tuple[Source, list[Look]]]:
    """The looks that the plans of a store want of its finished runs, by the data they need."""
    from votewise.studies import looks

    found: dict[Source, dict[str, Look]] = {}
    for study in store.studies():
        plan = store.plan(study)
        configs = [run.config for run in store.finished(study)]
        mine = found.setdefault(plan.dataset, {})
        mine |= {look.id: look for look in looks(plan, configs, only)}
    if not any(found.values()):
        raise VotewiseError(
            "there is nothing here to look at",
            where=store.path,
            remedy="name folders of finished runs, or a store whose studies want probes",
        )
    return [(source, list(looks.values())) for source, looks in found.items()]


def _of_runs(folders: Sequence[Path], only: Sequence[str], checkpoint: str) -> list[tuple[Source, list[Look]]]:
    """Every probe of each run, and every probe of two runs for each pair of them; or only those that are named."""
    from itertools import combinations

    from votewise.probes import PROBES
    from votewise.studies import Look, Store, make_probe, possible
    from votewise.studies.data import Datasets
    from votewise.training import Run
    from votewise.votes.answers import repeated

    runs = [Run(folder) for folder in folders]
    for run in runs:
        if not run.finished:
            raise VotewiseError(run.why_unfinished, where=run.folder, remedy="name the folder of a finished run")
    configs = [run.config for run in runs]
    if again := repeated([config.folder_name for config in configs]):
        raise VotewiseError(f"the run {again[0]} is named twice", remedy="name each run once")
    if len({config.dataset for config in configs}) > 1:
        raise VotewiseError("these runs are of several datasets", where=folders[0], remedy="name runs of one dataset")
    looks = list[Look]()
    for name in only or PROBES:
        taken = make_probe(name, {"checkpoint": checkpoint})
        pairs = combinations(configs, 2) if taken.pair else ((config,) for config in configs)
        looks += [Look(taken, pair) for pair in pairs if only or taken.fits(*pair)]
    if not looks:
        raise VotewiseError(f"{', '.join(only)} compares two runs", remedy="name two folders")
    datasets = Datasets(Store(runs[0].store))
    source = next((source for config in configs if (source := datasets.source(config))), None)
    if source is None:
        raise VotewiseError(
            "the data it was trained on is not at hand, or not as it was",
            where=folders[0],
            remedy="bring it back to where it was, or give the command that trained it with the data where it is now",
        )
    return [(source, looks if only else possible(looks, source.load())[0])]


def _show(store: Store, looks: Sequence[Look], json: bool) -> None:
    """What was found: a line for each number and what it means, or everything as JSON."""
    found = [(look, reading) for look in looks if (reading := look.reading(store.path)) is not None]
    if json:
        print_json({"readings": [_as_dict(look, reading) for look, reading in found]})
        return
    if len(found) > 20:
        print(f"{len(found)} readings beside the runs in {store.path / 'runs'}", file=sys.stderr)
        return
    for look, reading in found:
        print(f"{look.probe.name} of {' and '.join(config.folder_name for config in look.configs)}")
        print(printable(indent(str(reading), "  ")))


def _as_dict(look: Look, reading: Any) -> dict[str, Any]:
    return {
        "probe": look.probe.name,
        "parameters": look.probe.model_dump(mode="json"),
        "runs": [config.folder_name for config in look.configs],
        "numbers": dict(reading.numbers),
        "curves": dict(reading.curves),
        "notes": list(reading.notes),
    }
