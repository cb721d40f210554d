"""A plan becomes configurations; the paper's studies are data; a run that two studies need is one run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from toy import toy_dataset
from toy_study import toy_plan, write_data
from votewise.datasets import load_dataset
from votewise.errors import VotewiseError
from votewise.papers import paper as paper_called
from votewise.probes import PROBES
from votewise.studies import Plan, ProbeSpec, Source, label, probe_jobs, read_plan
from votewise.studies.plan import make_plan
from votewise.training import Method, Recipe, Split, method

study, STUDIES = paper_called("basins").plan, paper_called("basins").studies


def test_the_papers_studies_have_the_papers_runs() -> None:
    """Section 4: ten seeds for the main comparison, five for the others, K of 5 to 50; shared runs are run once."""
    dataset = toy_dataset()
    configs = {name: study(name, "paper").configs(dataset) for name in STUDIES}
    assert {name: len(runs) for name, runs in configs.items()} == {
        "main": 50, "sparse": 100, "ablation": 20, "resampling": 20, "twins": 20
    }  # fmt: skip
    assert {config.seed for config in configs["main"]} == set(range(10))
    assert all({config.seed for config in configs[name]} == set(range(5)) for name in STUDIES[1:])
    assert {config.recipe.epochs for runs in configs.values() for config in runs} == {200}
    # soft and sls with all votes are main's; of the ablation only shuffled-sls is new, of the resampling three intervals, of the basins the twins
    assert len({config.id for runs in configs.values() for config in runs}) == 50 + 100 - 10 + 5 + 15 + 10


def test_the_demo_has_186_runs_in_all() -> None:
    digits = load_dataset("digits")
    plans = [study(name, "demo") for name in STUDIES]
    configs = [config for plan in plans for config in plan.configs(digits)]
    assert [len(plan.configs(digits)) for plan in plans] == [50, 120, 24, 24, 24]
    assert len({config.id for config in configs}) == 186
    assert {config.seed for config in configs} == set(range(20, 30))
    assert {config.subsample.kind for config in configs if config.subsample} == {"nested"}


def test_on_digits_50_votes_are_all_votes() -> None:
    digits, plan = load_dataset("digits"), study("sparse", "demo")
    with_50 = plan.model_copy(update={"votes_per_item": (3, 10, 50)})
    assert [run.id for run in with_50.configs(digits)] == [run.id for run in plan.configs(digits)]


def test_votes_that_nobody_has_are_all_votes_once(tmp_path: Path) -> None:
    """Five votes each: 5 and 9 are all of them."""
    write_data(tmp_path)
    plan = toy_plan(tmp_path, votes_per_item=[5, "all", 9], subsample="nested")
    configs = plan.configs(plan.dataset.load())
    assert len(configs) == len({config.id for config in configs}) == 2 * 2


def test_the_largest_seed_and_its_twin_are_runs(tmp_path: Path) -> None:
    write_data(tmp_path)
    plan = toy_plan(tmp_path, methods=["soft"], seeds=[10**18], twins=2)
    seeds = [config.seed_of("training") for config in plan.configs(plan.dataset.load())]
    assert np.array(seeds).dtype == np.int64
    assert len(set(seeds)) == 2


def test_intervals_belong_to_deliveries_that_draw(tmp_path: Path) -> None:
    write_data(tmp_path)
    plan = toy_plan(tmp_path, methods=["soft", "sls", {"name": "sls", "resample_every": 3}], resample_every=[1, 2])
    assert [label(arm) for arm in plan.arms] == ["soft", "sls", "sls-every-2", "sls-every-3"]


@pytest.mark.parametrize("size", [[8], [], [8, 8, 8], "x"])
def test_a_size_is_one_number_or_two(size: object) -> None:
    with pytest.raises(VotewiseError, match=r"^here \[dataset\]: size must be a whole number, or a list"):
        make_plan(
            {"name": "x", "dataset": {"name": "digits", "size": size}, "methods": ["soft"], "seeds": [0]}, where="here"
        )


def test_labels_tell_apart_what_is_different() -> None:
    arms = [method("label-smoothing"), method("label-smoothing", epsilon=0.2), method("mixup"), method("mixup", mixup=0.4),
            method("majority"), method("sls"), method("sls", resample_every=5)]  # fmt: skip
    assert len({label(arm) for arm in arms}) == len(arms)


names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,20}", fullmatch=True)
methods = st.sampled_from(
    ["soft", "sls", {"name": "label-smoothing", "epsilon": 0.25}, {"name": "mixup", "mixup": 0.4}]
)


@given(
    names,
    st.text(min_size=1).filter(lambda text: "\0" not in text),
    st.lists(methods, min_size=1, unique_by=str),
    st.lists(st.integers(0, 10**18), min_size=1, unique=True),
    st.lists(st.integers(1, 99) | st.just("all"), min_size=1, unique=True),
    st.floats(1e-6, 10),
)
def test_a_plan_is_read_back_as_it_was_written(tmp_path_factory, name, place, methods, seeds, votes, lr) -> None:
    path = tmp_path_factory.getbasetemp() / "plan.toml"
    values = {
        "name": name,
        "methods": methods,
        "seeds": seeds,
        "votes_per_item": votes,
        "recipe": {"lr": lr, "augment": ["flip"]},
    }
    for dataset in ("digits", {"inputs": str(path.parent / "x.npy"), "votes": "/" + place, "classes": [place, "b"]}):
        plan = make_plan({**values, "dataset": dataset, "split": {"fraction": 0.25}}, where="here")
        path.write_text(plan.toml(), encoding="utf-8")
        again = read_plan(path)
        if plan.dataset.votes is not None:
            plan = plan.model_copy(update={"dataset": plan.dataset.below(path.parent)})
        assert again == plan


def test_paths_count_from_the_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_data(tmp_path)
    (tmp_path / "plans").mkdir()
    text = toy_plan(tmp_path).toml().replace(str(tmp_path), "..")
    (tmp_path / "plans/mine.toml").write_text(text)
    monkeypatch.chdir("/")
    assert len(read_plan(tmp_path / "plans/mine.toml").dataset.load()) == 60


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"metods": ["soft"]}, ["metods", "methods"]),
        ({"methods": ["hard"]}, ["hard", "multipass"]),
        ({"methods": []}, ["methods"]),
        ({"methods": [{"epsilon": 0.2}]}, ["a method is missing", "name"]),
        ({"methods": ["soft", ""]}, ["a method is missing", '"soft"']),
        ({"methods": ["soft", "soft"]}, ["the method 'soft' is listed twice"]),
        ({"methods": ["sls", {"name": "sls", "resample_every": 1}]}, ["the method 'sls' is listed twice"]),
        ({"methods": ["sls", {"name": "label-smoothing", "epsilon": 0.1}, "label-smoothing"]}, ["'label-smoothing' is listed twice"]),
        ({"seeds": [3, 0, 3]}, ["the seed 3 is listed twice"]),
        ({"seeds": [True]}, ["seeds", "True", "a whole number"]),
        ({"seeds": [1.0]}, ["seeds", "1.0", "a whole number"]),
        ({"seeds": [2**64]}, ["seeds", "18446744073709551616", "1e+18 or less"]),
        ({"twins": True}, ["twins", "True", "a whole number"]),
        ({"votes_per_item": [True]}, ["votes_per_item", "True", "'all'"]),
        ({"votes_per_item": [3, "all", 3]}, ["the number of votes 3 is listed twice"]),
        ({"resample_every": [True]}, ["resample_every", "True"]),
        ({"methods": ["soft", "majority"], "resample_every": [1, 5]}, ["resample_every = 5", "no method", "sls"]),
        ({"methods": [{"name": "label-smoothing", "epsilon": 2}]}, ["epsilon", "2"]),
        ({"methods": [{"name": "sls", "every": 2}]}, ["every", "resample_every"]),
        ({"seeds": [-1]}, ["seeds", "-1"]),
        ({"votes_per_item": [0]}, ["votes_per_item", "0"]),
        ({"votes_per_item": ["most"]}, ["votes_per_item", "most"]),
        ({"subsample": "some"}, ["subsample", "some"]),
        ({"resample_every": [0]}, ["resample_every", "0"]),
        ({"preset": "quick"}, ["quick", "demo"]),
        ({"recipe": {"epoch": 3}}, ["epoch", "epochs"]),
        ({"recipe": {"lr": float("nan")}}, ["lr", "nan"]),
        ({"split": {"fraction": 2}}, ["fraction", "2"]),
        ({"dataset": {"inputs": "x.npy"}}, ["votes with inputs or text", "votes and inputs"]),
        ({"dataset": {"inputs": "x.npy", "votes": "v.csv", "colour": 1}}, ["colour", "annotator"]),
        ({"dataset": "imagenet"}, ["imagenet", "cifar10h"]),
        ({"name": "../out"}, ["name", "../out"]),
        ({"probes": 5}, ["probes", "5", "a list"]),
        ({"probes": [{"name": "noise", "methods": ["soft"], "checkpoints": ["final"]}]}, ["[[probes]] 1", "final", "last"]),
        ({"probes": [{"name": "noise", "methods": ["soft"], "checkpoint": "best"}]}, ["checkpoint", "'checkpoints'"]),
        ({"probes": [{"name": "noise", "methods": ["softer"]}]}, ["[[probes]] 1", "softer", "'soft'"]),
        ({"probes": [{"name": "noise", "methods": ["soft"]}, {"name": "luck", "methods": ["soft"]}]}, ["[[probes]] 2: unknown probe 'luck'", "'noise'"]),
        ({"probes": [{"name": "noise", "methods": ["seeds"]}]}, ["[[probes]] 1", "no method 'seeds'"]),
        ({"probes": [{"name": "barrier", "methods": ["soft"], "against": "soft"}]}, ["against = 'soft' would compare this method with itself", "seeds"]),
        ({"probes": [{"name": "barrier", "methods": ["soft"], "against": "twin"}]}, ["no twins", "twins = 2"]),
        ({"methods": ["soft", "sls", "majority"], "probes": [{"name": "barrier", "methods": ["sls"], "against": other} for other in ("soft", "majority")]}, ["[[probes]] 2", "compares sls with soft and with majority", "keep one"]),
        ({"probes": [{"name": "noise", "methods": ["soft"]}], "probe_options": {"noise": {"checkpoint": "last"}}}, ["[probe_options.noise]", "[[probes]]"]),
        ({"methods": [{"name": "soft", "delivery": "sls"}]}, ["unknown option 'delivery'"]),
        ({"probe_options": {"relia": {}}}, ["[probe_options.relia]: unknown probe 'relia'", "'reliability'"]),
        ({"probe_options": {"noise": {"draws": 9}}}, ["[probe_options.noise]: the plan does not run noise", "[[probes]]"]),
        ({"probes": [{"name": "noise", "methods": ["soft"]}], "probe_options": {"noise": {"draw": 9}}}, ["[probe_options.noise]: unknown key 'draw'", "'draws'"]),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_told_in_one_sentence(tmp_path: Path, changes: dict[str, object], words: list[str]) -> None:
    """Which begins with where the plan is."""
    with pytest.raises(VotewiseError) as told:
        toy_plan(tmp_path, **changes)
    sentence = str(told.value)
    assert sentence.startswith("toy plan")
    assert all(word in sentence for word in words), sentence
    assert told.value.remedy or "must be" in sentence


@pytest.mark.parametrize("name", PROBES)
def test_a_probe_gets_as_many_runs_as_it_measures(tmp_path: Path, name: str) -> None:
    """By what they measure: a barrier lies between two runs, a spectrum is one run's."""
    two = name in ("barrier", "representation", "diagnosis", "same-winner", "examples")
    row = {"name": name, "methods": ["sls"]}
    right, wrong = ({**row, "against": "soft"}, row) if two else (row, {**row, "against": "soft"})
    assert toy_plan(tmp_path, probes=[right]).probes[0].name == name
    with pytest.raises(VotewiseError) as told:
        toy_plan(tmp_path, probes=[right, wrong])
    missing = f'the probe {name} compares two runs, but against is not set; set against = "soft", "seeds" or "twin"'
    needless = f"against is set, but the probe {name} probes one run; remove against"
    assert str(told.value) == f"toy plan [[probes]] 2: {missing if two else needless}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('methods = ["multiplass"]', "plan.toml: unknown method 'multiplass'; "),
        ('methods = [{ name = "label-smoothing", epsilon = 2 }]', "plan.toml method label-smoothing: epsilon must be 1 or less, got 2"),
        ('preset = "gpu"', "plan.toml: unknown preset 'gpu'; "),
        ('dataset = "mnist"', "plan.toml: unknown dataset 'mnist'; "),
        ('recipe = { epoch = 3 }', "plan.toml [recipe]: unknown key 'epoch'; "),
        ('split = { fraction = 2 }', "plan.toml [split]: fraction must be less than 1, got 2"),
        ('probes = [{ name = "sharpness", methods = ["soft"] }]', "plan.toml [[probes]] 1: unknown probe 'sharpness'; "),
        ('dataset = { inputs = "x.npy" }', "plan.toml [dataset]: the data must be either "),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_names_the_file(tmp_path: Path, line: str, sentence: str) -> None:
    right = {"name": '"mine"', "dataset": '"digits"', "methods": '["soft"]', "seeds": "[0]"}
    key, _, value = line.partition(" = ")
    text = "\n".join(f"{name} = {given}" for name, given in {**right, key: value}.items())
    (tmp_path / "plan.toml").write_text(text)
    with pytest.raises(VotewiseError) as told:
        read_plan(tmp_path / "plan.toml")
    assert str(told.value).startswith(f"{tmp_path}/{sentence}")


