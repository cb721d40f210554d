"""LeWiDi 2023 and 2025: votes by annotator, with a soft label beside them to check against."""

from __future__ import annotations

import json

import numpy as np
import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import lewidi2023, lewidi2025

DIFFER = "items whose published soft label differs from the shares of their votes"


def test_severity_of_abuse_becomes_abusive_or_not() -> None:
    reading = read("lewidi2023.json")
    assert ballots(reading.votes()) == {
        "1": [("Ann1", "0"), ("Ann2", "0"), ("Ann4", "0"), ("Ann8", "0")],
        "2": [("Ann5", "0"), ("Ann1", "1")],
        "10": [("Ann5", "0"), ("Ann2", "1"), ("Ann8", "1")],
    }


def test_an_item_whose_soft_label_is_not_its_votes_is_told_of() -> None:
    assert read("lewidi2023.json").report.notes == (f"{DIFFER}: 1, for example item '2'",)


def test_in_the_other_tasks_1_means_yes(tmp_path) -> None:
    path = tmp_path / "brexit.json"
    item = {
        "text": "a tweet",
        "annotation task": "hate speech detection",
        "annotations": "0,0,1",
        "annotators": "A,B,C",
    }
    path.write_text(json.dumps({"7": item | {"soft_label": {"0": 0.667, "1": 0.333}}}))
    reading = read(path, lewidi2023)
    assert ballots(reading.votes()) == {"7": [("A", "0"), ("B", "0"), ("C", "1")]}
    assert reading.report.notes == ()


def test_ratings_keep_their_scale_and_0_is_none_of_it() -> None:
    reading = read("lewidi2025.json")
    votes = reading.votes()
    assert votes.scale.position == (1, 2, 3, 4, 5, 6)
    assert votes.counts().tolist() == [[1, 1, 0, 0, 0, 0], [1, 0, 1, 0, 0, 2]]
    assert (reading.report.dropped, reading.report.notes) == ({"a rating outside the scale": 1}, ())


def test_several_labels_are_one_question_each_on_the_same_items() -> None:
    questions = read("lewidi2025-several.json").questions
    assert {name: votes.counts().tolist() for name, votes in questions.items()} == {
        "contradiction": [[4, 0], [1, 2]],
        "entailment": [[2, 2], [3, 0]],
        "neutral": [[1, 3], [2, 1]],
    }
    assert ballots(questions["neutral"])["49807"] == [("Ann4", "0"), ("Ann1", "1"), ("Ann2", "1"), ("Ann3", "1")]


def test_a_label_is_the_same_with_and_without_its_decimal() -> None:
    reading = read("lewidi2025-binary.json")
    assert reading.votes().classes == ("0", "1")
    assert reading.report.notes == ()


@pytest.mark.parametrize(
    ("reader", "name", "field", "value", "words"),
    [
        (lewidi2023, "lewidi2023.json", "annotators", "Ann1,Ann2", "item '1': 4 annotations by 2 annotators"),
        (
            lewidi2023,
            "lewidi2023.json",
            "annotations",
            "1,1,5,1",
            "item '1': annotation '5' is not one of -3, -2, -1, 0, 1",
        ),
        (lewidi2023, "lewidi2023.json", "annotators", "A,A,B,C", "item '1': annotator 'A' votes on item '1' again"),
        (lewidi2025, "lewidi2025.json", "annotations", {"A": "7"}, "item '3944': '7' is not a class of 'label'"),
        (
            lewidi2025,
            "lewidi2025.json",
            "annotations",
            {"A": None},
            "item '3944', annotations: 'A' is missing or empty",
        ),
        (
            lewidi2025,
            "lewidi2025.json",
            "soft_label",
            {"1": "all"},
            "item '3944', soft_label: the share of '1' is 'all'",
        ),
    ],
)
def test_a_wrong_item_is_named(tmp_path, reader, name, field, value, words) -> None:
    items = json.loads((FOLDER / name).read_text())
    items[next(iter(items))][field] = value
    (tmp_path / "set.json").write_text(json.dumps(items))
    with pytest.raises(VotewiseError, match=rf"set\.json: {words}.*; "):
        read(tmp_path / "set.json", reader)


def test_the_test_file_of_the_competition_has_no_votes(tmp_path) -> None:
    items = json.loads((FOLDER / "lewidi2025.json").read_text())
    for item in items.values():
        item |= {"annotations": {}, "soft_label": {}}
    (tmp_path / "test.json").write_text(json.dumps(items))
    with pytest.raises(VotewiseError, match="the file has no votes"):
        read(tmp_path / "test.json", lewidi2025)


@pytest.mark.parametrize(("split", "votes"), [("dev", 2414), ("test", 2610)])
def test_vote_shares_of_the_real_convabuse_are_its_soft_labels(data, split, votes) -> None:
    path = data / "lewidi" / f"ConvAbuse_{split}.json"
    reading, items = read(path, lewidi2023), json.loads(path.read_text())
    shares = reading.votes().probabilities()
    published = [[items[item]["soft_label"][label] for label in "01"] for item in reading.votes().items.tolist()]
    np.testing.assert_allclose(shares, published, atol=0.0005)
    assert len(reading.votes().label) == votes
    assert (reading.report.notes, reading.report.dropped) == ((), {})


@pytest.mark.parametrize(("split", "count"), [("train", 400), ("dev", 50), ("test", 50)])
def test_vote_shares_of_the_real_paraphrase_are_its_soft_labels(data, split, count) -> None:
    path = data / "lewidi" / f"Paraphrase_{split}.json"
    reading, items = read(path, lewidi2025), json.loads(path.read_text())
    votes = reading.votes()
    assert len(votes) == count
    assert votes.scale.position == tuple(range(-5, 6))
    published = [[items[item]["soft_label"][label] for label in votes.classes] for item in votes.items.tolist()]
    np.testing.assert_array_equal(votes.probabilities(), published)
    assert reading.report.notes == ()


@pytest.mark.parametrize("split", ["dev", "test"])
def test_vote_shares_of_the_real_varierr_are_its_soft_labels(data, split) -> None:
    path = data / "lewidi" / f"VariErrNLI_{split}.json"
    reading, items = read(path, lewidi2025), json.loads(path.read_text())
    assert set(reading.questions) == {"contradiction", "entailment", "neutral"}
    for label, votes in reading.questions.items():
        published = [items[item]["soft_label"][label]["1"] for item in votes.items.tolist()]
        np.testing.assert_allclose(votes.probabilities()[:, 1], published, atol=0.005)
    assert reading.report.notes == ()
