"""Build the pages of a store: one per paper whose studies it contains, and one per comparison of a user."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from votewise.comparison import (
    Table,
    by_model,
    comparable,
    held_out_predictions,
    listed,
    models_side_by_side,
    recommend,
    recommend_model,
    side_by_side,
)
from votewise.errors import VotewiseError
from votewise.files import clear_half_written, make_folder, write_atomic
from votewise.papers import (
    PAPERS,
    Decision,
    Paper,
    arithmetic_section,
    claims_section,
    decide,
    limitations_section,
    paper,
    statements_section,
)
from votewise.reporting import (
    FIGURES,
    FORMATS,
    Figure,
    Looks,
    Page,
    Section,
    build,
    choose_items,
    figures_section,
    items_section,
    methods_section,
    model_differences,
    run_section,
    save_all,
    tables_section,
)
from votewise.studies import Needs, Plan, Results, Store
from votewise.wording import listing

if TYPE_CHECKING:
    from votewise.datasets import Dataset

BY_KIND = {"arithmetic": arithmetic_section, "limitation": limitations_section}
LEAD = "This page shows which training method predicts the votes of the annotators best, as far as the number of seeds allows."
SEE_ALSO = f"to reproduce published studies of these methods: votewise reproduce {' or '.join(PAPERS)}"
DIFFERENCES = "paired-differences"  # the key of the figure that opens the page
AN_HOUR = 3600.0  # seconds after which a half-written file is considered abandoned and removed
KEPT = "The numbers were computed with the data at the time of training."


def report(
    store: str | Path | Store,
    *,
    study: str | None = None,
    path: str | Path | None = None,
    formats: Sequence[str] = FORMATS,
) -> tuple[Path, ...]:
    """Build the pages of a store, with every table, figure and claim that its runs support.

    Args:
        store: the folder of runs and studies.
        study: build only the page that shows this study; default: all pages.
        path: the file for the page, if only one page is built; default: `report.html` in the store. If a store has several pages,
            each is in the folder of its first study, and `report.html` links to them, the newest first.
        formats: file formats of the figures, which are written with tables and claims to the folders of the studies; empty: write only the pages.

    Returns:
        The paths of the pages; if the store has several, the last one is the page with links to them.

    Raises:
        VotewiseError: If the store has no finished run or does not contain the study.

    Example:
        report("votewise-store", study="compare", path="comparison.html")
    """
    place = store if isinstance(store, Store) else Store(store)
    if not place.path.is_dir():
        what = "this is a file" if place.path.exists() else "no such folder"
        raise VotewiseError(what, where=place.path, remedy="give the folder of a store")
    for folder in (place.path, *(place.path / "studies").glob("*/")):
        clear_half_written(folder, older=AN_HOUR)
        for inside in ("tables", "figures"):
            clear_half_written(folder / inside, older=AN_HOUR)
    results = Results.of(place)
    subjects = _subjects(results.plans)
    chosen = [(studies, known) for studies, known in subjects if study is None or study in studies]
    if not chosen:
        known_studies = listing(results.plans, 9)
        raise VotewiseError(f"unknown study {study!r}", where=place.path, remedy=f"choose one of {known_studies}")
    pages, own, several = list[Path](), path is not None and len(chosen) == 1, len(subjects) > 1
    for studies, known in sorted(
        subjects, key=chosen.__contains__
    ):  # the requested pages are written last, so that they are the newest
        first = place.path / "studies" / studies[0]
        target = (first if several else place.path) / "report.html"
        asked = (studies, known) in chosen
        if not asked and (own or target.exists()):
            continue
        mine = results.select(studies=studies)
        datasets, warnings = _datasets(mine)
        made = contents(mine, known, datasets, items=_items(place, _shown(mine, known), datasets), warnings=warnings)
        target = Path(path) if path is not None and own else target
        write_atomic(target, build(made.page).encode())
        pages += [target] if asked else []
        if formats:
            made.write(first, formats)
    if several and not own:
        pages.append(place.path / "report.html")
        write_atomic(pages[-1], build(_links(results, subjects, place.path)).encode())
    return tuple(pages)


def _links(results: Results, subjects: Sequence[tuple[tuple[str, ...], Paper | None]], folder: Path) -> Page:
    """The page with links to the pages of a store, the newest first."""
    entries = []
    for studies, known in subjects:
        address = f"studies/{studies[0]}/report.html"
        plan = results.plans[studies[0]]
        about = f"{', '.join(results.select(studies=studies).datasets)}; {', '.join(studies)}"
        title = known.title if known else plan.comparison or plan.name
        entries.append(((folder / address).stat().st_mtime_ns, (quote(address), title, about)))
    pages = [entry for _, entry in sorted(entries, reverse=True)]
    section = Section("pages", "Pages", "votewise.reporting:sections/pages.html", {"pages": pages})
    return Page("The pages of this store", "One page for each paper and each comparison, the newest first.", [section])


@dataclass(frozen=True, eq=False)
class Contents:
    """A page, and the files written with it."""

    page: Page
    tables: Sequence[Table]
    figures: Sequence[Figure]
    decisions: Mapping[str, Sequence[Decision]] = field(default_factory=dict)

    def write(self, folder: Path, formats: Sequence[str]) -> None:
        """Write tables (.csv, .md, .tex), figures (.json, .svg and `formats`) and, for a paper, claims.json below a folder."""
        tables = make_folder(folder / "tables")
        for table in self.tables:
            if not table.missing:
                for ending, text in ((".csv", table.csv()), (".md", table.markdown()), (".tex", table.latex())):
                    write_atomic(tables / f"table-{table.key}{ending}", text.encode())
        save_all(self.figures, folder / "figures", formats)
        if self.decisions:
            claims = {name: [decision.as_dict() for decision in some] for name, some in self.decisions.items()}
            text = json.dumps(claims, ensure_ascii=False, indent=1, allow_nan=False)
            write_atomic(folder / "claims.json", text.encode() + b"\n")


def _subjects(plans: Mapping[str, Plan]) -> list[tuple[tuple[str, ...], Paper | None]]:
    """The subjects of the pages: first papers with their studies, then comparisons with one study per model."""
    by_paper, comparisons = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for name, plan in plans.items():
        if plan.paper is not None:
            by_paper[plan.paper].append(name)
        else:  # the slash separates a study of a comparison from another study with the same name
            comparisons[name if plan.comparison is None else f"{plan.comparison}/"].append(name)
    papers = [(studies, paper(name)) for name, studies in by_paper.items()]
    subjects = [(tuple(sorted(studies, key=known.studies.index)), known) for studies, known in papers]
    return [*subjects, *((tuple(studies), None) for studies in comparisons.values())]


def contents(
    results: Results,
    known: Paper | None = None,
    datasets: Sequence[Dataset] = (),
    *,
    items: Section,
    warnings: Sequence[str] = (),
) -> Contents:
    """The page of a paper or of a user's comparison (if `known` is None), with its files; `datasets` are those that could be loaded."""
    if known is None:
        return comparison_contents(results, datasets, items=items, warnings=warnings)
    by_dataset = {name: side_by_side(part) for name, part in results.by_dataset.items()}
    if len(by_dataset) > 1:  # one file per dataset
        by_dataset = {name: _named(table, name) for name, table in by_dataset.items()}
    answers = []
    for name, table in by_dataset.items():
        advice = recommend(results.by_dataset[name], table)
        answers.append(methods_section(table, advice.headline, advice.paragraphs, name if len(by_dataset) > 1 else ""))
    kept = _combined(results, known)
    tables, figures = list(known.tables(kept)), list(known.figures(kept))
    verdicts = decide(known.claims, kept)
    story = None if known.story is None else known.story(kept)

    def command(needs: Needs) -> str | None:
        study = needs.study if needs.study in known.studies else None
        preset = next(iter(kept.plans.values())).preset
        return f"votewise reproduce {study or known.name} --preset {preset} --evidence --store STORE"

    sections = [
        claims_section(verdicts, story=story),
        *answers,
        statements_section(verdicts),
        *(section(verdicts) for kind, section in BY_KIND.items() if any(each.claim.kind == kind for each in verdicts)),
        tables_section(tables, command),
        figures_section(figures, command),
        run_section(results, datasets),
        items,
    ]
    cautions = [*known.cautions(kept), *_left_out(results, kept), *warnings]
    page = Page(known.title, known.lead(kept), sections, cautions)
    return Contents(page, [*by_dataset.values(), *tables], figures, {known.name: verdicts})


