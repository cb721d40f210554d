"""The computed parts of `docs/replication-text.md`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from benchmarks.page_tables import claims, markdown, soft_nll
from benchmarks.text_results import FOLDER, read, together
from votewise.comparison import interval, name
from votewise.papers.companion.claims import relative_change
from votewise.studies import Paired, Results, Store

DATASETS = ("snli", "mnli")
CHECKPOINTS = ("best", "last")
RECIPES = {
    "ends": "MLP",
    "decay-0.003": "MLP, weight decay 0.003",
    "decay-0.01": "MLP, weight decay 0.01",
    "decay-0.03": "MLP, weight decay 0.03",
    "dropout": "MLP, dropout 0.5",
    "linear": "linear",
    "linear-decay-0.01": "linear, weight decay 0.01",
}
VARIED = ("soft", "sls", "multipass")
COMPANION = ("kl", "entropy_correlation", "entropy_pearson", "accuracy", "soft_nll")
CIFAR10H = FOLDER.parent / "cifar10h-cpu"


def sweep(dataset: str) -> Results:
    """The deliveries at every K on one dataset of ChaosNLI."""
    parts = ("ends", "between", "majority", "baselines-ends", "baselines-between")
    return together(read("chaosnli"), [f"{dataset}-{part}" for part in parts], "sparse")


def difference(results: Results, method: str, k: int | None, checkpoint: str) -> str:
    """Soft NLL minus that of soft labels, with its 95 % interval."""
    d = results.paired(method, "soft", "soft_nll", K=k, checkpoint=checkpoint).difference
    low, high = interval(d)
    return f"{d.mean():+.3f} [{low:+.3f}, {high:+.3f}]"


def mean(results: Results, method: str, quantity: str, k: int | None, checkpoint: str) -> float:
    """Over seeds."""
    return float(np.mean(list(results.values(method, quantity, K=k, checkpoint=checkpoint).values())))


def recipes(dataset: str) -> dict[str, Results]:
    """The results of the studies on one dataset that differ in their recipe, by its title."""
    results = read("chaosnli")
    return {title: results.select(studies=[f"{dataset}-{part}"]) for part, title in RECIPES.items()}


def axes(dataset: str) -> str:
    """Soft labels and the difference of hard delivery from them, by recipe."""
    rows = [
        (
            recipe,
            "all" if k is None else k,
            *(f"{mean(results, 'soft', 'soft_nll', k, checkpoint):.3f}" for checkpoint in CHECKPOINTS),
            *(difference(results, method, k, checkpoint) for checkpoint in CHECKPOINTS for method in VARIED[1:]),
            f"{mean(results, 'soft', 'excess_relative', k, 'last'):.1%}",
        )
        for recipe, results in recipes(dataset).items()
        for k in (5, None)
    ]
    head = (
        "model", "K", "soft labels, best epoch", "soft labels, last epoch", "SLS minus soft labels, best epoch", "multipass minus soft labels, best epoch",
        "SLS minus soft labels, last epoch", "multipass minus soft labels, last epoch", "excess of soft labels",
    )  # fmt: skip
    return markdown(head, rows)


def tuned(dataset: str) -> str:
    """For each method the best recipe on the validation items, and its result on the held-out items."""
    by_recipe = recipes(dataset)
    rows = []
    for k in (5, None):
        for checkpoint in CHECKPOINTS:
            chosen = {
                method: min(by_recipe, key=lambda s: mean(by_recipe[s], method, "selection_nll", k, checkpoint))
                for method in VARIED
            }
            soft = by_recipe[chosen["soft"]].values("soft", "soft_nll", K=k, checkpoint=checkpoint)
            for method, recipe in chosen.items():
                own = by_recipe[recipe].values(method, "soft_nll", K=k, checkpoint=checkpoint)
                d = Paired.of(own, soft).difference
                low, high = interval(d) if method != "soft" else (0.0, 0.0)
                against = "" if method == "soft" else f"{d.mean():+.3f} [{low:+.3f}, {high:+.3f}]"
                rows.append(("all" if k is None else k, checkpoint, name(method), recipe, f"{np.mean(list(own.values())):.3f}", against))  # fmt: skip
    return markdown(
        ("K", "epoch", "method", "best recipe", "soft NLL", "minus soft labels with their best recipe"), rows
    )


def companion() -> Results:
    """Soft labels and majority vote on ChaosNLI-SNLI, POPQUORN and CIFAR-10H."""
    texts, images = read("companion"), Results.of(Store(CIFAR10H), ["companion-cifar10h"])
    return replace(texts, table=pl.concat([texts.table, images.table]), plans={**texts.plans, **images.plans})


def measures() -> str:
    """The companion's measures by dataset, at both checkpoints."""
    results = companion()
    rows = []
    for dataset, here in results.by_dataset.items():
        for checkpoint in CHECKPOINTS:
            for method in ("soft", "majority"):
                found = [here.values(method, key, checkpoint=checkpoint) for key in COMPANION]
                cells = (_spread(list(values.values())) for values in found)
                rows.append((dataset, checkpoint, name(method), len(found[0]), *cells))
    head = ("dataset", "epoch", "method", "seeds", "KL", "entropy correlation (Spearman)", "entropy correlation (Pearson)", "accuracy", "soft NLL")  # fmt: skip
    return markdown(head, rows)


def _spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}" if values else "–"


def reductions() -> str:
    """The relative changes that the companion reports."""
    results = companion()
    rows = []
    for quantity, title, published in (("kl", "KL", "-32 %"), ("entropy_correlation", "entropy correlation", "+61 %")):
        change = relative_change(results, quantity)
        average = np.mean(list(change.values()))
        rows.append((title, published, f"{100 * average:+.0f} %", *(f"{100 * value:+.0f} %" for value in change.values())))  # fmt: skip
    return markdown(("soft labels against majority vote", "published", "average here", *results.datasets), rows)


def lewidi() -> str:
    """The official measure of the task on its test file."""
    results = read("lewidi")
    rows: list[tuple[object, ...]] = []
    for study, title in (("paraphrase-frozen", "head on frozen MiniLM"), ("paraphrase-tuned", "MiniLM fine-tuned")):
        here = results.select(studies=[study])
        for method in ("soft", "multipass", "majority"):
            values = [here.values(method, "wasserstein", checkpoint=checkpoint) for checkpoint in CHECKPOINTS]  # fmt: skip
            rows.append((title, name(method), len(values[0]), *(_spread(list(each.values())) for each in values)))
    for baseline, value in json.loads((FOLDER / "lewidi/baselines.json").read_text(encoding="utf-8")).items():
        rows.append(("baseline", baseline, "–", f"{value:.3f}", ""))
    return markdown(("model", "method", "seeds", "mean Wasserstein distance, epoch chosen on dev", "last epoch"), rows)


BY_DATASET: dict[str, Callable[[str], str]] = {
    "": lambda dataset: soft_nll(sweep(dataset)),
    "-claims": lambda dataset: claims(sweep(dataset)),
    "-axes": axes,
    "-tuned": tuned,
}
PARTS: dict[str, Callable[[], str]] = {
    **{f"chaosnli-{dataset}{end}": partial(part, dataset) for dataset in DATASETS for end, part in BY_DATASET.items()},
    "companion-measures": measures,
    "companion-reductions": reductions,
    "companion-claims": lambda: claims(companion(), "companion"),
    "lewidi": lewidi,
}
