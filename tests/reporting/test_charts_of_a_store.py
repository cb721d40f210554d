"""From trained runs to tables, recommendation and charts, without a paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from toy_study import toy_plan, write_data
from votewise.comparison import recommend, side_by_side
from votewise.profile.interpolation import relative_excess
from votewise.reporting.charts import FIGURES, save
from votewise.studies import Store, Training, probe_jobs
from votewise.studies.probing import Probing
from votewise.studies.results import Results
from votewise.training import Engine

METHODS = ["soft", "sls", {"name": "sls", "resample_every": 2}, "majority"]
PROBES = [{"name": name, "methods": ["soft", "sls", "majority"]} for name in ("dynamics", "reliability")]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = write_data(tmp_path_factory.mktemp("data"), items=150)
    plan = toy_plan(folder, methods=METHODS, votes_per_item=[2, "all"], probes=PROBES)
    store, configs = Store(folder / "store"), plan.configs(plan.dataset.load())
    store.record(plan, configs)
    for config in configs:
        Training(plan.dataset, store.path, Engine()).do(config)
    for job in probe_jobs(plan, configs):
        Probing(plan.dataset, store.path, Engine()).do(job)
    return Results.of(store)


def test_every_method_has_its_row_at_each_number_of_votes(results: Results) -> None:
    names = [str(row[0]) for row in side_by_side(results).rows if row[0].kind == "best"]
    assert names[:4] == [
        "Soft labels, all votes (ref.)", "SLS, all votes", "SLS drawn every 2 epochs, all votes", "Majority vote, all votes",
    ]  # fmt: skip
    assert len(names) == 8


def test_two_seeds_recommend_nothing(results: Results) -> None:
    advised = recommend(results)
    assert advised.power is not None
    assert not advised.power.enough
    assert [choice.K for choice in advised.choices] == [None, 2]
    assert advised.held_out is not None


def test_the_excess_is_relative_to_that_of_uniform_predictions(results: Results) -> None:
    excess, entropy = (results.values("soft", key, checkpoint="last") for key in ("excess", "target_entropy"))
    expected = {seed: relative_excess(excess[seed], entropy[seed], 3) for seed in excess}
    assert results.values("soft", "excess_relative", checkpoint="last") == pytest.approx(expected)
    (fit, *_) = recommend(results).fit
    assert fit.method == "soft"


@pytest.mark.parametrize("make", FIGURES)
def test_every_chart_is_drawn(make, results: Results, tmp_path: Path) -> None:
    assert save(make(results), tmp_path / "figure.svg").stat().st_size > 3000
