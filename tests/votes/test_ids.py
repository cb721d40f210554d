"""The one matcher of ids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.errors import VotewiseError
from votewise.votes.ids import locate_ids, match_ids


@given(st.lists(st.text(max_size=3), unique=True, max_size=20), st.data())
def test_matched_ids_are_the_wanted_ones(known, data) -> None:
    wanted = data.draw(st.permutations(known).map(lambda ids: ids[: len(ids) // 2]))
    place = match_ids(wanted, known, thing="label")
    assert [known[position] for position in place] == wanted
    assert locate_ids([*wanted, "absent id"], known).tolist() == [*place, -1]


@pytest.mark.parametrize(
    ("wanted", "known", "exact"),
    [
        ("ab", "ac", False),  # one is missing
        ("ab", "aab", False),  # one is there twice
        ("ab", "abc", True),  # one is not wanted
        ("ab", "ac", True),
    ],
)
def test_ids_that_do_not_match_are_refused(wanted, known, exact) -> None:
    with pytest.raises(VotewiseError) as error:
        match_ids(list(wanted), list(known), thing="prediction", where="q.csv", exact=exact)
    assert error.value.where == "q.csv"
    assert error.value.remedy


def test_more_ids_than_wanted_are_no_error_unless_the_match_is_exact() -> None:
    assert match_ids(["b"], ["a", "b", "c"], thing="label").tolist() == [1]
