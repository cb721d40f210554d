"""A column `id` that numbers the votes is not used as the item: all annotators would seem to agree."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from votewise.errors import VotewiseError
from votewise.votes import inspect_votes, item_texts, propose_cleaning


def written(folder: Path, text: str) -> Path:
    (folder / "votes.csv").write_text(text)
    return folder / "votes.csv"


def _with_row_ids(annotators: bool = True) -> str:
    lines = ["id,text,language,split," + "user," * annotators + "label"]
    for row in range(30):
        who = f"u{row // 10}," * annotators
        lines.append(f"{row},text {row % 10},{'en' if row % 2 else 'de'},train,{who}{'yes' if row % 3 else 'no'}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("annotators", [True, False])
@pytest.mark.parametrize("frame", [False, True])
def test_ids_of_rows_are_not_taken_for_items(annotators: bool, frame: bool, tmp_path: Path) -> None:
    path = written(tmp_path, _with_row_ids(annotators))
    source = pl.read_csv(path) if frame else path
    with pytest.raises(VotewiseError, match="'id' is different in every row and 'text' repeats"):
        inspect_votes(source)
    assert len(inspect_votes(source, item="text").votes()) == 10
    assert len(inspect_votes(source, item="id").votes()) == 30


def test_one_vote_per_item_is_no_reason_to_ask(tmp_path: Path) -> None:
    rows = "".join(
        f"{n},text {n},{'en' if n % 2 else 'de'},u{n % 3},{'yes' if n % 4 else 'no'},yes\n" for n in range(40)
    )
    votes = inspect_votes(written(tmp_path, "id,text,language,user,label,gold\n" + rows)).votes()
    assert len(votes) == 40


def _with_texts(broken: int = 0) -> str:
    """12 tickets with 3 votes each; the text of the first `broken` differs from vote to vote."""
    lines = ["ticket;text;rater;category;score"]
    for row in range(36):
        ticket, who = row // 3, row % 3
        text = f"my printer {(ticket + who * (ticket < broken)) % 12} is broken"
        lines.append(f"T-{ticket};{text};r{who};{'bill' if row % 2 else 'tech'};0.{row % 7 + 1}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("frame", [False, True])
def test_ids_come_before_the_text_that_repeats_with_them(frame: bool, tmp_path: Path) -> None:
    path = written(tmp_path, _with_texts())
    source = pl.read_csv(path, separator=";") if frame else path
    assert inspect_votes(source).votes().items.tolist() == [f"T-{n}" for n in range(12)]
    assert inspect_votes(source, item="text").votes().items.tolist() == [f"my printer {n} is broken" for n in range(12)]
    assert item_texts(source, {})["T-3"] == "my printer 3 is broken"
    options = propose_cleaning(source).options
    assert (options["item"], options["label"], options["annotator"]) == ("ticket", "category", "rater")


def test_ids_with_several_texts_are_a_question(tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match="'ticket', 'text' could each be the item id"):
        inspect_votes(written(tmp_path, _with_texts(broken=4)))


def test_votes_without_an_annotator_are_counted(tmp_path: Path) -> None:
    rows = "item,worker,label\na,ann,x\na,,y\nb,ann,y\nb,,x\nb,bob,x\n"
    file = inspect_votes(written(tmp_path, rows))
    assert len(file.votes().label) == 5
    assert "votes without an annotator: 2, all kept" in file.report.notes
