"""Results without runs: plausible numbers for every run, probe and curve of the paper's studies, or losses given by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from toy_study import toy_plan

from votewise import counter
from votewise.papers import paper as paper_called
from votewise.scoring import SCORES
from votewise.studies import Plan, label
from votewise.studies.results import COLUMNS, Curve, Results

study, STUDIES = paper_called("basins").plan, paper_called("basins").studies

BETTER = {"soft": 0.0, "sls": 0.05, "multipass": 0.06, "deterministic": 0.06, "majority": -0.7, "label-smoothing": -0.2,
          "mixup": -0.1, "shuffled-sls": -1.1}  # fmt: skip
DETECTORS = ("energy", "msp", "odin", "entropy", "margin", "knn")
Losses = Mapping[tuple[str, int | None], Iterable[float]]  # (method, votes per item) -> soft NLL by seed


def long(rows: Iterable[tuple[Any, ...]]) -> pl.DataFrame:
    """Rows of dataset, study, run, method, K, seed, checkpoint, quantity and value."""
    kinds = (pl.String, pl.String, pl.String, pl.String, pl.Int64, pl.Int64, pl.String, pl.String, pl.Float64)
    return pl.DataFrame(list(rows), schema=dict(zip(COLUMNS, kinds, strict=True)), orient="row")


def results_of(losses: Losses, last: Losses | None = None, **numbers: float) -> Results:
    """A comparison on a user's data with these losses; `numbers` are the same for every run."""
    losses = {arm: list(values) for arm, values in losses.items()}
    methods, votes = (list(dict.fromkeys(part)) for part in zip(*losses, strict=True))
    seeds = list(range(len(next(iter(losses.values())))))
    plan = toy_plan(
        Path("data"), methods=methods, votes_per_item=["all" if k is None else k for k in votes], seeds=seeds
    )
    shared = {"accuracy": 0.5, "smooth_ece_votes": 0.1, **numbers}
    rows = [
        (plan.dataset.title, plan.name, f"{method}-{k}-{seed}", method, k, seed, checkpoint, quantity, value)
        for checkpoint, given in (("best", losses), ("last", last or losses))
        for (method, k), values in given.items()
        for seed, loss in enumerate(values)
        for quantity, value in ({"soft_nll": loss} | shared).items()
    ]
    return Results(long(rows), plans={plan.name: plan}, evaluated={plan.dataset.title: 120})


@cache
def made_up(preset: str = "demo") -> Results:
    """Every study of the paper, finished; hard deliveries are better and flatter when votes are few."""
    plans = {name: study(name, preset) for name in STUDIES}
    rows = [
        (plan.dataset.title, name, f"{label(arm)}-{k}-{seed}", label(arm), None if k == "all" else k, seed, checkpoint, quantity, value)
        for name, plan in plans.items()
        for seed in plan.seeds
        for k in plan.votes_per_item
        for arm in plan.arms
        for checkpoint in ("best", "last")
        for quantity, value in _numbers(label(arm), arm.options.get("resample_every", 1), k, seed, checkpoint).items()
    ]  # fmt: skip
    return Results(long(rows), curves=tuple(_curves(plans)), plans=plans, environment={"threads": 1})


def without(results: Results, **columns: Any) -> Results:
    """Results without the rows that have these values."""
    same = pl.all_horizontal(pl.col(name).eq_missing(pl.lit(value)) for name, value in columns.items())
    return replace(results, table=results.table.filter(~same))


def only(results: Results, *methods: str, name: str = "votes.csv") -> Results:
    """The runs of some methods as one comparison on a user's data."""
    plan = results.plans["main"].model_copy(update={"name": "mine", "methods": methods, "probes": ()})
    dataset = plan.dataset.model_copy(update={"name": None, "inputs": "inputs.npy", "votes": name})
    table = results.table.filter(pl.col("method").is_in(methods))
    return replace(
        results,
        table=table.with_columns(study=pl.lit("mine"), dataset=pl.lit(name)),
        plans={"mine": plan.model_copy(update={"dataset": dataset})},
        curves=tuple(
            replace(curve, studies=frozenset({"mine"}))
            for curve in results.curves
            if {curve.method, curve.other or curve.method} <= {*methods}
        ),
    )


