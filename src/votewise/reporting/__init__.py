"""One self-contained page made of sections, and charts. Knows no paper and nothing of how numbers were computed."""

from votewise.reporting.build import build
from votewise.reporting.charts import FIGURES, FORMATS, Figure, Looks
from votewise.reporting.embedding import data_uri
from votewise.reporting.explorer import Items, items
from votewise.reporting.files import save_all
from votewise.reporting.held_out import HeldOut, held_out_predictions
from votewise.reporting.section import Page, Section
from votewise.reporting.sections import (
    Command,
    figures_section,
    items_section,
    methods_section,
    run_section,
    tables_section,
)

__all__ = [
    "FIGURES", "FORMATS", "Command", "Figure", "HeldOut", "Items", "Looks", "Page", "Section",
    "build", "data_uri", "figures_section", "held_out_predictions", "items", "items_section", "methods_section", "run_section", "save_all",
    "tables_section",
]  # fmt: skip
