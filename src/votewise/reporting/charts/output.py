"""A figure as a specification for a page, or as a file."""

from __future__ import annotations

import copy
import json
import math
import os
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.files import format_of, make_folder, write_atomic
from votewise.reporting.charts.figure import Figure
from votewise.reporting.charts.theme import PAPER, theme

VEGA_LITE = "6.4"  # the version that vl-convert and the page use
WIDTH = 720  # pixels of a saved figure: 19 cm, the width of a page of a paper
WIDEST = 480  # pixels of a chart with a single panel
NARROWEST = 225  # pixels of a panel before it moves below its neighbour
AROUND = 74  # pixels of axis and padding per panel
SCALE = 2  # pixels of a PNG per pixel of the chart
FORMATS = (".svg", ".png", ".pdf", ".json")

# `fitted` in JavaScript, for a page that knows its width only when it is shown: `spec = fit(spec, element.clientWidth)`.
FIT = f"""function fit(spec, width) {{
  const WIDEST = {WIDEST}, NARROWEST = {NARROWEST}, AROUND = {AROUND};""" + """
  spec = structuredClone(spec);
  if (!spec.concat) { spec.width = Math.min(width, WIDEST); return spec; }
  const panels = spec.concat.length;
  const rows = Math.ceil(panels / Math.max(1, Math.floor(width / NARROWEST)));
  spec.columns = Math.ceil(panels / rows);
  const room = Math.min(Math.floor(width / spec.columns), WIDEST);
  for (const panel of spec.concat) panel.width = Math.max(80, room - AROUND);
  return spec;
}"""  # fmt: skip


def spec(figure: Figure, *, dark: bool = False, width: int | None = None) -> dict[str, Any]:
    """The Vega-Lite specification of a figure with its data, `width` pixels wide or as wide as a saved figure.

    A figure with several panels is a `concat`; the width determines the number of panels per row.

    Raises:
        VotewiseError: if the figure has no data.
    """
    if figure.chart is None:
        needs = "; ".join(map(str, figure.missing))
        raise VotewiseError(f"figure {figure.key} has no data", remedy=f"it needs {needs}" if needs else None)
    return fitted(_named(figure.drawn | {"config": theme(dark)}, {}), WIDTH if width is None else width)


def fitted(specification: dict[str, Any], width: int) -> dict[str, Any]:
    """A specification for a width in pixels."""
    specification = copy.deepcopy(specification)
    if "concat" not in specification:
        return specification | {"width": min(width, WIDEST), "autosize": {"type": "fit-x", "contains": "padding"}}
    panels = len(specification["concat"])
    lines = math.ceil(panels / max(1, width // NARROWEST))
    specification["columns"] = math.ceil(panels / lines)
    room = min(width // specification["columns"], WIDEST)
    for panel in specification["concat"]:
        panel["width"] = max(80, room - AROUND)
    return specification


def save(figure: Figure, path: str | os.PathLike[str], *, dark: bool = False, width: int | None = None) -> Path:
    """Write a figure as .svg, .png (twice as many pixels), .pdf or .json (the specification)."""
    path, kind = Path(path), format_of(path, FORMATS, "figure")
    if find_spec("vl_convert") is None:
        raise VotewiseError("figures as files need vl-convert-python", remedy="install votewise[report]")
    import vl_convert

    made = spec(figure, dark=dark, width=width)
    made["config"]["background"] = PAPER[dark]
    if kind == ".json":
        content = (json.dumps(made, ensure_ascii=False, indent=1) + "\n").encode()
    elif kind == ".svg":
        content = vl_convert.vegalite_to_svg(made, vl_version=VEGA_LITE).encode()
    elif kind == ".png":
        content = vl_convert.vegalite_to_png(made, vl_version=VEGA_LITE, scale=SCALE)
    else:
        content = vl_convert.vegalite_to_pdf(made, vl_version=VEGA_LITE)
    write_atomic(path, content)
    return path


def save_all(figures: Iterable[Figure], folder: Path, formats: Sequence[str]) -> None:
    """Write each figure as .json (its specification), .svg and in `formats`. Files of unchanged figures are not written again."""
    from vl_convert import svg_to_pdf, svg_to_png

    make_folder(folder)
    for figure in figures:
        if figure.chart is None:
            continue
        paths = {ending: folder / f"figure-{figure.key}{ending}" for ending in (".json", ".svg", *formats)}
        content = (json.dumps(spec(figure), ensure_ascii=False, indent=1) + "\n").encode()
        if all(path.exists() for path in paths.values()) and paths[".json"].read_bytes() == content:
            continue
        picture = save(figure, paths[".svg"]).read_text(encoding="utf-8")
        if ".png" in formats:
            write_atomic(paths[".png"], svg_to_png(picture, scale=SCALE))
        if ".pdf" in formats:
            write_atomic(paths[".pdf"], svg_to_pdf(picture))
        write_atomic(paths[".json"], content)  # written last: it marks the other files as up to date


def _named(part: Any, names: dict[str, str]) -> Any:
    """The specification with views named by their position, because altair counts views over the whole process."""
    if isinstance(part, list):
        return [_named(item, names) for item in part]
    if isinstance(part, str):
        return names.get(part, part)
    if not isinstance(part, dict):
        return part
    if "mark" in part and "name" in part:
        names[part["name"]] = f"view_{len(names) + 1}"
    return {key: value if key in ("data", "datasets") else _named(value, names) for key, value in part.items()}
