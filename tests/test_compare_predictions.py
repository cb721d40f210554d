"""Predictions side by side: the same numbers as SciPy and statsmodels, paired by seed or by item."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

import votewise as vw

VOTES = vw.example_votes()
TRUTH = np.asarray(vw.example_truth().probability)


def blurred(share: float) -> np.ndarray:
    return (1 - share) * TRUTH + share / TRUTH.shape[1]


def test_single_predictions_are_paired_by_item() -> None:
    sets = {"first": blurred(0.3), "second": blurred(0.2), "third": blurred(0.31)}
    found = vw.compare_predictions(sets, VOTES)
    losses = {name: np.asarray(vw.score(p, VOTES).items["soft_nll"]) for name, p in sets.items()}
    tests = [stats.ttest_rel(losses[name], losses["first"]) for name in ("second", "third")]
    assert found.rows["difference"][1:] == pytest.approx([(losses[n] - losses["first"]).mean() for n in ("second", "third")])  # fmt: skip
    assert found.rows["low"][1:] == pytest.approx([test.confidence_interval().low for test in tests])
    assert found.rows["p"][1:] == pytest.approx(multipletests([test.pvalue for test in tests], method="holm")[1])
    assert found.rows["soft_nll"][0] == vw.score(sets["first"], VOTES)["soft_nll"]


def test_lists_are_paired_by_seed() -> None:
    first, second = [blurred(0.2 + 0.01 * k) for k in range(6)], [blurred(0.15 + 0.017 * k) for k in range(6)]
    found = vw.compare_predictions({"first": first, "second": second}, VOTES)
    nll = [[vw.score(p, VOTES)["soft_nll"] for p in each] for each in (first, second)]
    assert found.rows["difference"][1] == pytest.approx(np.mean(nll[1]) - np.mean(nll[0]))
    assert found.rows["p"][1] == pytest.approx(stats.wilcoxon(nll[1], nll[0], method="exact").pvalue)


def test_each_seed_may_have_its_own_items() -> None:
    parts = [VOTES[:200], VOTES[200:]]
    found = vw.compare_predictions(
        {"first": [blurred(0.3)[:200], blurred(0.3)[200:]], "second": [TRUTH[:200], TRUTH[200:]]}, parts
    )
    assert [len(card.items) for card in found.cards["second"]] == [200, 200]
    assert "p cannot be below 0.5" in found.caption


def test_nested_lists_of_numbers_are_one_set() -> None:
    found = vw.compare_predictions({"first": blurred(0.3).tolist(), "second": TRUTH.tolist()}, VOTES)
    assert len(found.cards["first"]) == 1


@pytest.mark.parametrize(
    ("predictions", "options"),
    [
        ({"only": TRUTH}, {}),
        ([TRUTH, TRUTH], {}),
        ({"first": [TRUTH, TRUTH], "second": [TRUTH]}, {}),
        ({"first": TRUTH, "second": TRUTH}, {"scores": ["entropy_correlation"]}),
    ],
)
def test_what_cannot_be_paired_is_refused(predictions: object, options: dict[str, object]) -> None:
    with pytest.raises(vw.VotewiseError):
        vw.compare_predictions(predictions, VOTES, **options)  # type: ignore[arg-type]
