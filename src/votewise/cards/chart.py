"""Small charts as inline SVG, without scripts or libraries, in the text colour of the page around them.

The charts of comparisons and papers are Vega-Lite (`votewise.reporting.charts`), which adds a library of one
megabyte to a page; the base installation has neither that library nor the packages for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from votewise.cards.markup import Markup, element
from votewise.errors import VotewiseError
from votewise.files import format_of, write_atomic

ACCENT = "#1E88A8"  # colour that is readable on white and on black
COLOURS = (ACCENT, "#D9600A", "#7A68D8", "#3E9A63", "#B8860B", "#C2549D")
LOW = 0.1  # a dot this far below its reference is orange
DASHES = (None, "6 3", "2 3", "8 3 2 3", "1 4", "4 2")
WIDTH = 340  # size in units; a phone shows a unit as a pixel
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 40
_FORMATS = (".svg", ".png", ".pdf")

Point = tuple[float, float]


@dataclass(frozen=True, eq=False, repr=False)
class Chart:
    """A chart with its numbers as text. A notebook displays it; `save` writes it as .svg, .png or .pdf."""

    title: str
    alt: str
    svg: Markup

    def __repr__(self) -> str:
        return f"Chart({self.title})"

    def _repr_html_(self) -> str:
        return element("div", self.svg, style="max-width: 30rem")

    def figure(self, caption: str = "", wide: bool = False) -> Markup:
        """The chart below its title and above its caption."""
        return element(
            "figure",
            element("strong", self.title),
            self.svg,
            element("figcaption", caption) if caption else "",
            class_="wide" if wide else None,
        )

    def save(self, path: str | Path) -> Path:
        """Write the chart as .svg, or with votewise[report] as .png or .pdf."""
        path, kind = Path(path), format_of(path, _FORMATS, "chart")
        text = self.svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" ', 1)
        if kind == ".svg":
            content = text.encode()
        else:
            if find_spec("vl_convert") is None:
                raise VotewiseError(f"a chart as {kind} needs vl-convert-python", remedy="install votewise[report]")
            from vl_convert import svg_to_pdf, svg_to_png

            text = text.replace("currentColor", "#1F2328")
            content = svg_to_png(text, scale=3) if kind == ".png" else svg_to_pdf(text)
        write_atomic(path, content)
        return path


def histogram(title: str, names: Sequence[str], counts: Sequence[float], *, across: str) -> Chart:
    """A bar chart of counts of items; `across` is the title of the x axis."""
    frame = Frame(190, (0, len(counts)), (0, max([*counts, 1])))
    bars = [
        _tip(
            _box(frame.x(at + 0.08), frame.y(value), frame.x(at + 0.92), frame.y(0), fill=ACCENT),
            f"{name}: {value:,.0f} items",
        )
        for at, (name, value) in enumerate(zip(names, counts, strict=True))
    ]
    every = max(1, math.ceil(sum(len(name) + 1.5 for name in names) * 6.2 / (WIDTH - _LEFT - _RIGHT)))
    labels = [
        _words(frame.x(at + 0.5), frame.bottom + 14, name, anchor="middle")
        for at, name in enumerate(names)
        if at % every == 0
    ]
    said = ", ".join(f"{name}: {value:,.0f}" for name, value in zip(names, counts, strict=True))
    return frame.chart(
        title, f"{across}: {said}", [*frame.rules(), *bars, *labels, frame.across(across), frame.up("items")]
    )


def matrix(title: str, names: Sequence[str], share: Sequence[Sequence[float]], *, down: str, across: str) -> Chart:
    """A square heat map of shares [C][C], darker for larger shares; the diagonal is pale so that the other cells stand out."""
    size, count = WIDTH, len(names)
    longest = max(map(len, names))
    left, top = min(124, 14 + 6.4 * longest), min(92, 14 + 5 * longest)
    cell = (size - left - 0.6 * top) / count
    largest = max([share[i][j] for i in range(count) for j in range(count) if i != j] + [1e-9])
    parts: list[Markup] = []
    for i in range(count):
        y = top + i * cell
        parts.append(_words(left - 5, y + cell / 2 + 4, _cut(names[i], left - 8), anchor="end"))
        x = left + (i + 0.5) * cell
        turn = f"rotate(-50 {x:.1f} {top - 5:.1f})"
        parts.append(
            _words(x, top - 5, _cut(names[i], min(top / 0.77, (size - x) / 0.64)), anchor="start", transform=turn)
        )
        for j in range(count):
            value = share[i][j]
            dark = 0.06 if i == j else 0.04 + 0.96 * value / largest
            box = _box(left + j * cell + 0.5, y + 0.5, left + (j + 1) * cell - 0.5, y + cell - 0.5)
            fill = "currentColor" if i == j else ACCENT
            shown = [element("g", box, fill=fill, fill_opacity=round(dark, 3))]
            if cell >= 22:
                colour = "#fff" if dark > 0.62 else "currentColor"
                number = _words(
                    left + (j + 0.5) * cell, y + cell / 2 + 4, f"{100 * value:.0f}", anchor="middle", fill=colour
                )
                shown.append(number)
            tip = f"{names[i]} and {names[j]}: {100 * value:.1f} %"
            parts.append(element("g", element("title", tip), *shown))
    height = top + count * cell + 20
    parts.append(_words(left, height - 5, f"rows: {down}; columns: {across} (%)", opacity=0.8))
    pairs = sorted(((share[i][j], i, j) for i in range(count) for j in range(count) if i != j), reverse=True)[:6]
    said = "; ".join(f"{names[i]} and {names[j]} {100 * value:.1f} %" for value, i, j in pairs)
    return Chart(title, said, _svg(size, height, title, said, parts))


def dots(title: str, rows: Sequence[tuple[str, float, float]], *, across: str, marks: tuple[str, str]) -> Chart:
    """A lane per name with a dot at its value, in orange if it is lower than its reference by `LOW`, and a tick at the reference."""
    left, step = min(130, 14 + 6.2 * max(len(name) for name, *_ in rows)), 18
    values = [value for _, *pair in rows for value in pair if math.isfinite(value)]
    low = min([*values, 0.99])  # so that the axis is never empty
    frame = Frame(30 + step * len(rows) + _BOTTOM, (math.floor(low * 10) / 10, 1.0), (0, 1), left=left)
    parts = [*frame.ticks_across(lambda value: f"{100 * value:.0f} %")]
    for at, (name, value, usual) in enumerate(rows):
        y = 22 + step * (at + 0.5)
        tip = f"{name}: {100 * value:.1f} % ({marks[0]}), {100 * usual:.1f} % ({marks[1]})"
        lane = [_words(left - 6, y + 4, _cut(name, left - 8), anchor="end")]
        lane.append(_line(left, y, frame.right, y, opacity=0.15))
        if math.isfinite(usual):
            lane.append(_line(frame.x(usual), y - 6, frame.x(usual), y + 6, stroke_width=2))
        if math.isfinite(value):
            lane.append(
                element(
                    "circle", cx=_r(frame.x(value)), cy=_r(y), r=4.5, fill=COLOURS[1] if value < usual - LOW else ACCENT
                )
            )
        parts.append(_tip(element("g", *lane), tip))
    key = element("g", element("circle", cx=left + 5, cy=10, r=4.5, fill=ACCENT), _words(left + 14, 14, marks[0]))
    parts += [key, _line(left + 26 + 6.2 * len(marks[0]), 4, left + 26 + 6.2 * len(marks[0]), 16, stroke_width=2)]
    parts += [_words(left + 33 + 6.2 * len(marks[0]), 14, marks[1]), frame.across(across)]
    said = "; ".join(f"{name} {100 * value:.1f} % ({100 * usual:.1f} %)" for name, value, usual in rows)
    return frame.chart(title, f"{across}: {said}", parts)


def curves(
    title: str,
    lines: Mapping[str, Sequence[Point]],
    *,
    across: str,
    up: str,
    log: bool = False,
    diagonal: bool = False,
    at: tuple[float, str] | None = None,
    below: Sequence[Point] = (),
) -> Chart:
    """Lines by name.

    Args:
        title: title of the chart.
        lines: points (x, y) by name.
        across: title of the x axis.
        up: title of the y axis.
        log: whether x is logarithmic, with a tick at each x that occurs.
        diagonal: whether y goes from 0 to 1, with the line y = x and without points; otherwise it goes from 0 to the largest value.
        at: a value of x and the word to mark it with.
        below: points of an area above the x axis.
    """
    xs = sorted({x for points in lines.values() for x, _ in points})
    ys = [y for points in lines.values() for _, y in points]
    rows = math.ceil(len(lines) / 2) if len(lines) > 1 else 0
    span = (xs[0], xs[-1] if xs[-1] > xs[0] else xs[0] + 1)
    frame = Frame(
        200 + 16 * rows,
        span,
        (0, 1 if diagonal else max([*ys, 1e-9])),
        log=log,
        top=_TOP + 16 * (rows + 1) + (10 if at else 0),
    )
    parts = frame.rules()
    parts += frame.ticks_across(lambda value: f"{value:g}", [x for x in xs if x >= 1] if log else None)
    if below:
        edge = [(below[0][0], 0.0), *below, (below[-1][0], 0.0)]
        path = " ".join(f"{_r(frame.x(x))},{_r(frame.y(y))}" for x, y in edge)
        parts.append(element("polygon", points=path, fill=ACCENT, fill_opacity=0.25))
    if diagonal:
        parts.append(
            _line(
                frame.x(span[0]),
                frame.y(span[0]),
                frame.x(span[1]),
                frame.y(span[1]),
                stroke_dasharray="3 3",
                opacity=0.6,
            )
        )
    if at is not None:
        x = frame.x(min(max(at[0], span[0]), span[1]))
        anchor = "start" if x < WIDTH / 2 else "end"
        parts += [_line(x, frame.top, x, frame.bottom, opacity=0.5), _words(x, frame.top - 3, at[1], anchor=anchor)]
    for place, (name, points) in enumerate(lines.items()):
        look = {"stroke": COLOURS[place % len(COLOURS)], "stroke_dasharray": DASHES[place % len(DASHES)]}
        path = " ".join(f"{_r(frame.x(x))},{_r(frame.y(y))}" for x, y in points)
        parts.append(element("polyline", points=path, fill="none", stroke_width=2, **look))
        for x, y in () if diagonal else points:
            dot = element("circle", cx=_r(frame.x(x)), cy=_r(frame.y(y)), r=3.2, fill=COLOURS[place % len(COLOURS)])
            parts.append(_tip(dot, f"{name}: {y:.4g} at {x:g}"))
        if rows:
            column, line = place % 2, place // 2
            x0, y0 = _LEFT + column * (WIDTH - _LEFT) / 2, 10 + 16 * line
            parts += [_line(x0, y0 - 4, x0 + 20, y0 - 4, stroke_width=2, **look), _words(x0 + 25, y0, _cut(name, 125))]
    said = "; ".join(
        f"{name}: "
        + ", ".join(f"{y:.3g} at {x:g}" for x, y in (points if len(points) < 12 else points[:: len(points) // 8]))
        for name, points in lines.items()
    )
    return frame.chart(title, said, [*parts, frame.across(across), frame.up(up)])


class Frame:
    """The coordinate system of a chart: maps numbers to units and draws the axes."""

    def __init__(
        self, height: float, across: Point, up: Point, *, log: bool = False, left: float = _LEFT, top: float = _TOP + 10
    ) -> None:
        self.height, self.left, self.right, self.top, self.bottom = height, left, WIDTH - _RIGHT, top, height - _BOTTOM
        self.span, self.rise, self.log = across, up, log

    def x(self, value: float) -> float:
        """The position of a number on the x axis."""
        low, high = (math.log(end) for end in self.span) if self.log else self.span
        value = math.log(value) if self.log else value
        return self.left + (self.right - self.left) * (value - low) / (high - low)

    def y(self, value: float) -> float:
        """The position of a number on the y axis."""
        low, high = self.rise
        return self.bottom - (self.bottom - self.top) * (value - low) / (high - low)

    def rules(self) -> list[Markup]:
        """Thin lines at round numbers of the y axis, with the numbers."""
        parts = []
        for value in _round_numbers(*self.rise):
            y = self.y(value)
            parts.append(_line(self.left, y, self.right, y, opacity=0.18 if value else 0.6))
            parts.append(_words(self.left - 5, y + 4, f"{value:,g}", anchor="end"))
        return parts

    def ticks_across(self, text: Callable[[float], str], values: Sequence[float] | None = None) -> list[Markup]:
        """Numbers along the x axis: round numbers, or as many of the given numbers as fit."""
        parts, free = [_line(self.left, self.bottom, self.right, self.bottom, opacity=0.6)], -1.0
        for value in _round_numbers(*self.span) if values is None else values:
            x, shown = self.x(value), text(value)
            x = min(x, WIDTH - 2 - 3.3 * len(shown))  # the last label must not extend beyond the chart
            if x - 3.2 * len(shown) > free:
                parts.append(_words(x, self.bottom + 14, shown, anchor="middle"))
                free = x + 3.2 * len(shown) + 3
        return parts

    def across(self, title: str) -> Markup:
        """The title of the x axis."""
        return _words((self.left + self.right) / 2, self.height - 6, title, anchor="middle", opacity=0.85)

    def up(self, title: str) -> Markup:
        """The title of the y axis, above it."""
        return _words(4, self.top - 8, title, opacity=0.85)

    def chart(self, title: str, alt: str, parts: Sequence[Markup]) -> Chart:
        """The finished chart."""
        return Chart(title, alt, _svg(WIDTH, self.height, title, alt, parts))


def _svg(width: float, height: float, title: str, alt: str, parts: Sequence[Markup]) -> Markup:
    box = f"0 0 {width:.0f} {height:.0f}"
    return element(
        "svg",
        *parts,
        viewBox=box,
        width=width,
        role="img",
        aria_label=f"{title}. {alt}",
        fill="currentColor",
        font_size=11,
    )


def _round_numbers(low: float, high: float, count: int = 4) -> list[float]:
    """Round numbers from low to high.

    >>> _round_numbers(0, 95)
    [0, 20, 40, 60, 80]
    """
    rough = (high - low) / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.8)
    first = math.ceil(low / step - 1e-9)
    return [round(step * place, 12) for place in range(first, math.floor(high / step + 1e-9) + 1)]


def _tip(part: Markup, text: str) -> Markup:
    return element("g", element("title", text), part)


def _box(left: float, top: float, right: float, bottom: float, **look: str | float) -> Markup:
    return element("rect", x=_r(left), y=_r(top), width=_r(right - left), height=_r(max(bottom - top, 0)), **look)


def _line(x1: float, y1: float, x2: float, y2: float, **look: str | float | None) -> Markup:
    look = {"stroke": "currentColor", **look}
    return element("line", x1=_r(x1), y1=_r(y1), x2=_r(x2), y2=_r(y2), **look)


def _words(x: float, y: float, text: str, anchor: str = "start", **look: str | float) -> Markup:
    return element("text", text, x=_r(x), y=_r(y), text_anchor=anchor, **look)


def _cut(name: str, room: float) -> str:
    most = max(3, int(room / 6.9))
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _r(value: float) -> float:
    return round(value, 1)
