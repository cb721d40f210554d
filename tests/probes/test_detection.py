"""AUROC, FPR at 95 % TPR and AUPR are scikit-learn's, ties and all."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from votewise.errors import VotewiseError
from votewise.probes.detection import aupr, auroc, fpr95

sets = st.lists(st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(-3, 3)), min_size=1, max_size=80)


@given(sets, sets)
def test_they_are_scikit_learns(inside, outside) -> None:
    score, is_outside = np.array(inside + outside), np.repeat([0, 1], [len(inside), len(outside)])
    assert auroc(inside, outside) == pytest.approx(roc_auc_score(is_outside, score), abs=1e-12)
    assert aupr(inside, outside) == pytest.approx(average_precision_score(is_outside, score), abs=1e-12)
    false, true, _ = roc_curve(1 - is_outside, -score, drop_intermediate=False)
    assert fpr95(inside, outside) == pytest.approx(false[true >= 0.95 - 1e-12].min(), abs=1e-12)


@given(sets, sets)
def test_the_other_way_round_is_the_complement(inside, outside) -> None:
    assert auroc(inside, outside) + auroc(outside, inside) == pytest.approx(1)
    negated = [-value for value in outside], [-value for value in inside]
    assert auroc(*negated) == pytest.approx(auroc(inside, outside))


def test_sets_apart_are_told_apart() -> None:
    low, high = np.arange(100.0), np.arange(100.0) + 1000
    assert (auroc(low, high), fpr95(low, high), aupr(low, high)) == (1.0, 0.0, 1.0)
    assert (auroc(high, low), fpr95(high, low)) == (0.0, 1.0)
    same = np.zeros(10)
    assert (auroc(same, same), fpr95(same, same), aupr(same, same)) == (0.5, 1.0, 0.5)


@pytest.mark.parametrize(
    ("inside", "outside", "sentence"),
    [
        ([], [1.0], r"inside must be .*got shape \(0,\)"),
        ([1.0], [], r"outside must be .*got shape \(0,\)"),
        ([1.0], [math.nan], "outside must be finite"),
    ],
    ids=["nobody inside", "nobody outside", "nan"],
)
@pytest.mark.parametrize("measure", [auroc, fpr95, aupr])
def test_bad_input(measure, inside, outside, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        measure(inside, outside)
