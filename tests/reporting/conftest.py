"""A store of runs that take four seconds in total, and a page of simulated results."""

from __future__ import annotations

from pathlib import Path

import pytest

from toy_study import toy_plan, write_data
from votewise.datasets import Dataset
from votewise.studies import Results, Store
from votewise.training import complete


@pytest.fixture(scope="module")
def store_of_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Results, Dataset]:
    """A store of two methods and three seeds on sixty items. Of the six runs, one is damaged and one was never started."""
    folder = write_data(tmp_path_factory.mktemp("report"))
    plan = toy_plan(folder, seeds=[0, 1, 2])
    store, dataset = Store(folder / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    for config in configs[:-1]:
        complete(dataset, config, store.path)
    (store.run(configs[0]).folder / "history.jsonl").write_text("{}\n")
    return store, Results.of(store), dataset


@pytest.fixture(scope="session")
def made_up_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of simulated results, with items whose labels would run as code if the page did not escape them."""
    from made_up import made_up
    from toy_items import predictions, toy_dataset
    from votewise.papers import paper
    from votewise.reporting import Looks, build, choose_items, items_section
    from votewise.workflows.reporting import contents

    results, dataset = made_up(), toy_dataset(text=True)
    held_out = {method: predictions(dataset, method) for method in ("soft", "sls")}
    held_out["majority"] = predictions(dataset, "majority", every=2)
    looks = Looks.of(results)
    section = items_section(choose_items(dataset, held_out), lambda method: (looks[method].name, looks[method].colour))
    made = contents(results, paper("basins"), [dataset], items=section)
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(build(made.page), encoding="utf-8")
    return path
