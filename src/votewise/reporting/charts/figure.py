"""A figure: a chart with its caption, one sentence on how to read it, and its numbers as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from votewise.errors import VotewiseError
from votewise.studies import Needs

if TYPE_CHECKING:
    import altair as alt
else:

    class _Altair:
        """altair, imported on first use."""

        def __getattr__(self, name: str) -> Any:
            require_altair()
            import altair

            return getattr(altair, name)

    alt = _Altair()

__all__ = ["Figure", "absent", "alt", "inline", "mean", "mean_sd", "require_altair", "tips", "with_sd"]


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart with its texts.

    Attributes:
        key: its number or name.
        title: its title.
        caption: what it shows and where the numbers come from.
        reading: one sentence on how to read it.
        alt: a description with the main numbers, for readers who cannot see the chart.
        chart: an altair chart of one view or several panels; None if the data is missing.
        missing: missing runs and probes; empty if the figure has data.
    """

    key: int | str
    title: str
    caption: str = ""
    reading: str = ""
    alt: str = ""
    chart: Any = None
    missing: tuple[Needs, ...] = ()

    @cached_property
    def drawn(self) -> dict[str, Any]:
        """The chart as plain data without width and colours, computed once for the page and the files."""
        made: dict[str, Any] = self.chart.to_dict(validate=False)
        made["datasets"] = {name: list(rows) for name, rows in made["datasets"].items()}
        return made | {"description": self.alt}


def absent(key: int | str, title: str, *needs: Needs) -> Figure:
    """A figure without data, with what it needs."""
    return Figure(key, title, missing=needs)


def require_altair() -> None:
    """Raise if charts cannot be made."""
    if find_spec("altair") is None:
        raise VotewiseError("figures need altair", remedy="install votewise[report]")


def mean_sd(values: ArrayLike) -> tuple[float, float]:
    """Mean of values [n] and their standard deviation (n - 1), zero for a single value; values that are not finite are ignored."""
    numbers = np.asarray(values, dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return float("nan"), float("nan")
    return float(numbers.mean()), float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0


def mean(values: Iterable[float]) -> float:
    """The mean of values, NaN if there are none."""
    return mean_sd(list(values))[0]


def with_sd(values: ArrayLike, name: str = "value") -> dict[str, float]:
    """The mean of values under a name, and the ends of one standard deviation around it as `low` and `high`."""
    centre, sd = mean_sd(values)
    return {name: centre, "low": centre - sd, "high": centre + sd}


def inline(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as inline data with six digits per number; rows with a number that is not finite are left out."""
    plain = [{key: _short(value) for key, value in row.items()} for row in rows]
    return alt.InlineData(values=tuple(row for row in plain if None not in row.values()))  # altair copies lists


def tips(*fields: str | tuple[str, str, str]) -> list[alt.Tooltip]:
    """The tooltip of a mark: fields, each alone or with a title and a format ("" for none)."""
    full = [(field, "", "") if isinstance(field, str) else field for field in fields]
    return [alt.Tooltip(f, title=title or alt.Undefined, format=form or alt.Undefined) for f, title, form in full]


def _short(value: Any) -> Any:
    if isinstance(value, (bool, str)):
        return value
    number = float("nan") if value is None else float(value)
    if not np.isfinite(number):
        return None
    return int(number) if number == int(number) and abs(number) < 1e15 else float(f"{number:.6g}")
