"""Long tables: one vote per row, in every file format, dialect and order the same votes."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas
import polars as pl
import pytest
from benchmarks import reading as benchmark
from hypothesis import given
from hypothesis import strategies as st

from exports import FOLDER
from votewise.errors import VotewiseError
from votewise.votes import DroppedVotes, inspect_votes, read_votes

LONG = ["long.csv", "long-semicolon.csv", "long.tsv", "long.jsonl"]
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=5).filter(
    lambda name: name.strip() == name
)
WHOLE = st.integers(-(2**33), 2**33).map(str) | st.integers(0, 12).map(str)
SPELLED = st.sampled_from(["7", "07", "007", "+7", "-7", "-07", "70", "0", "00", "-0", "7.0", "1e3", "2147483648"])


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def as_csv(rows: list[dict[str, str | None]], delimiter: str = ",") -> str:
    out = io.StringIO()
    table = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()


# --- what is read ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LONG)
def test_the_same_votes_in_every_layout(name) -> None:
    reading = inspect_votes(FOLDER / name)
    votes = reading.votes()
    assert reading.report.format == "long-table"
    assert reading.report.rows == 6
    assert votes.items.tolist() == ["img_007", "img_009", "img_010"]
    assert votes.classes == ("bird", "cat", "dog")
    assert votes.annotators == ("ann", "bob", "eve")
    assert votes.counts().tolist() == [[0, 1, 2], [1, 0, 0], [0, 2, 0]]
    assert votes.annotator.tolist() == [1, 0, 2, 2, 0, 1]
    assert votes.fingerprint == read_votes(FOLDER / LONG[0]).fingerprint


def test_times_are_carried_along_and_what_is_not_read_is_named() -> None:
    reading = inspect_votes(FOLDER / "long.csv")
    np.testing.assert_array_equal(reading.votes().columns["duration"], [3, 2.5, 4, 0.75, np.nan, 1.25])
    assert reading.report.notes == ("columns not read: 'comment'",)


@given(
    rows=st.lists(st.tuples(NAMES | WHOLE, NAMES | WHOLE, st.none() | NAMES | WHOLE), min_size=2, max_size=20),
    random=st.randoms(use_true_random=False),
)
def test_neither_the_file_format_nor_the_order_of_the_rows_leaves_a_trace(tmp_path_factory, rows, random) -> None:
    table = [dict(zip(("item", "label", "annotator"), row, strict=True)) for row in rows]
    if len({row["label"] for row in table}) < 2:
        table[0]["label"] = f"{table[1]['label']}!"
    folder = tmp_path_factory.mktemp("tables")
    shuffled = [random.sample(table, len(table)) for _ in range(5)]
    pl.DataFrame(shuffled[0], schema=dict.fromkeys(table[0], pl.String)).write_parquet(folder / "a.parquet")
    paths = [
        folder / "a.parquet",
        written(folder / "a.csv", as_csv(shuffled[1])),
        written(folder / "b.csv", "\ufeff" + as_csv(shuffled[2], ";").replace("\n", "\r\n")),
        written(folder / "a.tsv", as_csv(shuffled[3], "\t")),
        written(folder / "a.jsonl", "".join(json.dumps(row) + "\n" for row in shuffled[4])),
    ]
    votes = [read_votes(path, duplicates="keep") for path in paths]
    assert len({one.fingerprint for one in votes}) == 1
    assert len({tuple(one.items.tolist()) for one in votes}) == 1
    assert set(votes[0].items.tolist()) == {row["item"] for row in table}


@given(st.lists(st.tuples(SPELLED | WHOLE, st.sampled_from(["1", "2", "02"])), min_size=1, max_size=12), st.booleans())
def test_numbers_are_the_names_they_are_written_as(tmp_path_factory, rows, ends) -> None:
    text = "item,label\n" + "\n".join(",".join(row) for row in [*rows, ("7", "1"), ("8", "2")]) + "\n" * ends
    votes = inspect_votes(written(tmp_path_factory.mktemp("numbers") / "votes.csv", text)).votes()
    assert set(votes.items.tolist()) == {item for item, _ in rows} | {"7", "8"}
    assert set(votes.classes) == {label for _, label in rows} | {"1", "2"}
    assert len(votes.label) == len(rows) + 2


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.integers(0, 5)), min_size=1, max_size=60),
    st.sampled_from(["{}", "x{}"]),
)
def test_counts_agree_with_pandas(tmp_path_factory, rows, name) -> None:
    rows = [*rows, (0, 0, 0), (0, 1, 1)]
    text = "item,label,annotator\n" + "".join(",".join(map(name.format, row)) + "\n" for row in rows)
    path = written(tmp_path_factory.mktemp("pandas") / "votes.csv", text)
    counts = pandas.read_csv(path).groupby(["item", "label"]).size().unstack(fill_value=0)
    votes = read_votes(path, duplicates="keep")
    assert votes.counts().tolist() == counts.to_numpy().tolist()
    assert votes.items.tolist() == [str(item) for item in counts.index]


@pytest.mark.parametrize("case", benchmark.CASES)
def test_the_benchmark_compares_equal_counts(tmp_path, case) -> None:
    path = str(benchmark.generate(tmp_path, case, 5_000))
    ours, theirs = benchmark.run("votewise", path), benchmark.run("pandas", path)
    assert ours["counts"] == theirs["counts"]


@pytest.mark.parametrize(
    ("header", "roles"),
    [
        ("task,worker,label", ("task", "worker", "label")),
        ("instance_id,user_id,rating", ("instance_id", "user_id", "rating")),
        ("Filename,Annotator ID,Category", ("Filename", "Annotator ID", "Category")),
        ("id,rater,class", ("id", "rater", "class")),
        ("id,image,coder,vote", ("image", "coder", "vote")),
        ("_unit_id,_worker_id,judgment", ("_unit_id", "_worker_id", "judgment")),
        ("uid,response", ("uid", "response")),
    ],
)
def test_columns_are_found_by_their_usual_names(tmp_path, header, roles) -> None:
    width = header.count(",") + 1
    rows = "".join(",".join(letters[:width]) + "\n" for letters in ("abcd", "efgh"))
    path = written(tmp_path / "votes.csv", f"{header}\n{rows}")
    reading = inspect_votes(path)
    assert reading.report.why == f"columns {', '.join(roles)}"
    assert list(reading.questions) == [roles[-1]]


def test_columns_may_be_named(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "what,label,how,who\na,1,yes,x\na,2,no,y\n")
    votes = read_votes(path, item="what", label="how", annotator="who")
    assert (votes.items.tolist(), votes.classes, votes.annotators) == (["a"], ("no", "yes"), ("x", "y"))


def test_rows_without_a_label_are_dropped_as_if_they_were_not_there(tmp_path) -> None:
    whole = written(tmp_path / "whole.csv", "item,annotator,label\na,x,1\nb,y,2\n")
    holes = written(tmp_path / "holes.csv", 'item,annotator,label\na,x,1\na,w," "\n\nb,y,2\nc,z,\nb,x,""\n')
    with pytest.warns(DroppedVotes, match="dropped 3: no label"):
        votes = read_votes(holes)
    assert votes.fingerprint == read_votes(whole).fingerprint
    assert votes.items.tolist() == ["a", "b"]
    assert inspect_votes(holes).report.dropped == {"no label": 3, "a blank line": 1, "an item without votes": 1}


def test_an_annotator_may_be_unknown(tmp_path) -> None:
    votes = read_votes(written(tmp_path / "votes.csv", "item,annotator,label\na,,1\na,,1\na,x,2\n"))
    assert votes.annotator.tolist() == [-1, -1, 0]
    assert read_votes(written(tmp_path / "all.csv", "item,annotator,label\na,,1\na,,2\n")).annotator is None


def test_a_second_vote_of_one_person_is_an_error_unless_it_is_kept_or_the_last_counts(tmp_path) -> None:
    rows = "item,annotator,label,weight\na,x,3,1\na,x,1,2\na,y,2,3\na,,1,4\na,,1,5\nb,x,2,6\na,x,2,7\n"
    path = written(tmp_path / "votes.csv", rows)
    again = r"votes.csv: line 8: annotator 'x' votes on item 'a' again \(2 second votes in total, 0 of them with the same label"
    with pytest.raises(VotewiseError, match=again):
        inspect_votes(path)
    with pytest.raises(VotewiseError, match="4 second votes in total, 2 of them with the same label"):
        inspect_votes(written(tmp_path / "twice.csv", rows + "a,x,2,7\nb,x,2,6\n"))
    kept = inspect_votes(path, duplicates="keep")
    assert kept.votes().counts().tolist() == [[3, 2, 1], [0, 1, 0]]
    assert "2, all kept" in kept.report.notes[0]
    last = inspect_votes(path, duplicates="last")
    assert last.votes().classes == ("1", "2")
    assert last.votes().weight.tolist() == [4, 5, 7, 3, 6]
    assert last.report.dropped == {"an earlier vote of the same annotator on the same item": 2}


def test_weights_and_times_stay_with_their_votes(tmp_path) -> None:
    rows = [(f"i{n * 7 % 5}", f"w{n}", "abc"[n % 3], n + 1.0) for n in range(20)]
    text = "item,annotator,label,weight,time\n" + "".join(f"{i},{a},{c},{w},{w * 2}\n" for i, a, c, w in rows)
    votes = read_votes(written(tmp_path / "votes.csv", text))
    found = zip(
        np.repeat(votes.items, votes.votes_per_item).tolist(),
        [votes.annotators[code] for code in votes.annotator],
        [votes.classes[code] for code in votes.label],
        votes.weight.tolist(),
        strict=True,
    )
    assert set(found) == set(rows)
    assert (votes.columns["time"] == votes.weight * 2).all()


def test_classes_may_be_given_and_ordered(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "item,label\na,low\na,high\n")
    votes = read_votes(path, classes=["low", "mid", "high"], ordinal=True)
    assert (votes.classes, votes.scale.position) == (("low", "mid", "high"), (0, 1, 2))
    stars = read_votes(written(tmp_path / "stars.csv", "item,rating\na,10\na,9.5\nb,-1\n"), ordinal=True)
    assert stars.scale.position == (-1, 9.5, 10)


def test_fields_may_hold_delimiters_quotes_and_line_ends(tmp_path) -> None:
    text = 'label,text,item\n"x,1","a ""b""","i\n1"\ny," c","i;2"\n'
    votes = read_votes(written(tmp_path / "votes.csv", text))
    assert (votes.items.tolist(), votes.classes) == (["i\n1", "i;2"], ("x,1", "y"))


