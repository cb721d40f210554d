"""The command line: one small file per command; each parses, calls and prints."""

from __future__ import annotations

import io
import sys
import warnings
from typing import NoReturn

import typer

from votewise.cli import archive, clean, compare, describe, fetch, fit, probe, report, reproduce, score, tour, verify
from votewise.cli.screen import printable, telling_once
from votewise.errors import VotewiseError

app = typer.Typer(
    help="Train on the votes, not the verdict.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("clean")(clean.clean)
app.command("describe")(describe.describe)
app.command("score")(score.score)
app.command("fit")(fit.fit)
app.command("compare")(compare.compare)
app.command("reproduce")(reproduce.reproduce)
app.command("probe", no_args_is_help=True, epilog=probe.EPILOG)(probe.probe)
app.command("report")(report.report)
app.command("verify")(verify.verify)
app.command("archive")(archive.archive)
app.command("fetch")(fetch.fetch)
app.command("tour")(tour.tour)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True)) -> None:
    if show:
        from importlib.metadata import version

        typer.echo(f"votewise {version('votewise')}")
        raise typer.Exit


def main() -> None:
    """Run a command. An error is one sentence on the error stream and its exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that cannot show a character shows a question mark
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        with warnings.catch_warnings():
            warnings.showwarning = telling_once()
            app()
    except VotewiseError as error:
        stop(str(error), error.exit_code)
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        stop(f"this needs {error.name}, which is not installed; pip install 'votewise[{EXTRAS[error.name]}]'", 2)
    except BrokenPipeError:  # the reader of our output went away, as with `| head`
        sys.stderr.close()
        sys.exit(0)


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
