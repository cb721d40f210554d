"""Figures as files for a paper."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from votewise.files import write_atomic
from votewise.reporting.charts import Figure, save, spec
from votewise.reporting.charts.output import SCALE


def save_all(figures: Iterable[Figure], folder: Path, formats: Sequence[str]) -> None:
    """Write each figure as .json (its specification), .svg and in `formats`; one that has not changed is left as it is."""
    from vl_convert import svg_to_pdf, svg_to_png

    folder.mkdir(parents=True, exist_ok=True)
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
        write_atomic(paths[".json"], content)  # last: it says that the others are made from it
