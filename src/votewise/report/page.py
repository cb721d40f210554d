"""The page: one file with everything in it, out of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from votewise.errors import VotewiseError
from votewise.evidence.methods import look
from votewise.report import verdicts
from votewise.report.answer import answer
from votewise.report.embedding import as_json, chart_library, data_uri, policy
from votewise.report.explorer import Items
from votewise.report.remedy import remedy
from votewise.report.run_facts import caution, lead, missing_runs, run_facts, title
from votewise.report.sprite import Sprite, sprite

if TYPE_CHECKING:
    from votewise.evidence.claims.deciding import Decision
    from votewise.evidence.figures import Figure
    from votewise.evidence.results import Results
    from votewise.evidence.tables import Table


def page(
    results: Results,
    decisions: Sequence[Decision],
    tables: Sequence[Table],
    figures: Sequence[Figure],
    items: Items | None = None,
    *,
    no_items: str = "There are no items to show.",
    warning: str = "",
) -> str:
    """The HTML of the report.

    no_items  why there are none, where there are none
    warning   what a reader must know of the data before any number
    """
    from votewise.evidence.tables.comparison import side_by_side

    methods, beyond = side_by_side(results), list[str]()
    if results.own:  # the comparison comes first, what the papers have after it, and what they have beyond it in a line
        beyond = [f"Table {table.number} ({table.title})" for table in tables if table.missing]
        beyond += [
            f"Figure {each.number} ({each.title})" for each in figures if each.missing and each.number in range(13)
        ]
        tables = [table for table in tables if not table.missing]
        figures = [figure for figure in figures if not figure.missing]
    specs = {str(figure.number): figure_spec(figure) for figure in figures if figure.chart is not None}
    scripts = [*_charts(), _file("statements.js"), _file("explorer.js")]
    sheet = None if items is None or (pictures := items.pictures()) is None else sprite(pictures)
    return str(
        _template().render(
            policy=policy(scripts),
            scripts=scripts,
            style=_file("style.css"),
            sprite=sheet,
            title=title(results),
            own=results.own,
            titles=_titles(results.own, bool(tables), bool(figures)),
            lead=lead(results),
            cautions=[text for text in (warning, caution(results)) if text],
            methods=_table(methods, results),
            answer=answer(methods, results),
            run=run_facts(results, None if items is None else items.dataset),
            missing=missing_runs(results, decisions),
            tiles=verdicts.tiles(decisions),
            claims=verdicts.statements(decisions, ["claim"]),
            others=verdicts.statements(decisions, ["procedure", "guard"]),
            sections=verdicts.titles(decisions),
            claims_csv=data_uri(verdicts.as_csv(decisions)),
            arithmetic=verdicts.arithmetic(decisions),
            limitations=verdicts.limitations(decisions),
            tables=[_table(table, results) for table in tables],
            figures=figures,
            beyond=beyond,
            lacking={figure.number: remedy(figure.missing, results) for figure in figures if figure.missing},
            figures_data=as_json(specs),
            explorer=None if items is None else _explorer(items, sheet),
            no_explorer=no_items,
        )
    )


def _titles(own: bool, tables: bool, figures: bool) -> dict[str, str]:
    """The sections by their templates, in their order: on a person's own data what was found there comes before what the papers claim."""
    names = {
        "methods": "The methods side by side",
        "run": "What was run",
        "claims": "What the papers claim, on your data" if own else "Claims and verdicts",
        "each": "Claim by claim",
        "arithmetic": "The paper’s own numbers",
        "limitations": "What the paper leaves open",
        "tables": "Tables",
        "figures": "Figures",
        "items": "Items",
    }
    own_order = ("methods", "run", "tables", "figures", "items", "claims", "each", "arithmetic", "limitations")
    papers = ("run", "claims", "methods", "each", "arithmetic", "limitations", "tables", "figures", "items")
    absent = {"tables": not tables, "figures": not figures}
    return {part: names[part] for part in (own_order if own else papers) if not absent.get(part)}


def figure_spec(figure: Figure) -> dict[str, Any]:
    """The specification of a figure in the page's own colours: they follow its light, its dark and its printed form."""
    from votewise.evidence.figures.output import spec
    from votewise.evidence.figures.theme import GRID, INK, MUTED

    own = {INK[False]: "var(--ink)", MUTED[False]: "var(--quiet)", GRID[False]: "var(--line)"}

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: value if key in ("values", "datasets") else walk(value) for key, value in part.items()}
        if isinstance(part, list):
            return [walk(value) for value in part]
        return own.get(part, part) if isinstance(part, str) else part

    return walk(spec(figure))  # type: ignore[no-any-return]


def _charts() -> list[str]:
    from votewise.evidence.figures.output import FIT

    return [chart_library(), f"{FIT}\n{_file('charts.js')}"]


def _table(table: Table, results: Results) -> dict[str, Any]:
    shown = {name: getattr(table, name) for name in ("number", "title", "caption", "reading", "columns", "rows")}
    if table.missing:
        return shown | {"missing": remedy(table.missing, results)}
    return shown | {"missing": None, "csv": data_uri(table.csv()), "latex": data_uri(table.latex(), "text/x-tex")}


def _explorer(items: Items, sheet: Sprite | None) -> dict[str, Any]:
    data = items.data()
    looks = [look(method) for method in data["methods"]]
    data |= {"names": [each.name for each in looks], "colours": [each.colour for each in looks]}
    data["sprite"] = sheet and {"width": sheet.width, "height": sheet.height, "columns": sheet.columns}
    many = (
        f"{len(items):,} of the {items.total:,} items that some run held out, chosen evenly over disagreement and error"
    )
    whole = f"All {items.total:,} items that some run held out"
    note = (
        f"{whole if len(items) == items.total else many}. A prediction is the mean over the runs with all votes that held the item out,"
        " at their best checkpoint; KL is the mean over the same runs. Methods differ by the largest total variation between two that are shown."
    )
    return {"note": note, "data": as_json(data)}


def _template() -> Any:
    if find_spec("jinja2") is None:
        raise VotewiseError("the page needs jinja2", remedy="install votewise[report]")
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    environment = Environment(
        loader=FunctionLoader(_file), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["icon"] = verdicts.ICONS.__getitem__
    environment.filters["css"] = verdicts.STYLES.__getitem__
    return environment.get_template("report.html")


def _file(name: str) -> str:
    return files("votewise.report").joinpath("templates", name).read_text(encoding="utf-8")
