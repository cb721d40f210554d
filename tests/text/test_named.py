"""Datasets of texts by name, on the real files; and models by their name on the hub, offline."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import votewise as vw
from tiny_bert import tiny_bert
from votewise.datasets import DATASETS
from votewise.errors import VotewiseError
from votewise.text import find_model

NLI = ("entailment", "neutral", "contradiction")


@pytest.mark.parametrize(
    ("name", "items", "classes"), [("snli", 1514, NLI), ("mnli", 1599, NLI), ("alphanli", 1532, ("1", "2"))]
)
def test_chaosnli_has_a_hundred_votes_on_each_pair(data: Path, name: str, items: int, classes: tuple[str, ...]) -> None:
    found = vw.load_dataset(f"chaosnli-{name}", data)
    assert found.inputs.shape == (items, 2)
    assert found.votes.classes == classes
    assert (np.asarray(found.votes.votes_per_item) == 100).all()
    assert found.parts is None
    assert found.name == f"chaosnli-{name}"


def test_chaosnli_pairs_premise_and_hypothesis(data: Path) -> None:
    found = vw.load_dataset("chaosnli-snli", data)
    place = int(found.votes.positions(["2407214681.jpg#0r1n"])[0])
    assert found.inputs[place, 1] == "Two kids at a ballgame wash their hands."
    assert found.votes.counts()[place].tolist() == [30, 70, 0]


def test_alphanli_tells_two_stories(data: Path) -> None:
    found = vw.load_dataset("chaosnli-alphanli", data)
    first, second = found.inputs[int(found.votes.positions(["58090d3f-8a91-4c89-83ef-2b4994de9d241"])[0])].tolist()
    assert first == (
        "Ron started his new job as a landscaper today. Ron ignores his bosses's orders and called him an idiot."
        " Ron is immediately fired for insubordination."
    )
    assert second.split(". ")[::2] == first.split(". ")[::2]


def test_popquorn_has_ordinal_ratings_of_known_annotators(data: Path) -> None:
    found = vw.load_dataset("popquorn-offensiveness", data)
    assert isinstance(found.votes, vw.Votes)
    assert (len(found), len(found.votes.label), len(found.votes.annotators)) == (1500, 13_036, 262)
    assert found.votes.scale.kind == "ordinal"


def test_lewidi_brings_its_official_split(data: Path) -> None:
    found = vw.load_dataset("lewidi2025-paraphrase", data)
    assert found.parts is not None
    assert np.bincount(found.parts).tolist() == [400, 50, 50]
    test = vw.read_votes(data / "lewidi/Paraphrase_test.json")
    assert found.votes.select(found.parts == 2).names() == test.names()
    assert found.votes.classes == test.classes == tuple(str(rating) for rating in range(-5, 6))


@pytest.mark.parametrize("name", [name for name in DATASETS if name not in ("digits",)])
def test_a_missing_file_is_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match="does not exist") as error:
        vw.load_dataset(name, tmp_path)
    assert str(tmp_path) in str(error.value)


HUB = """
import sys
from votewise.errors import VotewiseError
from votewise.text import find_model
print(find_model("org/tiny").digest)
for name in ("org/absent", "a b/c d"):
    try:
        find_model(name)
    except VotewiseError as error:
        print(error.what)
"""


def test_a_model_of_the_hub_is_taken_from_its_cache(tmp_path: Path) -> None:
    model = tiny_bert(tmp_path / "models--org--tiny" / "snapshots" / ("0" * 40))
    (tmp_path / "models--org--tiny/refs").mkdir()
    (tmp_path / "models--org--tiny/refs/main").write_text("0" * 40)
    environment = {**os.environ, "HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run([sys.executable, "-c", HUB], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    digest, absent, strange = done.stdout.splitlines()
    assert digest == find_model(str(model)).digest
    assert absent.startswith("the model 'org/absent' cannot be downloaded")
    assert strange == "unknown model 'a b/c d'"
