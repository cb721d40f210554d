"""What an array of predictions holds, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from votewise.errors import VotewiseError
from votewise.scoring import kind_of, score
from votewise.scoring.predictions import as_predictions
from votewise.votes import Votes

KINDS = ("probabilities", "log-probabilities", "logits")
ROWS = st.lists(st.lists(st.floats(-700, 700), min_size=3, max_size=3), min_size=1, max_size=5)


@given(ROWS)
def test_logits_become_their_softmax(rows) -> None:
    assert as_predictions(rows, "logits").probabilities == pytest.approx(softmax(np.array(rows), axis=1), abs=1e-15)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([[0.2, 0.8], [1.0, 0.0]], "probabilities"),
        (np.log([[0.2, 0.8], [0.5, 0.5]]), "log-probabilities"),
        ([[-0.0, -np.inf]], "log-probabilities"),
        ([[-1.2, -3.0]], "logits"),
        ([[2.0, -1.0], [0.3, 0.1]], "logits"),
        ([[5.0, 1.0], [2.0, 9.0]], "logits"),
        ([[0.3, 0.3], [0.1, 0.2]], "probabilities"),  # and then refused: a sum is wrong, it is no other kind
        (np.array([[0.25, 0.75]], dtype=np.float16), "probabilities"),
        (torch.tensor([[0.25, 0.75]], requires_grad=True), "probabilities"),
    ],
)
def test_the_numbers_tell_the_kind(values, kind) -> None:
    assert kind_of(values) == kind


REFUSED = {
    "rows that do not sum to one": ([[0.5, 0.5], [0.5, 0.6]], "auto", "row 1 sums to 1.1, not to one"),
    "a negative probability between distributions": ([[0.5, 0.5], [1.2, -0.2], [1, 0]], "auto", "row 1 has a negative"),
    "one row of another scale": (
        [[0.5, 0.5], [0.75, 2.25], [1, 0]],
        "auto",
        "row 1 sums to 3, not to one.*kind='log.*logits'",
    ),
    "not a number": ([[0.5, 0.5], [np.nan, 0.5]], "auto", "row 1 has a value that is not a number"),
    "a negative probability": ([[1.2, -0.2]], "probabilities", "row 0 has a negative probability"),
    "logits said to be probabilities": ([[2.0, 3.0]], "probabilities", "row 0 sums to 5, not to one"),
    "logits said to be log-probabilities": ([[0.0, 0.0]], "log-probabilities", "row 0 sums to 2, not to one"),
    "an infinite logit": ([[np.inf, 0.0]], "logits", "row 0 has no finite largest value"),
    "nothing possible": ([[-np.inf, -np.inf]], "logits", "row 0 has no finite largest value"),
    "percentages": ([[20.0, 80.0], [50.0, 50.0]], "auto", "sum to about 100: .*; divide percentages by 100"),
    "rounded percentages": ([[50, 34, 15], [33, 33, 33]], "auto", "sum to about 100: .*kind='logits'"),
    "percentages said to be probabilities": ([[50, 34, 15]], "probabilities", "sums to 99, .*; divide .* by 100"),
    "shares of another whole": (
        [[2.0, 3.0], [1.0, 4.0]],
        "auto",
        "sums to 5: these may be logits or unnormalised shares",
    ),
    "masked": (np.ma.masked_array([[0.5, 0.5]], [[True, False]]), "auto", "the array has masked values"),
    "one dimension": ([0.5, 0.5], "auto", r"shape \(2,\)"),
    "ragged rows": ([[0.5, 0.5], [1.0]], "auto", "no numeric \\[N, C\\] array"),
    "words": ([["a", "b"]], "auto", "no numeric \\[N, C\\] array"),
    "an unknown kind": ([[0.5, 0.5]], "odds", "unknown kind of predictions 'odds'"),
}


@pytest.mark.parametrize(("values", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_distribution_is_refused_by_its_row(values, kind, message) -> None:
    with pytest.raises(VotewiseError, match=message) as error:
        _ = as_predictions(values, kind).probabilities
    assert error.value.remedy


def test_rounding_errors_below_zero_are_zero() -> None:
    rounded = as_predictions([[0.5, 0.5], [-1e-12, 1 + 1e-12]])
    assert rounded.kind == "probabilities"
    assert rounded.probabilities.tolist() == [[0.5, 0.5], [0, 1]]


@pytest.mark.parametrize("kind", KINDS)
def test_a_refused_row_may_be_of_one_of_the_other_kinds(kind) -> None:
    with pytest.raises(VotewiseError) as error:
        _ = as_predictions([[np.nan, 0.5]], kind).probabilities
    assert {other for other in KINDS if f"'{other}'" in error.value.remedy} == set(KINDS) - {kind}


def test_percentages_may_be_logits_if_somebody_says_so() -> None:
    assert as_predictions([[50.0, 50.0]], "logits").probabilities.tolist() == [[0.5, 0.5]]


def test_rows_rounded_to_four_places_are_normalised() -> None:
    rows = np.array([[0.3333, 0.3333, 0.3333]])
    assert as_predictions(rows).probabilities == pytest.approx(np.full((1, 3), 1 / 3))


def test_errors_count_rows_as_the_predictions_do_when_items_are_skipped() -> None:
    votes = Votes.from_counts([[0, 0], [1, 1], [2, 0]])
    with pytest.raises(VotewiseError, match=r"row 2 sums to 0\.9"):
        score([[0.5, 0.5], [0.5, 0.5], [0.5, 0.4]], votes)


def test_a_signalling_nan_is_refused_without_a_warning() -> None:
    logits = np.array([[1.0, 0.5, 15.0], [0.25, 0.0, 3.0]], np.float16)
    logits.view(np.uint16)[0, 0] = 0x7C01
    with pytest.raises(VotewiseError, match="row 0 has a value that is not a number"):
        assert as_predictions(logits, "auto").probabilities is None


def test_logits_near_the_largest_number_are_scored_without_a_warning() -> None:
    votes = Votes.from_counts([[1, 2], [2, 1], [3, 1]])
    card = score([[1e308, -7e307]] * 3, votes, intervals=20, scores=["soft_nll"])
    assert np.isinf(card["soft_nll"])
    assert "too large" in str(card)
