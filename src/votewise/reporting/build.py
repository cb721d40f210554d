"""From a page of sections to one HTML file that loads nothing and sends nothing."""

from __future__ import annotations

from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from votewise.errors import VotewiseError
from votewise.reporting.embedding import as_json, chart_library, policy
from votewise.reporting.section import Page, Section

BASE = "votewise.reporting"


def build(page: Page) -> str:
    """The HTML of a page; everything a user wrote is escaped."""
    environment = _environment()
    charts = {number: spec for section in page.sections for number, spec in section.charts.items()}
    scripts = [resource(f"{BASE}:contents.js")]
    if charts:
        scripts += [chart_library(), f"{_fitting()}\n{resource(f'{BASE}:charts.js')}"]
    named = dict.fromkeys(name for section in page.sections for name in section.scripts)
    scripts += [resource(name) for name in named]
    data = {"figures-data": charts} | {name: value for section in page.sections for name, value in section.data.items()}
    return str(
        environment.get_template(f"{BASE}:page.html").render(
            page=page,
            bodies={section.id: _body(environment, section) for section in page.sections},
            policy=policy(scripts),
            style=resource(f"{BASE}:style.css") + "".join(section.style for section in page.sections),
            data={name: as_json(value) for name, value in data.items()},
            scripts=scripts,
        )
    )


def resource(name: str) -> str:
    """The text of a template, a script or a style sheet: `package:path` below the package's `templates`."""
    package, _, path = name.partition(":")
    return files(package).joinpath("templates", path).read_text(encoding="utf-8")


def _body(environment: Any, section: Section) -> Any:
    from markupsafe import Markup

    return Markup(environment.get_template(section.template).render(section=section, **section.context))


def _environment() -> Any:
    if find_spec("jinja2") is None:
        raise VotewiseError("the report needs jinja2", remedy="install votewise[report]")
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _fitting() -> str:
    """The script that fits a chart to its box."""
    from votewise.reporting.charts import FIT

    return FIT