def _combined(results: Results, known: Paper) -> Results:
    """The studies that claims, tables and figures combine: comparable ones, on one dataset unless the claims are about all datasets."""
    parts = results.by_dataset.values() if known.claims.across_datasets else [results]
    return results.select(studies=[study for part in parts for study in comparable(part).plans])


def _left_out(results: Results, kept: Results) -> list[str]:
    """A warning that names the studies that claims, tables and figures leave out, if any."""
    left = [study for study in results.plans if study not in kept.plans]
    if not left:
        return []
    return [
        f"The claims, tables and figures of the paper combine {listed(kept.plans)}. They leave out {listed(left)}, because the dataset, the recipe,"
        " the split or the sub-sampling of votes is not the same."
    ]


def comparison_contents(
    results: Results, datasets: Sequence[Dataset] = (), *, items: Section, warnings: Sequence[str] = ()
) -> Contents:
    """The page of a user's comparison: the recommendation with a chart of the differences, then figures, the setup, and items.

    With several models, the page opens with the recommended model, and has a section with figures for each model.
    """
    parts = by_model(results)
    several, sections, tables = len(parts) > 1, list[Section](), list[Table]()
    figures, shown = list[Figure](), list[Figure]()
    if several:
        tables.append(models_side_by_side(results))
        best = recommend_model(results)
        figures += [figure for figure in [model_differences(best)] if figure.chart is not None]
        sections.append(methods_section(tables[0], best.headline, best.reasons, figures=figures.copy()))
        items = replace(items, title=f"{items.title}: {best.model}")
    for model, part in parts.items():
        name = model if several else ""
        table = _named(side_by_side(part), name)
        made = [figure for make in FIGURES if not (figure := make(part)).missing]
        drawn = [_figure_of(figure, name) for figure in made]
        opening = [figure for figure, plain in zip(drawn, made, strict=True) if plain.key == DIFFERENCES]
        advice = recommend(part, table)
        headline = f"With {name}, {advice.headline[0].lower()}{advice.headline[1:]}" if several else advice.headline
        sections.append(methods_section(table, headline, advice.paragraphs, name, opening))
        tables.append(table)
        figures += drawn
        shown += [figure for figure in drawn if figure not in opening]
    sections += [figures_section(shown, lambda _: None), run_section(results, datasets, SEE_ALSO), items]
    title = f"Training on the votes in {', '.join(results.datasets)}"
    return Contents(Page(title, LEAD, sections, warnings), tables, figures)


