"""The command line: one small file per command; each parses, calls and prints."""

from __future__ import annotations

import sys

import typer

from votewise.cli import demo, describe, fetch, score
from votewise.cli.screen import printable
from votewise.errors import VotewiseError

app = typer.Typer(
    help="Train on the votes, not the verdict.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("describe")(describe.describe)
app.command("score")(score.score)
app.command("fetch")(fetch.fetch)
app.command("demo")(demo.demo)


@app.callback(invoke_without_command=True)
def version(show: bool = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True)) -> None:
    if show:
        from importlib.metadata import version

        typer.echo(f"votewise {version('votewise')}")
        raise typer.Exit


def main() -> None:
    """Run a command. Bad input is one sentence on the error stream and exit code 2, never a traceback."""
    try:
        app()
    except VotewiseError as error:
        print(f"votewise: {printable(str(error))}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader of our output went away, as with `| head`
        sys.stderr.close()
        sys.exit(0)