def renamed(results: Results, name: str) -> Results:
    """The same results on a dataset of another name."""
    plans: dict[str, Plan] = {}
    for key, plan in results.plans.items():
        dataset = plan.dataset.model_copy(update={"name": name})
        plans[key] = plan.model_copy(update={"dataset": dataset})
    return replace(results, table=results.table.with_columns(dataset=pl.lit(name)), plans=plans)


def noise(*names: object) -> float:
    """A draw from about N(0, 1) that depends on the names alone."""
    return float(counter.uniform(counter.key(repr(names), 0), 0, np.arange(12)).sum() - 6)


@cache
def _numbers(method: str, interval: int, k: int | str, seed: int, checkpoint: str) -> dict[str, float]:
    plain = "sls" if interval > 1 else method
    votes = 50 if k == "all" else int(k)
    worse = -BETTER[plain] * (3 / votes + 0.02 if BETTER[plain] > 0 else 1) + 0.4 / votes + 0.01 * (interval - 1)
    loss = 1.15 + worse + 0.02 * noise("seed", seed) + 0.005 * noise(method, k, seed, checkpoint)
    numbers = {score: 0.2 + 0.1 * worse + 0.01 * noise(score, method, k, seed) for score in SCORES}
    numbers |= {
        "soft_nll": loss,
        "kl": loss - 1.0,
        "accuracy": 0.7 - 0.3 * max(worse, 0) + 0.003 * noise("a", method, k, seed),
        "entropy_correlation": 0.4 - worse / 4 + 0.01 * noise("e", method, k, seed),
        "target_entropy": 1.0,
        "train_loss": 1.2 + 0.1 * (plain != "soft") + 0.2 * (k == "all") + 0.1 * (checkpoint == "best"),
    }
    if plain == "shuffled-sls":
        numbers |= {"soft_nll": 2.30 + 0.002 * noise(seed), "accuracy": 0.11, "entropy_correlation": 0.01 * noise(seed)}
    numbers["excess"] = numbers["train_loss"] - 1.0
    numbers["excess_relative"] = numbers["excess"] / (math.log(10) - 1)
    return numbers | _probed(method, plain, k, seed, loss)


def _probed(method: str, plain: str, k: int | str, seed: int, loss: float) -> dict[str, float]:
    kind = 2 if plain == "soft" else 0.2 if plain == "shuffled-sls" else 1
    sharp = 100 * kind * float(np.exp(0.05 * noise("s", method, k, seed)))
    numbers: dict[str, float] = {}
    for part, factor in (("full", 1), ("high", 3)):
        numbers |= {
            f"lambda_max_{part}": sharp * factor,
            f"lambda_power_{part}": sharp * factor,
            f"trace_{part}": sharp * factor * 15,
            f"trace_hutchinson_{part}": sharp * factor * 15,
        }
    better = 0.03 * (plain != "soft")
    numbers |= {name: 0.85 + better + 0.005 * noise(name, method, seed) for name in ("cka", "cka_debiased")}
    numbers |= {f"{name}_between": 0.83 + 0.005 * noise(name, "b", method, seed) for name in ("cka", "cka_debiased")}
    for part in ("", "_high"):
        numbers |= {
            f"gradcam_correlation{part}": 0.8 + 3 * better + 0.01 * noise(part, method, seed),
            f"gradcam_overlap{part}": 0.5 + better + 0.02 * noise(part, method, seed),
            f"gradcam_distance{part}": 0.9 - better + 0.02 * noise(part, method, seed),
        }
    if plain == "sls":
        numbers |= {"barrier": 1.2 + 0.1 * noise("b", seed), "barrier_reestimated": 0.4 + 0.05 * noise("r", seed)}
        numbers |= {f"noise_correlation{of}": 0.94 + 0.01 * noise(of, seed) for of in ("", "_sampled", "_disputed")}
    if plain in ("soft", "sls"):
        numbers |= {"barrier_within": 1.1 + 0.1 * noise("bw", method, seed)}
    numbers |= {"epoch_95": 9.0 - (plain == "sls") + seed % 2, "best_epoch": 15.0 - (plain == "sls") + seed % 3}
    numbers["soft_nll_end"] = loss + 0.01
    for where, level in (("far", 0.86), ("near", 0.8)):
        numbers[f"n_{where}"] = 5000.0
        for detector in DETECTORS:
            gain = better * (-1 if detector == "knn" and where == "far" else 1)
            numbers[f"auroc_{where}_{detector}"] = level + gain + 0.005 * noise(where, detector, method, seed)
    if plain != "soft":
        for distance in ("js", "l1"):
            for of in ("", "_high"):
                numbers[f"{distance}_correlation{of}"] = 0.1 + 0.02 * noise(distance, of, method, k, seed)
    return numbers


