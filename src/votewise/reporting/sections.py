"""The sections of any page: what was run, the methods side by side, tables, figures and items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from votewise.reporting.charts import spec
from votewise.reporting.charts.theme import ON_PAGE
from votewise.reporting.page import Section, data_uri
from votewise.reporting.source_texts import left_out
from votewise.reporting.sprite import sprite
from votewise.votes import Votes
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.comparison import Table
    from votewise.datasets import Dataset
    from votewise.reporting.charts import Figure
    from votewise.reporting.items import Items
    from votewise.studies import Needs, Plan, Results

TEMPLATES = "votewise.reporting:sections"
Command = Callable[["Needs"], str | None]  # missing runs or probes -> the command that produces them, if any


def run_section(results: Results, datasets: Sequence[Dataset] = (), see_also: str = "") -> Section:
    """What was run: data, recipe, studies, machine, versions, and the missing runs; `see_also` is shown last."""
    by_name = {dataset.name: dataset for dataset in datasets}
    machine = dict(results.environment)
    versions = [f"{name} {number}" for name, number in machine.get("versions", {}).items()]
    versions += [f"Python {machine['python']}"] if machine.get("python") else []
    place = [str(machine[key]) for key in ("device", "system") if machine.get(key)]
    if machine.get("threads"):
        place.append(f"{counted(int(machine['threads']), 'thread')} for each run")
    facts: dict[str, Iterable[str]] = {
        "dataset": [_dataset(name, by_name.get(name)) for name in results.datasets],
        "reading": [line for dataset in datasets for line in left_out(dataset)],
        "recipe": dict.fromkeys(_recipe(plan) for plan in results.plans.values()),
        "studies": [_study(name, plan, results) for name, plan in results.plans.items()],
        "machine": [", ".join(place)],
        "versions": [", ".join(versions)],
        "report made by": [f"votewise {version('votewise')}"],
        "see also": [see_also],
    }
    shown = [(term, kept) for term, values in facts.items() if (kept := [value for value in values if value])]
    context = {"facts": shown, "missing": [str(run) for run in results.missing]}
    return Section("run", "What was run", f"{TEMPLATES}/run.html", context)


def methods_section(
    table: Table, headline: str, reasons: Sequence[str], name: str = "", figures: Sequence[Figure] = ()
) -> Section:
    """Methods or models side by side, after the advice; `name` is the dataset or model if a page has several."""
    context = {
        "table": _table(table, lambda _: None),
        "headline": headline,
        "answer": list(reasons),
        "figures": [figure_context(figure) for figure in figures],
    }
    title = f"{table.title}: {name}" if name else table.title
    return Section(str(table.key), title, f"{TEMPLATES}/methods.html", context, charts=chart_specs(figures))


def tables_section(tables: Iterable[Table], command: Command) -> Section:
    """Tables with their captions; an empty table shows what it needs and the command that produces it."""
    shown = [_table(table, command) for table in tables]
    contents = [(f"table-{table['number']}", f"{table['number']}. {table['title']}") for table in shown]
    return Section("tables", "Tables", f"{TEMPLATES}/tables.html", {"tables": shown}, contents)


def figures_section(figures: Iterable[Figure], command: Command) -> Section:
    """Charts with their captions; an empty chart shows what it needs and the command that produces it."""
    drawn = list(figures)
    shown = [figure_context(figure, command) for figure in drawn]
    numbers = {figure.key: f"{figure.key}. " if isinstance(figure.key, int) else "" for figure in drawn}
    contents = [(f"figure-{figure.key}", numbers[figure.key] + figure.title) for figure in drawn]
    return Section(
        "figures", "Figures", f"{TEMPLATES}/figures.html", {"figures": shown}, contents, charts=chart_specs(drawn)
    )


def items_section(items: Items | None, names: Callable[[str], tuple[str, str]], reason: str = "") -> Section:
    """The votes for items next to the predictions of each method while the items were held out, or the reason why there are none; `names` gives a name and a colour."""
    template = f"{TEMPLATES}/items.html"
    if items is None:
        return Section("items", "Items", template, {"note": None, "reason": reason})
    data, images = items.data(), items.pictures()
    sheet = None if images is None else sprite(images)
    looks = [names(method) for method in data["methods"]]
    data |= {"names": [name for name, _ in looks], "colours": [colour for _, colour in looks]}
    data["sprite"] = sheet and {"width": sheet.width, "height": sheet.height, "columns": sheet.columns}
    count = f"All {items.total:,} held-out items"
    if len(items) < items.total:
        count = f"{len(items):,} of the {items.total:,} held-out items, selected evenly by disagreement and error"
    note = (
        f"{count}. A prediction is the mean over the runs with all votes that held the item out, at their best checkpoint. KL is the mean"
        " over the same runs. The difference between methods is the largest total variation distance between two selected methods."
    )
    style = "" if sheet is None else f".picture {{ background-image: url({sheet.uri}); }}"
    about: dict[str, Any] = {
        "scripts": ["votewise.reporting:explorer.js"],
        "data": {"explorer-data": data},
        "style": style,
    }
    return Section("items", "Items", template, {"note": note, "reason": reason}, **about)


def lacks(needs: Sequence[Needs], command: Command) -> dict[str, Any] | None:
    """What is missing, as a sentence, and the commands that produce it."""
    if not needs:
        return None
    commands = list(dict.fromkeys(line for need in needs if (line := command(need)) is not None))
    return {"text": f"Needs {'; '.join(map(str, needs))}.", "commands": commands}


def figure_spec(figure: Figure) -> dict[str, Any]:
    """The specification of a figure in the colours of the page, for light mode, dark mode and print."""

    def walk(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: value if key in ("values", "datasets") else walk(value) for key, value in part.items()}
        if isinstance(part, list):
            return [walk(value) for value in part]
        return ON_PAGE.get(part, part) if isinstance(part, str) else part

    return walk(spec(figure))  # type: ignore[no-any-return]  # walk returns the type of its argument


def figure_context(figure: Figure, command: Command = lambda _: None) -> dict[str, Any]:
    """The context of a figure for the template of a chart."""
    words = {name: getattr(figure, name) for name in ("title", "reading", "alt", "caption")}
    return words | {"number": figure.key, "missing": lacks(figure.missing, command)}


def chart_specs(figures: Iterable[Figure]) -> dict[str, Any]:
    """The specifications of the figures that have a chart, by their keys."""
    return {str(figure.key): figure_spec(figure) for figure in figures if figure.chart is not None}


def _table(table: Table, command: Command) -> dict[str, Any]:
    shown = {name: getattr(table, name) for name in ("title", "caption", "reading", "columns", "rows")}
    shown |= {"number": table.key, "missing": lacks(table.missing, command)}
    return shown | {"csv": data_uri(table.csv()), "latex": data_uri(table.latex(), "text/x-tex")}


def _dataset(name: str, dataset: Dataset | None) -> str:
    if dataset is None:
        return name
    shape = " × ".join(map(str, dataset.inputs.shape[1:]))
    pairs = dataset.shown_texts is not None and dataset.shown_texts.shape[1] == 2
    texts = "pairs of texts" if pairs else "texts"
    kind = {"images": f"images of {shape}", "features": f"feature vectors of {shape}", "texts": texts}[dataset.kind]
    if dataset.encoder is not None:
        kind = f"{texts} as {kind} by {Path(dataset.encoder[0]).name}"
    votes = dataset.votes
    count = f"{len(votes.label):,} votes" if isinstance(votes, Votes) else "one distribution per item"
    return f"{name}: {len(dataset):,} {kind}, {count}, {votes.num_classes} classes"


def _recipe(plan: Plan) -> str:
    recipe = plan.trained_with
    start = "pre-trained weights" if recipe.takes_texts else f"{recipe.init} initialisation"
    augment = "default of the dataset" if recipe.augment is None else ", ".join(recipe.augment) or "none"
    return (
        f"{plan.preset}: {Path(recipe.model).name} with {start}, {recipe.epochs} epochs, batches of {recipe.batch_size},"
        f"{' AdamW,' if recipe.optimiser == 'adamw' else ''} learning rate {recipe.lr:g}, {recipe.schedule} schedule, weight decay {recipe.weight_decay:g}, augmentation: {augment}"
    )


def _study(name: str, plan: Plan, results: Results) -> str:
    parts = [counted(len(plan.arms), "method")]
    if plan.votes_per_item != ("all",):
        parts.append(f"{', '.join(map(str, plan.votes_per_item))} votes per item")
    parts.append(f"seeds {spans(plan.seeds)}")
    absent = sum(name in run.studies for run in results.missing)
    done = counted(results.table.filter(study=name)["run"].n_unique(), "finished run")
    parts.append(f"{done}, {absent} missing" if absent else done)
    return f"{name}: {', '.join(parts)}"


def spans(numbers: Sequence[int]) -> str:
    """Format integers, with consecutive numbers as ranges.

    >>> spans([20, 21, 22, 25]), spans([3])
    ('20–22, 25', '3')
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
