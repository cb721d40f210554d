"""The identity of a run: what decides its numbers, and nothing else. A diff in golden/identities.json is a reviewed event."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import Field, ValidationError

from toy import toy_dataset
from votewise.datasets import Dataset, load_dataset
from votewise.errors import RunFailedError, VotewiseError
from votewise.training import (
    Config,
    Method,
    Progress,
    Recipe,
    Run,
    Split,
    complete,
    configure,
    method,
)
from votewise.votes import Votes, write_votes

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/identities.json").read_text())
DATA = "d" * 64


def config(**changes: Any) -> Config:
    return Config.model_validate({"dataset": DATA, "method": {"delivery": "sls"}, **changes})


@pytest.mark.parametrize("entry", GOLDEN, ids=[entry["id"] for entry in GOLDEN])
def test_ids_stay_what_they_were(entry: dict[str, Any]) -> None:
    assert config(**entry["config"]).id == entry["id"]


def test_the_golden_configurations_are_different_runs() -> None:
    assert len(GOLDEN) == len({entry["id"] for entry in GOLDEN}) >= 20


def test_what_equals_its_default_is_left_out() -> None:
    assert config().identity == {"schema": 1, "dataset": DATA, "method": {"delivery": "sls"}}
    spelled_out = config(
        method=Method(delivery="sls").model_dump(), recipe=Recipe().model_dump(), split=Split().model_dump(), seed=0, subsample=None
    )  # fmt: skip
    assert spelled_out.id == config().id
    assert config(recipe=Recipe.preset("paper").model_dump()).id == config().id


def test_sls_drawn_in_every_epoch_is_sls() -> None:
    assert method("sls", resample_every=1) == method("sls")
    assert config(method={"delivery": "sls", "resample_every": 1}).id == config().id
    assert config(method={"delivery": "sls", "resample_every": 5}).id != config().id


def test_nested_with_all_votes_is_the_full_run() -> None:
    dataset = toy_dataset()
    assert isinstance(dataset.votes, Votes)
    most = int(dataset.votes.votes_per_item.max())
    full = configure(dataset, method("soft"))
    assert configure(dataset, method("soft"), votes_per_item=most, subsample="nested").id == full.id
    assert configure(dataset, method("soft"), votes_per_item=most + 9, subsample="nested").id == full.id
    assert configure(dataset, method("soft"), votes_per_item=most - 1, subsample="nested").id != full.id
    assert configure(dataset, method("soft"), votes_per_item=most).id != full.id  # drawn with replacement: other votes


def test_whole_numbers_written_as_fractions_are_the_same_run() -> None:
    assert config(recipe={"lr": 1, "epochs": 20.0}, seed=3.0).id == config(recipe={"lr": 1.0, "epochs": 20}, seed=3).id
    assert (
        config(method={"delivery": "label-smoothing", "epsilon": 0}).id
        == config(method={"delivery": "label-smoothing", "epsilon": 0.0}).id
    )


def test_a_new_field_with_a_default_renames_nothing() -> None:
    class LaterRecipe(Recipe):
        warm_up: int = Field(default=0, ge=0)

    class LaterMethod(Method):
        temperature: float = 1.0

    class LaterConfig(Config):
        method: LaterMethod
        recipe: LaterRecipe = LaterRecipe()
        augment_version: int = 1

    for entry in GOLDEN:
        values = {"dataset": DATA, "method": {"delivery": "sls"}, **entry["config"]}
        assert LaterConfig.model_validate(values).id == entry["id"]
    later = {"dataset": DATA, "method": {"delivery": "sls"}, "recipe": {"warm_up": 5}}
    assert LaterConfig.model_validate(later).id != config().id


def test_the_name_of_a_dataset_is_for_people_only() -> None:
    assert config(dataset_name="digits").id == config(dataset_name="my digits").id
    assert config(dataset_name="digits").folder_name == f"digits-sls-s0-{config().id}"
    assert config(subsample={"k": 5}, seed=2).folder_name.startswith("data-sls-k5-s2-")


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(VotewiseError, match="lr"):
        Recipe.preset("demo", lr=value)
    with pytest.raises(VotewiseError, match="weight_decay"):
        Recipe.preset("demo", weight_decay=value)
    with pytest.raises(VotewiseError, match="mixup"):
        method("mixup", mixup=value)
    with pytest.raises(ValidationError):
        config(split={"fraction": value})


def test_where_the_data_is_is_noted_and_no_part_of_the_run(tmp_path: Path) -> None:
    """Of a dataset made from arrays nothing is noted; of one from files their absolute paths and how they were read."""
    dataset, recipe = toy_dataset(), Recipe.preset("demo", model="linear", epochs=1)
    made = complete(dataset, configure(dataset, method("soft"), recipe), tmp_path).folder
    assert not (made / "data.json").exists()
    np.save(tmp_path / "x.npy", dataset.inputs)
    write_votes(dataset.votes, tmp_path / "votes.csv")
    read = Dataset.from_files(tmp_path / "x.npy", tmp_path / "votes.csv", augment=("flip",), ordinal=False)
    moved = replace(read, origin=None)
    assert configure(read, method("soft")).id == configure(moved, method("soft")).id
    run = complete(read, configure(read, method("soft"), recipe), tmp_path).folder
    assert Run(run).origin == {
        "inputs": str(tmp_path / "x.npy"),
        "votes": str(tmp_path / "votes.csv"),
        "augment": ["flip"],
        "ordinal": False,
    }
    before = (run / "scores.json").read_bytes()
    (run / "data.json").unlink()
    assert Run(run).finished
    complete(moved, configure(moved, method("soft"), recipe), tmp_path)
    assert not (run / "data.json").exists()
    assert (run / "scores.json").read_bytes() == before


def test_a_part_of_a_dataset_comes_from_no_file() -> None:
    digits = load_dataset("digits")
    assert digits.origin == {"name": "digits"}
    assert digits.select([0, 1]).origin is None


def test_a_run_that_fails_says_why_until_it_is_tried_again(tmp_path: Path) -> None:
    dataset = toy_dataset()
    config = configure(
        dataset, method("soft"), Recipe.preset("demo", model="mlp", epochs=2, lr=1e6, schedule="constant")
    )
    folder = tmp_path / "runs" / config.folder_name
    for _ in range(2):
        with pytest.raises(RunFailedError, match="learning rate"):
            complete(dataset, config, tmp_path)
        assert "lower the learning rate" in json.loads((folder / "failure.json").read_text())["why"]

    class Stopped(Exception):
        pass

    def stop(_: Progress) -> None:
        raise Stopped

    calm = configure(dataset, method("soft"), Recipe.preset("demo", model="mlp", epochs=2))
    run = Run.of(tmp_path, calm)
    run.note_failure("its process died")
    assert run.why_unfinished == "failed: its process died"
    with pytest.raises(Stopped):
        complete(dataset, calm, tmp_path, on_progress=stop)
    assert run.why_unfinished == "not finished"
