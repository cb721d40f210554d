"""One column per person: the same votes as one row per vote, and never a guess where numbers may be counts."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import FOLDER, ballots
from votewise.errors import VotewiseError
from votewise.votes import DroppedVotes, inspect_votes, read_votes

FIXTURE = FOLDER / "annotator-columns.csv"


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_every_filled_cell_is_a_vote_of_the_person_who_heads_its_column() -> None:
    reading = inspect_votes(FIXTURE)
    assert ballots(reading.votes()) == {
        "t1": [("anna", "positive"), ("ben", "positive")],
        "t2": [("anna", "negative"), ("chris", "negative"), ("ben", "positive")],
        "t3": [("anna", "positive"), ("chris", "positive")],
        "t4": [("anna", "negative"), ("ben", "negative"), ("chris", "negative")],
        "t10": [("ben", "negative"), ("anna", "neutral"), ("chris", "neutral"), ("dora", "neutral")],
    }
    assert reading.report.rows == 7
    assert reading.report.dropped == {"a blank line": 1, "an item without votes": 1}


def test_the_report_says_who_was_taken_for_a_person() -> None:
    assert inspect_votes(FIXTURE).report.notes == (
        "annotators are the columns 'anna', 'ben', 'chris', 'dora'; if they are questions, choose one with label= (--label)",
        "columns not read: 'text', 'gold', 'remark'",
    )


def test_a_column_that_is_named_as_the_label_is_one_question_and_no_person() -> None:
    with pytest.warns(DroppedVotes, match="read as long-table"):
        votes = read_votes(FIXTURE, label="chris")
    assert (votes.annotator, len(votes.label)) == (None, 4)


@given(
    votes=st.dictionaries(
        st.tuples(st.integers(0, 6), st.sampled_from(["ann", "bo", "cy", "di"])), st.sampled_from(["x", "y", "z"])
    ).filter(lambda votes: len(set(votes.values())) > 1 and len({person for _, person in votes}) > 1)
)
def test_one_row_per_item_and_one_row_per_vote_are_the_same_votes(tmp_path_factory, votes) -> None:
    folder = tmp_path_factory.mktemp("people")
    long = pandas.DataFrame(
        [(f"i{i}", who, said) for (i, who), said in votes.items()], columns=["item", "who", "label"]
    )
    long.to_csv(folder / "long.csv", index=False)
    long.pivot(index="item", columns="who", values="label").to_csv(folder / "people.csv")
    people = read_votes(folder / "people.csv", format="annotator-columns", classes=("x", "y", "z"))
    assert people.fingerprint == read_votes(folder / "long.csv", annotator="who", classes=("x", "y", "z")).fingerprint


# --- recognition ------------------------------------------------------------------------------------------------------------

RATINGS = [(5, 5, 4), (1, 2, 1), (3, 3, 3), (4, 5, 5), (2, 1, 2), (5, 4, 5)]  # people agree on what is good
COUNTS = [(5, 0, 0), (1, 3, 1), (0, 0, 5), (4, 0, 1), (2, 1, 2), (0, 4, 1)]  # five votes on each item


def table(header: str, rows: list[tuple[object, ...]]) -> str:
    lines = (f"t{number}," + ",".join(map(str, row)) for number, row in enumerate(rows))
    return "\n".join([header, *lines, ""])


@pytest.mark.parametrize(
    ("header", "rows", "format"),
    [
        ("id,anna,ben,chris", [("a", "b", "a"), ("b", "b", "")], "annotator-columns"),
        ("text,anna,ben,chris", [("a", "b", "a"), ("b", "b", "")], "annotator-columns"),
        ("id,rater_1,rater_2,rater_3", RATINGS, "annotator-columns"),
        ("id,Annotator 1,Annotator 2,Annotator 3", COUNTS, "annotator-columns"),
        ("id,cat,dog,bird", COUNTS, "wide-table"),
        ("id,class_1,class_2,class_3", COUNTS, "wide-table"),
        ("id,class_1,class_2,class_3", [*COUNTS, (1, 1, 0)], "wide-table"),
        ("id,1,2,3", [*COUNTS, (1, 1, 0)], "wide-table"),
        ("id,cat,dog,bird", [(1, 0, 0), (0, 1, 0), (0, 0, 0)], "wide-table"),
        ("id,cat,dog,bird", [(0.5, 0.5, 0), (0, 0.5, 0.5)], "wide-table"),
        ("id,label,ben,chris", [("a", "b", "a"), ("b", "b", "b")], "long-table"),
        ("id,worker,ben,chris", [("a", "b", "a"), ("b", "b", "b")], None),
    ],
)
def test_names_words_and_shared_votes_tell_people_from_classes(tmp_path, header, rows, format) -> None:
    path = written(tmp_path / "votes.csv", table(header, rows))
    if format is None:  # people have a column of their own: these are questions
        with pytest.raises(VotewiseError, match="recognised as the label"):
            inspect_votes(path)
    else:
        assert inspect_votes(path).report.format == format


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("id,anna,ben,chris", RATINGS),
        ("id,anna,ben,chris", [(int(a > 2), int(b > 2), int(c > 2)) for a, b, c in RATINGS]),
        ("id,anna,ben,chris", [*COUNTS, (1, "", 2)]),
        ("id,label,rater_1,rater_2", [("a", "a", "b"), ("b", "b", "b")]),
        ("id,label1,label2,label3", [(0, 1, 2), (1, 1, 0)]),
        ("id,Q1,Q2,Q3", [(0, 1, 2), (1, 1, 0), (2, 2, 1), (0, 0, 2), (1, 2, 0), (1, 1, 1)]),
        ("id,anna,ben,chris", [(0, 1, 1), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 0), (1, 0, 0)]),
    ],
)
def test_where_the_numbers_may_be_counts_or_ratings_a_person_is_asked(tmp_path, header, rows) -> None:
    path = written(tmp_path / "votes.csv", table(header, rows))
    with pytest.raises(VotewiseError, match=r"(wide|long)-table.*annotator-columns.*format= \(--format\)"):
        inspect_votes(path)
    assert read_votes(path, format="annotator-columns").annotators[-1] in ("chris", "rater_2", "label3", "Q3")


@given(
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(sorted), min_size=1, max_size=20).map(
        lambda cuts: [(a, b - a, 7 - b) for a, b in cuts]
    )
)
def test_as_many_votes_on_every_item_are_always_counts(tmp_path_factory, rows) -> None:
    path = written(tmp_path_factory.mktemp("counts") / "votes.csv", table("id,x,y,z", rows))
    assert inspect_votes(path).report.format == "wide-table"


def test_ratings_that_pandas_wrote_with_a_point_are_the_numbers_they_were(tmp_path) -> None:
    frame = pandas.DataFrame({"rater_1": [5, None, 3], "rater_2": [4, 1, 3], "rater_10": [None, 1, 2]})
    frame.to_csv(tmp_path / "votes.csv", index_label="id")
    votes = read_votes(tmp_path / "votes.csv", ordinal=True)
    assert (votes.classes, votes.scale.position) == (("1", "2", "3", "4", "5"), (1, 2, 3, 4, 5))
    assert votes.annotators == ("rater_1", "rater_2", "rater_10")


# --- what is refused ----------------------------------------------------------------------------------------------------------

BAD = {
    "an item in two rows": ("id,anna,ben\na,x,y\nb,x,x\na,y,y\n", {}, "line 4: item 'a' is already in another row"),
    "a line of totals": ("id,anna,ben\na,x,y\nb,x,x\nTotal,2,2\n", {}, "item 'Total' has only labels that no other item has"),
    "names of annotators beside labels": (
        "id,annotator_1,label_1,annotator_2,label_2\na,p,x,q,y\nb,p,x,r,x\n",
        {},
        "'annotator_1', 'annotator_2' seem to name the annotators of 'label_1', 'label_2'; give one row per vote",
    ),
    "no item": ("id,anna,ben\na,x,y\n,x,x\n", {}, "line 3 has no item"),
    "no column of items": ("question,anna,ben\na,x,y\nb,x,x\n", {}, r"recognised as the item; name it with item= \(--item\)"),
    "a label that is no class": (
        "id,anna,ben\na,x,y\nb,x,z\n",
        {"classes": ["x", "y"]},
        r"line 3, column 'ben': 'z' is not one of the classes; .*they are 'x', 'y'",
    ),
    "no labels in common": ("id,anna,ben\na,x,1\nb,y,2\n", {}, "no two of the columns 'id', 'anna', 'ben' share a set of labels"),
    "two questions": ("id,a,b,c,d\n1,x,x,0,0\n2,y,x,0,0\n", {}, r"no two of .*classes= \(--classes\)"),
    "a column twice": ("id,anna,ben,anna\na,x,y,x\n", {}, "'anna' occurs twice"),
    "one class": ("id,rater1,rater2\na,x,x\nb,x,\n", {}, "1 class given"),
    "no votes": ("id,rater1,rater2\na,,\nb,,\n", {}, "no votes"),
    "names in no order": ("id,anna,ben\na,x,y\nb,x,x\n", {"ordinal": True}, r"order of 'x', 'y'.*classes= \(--classes\)"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_with_file_place_and_remedy(tmp_path, case) -> None:
    text, options, message = BAD[case]
    path = written(tmp_path / "votes.csv", text)
    with pytest.raises(VotewiseError, match=message) as caught:
        inspect_votes(path, format="annotator-columns", **options)
    assert str(caught.value).startswith(str(path))
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_two_questions_are_told_apart_by_their_classes(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "id,a,b,c,d\n1,x,x,0,0\n2,y,x,0,1\n")
    votes = read_votes(path, format="annotator-columns", classes=("0", "1"))
    assert (votes.annotators, votes.counts().tolist()) == (("c", "d"), [[2, 0], [1, 1]])


CELLS = st.sampled_from(["", " ", "x", "y", "Y", "1", "1.0", "0,5", "nan", '"', "é", "9" * 30])


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=8), st.sampled_from(["id,a,b", "a,rater1,rater2", ",,x"])
)
def test_any_cells_give_votes_or_one_sentence(tmp_path_factory, rows, header) -> None:
    text = "\n".join([header, *(",".join(row) for row in rows)])
    path = written(tmp_path_factory.mktemp("cells") / "votes.csv", text)
    for options in ({}, {"format": "annotator-columns"}):
        try:
            found = str(inspect_votes(path, **options).report)
        except VotewiseError as error:
            found = str(error)
        assert found.startswith(str(path))


@pytest.mark.filterwarnings("error")
def test_an_infinite_number_is_no_rating(tmp_path) -> None:
    rows = "".join(f"i{number},{number % 3},{number % 2},inf\n" for number in range(12))
    path = tmp_path / "votes.csv"
    path.write_text(f"item,a,b,c\n{rows}")
    with pytest.raises(VotewiseError, match="is inf"):
        read_votes(path)
