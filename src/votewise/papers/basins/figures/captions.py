"""Shared parts of the captions of the paper's figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from votewise.comparison import fixed, name, setting
from votewise.papers.basins.published import note
from votewise.reporting.charts import mean, mean_sd
from votewise.studies import Results
from votewise.wording import counted

BySeed = Mapping[int, float]


def ending(results: Results, seeds: int, published: str, *facts: str) -> str:
    """The source of the numbers, and what the paper reports."""
    return f"{setting(results, *facts, counted(seeds, 'seed'))} {note(results, published)}"


def most_seeds(values: Iterable[BySeed]) -> int:
    """The maximum number of seeds of the values."""
    return max(map(len, values), default=0)


def means(by_method: Mapping[str, BySeed], decimals: int = 3) -> str:
    """The mean of each method over seeds, as text; methods without values are left out."""
    return ", ".join(
        f"{name(method)} {fixed(mean(values.values()), decimals)}" for method, values in by_method.items() if values
    )


def spreads(by_method: Mapping[str, BySeed]) -> str:
    """Mean and standard deviation of each method over seeds, as text."""
    texts = []
    for method, values in by_method.items():
        if values:
            centre, sd = mean_sd(list(values.values()))
            texts.append(f"{name(method)} {fixed(centre, 4)} ± {fixed(sd, 4)}")
    return ", ".join(texts)


def span(values: Iterable[float], decimals: int) -> str:
    """Mean, smallest and largest value as text."""
    numbers = list(values)
    low, high = (fixed(end, decimals) for end in (min(numbers), max(numbers)))
    return f"mean {fixed(mean(numbers), decimals)}, from {low} to {high}"
