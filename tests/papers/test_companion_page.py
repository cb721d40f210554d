"""The companion's page: two datasets in one store, five figures, and what has to be said beside the numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from toy_study import write_data
from votewise.papers import paper
from votewise.studies import Plan, Results, Store, make_plan
from votewise.workflows import Execution, run, stages_of
from votewise.workflows.reproducing import at_hand

ONE = Execution(workers=1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Soft labels and majority vote on the digits and on features from files."""
    folder = tmp_path_factory.mktemp("companion")
    data = write_data(folder)
    digits = paper("companion").plan("companion-digits").changed(seeds=(20, 21), epochs=1)
    store = Store(folder / "store")
    run([[digits], [other(data)]], store, execution=ONE)
    return store


def other(data: Path) -> Plan:
    plan = paper("companion").plan("companion-digits").model_dump(exclude_defaults=True)
    source = {"inputs": str(data / "inputs.npy"), "votes": str(data / "votes.csv")}
    recipe = {"model": "linear", "epochs": 2, "batch_size": 16}
    changes = {"name": "companion-popquorn-offensiveness", "dataset": source, "seeds": (0, 1), "recipe": recipe}
    return make_plan(plan | changes, where="test")


def test_every_figure_and_table_covers_both_datasets(store: Store) -> None:
    results = Results.of(store)
    assert len(results.datasets) == 2
    figures = list(paper("companion").figures(results))
    assert [figure.key for figure in figures] == [1, 2, 3, 4, 5]
    assert not any(figure.missing for figure in figures)
    assert all(name in figures[3].caption for name in results.datasets)
    tables = list(paper("companion").tables(results))
    assert [table.missing for table in tables] == [(), ()]


def test_the_page_says_what_was_not_seen_of_the_paper(store: Store) -> None:
    page = (store.path / "report.html").read_text(encoding="utf-8")
    assert "its four tables, its models and its training settings" in page
    assert "published 32 % lower" in page
    for name in Results.of(store).datasets:
        assert f"The methods side by side: {name}" in page
        assert list(store.path.glob(f"studies/*/tables/table-methods-{name}.csv"))


def test_presets_have_their_own_studies() -> None:
    (demo,) = [plan for stage in stages_of("companion", "demo")[0] for plan in stage]
    assert demo.name == "companion-digits"
    assert "companion-digits" not in {plan.name for stage in paper("companion").plans("cpu") for plan in stage}


def test_a_study_whose_data_is_not_here_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOTEWISE_DATA", str(tmp_path / "nowhere"))
    skipped: list[str] = []
    digits, cifar = paper("companion").plan("companion-digits"), paper("companion").plan("companion-cifar10h", "cpu")
    left = at_hand([[digits], [cifar]], lambda plan, _: skipped.append(plan.name))
    assert left == [[digits]]
    assert skipped == ["companion-cifar10h"]
