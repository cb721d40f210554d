"""The store gathers what runs left into one table, and names what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from toy_study import toy_plan, write_data
from votewise.errors import VotewiseError
from votewise.scoring import score
from votewise.studies import Results, Store
from votewise.training import Problem, complete


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the study `toy`, of which one run failed, one is damaged, one was never started."""
    folder = write_data(tmp_path_factory.mktemp("filled"))
    plan = toy_plan(folder, seeds=[0, 1, 2], votes_per_item=[2, "all"], subsample="nested")
    store, dataset = Store(folder / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    for config in configs[:-2]:
        complete(dataset, config, store.path)
    (store.run(configs[0]).folder / "history.jsonl").write_text("{}\n")
    store.run(configs[-2]).note_failure("the loss is nan")
    return folder


def test_the_table_has_a_row_for_each_finished_run_and_checkpoint(filled: Path) -> None:
    table = Results.of(Store(filled / "store")).table.filter(quantity="soft_nll")
    assert table.height == 2 * (12 - 3)
    assert table.group_by("run").agg(pl.col("checkpoint").sort())["checkpoint"].to_list() == [["best", "last"]] * 9
    assert set(table["method"]) == {"soft", "sls"}
    assert set(table["K"]) == {2, None}


def test_scores_in_the_table_are_those_of_the_predictions(filled: Path) -> None:
    plan, store = (
        toy_plan(filled, seeds=[0, 1, 2], votes_per_item=[2, "all"], subsample="nested"),
        Store(filled / "store"),
    )
    dataset = plan.dataset.load()
    config = plan.configs(dataset)[5]
    rows = Results.of(store).table.filter(run=config.id, checkpoint="last")
    row = dict(rows.select("quantity", "value").iter_rows())
    problem = Problem(dataset, config)
    log_q = store.run(config).last.log_probabilities
    card = score(log_q, problem.evaluation_votes, kind="log-probabilities")
    assert {name: row[name] for name in card.scores} == card.as_dict()["scores"]


def test_what_is_missing_is_named_with_its_reason(filled: Path) -> None:
    missing = Store(filled / "store").missing("toy")
    assert sorted(run.reason.partition(":")[0] for run in missing) == ["damaged", "failed", "not started"]
    assert any("the loss is nan" in str(run) for run in missing)
    assert any(run.reason == "damaged: history.jsonl does not match its digest" for run in missing)
    assert all(run.config is not None and run.config.id == run.id for run in missing)


def test_means_and_deviations_are_over_seeds(filled: Path) -> None:
    results = Results.of(Store(filled / "store"))
    means = results.means("toy")
    assert means.select("method", "K", "n").rows() == [
        ("soft", 2, 2),
        ("sls", 2, 3),
        ("soft", None, 2),
        ("sls", None, 2),
    ]
    values = np.array(list(results.values("sls", "soft_nll", K=2).values()))
    row = means.row(1, named=True)
    assert row["soft_nll_best_mean"] == pytest.approx(values.mean())
    assert row["soft_nll_best_sd"] == pytest.approx(values.std(ddof=1))


def test_a_study_that_gets_another_plan_says_so(tmp_path: Path) -> None:
    plan, store = toy_plan(write_data(tmp_path)), Store(tmp_path / "store")
    configs = plan.configs(plan.dataset.load())
    other = plan.changed(seeds=(5,), epochs=2)
    said = []
    for each in (plan, plan, other, other):
        said.append(store.has_other_plan(each))
        store.record(each, configs)
    assert said == [False, False, True, False]
    assert store.plan("toy") == other
    assert other.trained_with.epochs == 2


def test_an_unknown_study_is_told(tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match="unknown study 'main'"):
        Store(tmp_path).runs("main")
