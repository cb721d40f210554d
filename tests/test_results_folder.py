"""The committed results of the replication: whole, and enough for the report."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from benchmarks.findings import PICTURE, figure
from benchmarks.replication_page import PAGES, cifar10h, filled

from votewise.reporting.charts import save
from votewise.studies import Results, Store, verify
from votewise.training import Run
from votewise.workflows import report

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


def test_the_recipe_trials_are_those_of_the_page() -> None:
    page = (FOLDER.parents[1] / "docs/replication.md").read_text(encoding="utf-8")
    runs = Store(FOLDER.parent / "recipe-trials").all_runs()
    assert len(runs) == 8
    for run in runs:
        recipe, fit = run.config.recipe, run.interpolation
        row = (
            f"{round((1 - run.config.split.fraction) * 10_000):,}",
            ", ".join(recipe.augment or ()) or "none",
            recipe.batch_size,
            recipe.epochs,
            f"{recipe.weight_decay:g}",
            f"{fit.train_loss_last - fit.target_entropy:.3f}",
            f"{run.best.scores['soft_nll']:.3f}",
            f"{run.last.scores['soft_nll']:.3f}",
            run.best.epoch + 1,
            f"{run.best.scores['accuracy']:.3f}",
        )
        assert f"| {' | '.join(map(str, row))} |" in page


def test_the_first_soft_run_fits_its_targets_as_the_page_says() -> None:
    (run,) = FOLDER.glob("runs/cifar10h-soft-k5-s0-*")
    fit = Run(run).interpolation
    page = (FOLDER.parents[1] / "docs/replication.md").read_text(encoding="utf-8")
    assert f"ends {fit.train_loss_last - fit.target_entropy:.3f} nats above" in page.replace("\n", " ")


@pytest.mark.parametrize("page", PAGES)
def test_the_numbers_of_a_page_are_those_of_the_committed_results(page: str) -> None:
    text = (FOLDER.parents[1] / page).read_text(encoding="utf-8")
    assert filled(text) == text


def test_the_figure_of_the_readme_shows_the_committed_results(tmp_path: Path) -> None:
    drawn = save(figure(cifar10h()), tmp_path / "again.svg", width=1080)
    said, again = (re.findall(r'aria-label="([^"]*)"', path.read_text(encoding="utf-8")) for path in (PICTURE, drawn))
    assert len(said) > 20
    assert said == again
