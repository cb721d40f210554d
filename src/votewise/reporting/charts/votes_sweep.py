"""Scores by votes per item: how each method depends on the number of votes, and its improvement on a reference."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from votewise.comparison import axis, improvement, inside, listed, quantity, reference_of, sentence, setting, votes_name
from votewise.reporting.charts.figure import Figure, absent, alt, inline, mean_sd, tips
from votewise.reporting.charts.looks import Look, Looks
from votewise.reporting.charts.marks import HEIGHT, band, colour, fade, panels, selection, shape, zero_line
from votewise.studies import Needs, Results
from votewise.wording import counted

KEY = "votes-per-item"
TITLE = "Scores by votes per item"
QUANTITIES = ("soft_nll", "accuracy", "entropy_correlation")  # the improvement is shown for the first
AT = ("method:N", ("votes:O", "votes per item", ""))  # the position of a mark
Row = dict[str, Any]


def votes_sweep(
    results: Results,
    methods: Sequence[str] | None = None,
    *,
    reference: str | None = None,
    all_votes: bool = True,
) -> Figure:
    """Mean scores with their SD by votes per item, and the paired improvement of the first score on a reference.

    Args:
        results: results on one dataset.
        methods: labels; default: all. Methods without runs with fewer votes are left out.
        reference: label of the method that the others are compared with; default: the first method with runs.
        all_votes: whether to show runs with all votes at the end of the axis.
    """
    swept = results.votes_per_item()
    wanted = tuple(methods or results.methods())
    methods = [method for method in wanted if any(results.values(method, QUANTITIES[0], K=k) for k in swept)]
    if not methods:
        return absent(KEY, TITLE, Needs(wanted))
    reference = reference or reference_of(results) or methods[0]
    looks = Looks.of(results)
    votes = [*swept, *([None] if all_votes else [])]
    levels = _levels(results, methods, votes, looks)
    gains = _gains(results, methods, votes, reference, looks)
    labels = [inside(quantity(key).label) for key in QUANTITIES]
    against = looks.in_sentence(reference)
    better = sum(row["gain"] > 0 for row in gains)
    improvement = (
        f"Improvement: {labels[0]} of {against} minus that of the method with the same seed, with the 95 % interval of the mean (t). "
        if gains
        else ""
    )
    return Figure(
        KEY,
        TITLE,
        f"{sentence(listed(labels))[:-1]} on the evaluation split against all votes: mean, with a band of one SD across seeds. {improvement}"
        + setting(results, "best checkpoint", counted(max(row["n"] for row in levels), "seed")),
        _reading(against),
        f"Line charts of {listed(labels)} by votes per item. {better} of {len(gains)} cells have a lower mean {labels[0]} than {against}. {_in_words(levels)}",
        _chart(levels, gains, looks.sorted(methods), list(map(votes_name, votes)), against),
    )  # fmt: skip


def _reading(against: str) -> str:
    by_direction = [
        f"{direction} is better for {listed(labels)}"
        for direction in ("lower", "higher")
        if (labels := [inside(quantity(key).label) for key in QUANTITIES if quantity(key).better == direction])
    ]
    text = "; ".join([*by_direction, f"points above the dashed line are improvements on {against}"])
    return f"{text[:1].upper()}{text[1:]}."


def _levels(results: Results, methods: Sequence[str], votes: Sequence[int | None], looks: Looks) -> list[Row]:
    rows = []
    for key in QUANTITIES:
        for method in methods:
            for k in votes:
                if values := list(results.values(method, key, K=k).values()):
                    mean, sd = mean_sd(values)
                    row = {"score": key, "method": looks.name(method), "votes": votes_name(k), "value": mean, "sd": sd}
                    rows.append(row | {"n": len(values), "low": mean - sd, "high": mean + sd})
    return rows


def _gains(
    results: Results, methods: Sequence[str], votes: Sequence[int | None], reference: str, looks: Looks
) -> list[Row]:
    rows = []
    for method in (method for method in methods if method != reference):
        for k in votes:
            if gain := improvement(results, method, reference, QUANTITIES[0], k):
                about = {"gain": gain.mean, "low": gain.low, "high": gain.high, "agree": gain.agree, "n": gain.n}
                rows.append({"method": looks.name(method), "votes": votes_name(k)} | about)
    return rows


def _in_words(levels: list[Row]) -> str:
    words = []
    for key, rows in groupby(levels, lambda row: row["score"]):
        by_votes: dict[str, list[str]] = {}
        for row in rows:
            by_votes.setdefault(row["votes"], []).append(f"{row['method']} {row['value']:.4f}")
        words.append(f"{quantity(key).label}.")
        words += [f"With {votes} votes: {', '.join(means)}." for votes, means in by_votes.items()]
    return " ".join(words)


def _chart(levels: list[Row], gains: list[Row], looks: list[Look], order: list[str], against: str) -> Any:
    choice = selection()
    shown = [
        _level_panel(list(rows), axis(key), looks, order, choice)
        for key, rows in groupby(levels, lambda row: row["score"])
    ]
    shown[0] = shown[0].add_params(choice)
    shown[1:1] = [_gain_panel(gains, looks, order, choice, against)] if gains else []
    return panels(shown)


def _level_panel(levels: list[Row], title: str, looks: list[Look], order: list[str], choice: alt.Parameter) -> Any:
    x = alt.X("votes:O", sort=order, title="Votes per item (K)", scale=alt.Scale(padding=0.3))
    tooltip = tips(*AT, ("value:Q", "mean", ".4f"), ("sd:Q", "SD", ".4f"), ("n:Q", "seeds", ""))
    layers = band(levels, x, title=title, looks=looks, choice=choice, tooltip=tooltip)
    return alt.layer(*layers).properties(height=HEIGHT)


def _gain_panel(gains: list[Row], looks: list[Look], order: list[str], choice: alt.Parameter, against: str) -> Any:
    drawn = {row["method"] for row in gains}
    bars = alt.Chart(inline(gains)).encode(
        alt.X("votes:O", sort=order, title="Votes per item (K)"),
        xOffset=alt.XOffset("method:N", sort=[look.name for look in looks if look.name in drawn]),
        color=colour(looks),
        opacity=fade(choice),
    )
    title = f"Improvement on {against} (nats)"
    ends = (("low:Q", "", ".4f"), ("high:Q", "", ".4f"))
    agreed = (("agree:Q", "seeds that agree", ""), ("n:Q", "seeds", ""))
    tooltip = tips(*AT, ("gain:Q", "improvement", ".4f"), *ends, *agreed)
    return alt.layer(
        zero_line(),
        bars.mark_rule(strokeWidth=2).encode(alt.Y("low:Q", title=title), y2=alt.Y2("high:Q")),
        bars.mark_point(filled=True, size=70).encode(alt.Y("gain:Q", title=title), shape=shape(looks), tooltip=tooltip),
    ).properties(height=HEIGHT)
