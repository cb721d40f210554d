"""Fonts, grid and neutral colours of every chart, for a light and for a dark page."""

from __future__ import annotations

from typing import Any

FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
INK = {False: "#1F2328", True: "#E6EDF3"}  # by `dark`
MUTED = {False: "#59636E", True: "#A9B4C0"}
PAPER = {False: "#FFFFFF", True: "#14171C"}
GRID = {False: "#E1E5EA", True: "#333A44"}

ON_PAGE = {
    INK[False]: "var(--ink)",
    MUTED[False]: "var(--quiet)",
    GRID[False]: "var(--line)",
    PAPER[False]: "var(--paper)",
}


def theme(dark: bool = False) -> dict[str, Any]:
    """The `config` of a Vega-Lite specification, without the colours of methods, which are the same on light and dark pages.

    Marks with the styles "ink", "muted" and "zero" use neutral colours that follow the page.
    """
    ink, muted, grid = INK[dark], MUTED[dark], GRID[dark]
    return {
        "background": "transparent", "font": FONT, "padding": 4, "view": {"stroke": None},
        "axis": {
            "labelColor": muted, "titleColor": ink, "titleFontWeight": "normal", "labelFontSize": 12, "titleFontSize": 12, "titlePadding": 6,
            "domainColor": muted, "tickColor": muted, "gridColor": grid, "labelOverlap": "greedy", "labelSeparation": 6,
        },
        "axisX": {"grid": False, "labelAngle": 0, "labelFlush": False},
        "axisXQuantitative": {"tickCount": 5, "labelOverlap": "parity"},
        "axisY": {"domain": False, "ticks": False, "tickCount": 5, "minExtent": 34},
        "legend": {
            "labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12, "labelLimit": 260, "symbolSize": 90,
            "symbolStrokeWidth": 2, "symbolOpacity": 1, "columnPadding": 16,
        },
        "title": {"color": ink, "fontSize": 12, "fontWeight": "bold", "anchor": "start", "frame": "group", "offset": 6},
        "concat": {"spacing": 18},
        "text": {"fontSize": 12, "color": ink},
        "style": {
            "ink": {"color": ink, "stroke": ink}, "muted": {"color": muted, "stroke": muted},
            "words": {"color": muted, "fill": muted, "fontSize": 11},
            "halo": {"fill": PAPER[dark], "stroke": PAPER[dark], "strokeWidth": 4, "strokeJoin": "round", "fontSize": 11},
            "zero": {"color": muted, "stroke": muted, "strokeWidth": 1, "strokeDash": [2, 2]},
        },
    }  # fmt: skip
