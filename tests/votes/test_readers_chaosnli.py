"""ChaosNLI: a hundred anonymous votes per item."""

from __future__ import annotations

import json

import numpy as np
import pytest

from exports import FOLDER, read
from votewise.errors import VotewiseError
from votewise.votes.readers import chaosnli

NLI = ("entailment", "neutral", "contradiction")
FIRST_LINE = (FOLDER / "chaosnli.jsonl").read_text().split("\n")[0]


def test_counts_become_votes_of_nobody_in_the_order_e_n_c() -> None:
    votes = read("chaosnli.jsonl").votes()
    assert votes.classes == NLI
    assert votes.items.tolist() == ["12.jpg#0r1c", "4705552913.jpg#2r1n", "77.jpg#1r1e"]
    assert votes.counts().tolist() == [[0, 0, 100], [30, 70, 0], [50, 25, 25]]
    assert votes.annotator is None


def test_of_two_hypotheses_the_classes_are_1_and_2() -> None:
    assert read("chaosnli-alpha.jsonl").votes().counts().tolist() == [[97, 3], [0, 100]]
    assert read("chaosnli-alpha.jsonl").votes().classes == ("1", "2")


def test_given_classes_may_have_another_order() -> None:
    assert read("chaosnli.jsonl", classes=NLI[::-1]).votes().counts()[1].tolist() == [0, 70, 30]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("label_count", [31, 69, 0], r"line 2: label_count \[31, 69, 0\] disagrees with label_counter"),
        ("label_count", None, r"line 2: label_count None disagrees"),
        ("label_counter", {"n": 70, "e": 30.5}, r"line 2: label_counter has 30.5 votes for 'e', not a whole number"),
        ("label_counter", {"x": 100}, r"line 2: label 'x' is none of e, n, c"),
        ("label_counter", [30, 70], r"line 2: 'label_counter' is \[30, 70\], not an object"),
        ("uid", None, r"line 2: 'uid' is missing or empty"),
    ],
)
def test_a_record_that_contradicts_itself_is_named_with_its_line(tmp_path, field, value, words) -> None:
    path = tmp_path / "chaos.jsonl"
    record = json.loads(FIRST_LINE.replace("4705552913", "1")) | {field: value}
    path.write_text(FIRST_LINE + "\n" + json.dumps(record))
    with pytest.raises(VotewiseError, match=rf"chaos\.jsonl: {words}.*; "):
        read(path, chaosnli)


@pytest.mark.parametrize(("name", "count"), [("snli", 1514), ("mnli_m", 1599), ("alphanli", 1532)])
def test_entropy_and_majority_of_the_real_files_are_the_published_ones(data, name, count) -> None:
    path = data / "chaosnli" / f"chaosNLI_{name}.jsonl"
    votes = read(path, chaosnli).votes()
    records = {record["uid"]: record for record in map(json.loads, path.read_text().splitlines())}
    assert len(votes) == len(records) == count
    assert set(votes.votes_per_item.tolist()) == {100}
    published = [records[item] for item in votes.items.tolist()]
    np.testing.assert_allclose(votes.entropy() / np.log(2), [record["entropy"] for record in published], atol=1e-12)
    short = {"entailment": "e", "neutral": "n", "contradiction": "c", "1": 1, "2": 2}
    majority = np.array([short[votes.classes[label]] for label in votes.majority()], dtype=object)
    agrees = majority == np.array([record["majority_label"] for record in published], dtype=object)
    assert agrees[~votes.tied()].all()
