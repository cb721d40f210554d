"""A profile on a page: the same lines as plain text and, with colour, through rich."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from votewise.profile.pen import Line, Pen
from votewise.profile.profile import Agreement, Contested, Disagreement, Profile, VotesPerItem

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult

    from votewise.profile.advice import Advice
    from votewise.profile.few_votes import FewVotes

_WIDTH = 80
_CLASSES = 12  # all of them are shown up to here, and the largest of them beyond
_DISTANCES = ("js_distance", "total_variation", "wasserstein")
_BIASES = ("soft_nll", "kl", "soft_brier", "accuracy", "entropy_correlation")
_KEPT = ("now", "5", "10", "50", "3", "25", "100")  # columns, those first that a narrow page keeps longest


def plain(profile: Profile) -> str:
    """The page as text of 80 columns, in ASCII where standard output cannot encode more."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    pen = Pen(_WIDTH, ascii=not encoding.lower().startswith("utf"))
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines(profile, pen))


class Page:
    """A rich renderable of a profile."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        pen = Pen(max(40, min(options.max_width, 100)), ascii=options.ascii_only)
        for line in lines(self.profile, pen):  # Text, not markup: a class named [red] stays a class named [red]
            text = Text.assemble(*line, no_wrap=True, overflow="crop", end="\n")
            text.rstrip()
            yield text


def lines(profile: Profile, pen: Pen) -> list[Line]:
    """All lines of the page, as spans of text with their style."""
    page = [_head(profile, pen)]
    if profile.votes_per_item is not None:
        page.append(_votes_per_item(profile.votes_per_item, pen))
    page.append(_classes(profile, pen))
    if profile.agreement is not None:
        page.append(_agreement(profile.agreement, pen))
    page.append(_entropy(profile.disagreement, profile.items - profile.unvoted, pen))
    if profile.hardest:
        page.append(_hardest(profile.hardest, pen))
    if profile.few_votes is not None:
        page.append(_few_votes(profile.few_votes, pen))
    page.append(_advice(profile.advice, pen))
    return [line for section in page for line in (*section, ())][:-1]


def _title(text: str, note: str, pen: Pen) -> list[Line]:
    if len(text) + 2 + len(note) <= pen.width:
        return [((text, "bold"), (f"  {note}", "dim"))]
    return [((text, "bold"),), *pen.prose(note, "dim")]


def _head(profile: Profile, pen: Pen) -> list[Line]:
    parts = [_number(profile.items, "item")]
    if profile.votes is not None:
        parts.append(_number(profile.votes, "vote"))
    parts.append(_number(len(profile.class_share), "class", "classes") + (", ordered" * (profile.scale == "ordinal")))
    if profile.annotators is not None:
        parts.append(_number(profile.annotators, "annotator"))
    if profile.weighted:
        parts.append("weighted")
    if profile.unvoted:
        parts.append(f"{profile.unvoted:,} without votes")
    whole = (part.replace(" ", "\0") for part in parts)  # so that a line breaks between facts, not inside one
    head = pen.prose(("  |  " if pen.ascii else "  ·  ").join(whole), "bold", "", "")
    return [tuple((text.replace("\0", " "), style) for text, style in line) for line in head]


def _votes_per_item(spread: VotesPerItem, pen: Pen) -> list[Line]:
    if spread.least == spread.most:
        return _title("Votes per item", f"{spread.most:,} on each", pen)
    title = _title("Votes per item", f"{spread.least:,} to {spread.most:,}, median {spread.median:,g}", pen)
    edge, count = spread.histogram.edge, spread.histogram.count
    spans = [(low + 0.5, min(high - 0.5, spread.most)) for low, high in pairwise(edge)]
    names = [f"{low:,.0f}" if low == high else f"{low:,.0f} to {high:,.0f}" for low, high in spans]
    return [*title, *_counted(names, count, pen)]


def _counted(names: list[str], count: tuple[int, ...], pen: Pen) -> list[Line]:
    wide = max(map(len, names))
    return pen.bars((f"{name:>{wide}}", number, f"{number:,}") for name, number in zip(names, count, strict=True))


def _classes(profile: Profile, pen: Pen) -> list[Line]:
    share = list(profile.class_share.items())
    what = (
        "votes" if profile.kind == "votes" and not profile.weighted else "weight" if profile.weighted else "probability"
    )
    never = sum(part == 0 for _, part in share)
    notes = [f"share of the {what}"]
    shown = share
    if len(share) > _CLASSES:
        shown = sorted(share, key=lambda entry: -entry[1])[: _CLASSES - 2]
        notes.append(f"the {len(shown)} largest of {len(share):,}, {_percent(sum(part for _, part in shown))} together")
    if never:
        notes.append(f"{never:,} never chosen")
    bars = pen.bars((pen.safe(name), part, _percent(part)) for name, part in shown)
    return [*_title("Classes", "; ".join(notes), pen), *bars]


def _agreement(found: Agreement, pen: Pen) -> list[Line]:
    rows = [(f"Krippendorff's alpha, {level}", _decimal(value)) for level, value in found.alpha.items()]
    rows.append(("pairs of votes on one item that agree", _percent(found.pairwise)))
    page: list[Line] = [(("Agreement", "bold"),), *(_fact(name, value) for name, value in rows)]
    if found.deviant:
        page += pen.prose("least in line with the others, beside what is usual on the same items", "dim")
    for person in found.deviant:
        note = f"usual {_percent(person.usual)}, {person.votes:,} votes"
        name = pen.cell(pen.safe(person.name), min(36, pen.width - 14 - len(note)))
        page.append(((f"    {name}{_percent(person.agreement):>8}", ""), (f"  {note}", "dim")))
    return page


def _fact(name: str, value: str, note: str = "") -> Line:
    return (f"  {name:<38}{value:>8}", ""), (f"  {note}", "dim")


def _entropy(found: Disagreement, items: int, pen: Pen) -> list[Line]:
    page = [
        *_title("Disagreement", f"entropy of an item in nats, 0 to {found.largest_possible:.3f}", pen),
        _fact("mean entropy", _decimal(found.mean_entropy)),
        _fact("unanimous items", f"{found.unanimous:,}", _percent(found.unanimous / items)),
        _fact("items whose majority is tied", f"{found.tied:,}", _percent(found.tied / items)),
    ]
    if found.unanimous < items:
        edge, count = found.histogram.edge, found.histogram.count
        names = ["unanimous", *(f"up to {high:.2f}" for high in edge[1:])]
        page += [(), *_counted(names, (found.unanimous, *count), pen)]
    return page


def _hardest(items: tuple[Contested, ...], pen: Pen) -> list[Line]:
    from rich.cells import cell_len

    ids = [pen.safe(item.item) for item in items]
    wide = min(max(map(cell_len, ids)), pen.width // 3)
    page = _title("Most disagreement", "item, entropy, answers", pen)
    for name, item in zip(ids, items, strict=True):
        start = f"  {pen.cell(name, wide)}  {item.entropy:.3f}  "
        page.append(((start, ""), (_answers(item, pen.width - wide - 11, pen), "cyan")))
    return page


def _answers(item: Contested, room: int, pen: Pen) -> str:
    """As many answers as fit, and how many more there are."""
    from rich.cells import cell_len

    every = [
        f"{pen.safe(name)}: {number if isinstance(number, int) else f'{number:.2f}'}"
        for name, number in item.answers.items()
    ]
    for kept in range(len(every), 0, -1):
        left = len(every) - kept
        text = ", ".join(every[:kept]) + (f" and {left:,} more" if left else "")
        if cell_len(text) <= room:
            return text
    return pen.cell(every[0], room)


def _few_votes(found: FewVotes, pen: Pen) -> list[Line]:
    cases = {f"{case.votes:g}": case for case in found.at}
    if found.now is not None:
        cases.pop(f"{found.now.votes:g}", None)
        cases = {"now": found.now} | cases
    kept = [name for name in _KEPT if name in cases][: (pen.width - 24) // 8]
    columns = [name for name in cases if name in kept]

    def table(title: str, scores: tuple[str, ...], signed: bool) -> Iterator[Line]:
        yield from pen.prose(title, "dim")
        for score in scores:
            if any(score in case.bias for case in found.at):
                values = (_decimal(cases[name].bias.get(score, float("nan")), signed) for name in columns)
                yield ((f"    {score:<20}" + "".join(f"{value:>8}" for value in values), ""),)

    return [
        *_title("Few votes", "targets of K votes per item against the full distribution", pen),
        ((f"    {'K':<20}" + "".join(f"{name:>8}" for name in columns), "bold"),),
        *table("expected distance of a target", _DISTANCES, False),
        *table("bias of a score, for a model that knows the full distribution", _BIASES, True),
        *pen.prose(found.method, "dim"),
    ]


def _advice(advice: Advice, pen: Pen) -> list[Line]:
    page: list[Line] = [(("Advice", "bold"), (f"  {advice.delivery}", "bold cyan"))]
    said = [("why", advice.reason), ("matters", f"{advice.matters.capitalize()}. {advice.because}")]
    for name, text in said + [("also", note) for note in advice.notes]:
        page += pen.prose(text, first=f"  {name:<9}", rest=" " * 11)
    return page


def _number(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _percent(share: float) -> str:
    """One decimal; what is not all or nothing does not look like it."""
    if share != share:
        return "-"
    return "<0.1 %" if 0 < share < 0.0005 else ">99.9 %" if 0.9995 < share < 1 else f"{100 * share:.1f} %"


def _decimal(value: float, signed: bool = False) -> str:
    """Three digits; minus zero and NaN do not look like numbers that were meant."""
    if value != value:
        return "-"
    if value == 0 or abs(value) >= 1000:
        return f"{value:.4g}"
    return f"{value:+.3f}" if signed else f"{value:.3f}"
