"""The published numbers of a paper, as data with their source (`published.toml` of its package), and as text."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Any

from votewise.comparison import Quoted
from votewise.comparison import name as method_name
from votewise.errors import VotewiseError
from votewise.wording import listing


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """A published table. Rows and columns are its headings in order: id -> label and other facts."""

    id: str
    source: str
    subject: str
    test: str  # as text; "" if there is none
    rows: Mapping[str, Mapping[str, Any]]
    columns: Mapping[str, Mapping[str, Any]]
    cells: Mapping[tuple[str, str], Quoted]  # by row and column

    def cell(self, row: str, column: str) -> Quoted | None:
        """The cell at a row and a column, if any."""
        return self.cells.get((row, column))

    def mean(self, row: str, column: str) -> float:
        """The published mean at a row and a column.

        Raises:
            VotewiseError: if no mean is published there.
        """
        cell = self.cell(row, column)
        if cell is None or cell.mean is None:
            remedy = f"rows are {listing(self.rows, 9)}, columns {listing(self.columns, 9)}"
            raise VotewiseError(f"no published mean at {row!r}, {column!r}", where=self.source, remedy=remedy)
        return cell.mean

    @cached_property
    def p_decimals(self) -> int:
        """The maximum number of decimals of the p-values in the cells."""
        return max(
            (len(repr(cell.p).partition(".")[2]) for cell in self.cells.values() if cell.p is not None), default=0
        )

    def quote(self, rows: Collection[str] = (), columns: Collection[str] = ()) -> str:
        """Some rows and columns as text; default: all."""
        for chosen, headings in ((rows, self.rows), (columns, self.columns)):
            if unknown := [name for name in chosen if name not in headings]:
                remedy = f"choose one of {listing(headings, 20)}"
                raise VotewiseError(f"unknown heading {unknown[0]!r}", where=self.source, remedy=remedy)
        columns = columns or tuple(self.columns)
        quoted = []
        for row in rows or self.rows:
            cells = [cell for column in columns if (cell := self.cell(row, column)) is not None]
            if cells:
                quoted.append(f"{self._label(row)} {', '.join(map(self._quoted, cells))}")
        heads = f" ({', '.join(self.columns[column]['label'] for column in columns)})" if len(columns) > 1 else ""
        return f"{self.source.partition(',')[0]}: {'; '.join(quoted)}{heads}"

    def _label(self, row: str) -> str:
        label = str(self.rows[row]["label"])
        return f"K={label}" if label.isdigit() else label

    def _quoted(self, cell: Quoted) -> str:
        return str(cell) if cell.mean is None or cell.p is None else f"{cell} (p {cell.p:.{self.p_decimals}f})"


@dataclass(frozen=True, eq=False)
class Published:
    """The content of a `published.toml`.

    Attributes:
        data: the parsed file.
    """

    data: Mapping[str, Any]
    _tables: dict[int, PrintedTable] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, package: str) -> Published:
        """The numbers of the paper of a package."""
        return cls(tomllib.loads(files(package).joinpath("published.toml").read_text(encoding="utf-8")))

    def table(self, number: int) -> PrintedTable:
        """A table by its number."""
        if number in self._tables:
            return self._tables[number]
        entry = self._entry("table", f"table{number}")
        rows, columns = ({heading["id"]: heading for heading in entry[key]} for key in ("rows", "columns"))
        cells = {
            (cell["row"], cell["column"]): Quoted(
                cell.get("mean"), cell.get("sd"), cell.get("p"), cell.get("n"), columns[cell["column"]]["decimals"]
            )
            for cell in entry["cells"]
        }
        about = (entry["id"], entry["source"], entry["subject"], entry.get("test", ""))
        self._tables[number] = PrintedTable(*about, rows, columns, cells)
        return self._tables[number]

    def number(self, name: str) -> Mapping[str, Any]:
        """A number of the text or of a caption by its id, with its source, for example "g-barrier"."""
        return self._entry("number", name)

    def quote(self, name: str) -> str:
        """A number of the text, as text with its context."""
        entry = self.number(name)
        return str(entry.get("phrase", "{}")).format(_number(entry))

    def _entry(self, kind: str, name: str) -> Mapping[str, Any]:
        for entry in self.data.get(kind, ()):
            if entry["id"] == name:
                return entry  # type: ignore[no-any-return]  # TOML is Any
        known = listing((entry["id"] for entry in self.data.get(kind, ())), 99)
        raise VotewiseError(f"unknown {kind} {name!r}", where="published.toml", remedy=f"choose one of {known}")


def _number(entry: Mapping[str, Any]) -> str:
    places = entry.get("decimals", 0)
    value = entry.get("value", entry.get("mean"))
    if "count" in entry:
        return f"{entry['count']} of {entry['of']}"
    if "relative" in entry:
        return f"{entry['relative']:.0%}".replace("%", " %")
    if "p" in entry:
        return f"p = {entry['p']:.{places}f}"
    if "p_at_least" in entry:
        return f"p at least {entry['p_at_least']:.{places}f}"
    span = f" ({entry['low']:.{places}f} to {entry['high']:.{places}f})" if "low" in entry else ""
    whose = f"{method_name(entry['method'])} " if "method" in entry else ""
    if "resample_every" in entry:
        epochs = entry["resample_every"]
        whose += "every epoch " if epochs == 1 else f"every {epochs} epochs "
    return f"{whose}{value:.{places}f}{span}" if value is not None else span.strip(" ()")


def quotes(
    published: Callable[[], Published],
) -> tuple[Callable[..., Callable[[], str]], Callable[[str], Callable[[], str]]]:
    """Two functions that quote a paper on demand: `cells(table, rows, columns)` and `number(name)`."""

    def cells(table: int, rows: str = "", columns: str = "") -> Callable[[], str]:
        return lambda: published().table(table).quote(rows.split(), columns.split())

    def number(name: str) -> Callable[[], str]:
        return lambda: published().quote(name)

    return cells, number