def test_texts_may_be_long(tmp_path) -> None:
    text = f'item,text,label\na,"{"long, " * 40_000}",1\na,"short",2\n'
    assert len(read_votes(written(tmp_path / "votes.csv", text)).label) == 2


def test_a_lone_quote_inside_a_field_is_a_character(tmp_path) -> None:
    votes = read_votes(written(tmp_path / "votes.csv", 'item,label\n5" screen,x\n7" screen,y\n'))
    assert votes.items.tolist() == ['5" screen', '7" screen']


def test_parquet_columns_of_any_type(tmp_path) -> None:
    frame = pl.DataFrame(
        {"item": [7, 10, 7], "label": [1.0, 2.0, None], "rater": pl.Series(["x", "y", "x"], dtype=pl.Categorical)}
    )
    frame.write_parquet(tmp_path / "votes.parquet")
    reading = inspect_votes(tmp_path / "votes.parquet")
    assert reading.votes().items.tolist() == ["7", "10"]
    assert reading.votes().classes == ("1", "2")
    assert reading.report.dropped == {"no label": 1}  # the item keeps its other vote


def test_columns_of_lists_may_be_beside_the_votes(tmp_path) -> None:
    frame = pl.DataFrame({"item": ["a", "b", "c"], "label": ["x", "y", "x"], "tokens": [["t"], ["u"], ["t"]]})
    frame.write_parquet(tmp_path / "votes.parquet")
    frame.write_ndjson(tmp_path / "votes.jsonl")
    for name in ("votes.parquet", "votes.jsonl"):
        assert read_votes(tmp_path / name).counts().tolist() == [[1, 0], [0, 1], [1, 0]]