def _named(table: Table, name: str) -> Table:
    """A copy of a table with another file name and anchor, for a page with several tables of its kind."""
    return table if not name else replace(table, definition=replace(table.definition, key=f"{table.key}-{name}"))


def _figure_of(figure: Figure, name: str) -> Figure:
    """A copy of a figure with another file name and anchor, for a page with several figures of its kind."""
    return figure if not name else replace(figure, key=f"{figure.key}-{name}", title=f"{figure.title}: {name}")


def _datasets(results: Results) -> tuple[list[Dataset], list[str]]:
    """The current datasets that runs were trained on, and warnings about datasets that are missing or have changed."""
    found: list[Dataset] = []
    warnings: list[str] = []
    for source in dict.fromkeys(plan.dataset for plan in results.plans.values()):
        try:
            dataset = source.load()
        except VotewiseError as error:
            warnings.append(f"The dataset {source.title} could not be loaded ({error}). {KEPT}")
            continue
        prints = results.fingerprints.get(source.title, frozenset())
        if prints - {dataset.fingerprint}:
            some = "some of these runs" if dataset.fingerprint in prints else "these runs"
            warnings.append(f"The dataset {source.title} has changed since {some} were trained. {KEPT}")
        if dataset.fingerprint in prints:
            found.append(dataset)
    return found, warnings


def _shown(results: Results, known: Paper | None) -> Results:
    """The results whose predictions are shown: those that a paper combines, or those of the recommended model of a comparison."""
    if known is not None:
        return _combined(results, known)
    parts = by_model(results)
    return parts[recommend_model(results).model] if len(parts) > 1 else results


def _items(store: Store, results: Results, datasets: Sequence[Dataset]) -> Section:
    looks, reason, shown = Looks.of(results), "Items are not shown, because the dataset is not available.", None
    if datasets:
        reason = "Items are not shown, because no finished run with all votes has stored predictions."
        shown = choose_items(datasets[0], held_out_predictions(store, results, datasets[0]))
    return items_section(
        shown or None, lambda method: (looks[method].name, looks[method].colour), "" if shown else reason
    )
