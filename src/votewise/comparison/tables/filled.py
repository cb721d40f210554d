"""A filled table as data, CSV, Markdown and LaTeX, with user text escaped."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from votewise.comparison.tables.filling import Value, fill
from votewise.comparison.tables.layout import Cell, caption, heads, rows
from votewise.comparison.tables.outline import Definition, Key, Quoted
from votewise.comparison.wording import votes_name
from votewise.studies import Needs, Results

NUMBERS = ("n", "mean", "sd", "pairs", "difference", "low", "high", "p", "p_two_sided", "p_holm")
QUOTED = ("n", "mean", "sd", "p")
FIELDS = (
    "table", "row", "column", "method", "votes_per_item", "quantity", "checkpoint", *NUMBERS, *(f"published_{name}" for name in QUOTED),
)  # fmt: skip
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "±": r"$\pm$", "−": "$-$", "–": "--", "—": "---", "↓": r"$\downarrow$", "↑": r"$\uparrow$", "λ": r"$\lambda$",
    "‖": r"$\|$", "√": r"$\surd$", "²": r"$^2$", "…": r"\dots{}", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Table:
    """Numbers in rows and columns, which can be written as text, CSV, Markdown and LaTeX.

    Attributes:
        definition: the definition of rows and columns.
        numbers: the numbers of every cell.
        caption: what the numbers are and where they come from.
        missing: missing runs and probes; empty if the table has numbers.
        key: its number or name.
        title: its title.
        reading: one sentence on how to read it.
    """

    definition: Definition
    numbers: Mapping[Key, Value] = field(default_factory=dict)
    caption: str = ""
    missing: tuple[Needs, ...] = ()
    key: int | str = field(init=False)
    title: str = field(init=False)
    reading: str = field(init=False)

    def __post_init__(self) -> None:
        for name in ("key", "title", "reading"):
            object.__setattr__(self, name, getattr(self.definition, name))

    @property
    def values(self) -> tuple[Value, ...]:
        """The numbers of every cell, in the order of `csv`."""
        return tuple(self.numbers.values())

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Column headers, starting with that of the row names."""
        return () if self.missing else heads(self.definition, self.numbers)

    @cached_property
    def rows(self) -> tuple[tuple[Cell, ...], ...]:
        """The cells of each row, starting with the name of the row."""
        return () if self.missing else rows(self.definition, self.numbers)

    def csv(self) -> str:
        """One line per value, as CSV; numbers can be read back exactly, and missing values are empty."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(FIELDS)
        for value in self.values:
            quoted = self.definition.quoted.get((value.row, value.column)) or Quoted()
            where = (value.row, value.column, value.method, votes_name(value.K), value.quantity, value.checkpoint)
            numbers = [getattr(value, name) for name in NUMBERS] + [getattr(quoted, name) for name in QUOTED]
            lines.writerow((self.key, *where, *("" if number is None else number for number in numbers)))
        return text.getvalue()

    def markdown(self) -> str:
        """The table as Markdown with its caption; row names of the last checkpoint and of published numbers are in italics."""
        number = f"Table {self.key}. " if isinstance(self.key, int) else ""
        title = f"**{number}{_markdown(self.title)}**"
        if self.missing:
            return f"{title}\n\n{_markdown(self._needs)}\n"
        head = [_markdown(text) for text in self.columns]
        body = [_set(row, _markdown, "**{}**", "*{}*") for row in self.rows]
        lines = [head, [":---", *["---:"] * (len(head) - 1)], *body]
        grid = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        return f"{title}\n\n{_markdown(self.caption)}\n\n{_markdown(self.reading)}\n\n{grid}\n"

    def latex(self) -> str:
        """The table as LaTeX with booktabs; rows of the last checkpoint and of published numbers are indented."""
        if self.missing:
            return f"% Table {self.key}. {_one_line(self.title)}: {_one_line(self._needs)}\n"
        lines = [" & ".join(map(_latex, self.columns)) + r" \\", r"\midrule"]
        for place, row in enumerate(self.rows):
            lines += [r"\addlinespace"] if place and row[0].kind == "best" else []
            lines.append(" & ".join(_set(row, _latex, r"\textbf{{{}}}", r"\quad {}")) + r" \\")
        body = "\n".join(lines)
        return rf"""% needs \usepackage{{booktabs}}
\begin{{table}}[t]
\centering
\small
\caption{{\textbf{{{_latex(self.title)}.}} {_latex(self.caption)}}}
\label{{tab:votewise-{self.key}}}
\begin{{tabular}}{{l{"r" * (len(self.columns) - 1)}}}
\toprule
{body}
\bottomrule
\end{{tabular}}
\end{{table}}
"""

    __str__ = _repr_markdown_ = markdown

    @property
    def _needs(self) -> str:
        return f"This table needs {'; '.join(map(str, self.missing))}."


def make_table(definition: Definition, results: Results) -> Table:
    """Fill a table with the numbers of results on one dataset. If there are none, `missing` of the table lists what it needs."""
    values = fill(definition, results) if definition.rows and definition.columns else {}
    if not any(value.n for value in values.values()):
        return Table(definition, missing=definition.needs or (Needs(results.methods()),))
    return Table(definition, values, caption(definition, values, results))


def _set(row: tuple[Cell, ...], escape: Callable[[str], str], strong: str, below: str) -> list[str]:
    """The texts of a row. The best value of a column is strong, and the names of rows other than the best checkpoint are formatted differently."""
    names = [
        strong if cell.strong else below if not at and cell.kind != "best" else "{}" for at, cell in enumerate(row)
    ]
    return [look.format(escape(cell.text)) for look, cell in zip(names, row, strict=True)]


def _markdown(text: str) -> str:
    r"""Text that Markdown shows unchanged.

    >>> _markdown("a|b *c* <i>")
    'a\\|b \\*c\\* &lt;i&gt;'
    """
    plain = _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", plain)


def _latex(text: str) -> str:
    r"""Text that LaTeX sets unchanged.

    >>> _latex("λmax & 5 % ± 1")
    '$\\lambda_{\\max}$ \\& 5 \\% $\\pm$ 1'
    """
    parts = _one_line(text).split("λmax")
    return r"$\lambda_{\max}$".join("".join(_LATEX.get(sign, sign) for sign in part) for part in parts)


def _one_line(text: str) -> str:
    """The text without line breaks and control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