def test_an_item_with_two_names_is_reported(tmp_path) -> None:
    doubts = inspect_votes(written(tmp_path / "votes.csv", "item,label\n1.0,x\n1,y\n2.0,x\n")).report.doubts
    assert doubts == ("item '1.0' looks like '1' (1 item with two names): write the ids alike in the file",)
    assert not inspect_votes(written(tmp_path / "votes.csv", "item,label\n1.0,x\n3,y\n")).report.doubts


def test_bars_may_separate_the_columns(tmp_path) -> None:
    for name in ("votes.csv", "votes.txt"):
        votes = read_votes(written(tmp_path / name, "item|label\na, b|x\na, b|y\n"))
        assert (votes.items.tolist(), votes.classes) == (["a, b"], ("x", "y"))


def test_a_name_with_the_signs_of_a_pattern_is_that_file(tmp_path) -> None:
    text = "item,label\na,1\na,2\n"
    assert len(read_votes(written(tmp_path / "v[0-9]*.csv", text))) == 1


def test_probabilities_in_long_form_may_be_weights_or_be_carried(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "item,label,prob\na,x,0.2\na,y,0.8\nb,x,0.5\nb,y,0.5\n")
    assert read_votes(path, weight="prob").probabilities().tolist() == [[0.2, 0.8], [0.5, 0.5]]
    assert read_votes(path, carry=["prob"]).counts().tolist() == [[1, 1], [1, 1]]
    other = written(tmp_path / "other.csv", "item,label,prob\na,x,0.2\na,y,0.9\nb,x,0.5\nb,y,0.5\n")
    assert read_votes(other).counts().tolist() == [[1, 1], [1, 1]]


