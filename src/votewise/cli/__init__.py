"""The command line. Each command is a small file that parses options, calls a function and prints the result."""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from votewise.cli import archive, clean, compare, describe, fetch, fit, probe, report, reproduce, score, tour, verify
from votewise.cli.screen import printable, telling_once
from votewise.errors import VotewiseError


class Commands(TyperGroup):
    """The commands; the message of a usage error has no control characters, whatever the arguments have."""

    def invoke(self, ctx: Any) -> Any:
        """Parse the arguments of a command and run it."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            if isinstance(message := getattr(error, "message", None), str):
                error.message = printable(message)  # type: ignore[attr-defined]  # a usage error, of click or of typer's copy of it
            raise


app = typer.Typer(
    cls=Commands,
    help="Train on the votes, not the verdict.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
COMMANDS: dict[Callable[..., None], tuple[str, str]] = {  # the name of each command, and two examples for its help text
    clean.clean: ("votewise clean votes.csv", "votewise clean votes.csv --item image --output fixes.toml"),
    describe.describe: ("votewise describe votes.csv", "votewise describe export.json --question toxic --json"),
    score.score: (
        "votewise score predictions.csv votes.csv",
        "votewise score logits.npy votes.csv --kind logits --intervals 1000",
    ),
    fit.fit: (
        "votewise fit digits --method sls --epochs 5",
        "votewise fit --inputs images/ --votes votes.csv --method multipass --seed 1",
    ),
    compare.compare: (
        "votewise compare digits --methods soft,sls --seeds 0-4",
        "votewise compare --inputs x.npy --votes votes.csv --votes-per-item 3,all",
    ),
    reproduce.reproduce: (
        "votewise reproduce basins --preset demo",
        "votewise reproduce plan.toml --store results --shard 0/4",
    ),
    probe.probe: ("votewise probe votewise-store", "votewise probe STORE/runs/A STORE/runs/B --only barrier"),
    report.report: ("votewise report votewise-store", "votewise report votewise-store --study main --json"),
    verify.verify: ("votewise verify votewise-store", "votewise verify votewise-store --retrain 8b0eec6ac6b6d885"),
    archive.archive: ("votewise archive votewise-store small", "votewise archive votewise-store docs/results"),
    fetch.fetch: ("votewise fetch cifar10h", "votewise fetch chaosnli --folder data"),
    tour.tour: ("votewise tour", "votewise tour | less"),
}
for command, examples in COMMANDS.items():
    more = f"{probe.LIST}\n\n" if command is probe.probe else ""
    app.command(
        command.__name__,
        no_args_is_help=command is probe.probe,
        epilog="\b\n" + "\n".join((*more.splitlines(), "Examples:", *examples)),
    )(command)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True)) -> None:
    if show:
        from importlib.metadata import version

        typer.echo(f"votewise {version('votewise')}")
        raise typer.Exit


def main() -> None:
    """Run a command. Errors are printed to stderr as one sentence, with an exit code and without a traceback."""
    for stream in (sys.stdout, sys.stderr):  # unsupported characters are shown as question marks
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = telling_once()
            try:
                app()
            finally:
                sys.stdout.flush()  # while an error can still be reported
    except VotewiseError as error:
        stop(str(error), error.exit_code)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        stop(
            f"this command needs {error.name}, which is not installed; pip install 'votewise[{EXTRAS[error.name]}]'", 2
        )
    except BrokenPipeError:  # the reader of the output closed the pipe, for example `| head`
        sys.stderr.close()
        sys.exit(0)
    except OSError as error:  # for example, standard output is on a full disk
        with suppress(OSError):
            sys.stdout.close()
        stop(f"{error.filename or 'the output'}: cannot be read or written ({error.strerror or error})", 2)


def stop(sentence: str, code: int) -> NoReturn:
    print(f"votewise: {printable(sentence)}", file=sys.stderr)
    sys.exit(code)


EXTRAS = {
    "torch": "train",
    "safetensors": "train",
    "filelock": "train",
    "sklearn": "train",
    "PIL": "images",
    "ray": "ray",
    "altair": "report",
    "vl_convert": "report",
    "jinja2": "report",
}
