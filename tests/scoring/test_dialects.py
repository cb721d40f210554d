"""Each community's scores as its own scorer computes them, written down once more from their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy, pearsonr, wasserstein_distance

from references import ece, width_bins
from votewise.scoring import DIALECTS, SCORES, score
from votewise.scoring.dialects import SOURCES
from votewise.votes import Scale, Votes

RNG = np.random.default_rng(0)
COUNTS = RNG.multinomial(6, RNG.dirichlet([0.5] * 4, size=60))
VOTES = Votes.from_counts(COUNTS, list("1247"), scale=Scale.ordinal(list("1247")))
P = COUNTS / 6
Q = RNG.dirichlet([0.4] * 4, size=60)
Q[0] = [1.0, 0.0, 0.0, 0.0]  # probability 0, and votes there
TRUTH = RNG.integers(0, 4, 60)
HIT = P.argmax(axis=1) == Q.argmax(axis=1)


def in_terms_of(dialect: str, **options):
    return score(Q, VOTES, dialect=dialect, truth=TRUTH, **options).dialect


def test_paper() -> None:
    card = score(Q, VOTES)
    assert dict(card.dialect) == {
        "Soft NLL": card["soft_nll"],
        "KL-to-annotator": card["kl"],
        "Soft Brier": card["soft_brier"],
        "hard_acc_all": card["accuracy"],
        "ECE": card["ece_equal_mass"],
        "smECE": card["smooth_ece"],
        "EntCorr": card["entropy_correlation"],
    }


def test_chaosnli_averages_the_js_distance_and_floors_probabilities() -> None:
    floored = np.maximum(Q, 1e-15)
    floored /= floored.sum(axis=1, keepdims=True)
    assert in_terms_of("chaosnli") == pytest.approx(
        {
            "JSD": np.mean([jensenshannon(p, q) for p, q in zip(P, floored, strict=True)]),
            "KL": np.mean(entropy(P, floored, axis=1)),
            "Old Acc.": np.mean(Q.argmax(axis=1) == TRUTH),
            "New Acc.": np.mean(HIT),
        },
        abs=1e-9,
    )


def test_lewidi_2023_clips_and_adds_before_the_logarithm() -> None:
    clipped = np.clip(Q, 1e-12, 1 - 1e-12)
    theirs = in_terms_of("lewidi2023")
    assert theirs["cross-entropy"] == pytest.approx(-np.sum(P * np.log(clipped + 1e-9)) / 60, abs=1e-12)
    top = P.max(axis=1, keepdims=True) == P
    clear = top.sum(axis=1) == 1
    sure, possible = (HIT & clear).mean(), top[np.arange(60), Q.argmax(axis=1)].mean()
    drawn = {in_terms_of("lewidi2023", seed=seed)["micro F1"] for seed in range(5)}
    assert clear.mean() < 1
    assert len(drawn) > 1  # ties are drawn by the seed
    assert all(sure <= value <= possible for value in drawn)


def test_lewidi_2025_rounds_and_counts_steps() -> None:
    manhattan = [round(math.fsum(abs(a - b) for a, b in zip(p, q, strict=True)), 5) for p, q in zip(P, Q, strict=True)]
    steps = [wasserstein_distance(range(4), range(4), p, q) for p, q in zip(P, Q, strict=True)]
    theirs = in_terms_of("lewidi2025")
    assert theirs["average Manhattan distance"] == round(sum(manhattan) / 60, 5)
    assert theirs["average Wasserstein distance"] == round(sum(steps) / 60, 5)
    nominal = score(Q, Votes.from_counts(COUNTS), dialect="lewidi2025")
    assert nominal.absent["lewidi2025: average Wasserstein distance"].startswith("the classes have no order")


def test_kurniawan_correlates_by_pearson_in_bits() -> None:
    assert in_terms_of("kurniawan") == pytest.approx(
        {
            "hard_acc": np.mean(HIT),
            "soft_acc": np.minimum(P, Q).sum(axis=1).mean(),
            "poJSD": 1 - np.mean([jensenshannon(p, q, base=2) ** 2 for p, q in zip(P, Q, strict=True)]),
            "ent_corr": pearsonr(entropy(P, axis=1) / np.log(4), entropy(Q, axis=1) / np.log(4)).statistic,
            "soft_micro_f1": 2 * np.minimum(P, Q).sum() / (P + Q).sum(),
            "macro/soft_f1": np.mean(2 * np.minimum(P, Q).sum(axis=0) / (P + Q).sum(axis=0)),
        },
        abs=1e-9,
    )


def test_kurniawans_own_example() -> None:
    """Their tests give 0.8754887502 for the shares (0.2, 0.8) and the probabilities (0.6, 0.4)."""
    card = score([[0.6, 0.4]], Votes.from_counts([[1, 4]]), dialect="kurniawan")
    assert card.dialect["poJSD"] == card["po_jsd"] == pytest.approx(0.8754887502, abs=1e-10)
    assert card.dialect["soft_acc"] == pytest.approx(0.6)


def test_baan_has_ten_bins_and_absolute_entropy_errors() -> None:
    error = entropy(Q, axis=1) - entropy(P, axis=1)
    order = [np.argsort(side, axis=1, kind="stable") for side in (P, Q)]
    contradicted = [
        any(p[a] < p[b] and q[a] > q[b] for a in range(4) for b in range(4)) for p, q in zip(P, Q, strict=True)
    ]
    assert in_terms_of("baan") == pytest.approx(
        {
            "Acc": np.mean(HIT),
            "ECE": ece(Q.max(axis=1), HIT.astype(float), width_bins(Q.max(axis=1), 10)),
            "RankCS": (order[0] == order[1]).all(axis=1).mean(),
            "RankCS ties free": 1 - np.mean(contradicted),
            "EntCE": np.abs(error).mean(),
            "EntCE signed": error.mean(),
            "DistCE": np.abs(P - Q).sum(axis=1).mean() / 2,
        },
        abs=1e-9,
    )


def test_a_dialect_adds_to_the_card_and_says_what_it_means() -> None:
    plain = score(Q, VOTES, dialect=None)
    for name, conventions in DIALECTS.items():
        card = score(Q, VOTES, dialect=name)
        assert card.scores == plain.scores
        theirs = card.as_dict()["dialect"]
        assert theirs["name"] == name
        assert all(theirs["definitions"][key] == conventions[key].meaning for key in card.dialect)
    assert not plain.dialect


def test_every_dialect_names_its_source_and_what_its_scores_are_variants_of() -> None:
    assert set(SOURCES) == set(DIALECTS)
    assert {one.variant_of for scores in DIALECTS.values() for one in scores.values()} <= set(SCORES)
