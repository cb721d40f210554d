"""Compare, report and reproduce from Python, and a paper that is nothing but a folder."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import votewise as vw
from made_up import made_up
from my_package import Alternating
from toy_study import write_data
from votewise.errors import VotewiseError
from votewise.papers import decide, paper
from votewise.reporting import items_section
from votewise.studies import Agenda
from votewise.studies.plan import make_plan
from votewise.workflows import Execution, comparison_plan, stages_of
from votewise.workflows.reporting import contents

RECIPE = vw.Recipe(model="linear", epochs=3, batch_size=16)
ONE = Execution(workers=1)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> vw.Dataset:
    """A dataset made of arrays."""
    folder = write_data(tmp_path_factory.mktemp("data"))
    votes = vw.read_votes(folder / "votes.csv")
    return vw.Dataset(np.load(folder / "inputs.npy"), votes)


def test_a_dataset_in_memory_is_compared(data: vw.Dataset, tmp_path: Path) -> None:
    events = []
    execution = Execution(workers=1, on_progress=events.append)
    result = vw.compare(data, ["soft", "multipass"], seeds=2, recipe=RECIPE, store=tmp_path / "s", execution=execution)
    assert result.results.methods() == ("soft", "multipass")
    paired = result.results.paired("multipass", "soft", "soft_nll")
    assert paired.seeds == (0, 1)
    assert "No method can be recommended" in str(result.recommendation)
    assert events[-1].done == events[-1].total
    page = result.report(tmp_path / "comparison.html").read_text(encoding="utf-8")
    assert "The methods side by side" in page
    assert vw.verify(tmp_path / "s").problems == []
    again = vw.compare(data, ["soft", "multipass"], seeds=2, recipe=RECIPE, store=tmp_path / "s", execution=ONE)
    assert again.results.table.equals(result.results.table)


PAPER = """
from votewise.comparison import side_by_side
from votewise.papers import Paper
from votewise.papers.claims import Claims, lower
from votewise.reporting import FIGURES

CLAIMS = Claims("toy")
claim = CLAIMS.section("Everything")
claim("A1", "SLS has lower soft NLL than soft labels.", lambda r: lower(r.difference("sls", "soft", "soft_nll")))
claim("A2", "Multipass has lower soft NLL.", lambda r: lower(r.difference("multipass", "soft", "soft_nll")), where="Table 1")

PAPER = Paper(
    name="toy_paper:PAPER",
    package="toy_paper",
    title="A toy paper",
    citation="Nobody 2026",
    stages=(("only",),),
    claims=CLAIMS,
    tables=lambda results: [side_by_side(results)],
    figures=lambda results: [FIGURES[0](results)],
    lead=lambda results: "What a toy paper says.",
)
"""


def test_a_third_paper_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "toy_paper"
    (folder / "plans").mkdir(parents=True)
    (folder / "__init__.py").write_text(PAPER)
    data = write_data(tmp_path)
    (folder / "plans/only.toml").write_text(
        f"""name = "only"
methods = ["soft", "sls"]
seeds = [0, 1, 2, 3, 4]
recipe = {{ model = "linear", epochs = 3, batch_size = 16 }}