@pytest.mark.parametrize("name", ["count", "n", "votes", "0"])
def test_counts_per_item_and_label_are_numbers_of_votes(tmp_path, name) -> None:
    path = written(tmp_path / "votes.csv", f"item,label,{name}\na,x,3\na,y,1\nb,x,4\nb,z,0\nc,x,0\n")
    reading = inspect_votes(path)
    assert (reading.votes().classes, reading.votes().counts().tolist()) == (("x", "y", "z"), [[3, 1, 0], [4, 0, 0]])
    assert reading.report.dropped == {"an item without votes": 1}
    assert reading.report.notes == (f"column {name!r} is the number of votes of each row",)


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from("xyz")), min_size=1, max_size=60))
def test_counts_by_pandas_are_the_votes_they_count(rows) -> None:
    frame = pandas.DataFrame([*rows, (0, "x"), (0, "x"), (0, "x"), (0, "y"), (1, "z")], columns=["item", "label"])
    counts = frame.groupby(["item", "label"]).size().reset_index(name="n")
    assert read_votes(counts, count="n").fingerprint == read_votes(frame).fingerprint


@pytest.mark.parametrize(
    "rows",
    [
        "item,label,count\na,x,2\na,x,2\na,y,1\n",  # votes for this label
        "item,label,votes\na,x,3\na,x,3\na,y,3\n",  # votes on this item
        "item,label,n\na,x,1\na,x,2\na,y,3\n",  # the number of the row
        "item,annotator,label,count\na,p,x,7\na,q,x,8\na,r,y,9\n",
    ],
)
def test_a_number_that_describes_rows_is_no_count(tmp_path, rows) -> None:
    assert read_votes(written(tmp_path / "votes.csv", rows)).counts().tolist() == [[2, 1]]


def test_counts_by_a_third_column_are_a_question_if_two_are_equal(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "item,label,group,count\na,x,f,2\na,x,m,2\nb,y,f,5\nb,x,f,1\n")
    with pytest.raises(VotewiseError, match="'count' may hold the number of votes"):
        read_votes(path)


