"""One self-contained page made of sections, and charts. Knows no paper and nothing of how numbers were computed."""

from votewise.reporting.charts import FIGURES, FORMATS, Figure, Looks, save_all
from votewise.reporting.items import Items, choose_items
from votewise.reporting.page import Page, Section, build, data_uri
from votewise.reporting.sections import (
    Command,
    figures_section,
    items_section,
    methods_section,
    run_section,
    tables_section,
)

__all__ = [
    "FIGURES", "FORMATS", "Command", "Figure", "Items", "Looks", "Page", "Section",
    "build", "choose_items", "data_uri", "figures_section", "items_section", "methods_section", "run_section", "save_all",
    "tables_section",
]  # fmt: skip
