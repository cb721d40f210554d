"""Tables as CSV, Markdown and LaTeX; text that users wrote is escaped in each."""

from __future__ import annotations

import csv as writer
import io
import re

from votewise.comparison.tables.definition import Quoted
from votewise.comparison.tables.table import Cell, Table
from votewise.comparison.wording import votes_name

NUMBERS = ("n", "mean", "sd", "pairs", "difference", "low", "high", "p", "p_two_sided", "p_holm")
QUOTED = ("n", "mean", "sd", "p")
FIELDS = (
    "table", "row", "column", "method", "votes_per_item", "quantity", "checkpoint", *NUMBERS, *(f"published_{name}" for name in QUOTED),
)  # fmt: skip


def csv(table: Table) -> str:
    """One line for each value; numbers read back exactly, what is missing is empty."""
    text = io.StringIO()
    lines = writer.writer(text, lineterminator="\n")
    lines.writerow(FIELDS)
    for value in table.values:
        quoted = table.definition.quoted.get((value.row, value.column)) or Quoted()
        head = (table.key, value.row, value.column, value.method, votes_name(value.K), value.quantity, value.checkpoint)
        numbers = [getattr(value, name) for name in NUMBERS] + [getattr(quoted, name) for name in QUOTED]
        lines.writerow((*head, *("" if number is None else number for number in numbers)))
    return text.getvalue()


def markdown(table: Table) -> str:
    """The table with its caption; names of rows at the last checkpoint and of published numbers are in italics."""
    number = f"Table {table.key}. " if isinstance(table.key, int) else ""
    title = f"**{number}{_markdown(table.title)}**"
    if table.missing:
        return f"{title}\n\n{_markdown(_needs(table))}\n"
    lines = [_line([_markdown(head) for head in table.columns])]
    lines.append(_line([":---", *["---:"] * (len(table.columns) - 1)]))
    lines += [_line([_marked(cell, place) for place, cell in enumerate(row)]) for row in table.rows]
    return "\n".join([title, "", _markdown(table.caption), "", _markdown(table.reading), "", *lines, ""])


def _needs(table: Table) -> str:
    return f"This table needs {'; '.join(map(str, table.missing))}."


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _marked(cell: Cell, place: int) -> str:
    text = _markdown(cell.text)
    if cell.strong:
        return f"**{text}**"
    return f"*{text}*" if place == 0 and cell.kind != "best" else text


def _markdown(text: str) -> str:
    r"""Text that Markdown shows unchanged.

    >>> _markdown("a|b *c* <i>")
    'a\\|b \\*c\\* &lt;i&gt;'
    """
    plain = _one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_\[\]|~#])", r"\\\1", plain)


_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "±": r"$\pm$", "−": "$-$", "–": "--", "—": "---", "↓": r"$\downarrow$", "↑": r"$\uparrow$", "λ": r"$\lambda$",
    "‖": r"$\|$", "√": r"$\surd$", "²": r"$^2$", "…": r"\dots{}", "“": "``", "”": "''", "\u00a0": "~",
}  # fmt: skip


def latex(table: Table) -> str:
    """A table environment for booktabs; rows at the last checkpoint and of published numbers are indented."""
    title, label = _latex(table.title), f"tab:votewise-{table.key}"
    if table.missing:
        return f"% Table {table.key}. {_one_line(table.title)}: {_one_line(_needs(table))}\n"
    rows = [r" & ".join(_latex(head) for head in table.columns) + r" \\", r"\midrule"]
    for place, row in enumerate(table.rows):
        if place and row[0].kind == "best":
            rows.append(r"\addlinespace")
        rows.append(r" & ".join(_set(cell, column) for column, cell in enumerate(row)) + r" \\")
    return "\n".join(
        [
            r"% needs \usepackage{booktabs}",
            r"\begin{table}[t]",
            r"\centering",
            r"\small",
            rf"\caption{{\textbf{{{title}.}} {_latex(table.caption)}}}",
            rf"\label{{{label}}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}",
            r"\toprule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _set(cell: Cell, column: int) -> str:
    text = _latex(cell.text)
    if cell.strong:
        return rf"\textbf{{{text}}}"
    return rf"\quad {text}" if column == 0 and cell.kind != "best" else text


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
