"""A store with runs of four seconds in all, and a page of results that nobody ran."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_study import toy_plan, write_data

from votewise.datasets import Dataset
from votewise.evidence.results import Results
from votewise.studies import Store
from votewise.training import complete


@pytest.fixture(scope="module")
def store_of_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Store, Results, Dataset]:
    """Two methods and three seeds on sixty items; of the six runs one is damaged and one was never started."""
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
    """The page of made-up results, with items whose labels would be code if the page let them."""
    from made_up import made_up
    from tests.report.toy_items import predictions, toy_dataset

    from votewise.evidence.claims.deciding import decide
    from votewise.evidence.figures import FIGURES, figure
    from votewise.evidence.tables import TABLES, table
    from votewise.report import items, page

    results, dataset = made_up(), toy_dataset(text=True)
    held_out = {method: predictions(dataset, method) for method in ("soft", "sls")}
    held_out["majority"] = predictions(dataset, "majority", every=2)
    text = page(
        results,
        decide(results),
        [table(number, results) for number in TABLES],
        [figure(number, results) for number in FIGURES],
        items(dataset, held_out),
    )
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(text, encoding="utf-8")
    return path
