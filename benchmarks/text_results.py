"""The committed numbers of the studies on texts, one table per name: `python -m benchmarks.text_results NAME STORE` adds the numbers of a store.

A run on embeddings needs more than 100 KB, mostly for the means of its inputs. A thousand runs are too large for a repository, so only their numbers are committed.
A store may have any part of the runs: committed numbers are kept, also if a run is trained again. Delete the table to replace them.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import polars as pl

from votewise.studies import Results, Store, read_plan

FOLDER = Path(__file__).parents[1] / "results/text"
TABLE = "results.parquet"
NUMBER = ("study", "run", "checkpoint", "quantity")  # the columns that identify a number


def add(name: str, store: Store) -> Path:
    """Add the new numbers of the finished runs of a store, and the plans of its studies."""
    results = Results.of(store)
    place = FOLDER / name
    for study in results.plans:
        (place / "studies" / study).mkdir(parents=True, exist_ok=True)
        shutil.copyfile(store.path / "studies" / study / "plan.toml", place / "studies" / study / "plan.toml")
    table = pl.concat([results.table, selection(store, results)])
    if (place / TABLE).exists():
        committed = pl.read_parquet(place / TABLE)
        table = pl.concat([committed, table.join(committed, on=NUMBER, how="anti")])
    table.sort(pl.all().exclude("value")).write_parquet(place / TABLE, compression="zstd", compression_level=19)
    return place / TABLE


def selection(store: Store, results: Results) -> pl.DataFrame:
    """The soft NLL on the items used to choose the best epoch, as rows of the table of results."""
    histories = {run.id: run.history for run in store.all_runs() if run.finished}
    epochs = results.table.filter(quantity="epoch")
    values = [
        histories[run][int(epoch)].get("selection_nll") for run, epoch in epochs.select("run", "value").iter_rows()
    ]
    return epochs.with_columns(quantity=pl.lit("selection_nll"), value=pl.Series(values, dtype=pl.Float64)).drop_nulls(
        "value"
    )


@cache
def read(name: str) -> Results:
    """The committed results of a store."""
    folder = FOLDER / name
    plans = {path.parent.name: read_plan(path) for path in sorted(folder.glob("studies/*/plan.toml"))}
    return Results(table=pl.read_parquet(folder / TABLE), plans=plans)


def together(results: Results, studies: list[str], name: str) -> Results:
    """Combine studies on one dataset under another study name, because the claims of a paper refer to studies by name."""
    chosen = results.select(studies=studies)
    plans = {name: chosen.plans[studies[0]]}
    return replace(chosen, table=chosen.table.with_columns(study=pl.lit(name)), plans=plans)


if __name__ == "__main__":
    print(add(sys.argv[1], Store(sys.argv[2])))
