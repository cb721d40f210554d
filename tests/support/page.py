"""Runs a page of the documentation: `python page.py PAGE` in an empty folder.

The code blocks of a page are run in order, in one session:

    python, bash     are run; names and files are kept for the next block
    title="FILE"     the content of a file: it is written, or compared with the file if an earlier block wrote it
    text, directly after another block    the expected output of that block: its lines must occur in this order, and "..." stands for
                     any lines; if it starts with "votewise: ", the block must stop with exit code 2
    --8<-- "examples/NAME"    an example, which the tests of the examples run
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from votewise import DroppedVotes

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)(?P<more>[^\n]*)\n(?P<code>.*?)^(?P=indent)```$", re.S | re.M)
RUN = ("python", "bash")
SHOWN = ("text", "toml", "json", "csv")


@dataclass(frozen=True)
class Block:
    """A code block of a page."""

    language: str
    code: str
    line: int
    title: str | None = None
    output: str | None = None


def blocks(page: str) -> list[Block]:
    """The blocks of a page; a `text` just after another block is its output."""
    found: list[Block] = []
    end = -1
    for match in FENCE.finditer(page):
        code, line = dedent(match["code"]), page.count("\n", 0, match.start()) + 2
        title = re.search(r'title="([^"]+)"', match["more"])
        after = found and not page[end : match.start()].strip()
        if match["language"] == "text" and not title and after and found[-1].language in RUN:
            found[-1] = Block(found[-1].language, found[-1].code, found[-1].line, found[-1].title, code)
        else:
            found.append(Block(match["language"], code, line, title and title[1]))
        end = match.end()
    return found


def run(page: Path) -> None:
    """Run every block. An error names the page and the line."""
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page.read_text(encoding="utf-8")):
        place = f"{page.name}, line {block.line}"
        if block.title:
            file = Path(block.title)
            assert not file.exists() or file.read_text(encoding="utf-8") == block.code, (
                f"{place}: differs from the content of {file}"
            )
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.code, encoding="utf-8")
            continue
        if block.language not in RUN:
            assert block.language in (*RUN, *SHOWN), f"{place}: a block without a language that is known"
            continue
        printed = _bash(block, place) if block.language == "bash" else _python(block, str(page), names)
        if block.output is not None:
            pattern = ".*".join(
                re.escape(part.strip("\n")) for part in re.split(r"^ *\.\.\.$|\.\.\.", block.output, flags=re.M)
            )
            assert re.search(pattern, printed, re.S), f"{place}: it printed\n{printed}"


def _python(block: Block, file: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (block.line - 1) + block.code, file, "exec"), names)
    return printed.getvalue()


def _bash(block: Block, place: str) -> str:
    done = subprocess.run(
        ["bash", "-euc", block.code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8"
    )
    expected = 2 if (block.output or "").startswith("votewise: ") else 0
    assert done.returncode == expected, f"{place}: exit code {done.returncode}\n{done.stdout}"
    return done.stdout


if __name__ == "__main__":
    sys.path.insert(0, "")
    warnings.filterwarnings(
        "ignore", category=DroppedVotes
    )  # warnings are ignored, because pages read messy files on purpose
    run(Path(sys.argv[1]))
