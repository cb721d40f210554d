"""The opening of the page: hard delivery compared with soft labels, with few votes and with all votes, as one chart and one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from votewise.comparison import fixed, inside, interval, listed, sentence, setting, votes_name
from votewise.papers.basins.published import HARD
from votewise.papers.claims.verdict import LEVEL
from votewise.reporting.charts import Figure, Looks, absent, alt, colour, inline, lane_names, panels, shape, span, tips
from votewise.studies import Needs, Results
from votewise.wording import counted

KEY, TITLE = "story", "Hard delivery compared with soft labels"
CLAUSES = 2  # of the opening sentence; with more, it counts
LANE = 76  # pixels per number of votes
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
        "Difference in soft NLL from soft labels with the same seed, with 95 % t intervals. Left of zero, hard delivery fits the votes better. The"
        " summary of the page only mentions differences whose interval, with Bonferroni's correction over the comparisons of an epoch, excludes zero."
        f" {setting(results, counted(max(row['n'] for row in rows['best']), 'seed'))}",
        _reading(rows),
        f"Dots of differences in soft NLL from soft labels at the best epoch: {'; '.join(means)}.",
        panels([_panel(some, f"{epoch} epoch", looks) for epoch, some in rows.items() if some]),
    )


def _rows(results: Results, epoch: str) -> Iterator[Row]:
    """One row per number of votes (fewest first) and hard delivery with at least two seeds."""
    looks = Looks.of(results)
    pairs = {
        (k, method): results.paired(method, "soft", "soft_nll", K=k, checkpoint=epoch).difference
        for k in (*results.votes_per_item(), None)
        for method in HARD
    }
    pairs = {cell: difference for cell, difference in pairs.items() if len(difference) > 1}
    for (k, method), difference in pairs.items():
        category = "all votes" if k is None else f"{votes_name(k)} votes per item"
        about = {"method": looks.name(method), "category": category, "n": len(difference)}
        low, high = interval(difference)
        below, above = interval(difference, 1 - LEVEL / len(pairs))
        sign = "lower" if above < 0 else "higher" if below > 0 else "level"
        yield about | {"value": float(difference.mean()), "low": low, "high": high, "sign": sign}


def _reading(rows: dict[str, list[Row]]) -> str:
    """The comparison at both epochs, in one sentence if it is the same."""
    said = {epoch: _sentence(some) for epoch, some in rows.items() if some}
    if len(set(said.values())) == 1:
        return sentence(f"at the {' and the '.join(said)} epoch, {said['best']}")
    return " ".join(sentence(f"at the {epoch} epoch, {words}") for epoch, words in said.items())


def _sentence(rows: list[Row]) -> str:
    """The comparison of hard delivery with soft labels: for each number of votes, or as a count if these differ in many ways."""
    said: dict[str, list[str]] = {}
    for category in dict.fromkeys(row["category"] for row in rows):
        kinds: dict[str, list[str]] = {}
        for row in rows:
            if row["category"] == category:
                kinds.setdefault(row["sign"], []).append(row["method"])
        said.setdefault(_compared(kinds), []).append(category)
    if len(said) > CLAUSES:
        return _counted(rows)
    return "; ".join(f"with {_joined(categories)}, {words}" for words, categories in said.items())


def _counted(rows: list[Row]) -> str:
    """How many differences are significant in each direction, and with which numbers of votes."""
    parts = []
    for sign, words in (("lower", "better"), ("higher", "worse")):
        if found := [row["category"] for row in rows if row["sign"] == sign]:
            where = _joined(list(dict.fromkeys(found)))
            parts.append(
                f"fits the votes {words} than soft labels in {len(found)} of {len(rows)} comparisons ({where})"
            )
    others = "; no difference was found in the others" if any(row["sign"] == "level" for row in rows) else ""
    return f"hard delivery {' and '.join(parts)}{others}"


def _compared(kinds: dict[str, list[str]]) -> str:
    """The comparison of hard delivery with soft labels, by the methods whose difference is lower, higher or level."""
    words = {
        "lower": "{} {} the votes better than soft labels",
        "higher": "{} {} the votes worse than soft labels",
        "level": "no difference was found for {}",
    }
    if list(kinds) == ["level"]:
        return "no difference from soft labels was found"
    return ", and ".join(
        words[kind].format(inside(methods[0]), "fits")
        if len(methods) == 1
        else words[kind].format("hard deliveries" if len(kinds) == 1 else listed(map(inside, methods)), "fit")
        for kind, methods in kinds.items()
    )


def _joined(categories: list[str]) -> str:
    """Numbers of votes in a sentence: "3 and 10 votes per item"."""
    numbers = [name.removesuffix(" votes per item").removesuffix(" votes") for name in categories]
    return "all votes" if numbers == ["all"] else f"{listed(numbers)} votes per item"


def _panel(rows: list[Row], title: str, looks: Looks) -> Any:
    categories = list(dict.fromkeys(row["category"] for row in rows))
    shown = looks.sorted(method for method in HARD if any(row["method"] == looks.name(method) for row in rows))
    domain = span([row[key] for row in rows for key in ("low", "high")], zero=True)
    axis = alt.Axis(tickCount=3)
    x = alt.X("value:Q", title="Difference in soft NLL (nats)", scale=alt.Scale(domain=domain, nice=False), axis=axis)
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
