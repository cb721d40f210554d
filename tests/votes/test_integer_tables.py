"""CSV files of integers are parsed as integers; the votes are those of the same file read as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import votewise as vw
from votewise.votes.readers.shared.source_file import SourceFile

CELL = st.one_of(
    st.integers(-12, 1_200).map(str), st.sampled_from(["07", "+7", "-0", '"7"', " 7", "7 ", "1.0", "9" * 19])
)


def written(folder: Path, name: str, rows: list[tuple[str, ...]], end: str, last: bool) -> Path:
    text = end.join([",".join(["item", "label", *["note"] * (len(rows[0]) - 2)]), *map(",".join, rows)])
    path = folder / name
    path.write_text(text + end * last, newline="")
    return path


def read(path: Path) -> vw.Answers | str:
    """The votes, or the error without the name of the file."""
    try:
        return vw.inspect_votes(path, item="item", label="label", format="long-table").votes()
    except vw.VotewiseError as error:
        return str(error).removeprefix(str(path))


@given(
    rows=st.lists(st.tuples(CELL, CELL), min_size=1, max_size=6),
    end=st.sampled_from(["\n", "\r\n"]),
    last=st.booleans(),
)
@example(rows=[("07", "1"), ("7", "0")], end="\n", last=False)
@example(rows=[("07", "1"), ("7", "0")], end="\r\n", last=False)
def test_other_notations_of_numbers_are_names(
    rows: list[tuple[str, str]], end: str, last: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    integers = written(folder, "integers.csv", list(rows), end, last)
    texts = written(folder, "texts.csv", [(*row, "text") for row in rows], end, last)
    assert read(integers) == read(texts)


def test_a_file_of_plain_integers_is_not_read_as_text(tmp_path: Path) -> None:
    path = written(tmp_path, "votes.csv", [("12", "0"), ("-3", "1")], "\n", last=True)
    frame = SourceFile(path).load(["item", "label"])
    assert all(kind.is_integer() for kind in frame.dtypes)


def test_missing_values_apply_to_carried_integers(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("item,label,seconds\n1,0,12\n1,1,-99\n")
    votes = vw.read_votes(path, missing=["-99"])
    assert votes.columns["seconds"].tolist()[0] == 12
    assert str(votes.columns["seconds"].tolist()[1]) == "nan"
