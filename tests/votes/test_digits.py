"""Plain integers: what NumPy parses eight digits at a time is what Python reads, or it is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.votes.readers import digits
from votewise.votes.readers.source import Source

PLAIN = st.integers(0, 99_999_999).map(str)
OTHER = st.sampled_from(["", "007", "00", "-1", "+1", " 1", "1 ", '"1"', "1.0", "1e3", "x", "100000000", "٣", "1\r"])


@pytest.mark.parametrize("block", [1, 7, 1 << 19])
@given(
    st.integers(1, 3).flatmap(
        lambda width: st.lists(
            st.lists(PLAIN | st.integers(0, 11).map(str), min_size=width, max_size=width), min_size=1, max_size=30
        )
    ),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
)
def test_every_number_comes_out_as_python_reads_it(tmp_path_factory, block, rows, delimiter, ends) -> None:
    lines = [[f"c{place}" for place in range(len(rows[0]))], *rows]
    path = tmp_path_factory.mktemp("digits") / "votes.csv"
    path.write_text("\n".join(delimiter.join(line) for line in lines) + "\n" * ends)
    columns = digits.plain_integers(Source(path), block)
    assert columns is not None
    assert [column.tolist() for column in columns.values()] == [
        [int(row[place]) for row in rows] for place in range(len(rows[0]))
    ]


@given(st.lists(st.lists(PLAIN, min_size=2, max_size=2), min_size=1, max_size=8), st.data())
def test_a_field_that_is_anything_else_is_never_taken_for_a_number(tmp_path_factory, rows, data) -> None:
    row, place = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, 1))
    rows[row][place] = data.draw(OTHER)
    text = "\n".join(",".join(line) for line in rows)
    far = "1,2\n" * 20_000  # beyond the sample that is looked at first
    for before in ("", far):
        path = tmp_path_factory.mktemp("digits") / "votes.csv"
        path.write_bytes(f"a,b\n{before}{text}\n".encode())
        assert digits.plain_integers(Source(path)) is None


@pytest.mark.parametrize("lines", ["1\n", "1,2,3\n", "1,2\n\n", "1\n2,3,4\n", "1,2,3\n4\n"])
def test_lines_of_another_width_are_left_alone(tmp_path, lines) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("a,b\n" + "1,2\n" * 20_000 + lines)
    assert digits.plain_integers(Source(path)) is None
