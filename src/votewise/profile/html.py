"""A profile as HTML: the same sections for a card in a notebook and for a separate page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.cards import LOW, Chart, Markup, card, dots, element, histogram, join, matrix, paragraph, table
from votewise.errors import UndefinedError
from votewise.profile import cells
from votewise.profile.annotators import annotator_table, whom_to_talk_to
from votewise.profile.confused import coincidences, confusion
from votewise.profile.next_votes import next_items
from votewise.profile.references import REFERENCES, verdict
from votewise.profile.render import facts
from votewise.profile.spending import budget
from votewise.votes import Votes
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.profile.profile import Profile
    from votewise.profile.spending import Budget

_CLASSES = 10  # largest number of classes in the chart of confusions
_PEOPLE = 25  # annotators in the chart, the largest deviations first
_ROWS = 15  # rows of a table on a card; a page shows more
_SHARES = 8  # largest number of classes for which the table of annotators has the shares

Part = tuple[str, str, Markup]  # anchor, title, content


def html(profile: Profile) -> str:
    """The card for a notebook."""
    shown = [join((element("h3", title), body)) for _, title, body in parts(profile, rows=_ROWS)]
    return card(element("p", element("strong", _size(profile))), *shown)


def page_parts(
    profiles: Mapping[str, Profile], *, rows: int, total: int | None = None, texts: Mapping[str, str] | None = None
) -> tuple[str, list[Part]]:
    """The lead and the parts of a page on the questions of a file, by name; `texts` are the texts of items by id."""
    if len(profiles) == 1:
        (profile,) = profiles.values()
        return f"{_size(profile)}.", parts(profile, rows=rows, total=total, texts=texts)
    lead = "; ".join(f"{name}: {_size(profile)}" for name, profile in profiles.items())
    every = [
        (f"{anchor}-{place}", f"{name}: {title}", body)
        for place, (name, profile) in enumerate(profiles.items(), 1)
        for anchor, title, body in parts(profile, rows=rows, total=total, texts=texts)
    ]
    return f"{lead}.", every


def _size(profile: Profile) -> str:
    return " · ".join(facts(profile))


def parts(
    profile: Profile, *, rows: int, total: int | None = None, texts: Mapping[str, str] | None = None
) -> list[Part]:
    """The sections of a profile that are defined for its votes.

    Args:
        profile: the profile to show.
        rows: number of rows of long tables.
        total: number of votes of the budget. Default: twice the current number.
        texts: texts of items by id. Default: the texts carried by the votes.
    """
    made = [
        ("agreement", "Is the agreement low, and would more votes help?", join(_agreement(profile))),
        ("disagreement", "How annotators disagree", _disagreement(profile)),
        ("confusion", "Which classes are confused", _confusion(profile, rows)),
        ("annotators", "Annotators", _annotators(profile, rows)),
        ("next-votes", "Items that deserve more votes", _next_items(profile, rows, texts)),
        ("budget", "What a budget of votes buys", _budget(profile, total)),
        ("advice", "Advice for training", _advice(profile)),
    ]
    return [(anchor, title, body) for anchor, title, body in made if body]


def _charts(*charts: Markup) -> Markup:
    return element("div", *charts, class_="vw-charts")


def _agreement(profile: Profile) -> Iterator[Markup]:
    agreement = profile.agreement
    if agreement is None:
        why = "These are probabilities, not votes" if profile.votes is None else "No item has two votes"
        yield paragraph(f"{why}, so agreement is not defined.")
        return
    level, alpha = next(iter(agreement.alpha.items()))
    yield paragraph(verdict(alpha, agreement.alpha["nominal"], level))
    others = "; ".join(f"{name} {value:.3f}" for name, value in agreement.alpha.items())
    yield paragraph(
        f"Krippendorff's alpha: {others}. Two votes on one item agree in {agreement.pairwise:.1%} of the pairs."
    )
    few = profile.few_votes
    if few is not None and few.now is not None and few.twice is not None:
        now, twice = few.now.bias, few.twice.bias
        yield paragraph(
            "More votes do not raise agreement, but they improve the estimate of how annotators are split. The expected JS distance of the vote shares of an "
            f"item from those of unlimited votes is {now['js_distance']:.3f} now, and would be {twice['js_distance']:.3f} with twice the votes. "
            f"The majority of the votes differs from that of unlimited votes on {-now['accuracy']:.1%} of the items now, and would differ on "
            f"{-twice['accuracy']:.1%} with twice the votes."
        )
    own = ("These votes", "", len(profile.class_share), agreement.alpha["nominal"], agreement.pairwise)
    every = [*((one.name, one.task, one.classes, one.alpha, one.pairwise) for one in REFERENCES), own]
    every.sort(key=lambda row: -row[3] if row[3] == row[3] else 1)
    lines = [(element("b", row[0]) if row is own else row[0], *row[1:]) for row in every]
    yield element(
        "details",
        element("summary", "Compared with published datasets"),
        table(["data", "question", "classes", "alpha, nominal", "agreeing pairs"], lines),
    )


def _disagreement(profile: Profile) -> Markup:
    disagreement = profile.disagreement
    names = ["all agree", *(f"{high:.2f}" for high in disagreement.histogram.edge[1:])]
    charts = [
        histogram(
            "Entropy of an item",
            names,
            (disagreement.unanimous, *disagreement.histogram.count),
            across="entropy in nats, up to",
        ).figure(
            f"Mean {disagreement.mean_entropy:.3f} of at most {disagreement.largest_possible:.3f}; the majority of {counted(disagreement.tied, 'item')} is tied."
        )
    ]
    spread = profile.votes_per_item
    if spread is not None:
        ends = [(low + 0.5, min(high - 0.5, spread.most)) for low, high in pairwise(spread.histogram.edge)]
        names = [f"{low:.0f}" if low == high else f"{low:.0f}-{high:.0f}" for low, high in ends]
        said = f"{spread.least:,} to {spread.most:,}, median {spread.median:,g}."
        charts.append(histogram("Votes per item", names, spread.histogram.count, across="votes").figure(said))
    return _charts(*charts)


def _confusion(profile: Profile, rows: int) -> Markup:
    votes = profile.answers
    if votes is None:
        return Markup()
    try:
        pairs = confusion(votes, rows)
        together = coincidences(cells.cells(votes), votes.num_classes)
    except UndefinedError:
        return Markup()
    if not len(pairs):
        return paragraph("Annotators never disagree.")
    first = pairs.records(1)[0]
    said = (
        f"{first[2]:.0%} of all disagreements are between {first[0]} and {first[1]}: if one annotator chooses {first[0]}, another chooses "
        f"{first[1]} in {first[3]:.0%} of the cases; vice versa in {first[4]:.0%}."
    )
    head = [
        "class",
        "and class",
        "share of disagreements",
        "second, given first",
        "first, given second",
        "times chance",
    ]
    lines = [(a, b, f"{s:.1%}", f"{ab:.1%}", f"{ba:.1%}", lift) for a, b, s, ab, ba, lift in pairs.records(rows)]
    chart = _matrix(votes.classes, together).figure("", wide=True)
    return join((paragraph(said), _charts(chart, element("div", table(head, lines)))))


def _matrix(classes: tuple[str, ...], pairs: Any) -> Chart:
    """The confusions of the most confused classes, in the order of the classes."""
    apart = pairs.sum(axis=1) - pairs.diagonal()
    shown = np.sort(np.argsort(-apart, kind="stable")[:_CLASSES])
    given = pairs / np.maximum(pairs.sum(axis=1, keepdims=True), 1e-300)
    return matrix(
        "If one annotator chooses …, another chooses …",
        [classes[at] for at in shown],
        given[np.ix_(shown, shown)].tolist(),
        down="one",
        across="another",
    )


def _annotators(profile: Profile, rows: int) -> Markup:
    if not isinstance(profile.answers, Votes):
        return Markup()
    try:
        people = annotator_table(profile.answers)
    except UndefinedError:
        return Markup()
    return join(_annotator_parts(people, profile.answers, rows))


def _annotator_parts(people: Any, votes: Votes, rows: int) -> Iterator[Markup]:
    talk = whom_to_talk_to(people)
    if talk:
        yield element("p", element("strong", "Talk to"))
        yield element("ul", *(element("li", line) for line in talk))
    else:
        yield paragraph("No annotator deviates significantly.")
    drawn = [
        (name, own, usual)
        for name, own, usual in zip(people["annotator"], people["agreement"], people["usual"], strict=True)
        if own == own
    ][:_PEOPLE]
    if drawn:
        of = f"The {len(drawn)} annotators with the largest deviations. " if len(people) > len(drawn) else ""
        of += (
            "Orange: more than 10 percentage points below the usual agreement."
            if any(own < usual - LOW for _, own, usual in drawn)
            else ""
        )
        chart = dots(
            "Agreement with the others",
            drawn,
            across="other votes on the item that agree",
            marks=("annotator", "usual on these items"),
        )
        yield _charts(chart.figure(of))
    shares = [name for name in people.columns if name.startswith("share: ")] if votes.num_classes <= _SHARES else []
    head = ["annotator", "votes", "agreement", "usual", "", *(name.removeprefix("share: ") for name in shares)]
    lines = []
    for at in range(min(len(people), rows)):
        flag = people["flag"][at]
        lines.append(
            (
                people["annotator"][at],
                int(people["votes"][at]),
                _share(people["agreement"][at]),
                _share(people["usual"][at]),
                element("b", flag, class_="flag") if flag else "",
                *(_share(people[name][at]) for name in shares),
            )
        )
    yield table(head, lines)
    more = f"{counted(len(people) - rows, 'more annotator')} not shown. " if len(people) > rows else ""
    also = "The last columns are the shares of the annotator's votes by class. " if shares else ""
    yield paragraph(
        f"{more}{also}Agreement: how often a vote equals that of another annotator on the same item.", "note"
    )


def _share(value: float) -> str:
    return "" if value != value else f"{value:.0%}"


def _next_items(profile: Profile, rows: int, texts: Mapping[str, str] | None) -> Markup:
    if profile.answers is None:
        return Markup()
    try:
        found = next_items(profile.answers, rows, texts=texts)
    except UndefinedError:
        return Markup()
    text = (
        "Items are ranked by how much one more vote is expected to improve the estimated shares, not by disagreement: if an item has many votes "
        "on two classes, annotators disagree but the shares are known. Error: the expected distance of the estimated shares from those of "
        "unlimited votes, now and after one more vote."
    )
    return join((paragraph(text), found.html()))


def _budget(profile: Profile, total: int | None) -> Markup:
    if profile.answers is None:
        return Markup()
    try:
        return join(budget_parts(budget(profile.answers, total)))
    except UndefinedError:
        return Markup()


def budget_parts(plan: Budget) -> list[Markup]:
    """A budget: what to do, its charts and its numbers."""
    said = [paragraph(line) for line in (plan.next_votes, plan.for_targets) if line]
    charts = _charts(
        plan.chart().figure("1 is the smallest error of the score; values above 6 are shown as 6."),
        plan.target_chart().figure(
            "Distance between the vote shares of an item and its full distribution, by the number of votes."
        ),
    )
    head = [
        "error of a score",
        "now",
        "twice the votes per item",
        "twice the items",
        f"best use of {plan.total:,} votes",
    ]
    lines = [
        (
            name,
            *(f"{value:.4f}" for value in values),
            f"{(best := plan.best(name))[0]} on each of {plan.total // best[0]:,} items",
        )
        for name, *values in plan.doubling.records()
    ]
    return [*said, charts, table(head, lines), paragraph(plan.method, "note")]


def _advice(profile: Profile) -> Markup:
    advice = profile.advice
    said = [f"{advice.delivery}: {advice.reason}", f"Does it matter? {advice.matters.capitalize()}. {advice.because}"]
    return join(paragraph(line) for line in (*said, *advice.notes))
