"""The probe jobs of a plan: which runs and pairs, run by workers, failures reported."""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path

import pytest

from toy_study import toy_plan, write_data
from votewise.cli import main
from votewise.datasets import load_dataset
from votewise.errors import VotewiseError
from votewise.hashing import sealed
from votewise.papers import paper as paper_called
from votewise.studies import Store, label, make_plan, probe, probe_jobs, verify
from votewise.studies.results import Results
from votewise.training import Run, complete

study, STUDIES = paper_called("basins").plan, paper_called("basins").studies

PROBES = [
    {"name": "dynamics", "methods": ["soft", "sls"]},
    {"name": "noise", "methods": ["sls"], "checkpoints": ["best", "last"]},
    {"name": "representation", "methods": ["soft", "sls"], "against": "seeds"},
    {"name": "barrier", "methods": ["sls"], "against": "soft"},
    {"name": "barrier", "methods": ["sls"], "against": "twin"},
]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["votewise", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose study has probes, with every run finished and none probed."""
    folder = write_data(tmp_path_factory.mktemp("data"), items=150)
    plan = toy_plan(folder, seeds=[0, 1, 2], twins=2, probes=PROBES, split={"fraction": 0.4})
    store, dataset = Store(folder / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    for config in configs:
        complete(dataset, config, store.path)
    return store.path


def test_every_pair_of_seeds_every_partner_and_every_twin_is_probed(trained: Path) -> None:
    plan = Store(trained).plan("toy")
    configs = plan.configs(plan.dataset.load())
    by_probe: dict[str, list[tuple[str, ...]]] = {}
    for job in probe_jobs(plan, configs):
        by_probe.setdefault(job.probe.name, []).append(tuple(config.id for config in job.configs))
    plain = [config for config in configs if config.training_seed is None]
    assert len(configs) == 12
    assert len(by_probe["dynamics"]) == 12
    assert len(by_probe["noise"]) == 12  # six runs, two checkpoints
    assert sorted(map(set, by_probe["representation"]), key=sorted) == sorted(
        ({one.id, two.id} for one, two in combinations(configs, 2)), key=sorted
    )
    soft_of = {config.seed: config.id for config in plain if label(config.method) == "soft"}
    for config in plain:
        if label(config.method) == "sls":
            assert (config.id, soft_of[config.seed]) in by_probe["barrier"]
    assert (
        len(by_probe["barrier"]) == 3 + 3 + 3
    )  # each with soft of its seed, twins with soft twins, and with their twins


def test_the_demo_runs_the_probes_of_tables_and_figures() -> None:
    dataset = load_dataset("digits")
    counts = {
        name: len(probe_jobs(plan, plan.configs(dataset)))
        for name in ("main", "sparse", "ablation", "resampling", "twins")
        for plan in [study(name)]
    }
    assert counts["resampling"] == 0
    assert counts["twins"] == 2 * 6
    seeds, sweep = 6, 2  # of ten seeds, six are probed
    assert (
        counts["sparse"] == 2 * (sweep + 1) * seeds + 2 * 3 * sweep * seeds
    )  # curvature; diagnosis, where votes were left out
    assert counts["ablation"] == (4 + 3 + 2) * 6


def test_probe_seeds_limit_the_probed_runs_and_follow_a_change_of_seeds() -> None:
    plan, dataset = study("main"), load_dataset("digits")
    assert len(plan.seeds) == 10
    jobs = probe_jobs(plan, plan.configs(dataset))
    assert {config.seed for job in jobs for config in job.configs} == set(plan.probe_seeds) == {20, 21, 22, 23, 24, 25}
    assert plan.changed(seeds=(21, 30)).probe_seeds == (21,)
    assert plan.changed(seeds=(30, 31)).probe_seeds == ()  # then all seeds are probed
    with pytest.raises(VotewiseError, match="probe_seeds contains 9, which is not among the seeds"):
        make_plan({**plan.model_dump(exclude_defaults=True), "probe_seeds": (9,)}, where="plan")


def test_workers_run_probes_once_and_readings_become_columns(trained: Path, monkeypatch, capsys) -> None:
    assert run(monkeypatch, "probe", trained, "--workers", 1) == 0
    assert "readings are stored with the runs" in capsys.readouterr().err
    before = {path: path.stat().st_mtime_ns for path in trained.glob("runs/*/probes/*.json")}
    assert run(monkeypatch, "probe", trained, "--workers", 1, "--json") == 0
    found = json.loads(capsys.readouterr().out)["readings"]
    assert len(found) == len(before)
    assert {path: path.stat().st_mtime_ns for path in trained.glob("runs/*/probes/*.json")} == before
    results = Results.of(Store(trained))
    assert verify(trained).problems == []
    assert set(results.values("sls", "barrier")) == {0, 1, 2}
    assert set(results.values("sls", "barrier_within")) == {0, 1, 2}
    assert results.values("soft", "barrier_within") == {}
    pairs = [
        r["numbers"]["cka"] for r in found if r["probe"] == "representation" and all("-sls-s" in n for n in r["runs"])
    ]
    assert min(pairs) <= results.values("sls", "cka")[1] <= max(pairs)
    assert results.drawn("barrier", "line", method="sls", other="soft")[0].data["at"][-1] == 1
    assert set(results.values("sls", "noise_correlation", checkpoint="last")) == {0, 1, 2}


def test_a_reading_of_other_weights_is_noticed(trained: Path, monkeypatch) -> None:
    run(monkeypatch, "probe", trained, "--workers", 1, "--only", "dynamics")
    path = next(trained.glob("runs/*/probes/dynamics-*.json"))
    whole = path.read_text()
    altered = {**json.loads(whole), "weights": ["0" * 64]}
    path.write_text(json.dumps(sealed(altered)))
    assert [problem for problem in verify(trained).problems if "was measured on other weights" in problem]
    path.write_text(whole)


def test_what_is_wrong_with_one_probe_leaves_the_others(trained: Path, monkeypatch, capsys) -> None:
    one, two = (next(trained.glob(f"runs/own-{name}-s0-*")) for name in ("soft", "sls"))
    assert run(monkeypatch, "probe", one, two, "--only", "dynamics,ood,reliability", "--workers", 1) == 2
    said = capsys.readouterr()
    assert "2 of 6 probes failed" in said.err
    assert "Traceback" not in said.err
    assert said.out.count("epoch_95") == 2
    assert said.out.count("  smooth_ece  ") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "luck"], "unknown probe 'luck'"),
        (["--chunk", "0", "--only", "noise"], "chunk"),
        (["--workers", "0"], "workers (--workers) must be a whole number of 1 or more"),
    ],
)
def test_wrong_options_are_told(trained: Path, monkeypatch, capsys, arguments, words) -> None:
    folder = next(trained.glob("runs/own-soft-s1-*"))
    assert run(monkeypatch, "probe", folder, *arguments) == 2
    assert words in capsys.readouterr().err


def test_folders_that_are_no_runs_are_told(trained: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    assert run(monkeypatch, "probe", tmp_path) == 2
    assert "nothing to probe" in capsys.readouterr().err
    assert run(monkeypatch, "probe", tmp_path / "a", tmp_path / "b") == 2
    assert "no such folder" in capsys.readouterr().err
    one = next(trained.glob("runs/own-soft-s1-*"))
    assert Run(one).finished
    assert run(monkeypatch, "probe", one, "--only", "barrier") == 2
    assert "barrier compares two runs" in capsys.readouterr().err


def test_probes_of_a_store_that_its_data_do_not_support_are_skipped(tmp_path: Path) -> None:
    probes = [{"name": name, "methods": ["soft"]} for name in ("dynamics", "ood")]
    plan = toy_plan(write_data(tmp_path), seeds=[0], probes=probes)
    store, dataset = Store(tmp_path / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    for config in configs:
        complete(dataset, config, store.path)
    found = probe([store.path], workers=1)
    assert ([job.probe.name for job in found.readings], found.failures) == (["dynamics"], {})


def test_partners_among_thousands_of_runs_are_found(tmp_path: Path) -> None:
    """Each run has one partner of the other method and one twin; to try all pairs would be to try millions."""
    seeds = range(600)
    plan = toy_plan(
        write_data(tmp_path),
        seeds=seeds,
        votes_per_item=[3, "all"],
        twins=2,
        probes=[
            {"name": "barrier", "methods": ["sls"], "against": "soft"},
            {"name": "barrier", "methods": ["soft"], "against": "twin"},
        ],
    )
    found = [job.configs for job in probe_jobs(plan, plan.configs(plan.dataset.load()))]
    assert len(found) == len(set(found)) == 600 * 2 * 2 + 600 * 2
    for one, two in found:
        assert (one.seed, one.subsample) == (two.seed, two.subsample)
        if one.method == two.method:
            assert (one.training_seed, two.training_seed) == (None, one.seed + 10_000)
        else:
            assert (label(one.method), label(two.method)) == ("sls", "soft")
            assert one.training_seed == two.training_seed
    assert [one.seed for one, _ in found] == sorted(4 * [*seeds]) + sorted(2 * [*seeds])


def test_the_order_of_seeds_does_not_name_other_readings(trained: Path) -> None:
    plan = Store(trained).plan("toy")
    configs = plan.configs(plan.dataset.load())
    assert {job.id for job in probe_jobs(plan, configs)} == {job.id for job in probe_jobs(plan, configs[::-1])}


def test_a_reading_of_a_retrained_run_is_noticed(trained: Path, monkeypatch) -> None:
    run(monkeypatch, "probe", trained, "--workers", 1, "--only", "barrier")
    path = next(trained.glob("runs/own-sls-*/probes/barrier-*.json"))
    whole = path.read_text()
    found = json.loads(whole)
    path.write_text(json.dumps(sealed({**found, "weights": [found["weights"][0], "0" * 64]})))
    assert [problem for problem in verify(trained).problems if "was measured on other weights" in problem]
    path.unlink()


def test_twins_are_compared_with_and_never_counted(trained: Path) -> None:
    results = Results.of(Store(trained))
    assert results.table["run"].n_unique() == 6
    assert results.votes_per_item() == ()


def test_each_study_of_ones_own_has_its_own_results(trained: Path) -> None:
    store = Store(trained)
    plan = store.plan("toy")
    other = plan.model_copy(update={"name": "second", "seeds": (1,), "twins": 1, "probes": ()})
    store.record(other, other.configs(other.dataset.load()))
    second, toy = (set(Results.of(store, [name]).table["run"]) for name in ("second", "toy"))
    assert second < toy
    for path in (trained / "studies/second").iterdir():
        path.unlink()
    (trained / "studies/second").rmdir()