def test_a_file_that_is_no_plan(tmp_path: Path) -> None:
    (tmp_path / "plan.toml").write_text("methods = [soft]\n")
    with pytest.raises(VotewiseError, match="invalid TOML"):
        read_plan(tmp_path / "plan.toml")
    with pytest.raises(VotewiseError, match="this file does not exist"):
        read_plan(tmp_path / "nowhere.toml")
    with pytest.raises(VotewiseError, match="unknown study 'mian'"):
        study("mian")


PAGE = (Path(__file__).parents[2] / "docs/guides/studies.md").read_text(encoding="utf-8")


def test_the_plan_on_the_page_is_one(tmp_path: Path) -> None:
    """It is read, its deliveries can be made, and its probes find runs."""
    write_data(tmp_path)
    (tmp_path / "inputs.npy").rename(tmp_path / "x.npy")
    (example,) = re.findall(r"^```toml title=\"plan.toml\"\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)
    (tmp_path / "plan.toml").write_text(example, encoding="utf-8")
    plan = read_plan(tmp_path / "plan.toml")
    dataset = plan.dataset.load()
    plan.check(dataset)
    configs = plan.configs(dataset)
    assert len(configs) == len(plan.methods) * len(plan.votes_per_item) * len(plan.seeds)
    assert {job.probe.name for job in probe_jobs(plan, configs)} == {spec.name for spec in plan.probes}


@pytest.mark.parametrize("kind", [Plan, Source, Recipe, Split, ProbeSpec, Method])
def test_the_page_names_every_key(kind: type[BaseModel]) -> None:
    known = set(re.findall(r"\w+", PAGE))
    assert set(kind.model_fields) - {"delivery", "source", "model_source"} <= known  # which a name implies


def test_the_page_names_the_probes_of_two_runs() -> None:
    (said,) = re.findall(r"`against` \| only for ([^:]*), which compare two runs", PAGE)
    assert set(re.findall(r"`([\w-]+)`", said)) == {name for name, kind in PROBES.items() if kind.pair}
