"""POPQUORN: ratings on a scale from 1 to 5, written as 1.0."""

from __future__ import annotations

import pytest

from exports import FOLDER, ballots, read
from votewise.errors import VotewiseError
from votewise.votes.readers import popquorn

SCALE = ("1", "2", "3", "4", "5")


def test_a_rating_is_a_vote_on_an_ordinal_scale() -> None:
    reading = read("popquorn.csv")
    votes = reading.votes("offensiveness")
    assert ballots(votes) == {"21": [("0", "4"), ("3", "5")], "530": [("0", "1"), ("3", "2")]}
    assert votes.classes == SCALE
    assert votes.scale.position == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert (reading.report.rows, reading.report.dropped) == (5, {"a row without offensiveness": 1})


def test_people_without_an_id_stay_unknown() -> None:
    reading = read("popquorn-difficulty.csv")
    assert ballots(reading.votes()) == {"8": [(None, "1"), (None, "3")], "9": [(None, "2")]}
    assert reading.report.notes == ("rows without user_id: 3; the annotators of these votes are unknown",)


def test_the_scale_can_be_taken_as_names() -> None:
    assert read("popquorn.csv", ordinal=False).votes().scale.kind == "nominal"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (",1.0,", ",6.0,", "line 2: rating 6"),
        (",2.0,", ",2.5,", "line 5: 'offensiveness' is '2.5', not a whole number"),
        ("530,0", ",0", "line 2: 'instance_id' is missing"),
        ("530,3", "530,0", "annotator '0' votes on item '530' again"),
    ],
)
def test_a_wrong_row_is_named(tmp_path, old, new, words) -> None:
    path = tmp_path / "rated.csv"
    path.write_text((FOLDER / "popquorn.csv").read_text().replace(old, new))
    with pytest.raises(VotewiseError, match=rf"rated\.csv: {words}.*; "):
        read(path, popquorn)


def test_of_two_ratings_by_one_person_the_last_counts_if_asked(tmp_path) -> None:
    path = tmp_path / "rated.csv"
    path.write_text((FOLDER / "popquorn.csv").read_text().replace("530,3", "530,0"))
    reading = read(path, popquorn, duplicates="last")
    assert ballots(reading.votes())["530"] == [("0", "2")]
    assert reading.report.dropped["an earlier vote of the same annotator on the same item"] == 1
    assert ballots(read(path, popquorn, duplicates="keep").votes())["530"] == [("0", "1"), ("0", "2")]


def test_texts_are_no_votes(tmp_path) -> None:
    path = tmp_path / "rewriting.csv"
    path.write_text("instance_id,user_id,original email,revised email\n1,2,no,No thank you.\n")
    with pytest.raises(VotewiseError, match="has rewritten texts, not ratings"):
        read(path, popquorn)


def test_the_real_file_has_the_published_size(data) -> None:
    reading = read(data / "popquorn" / "offensiveness.csv", popquorn)
    votes = reading.votes()
    assert (len(votes), len(votes.label), len(votes.annotators)) == (1500, 13_036, 262)
    assert (votes.votes_per_item.min(), votes.votes_per_item.max()) == (5, 10)
    assert votes.counts().sum(axis=0).tolist() == [7516, 2190, 1590, 1039, 701]
    assert reading.report.dropped == {}
