"""Probes of stored runs: run once, kept beside the run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from toy import toy_dataset
from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.probes import PROBES, ProbedRun, read_reading, run_probe
from votewise.training import Config, Problem, Recipe, complete, configure, method

RECIPE = Recipe(model="digits", epochs=3, batch_size=16, lr=0.05)


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    plain = toy_dataset()
    other = np.full((9, 10, 10, 1), 255, np.uint8)
    other[:, ::2] = np.arange(9, dtype=np.uint8)[:, None, None, None]
    return Dataset(
        plain.inputs,
        plain.votes,
        name=plain.name,
        mean=plain.mean,
        std=plain.std,
        ood={"near": other, "far": 255 - other},
    )


def config(dataset: Dataset, name: str, seed: int = 0, k: int | None = 3) -> Config:
    return configure(dataset, method(name), RECIPE, seed=seed, votes_per_item=k)


@pytest.fixture(scope="module")
def runs(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> dict[str, ProbedRun]:
    store = tmp_path_factory.mktemp("store")
    wanted = {"sls": config(dataset, "sls"), "soft": config(dataset, "soft"), "sls1": config(dataset, "sls", seed=1)}
    return {name: ProbedRun(complete(dataset, each, store), Problem(dataset, each)) for name, each in wanted.items()}


PARTNER = {"barrier": "soft", "representation": "sls1", "diagnosis": "soft", "same-winner": "soft", "examples": "soft"}


@pytest.mark.parametrize("name", PROBES)
def test_a_probe_is_taken_once_and_says_numbers(runs: dict[str, ProbedRun], name: str, monkeypatch) -> None:
    probe = PROBES[name]()
    subjects = [runs["sls"], *([runs[PARTNER[name]]] if probe.pair else [])]
    reading = run_probe(probe, *subjects, chunk=7)
    path = probe.path(subjects[0].run.folder, *(each.id for each in subjects[1:]))
    assert read_reading(path) == reading
    assert any(value is not None for value in reading.numbers.values())
    assert json.loads(path.read_text())["runs"] == [each.id for each in subjects]

    def again(*_: object, **__: object) -> None:
        raise AssertionError("measured twice")

    monkeypatch.setattr(type(probe), "measure", again)
    assert run_probe(probe, *subjects) == reading
    path.write_text(path.read_text()[:-20])  # cut off while it was written by somebody who does not know better
    with pytest.raises(AssertionError, match="measured twice"):
        run_probe(probe, *subjects)
    path.unlink()


@pytest.mark.parametrize("name", PROBES)
def test_the_size_of_the_chunk_changes_nothing(runs: dict[str, ProbedRun], name: str) -> None:
    probe = PROBES[name]()
    subjects = [runs["sls"], *([runs[PARTNER[name]]] if probe.pair else [])]
    small, large = (probe.measure(*subjects, chunk=chunk) for chunk in (5, 100))
    for key, value in small.numbers.items():
        if value is None:
            assert large.numbers[key] is None
        elif "reestimated" not in key:  # batch-norm statistics are averages over chunks
            assert value == pytest.approx(large.numbers[key], rel=1e-3, abs=1e-4), key


def test_other_parameters_are_kept_in_other_files(runs: dict[str, ProbedRun]) -> None:
    folder = runs["sls"].run.folder
    noise = PROBES["noise"]
    paths = {
        noise().path(folder),
        noise(seed=1).path(folder),
        noise(checkpoint="last").path(folder),
        noise().path(folder, "x"),
    }
    assert len(paths) == 4
    assert noise().path(folder) == noise(seed=0).path(folder)


def copied(subject: ProbedRun, folder: Path, change: dict[str, torch.Tensor]) -> ProbedRun:
    """The same run with other weights."""
    (folder / "best.safetensors").unlink(missing_ok=True)
    for name in ("scores.json", "history.jsonl", "predictions.npz"):
        (folder / name).write_bytes((subject.run.folder / name).read_bytes())
    save_file({**load_file(subject.run.folder / "best.safetensors"), **change}, folder / "best.safetensors")
    return ProbedRun(type(subject.run)(folder), subject.problem)


WITH_MODEL = [
    name for name in PROBES if name not in ("dynamics", "reliability", "diagnosis", "spread", "same-winner", "examples")
]


@pytest.mark.parametrize("name", WITH_MODEL)
def test_weights_that_are_no_numbers_are_told(runs: dict[str, ProbedRun], name: str, tmp_path: Path) -> None:
    broken = copied(runs["sls"], tmp_path, {"head.bias": torch.full((3,), float("nan"))})
    probe = PROBES[name]()
    others = [runs[PARTNER[name]]] if probe.pair else []
    with pytest.raises(VotewiseError, match="finite"):
        run_probe(probe, broken, *others)
    assert not (tmp_path / "probes").exists()


@pytest.mark.parametrize("name", WITH_MODEL)
def test_weights_of_another_net_are_told(runs: dict[str, ProbedRun], name: str, tmp_path: Path) -> None:
    other = copied(runs["sls"], tmp_path, {"head.bias": torch.zeros(5)})
    probe = PROBES[name]()
    others = [runs[PARTNER[name]]] if probe.pair else []
    with pytest.raises(VotewiseError, match="the weights do not fit the model digits"):
        run_probe(probe, other, *others)


def test_a_folder_that_cannot_be_written_is_told(runs: dict[str, ProbedRun]) -> None:
    folder = runs["soft"].run.folder
    (folder / "probes").write_text("a file where the folder should be")
    with pytest.raises(VotewiseError, match=r"probes: cannot be created .*choose a writable folder"):
        run_probe(PROBES["dynamics"](), runs["soft"])
    (folder / "probes").unlink()


def test_runs_that_held_out_nothing_in_common_cannot_be_compared(runs: dict[str, ProbedRun]) -> None:
    first, second = runs["sls"], runs["sls1"]
    apart = ProbedRun(second.run, Problem(second.dataset, second.problem.config))
    apart.problem.evaluation = first.problem.training[:12]
    with pytest.raises(VotewiseError, match="share no held-out item"):
        run_probe(PROBES["representation"](), first, apart)


class Custom(nn.Module):
    """A user's network; `last` is the name of its last layer."""

    def __init__(self, last: str) -> None:
        super().__init__()
        self.last = last
        self.add_module(last, nn.Linear(100, 3))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.get_submodule(self.last)(x.flatten(1))


