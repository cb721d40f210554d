"""Results without runs: simulated numbers for every run, pair and curve of the paper's studies, or numbers given by the test."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from toy_study import toy_plan
from votewise import counter
from votewise.papers import paper as paper_called
from votewise.scoring import SCORES
from votewise.studies import Plan, label
from votewise.studies.results import COLUMNS, Curve, Pair, Results

BASINS = paper_called("basins")
BETTER = {"soft": 0.0, "sls": 0.05, "multipass": 0.06, "deterministic": 0.06, "majority": -0.7, "label-smoothing": -0.2,
          "mixup": -0.1, "shuffled-sls": -1.1}  # fmt: skip
DETECTORS = ("energy", "msp", "odin", "entropy", "margin", "knn")
SIMILAR = (
    "cka", "cka_debiased", "gradcam_correlation", "gradcam_correlation_high", "gradcam_overlap", "gradcam_overlap_high", "gradcam_distance",
    "gradcam_distance_high",
)  # fmt: skip
Change = Callable[[Results], Results]
Losses = Mapping[tuple[str, int | None], Iterable[float]]  # (method, votes per item) -> soft NLL by seed


@cache
def made_up(preset: str = "demo") -> Results:
    """Simulated results of all finished studies of the paper, in which hard deliveries are better and flatter with few votes."""
    plans = {name: BASINS.plan(name, preset) for name in BASINS.studies}
    rows = [
        (plan.dataset.title, name, f"{label(arm)}-{K}-{seed}", label(arm), K, seed, checkpoint, key, float(value))
        for name, plan in plans.items()
        for seed in plan.seeds
        for K in (None if votes == "all" else votes for votes in plan.votes_per_item)
        for arm in plan.arms
        for checkpoint in ("best", "last")
        for key, value in numbers_of(label(arm), K, seed, checkpoint).items()
    ]
    pairs = tuple(_pairs(plans["main"].seeds))
    return Results(
        table=long_table([*rows, *_means(plans["main"], pairs)]),
        pairs=pairs,
        curves=tuple(_curves(plans)),
        plans=plans,
        environment={"threads": 1, "device": "made up"},
    )


def long_table(rows: Iterable[tuple[Any, ...]]) -> pl.DataFrame:
    """Rows of dataset, study, run, method, K, seed, checkpoint, quantity and value."""
    kinds = (pl.String, pl.String, pl.String, pl.String, pl.Int64, pl.Int64, pl.String, pl.String, pl.Float64)
    return pl.DataFrame(list(rows), schema=dict(zip(COLUMNS, kinds, strict=True)), orient="row")


def results_with(
    values: dict[tuple[str, int | None, str], dict[int, float]], plans: dict[str, Plan] | None = None
) -> Results:
    """Results with these values, by (method, K, quantity) and seed, at both checkpoints."""
    rows = [
        ("made-up", "main", f"{method}-{K}-{seed}", method, K, seed, checkpoint, quantity, value)
        for (method, K, quantity), by_seed in values.items()
        for seed, value in by_seed.items()
        for checkpoint in ("best", "last")
    ]
    return Results(table=long_table(rows), plans=plans or {})


def results_of(losses: Losses, last: Losses | None = None, *, classes: int | None = None, **numbers: float) -> Results:
    """Results of a comparison on a user's data with these losses; the other `numbers` are the same for every run."""
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
    known = {} if classes is None else {plan.dataset.title: classes}
    return Results(long_table(rows), plans={plan.name: plan}, evaluated={plan.dataset.title: 120}, classes=known)


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
    """The same results, with another name of the dataset."""
    plans: dict[str, Plan] = {}
    for key, plan in results.plans.items():
        dataset = plan.dataset.model_copy(update={"name": name})
        plans[key] = plan.model_copy(update={"dataset": dataset})
    return replace(results, table=results.table.with_columns(dataset=pl.lit(name)), plans=plans)


def noise(*names: object) -> float:
    """A draw from approximately N(0, 1) that depends only on the names."""
    return float(counter.uniform(counter.key(repr(names), 0), 0, np.arange(12)).sum() - 6)


