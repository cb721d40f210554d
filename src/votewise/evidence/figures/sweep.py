"""Figure 1: what few votes cost each method in each score, and what hard delivery gains in soft NLL."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from votewise.comparison.statistics.intervals import interval
from votewise.evidence.figures.figure import Figure, absent, in_print, mean_sd, rows, setting
from votewise.evidence.figures.marks import (
    BAND,
    HEIGHT,
    chosen,
    colour,
    dash,
    faded,
    panels,
    shape,
    zero_line,
)
from votewise.evidence.methods import QUANTITIES, in_order, look, votes_name
from votewise.evidence.results import Results

if TYPE_CHECKING:
    import altair as alt

TITLE = "Scores by votes per item"
ARMS = ("soft", "sls", "multipass", "deterministic")
SCORES = ("soft_nll", "accuracy", "entropy_correlation")  # methods are compared by the first


def sweep(results: Results) -> Figure:
    """Mean scores with their SD by votes per item, and the paired improvement of soft NLL over soft labels with its 95 % interval."""
    arms = results.arms(ARMS)
    levels, gains = _levels(results, arms), _gains(results, arms)
    if not levels:
        return absent(1, TITLE, "runs of the study 'sparse' (soft, sls, multipass, deterministic)")
    seeds = max(row["n"] for row in levels)
    better = sum(row["gain"] > 0 for row in gains)
    what = "a method" if results.own else "showing one label at a time"
    told = f"{better} of {len(gains)} cells have a lower mean soft NLL than soft labels"
    return Figure(
        1,
        TITLE,
        "Soft NLL, hard accuracy and entropy correlation on the evaluation split against all votes: the mean, with a band of one SD across seeds. "
        + (
            "Improvement: how much lower soft NLL is than with soft labels of the same seed, with the 95 % interval of the mean (t). "
            if gains
            else ""
        )
        + setting(results, seeds)
        + in_print(
            results,
            "soft NLL is lower in all 12 cells (the numbers are in Table 1), hard accuracy remains close, and entropy correlation is modestly higher"
            " for hard delivery as K grows.",
        ),
        "Lower is better for soft NLL, higher for accuracy and entropy correlation; improvements above the dashed line mean that"
        f" {what} was better than soft labels.",
        f"Line charts of soft NLL, hard accuracy and entropy correlation by votes per item. {told}. {_in_words(levels)}",
        _chart(levels, gains, arms, [votes_name(k) for k in results.sweep]),
    )


def _levels(results: Results, arms: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for score in SCORES:
        for method in arms:
            for k in results.sweep:
                values = list(results.values("sparse", method, score, K=k).values())
                if values:
                    mean, sd = mean_sd(values)
                    row = {"score": score, "method": look(method).name, "votes": votes_name(k), "mean": mean, "sd": sd}
                    found.append(row | {"n": len(values), "low": mean - sd, "high": mean + sd})
    return found


def _gains(results: Results, arms: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for method in (method for method in arms if method != "soft"):
        for k in results.sweep:
            seeds, soft, hard = results.paired("sparse", "soft", method, SCORES[0], K=k)
            if len(seeds) > 1:
                low, high = interval(soft - hard)
                row = {"method": look(method).name, "votes": votes_name(k), "gain": float((soft - hard).mean())}
                found.append(row | {"low": low, "high": high, "agree": int((soft > hard).sum()), "n": len(seeds)})
    return found


def _in_words(levels: list[dict[str, Any]]) -> str:
    words = []
    for score, found in groupby(levels, lambda row: row["score"]):
        by_votes: dict[str, list[str]] = {}
        for row in found:
            by_votes.setdefault(row["votes"], []).append(f"{row['method']} {row['mean']:.4f}")
        words.append(f"{QUANTITIES[score].name}.")
        words += [f"With {votes} votes: {', '.join(means)}." for votes, means in by_votes.items()]
    return " ".join(words)


def _chart(levels: list[dict[str, Any]], gains: list[dict[str, Any]], arms: Sequence[str], order: list[str]) -> Any:
    choice, methods = chosen(), in_order(arms)
    shown = [
        _level_panel(list(found), QUANTITIES[score].axis, methods, order, choice)
        for score, found in groupby(levels, lambda row: row["score"])
    ]
    shown[0] = shown[0].add_params(choice)
    shown[1:1] = [_gain_panel(gains, methods, order, choice)] if gains else []
    return panels(shown)


def _level_panel(
    levels: list[dict[str, Any]], axis: str, methods: Sequence[str], order: list[str], choice: alt.Parameter
) -> Any:
    import altair as alt

    x = alt.X("votes:O", sort=order, title="Votes per item (K)", scale=alt.Scale(padding=0.3))
    lines = alt.Chart(rows(levels)).encode(x, color=colour(methods))
    value = alt.Y("mean:Q", title=axis, scale=alt.Scale(zero=False))
    say = [alt.Tooltip("method:N"), alt.Tooltip("votes:O", title="votes per item"), alt.Tooltip("mean:Q", format=".4f")]
    say += [alt.Tooltip("sd:Q", title="SD", format=".4f"), alt.Tooltip("n:Q", title="seeds")]
    return alt.layer(
        lines.mark_area().encode(alt.Y("low:Q", title=axis), y2=alt.Y2("high:Q"), opacity=faded(choice, BAND)),
        lines.mark_line(strokeWidth=2).encode(value, strokeDash=dash(methods), opacity=faded(choice)),
        lines.mark_point(filled=True, size=60).encode(value, shape=shape(methods), opacity=faded(choice), tooltip=say),
    ).properties(height=HEIGHT)


def _gain_panel(gains: list[dict[str, Any]], methods: Sequence[str], order: list[str], choice: alt.Parameter) -> Any:
    import altair as alt

    bars = alt.Chart(rows(gains)).encode(
        alt.X("votes:O", sort=order, title="Votes per item (K)"),
        xOffset=alt.XOffset("method:N", sort=[look(method).name for method in methods if method != "soft"]),
        color=colour(methods),
        opacity=faded(choice),
    )
    name = "Improvement over soft labels (nats)"
    say = [alt.Tooltip("method:N"), alt.Tooltip("votes:O", title="votes per item"), alt.Tooltip("gain:Q", format=".4f")]
    say += [alt.Tooltip("low:Q", format=".4f"), alt.Tooltip("high:Q", format=".4f")]
    say += [alt.Tooltip("agree:Q", title="seeds that agree"), alt.Tooltip("n:Q", title="seeds")]
    return alt.layer(
        zero_line(),
        bars.mark_rule(strokeWidth=2).encode(alt.Y("low:Q", title=name), y2=alt.Y2("high:Q")),
        bars.mark_point(filled=True, size=70).encode(alt.Y("gain:Q", title=name), shape=shape(methods), tooltip=say),
    ).properties(height=HEIGHT)
