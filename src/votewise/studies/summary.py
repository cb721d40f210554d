"""The small table at the end of a study: mean and standard deviation over seeds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

SHOWN = {"soft_nll": ("best", "last"), "accuracy": ("best",)}  # scores, and at which checkpoints


def summary(table: pl.DataFrame, order: Sequence[str] = ()) -> pl.DataFrame:
    """A row for each K and method, methods in the given order: n, and mean and SD (n - 1) of soft NLL, best and last, and accuracy, best.

    Columns `soft_nll_best_mean`, `soft_nll_best_sd` and so on; K is null where all votes are seen.
    """
    import polars as pl

    columns = [
        part.alias(f"{score}_{checkpoint}_{name}")
        for score, checkpoints in SHOWN.items()
        for checkpoint in checkpoints
        for values in [pl.col(score).filter(pl.col("checkpoint") == checkpoint)]
        for name, part in (("mean", values.mean()), ("sd", values.std()))
    ]
    table = table.filter(pl.col("training_seed").is_null())  # without twins
    means = table.group_by("method", "K").agg(pl.col("seed").n_unique().alias("n"), *columns)
    place = pl.col("method").replace_strict({name: n for n, name in enumerate(order)}, default=len(order))
    return means.sort("K", place, "method", nulls_last=True)
