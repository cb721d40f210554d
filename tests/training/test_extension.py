"""A user's own delivery and model, as CONTRIBUTING.md says: by import path or as the object, in fit and in plans."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import my_package
import votewise as vw
from toy import toy_dataset
from toy_study import toy_plan, write_data
from votewise.errors import VotewiseError
from votewise.importing import import_object, source_digest
from votewise.studies import Local, Probing, Results, Store, label, make_probe
from votewise.studies.executor import Training
from votewise.studies.probing import ProbeJob
from votewise.training import Engine, Method, Problem, Recipe, configure, method

RECIPE = Recipe(model="linear", epochs=2, batch_size=16)


def test_a_delivery_is_the_same_run_as_a_class_and_by_its_path(tmp_path: Path) -> None:
    data = toy_dataset()
    run = vw.fit(data, my_package.Alternating, RECIPE, store=tmp_path)
    assert run.config.method.delivery == "my_package:Alternating"
    assert run.config.method.source == source_digest(my_package.Alternating)
    assert run.name.startswith("toy-Alternating-s0-")
    assert vw.fit(data, "my_package:Alternating", RECIPE, store=tmp_path) == run
    assert run.tape == my_package.Alternating(Problem(data, run.config).train_votes, seed=0).fingerprint(2)


def test_options_of_a_custom_delivery_are_checked_and_decide_the_id() -> None:
    plain = method("my_package:Alternating")
    assert method(my_package.Alternating, every=1) == plain
    assert method("my_package:Alternating", every=3).options == {"every": 3}
    assert label(method("my_package:Alternating", every=3)) == "Alternating(every=3)"
    with pytest.raises(VotewiseError, match="unknown option 'evry'"):
        method("my_package:Alternating", evry=3)
    with pytest.raises(VotewiseError, match="every must be a whole number"):
        method("my_package:Alternating", every="often")


def test_a_function_that_gives_any_object_with_the_contract_will_do(tmp_path: Path) -> None:
    data = toy_dataset()
    run = vw.fit(data, my_package.plain, RECIPE, store=tmp_path)
    same = vw.fit(data, "majority", RECIPE, store=tmp_path)
    assert run.tape == same.tape
    assert run.best.scores == same.best.scores


def test_a_delivery_that_breaks_its_contract_is_not_trained(tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match="breaks its contract"):
        vw.fit(toy_dataset(), my_package.impure, RECIPE, store=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("model", [my_package.Net, my_package.WithHead])
def test_any_module_trains_scores_and_predicts(tmp_path: Path, model: type[my_package.Net]) -> None:
    data = toy_dataset()
    run = vw.fit(data, "soft", RECIPE, model=model, store=tmp_path)
    assert run.config.recipe.model == f"my_package:{model.__name__}"
    assert isinstance(run.model(), model)
    held_out = np.searchsorted(data.votes.row, run.predictions.row)
    np.testing.assert_allclose(np.log(run.predict(data)[held_out]), run.best.log_probabilities, atol=1e-4)


def test_built_ins_have_no_source() -> None:
    assert "source" not in method("sls").model_dump(exclude_defaults=True)
    assert "model_source" not in Recipe.preset("cpu").model_dump(exclude_defaults=True)


def test_a_model_that_is_defined_here_works_in_this_process(tmp_path: Path) -> None:
    class Local(my_package.Net):
        pass

    run = vw.fit(toy_dataset(), "soft", RECIPE, model=Local, store=tmp_path)
    assert isinstance(run.model(), Local)


def test_a_model_whose_source_has_changed_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = vw.fit(toy_dataset(), "soft", RECIPE, model="my_package:Net", store=tmp_path)
    monkeypatch.setattr("votewise.training.objects._GIVEN", {"my_package:Net": my_package.WithHead})
    with pytest.raises(VotewiseError, match="the source of 'my_package:Net'"):
        run.model()


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("my_package:Nett", "has no attribute 'Nett'"),
        ("no_package:Net", "cannot import module 'no_package'"),
        ("my_package:", "not an import path"),
        ("my_package:RECIPES", "has no"),
        ("my_package:no_module", "must return a torch.nn.Module, got int"),
        (3, "neither a class nor a function"),
    ],
)
def test_what_is_not_a_model_is_refused(tmp_path: Path, model: str, message: str) -> None:
    with pytest.raises(VotewiseError, match=message):
        vw.fit(toy_dataset(), "soft", RECIPE, model=model, store=tmp_path)


def test_a_plan_trains_both_in_worker_processes(tmp_path: Path) -> None:
    plan = toy_plan(
        write_data(tmp_path),
        seeds=[0],
        methods=["soft", {"name": "my_package:Alternating", "every": 2}],
        recipe={"model": "my_package:WithHead", "epochs": 2, "batch_size": 16},
    )
    store, dataset = Store(tmp_path / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    work = Training(plan.dataset, store.path, Engine())
    outcomes = list(Local(1).execute(configs, work, lambda _id, _epochs: None))
    assert [outcome.kind for outcome in outcomes] == ["finished", "finished"], outcomes
    assert set(Results.of(store).table["method"]) == {"soft", "Alternating(every=2)"}
    assert plan.changed() == plan


def test_probes_that_need_features_say_what_is_missing(tmp_path: Path) -> None:
    plan = toy_plan(
        write_data(tmp_path),
        seeds=[0],
        methods=["soft"],
        recipe={"model": "my_package:Net", "epochs": 1, "batch_size": 16},
    )
    dataset = plan.dataset.load()
    (config,) = plan.configs(dataset)
    vw.training.complete(dataset, config, tmp_path / "store")
    work = Probing(plan.dataset, tmp_path / "store", Engine())
    assert work.do(ProbeJob(make_probe("dynamics"), (config,))).kind == "finished"
    refused = work.do(ProbeJob(make_probe("noise"), (config,)))
    assert refused.kind == "failed"
    assert "Net has no attribute `head`" in refused.why


def test_an_object_of_main_cannot_be_found_by_a_worker() -> None:
    with pytest.raises(VotewiseError, match=r"cannot import .__main__:Net"):
        import_object("__main__:Net")


def test_a_function_without_a_source_is_refused() -> None:
    program = "import votewise as vw; vw.Method(delivery=lambda votes, seed: None)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "the source of" in done.stderr
    assert "cannot be found" in done.stderr


def test_the_id_of_a_run_changes_with_the_source() -> None:
    data = toy_dataset()
    one = configure(data, Method(delivery="my_package:plain"))
    other = configure(data, Method(delivery="my_package:plain", source="0" * 64))
    assert one.id != other.id
