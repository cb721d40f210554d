"""Tables as CSV, Markdown and LaTeX; whatever a person wrote stays text in each."""

from __future__ import annotations

import csv as writer
import io
import re

from votewise.evidence.tables.table import Cell, Table, Value

FIELDS = (
    "table", "row", "column", "study", "method", "votes_per_item", "score", "checkpoint", "n", "mean", "sd",
    "pairs", "difference", "low", "high", "p", "p_two_sided", "p_holm", "published_n", "published_mean", "published_sd", "published_p",
)  # fmt: skip


def csv(table: Table) -> str:
    """One line for each cell and checkpoint; numbers read back as they were, what is not there is empty."""
    text = io.StringIO()
    lines = writer.writer(text, lineterminator="\n")
    lines.writerow(FIELDS)
    for value in table.values:
        lines.writerow("" if entry is None else entry for entry in _entries(table.number, value))
    return text.getvalue()


def _entries(number: int | str, value: Value) -> tuple[object, ...]:
    printed = value.printed
    votes = "all" if value.K is None else value.K
    head = (number, value.row, value.column, value.study, value.method, votes, value.score, value.checkpoint, value.n)
    tested = (value.pairs, value.difference, value.low, value.high, value.p, value.p_two_sided, value.p_holm)
    return (
        *head,
        value.mean,
        value.sd,
        *tested,
        *((printed.n, printed.mean, printed.sd, printed.p) if printed else (None,) * 4),
    )


def markdown(table: Table) -> str:
    """The table with its caption; rows at the last checkpoint and of the paper are in italics."""
    number = f"Table {table.number}. " if isinstance(table.number, int) else ""
    title = f"**{number}{_markdown(table.title)}**"
    if table.missing:
        return f"{title}\n\n{_markdown(table.missing)}\n"
    lines = [_line([_markdown(head) for head in table.columns])]
    lines.append(_line([":---", *["---:"] * (len(table.columns) - 1)]))
    lines += [_line([_marked(cell, place) for place, cell in enumerate(row)]) for row in table.rows]
    return "\n".join([title, "", _markdown(table.caption), "", _markdown(table.reading), "", *lines, ""])


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _marked(cell: Cell, place: int) -> str:
    text = _markdown(cell.text)
    if cell.strong:
        return f"**{text}**"
    return f"*{text}*" if place == 0 and cell.kind != "best" else text


def _markdown(text: str) -> str:
    r"""Text that Markdown shows as it is.

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
    """A table environment for booktabs; rows at the last checkpoint and of the paper are set in."""
    title, label = _latex(table.title), f"tab:votewise-{table.number}"
    if table.missing:
        return f"% Table {table.number}. {_one_line(table.title)}: {_one_line(table.missing)}\n"
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
    r"""Text that LaTeX sets as it is.

    >>> _latex("λmax & 5 % ± 1")
    '$\\lambda_{\\max}$ \\& 5 \\% $\\pm$ 1'
    """
    parts = _one_line(text).split("λmax")
    return r"$\lambda_{\max}$".join("".join(_LATEX.get(sign, sign) for sign in part) for part in parts)


def _one_line(text: str) -> str:
    """Without line breaks and control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
