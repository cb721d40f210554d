"""A profile as a page for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from votewise.terminal import Canvas, Page, Row
from votewise.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from votewise.profile.advice import Advice
    from votewise.profile.few_votes import FewVotes
    from votewise.profile.profile import Agreement, Contested, Disagreement, Profile, VotesPerItem

_CLASSES = 12  # show all classes up to this number, otherwise the largest ones
_DISTANCES = ("js_distance", "total_variation", "wasserstein")
_BIASES = ("soft_nll", "kl", "soft_brier", "accuracy", "entropy_correlation")
_KEPT = ("now", "5", "10", "50", "3", "25", "100")  # columns, in the order in which a narrow page keeps them

Parts = Iterator["RenderableType"]


def page(profile: Profile) -> Page:
    """A rich renderable of a profile."""
    return Page(partial(_parts, profile))


def _parts(profile: Profile, canvas: Canvas) -> Parts:
    yield from canvas.joined(facts(profile))
    if profile.votes_per_item is not None:
        yield from ("", *_votes_per_item(profile.votes_per_item, canvas))
    yield from ("", *_classes(profile, canvas))
    if profile.agreement is not None:
        yield from ("", *_agreement(profile.agreement, canvas))
    yield from ("", *_entropy(profile.disagreement, profile.items - profile.unvoted, canvas))
    if profile.hardest:
        yield from ("", *_hardest(profile.hardest, canvas))
    if profile.few_votes is not None:
        yield from ("", *_few_votes(profile.few_votes, canvas))
    yield from ("", *_advice(profile.advice, canvas))


def facts(profile: Profile) -> list[str]:
    """The size of the data."""
    found = [counted(profile.items, "item")]
    found.append("probabilities, not votes" if profile.votes is None else counted(profile.votes, "vote"))
    found.append(counted(len(profile.class_share), "class") + (", ordered" * (profile.scale == "ordinal")))
    if profile.annotators is not None:
        found.append(counted(profile.annotators, "annotator"))
    if profile.weighted:
        found.append("weighted")
    if profile.unvoted:
        found.append(f"{profile.unvoted:,} without votes")
    return found


def _votes_per_item(spread: VotesPerItem, canvas: Canvas) -> Parts:
    if spread.least == spread.most:
        yield from canvas.title("Votes per item", f"{spread.most:,} on each")
        return
    yield from canvas.title("Votes per item", f"{spread.least:,} to {spread.most:,}, median {spread.median:,g}")
    spans = [(low + 0.5, min(high - 0.5, spread.most)) for low, high in pairwise(spread.histogram.edge)]
    names = [f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}" for low, high in spans]
    yield from _histogram(names, spread.histogram.count, canvas)


def _histogram(names: Sequence[str], count: Sequence[int], canvas: Canvas) -> Parts:
    rows = [(name, float(number), f"{number:,}") for name, number in zip(names, count, strict=True)]
    yield from canvas.bars(rows, right=True)


def _classes(profile: Profile, canvas: Canvas) -> Parts:
    share = list(profile.class_share.items())
    what = "weight" if profile.weighted else "votes" if profile.kind == "votes" else "probability"
    never = sum(part == 0 for _, part in share)
    notes = [f"share of the {what}"]
    shown = share
    if len(share) > _CLASSES:
        shown = sorted(share, key=lambda entry: -entry[1])[: _CLASSES - 2]
        notes.append(f"the {len(shown)} largest of {len(share):,}, {_percent(sum(part for _, part in shown))} together")
    if never:
        notes.append(f"{never:,} never chosen")
    yield from canvas.title("Classes", "; ".join(notes))
    yield from canvas.bars([(name, part, _percent(part)) for name, part in shown])


def _agreement(agreement: Agreement, canvas: Canvas) -> Parts:
    yield from canvas.title("Agreement")
    rows = [(f"Krippendorff's alpha, {level}", _decimal(value)) for level, value in agreement.alpha.items()]
    yield from _facts([*rows, ("pairs of votes on one item that agree", _percent(agreement.pairwise))], canvas)
    if agreement.deviant:
        yield from canvas.note(
            "lowest agreement with the others, with the usual agreement on the same items", "dim", "  "
        )
        names = [canvas.fit(annotator.name, min(34, canvas.width - 42)) for annotator in agreement.deviant]
        deviants = [
            (
                name,
                _percent(annotator.agreement),
                f"usual {_percent(annotator.usual)}, {annotator.shared:,} shared votes",
            )
            for name, annotator in zip(names, agreement.deviant, strict=True)
        ]
        yield from canvas.table(deviants, (1,), indent=4, styles=("", "", "dim"))


def _facts(rows: Sequence[Row], canvas: Canvas) -> Parts:
    yield from canvas.table(
        [(f"{name:<37}", f"{value:>7}", *note) for name, value, *note in rows], (1,), styles=("", "", "dim")
    )


def _entropy(disagreement: Disagreement, items: int, canvas: Canvas) -> Parts:
    yield from canvas.title("Disagreement", f"entropy of an item in nats, 0 to {disagreement.largest_possible:.3f}")
    unanimous, tied = disagreement.unanimous, disagreement.tied
    rows = [
        ("mean entropy", _decimal(disagreement.mean_entropy), ""),
        ("unanimous items", f"{unanimous:,}", _percent(unanimous / items)),
        ("items whose majority is tied", f"{tied:,}", _percent(tied / items)),
    ]
    yield from _facts(rows, canvas)
    if unanimous < items:
        names = ["unanimous", *(f"up to {high:.2f}" for high in disagreement.histogram.edge[1:])]
        yield ""
        yield from _histogram(names, (unanimous, *disagreement.histogram.count), canvas)


def _hardest(items: Sequence[Contested], canvas: Canvas) -> Parts:
    from rich.cells import cell_len

    wide = min(max(cell_len(canvas.safe(item.item)) for item in items), canvas.width // 3)
    yield from canvas.title("Most disagreement", "item, entropy, answers")
    rows = [
        (canvas.fit(item.item, wide), f"{item.entropy:.3f}", _answers(item, canvas.width - wide - 11, canvas))
        for item in items
    ]
    yield from canvas.table(rows, styles=("", "", "cyan"))


def _answers(item: Contested, room: int, canvas: Canvas) -> str:
    """As many answers as fit, and the number of further answers."""
    from rich.cells import cell_len

    every = [
        f"{canvas.safe(name)}: {number if isinstance(number, int) else f'{number:.2f}'}"
        for name, number in item.answers.items()
    ]
    for kept in range(len(every), 0, -1):
        left = len(every) - kept
        text = ", ".join(every[:kept]) + (f" and {left:,} more" if left else "")
        if cell_len(text) <= room:
            return text
    return canvas.fit(every[0], room)


def _few_votes(few: FewVotes, canvas: Canvas) -> Parts:
    cases = {f"{case.votes:g}": case for case in few.at}
    if few.now is not None:
        cases.pop(f"{few.now.votes:g}", None)
        cases = {"now": few.now} | cases
    kept = [name for name in _KEPT if name in cases][: (canvas.width - 24) // 8]
    shown = {name: case for name, case in cases.items() if name in kept}

    def row(name: str, numbers: Iterator[str] | Sequence[str]) -> Row:
        return (f"{name:<20}", *(f"{number:>6}" for number in numbers))

    def biases(scores: Sequence[str], signed: bool) -> Parts:
        defined = [score for score in scores if any(score in case.bias for case in few.at)]
        rows = [
            row(score, [_decimal(case.bias.get(score, float("nan")), signed) for case in shown.values()])
            for score in defined
        ]
        yield from canvas.table(rows, indent=4)

    yield from canvas.title("Few votes", "targets of K votes per item against the full distribution")
    yield from canvas.table([row("K", list(shown))], indent=4, styles=("bold",) * 9)
    yield from canvas.note("expected distance of a target", "dim", "  ")
    yield from biases(_DISTANCES, False)
    yield from canvas.note("bias of a score, for a model that knows the full distribution", "dim", "  ")
    yield from biases(_BIASES, True)
    yield from canvas.note(few.method, "dim", "  ")


def _advice(advice: Advice, canvas: Canvas) -> Parts:
    yield from canvas.title("Advice", advice.delivery, "bold cyan")
    reasons = [("why", advice.reason), ("matters", f"{advice.matters.capitalize()}. {advice.because}")]
    yield from canvas.table([*reasons, *(("also", note) for note in advice.notes)], wrap=True)


def _percent(share: float) -> str:
    """One decimal; values other than 0 and 1 are not shown as 0 % or 100 %."""
    if share != share:
        return "-"
    return "<0.1 %" if 0 < share < 0.0005 else ">99.9 %" if 0.9995 < share < 1 else f"{100 * share:.1f} %"


def _decimal(value: float, signed: bool = False) -> str:
    """Three digits, without minus zero and NaN."""
    if value != value:
        return "-"
    if value == 0 or abs(value) >= 1000:
        return f"{value:.4g}"
    return f"{value:+.3f}" if signed else f"{value:.3f}"
