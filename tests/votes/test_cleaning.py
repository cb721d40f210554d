"""Messy names: folded, mapped or missing on request; proposals that a person edits; advice that solves what it names."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import FOLDER
from votewise.cli.options import pairs, parts
from votewise.errors import VotewiseError
from votewise.votes import (
    Distributions,
    DoubtfulClasses,
    DroppedVotes,
    Votes,
    inspect_votes,
    propose_cleaning,
    read_votes,
    write_votes,
)
from votewise.votes.cleaning import Renaming, folded

MESSY = """comment,worker,label,created_at,confidence
c1,ann_06,toxic,2026-01-02,0.9
c1,ANN_06 ,ok,2026-01-03,0.5
c1,bob,Toxic,2026-01-04,0.9
c2,bob,toxc,2026-01-04,high
c2,cid,toxic,2026-01-04,0.9
c2,ann_06,?,2026-01-04,0.9
c3,ann_06,ok,2026-01-04,0.9
c3,bob,toxic,2026-01-04,N/A
c3,cid,N/A,2026-01-04,0.9
"""
CLEAN = {"map": {"toxc": "toxic", "Toxic": "toxic"}, "missing": ["?", "N/A"], "item": "comment"}


@pytest.fixture
def messy(tmp_path: Path) -> Path:
    (tmp_path / "messy.csv").write_text(MESSY)
    return tmp_path / "messy.csv"


def test_labels_are_mapped_folded_and_missing_on_request(messy: Path) -> None:
    file = inspect_votes(messy, **CLEAN)
    votes = file.votes()
    assert votes.classes == ("ok", "toxic")
    assert votes.counts().tolist() == [[1, 2], [0, 2], [1, 1]]
    assert file.report.dropped == {"no label": 2}
    assert any("'toxc' -> 'toxic'" in note for note in file.report.notes)
    folded_only = inspect_votes(messy, item="comment", fold=True, missing=["n/a", "?"], duplicates="last").votes()
    assert folded_only.classes == ("ok", "toxc", "toxic")
    assert folded_only.annotators == ("ann_06", "bob", "cid")


def test_a_missing_value_that_does_not_occur_is_noted(messy: Path) -> None:
    options = {**CLEAN, "missing": ["?", "N/A", "zzz"]}
    assert "values in missing= that do not occur: 'zzz'" in inspect_votes(messy, **options).report.notes
    assert not any("that do not occur" in note for note in inspect_votes(messy, **CLEAN).report.notes)


def test_annotators_are_mapped_before_second_votes_are_settled(messy: Path) -> None:
    options = {**CLEAN, "map_annotators": {"ANN_06": "ann_06"}}
    with pytest.raises(VotewiseError, match="'ann_06' votes on item 'c1' again"):
        inspect_votes(messy, **options)
    votes = inspect_votes(messy, **options, duplicates="last").votes()
    assert votes.annotators == ("ann_06", "bob", "cid")
    assert votes["c1"].counts().tolist() == [[1, 1]]


def test_the_cleaning_file_holds_the_options_and_those_given_beside_it_come_first(messy: Path, tmp_path: Path) -> None:
    path = tmp_path / "cleaning.toml"
    path.write_text('item = "comment"\nmissing = ["?", "N/A"]\n[map]\ntoxc = "other"\nToxic = "toxic"\n')
    votes = inspect_votes(messy, cleaning=path, map={"toxc": "toxic"}).votes()
    assert votes == inspect_votes(messy, **CLEAN).votes()
    with pytest.warns((DroppedVotes, DoubtfulClasses)):
        assert Votes.from_frame(pl.read_csv(messy), cleaning=path, map={"toxc": "toxic"}) == votes


def test_annotators_are_left_out_under_all_their_names(messy: Path, tmp_path: Path) -> None:
    options = {
        **CLEAN,
        "map_annotators": {"ANN_06": "ann_06"},
        "without_annotators": ["ann_06"],
        "classes": ["ok", "toxic"],
    }
    file = inspect_votes(messy, **options)
    assert file.votes().annotators == ("bob", "cid")
    assert file.report.dropped == {"no label": 2, "a vote of an excluded annotator": 3}
    wide, ballots = tmp_path / "wide.csv", tmp_path / "ballots.json"
    wide.write_text("item,annotator_1,annotator_2,annotator_3\na,x,y,x\nb,y,y,x\n")
    ballots.write_text(
        '[{"id": 1, "data": {}, "annotations": ['
        '{"completed_by": 1, "result": [{"type": "choices", "from_name": "q", "value": {"choices": ["x"]}}]},'
        '{"completed_by": 2, "result": [{"type": "choices", "from_name": "q", "value": {"choices": ["y"]}}]},'
        '{"completed_by": 3, "result": [{"type": "choices", "from_name": "q", "value": {"choices": ["x"]}}]}]}]'
    )
    for path, name in ((wide, "annotator_1"), (ballots, "1")):
        every = inspect_votes(path).votes()
        fewer = inspect_votes(path, without_annotators=[name])
        assert fewer.votes().annotators == tuple(one for one in every.annotators if one != name)
        assert fewer.report.dropped == {"a vote of an excluded annotator": len(every)}
    assert any("'nobody'" in note for note in inspect_votes(wide, without_annotators=["nobody"]).report.notes)
    with pytest.raises(VotewiseError, match="all votes are by excluded annotators"):
        inspect_votes(messy, **CLEAN, without_annotators=["ann_06", "ANN_06", "bob", "cid"])


def test_missing_values_beside_a_cleaning_file_are_joined(messy: Path, tmp_path: Path) -> None:
    text = 'item = "comment"\nfold = true\nmissing = ["?"]\n'
    (tmp_path / "cleaning.toml").write_text(text, encoding="utf-8-sig")  # with a byte order mark
    votes = inspect_votes(messy, cleaning=tmp_path / "cleaning.toml", missing=["N/A"], duplicates="last").votes()
    assert votes.classes == ("ok", "toxc", "toxic")


@pytest.mark.parametrize("text", ["mapp = 1", "map = 3", 'duplicates = "newest"', "map = [", 'cleaning = "x"'])
def test_a_wrong_cleaning_file_is_one_sentence_that_names_it(messy: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "cleaning.toml").write_text(text)
    with pytest.raises(VotewiseError) as caught:
        inspect_votes(messy, cleaning=tmp_path / "cleaning.toml")
    assert "cleaning.toml" in str(caught.value) or "newest" in str(caught.value)


def test_a_proposal_is_a_file_that_reads_the_votes_clean(messy: Path, tmp_path: Path) -> None:
    rows = MESSY + "".join(f"d{n},cid,toxic,2026-01-05,1\nd{n},bob,ok,2026-01-05,1\n" for n in range(9))
    messy.write_text(rows)
    proposal = propose_cleaning(messy, item="comment")
    assert proposal.options["map"] == CLEAN["map"]
    assert proposal.options["map_annotators"] == {"ANN_06": "ann_06"}
    assert set(proposal.options["missing"]) == {"?", "N/A"}
    assert proposal.duplicates == 1
    written = tomllib.loads(proposal.toml())
    assert written == {**proposal.options, "missing": list(proposal.options["missing"])}
    assert "both voted on 1 item" in proposal.toml()
    proposal.save(tmp_path / "cleaning.toml")
    file = inspect_votes(messy, cleaning=tmp_path / "cleaning.toml", duplicates="last", time="created_at")
    assert file.report.doubts == ()
    assert file.votes().classes == ("ok", "toxic")
    assert len(propose_cleaning(messy, cleaning=tmp_path / "cleaning.toml")) == 0


def test_labels_are_compared_with_given_classes(messy: Path) -> None:
    proposal = propose_cleaning(messy, item="comment", classes=["fine", "toxic"])
    assert proposal.options["map"] == CLEAN["map"]
    assert proposal.unknown == {"ok": 2}
    assert tomllib.loads(proposal.toml())["map"] == CLEAN["map"]


def _advice(message: str) -> dict[str, object]:
    """The options that a message advises on the command line, of each kind the first."""
    found = dict[str, object]()
    for name, value in re.findall(
        r"\(--(map|missing|map-annotators|duplicates|fold)((?: '[^']*'| [^\s)]+)?)\)", message
    ):
        key, (text, *_) = name.replace("-", "_"), [*shlex.split(value), ""]
        value = pairs([text]) if key.startswith("map") else parts(text) if key == "missing" else text or True
        found.setdefault(key, value)
    return found


@pytest.mark.parametrize("classes", [["ok", "toxic"], None])
def test_following_the_advice_ends_in_clean_votes(messy: Path, classes: list[str] | None) -> None:
    options: dict = {"item": "comment", "classes": classes}
    for _ in range(10):
        try:
            doubts = inspect_votes(messy, **options).report.doubts
        except VotewiseError as error:
            doubts = (str(error),)
        if not doubts:
            break
        for key, value in _advice(doubts[0]).items():
            old = options.get(key)
            merged = {**old, **value} if isinstance(old, dict) else [*old, *value] if isinstance(old, list) else value
            options[key] = merged
    assert doubts == ()
    votes = inspect_votes(messy, **options).votes()
    assert set(votes.classes) <= {"ok", "toxic", "toxc"}  # one vote of three is too few to call toxc a typo
    assert "ANN_06" not in votes.annotators


def test_what_is_mapped_to_itself_is_kept_without_a_doubt(messy: Path) -> None:
    rows = "item,user,label\n" + "".join(f"i{n},u{n},good\ni{n},v{n},bad\n" for n in range(30)) + "i1,U2,goood\n"
    messy.write_text(rows)
    with pytest.warns(DoubtfulClasses, match="goood"):
        read_votes(messy)
    kept = inspect_votes(messy, map={"goood": "goood"}, map_annotators={"U2": "U2"})
    assert kept.report.doubts == ()
    assert kept.votes().num_classes == 3


@given(st.lists(st.text(max_size=8)))
def test_folding_twice_is_folding_once(names: list[str]) -> None:
    rename = Renaming("map", fold=True)
    once = [folded(name) for name in names]
    assert [folded(name) for name in once] == once
    assert [rename(name) for name in names] == [name or None for name in once]


def test_folded_labels_are_spelled_as_the_classes() -> None:
    frame = pl.DataFrame({"item": [1, 1, 2], "label": ["NOT  sure", "yes", "Yes"]})
    assert Votes.from_frame(frame, fold=True, classes=["Yes", "Not sure"]).counts().tolist() == [[1, 1], [1, 0]]


def test_classes_may_be_numbers_but_are_a_list() -> None:
    votes = read_votes(FOLDER / "label-studio-min.json", question="quality", classes=[1, 2, 3, 4, 5], fold=True)  # type: ignore[list-item]
    assert votes.classes == ("1", "2", "3", "4", "5")
    frame = pl.DataFrame({"item": ["a"], "1": [0.5], "2": [0.5]})
    assert Distributions.from_frame(frame, classes=[1, 2]).classes == ("1", "2")  # type: ignore[list-item]
    with pytest.raises(VotewiseError, match=r"classes='ab' is not a list"):
        read_votes(FOLDER / "long.csv", classes="ab")


def test_a_mapping_that_contradicts_itself_is_refused(messy: Path) -> None:
    with pytest.raises(VotewiseError, match="'toxc' to both"):
        inspect_votes(messy, item="comment", fold=True, map={"toxc": "toxic", "TOXC": "ok"})
    for wrong in ({"missing": "N/A"}, {"carry": "text"}, {"map": "a=b"}):
        with pytest.raises(VotewiseError, match="is not a"):
            inspect_votes(messy, **wrong)


FORMATS = {
    "annotator-columns": ("v.csv", "item,ann,bob\na,yes,Yes\nb,no,?\nc,no,yes\n"),
    "doccano": (
        "v.jsonl",
        '{"id": 1, "text": "t", "label": ["yes"], "Comments": []}\n{"id": 2, "text": "u", "label": ["Yes"], "Comments": []}\n'
        '{"id": 3, "text": "w", "label": ["no"], "Comments": []}\n{"id": 4, "text": "x", "label": ["?"], "Comments": []}\n',
    ),
    "wide-table": ("v.csv", "item,yes,Yes,no,?\na,1,1,0,0\nb,0,0,2,1\nc,1,0,0,0\n"),
}


@pytest.mark.parametrize("format", FORMATS)
def test_every_kind_of_reader_cleans(format: str, tmp_path: Path) -> None:
    name, text = FORMATS[format]
    (tmp_path / name).write_text(text)
    messy = inspect_votes(tmp_path / name, format=format).votes()
    file = inspect_votes(tmp_path / name, format=format, map={"Yes": "yes"}, missing=["?"])
    votes = file.votes()
    assert set(votes.classes) == {"yes", "no"}
    known = [place for place, cls in enumerate(messy.classes) if cls != "?"]
    assert votes.counts().sum() == messy.counts()[:, known].sum()
    assert any("'Yes' -> 'yes'" in note for note in file.report.notes)


def test_columns_that_are_read_as_given_classes_count_for_them(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(FORMATS["wide-table"][1])
    votes = inspect_votes(tmp_path / "v.csv", map={"Yes": "yes"}, classes=["no", "yes"]).votes()
    assert votes.classes == ("no", "yes")
    assert votes.counts().tolist() == [[0, 2], [2, 0], [0, 1]]


def test_two_columns_of_one_annotator_are_settled(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,ann,Ann,bob\na,yes,no,yes\nb,no,no,yes\n")
    options = {"map_annotators": {"Ann": "ann"}}
    with pytest.raises(VotewiseError, match="again"):
        inspect_votes(tmp_path / "v.csv", **options)
    votes = inspect_votes(tmp_path / "v.csv", **options, duplicates="first").votes()
    assert votes.annotators == ("ann", "bob")
    assert votes.counts().tolist() == [[0, 2], [1, 1]]


# --- second votes ---------------------------------------------------------------------------------------------------------


AGAIN = "item,user,label,when\na,x,p,2026-03-01T10:00:00+02:00\na,x,q,2026-01-01\na,x,p,2026-02-01 08:00\na,y,q,2026-01-05\na,z,p,2026-01-05\n"


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ({"duplicates": "first"}, "p"),
        ({"duplicates": "last"}, "p"),
        ({"duplicates": "first", "time": "when"}, "q"),
        ({"duplicates": "last", "time": "when"}, "p"),
        ({"duplicates": "majority"}, "p"),
    ],
)
@pytest.mark.parametrize("frame", [False, True])
def test_which_second_vote_counts(options: dict, label: str, frame: bool, tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(AGAIN)
    source = pl.read_csv(tmp_path / "v.csv") if frame else tmp_path / "v.csv"
    votes = inspect_votes(source, **options).votes()
    assert len(votes.label) == 3
    rows = votes.to_polars()
    assert rows.filter(pl.col("annotator") == "x")["label"].to_list() == [label]


def test_a_tied_majority_is_the_last_choice(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,user,label\na,x,p\na,x,q\na,y,p\n")
    votes = inspect_votes(tmp_path / "v.csv", duplicates="majority").votes()
    assert votes.to_polars().filter(pl.col("annotator") == "x")["label"].to_list() == ["q"]


def test_times_may_be_those_of_pandas_and_must_be_known(tmp_path: Path) -> None:
    import pandas as pd

    frame = pd.read_csv(Path(_written(tmp_path, AGAIN)))
    frame["when"] = pd.to_datetime(frame["when"], utc=True, format="ISO8601")
    votes = inspect_votes(frame, duplicates="first", time="when").votes()
    assert votes.to_polars().filter(pl.col("annotator") == "x")["label"].to_list() == ["q"]
    (tmp_path / "v.csv").write_text(AGAIN.replace("2026-02-01 08:00", "last spring"))
    with pytest.raises(VotewiseError, match="line 4: the time is 'last spring'"):
        inspect_votes(tmp_path / "v.csv", duplicates="last", time="when")


def _written(folder: Path, text: str) -> Path:
    (folder / "v.csv").write_text(text)
    return folder / "v.csv"


# --- carried columns ------------------------------------------------------------------------------------------------------


def test_columns_are_carried_along_on_request(messy: Path) -> None:
    votes = inspect_votes(messy, **CLEAN, carry=["confidence", "created_at"]).votes()
    assert votes.to_polars()["confidence"].to_list()[:3] == ["0.5", "0.9", "0.9"]
    assert votes.columns["created_at"].tolist()[0] == "2026-01-03"
    messy.write_text(MESSY.replace("high", "0.1"))
    numbers = inspect_votes(messy, **CLEAN).votes().columns["confidence"]
    assert np.isnan(numbers).sum() == 1  # N/A is missing there, too
    for wrong in (["nothing"], ["label"]):
        with pytest.raises(VotewiseError, match="carry"):
            inspect_votes(messy, **CLEAN, carry=wrong)
    with pytest.raises(VotewiseError, match="carry= does not apply to the format wide-table"):
        inspect_votes(_written(messy.parent, "item,a,b\nx,1,2\ny,3,4\n"), carry=["a"])


def test_dropped_rows_are_reported_with_a_warning(messy: Path) -> None:
    with pytest.warns(DroppedVotes):
        read_votes(messy, **CLEAN, fold=True, duplicates="last")


def test_votes_that_votewise_wrote_are_not_cleaned_without_a_word(tmp_path: Path) -> None:
    write_votes(Votes.from_long(list("aab"), ["x", "X", "y"], ["p", "q", "p"]), tmp_path / "v.parquet")
    with pytest.raises(VotewiseError, match="--format long-table"):
        inspect_votes(tmp_path / "v.parquet", fold=True)
    assert inspect_votes(tmp_path / "v.parquet", fold=True, format="long-table").votes().classes == ("x", "y")


def test_a_column_with_a_role_is_not_the_time(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("item,annotator,label,cast\na,x,1,2026-01-02\na,x,2,2026-01-03\nb,y,1,\n")
    with pytest.raises(VotewiseError, match="column 'label' is already in use"):
        inspect_votes(tmp_path / "v.csv", duplicates="last", time="label")


def test_a_column_of_dates_is_proposed_as_the_time_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text(
        "item,annotator,label,cast\na,x,1,2026-01-02\na,x,2,2026-01-03\nb,y,1,2026-01-03\nb,z,,\n"
    )
    assert any("time='cast'" in note for note in inspect_votes(tmp_path / "v.csv", duplicates="last").report.notes)
    assert '# time = "cast"' in propose_cleaning(tmp_path / "v.csv").toml()


@pytest.mark.parametrize("time", ["01.03.2026 10:30", "03/01/2026 10:30 AM", "01.03.26", ""])
def test_a_time_is_proposed_only_if_it_can_be_read(tmp_path: Path, time: str) -> None:
    rows = f"a,x,1,2026-03-01\na,x,2,{time}\nb,y,1,2026-03-01\n"
    (tmp_path / "v.csv").write_text(f"item,annotator,label,timestamp\n{rows}")
    notes = inspect_votes(tmp_path / "v.csv", duplicates="last").report.notes
    text = propose_cleaning(tmp_path / "v.csv").toml()
    for said in ("\n".join(notes), text):
        assert "time=" not in said
        assert "# time =" not in said
        assert said.count("'timestamp' looks like a time") == 1
        assert "2026-01-31T12:30:00" in said
    path = tmp_path / "c.toml"
    path.write_text(text.replace("# duplicates", "duplicates"))
    assert len(inspect_votes(tmp_path / "v.csv", cleaning=path).votes()) == 2


def test_a_readable_time_is_proposed_before_one_that_is_not(tmp_path: Path) -> None:
    rows = "a,x,1,01.03.2026,5\na,x,2,02.03.2026,6\nb,y,1,02.03.2026,7\n"
    (tmp_path / "v.csv").write_text(f"item,annotator,label,timestamp,submitted_at\n{rows}")
    proposal = propose_cleaning(tmp_path / "v.csv")
    assert (proposal.times, proposal.unreadable_times) == (["submitted_at"], ["timestamp"])
    assert '# time = "submitted_at"' in proposal.toml()
    assert "looks like a time" not in proposal.toml()
