"""Self-contained pages made of sections, and charts. Independent of papers and of how numbers were computed.

Modules are imported on first use, so that the page of a profile needs neither torch nor the chart library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.importing import on_first_use

if TYPE_CHECKING:
    from votewise.reporting.cards import cards_page
    from votewise.reporting.charts import FIGURES, FORMATS, Figure, Looks, model_differences, save_all
    from votewise.reporting.items import Items, choose_items
    from votewise.reporting.page import Page, Section, build, data_uri
    from votewise.reporting.sections import (
        Command,
        chart_specs,
        figure_context,
        figures_section,
        items_section,
        methods_section,
        run_section,
        tables_section,
    )

__all__ = [
    "FIGURES", "FORMATS", "Command", "Figure", "Items", "Looks", "Page", "Section",
    "build", "cards_page", "chart_specs", "choose_items", "data_uri", "figure_context", "figures_section", "items_section", "methods_section", "model_differences", "run_section", "save_all",
    "tables_section",
]  # fmt: skip

_MODULES = ("page", "cards", "charts", "items", "sections")
__getattr__ = on_first_use(__name__, __all__, _MODULES)