def _curves(plans: Mapping[str, Plan]) -> list[Curve]:
    """One of each kind for every run that the probes look at."""
    main, sparse = frozenset({"main"}), frozenset({"sparse"})
    grid, at, x = np.linspace(0, 1, 101), np.linspace(0, 1, 21), np.linspace(-20, 120, 80)
    epochs = np.arange(22)
    curves = []
    for seed in plans["main"].seeds:
        for method in ("soft", "sls", "majority", "label-smoothing", "mixup"):
            off = 0.1 * (method == "majority")
            outcome = grid - off * 4 * grid * (1 - grid) + 0.01 * noise(seed, method)
            smooth = _data(confidence=grid, outcome=outcome, density=grid * 2)
            curves.append(Curve(main, "reliability", "smooth", method, None, None, seed, "best", smooth))
        for method in ("soft", "sls"):
            fall = 1.1 + np.exp(-epochs / (5 - (method == "sls"))) + 0.01 * noise(seed, method)
            history = _data(epoch=epochs, soft_nll=fall, train_loss=1 + np.exp(-epochs / 4))
            density = _data(x=x, y=np.exp(-abs(x) / (6 + (method == "soft") + 0.2 * noise(seed))) / 10)
            curves += [
                Curve(main, "dynamics", "history", method, None, None, seed, "best", history),
                Curve(main, "spectrum", "density_full", method, None, None, seed, "best", density),
            ]
        line = _data(at=at, loss=1.15 + (4 + 0.2 * noise(seed)) * at * (1 - at), loss_reestimated=1.15 + at * (1 - at))
        entropy = np.linspace(0, 2, 200)
        variance = [value * (1 + 0.1 * noise(value, seed)) for value in entropy]
        curves += [
            Curve(main, "barrier", "line", "sls", "soft", None, seed, "best", line),
            Curve(main, "noise", "items", "sls", None, None, seed, "best", _data(entropy=entropy, variance=variance)),
        ]
    for k in plans["sparse"].votes_per_item:
        for method in ("sls", "multipass", "deterministic"):
            for seed in plans["sparse"].seeds:
                for name in ("bins_js", "bins_l1", "bins_js_high", "bins_l1_high"):
                    distance = np.linspace(0, 0.5, 10)
                    gain = 0.2 * distance + 0.01 * np.array([noise(name, method, k, seed, d) for d in distance])
                    bins = _data(distance=distance, improvement=gain, count=np.full(10, 30))
                    votes = None if k == "all" else k
                    curves.append(Curve(sparse, "diagnosis", name, method, "soft", votes, seed, "best", bins))
    return curves


def _data(**columns: Any) -> dict[str, list[float]]:
    return {name: [float(value) for value in values] for name, values in columns.items()}
