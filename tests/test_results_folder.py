"""The committed results of the replication: whole, and enough for the report."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from benchmarks import text_results
from benchmarks.findings import PICTURE, figure
from benchmarks.lewidi_baselines import FILE, baselines
from benchmarks.replication_page import PAGES, cifar10h, filled
from benchmarks.text_parts import RECIPES, sweep
from benchmarks.text_results import read
from polars.testing import assert_frame_equal

import votewise as vw
from toy_study import toy_plan, write_data
from votewise.reporting.charts import save
from votewise.studies import Results, Store, verify
from votewise.workflows import Execution, report

FOLDER = Path(__file__).parents[1] / "results/cifar10h-cpu"


def test_every_committed_run_is_whole_and_belongs_to_a_study() -> None:
    assert verify(FOLDER).problems == []
    store = Store(FOLDER)
    wanted = {id for study in store.studies() for id in store.runs(study)}
    assert {run.id for run in store.all_runs()} <= wanted
    assert not list(FOLDER.rglob("*.safetensors")) + list(FOLDER.rglob("*.npz"))


def test_the_report_is_built_without_the_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOTEWISE_DATA", str(tmp_path / "nowhere"))
    shutil.copytree(FOLDER, tmp_path / "store")
    page, *_ = report(tmp_path / "store", formats=())  # the paper's; the companion has its own
    text = page.read_text(encoding="utf-8")
    assert "Same Target, Different Basins" in text
    results = Results.of(Store(FOLDER))
    assert f"reproduced from {results.table['run'].n_unique():,} finished runs on cifar10h" in text


@pytest.mark.parametrize("page", PAGES)
def test_the_numbers_of_a_page_are_those_of_the_committed_results(page: str) -> None:
    text = (FOLDER.parents[1] / page).read_text(encoding="utf-8")
    assert filled(text) == text


def test_the_page_explains_the_contradicted_claims() -> None:
    text = (FOLDER.parents[1] / "docs/replication.md").read_text(encoding="utf-8")
    contradicted = re.findall(r"^\| \*\*contradicted\*\* \| (\w+) \|", text, flags=re.MULTILINE)
    explained = re.findall(r"^- \*\*([\w, ]+)\*\*:", text.partition("### Contradicted claims")[2], flags=re.MULTILINE)
    assert set(", ".join(explained).split(", ")) == set(contradicted)


def test_numbers_of_a_store_are_added_to_the_committed_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_results, "FOLDER", tmp_path / "text")
    write_data(tmp_path)
    stores = []
    for name, seeds in (("earlier", [0, 1]), ("later", [1, 2])):
        plan = tmp_path / f"{name}.toml"
        plan.write_text(toy_plan(tmp_path, seeds=seeds).toml(), encoding="utf-8")
        stores.append(vw.reproduce(plan, store=tmp_path / name, execution=Execution(workers=1)).store)
    table = text_results.add("toy", stores[0])
    committed = pl.read_parquet(table).with_columns(pl.col("value") + 1)
    committed.write_parquet(table)
    both = pl.read_parquet(text_results.add("toy", stores[1]))
    assert_frame_equal(both.filter(pl.col("seed") < 2), committed, check_row_order=False)
    again = Results.of(stores[1]).table.filter(seed=2)
    assert_frame_equal(both.filter(seed=2), again, check_row_order=False)


def test_the_figure_of_the_readme_shows_the_committed_results(tmp_path: Path) -> None:
    drawn = save(figure(cifar10h()), tmp_path / "again.svg", width=1080)
    said, again = (re.findall(r'aria-label="([^"]*)"', path.read_text(encoding="utf-8")) for path in (PICTURE, drawn))
    assert len(said) > 20
    assert said == again


def test_the_advice_is_what_the_replications_found() -> None:
    """The numbers in the sentences of `votewise.profile.advice`."""

    def differences(results: Results, votes: tuple[int | None, ...], checkpoint: str) -> list[float]:
        found = [
            results.paired(method, "soft", "soft_nll", K=k, checkpoint=checkpoint).difference.mean()
            for k in votes
            if results.values("soft", "soft_nll", K=k, checkpoint=checkpoint)
            for method in ("sls", "multipass")
        ]
        assert found
        return found

    for results in (cifar10h(), sweep("snli"), sweep("mnli")):
        few, many = (3, 5, 10), (25, 50, None)
        assert all(-0.35 < d < -0.05 for d in differences(results, few, "last"))  # by 0.1 to 0.3 nats, rounded
        assert all(abs(d) < 0.05 for d in differences(results, (*few, *many), "best"))
    for dataset in ("snli", "mnli"):
        studies = {part: read("chaosnli").select(studies=[f"{dataset}-{part}"]) for part in RECIPES}
        for part in ("linear", "linear-decay-0.01"):
            for checkpoint in ("best", "last"):
                assert min(differences(studies[part], (5, None), checkpoint)) > 0
        for part in ("decay-0.01", "decay-0.03"):
            assert max(abs(d) for d in differences(studies[part], (5, None), "last")) < 0.03
        assert max(differences(studies["dropout"], (5, None), "last")) < -0.09
        votes = sweep(dataset)
        for k in (3, 5, 10, 25, 50, None):
            for checkpoint in ("best", "last"):
                assert votes.paired("majority", "soft", "soft_nll", K=k, checkpoint=checkpoint).difference.mean() > 0


@pytest.mark.usefixtures("data")
def test_the_baselines_of_lewidi_are_those_of_the_data() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == pytest.approx(baselines())
