"""Results of studies that nobody ran: plausible numbers for every run, probe and curve, out of the counter."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import polars as pl

from votewise import counter
from votewise.evidence.results import Curve, Results
from votewise.scoring import SCORES
from votewise.studies import label, study

BETTER = {"soft": 0.0, "sls": 0.05, "multipass": 0.06, "deterministic": 0.06, "majority": -0.7, "label-smoothing": -0.2,
          "mixup": -0.1, "shuffled-sls": -1.1}  # fmt: skip
DETECTORS = ("energy", "msp", "odin", "entropy", "margin", "knn")
SLICES = ("full", "high")


@cache
def made_up(preset: str = "demo") -> Results:
    """Every study of the paper, finished; hard deliveries are better and flatter when votes are few."""
    plans = {name: study(name, preset) for name in ("main", "sparse", "ablation", "resampling", "basins")}
    rows: dict[str, dict[str, Any]] = {}
    members: dict[str, frozenset[str]] = {}
    for name, plan in plans.items():
        ids = set()
        for seed in plan.seeds:
            for k in plan.votes_per_item:
                for arm in plan.arms:
                    for twin in range(plan.twins):
                        run = f"{label(arm)}-{k}-{seed}-{twin}"
                        ids.add(run)
                        for checkpoint in ("best", "last"):
                            rows[run + checkpoint] = {"id": run} | _row(label(arm), k, seed, twin, checkpoint)
        members[name] = frozenset(ids)
    table = pl.DataFrame(list(rows.values()), infer_schema_length=None)
    dataset = "digits" if preset == "demo" else "cifar10h"
    return Results(
        dataset, preset, table, tuple(_curves(plans)), plans, members, (), {"threads": 1, "device": "made up"}
    )


def noise(*names: object) -> float:
    """A draw from about N(0, 1) that depends on the names alone."""
    return float(counter.uniform(counter.key(repr(names), 0), 0, np.arange(12)).sum() - 6)


def _row(method: str, k: int | str, seed: int, twin: int, checkpoint: str) -> dict[str, Any]:
    plain, _, interval = method.partition("-every-")
    votes = 50 if k == "all" else int(k)
    worse = -BETTER[plain] * (3 / votes + 0.02 if BETTER[plain] > 0 else 1) + 0.4 / votes + 0.01 * int(interval or 0)
    loss = 1.15 + worse + 0.02 * noise("seed", seed) + 0.005 * noise(method, k, seed, twin, checkpoint)
    row: dict[str, Any] = {
        "dataset": "made-up",
        "method": method,
        "K": None if k == "all" else k,
        "seed": seed,
        "training_seed": seed + 1000 * twin if twin else None,
        "checkpoint": checkpoint,
        "epoch": 15 if checkpoint == "best" else 21,
        "epochs": 22,
        "num_classes": 10,
        "target_entropy": 1.0,
        "train_loss": 1.2 + 0.1 * (plain != "soft") + 0.2 * (k == "all") + 0.1 * (checkpoint == "best"),
    }
    row |= {score: 0.2 + 0.1 * worse + 0.01 * noise(score, method, k, seed, twin) for score in SCORES}
    row |= {
        "soft_nll": loss,
        "kl": loss - 1.0,
        "accuracy": 0.7 - 0.3 * max(worse, 0),
        "entropy_correlation": 0.4 - worse / 4,
    }
    if plain == "shuffled-sls":
        row |= {"soft_nll": 2.30, "accuracy": 0.11, "entropy_correlation": 0.01 * noise(seed)}
    sharp = (
        100
        * (2 if plain == "soft" else 0.2 if plain == "shuffled-sls" else 1)
        * float(np.exp(0.05 * noise("s", method, k, seed)))
    )
    for part, factor in zip(SLICES, (1, 3), strict=True):
        row |= {
            f"lambda_max_{part}": sharp * factor,
            f"lambda_max_{part}_residual": 1e-3,
            f"lambda_min_{part}": -sharp / 20,
            f"lambda_power_{part}": sharp * factor,
            f"trace_{part}": sharp * factor * 15,
            f"trace_{part}_se": 0.2,
            f"trace_hutchinson_{part}": sharp * factor * 15,
            f"sharpness_{part}": sharp * factor / 10,
        }
    row["weight_norm"] = 20 + noise("w", method, seed)
    better = 0.03 * (plain != "soft")
    row |= {name: 0.85 + better + 0.005 * noise(name, method, seed) for name in ("cka", "cka_debiased")}
    for part in ("", "_high"):
        row |= {
            f"gradcam_correlation{part}": 0.8 + 3 * better + 0.01 * noise(part, method, seed),
            f"gradcam_overlap{part}": 0.5 + better + 0.02 * noise(part, method, seed),
            f"gradcam_distance{part}": 0.9 - better + 0.02 * noise(part, method, seed),
        }
    if plain == "sls":
        row |= {"barrier": 1.2 + 0.1 * noise("b", seed), "barrier_reestimated": 0.4 + 0.05 * noise("r", seed)}
        row |= {"loss_first": loss, "loss_second": loss + 0.002 * noise("l", seed)}
        row |= {f"noise_correlation{kind}": 0.94 + 0.01 * noise(kind, seed) for kind in ("", "_sampled", "_disputed")}
        row |= {"noise_share_high": 0.25 + 0.01 * noise("n", seed), "noise_agreement": 0.99}
    if plain in ("soft", "sls"):
        row |= {"barrier_within": 1.1 + 0.1 * noise("bw", method, seed), "barrier_reestimated_within": 0.4}
    row |= {"epoch_95": 9 - (plain == "sls"), "best_epoch": 15 - (plain == "sls"), "soft_nll_end": loss + 0.01}
    for where, level in (("far", 0.86), ("near", 0.8)):
        for detector in DETECTORS:
            gain = better * (-1 if detector == "knn" and where == "far" else 1)
            row[f"auroc_{where}_{detector}"] = level + gain + 0.005 * noise(where, detector, method, seed)
            row[f"fpr95_{where}_{detector}"] = 0.5 - gain
            row[f"aupr_{where}_{detector}"] = 0.8 + gain
    row["diagonal_distance"] = 0.02 + 0.06 * (plain == "majority") + 0.001 * noise("d", method, seed)
    if plain != "soft":
        for group in ("", "train_"):
            for distance in ("js", "l1"):
                at = f"{group}{distance}_"
                row |= {
                    f"{at}correlation{kind}": 0.1 + 0.02 * noise(at, kind, method, k, seed)
                    for kind in ("", "_high", "_partial", "_disputed")
                }
                row |= {
                    f"{at}lowest": 0.002 * noise(at, method, k, seed),
                    f"{at}highest": 0.1 + 0.02 * noise(at, seed, k),
                }
                row |= {
                    f"{at}highest_high": 0.12 + 0.03 * noise(seed, k),
                    f"{at}others_high": 0.05 + 0.03 * noise(k, seed),
                }
    return row


def _curves(plans: Any) -> list[Curve]:
    """One of each kind for every run that the probes look at."""
    found = []
    grid = np.linspace(0, 1, 101)
    at = np.linspace(0, 1, 21)
    for seed in plans["main"].seeds:
        for method in ("soft", "sls", "majority", "label-smoothing", "mixup"):
            off = 0.1 * (method == "majority")
            found.append(
                Curve(
                    "reliability", "smooth", method, None, None, seed, "best",
                    _data(confidence=grid, outcome=grid - off * grid * (1 - grid) + 0.002 * noise(seed), density=grid * 2),
                )
            )  # fmt: skip
        for method in ("soft", "sls"):
            epochs = np.arange(22)
            found.append(
                Curve(
                    "dynamics", "history", method, None, None, seed, "best",
                    _data(epoch=epochs, soft_nll=1.1 + np.exp(-epochs / (5 - (method == "sls"))), train_loss=1 + np.exp(-epochs / 4)),
                )
            )  # fmt: skip
            x = np.linspace(-20, 120, 80)
            for checkpoint in ("best", "last"):
                found.append(
                    Curve(
                        "spectrum",
                        "density_full",
                        method,
                        None,
                        None,
                        seed,
                        checkpoint,
                        _data(x=x, y=np.exp(-abs(x) / 5) / 10),
                    )
                )
        found += [
            Curve(
                "barrier", "line", "sls", "soft", None, seed, "best",
                _data(at=at, loss=1.15 + 4 * at * (1 - at), loss_reestimated=1.15 + at * (1 - at)),
            ),
            Curve(
                "noise", "items", "sls", None, None, seed, "best",
                _data(entropy=np.linspace(0, 2, 200), variance=[e * (1 + 0.1 * noise(e, seed)) for e in np.linspace(0, 2, 200)]),
            ),
        ]  # fmt: skip
    plan = plans["sparse"]
    for k in plan.votes_per_item:
        for method in ("sls", "multipass", "deterministic"):
            for seed in plan.seeds:
                for name in ("bins_js", "bins_l1", "bins_js_high", "bins_l1_high", "train_bins_js"):
                    distance = np.linspace(0, 0.5, 10)
                    gain = 0.2 * distance + 0.005 * np.array([noise(name, method, k, seed, d) for d in distance])
                    found.append(
                        Curve("diagnosis", name, method, "soft", None if k == "all" else k, seed, "best",
                              _data(distance=distance, improvement=gain, count=np.full(10, 30)))
                    )  # fmt: skip
    return found


def _data(**columns: Any) -> dict[str, list[float]]:
    return {name: [float(value) for value in values] for name, values in columns.items()}