def custom(run: ProbedRun, last: str) -> ProbedRun:
    class Own(ProbedRun):
        model = Custom(last).eval()

    return Own(run.run, run.problem)


@pytest.mark.parametrize("name", ["noise", "representation", "ood"])
def test_a_custom_model_without_a_head_is_told_what_to_pass(runs: dict[str, ProbedRun], name: str) -> None:
    own = [custom(runs[key], "classifier") for key in ("sls", "soft")]
    probe = PROBES[name]()
    with pytest.raises(VotewiseError, match="Custom has no attribute `head`") as refused:
        probe.measure(*own[: 1 + probe.pair])
    assert "pass features=" in (refused.value.remedy or "")


def test_a_custom_model_needs_nothing_but_a_head(runs: dict[str, ProbedRun]) -> None:
    own = [custom(runs[key], "head") for key in ("sls", "soft")]
    for name in ("curvature", "spectrum", "noise", "ood"):
        assert PROBES[name]().measure(own[0]).numbers
    reading = PROBES["representation"]().measure(*own)
    assert set(reading.numbers) == {"items", "items_high", "cka", "cka_debiased"}
    assert len(reading.notes) == 1
    assert "`seen`" in reading.notes[0]


def test_a_set_that_arrives_later_is_measured_and_a_replaced_one_again(dataset: Dataset, tmp_path: Path) -> None:
    from dataclasses import replace

    near, far = dataset.ood["near"], dataset.ood["far"]
    each, probe = config(dataset, "soft"), PROBES["ood"](neighbours=5)
    run = complete(dataset, each, tmp_path)

    def taken(**ood: np.ndarray) -> dict[str, float | None]:
        seen = replace(dataset, ood=ood)
        return dict(run_probe(probe, ProbedRun(run, Problem(seen, each))).numbers)

    first = taken(near=near)
    assert first["n_near"] == 9
    assert "auroc_far_msp" not in first
    both = taken(near=near, far=far)
    assert both["n_far"] == 9
    assert both["auroc_near_knn"] == first["auroc_near_knn"]
    assert taken(near=near[:4], far=far)["n_near"] == 4
    kept = json.loads(probe.path(run.folder).read_text())["data"]
    assert {name: facts["n"] for name, facts in kept.items()} == {"near": 4, "far": 9}
    assert taken(near=near, far=far) == both
