"""Displays of objects in a notebook: HTML with escaped content, charts as inline SVG, and tables of columns."""

from votewise.cards.chart import LOW, Chart, curves, dots, histogram, matrix
from votewise.cards.frame import STYLE, card, paragraph, table
from votewise.cards.markup import Markup, element, join
from votewise.cards.rows import Rows, stacked

__all__ = [
    "LOW", "STYLE", "Chart", "Markup", "Rows", "card", "curves", "dots", "element", "histogram", "join", "matrix", "paragraph", "stacked",
    "table",
]  # fmt: skip
