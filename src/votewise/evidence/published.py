"""The numbers in print, as data with their source (`published.toml`), and how to look them up."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from votewise.errors import VotewiseError
from votewise.wording import listing


@dataclass(frozen=True)
class Printed:
    """A cell of a table as it is printed: what it does not have is None. `decimals` are those of mean and sd."""

    mean: float | None
    sd: float | None
    p: float | None
    n: int | None
    decimals: int

    def __str__(self) -> str:
        """As in print, trailing zeros included: 0.5860, or 0.5096 ± 0.0233."""
        if self.mean is None:
            return "" if self.p is None else f"{self.p:.{self.decimals}f}"
        spread = "" if self.sd is None else f" ± {self.sd:.{self.decimals}f}"
        return f"{self.mean:.{self.decimals}f}{spread}"


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """A table in print. Rows and columns are its headings in their order, id -> label and whatever else is known of them."""

    id: str
    source: str
    subject: str
    test: str  # in words; "" where there is none
    rows: Mapping[str, Mapping[str, Any]]
    columns: Mapping[str, Mapping[str, Any]]
    cells: Mapping[tuple[str, str], Printed]  # by row and column

    def cell(self, row: str, column: str) -> Printed | None:
        """The cell at a row and a column, where there is one."""
        return self.cells.get((row, column))

    def mean(self, row: str, column: str) -> float:
        """The mean printed at a row and a column; it must be there."""
        found = self.cells.get((row, column))
        if found is None or found.mean is None:
            raise VotewiseError(
                f"there is no mean at {row!r}, {column!r}",
                where=self.source,
                remedy=f"rows are {listing(self.rows, 9)}, columns {listing(self.columns, 9)}",
            )
        return found.mean

    @cached_property
    def p_decimals(self) -> int:
        """Decimals of the p-values in the cells: as many as the longest has."""
        return max((_decimals(cell.p) for cell in self.cells.values() if cell.p is not None), default=0)


@dataclass(frozen=True, eq=False)
class Published:
    """What `published.toml` holds: `data` is the whole of it, as parsed."""

    data: Mapping[str, Any]

    def table(self, number: int | str) -> PrintedTable:
        """A table by its number, or by its id as in "table7"."""
        entry = self._entry("table", f"table{number}" if isinstance(number, int) else number)
        rows, columns = ({heading["id"]: heading for heading in entry[key]} for key in ("rows", "columns"))
        cells = {
            (cell["row"], cell["column"]): Printed(
                cell.get("mean"), cell.get("sd"), cell.get("p"), cell.get("n"), columns[cell["column"]]["decimals"]
            )
            for cell in entry["cells"]
        }
        return PrintedTable(entry["id"], entry["source"], entry["subject"], entry.get("test", ""), rows, columns, cells)

    def number(self, name: str) -> Mapping[str, Any]:
        """A number in the text or in a caption by its id, with its source, as in "g-barrier"."""
        return self._entry("number", name)

    def figure(self, number: int | str) -> Mapping[str, Any]:
        """What is known of a figure, by its number or its id; `numbers` are the ids of those in its caption."""
        return self._entry("figure", f"figure{number}" if isinstance(number, int) else number)

    @property
    def protocol(self) -> Mapping[str, Any]:
        """The numbers of the experimental protocol."""
        return self.data["protocol"]  # type: ignore[no-any-return]

    def _entry(self, kind: str, name: str) -> Mapping[str, Any]:
        for entry in self.data[kind]:
            if entry["id"] == name:
                return entry  # type: ignore[no-any-return]
        known = listing((entry["id"] for entry in self.data[kind]), 99)
        raise VotewiseError(
            f"there is no {kind} {name!r} in print", where="published.toml", remedy=f"use one of {known}"
        )


@cache
def published() -> Published:
    """The numbers in print.

    >>> published().table(2).cell("soft", "soft_nll").mean
    0.5096
    >>> str(published().table(2).cell("soft", "ece_equal_mass")), published().number("g-barrier")["mean"]
    ('0.0185 ± 0.0040', 2.05)
    """
    text = files("votewise.evidence").joinpath("published.toml").read_text(encoding="utf-8")
    return Published(tomllib.loads(text))


def _decimals(value: float) -> int:
    return len(repr(value).partition(".")[2])
