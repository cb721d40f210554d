"""One long table of what the runs of a store found."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from toy_study import toy_plan, write_data
from votewise.errors import VotewiseError
from votewise.studies import Store, Training, probe_jobs
from votewise.studies.probing import Probing
from votewise.studies.results import COLUMNS, Results
from votewise.training import Engine

PROBES = [
    {"name": "dynamics", "methods": ["soft", "sls"]},
    {"name": "representation", "methods": ["soft", "sls"], "against": "seeds"},
    {"name": "barrier", "methods": ["sls"], "against": "soft"},
    {"name": "barrier", "methods": ["sls"], "against": "twin"},
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Two studies on one dataset that share runs, and a third on another one; probes of the first are run."""
    folder = write_data(tmp_path_factory.mktemp("data"), items=150)
    other = write_data(tmp_path_factory.mktemp("other"), items=90)
    (other / "votes.csv").rename(other / "more.csv")
    split = {"fraction": 0.4}
    plans = [
        toy_plan(folder, name="main", seeds=[0, 1, 2], twins=2, probes=PROBES, split=split),
        toy_plan(folder, name="few", seeds=[0, 1], votes_per_item=[2, "all"], split=split),
        toy_plan(
            folder, name="elsewhere", dataset={"inputs": str(other / "inputs.npy"), "votes": str(other / "more.csv")}
        ),
    ]
    store = Store(folder / "store")
    for plan in plans:
        configs = plan.configs(plan.dataset.load())
        store.record(plan, configs)
        work = Training(plan.dataset, store.path, Engine())
        for config in configs:
            work.do(config)
        for job in probe_jobs(plan, configs):
            Probing(plan.dataset, store.path, Engine()).do(job)
    return store


@pytest.fixture(scope="module")
def results(store: Store) -> Results:
    return Results.of(store)


def test_the_table_is_long_and_has_every_score_of_every_run(store: Store, results: Results) -> None:
    assert results.table.columns == list(COLUMNS)
    assert set(results.datasets) == {"votes.csv", "more.csv"}
    assert results.classes == {"votes.csv": 3, "more.csv": 3}
    few = results.select(studies=["few"])
    for config in store.plan("few").configs(store.plan("few").dataset.load()):
        run = store.run(config)
        K = config.subsample.k if config.subsample else None
        for checkpoint in ("best", "last"):
            for name, value in run.checkpoint(checkpoint).scores.items():
                values = few.values(config.method.name, name, K=K, checkpoint=checkpoint)
                assert values[config.seed] == value


def test_paired_are_the_shared_seeds_in_order(results: Results) -> None:
    here = results.select(dataset="votes.csv")
    paired = here.paired("sls", "soft", "soft_nll")
    assert paired.seeds == (0, 1, 2)
    assert here.select(studies=["few"]).paired("sls", "soft", "soft_nll").seeds == (0, 1)
    expected = [here.values("sls", "soft_nll")[s] - here.values("soft", "soft_nll")[s] for s in paired.seeds]
    assert np.array_equal(paired.difference, expected)
    assert here.votes_per_item() == (2,)
    assert here.methods() == ("soft", "sls")


def test_methods_without_shared_seeds_have_no_differences(results: Results) -> None:
    paired = results.select(dataset="votes.csv").paired("multipass", "soft", "soft_nll", K=2)
    assert len(paired) == len(paired.difference) == 0


def test_pairs_of_runs_are_kept_and_averaged_over_partners(results: Results) -> None:
    here = results.select(studies=["main"])
    cka = here.between("cka", "sls")
    assert set(cka) == set(combinations(range(3), 2))
    mean = np.mean([value for seeds, value in cka.items() if 1 in seeds])
    assert here.values("sls", "cka")[1] == pytest.approx(mean)
    both = here.between("cka", "sls", "soft")
    assert both == {seeds[::-1]: value for seeds, value in here.between("cka", "soft", "sls").items()}
    assert len(here.values("sls", "cka_between")) == 3
    assert len(here.values("sls", "barrier")) == len(here.values("sls", "barrier_within")) == 3
    assert not here.values("soft", "barrier")


def test_a_selection_leaves_out_the_other_studies(results: Results) -> None:
    few = results.select(studies=["few"])
    assert set(few.table["study"]) == {"few"}
    assert {seed for pair in few.pairs for seed in pair.seeds} == {0, 1}
    assert few.missing == ()


def test_a_store_without_finished_runs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match="no finished runs"):
        Results.of(Store(tmp_path))
