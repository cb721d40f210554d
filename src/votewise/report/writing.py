"""From a store to files: the page, and tables, figures and verdicts beside the studies they come from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from votewise.errors import VotewiseError
from votewise.evidence.results import Results
from votewise.files import write_atomic
from votewise.report.explorer import Items, items
from votewise.report.held_out import held_out_predictions
from votewise.report.page import page
from votewise.studies import STUDIES, Store

if TYPE_CHECKING:
    from votewise.datasets import Dataset
    from votewise.evidence.claims.deciding import Decision
    from votewise.evidence.figures import Figure
    from votewise.evidence.tables import Table

# The study that a table or a figure mostly draws on: its folder is where the files go.
TABLES: dict[int | str, str] = {
    1: "sparse",
    6: "sparse",
    3: "ablation",
    4: "ablation",
    7: "ablation",
    9: "ablation",
}  # others: main
FIGURES: dict[int | str, str] = {1: "sparse", 2: "sparse", 5: "sparse", 6: "sparse", 4: "resampling"}  # others: main
FORMATS = (".svg", ".png", ".pdf")


def write_report(
    store: Store,
    study: str | None = None,
    path: Path | None = None,
    *,
    formats: Sequence[str] = FORMATS,
    results: Results | None = None,
) -> Path:
    """Make the page of the paper's studies, or of a person's own `study`, from what its runs and probes left in a store.

    It is `report.html` in the store, or in the folder of the study where the store has others, unless a path is given.
    Tables, figures and verdicts are written beside the studies too, figures in these `formats`; with none, only the page is made.
    `results` are those of the store where somebody has gathered them already.
    """
    from votewise.evidence import figures as drawn
    from votewise.evidence import tables as laid_out
    from votewise.evidence.claims.deciding import decide

    study = None if study in STUDIES else study
    results = results or Results.of(store, study)
    decisions = decide(results)
    tables = [laid_out.table(number, results) for number in laid_out.TABLES]
    figures = [drawn.figure(number, results) for number in drawn.FIGURES]
    dataset, warning = _dataset(results)
    shown, why = (None, f"Items are not shown. {warning}") if dataset is None else _items(store, results, dataset)
    if path is None:
        alone = study is None or not results.left_out
        path = (store.path if alone else store.path / "studies" / str(study)) / "report.html"
    text = page(results, decisions, tables, figures, shown, no_items=why, warning=warning)
    write_atomic(path, text.encode())
    if formats:
        write_evidence(store, results, decisions, [laid_out.side_by_side(results), *tables], figures, formats=formats)
    return path


def _dataset(results: Results) -> tuple[Dataset | None, str]:
    """The dataset as it is now, None where no run belongs to it; and what has become of it since the runs were trained."""
    kept = "The numbers are those of the runs and belong to the data as it was."
    try:
        dataset = next(iter(results.plans.values())).dataset.load()
    except VotewiseError as error:
        return None, f"The dataset could not be loaded ({error}). {kept}"
    other = (results.table["fingerprint"] != dataset.fingerprint).sum()
    if not other:
        return dataset, ""
    whose = "these runs" if other == len(results.table) else "some of these runs"
    warning = f"The dataset has changed since {whose} were trained. {kept}"
    return (None if other == len(results.table) else dataset), warning


def _items(store: Store, results: Results, dataset: Dataset) -> tuple[Items | None, str]:
    """The items to look at, or why there are none."""
    found = items(dataset, held_out_predictions(store, results, dataset))
    return (found, "") if len(found) else (None, "Items are not shown: there is no finished run with all votes.")


def write_evidence(
    store: Store,
    results: Results,
    decisions: Sequence[Decision],
    tables: Sequence[Table],
    figures: Sequence[Figure],
    *,
    formats: Sequence[str] = FORMATS,
) -> None:
    """Write tables/*.csv .md .tex, figures/*.json .svg and `formats`, and claims.json into the folders of the studies.

    A figure that has not changed since it was last written is left as it is.
    """
    for table in tables:
        if not table.missing:
            folder = _folder(store, results, TABLES.get(table.number, "main"), "tables")
            for ending, text in ((".csv", table.csv()), (".md", table.markdown()), (".tex", table.latex())):
                write_atomic(folder / f"table-{table.number}{ending}", text.encode())
    for figure in figures:
        if figure.chart is not None:
            _draw(figure, _folder(store, results, FIGURES.get(figure.number, "main"), "figures"), formats)
    for study in {_study(results, part.study) for decision in decisions for part in decision.claim.parts}:
        about = [d for d in decisions if any(_study(results, part.study) == study for part in d.claim.parts)]
        text = json.dumps([decision.as_dict() for decision in about], ensure_ascii=False, indent=1, allow_nan=False)
        write_atomic(store.path / "studies" / study / "claims.json", text.encode() + b"\n")


def _draw(figure: Figure, folder: Path, formats: Sequence[str]) -> None:
    """Its specification as .json and its picture as .svg, from which the other formats are made."""
    from vl_convert import svg_to_pdf, svg_to_png

    from votewise.evidence.figures import save, spec
    from votewise.evidence.figures.output import SCALE

    paths = {ending: folder / f"figure-{figure.number}{ending}" for ending in (".json", ".svg", *formats)}
    content = (json.dumps(spec(figure), ensure_ascii=False, indent=1) + "\n").encode()
    if all(path.exists() for path in paths.values()) and paths[".json"].read_bytes() == content:
        return
    picture = save(figure, paths[".svg"]).read_text(encoding="utf-8")
    if ".png" in formats:
        write_atomic(paths[".png"], svg_to_png(picture, scale=SCALE))
    if ".pdf" in formats:
        write_atomic(paths[".pdf"], svg_to_pdf(picture))
    write_atomic(paths[".json"], content)  # last: it says that the others are made from it


def _study(results: Results, part: str) -> str:
    """The study that plays this part, or the first there is."""
    return results.plans.get(part, next(iter(results.plans.values()))).name


def _folder(store: Store, results: Results, part: str, kind: str) -> Path:
    folder = store.path / "studies" / _study(results, part) / kind
    folder.mkdir(exist_ok=True)
    return folder
