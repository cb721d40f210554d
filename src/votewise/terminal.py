"""Pages for a terminal, on top of rich: tables with aligned numbers, bars and wrapped notes.

A page is drawn for the width and the characters of a console. All content is text, not markup: a class named
`[red]` stays a class named `[red]`, and a control character is shown as its escape.
"""

from __future__ import annotations

import io
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.text import Text

__all__ = ["Canvas", "Page", "safe", "show", "text"]

_NARROWEST, _WIDEST = 40, 100
_EIGHTHS = " ▏▎▍▌▋▊▉"
_ASCII = str.maketrans({"↓": "v", "↑": "^", "…": "~", "·": "|"})
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, direction marks, surrogates, line separators

Row = Sequence[str]  # the cells of a row, or one string: a heading across the table


@dataclass(frozen=True)
class Page:
    """A rich renderable whose parts adapt to the console that prints them."""

    draw: Callable[[Canvas], Iterable[RenderableType]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        canvas = Canvas(max(_NARROWEST, min(options.max_width, _WIDEST)), options.ascii_only)
        for part in self.draw(canvas):
            yield from console.render(part, options.update_width(canvas.width))


def text(page: Any) -> str:
    """Render a page, or an object with a page, as plain text as wide as the terminal (80 columns without a terminal).

    The text is ASCII if standard output cannot encode other characters.
    """
    from rich.console import Console

    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace", newline="\n")
    width = max(_NARROWEST, min(shutil.get_terminal_size((80, 24)).columns, _WIDEST))
    console = Console(file=file, width=width, color_system=None, force_terminal=False, force_jupyter=False)
    console.print(page)
    file.flush()
    lines = file.buffer.getvalue().decode(encoding).splitlines()
    return "\n".join(line.rstrip() for line in lines)


def show(page: Any, title: str | None = None) -> None:
    """Print a page, in colour if standard output is a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if title is not None:
        console.rule(Text(safe(title)), align="left", characters="─", style="bold")
    console.print(page if console.is_terminal else Text(text(page)), soft_wrap=not console.is_terminal)


def safe(written: str, ascii: bool = False) -> str:
    r"""Text with all invisible characters escaped.

    >>> safe("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    shown = "".join(
        letter.encode("unicode_escape").decode() if unicodedata.category(letter) in _UNSEEN else letter
        for letter in written
    )
    return shown.translate(_ASCII).encode("ascii", "backslashreplace").decode() if ascii else shown


@dataclass(frozen=True, slots=True)
class Canvas:
    """Draws parts of a page at most `width` cells wide, in ASCII if the terminal supports nothing else."""

    width: int = 80
    ascii: bool = False

    def safe(self, written: str) -> str:
        """Text as this terminal can show it, with all invisible characters escaped."""
        return safe(written, self.ascii)

    def span(self, written: str, style: str = "") -> Text:
        """Text in a style."""
        from rich.text import Text

        return Text(self.safe(written), style, no_wrap=True, overflow="crop")

    def fit(self, written: str, width: int) -> str:
        """Text cut or padded to exactly `width` cells.

        >>> Canvas().fit("elephant", 6), Canvas(ascii=True).fit("elephant", 6), Canvas().fit("ox", 4)
        ('eleph…', 'ele...', 'ox  ')
        """
        from rich.cells import cell_len, set_cell_size

        shown = self.safe(written)
        if cell_len(shown) <= width:
            return set_cell_size(shown, width)
        more = "..." if self.ascii else "…"
        return set_cell_size(shown, max(0, width - len(more))) + more[: max(0, width)]

    def title(self, title: str, note: str = "", style: str = "dim") -> Iterator[Text]:
        """A heading with a note next to it, or below it if the line is too short."""
        if len(title) + 2 + len(note) <= self.width:
            yield self.span(title, "bold") + self.span(f"  {note}" if note else "", style)
        else:
            yield self.span(title, "bold")
            yield from self.note(note, style, "  ")

    def note(self, written: str, style: str = "", first: str = "", rest: str = "  ") -> Iterator[Text]:
        """A paragraph, wrapped, with the indents of its first and its other lines."""
        from rich.text import Text

        wrap = textwrap.TextWrapper(self.width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)
        for line in wrap.wrap(self.safe(written)):
            yield Text(line, style)

    def joined(self, facts: Iterable[str]) -> Iterator[Text]:
        """Facts side by side in bold, broken into lines between them."""
        line = ""
        for fact in facts:
            longer = f"{line}  ·  {fact}" if line else fact
            if line and len(longer) > self.width:
                yield self.span(line, "bold")
                longer = fact
            line = longer
        yield self.span(line, "bold")

    def table(
        self,
        rows: Sequence[Row],
        right: Iterable[int] = (),
        *,
        indent: int = 2,
        styles: Sequence[str] = (),
        wrap: bool = False,
    ) -> Iterator[RenderableType]:
        """Rows of cells in aligned columns, each as wide as its widest cell.

        Args:
            rows: the cells of each row; a row that is a string is a heading across the table.
            right: the columns that are aligned to the right.
            indent: number of spaces before the first column.
            styles: the style of each column.
            wrap: whether the last column is wrapped in the remaining width.
        """
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        sizes, right = self._sizes(rows), set(right)
        for is_heading, run in groupby(rows, key=lambda row: isinstance(row, str)):
            if is_heading:
                yield from (self.span(str(heading), "bold") for heading in run)
                continue
            grid = Table.grid(padding=(0, 2, 0, 0))
            for place, size in enumerate(sizes):
                style = styles[place] if place < len(styles) else ""
                free = wrap and place == len(sizes) - 1
                grid.add_column(
                    width=None if free else size,
                    no_wrap=not free,
                    style=style,
                    justify="right" if place in right else "left",
                )
            for row in run:
                grid.add_row(*(Text(self.safe(cell)) for cell in row))
            yield Padding(grid, (0, 0, 0, indent))

    def room(self, rows: Sequence[Row], *, indent: int = 2, wrap: bool = False) -> int:
        """The width of a table in cells. A wrapped column is as wide as its longest word."""
        sizes = self._sizes(rows)
        if wrap:
            words = " ".join(row[len(sizes) - 1] for row in rows if not isinstance(row, str) and len(row) == len(sizes))
            sizes[-1] = max(map(len, words.split()), default=0)
        return indent + sum(sizes) + 2 * (len(sizes) - 1)

    def _sizes(self, rows: Iterable[Row]) -> list[int]:
        from rich.cells import cell_len

        columns = zip_longest(*(row for row in rows if not isinstance(row, str)), fillvalue="")
        return [max(cell_len(self.safe(cell)) for cell in column) for column in columns]

    def bar(self, share: float, width: int) -> str:
        """A bar that fills `share` of `width` cells; empty only if `share` is 0.

        >>> Canvas().bar(0.5, 5), Canvas(ascii=True).bar(0.5, 6), Canvas().bar(1e-9, 5), Canvas().bar(0, 5)
        ('██▌', '###', '▏', '')
        """
        if self.ascii:
            return "#" * round(share * width) or ("." if share > 0 else "")
        eighths = max(round(share * width * 8), int(share > 0))
        return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()

    def bars(self, rows: Sequence[tuple[str, float, str]], *, right: bool = False) -> Iterator[RenderableType]:
        """A bar for each (name, size, label), relative to the largest; names are aligned to the left or to the right."""
        from rich.cells import cell_len

        names = min(max(cell_len(self.safe(name)) for name, _, _ in rows), self.width // 3)
        room = max(4, min(32, self.width - names - max(len(label) for _, _, label in rows) - 6))
        most = max(size for _, size, _ in rows) or 1
        cells = [
            (self.fit(name, names) if not right else name, self.fit(self.bar(size / most, room), room), label)
            for name, size, label in rows
        ]
        return self.table(cells, (0, 2) if right else (2,), styles=("", "cyan", ""))