@cache
def numbers_of(method: str, K: int | None, seed: int, checkpoint: str) -> dict[str, float]:
    plain, _, interval = method.partition("-every-")
    votes = 50 if K is None else K
    worse = -BETTER[plain] * (3 / votes + 0.02 if BETTER[plain] > 0 else 1) + 0.4 / votes + 0.01 * int(interval or 0)
    loss = 1.15 + worse + 0.02 * noise("seed", seed) + 0.005 * noise(method, K, seed, checkpoint)
    soft, aside = plain != "majority", noise("companion", method, K, seed, checkpoint) / 1000
    row: dict[str, float] = {score: 0.2 + 0.1 * worse + 0.005 * noise(score, method, K, seed) for score in SCORES}
    row |= {
        "soft_nll": loss, "kl": loss - 1.0, "accuracy": 0.7 - 0.3 * max(worse, 0), "entropy_correlation": 0.4 - worse / 4,
        "epoch": 15 if checkpoint == "best" else 21, "epochs": 22,
    }  # fmt: skip
    trained = 1.2 + 0.1 * (plain != "soft") + 0.2 * (K is None) + 0.1 * (checkpoint == "best")
    row |= {
        "target_entropy": 1.0, "train_loss": trained, "excess": trained - 1.0, "excess_relative": (trained - 1.0) / (math.log(10) - 1)
    }  # fmt: skip
    if plain == "shuffled-sls":
        row |= {"soft_nll": 2.30, "accuracy": 0.11, "entropy_correlation": 0.01 * noise(seed)}
    sharp = 100 * (2 if plain == "soft" else 0.2 if plain == "shuffled-sls" else 1)
    sharp *= float(np.exp(0.05 * noise("s", method, K, seed)))
    for part, factor in (("full", 1), ("high", 3)):
        row |= {
            f"lambda_max_{part}": sharp * factor,
            f"lambda_power_{part}": sharp * factor,
            f"trace_{part}": sharp * factor * 15,
            f"trace_hutchinson_{part}": sharp * factor * 15,
            f"sharpness_{part}": sharp * factor / 10,
        }
    row["weight_norm"] = 20 + noise("w", method, seed)
    better = 0.03 * (plain != "soft")
    if plain == "sls":
        row |= {"barrier": 1.2 + 0.1 * noise("b", seed), "barrier_reestimated": 0.4 + 0.05 * noise("r", seed)}
        row |= {"loss_first": loss, "loss_second": loss + 0.002 * noise("l", seed)}
        row |= {f"noise_correlation{kind}": 0.94 + 0.01 * noise(kind, seed) for kind in ("", "_sampled", "_disputed")}
        row |= {"noise_share_high": 0.25 + 0.01 * noise("n", seed), "noise_share_votes": 0.24, "noise_agreement": 0.99}
    if plain in ("soft", "sls"):
        row |= {"barrier_within": 0.9 + 0.1 * noise("bw", method, seed), "barrier_reestimated_within": 0.4}
    row |= {"epoch_95": 9 - (plain == "sls"), "best_epoch": 15 - (plain == "sls"), "soft_nll_end": loss + 0.01}
    for where, level in (("far", 0.86), ("near", 0.8)):
        row[f"n_{where}"] = 5000
        for detector in DETECTORS:
            gain = better * (-1 if detector == "knn" and where == "far" else 1)
            row[f"auroc_{where}_{detector}"] = level + gain + 0.005 * noise(where, detector, method, seed)
    row["diagonal_distance"] = 0.02 + 0.06 * (plain == "majority") + 0.001 * noise("d", method, seed)
    row["smooth_ece_votes"] = 0.02 + 0.06 * (plain == "majority") + 0.001 * noise("dv", method, seed)
    if plain != "soft":
        for at in ("js_", "l1_", "train_js_", "train_l1_"):
            kinds = ("", "_high", "_partial", "_disputed")
            row |= {f"{at}correlation{kind}": 0.1 + 0.02 * noise(at, kind, method, K, seed) for kind in kinds}
            row |= {f"{at}lowest": 0.002 * noise(at, method, K, seed), f"{at}highest": 0.1 + 0.02 * noise(at, seed, K)}
            row |= {f"{at}highest_high": 0.12 + 0.03 * noise(seed, K), f"{at}others_high": 0.05 + 0.03 * noise(K, seed)}
    row |= {
        "largest_class": 0.1, "constant_loss": 2.3, "vote_entropy_first_decile": 0.0, "vote_entropy_median": 0.2,
        "vote_entropy_last_decile": 0.7, "entropy_pearson": 0.5 if soft else 0.3, "entropy_gap_high": 0.1 if soft else 0.4,
        "peak_gap_high": 0.05 if soft else 0.3, "kl_low_third": 0.1 if soft else 0.2, "kl_high_third": 0.2 if soft else 0.7,
        "own_best_epoch": 15.0 if soft else 9.0, "own_rise": 0.1 if soft else 0.6,
    }  # fmt: skip
    row["entropy_gap_high"] += aside
    row["own_best_epoch"] += 100 * aside
    row["kl_high_third"] += aside
    if not soft:
        row["kl_gain_agreed"] = 0.07 + aside
    return row


