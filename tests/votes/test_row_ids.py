"""A column `id` that numbers the votes is not used as the item: all annotators would seem to agree."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from votewise.errors import VotewiseError
from votewise.votes import inspect_votes


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
