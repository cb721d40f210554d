"""The opening of the page: hard delivery compared with soft labels, with few votes and with all votes, as one chart and one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from votewise.comparison import fixed, inside, interval, listed, sentence, setting, votes_name
from votewise.papers.basins.published import HARD
from votewise.reporting.charts import Figure, Looks, absent, alt, colour, inline, lane_names, panels, shape, span, tips
from votewise.studies import Needs, Results
from votewise.wording import counted

KEY, TITLE = "story", "Hard delivery compared with soft labels"
LANE = 76  # pixels per number of votes
BETTER = {"lower": "better", "higher": "worse"}  # by the sign of the difference
Row = dict[str, Any]


def story(results: Results) -> Figure:
    """The difference in soft NLL of each hard delivery from soft labels by votes per item, with 95 % intervals; its `reading` summarises the result."""
    rows = {epoch: list(_rows(results, epoch)) for epoch in ("best", "last")}
    if not results.votes_per_item() or not rows["best"]:
        return absent(KEY, TITLE, Needs(("soft", *HARD), "sparse"))
    looks = Looks.of(results)
    means = (
        f"{row['category']}, {row['method']} {fixed(row['value'], 3)} ({fixed(row['low'], 3)} to {fixed(row['high'], 3)})"
        for row in rows["best"]
    )
    return Figure(
        KEY,
        TITLE,
        "Difference in soft NLL from soft labels with the same seed, with 95 % t intervals (not corrected for several comparisons). Left of zero,"
        f" hard delivery fits the votes better. {setting(results, counted(max(row['n'] for row in rows['best']), 'seed'))}",
        _sentence(rows["best"]),
        f"Dots of differences in soft NLL from soft labels at the best epoch: {'; '.join(means)}.",
        panels([_panel(some, f"{epoch} epoch", looks) for epoch, some in rows.items() if some]),
    )


def _rows(results: Results, epoch: str) -> Iterator[Row]:
    """One row per number of votes (fewest first) and hard delivery with at least two seeds."""
    looks = Looks.of(results)
    for k in (*results.votes_per_item(), None):
        for method in HARD:
            paired = results.paired(method, "soft", "soft_nll", K=k, checkpoint=epoch)
            if (n := len(paired.seeds)) > 1:
                low, high = interval(paired.difference)
                category = "all votes" if k is None else f"{votes_name(k)} votes per item"
                mean = sum(paired.difference) / n
                about = {"method": looks.name(method), "category": category, "n": n}
                yield about | {"value": float(mean), "low": low, "high": high}


def _sentence(rows: list[Row]) -> str:
    """The comparison of hard delivery with soft labels at the best epoch, for each number of votes."""
    said: dict[str, list[str]] = {}
    for category in dict.fromkeys(row["category"] for row in rows):
        kinds: dict[str, list[str]] = {}
        for row in rows:
            if row["category"] == category:
                kind = "lower" if row["high"] < 0 else "higher" if row["low"] > 0 else "level"
                kinds.setdefault(kind, []).append(row["method"])
        said.setdefault(_compared(kinds), []).append(category)
    return " ".join(sentence(f"with {_joined(categories)}, {words}") for words, categories in said.items())


def _compared(kinds: dict[str, list[str]]) -> str:
    """The comparison of hard delivery with soft labels, by the methods whose difference is lower, higher or level."""
    if list(kinds) == ["level"]:
        return "no difference from soft labels was found"
    if len(kinds) == 1 and len(methods := next(iter(kinds.values()))) > 1:
        return f"{'all' if len(methods) > 2 else 'both'} hard deliveries fit the votes {BETTER[next(iter(kinds))]} than soft labels"
    words = [
        f"{listed(map(inside, kinds[kind]))} {'fits' if len(kinds[kind]) == 1 else 'fit'} the votes {better} than soft labels"
        for kind, better in BETTER.items()
        if kind in kinds
    ]
    if "level" in kinds:
        words.append(f"no difference was found for {listed(map(inside, kinds['level']))}")
    return ", and ".join(words)


def _joined(categories: list[str]) -> str:
    """Numbers of votes in a sentence: "3 and 10 votes per item"."""
    numbers = [name.removesuffix(" votes per item").removesuffix(" votes") for name in categories]
    return "all votes" if numbers == ["all"] else f"{listed(numbers)} votes per item"


def _panel(rows: list[Row], title: str, looks: Looks) -> Any:
    categories = list(dict.fromkeys(row["category"] for row in rows))
    shown = looks.sorted(method for method in HARD if any(row["method"] == looks.name(method) for row in rows))
    domain = span([row[key] for row in rows for key in ("low", "high")], zero=True)
    x = alt.X("value:Q", title="Difference in soft NLL (nats)", scale=alt.Scale(domain=domain, nice=False))
    lane: dict[str, Any] = {
        "y": alt.Y("category:N", sort=categories, axis=None, scale=alt.Scale(paddingInner=0.5, paddingOuter=0.25)),
        "yOffset": alt.YOffset("method:N", sort=[look.name for look in shown]),
        "color": colour(shown),
    }
    base, height = alt.Chart(inline(rows)), LANE * len(categories)
    numbers = tips("method:N", "category:N", ("value:Q", "", ".4f"), ("low:Q", "", ".4f"), ("high:Q", "", ".4f"))
    return alt.layer(
        alt.Chart(inline([{"value": 0.0}])).mark_rule(style="zero").encode(x),
        base.mark_rule(strokeWidth=2).encode(alt.X("low:Q"), x2=alt.X2("high:Q"), **lane),
        base.mark_point(filled=True, size=80, opacity=1).encode(x, shape=shape(shown), tooltip=numbers, **lane),
        lane_names(categories, lane["y"], height),
    ).properties(height=height, title=title)