[dataset]
inputs = "{data / "inputs.npy"}"
votes = "{data / "votes.csv"}"
"""
    )
    monkeypatch.syspath_prepend(tmp_path)
    done = vw.reproduce("toy_paper:PAPER", store=tmp_path / "s", execution=ONE)
    (page,) = done.pages
    text = page.read_text(encoding="utf-8")
    assert "<h1>A toy paper</h1>" in text
    for id in ("claim-A1", "claim-A2", "chart-", "table-methods"):
        assert id in text
    assert "Needs runs of multipass." in text  # A2 waits
    sys.modules.pop("toy_paper", None)


def test_a_comparison_takes_methods_and_delivery_classes(tmp_path: Path) -> None:
    data = write_data(tmp_path)
    source = {"inputs": str(data / "inputs.npy"), "votes": str(data / "votes.csv")}
    every_two = vw.Method(delivery=Alternating, every=2)
    plan = comparison_plan(
        source, ["soft", Alternating, every_two, vw.Method(delivery="majority", mixup=1.0)], name="c", seeds=[0]
    )
    assert plan.arms[1:3] == (vw.Method(delivery=Alternating), every_two)
    assert plan.arms[3].name == "mixup"
    assert [method["name"] for method in plan.methods] == [
        "soft",
        "my_package:Alternating",
        "my_package:Alternating",
        "majority",
    ]


def test_an_unknown_name_lists_papers_and_studies() -> None:
    with pytest.raises(VotewiseError, match=r"unknown study 'mian'.*'basins'.*'sparse'"):
        stages_of("mian")


def test_several_models_are_compared_on_the_same_splits(data: vw.Dataset, tmp_path: Path) -> None:
    execution = Execution(workers=1)
    store = tmp_path / "s"
    result = vw.compare(
        data, ["soft", "multipass"], model=["linear", "mlp"], seeds=2, recipe=RECIPE, store=store, execution=execution
    )
    assert result.studies == ("compare-linear", "compare-mlp")
    found = result.recommendation
    assert found.model in ("linear", "mlp")
    (other,) = found.differences
    means = [
        sum(
            result.results.select(studies=[f"compare-{model}"])
            .values(found.advised[model].choices[0].reference, "soft_nll")
            .values()
        )
        / 2
        for model in (other, found.model)
    ]
    assert found.differences[other]["best"][0] == pytest.approx(means[0] - means[1])
    assert [row[0].text for row in result.table.rows] == [
        f"{model}, {method}" for model in ("linear", "mlp") for method in ("soft labels", "multipass")
    ]
    assert result.results.validated == {"compare-linear", "compare-mlp"}
    page = (store / "report.html").read_text(encoding="utf-8")
    assert page.index("The models side by side</h2>") < page.index("The methods side by side: linear</h2>")
    assert not (store / "studies/compare-linear/report.html").exists()
    second = vw.compare(data, ["soft"], seeds=1, recipe=RECIPE, store=store, execution=execution, name="second")
    own, links = second.reproduction.pages
    assert (own, links) == (store / "studies/second/report.html", store / "report.html")
    found_links = re.findall(r'<a href="(studies[^"]*)">([^<]*)</a>', links.read_text(encoding="utf-8"))
    assert found_links == [("studies/second/report.html", "second"), ("studies/compare-linear/report.html", "compare")]
    assert (store / "studies/compare-linear/report.html").read_text(encoding="utf-8") == page
    with pytest.raises(VotewiseError, match="'linear' is listed twice"):
        vw.compare(data, model=["linear", "linear"], store=store)


def test_each_model_has_its_own_learning_rate_unless_it_is_given(data: vw.Dataset, tmp_path: Path) -> None:
    def rates(**given: Any) -> list[float]:
        found: list[float] = []

        def stop(work: Agenda, workers: int) -> None:
            found.extend(plan.trained_with.lr for plan in work.plans)
            raise KeyboardInterrupt

        execution = Execution(on_start=stop)
        with pytest.raises(KeyboardInterrupt):
            vw.compare(data, ["soft"], model=["linear", "mlp"], store=tmp_path / "s", execution=execution, **given)
        return found

    assert rates() == [0.003, 0.01]
    assert rates(recipe=partial(vw.Recipe.for_dataset, data, epochs=2)) == [0.003, 0.01]
    assert rates(recipe=vw.Recipe.for_dataset(data, lr=0.05)) == [0.05, 0.05]


def test_the_default_seeds_can_decide_every_comparison(data: vw.Dataset, tmp_path: Path) -> None:
    """Six comparisons need 2 / 2^n <= 0.05 / 6; fewer seeds give a warning before training."""
    started: list[tuple[int, ...]] = []

    def stop(work: Agenda, workers: int) -> None:
        started.append(work.plans[0].seeds)
        raise KeyboardInterrupt

    def begin(methods: list[str], **values: Any) -> None:
        with pytest.raises(KeyboardInterrupt):
            vw.compare(data, methods, recipe=RECIPE, store=tmp_path / "s", execution=Execution(on_start=stop), **values)

    begin(["soft", "multipass"])
    begin(["soft", "multipass", "majority"], votes_per_item=[2, 3, "all"])
    assert started == [tuple(range(7)), tuple(range(8))]
    with pytest.warns(UserWarning, match="with 7 seeds, no difference between methods .* use at least 8 seeds"):
        begin(["soft", "multipass", "majority"], votes_per_item=[2, 3, "all"], seeds=7)


def test_the_protocol_of_the_papers_is_an_option(data: vw.Dataset, tmp_path: Path) -> None:
    same = {"seeds": 1, "recipe": RECIPE, "evidence": False, "execution": ONE, "store": tmp_path / "s"}
    assert vw.compare(data, ["soft"], **same).results.validated == {"compare"}
    paper = vw.compare(data, ["soft"], protocol="paper", **same)
    assert paper.results.validated == frozenset()
    (run,) = paper.store.finished("compare")
    assert run.config.split == vw.Split()
    with pytest.raises(VotewiseError, match="unknown protocol 'papers'"):
        vw.compare(data, ["soft"], protocol="papers", **same)


@pytest.mark.parametrize("changed", [{"recipe": {"epochs": 3}}, {"dataset": "cifar10h"}])
def test_claims_do_not_mix_recipes_or_datasets(changed: dict[str, object]) -> None:
    results = made_up()
    other = make_plan({**results.plans["ablation"].model_dump(exclude_defaults=True), **changed}, where="ablation")
    kept = results.select(studies=[study for study in results.plans if study != "ablation"])
    mixed = replace(results, plans={**results.plans, "ablation": other})
    made = contents(mixed, paper("basins"), items=items_section(None, lambda method: (method, "")))
    expected = decide(paper("basins").claims, kept)
    assert [found.as_dict() for found in made.decisions["basins"]] == [found.as_dict() for found in expected]
    assert [caution for caution in made.page.cautions if "They leave out ablation" in caution]
