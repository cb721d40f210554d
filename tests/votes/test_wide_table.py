"""Wide tables: one row per item, one column per class."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import FOLDER
from votewise.errors import VotewiseError
from votewise.votes import Distributions, DoubtfulClasses, Votes, inspect_votes, read_votes


def written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_counts_become_votes_in_the_order_of_the_file() -> None:
    reading = inspect_votes(FOLDER / "wide.csv")
    votes = reading.votes()
    assert isinstance(votes, Votes)
    assert reading.report.format == "wide-table"
    assert votes.items.tolist() == ["a", "b", "c"]
    assert votes.classes == ("cat", "dog", "bird")
    assert votes.counts().tolist() == [[3, 2, 0], [0, 0, 0], [0, 1, 9]]
    assert reading.report.notes == (
        "items without votes: 1",
        "classes are the columns 'cat', 'dog', 'bird'",
        "columns not read: 'text', 'total', 'entropy'",
    )


def test_fractions_that_sum_to_one_become_distributions() -> None:
    answers = read_votes(FOLDER / "wide-probabilities.tsv")
    assert isinstance(answers, Distributions)
    assert answers.items.tolist() == ["1482n", "77c"]
    assert answers.probability.tolist() == [[0.25, 0.5, 0.25], [0, 0, 1]]


@pytest.mark.parametrize(
    ("cells", "kind"), [("1,0\n0,1", Votes), ("1.0,0\n0,1", Distributions), ("2.0,0\n0,1", Votes), ("0,1\n0,3", Votes)]
)
def test_one_vote_per_item_is_told_from_certainty_by_how_it_is_written(tmp_path, cells, kind) -> None:
    assert isinstance(read_votes(written(tmp_path / "votes.csv", f"yes,no\n{cells}\n")), kind)


def test_classes_may_be_chosen_and_ordered(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "id,5,1,3,age\nx,1,2,3,40\n")
    votes = read_votes(path, classes=["1", "3", "5"], ordinal=True)
    assert votes.counts().tolist() == [[2, 3, 1]]
    assert votes.scale.position == (1, 3, 5)


@pytest.mark.parametrize("name", ["votes.csv", "votes.tsv", "votes.parquet"])
def test_the_index_that_pandas_writes_names_the_items(tmp_path, name) -> None:
    frame = pl.DataFrame({"": ["x", "y"], "cat": [1, 0], "dog": [2, 2]})
    match name.rpartition(".")[2]:
        case "csv":
            frame.write_csv(tmp_path / name)
        case "tsv":
            frame.write_csv(tmp_path / name, separator="\t")
        case "parquet":
            frame.write_parquet(tmp_path / name)
    votes = read_votes(tmp_path / name)
    assert (votes.items.tolist(), votes.classes) == (["x", "y"], ("cat", "dog"))


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), min_size=1, max_size=8).filter(np.any))
def test_wide_and_long_tables_of_the_same_votes_agree(tmp_path_factory, counts) -> None:
    votes = Votes.from_counts(counts, ["x", "y", "z"], items=[f"i{n}" for n in range(len(counts))])
    folder = tmp_path_factory.mktemp("wide")
    counts = {name: votes.counts()[:, code] for code, name in enumerate(votes.classes)}
    pl.DataFrame({"item": votes.items.tolist(), **counts}).write_csv(folder / "wide.csv")
    votes.to_polars().write_csv(folder / "long.csv")
    wide = read_votes(folder / "wide.csv", format="wide-table")
    assert wide.fingerprint == votes.fingerprint
    if len(set(votes.label.tolist())) > 1:
        long = read_votes(folder / "long.csv", classes=votes.classes)
        assert long.counts().tolist() == wide.voted().counts().tolist()
        assert long.items.tolist() == wide.voted().items.tolist()


def test_rounded_probabilities_are_made_to_sum_to_one_and_the_report_says_so(tmp_path) -> None:
    reading = inspect_votes(written(tmp_path / "votes.csv", "id,x,y,z\na,0.333,0.333,0.333\nb,0.1694,0.2314,0.5991\n"))
    np.testing.assert_allclose(reading.votes().probability[0], 1 / 3)
    assert reading.votes().probability.sum(axis=1) == pytest.approx([1, 1], abs=1e-15)
    assert reading.report.notes[1].startswith("rows of probabilities sum to one only within 0.001")


def test_rounded_percentages_are_doubted(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "id,x,y,z\na,33,33,33\nb,50,25,25\nc,34,33,34\n")
    with pytest.warns(DoubtfulClasses, match="rows sum to 99 to 101, .* read as 300 votes; .* divide each row"):
        read_votes(path)
    assert not inspect_votes(written(path, "id,x,y\na,48,50\nb,50,50\n")).report.doubts  # with two classes: 99 to 101


BAD = {
    "two decimals": (
        "id,x,y,z\na,0.33,0.33,0.33\n",
        {},
        "column 'x' is 0.33, .* sums to 0.99, not to one; if the .* were rounded",
    ),
    "percentages": (
        "id,x,y\na,33.3,66.7\nb,50,50\n",
        {},
        "column 'x' is 33.3, not a whole number, .* divide percentages by 100",
    ),
    "decimal commas": ("id;x;y\na;0,5;0,5\nb;1;0\n", {}, "line 2, column 'x' is '0,5', which has a decimal comma"),
    "percent signs": (
        "id,x,y\na,33.3%,66.7%\nb,50%,50%\n",
        {},
        "line 2, column 'x' is '33.3%', a percentage: write 0.333",
    ),
    "thousands": ('id,x,y\na,"1,234",2\nb,3,1\n', {}, "'1,234', which has a .* separator.*: write 1234 or 1.234"),
    "log-probabilities": ("id,x,y\na,-0.7,-0.7\n", {}, "-0.7, which is negative.*np.exp"),
    "a fraction": ("id,cat,dog\na,1,2\nb,1.5,2\n", {}, "line 3, column 'cat' is 1.5, not a whole number"),
    "a row that does not sum to one": ("id,cat,dog\na,0.5,0.5\nb,0.5,0.6\n", {}, "line 3, column 'cat' is 0.5"),
    "a row without mass": ("id,cat,dog\na,0.5,0.5\nb,0,0\n", {}, "line 3 sums to 0, but other rows are probabilities"),
    "a negative count": ("id,cat,dog\na,1,2\nb,1,-2\n", {}, "line 3, column 'dog' is -2, which is negative"),
    "an empty cell": ("id,cat,dog\na,1,2\nb,,2\n", {}, "line 3, column 'cat' is empty.*0 for none"),
    "a word": ("id,cat,dog\n" + "a,1,2\n" * 9000 + "b,many,2\n", {}, "line 9002, column 'cat' is 'many'"),
    "infinity": ("id,cat,dog\na,1,2\nb,inf,2\n", {}, "line 3, column 'cat' is inf"),
    "no id": ("id,cat,dog\na,1,2\n,1,2\n", {}, "line 3 has no item"),
    "an id twice": ("id,cat,dog\na,1,2\na,1,2\n", {}, "ids repeat: 'a'"),
    "no header": ("3,40,5\n1,2,0\n", {}, "not be a header.*line 1"),
    "no header and ids": ("a,3,40\nb,2,0\n", {}, "not be a header.*line 1"),
    "a column twice": ("id,cat,dog,cat\na,1,2,3\n", {}, "'cat' occurs twice"),
    "a column of totals": (
        "id,yes,no,All\na,2,1,3\nb,0,3,3\n",
        {},
        "column 'All' is the sum of the others, not a class",
    ),
    "a row of totals": (
        "id,yes,no\na,2,1\nb,0,3\nGrand Total,2,4\n",
        {},
        "item 'Grand Total' is the sum of the others, not an",
    ),
    "a class that is not there": ("id,cat,dog\na,1,2\n", {"classes": ["cat", "cow"]}, "class 'cow'.*'dog'"),
    "one class": ("id,cat\na,1\n", {"format": "wide-table"}, "no two of the columns"),
    "an item column that is not there": ("id,cat,dog\na,1,2\n", {"item": "name"}, "unknown column 'name'"),
    "beyond counting": ("id,cat,dog\na,1,99999999999999\n", {}, "more than 1,000,000 votes"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_with_file_place_and_remedy(tmp_path, case) -> None:
    text, options, message = BAD[case]
    path = written(tmp_path / "votes.csv", text)
    with pytest.raises(VotewiseError, match=message) as caught:
        inspect_votes(path, **options)
    assert str(caught.value).startswith(str(path))
    assert caught.value.remedy
    assert "\n" not in str(caught.value)


def test_a_name_of_a_total_may_be_a_class_or_an_item(tmp_path: Path) -> None:
    votes = read_votes(written(tmp_path / "votes.csv", "id,none,some,all\na,1,2,0\nb,1,0,2\nall,0,0,3\n"))
    assert (votes.classes, votes.items.tolist()) == (("none", "some", "all"), ["a", "b", "all"])


def test_a_grand_total_is_not_read_as_a_class(tmp_path: Path) -> None:
    file = inspect_votes(written(tmp_path / "votes.csv", "id,yes,no,Grand Total\na,2,1,3\nb,0,3,3\n"))
    assert (file.votes().classes, file.report.unread) == (("yes", "no"), ("Grand Total",))


def test_a_column_of_marks_is_a_class_and_doubted(tmp_path: Path) -> None:
    path = written(tmp_path / "crosstab.csv", "comment_id,?,N/A,toxic,Toxic,ok\nc1,1,0,2,1,0\nc2,0,1,0,0,3\n")
    file = inspect_votes(path)
    assert file.votes().classes == ("?", "N/A", "toxic", "Toxic", "ok")
    assert sum("missing value" in doubt for doubt in file.report.doubts) == 2
    assert sum("'Toxic' (1 vote) looks like 'toxic'" in doubt for doubt in file.report.doubts) == 1
    cleaned = inspect_votes(path, missing=["?", "N/A"], fold=True)
    assert cleaned.votes().classes == ("toxic", "ok")
    assert cleaned.report.doubts == ()
