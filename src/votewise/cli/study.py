"""What `reproduce` and `compare` share: options, output before and during a study, and the printed results."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli.screen import print_json, printable, progress_bars
from votewise.errors import RunFailedError, VotewiseError
from votewise.limits import MOST_SEEDS, whole_number
from votewise.terminal import Canvas, Page, show
from votewise.wording import counted, quoted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from votewise import workflows
    from votewise.studies import Agenda

StoreFolder = Annotated[Path, typer.Option("--store", help="Folder of runs and studies. Finished runs are kept.")]
Seeds = Annotated[str | None, o.option("Seeds, e.g. 0-4 or 3,7,11. Default: those of the plan.")]
Epochs = Annotated[int | None, o.option("Number of epochs. Default: set by the preset.")]
Workers = Annotated[int | None, o.option("Number of runs in parallel. Default: as many as fit the cores.")]
Threads = Annotated[
    int, typer.Option(help="Number of threads per run; recorded, because it affects the exact results.")
]
Device = Annotated[str, typer.Option(help="cpu or cuda; with cuda, one worker per GPU.")]

LONG = 600  # seconds above which a user at a terminal is asked for confirmation


@dataclass(frozen=True)
class Execution:
    """Options of a command that trains a study."""

    workers: Workers = None
    threads: Threads = 1
    device: Device = "cpu"
    shard: Annotated[
        str | None,
        o.option("Train only part i of n of the runs, i from 0, without report; e.g. 0/4 to 3/4 on four machines."),
    ] = None
    on: Annotated[
        str,
        typer.Option(
            help="Where to run: local (this machine), or ray (the cluster in RAY_ADDRESS, else one on this machine)."
        ),
    ] = "local"
    evidence: Annotated[
        bool | None,
        o.option(
            "Run the probes and build the report. Default: yes for papers, comparisons and plan files with probes.",
            "--evidence/--no-evidence",
        ),
    ] = None
    checkpoint_seconds: o.CheckpointSeconds = 60.0
    yes: Annotated[bool, typer.Option("--yes", help="Start a long study without confirmation.")] = False
    json: o.Json = False


@contextmanager
def on_screen(options: Execution, store: Path) -> Iterator[workflows.Execution]:
    """Settings for running a study that show progress on stderr. Ctrl-C prints how to resume and exits with code 130."""
    from votewise import studies, workflows
    from votewise.training import Engine

    place = studies.Store(store)
    engine = Engine(device=options.device, threads=options.threads, checkpoint_seconds=options.checkpoint_seconds)
    engine.prepare()

    def announce(work: Agenda, workers: int) -> None:
        expected = studies.estimate(work.pending, place, workers)
        for line in workflows.announcement(work, place, workers, expected):
            print(printable(line), file=sys.stderr)
        if expected is not None and expected.seconds > LONG and not options.yes and sys.stdin.isatty():
            typer.confirm("Start?", abort=True, err=True)

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # sent by batch systems instead of Ctrl-C
    try:
        with progress_bars() as on_progress:
            yield workflows.Execution(
                engine,
                options.on,
                options.workers,
                options.shard,
                on_start=announce,
                on_progress=on_progress,
                on_page=lambda page: print(f"page: {page}", file=sys.stderr),
                on_skip=lambda plan, why: print(printable(f"skipped {plan.name}: {why}"), file=sys.stderr),
            )
    except KeyboardInterrupt:
        print(
            "\nStopped. Run the same command again to resume: finished runs are kept, and the others continue from their last"
            f" checkpoint (at most {engine.checkpoint_seconds:.0f} s old).",
            file=sys.stderr,
        )
        raise typer.Exit(130) from None


def numbers(text: str | None) -> tuple[int, ...] | None:
    """The seeds in the text of an option.

    >>> numbers("0-3,7")
    (0, 1, 2, 3, 7)
    """
    if text is None:
        return None
    parts = (part.partition("-") for part in text.split(","))
    try:
        ranges = [range(int(first), int(last if dash else first) + 1) for first, dash, last in parts]
    except ValueError:
        raise VotewiseError(
            f"seeds must be integers, got {quoted(text)}", remedy="write them like 0-4 or 3,7,11"
        ) from None
    if not all(ranges):
        raise VotewiseError(f"seeds must be in ascending order, got {quoted(text)}", remedy="write them like 0-4")
    count = sum(max(each.stop - each.start, 0) for each in ranges)  # len() ends at 2^63
    whole_number("the number of seeds", count, 1, MOST_SEEDS)
    return tuple(chain.from_iterable(ranges))


def show_results(done: workflows.Reproduction, json: bool, advice: Sequence[str] = ()) -> None:
    """Print the means of each study, its missing runs, the folders of the files, the recommendation with its reasons, and the pages.

    Raises:
        RunFailedError: if a run failed; the exit code is 3.
        VotewiseError: if a probe failed; the exit code is 2.
    """
    from votewise.comparison import uniform_words
    from votewise.studies import Results

    store, by_study, uniform = done.store, dict[str, Any](), dict[str, None]()
    for plan in done.plans:
        missing, finished = store.missing(plan.name), store.finished(plan.name)
        results = Results.of(store, [plan.name]) if finished else None
        means = results.means(plan.name).to_dicts() if results else []
        uniform |= {uniform_words(results): None} if results else {}
        by_study[plan.name] = {
            "runs": len(store.runs(plan.name)),
            "missing": [{"id": each.id, "folder": each.run.name, "why": each.reason} for each in missing],
            "means": means,
        }
        if not json:
            show(_means(means), title=f"{plan.name}: mean ± SD over seeds")
            for run in missing[:5]:
                print(printable(f"  missing: {run}"))
            if len(missing) > 5:
                print(f"  and {len(missing) - 5} more")
    if json:
        advised = {"recommendation": list(advice)} if advice else {}
        print_json({"store": str(store.path), "studies": by_study, **advised})
    else:
        for line in (*filter(None, uniform), *written(done)):
            print(printable(line))
        if advice:
            show(_advice(advice), title="recommendation")
        for page in done.pages:
            print(printable(f"page: {page}"))
    runs, probes = ({name: why for some in by_study for name, why in some.items()} for by_study in _failures(done))
    if runs:
        raise RunFailedError(f"{counted(len(runs), 'run')} failed: {reasons(runs)}")
    if probes:
        raise VotewiseError(f"{counted(len(probes), 'probe')} failed: {reasons(probes)}")


def written(done: workflows.Reproduction) -> Iterator[str]:
    """The locations of the files of the studies, one per line."""
    for plan in done.plans:
        folder = done.store.path / "studies" / plan.name
        kinds = [name for name in ("tables", "figures") if (folder / name).is_dir()]
        yield f"plan{''.join(f', {kind}' for kind in kinds)}: {folder}"
    yield f"runs: {done.store.path / 'runs'}"


def _advice(advice: Sequence[str]) -> Page:
    """The recommendation in bold, then the reasons."""
    first, *reasons = advice

    def draw(canvas: Canvas) -> Iterator[RenderableType]:
        yield from canvas.note(first, "bold", rest="")
        for reason in reasons:
            yield ""
            yield from canvas.note(reason, rest="")

    return Page(draw)


def _failures(done: workflows.Reproduction) -> Iterator[list[dict[str, str]]]:
    yield [some.runs for some in done.failures]
    yield [some.probes for some in done.failures]


def reasons(failures: Mapping[str, str]) -> str:
    """The first three failures, each with its reason."""
    return "; ".join(f"{name}: {why}" for name, why in list(failures.items())[:3])


def _means(means: Iterable[Mapping[str, Any]]) -> Page:
    """The means as a table or, if that is too wide, method by method."""
    shown = {"soft NLL, best": "soft_nll_best", "soft NLL, last": "soft_nll_last", "accuracy, best": "accuracy_best"}
    rows = [
        (row["method"], "all" if row["K"] is None else str(row["K"]), str(row["n"]), *(_cell(row, key) for key in shown.values()))
        for row in means
    ]  # fmt: skip

    def draw(canvas: Canvas) -> Iterator[RenderableType]:
        wide = [("method", "K", "n", *shown), *rows]
        if canvas.room(wide) <= canvas.width:
            yield from canvas.table(wide, range(1, 6))
            return
        for method, k, n, *cells in rows:
            yield canvas.span(f"{method}, K = {k}, n = {n}", "bold")
            yield from canvas.table(list(zip(shown, cells, strict=True)))

    return Page(draw)


def _cell(row: Mapping[str, Any], key: str) -> str:
    mean, sd = row[f"{key}_mean"], row[f"{key}_sd"]
    return "–" if mean is None else f"{mean:.4f}" if sd is None else f"{mean:.4f} ± {sd:.4f}"
