"""Figure 1: what few votes cost each method, and what hard delivery gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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
from votewise.evidence.methods import in_order, look, votes_name
from votewise.evidence.results import Results
from votewise.evidence.statistics.intervals import interval

TITLE = "Soft NLL by votes per item"
ARMS = ("soft", "sls", "multipass", "deterministic")
SCORE = "soft_nll"


def sweep(results: Results) -> Figure:
    """Mean soft NLL with its SD by votes per item, and the paired improvement over soft labels with its 95 % interval."""
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
        "Left: mean soft NLL on the evaluation split against all votes, with a band of one SD across seeds. "
        + (
            "Right: how much lower it is than with soft labels of the same seed, with the 95 % interval of the mean (t). "
            if gains
            else ""
        )
        + setting(results, seeds)
        + in_print(results, "all 12 cells are lower; the numbers stand in Table 1."),
        f"Lower is better on the left; on the right, points above the dashed line mean that {what} was better than soft labels.",
        f"Line chart of soft NLL by votes per item. {told}. " + _in_words(levels, gains),
        _chart(levels, gains, arms, [votes_name(k) for k in results.sweep]),
    )


def _levels(results: Results, arms: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for method in arms:
        for k in results.sweep:
            values = list(results.values("sparse", method, SCORE, K=k).values())
            if values:
                mean, sd = mean_sd(values)
                row = {"method": look(method).name, "votes": votes_name(k), "mean": mean, "sd": sd, "n": len(values)}
                found.append(row | {"low": mean - sd, "high": mean + sd})
    return found


def _gains(results: Results, arms: Sequence[str]) -> list[dict[str, Any]]:
    found = []
    for method in (method for method in arms if method != "soft"):
        for k in results.sweep:
            seeds, soft, hard = results.paired("sparse", "soft", method, SCORE, K=k)
            if len(seeds) > 1:
                low, high = interval(soft - hard)
                row = {"method": look(method).name, "votes": votes_name(k), "gain": float((soft - hard).mean())}
                found.append(row | {"low": low, "high": high, "agree": int((soft > hard).sum()), "n": len(seeds)})
    return found


def _in_words(levels: list[dict[str, Any]], gains: list[dict[str, Any]]) -> str:
    words = []
    for votes in dict.fromkeys(row["votes"] for row in levels):
        here = [row for row in levels if row["votes"] == votes]
        means = ", ".join(f"{row['method']} {row['mean']:.4f}" for row in here)
        words.append(f"With {votes} votes: {means}.")
    return " ".join(words)


def _chart(levels: list[dict[str, Any]], gains: list[dict[str, Any]], arms: Sequence[str], order: list[str]) -> Any:
    import altair as alt

    choice = chosen()
    methods = in_order(arms)
    x = alt.X("votes:O", sort=order, title="Votes per item (K)", scale=alt.Scale(padding=0.3))
    lines = alt.Chart(rows(levels)).encode(x, color=colour(methods))
    value = alt.Y("mean:Q", title="Soft NLL (nats)", scale=alt.Scale(zero=False))
    say = [alt.Tooltip("method:N"), alt.Tooltip("votes:O", title="votes per item"), alt.Tooltip("mean:Q", format=".4f")]
    say += [alt.Tooltip("sd:Q", title="SD", format=".4f"), alt.Tooltip("n:Q", title="seeds")]
    left = alt.layer(
        lines.mark_area().encode(
            alt.Y("low:Q", title="Soft NLL (nats)"), y2=alt.Y2("high:Q"), opacity=faded(choice, BAND)
        ),
        lines.mark_line(strokeWidth=2)
        .encode(value, strokeDash=dash(methods), opacity=faded(choice))
        .add_params(choice),
        lines.mark_point(filled=True, size=60).encode(value, shape=shape(methods), opacity=faded(choice), tooltip=say),
    ).properties(height=HEIGHT)
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
    right = alt.layer(
        zero_line(),
        bars.mark_rule(strokeWidth=2).encode(alt.Y("low:Q", title=name), y2=alt.Y2("high:Q")),
        bars.mark_point(filled=True, size=70).encode(alt.Y("gain:Q", title=name), shape=shape(methods), tooltip=say),
    ).properties(height=HEIGHT)
    return panels([left, right] if gains else [left])