def test_a_column_that_may_be_counts_is_a_question(tmp_path) -> None:
    path = written(tmp_path / "votes.csv", "item,label,gender,count\na,x,f,2\na,x,m,3\nb,y,f,5\n")
    with pytest.raises(VotewiseError, match=r"'count' may hold the number of votes .*--count count.*--carry count"):
        read_votes(path)
    assert read_votes(path, count="count").counts().tolist() == [[5, 0], [0, 5]]
    assert read_votes(path, carry=["count"]).counts().tolist() == [[2, 0], [0, 1]]


@pytest.mark.parametrize("name", ["votes.jsonl", "votes.json"])
def test_the_first_record_may_leave_out_fields(tmp_path, name) -> None:
    records = [
        {"item": "a", "label": "x"},
        {"item": "a", "label": "y", "annotator": "p"},
        {"item": "b", "label": "y", "annotator": "p", "note": "?"},
    ]
    text = json.dumps(records) if name == "votes.json" else "\n".join(map(json.dumps, records))
    reading = inspect_votes(written(tmp_path / name, text))
    assert reading.votes().annotator.tolist() == [-1, 0, 0]
    assert reading.report.unread == ("note",)


# --- what is refused ------------------------------------------------------------------------------------------------------

BAD: dict[str, tuple[str, bytes | str, dict[str, object], str]] = {
    "header only": ("votes.csv", "item,label\n", {}, "no votes"),
    "no header": ("votes.csv", "img_1,w1,cat\nimg_2,w1,dog\n", {}, "'img_1', 'w1', 'cat' .*--item.* add a header"),
    "no label column": ("votes.csv", "item,worker,x\na,b,c\n", {}, "recognised as the label.*--label"),
    "probabilities of classes": (
        "votes.csv",
        "item,label,prob\na,x,0.2\na,y,0.8\nb,x,0.5\nb,y,0.5\n",
        {},
        r"'prob' sums to one on each item, so the rows are probabilities, not votes; .*--weight prob\)",
    ),
    "percentages of classes": (
        "votes.csv",
        "item,label,percent\na,x,67\na,y,34\nb,x,50\nb,y,50\n",
        {},
        r"'percent' sums to about 100 on each item, .*--weight percent\)",
    ),
    "one row per item": ("votes.csv", "item,label,votes\na,x,2\nb,y,5\n", {}, "'votes' may hold the number of votes.*--count votes"),
    "half a vote": ("votes.csv", "item,label,k\na,x,2\nb,y,0.5\n", {"count": "k"}, "line 3: 'k' is '0.5', not a whole number"),
    "counts beyond counting": ("votes.csv", "item,label,k\na,x,2\nb,y,5000000\n", {"count": "k"}, "line 3: .* 1,000,000 votes"),
    "counts of one annotator": ("votes.csv", "item,label,user,k\na,x,p,2\n", {"count": "k"}, "'user' names the annotator.*--count"),
    "a line of totals": (
        "votes.csv",
        "item,annotator,label\na,p,x\na,q,y\nTotal,,2\n",
        {},
        r"item 'Total' has only labels that no other item has, so it may be a total; .*--classes\)",
    ),
    "counts with margins": (
        "votes.csv",
        "item,label,count\na,x,1\na,y,2\na,All,3\nb,x,2\nb,y,2\nb,All,4\n",
        {},
        "class 'All' is the sum of the others, not a class",
    ),
    "neither item nor label": (
        "votes.csv",
        "row_id,review_id,user_id,x\n1,a,u,b\n2,a,v,c\n3,b,u,c\n",
        {},
        r"as the item or the label; name them with item= \(--item\) and label= \(--label\), e.g. --item review_id, or",
    ),
    "two label columns": ("votes.csv", "item,label,rating\na,b,c\n", {}, "'label', 'rating' could each.*--label"),
    "a column twice": ("votes.csv", "item,label,label\na,b,c\n", {}, "'label' occurs twice"),
    "a name that is not there": ("votes.csv", "item,label\na,b\n", {"label": "lable"}, "unknown column 'lable'.*'label'"),
    "one column for two": ("votes.csv", "item,label\na,b\n", {"item": "label"}, "column 'label' has two roles, item and label"),
    "an empty item": ("votes.csv", 'x,item,label\n"1\n2",a,b\n3,,c\n', {}, "line 4 has no item"),
    "an empty item in JSON": ("votes.jsonl", '{"item":"a","label":1}\n\n{"item":"","label":2}\n', {}, "line 3 has no item"),
    "no labels at all": ("votes.csv", "item,label\na,\nb,\n", {}, "no row has a label"),
    "one class": ("votes.csv", "item,label\na,1\nb,1\n", {}, r"1 class given.*classes= \(--classes\)"),
    "a label that is no class": ("votes.csv", "item,label\na,1\nb,3\n", {"classes": ["1", "2"]}, "line 3: '3' is not one"),
    "a line too short": ("votes.csv", "item,who,label\na,x,1\nb,2\n", {}, "line 3 has 2 fields where the header has 3"),
    "a line too long": ("votes.csv", "item,x,label\na,x,1\nb,y,z,2\n", {}, "line 3 has 4 fields"),
    "a field with a comma": ("votes.csv", 'x,item,label\n"1",a,1\nb,y,z,2\n', {}, "line 3 has 4 fields"),
    "two lines that make up for each other": ("votes.csv", "item,x,label\na,1\nb,y,z,2\n", {}, "line 2 has 2 fields"),
    "the last line too short": ("votes.csv", "item,x,label\na,y,1\nb,2", {}, "line 3 has 2 fields"),
    "an open quote": ("votes.csv", 'item,label\na,1\n"b,2\n', {}, "line 3"),
    "not UTF-8": ("votes.csv", b"item,label\na,caf\xe9\nb,x\n", {}, r"byte 16 \(line 2\) is not UTF-8"),
    "not UTF-8 in JSON": ("votes.jsonl", b'{"item":"a","label":"x"}\n{"item":"\xe9"}\n', {}, r"\(line 2\) is not UTF-8"),
    "a weight of zero": ("votes.csv", "item,label,weight\na,1,2\nb,2,0\n", {}, "line 3: the weight is '?0"),
    "a weight that is no number": ("votes.csv", "item,label,weight\na,1,2\nb,2,much\n", {}, "line 3: the weight is 'much'"),
    "lines above the header": ("votes.csv", "My survey\n2025\n\nitem,label\na,x\n", {}, "delete the lines above it"),
    "a line for Excel": ("votes.csv", "sep=;\nitem;label\na;x\n", {}, "line 1 is 'sep=;', which only Excel reads; delete it"),
    "a list of labels": ("votes.jsonl", '{"id":"a","labels":["x","y"]}\n', {}, "label=.*, or write one record per vote if the votes are inside 'labels'"),
    "a list as the label": ("votes.jsonl", '{"id":"a","k":["x","y"]}\n', {"label": "k"}, "line 1: 'k' is .* one record per vote"),
    "nested records": ("votes.jsonl", '{"id":"a","annotations":[{"label":"x"}]}\n', {}, "one record per vote if the votes are inside 'annotations'"),
    "a thousands separator": ("votes.csv", 'item,label,weight\na,x,"1,234"\nb,y,2\n', {}, "thousands.*: write 1234 or 1.234"),
    "a decimal comma": ("votes.csv", "item;label;weight\na;1;0,5\n", {}, "line 2: the weight is '0,5', which has a decimal comma"),
    "no weight": ("votes.csv", "item,label,weight\na,1,2\n\nb,2,\n", {}, "line 4: the weight is empty"),
    "names in no order": ("votes.csv", "item,label\na,low\na,high\n", {"ordinal": True}, "order of 'high', 'low'.*--classes"),
    "a policy that is none": ("votes.csv", "item,label\na,1\n", {"duplicates": "newest"}, "'newest'.*'last'"),
    "a format that is none": ("votes.csv", "item,label\na,1\n", {"format": "exel"}, "'exel'.*long-table"),
    "cut off JSON": ("votes.jsonl", '{"item":"a","label":"x"}\n{"item":"b","la', {}, "line 2 is not JSON"),
    "a label that is a list": ("votes.jsonl", '{"item":"a","label":"x"}\n{"item":"b","label":["y"]}\n', {}, "line 2: 'label'"),
    "JSON cut off on line 1": ("votes.json", '[{"item":"a","la', {}, "line 1 is not JSON"),
    "no Parquet": ("votes.parquet", "item,label\na,1\n", {}, "Parquet.*truncated"),
    "empty": ("votes.csv", "", {}, "empty"),
    "no table": ("votes.md", "words\nand words\n", {"format": "long-table"}, "cannot be read as a table"),
    "only a byte order mark": ("votes.csv", b"\xef\xbb\xbf\n", {}, "empty"),
    "old line ends": ("votes.csv", "item,label\ra,1\rb,2\r", {}, "lines end in CR without"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_with_file_place_and_remedy(tmp_path, case) -> None:
    name, content, options, message = BAD[case]
    path = written(tmp_path / name, content)
    with pytest.raises(VotewiseError, match=message) as caught:
        inspect_votes(path, **options)
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert caught.value.remedy
    assert sentence.startswith(str(path)) or "duplicates" in options or options.get("format") == "exel"


def test_a_blank_annotator_is_missing_in_every_format(tmp_path) -> None:
    rows = '{"item": "a", "annotator": "  ", "label": "x"}\n{"item": "a", "annotator": "b", "label": "y"}\n'
    votes = inspect_votes(written(tmp_path / "votes.jsonl", rows.encode())).votes()
    table = inspect_votes(written(tmp_path / "votes.csv", b"item,annotator,label\na,  ,x\na,b,y\n")).votes()
    assert votes == table
    assert votes.annotator.tolist() == [-1, 0]


def test_a_truncated_parquet_file_is_one_sentence(tmp_path) -> None:
    path = tmp_path / "votes.parquet"
    pl.DataFrame({"item": ["a", "b"] * 50, "label": ["x", "y"] * 50}).write_parquet(path)
    content = path.read_bytes()
    for size in range(1, len(content), 7):
        written(path, content[:size])
        with pytest.raises(VotewiseError, match=r"votes\.parquet: "):
            inspect_votes(path)


def test_nested_parquet_columns_are_refused(tmp_path) -> None:
    pl.DataFrame({"item": ["a"], "label": [["x"]]}).write_parquet(tmp_path / "votes.parquet")
    with pytest.raises(VotewiseError, match="column 'label' does not hold single values"):
        inspect_votes(tmp_path / "votes.parquet")


def test_directories_missing_files_and_closed_files_are_one_sentence(tmp_path) -> None:
    with pytest.raises(VotewiseError, match="directory"):
        inspect_votes(tmp_path)
    with pytest.raises(VotewiseError, match="this file does not exist"):
        inspect_votes(tmp_path / "votes.csv")


@given(st.binary(max_size=80), st.sampled_from(["", "item,label\n", "item,annotator,label\na,b,c\n"]))
def test_any_bytes_give_votes_or_one_sentence(tmp_path_factory, junk, start) -> None:
    path = written(tmp_path_factory.mktemp("junk") / "votes.csv", start.encode() + junk)
    try:
        found = str(inspect_votes(path).report)
    except VotewiseError as error:
        found = str(error)
    assert found.startswith(str(path))


def test_popquorn_is_a_long_table_once_its_label_is_named(data) -> None:
    path = data / "popquorn" / "offensiveness.csv"
    table = inspect_votes(path, format="long-table", label="offensiveness", ordinal=True).votes()
    assert (len(table), len(table.label), len(table.annotators)) == (1500, 13_036, 262)
    counts = pandas.read_csv(path).groupby(["instance_id", "offensiveness"]).size().unstack(fill_value=0)
    assert table.counts().tolist() == counts.to_numpy().tolist()
    assert table.classes == ("1.0", "2.0", "3.0", "4.0", "5.0")  # as they are written
    assert replace(table, classes="12345").fingerprint == read_votes(path).fingerprint