def _pairs(seeds: Iterable[int]) -> Iterable[Pair]:
    """Runs of SLS are more alike than runs of soft labels; those of both are in between."""
    runs = [(method, seed) for method in ("soft", "sls") for seed in seeds]
    for one, two in combinations(runs, 2):
        for key in SIMILAR:
            sls = (one[0] == "sls") + (two[0] == "sls")
            size = {
                "gradcam_correlation": 3.0,
                "gradcam_correlation_high": 3.0,
                "gradcam_distance": -1.0,
                "gradcam_distance_high": -1.0,
            }.get(key, 1.0)
            value = 0.8 + 0.015 * size * sls + 0.005 * noise(key, one, two)
            yield Pair(frozenset({"main"}), key, "best", None, (one[0], two[0]), (one[1], two[1]), value)


def _means(plan: Plan, pairs: Iterable[Pair]) -> Iterable[tuple[Any, ...]]:
    """For each run, the mean of a pair's number over its partners of the same and of the other method."""
    lists: dict[tuple[str, int, str], list[float]] = {}
    for pair in pairs:
        (one, two), (seed, other) = pair.methods, pair.seeds
        suffix = "" if one == two else "_between"
        for method, at in ((one, seed), (two, other)) if seed != other else ():
            lists.setdefault((method, at, pair.quantity + suffix), []).append(pair.value)
    for (method, seed, quantity), values in lists.items():
        for checkpoint in ("best", "last"):
            yield plan.dataset.title, "main", f"{method}-None-{seed}", method, None, seed, checkpoint, quantity, sum(values) / len(values)  # fmt: skip


def _curves(plans: Mapping[str, Plan]) -> list[Curve]:
    """One curve of each kind for every run that the plans probe."""
    main, sparse = frozenset({"main"}), frozenset({"sparse"})
    grid, at, x = np.linspace(0, 1, 101), np.linspace(0, 1, 21), np.linspace(-20, 120, 80)
    epochs = np.arange(22)
    curves = []
    for seed in plans["main"].seeds:
        for method in ("soft", "sls", "majority", "label-smoothing", "mixup"):
            outcome = grid - 0.1 * (method == "majority") * grid * (1 - grid) + 0.002 * noise(seed)
            smooth = _data(confidence=grid, outcome=outcome, density=grid * 2)
            curves += [
                Curve(main, "reliability", "smooth", method, None, None, seed, checkpoint, smooth)
                for checkpoint in ("best", "last")
            ]
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


def changed(
    methods: tuple[str, ...] | str, quantities: tuple[str, ...] | str, by: float, K: Any = "any", times: float = 1
) -> Change:
    """Every number of these methods and quantities, at one K or at any, times something and moved by something."""
    methods, quantities = ((some,) if isinstance(some, str) else some for some in (methods, quantities))
    here = pl.col("method").is_in(methods) & pl.col("quantity").is_in(quantities)
    if K != "any":
        here &= pl.col("K").is_null() if K is None else pl.col("K") == K

    def change(given: Results) -> Results:
        value = pl.when(here).then(pl.col("value") * times + by).otherwise(pl.col("value"))
        return replace(given, table=given.table.with_columns(value=value))

    return change


def lost(method: str, seed: int, K: int | None = None) -> Change:
    """A change of results that removes a run."""

    def change(given: Results) -> Results:
        votes = pl.col("K").is_null() if K is None else pl.col("K") == K
        return replace(
            given, table=given.table.filter(~((pl.col("method") == method) & (pl.col("seed") == seed) & votes))
        )

    return change
