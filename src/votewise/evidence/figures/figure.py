"""A figure: a chart with its caption, one sentence how to read it, and its numbers in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from votewise.evidence.methods import dataset_name
from votewise.evidence.results import Results


@dataclass(frozen=True, eq=False)
class Figure:
    """One of the paper's figures, made again.

    number   as the paper counts them, or a name for one that it does not have
    reading  one sentence: how to read it
    alt      what it shows, with the main numbers, for those who do not see it
    chart    an altair chart of one view or several panels; None where the data is not there
    missing  what it needs, where the data is not there
    """

    number: int | str
    title: str
    caption: str
    reading: str
    alt: str
    chart: Any
    missing: str | None = None


def absent(number: int | str, title: str, need: str) -> Figure:
    """The figure whose data is not there."""
    return Figure(number, title, "", "", "", None, f"This figure needs {need}.")


def setting(results: Results, seeds: int, checkpoint: str | None = "best") -> str:
    """Where the numbers come from, as the end of a caption."""
    chosen = f", {checkpoint} checkpoint" if checkpoint else ""
    return f"{_capital(dataset_name(results.dataset))}, preset {results.preset}{chosen}, {seeds} seeds."


def in_print(results: Results, sentence: str) -> str:
    """What the paper has, as the last words of a caption, and whether its sizes compare with ours.

    All of it speaks of SLS: beside a comparison without SLS it says nothing.
    """
    if "sls" not in results.arms(("sls",)):
        return ""
    caveat = "" if results.comparable else " (CIFAR-10H, its own training: sizes do not compare)"
    return f" Published{caveat}: {sentence}"


def mean_sd(values: ArrayLike) -> tuple[float, float]:
    """Mean of values [n] and their standard deviation (n - 1), zero for a single one; what is missing among them is left out."""
    found = np.asarray(values, dtype=np.float64)
    found = found[np.isfinite(found)]
    if not len(found):
        return float("nan"), float("nan")
    return float(found.mean()), float(found.std(ddof=1)) if len(found) > 1 else 0.0


def digits(value: float, decimals: int) -> str:
    """A number in a sentence.

    >>> digits(-0.0312, 2), digits(-0.0012, 2)
    ('−0.03', '0.00')
    """
    return f"{round(value, decimals) + 0.0:.{decimals}f}".replace("-", "−")


def rows(found: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as inline data: six digits of a number are enough to draw it, and what is not finite cannot be drawn."""
    import altair as alt

    plain = [{key: _short(value) for key, value in row.items()} for row in found]
    return alt.InlineData(values=tuple(row for row in plain if None not in row.values()))  # altair copies lists


def _short(value: Any) -> Any:
    if isinstance(value, (bool, str)):
        return value
    number = float("nan") if value is None else float(value)
    if not np.isfinite(number):
        return None
    return int(number) if number == int(number) and abs(number) < 1e15 else float(f"{number:.6g}")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
