"""Words and bars for a terminal: nothing that somebody wrote into a label can move the cursor or pass for markup."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

Span = tuple[str, str]  # text and its rich style
Line = tuple[Span, ...]

_EIGHTHS = " ▏▎▍▌▋▊▉"
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # controls, direction marks, surrogates, line separators


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws lines at most `width` cells wide, in ASCII alone where the terminal has no more."""

    width: int = 80
    ascii: bool = False

    def safe(self, text: str) -> str:
        r"""A string from outside, with what would not be seen written as an escape.

        >>> Pen().safe("a\x1b[31mb")
        'a\\x1b[31mb'
        """
        text = "".join(_escaped(letter) if unicodedata.category(letter) in _UNSEEN else letter for letter in text)
        return text.encode("ascii", "backslashreplace").decode() if self.ascii else text

    def cell(self, text: str, width: int, right: bool = False) -> str:
        """`text` cut or padded to exactly `width` cells.

        >>> Pen().cell("elephant", 6), Pen(ascii=True).cell("elephant", 6), Pen().cell("ox", 4, right=True)
        ('eleph…', 'ele...', '  ox')
        """
        from rich.cells import cell_len, set_cell_size

        space = width - cell_len(text)
        if space < 0:
            more = "..." if self.ascii else "…"
            return set_cell_size(text, max(0, width - len(more))) + more[: max(0, width)]
        return " " * space + text if right else text + " " * space

    def bar(self, share: float, width: int) -> str:
        """A bar of `share` of `width` cells; never empty where there is anything.

        >>> Pen().bar(0.5, 5), Pen(ascii=True).bar(0.5, 6), Pen().bar(1e-9, 5), Pen().bar(0, 5)
        ('██▌', '###', '▏', '')
        """
        if self.ascii:
            return "#" * round(share * width) or ("." if share > 0 else "")
        eighths = max(round(share * width * 8), int(share > 0))
        return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip()

    def bars(self, rows: Iterable[tuple[str, float, str]]) -> list[Line]:
        """One bar for each (name, size, label), drawn to the largest, names and labels aligned; names are safe already."""
        from rich.cells import cell_len

        rows = list(rows)
        names = min(max(cell_len(name) for name, _, _ in rows), self.width // 3)
        labels = max(len(label) for _, _, label in rows)
        room = max(4, min(32, self.width - names - labels - 6))
        most = max(size for _, size, _ in rows) or 1
        return [
            (
                (f"  {self.cell(name, names)}  ", ""),
                (self.cell(self.bar(size / most, room), room), "cyan"),
                (f"  {label:>{labels}}", ""),
            )
            for name, size, label in rows
        ]

    def prose(self, text: str, style: str = "", first: str = "  ", rest: str = "  ") -> list[Line]:
        """A paragraph, wrapped."""
        return [
            ((line, style),) for line in textwrap.wrap(text, self.width, initial_indent=first, subsequent_indent=rest)
        ]


def _escaped(letter: str) -> str:
    return letter.encode("unicode_escape").decode()
