"""A page has a title and sections; a section has a template and its context. The result is one HTML file that loads and sends no data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import Any

from votewise.errors import VotewiseError
from votewise.wording import shown

BASE = "votewise.reporting"
_ESCAPED = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


@dataclass(frozen=True, eq=False)
class Section:
    """A part of a page.

    Attributes:
        id: its anchor, for example `tables`.
        title: its heading.
        template: the template as `package:path` below the package's `templates`.
        context: the variables of the template.
        contents: anchors and titles of its parts, for the table of contents.
        scripts: resources of the scripts it needs.
        charts: Vega-Lite specifications of the `chart` elements of the template, by number.
        data: JSON for its scripts, by element id.
        style: further rules for the style sheet; must not contain user text.
    """

    id: str
    title: str
    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    contents: Sequence[tuple[str, str]] = ()
    scripts: Sequence[str] = ()
    charts: Mapping[str, Any] = field(default_factory=dict)
    data: Mapping[str, Any] = field(default_factory=dict)
    style: str = ""


@dataclass(frozen=True, eq=False)
class Page:
    """One self-contained page.

    Attributes:
        title: its heading.
        lead: a description in one or two sentences.
        sections: the sections in order.
        cautions: warnings shown before the numbers.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    cautions: Sequence[str] = ()


def build(page: Page) -> str:
    """The HTML of a page, with user text escaped."""
    environment = _environment()
    charts = {number: spec for section in page.sections for number, spec in section.charts.items()}
    scripts = [resource(f"{BASE}:contents.js")]
    if charts:
        from votewise.reporting.charts.output import FIT
        from votewise.reporting.charts.theme import ON_PAGE

        colours = f"const ON_PAGE = {json.dumps(ON_PAGE)};"
        scripts += [chart_library(), "\n".join((FIT, colours, resource(f"{BASE}:charts.js")))]
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

    environment = Environment(
        loader=FunctionLoader(resource),
        autoescape=True,
        finalize=lambda value: shown(value) if type(value) is str else value,  # Markup stays: digests name its scripts
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = coded
    return environment


def coded(text: str) -> Any:
    """A sentence as HTML with command-line options marked as code.

    >>> print(coded("fewer epochs (now 52 < 60; --epochs)"))
    fewer epochs (now 52 &lt; 60; <code>--epochs</code>)
    """
    from markupsafe import Markup, escape

    return Markup(re.sub(r"(?<![\w-])--[a-z][a-z-]*", r"<code>\g<0></code>", str(escape(text))))


def as_json(value: Any) -> str:
    r"""JSON that is safe inside a <script> element for any text.

    >>> print(as_json({"class": "</script>"}))
    {"class":"\u003c/script\u003e"}
    """
    return shown(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))).translate(_ESCAPED)


def data_uri(text: str, kind: str = "text/csv") -> str:
    """A text as a data URI that a browser can save."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"


def policy(scripts: Iterable[str]) -> str:
    """The content security policy of a page that allows only these scripts and no network access."""
    digests = (base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


@cache
def chart_library() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, from vl-convert."""
    try:
        import vl_convert
    except ImportError:
        raise VotewiseError("the page needs vl-convert-python", remedy="install votewise[report]") from None
    from votewise.reporting.charts.output import VEGA_LITE

    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", VEGA_LITE).replace("</script", "<\\/script")
