"""Simulated studies: claims are rarely contradicted if the paper is right, and rarely decided at all if there is no difference."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
import pytest

from made_up import made_up, numbers_of, results_with
from votewise.papers.basins import BASINS, printed
from votewise.papers.basins.claims.representations import rank_measures
from votewise.papers.basins.published import STABILITY
from votewise.papers.claims import Values, Worlds, chance
from votewise.papers.claims.values import F64
from votewise.papers.claims.worlds import UnprintedError
from votewise.papers.companion import COMPANION
from votewise.studies.results import Results

METHODS = ("soft", "sls", "multipass", "deterministic", "shuffled-sls", "majority", "label-smoothing", "mixup",
           "sls-every-5", "sls-every-10", "sls-every-50")  # fmt: skip
VOTES = (None, 5, 10, 25, 50)

# Where nothing is printed: a mean and an SD for all methods alike. Without a number here it is (0.5, 0.02).
ASSUMED = {
    "noise_correlation": (0.939, 0.01), "noise_correlation_sampled": (0.939, 0.01), "noise_correlation_disputed": (0.939, 0.01),
    "largest_class": (0.1, 0.001), "constant_loss": (2.29, 0.001), "barrier": (2.05, 0.2), "epochs": (200.0, 0.0),
    "own_best_epoch": (100.0, 20.0), "epoch_95": (100.0, 20.0), "best_epoch": (150.0, 20.0), "noise_share_high": (0.53, 0.02),
    "noise_share_votes": (0.53, 0.0), "kl_gain_agreed": (0.07, 0.02), "loss_first": (0.5, 0.02), "loss_second": (0.5, 0.02),
    **{f"{kind}_correlation{end}": (0.1, 0.05) for kind in ("js", "l1", "train_js") for end in ("", "_partial", "_disputed")},
    **{f"{kind}_lowest": (0.0, 0.005) for kind in ("js", "l1")}, **{f"{kind}_highest": (0.1, 0.03) for kind in ("js", "l1")},
    "js_highest_high": (0.1, 0.03), "js_others_high": (0.05, 0.03), "barrier_within": (1.0, 0.2),
}  # fmt: skip
# At the border of what is claimed, if there is no difference.
BORDER = {
    "constant_loss": (0.5096 - 0.1, 0.001), "largest_class": (0.8687 - 0.05, 0.001),  # of H6 and H5
    "kl_gain_agreed": (0.0, 0.02), "barrier": (0.1, 0.05), "barrier_within": (0.1, 0.05), "barrier_reestimated": (0.1, 0.05),
    "noise_correlation": (0.9, 0.02), "noise_correlation_sampled": (0.9, 0.02), "noise_correlation_disputed": (0.9, 0.02),
    "noise_share_high": (0.8 * 0.53, 0.02), "diagonal_distance": (0.03, 0.005), "smooth_ece_votes": (0.03, 0.005),
    **{f"{kind}_correlation{end}": (0.0, 0.05) for kind in ("js", "l1", "train_js") for end in ("", "_partial", "_disputed")},
    **{f"{kind}_highest": (0.0, 0.03) for kind in ("js", "l1")}, "js_highest_high": (0.05, 0.03),
}  # fmt: skip
# Claims that a world without any difference makes true.
TRUE_WITHOUT_DIFFERENCE = {
    "S7",
    "S14",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "H1",
    "H2",
    "H3",
    "H4",
    "G5",
    "G11",
    "D3",
    "U1",
    "U3",
    "K5",
}
FALSE_WITHOUT_DIFFERENCE = {"H8"}  # shuffled SLS would follow the votes
# Curves, pairs of runs (R4: below; the others: tests/comparison/test_permutation.py) and several datasets (test_companion_claims.py).
NOT_SIMULATED = {"F12", "R1", "R2", "R3", "R4", "K2", "K4"}
CLAIMS = [claim for paper in (BASINS, COMPANION) for claim in paper if claim.kind in ("claim", "guard")]


@cache
def seeds(n: int) -> Results:
    """Runs of every method at every K with n seeds; their values do not matter."""
    values = {
        (method, k, quantity): dict.fromkeys(range(n), 0.5)
        for method in METHODS
        for k in VOTES
        for quantity in {
            **ASSUMED,
            **BORDER,
            **numbers_of("sls", 5, 0, "best"),
            **numbers_of("majority", None, 0, "best"),
        }
    }
    return results_with(values, plans=dict(made_up("paper").plans))


def as_published(method: str, K: int | None, quantity: str) -> tuple[float, float]:
    known = printed(method, K, quantity)
    mean, sd = ASSUMED.get(quantity, (0.5, 0.02))
    if known is None:
        return mean, sd
    return known[0], known[1] if known[1] is not None else 0.011 if quantity.startswith("auroc") else sd


def without_difference(method: str, K: int | None, quantity: str) -> tuple[float, float]:
    """Every method has the mean of soft labels with all votes, and an SD of its own."""
    if quantity in BORDER:
        return BORDER[quantity]
    mean, sd = as_published("soft", None, quantity)
    if quantity.startswith(("lambda_", "trace_")):  # compared by their logarithms, whose means depend on the SD
        return mean, sd
    return mean, as_published(method, K, quantity)[1] if printed(method, K, quantity) else sd


class OneDetector(Worlds):
    """Worlds in which the AUROC of all detectors varies together."""

    def _deviate(self, seeds: tuple[int, ...], *names: object) -> F64:
        return super()._deviate(seeds, *(re.sub(r"^(auroc_[a-z]+)_[a-z]+$", r"\1", str(name)) for name in names))


def rates(printed, n: int, worlds: int, draw: int, kind: type[Worlds] = Worlds) -> dict[str, tuple[float, float]]:
    """By claim, how often it is reproduced and how often contradicted."""
    simulated = kind(seeds(n), printed, worlds=worlds, draw=draw)
    found = {}
    for claim in CLAIMS:
        if claim.id in NOT_SIMULATED:
            continue
        ruling = claim(simulated).ruling
        if ruling is not None:
            found[claim.id] = float(ruling.reproduced.mean()), float(ruling.contradicted.mean())
    return found


def too_often(worlds: int) -> float:
    return 0.05 + 3 * (0.05 * 0.95 / worlds) ** 0.5


PRESETS = [5, 6, 8, 10]
SIZES = [pytest.param(1000, id="quick"), pytest.param(6000, id="full", marks=pytest.mark.full)]


@pytest.mark.parametrize("worlds", SIZES)
@pytest.mark.parametrize("n", PRESETS)
def test_if_the_paper_is_right_no_claim_is_contradicted_often(n: int, worlds: int) -> None:
    found = rates(as_published, n, worlds, draw=n)
    wrong = {id: against for id, (_, against) in found.items() if against > too_often(worlds)}
    assert set(wrong) <= {"S14"}, wrong  # a guard: the printed numbers themselves jump from K = 50 to all votes (X12)


@pytest.mark.parametrize("worlds", SIZES)
@pytest.mark.parametrize("kind", [Worlds, OneDetector])
@pytest.mark.parametrize("n", PRESETS)
def test_without_any_difference_hardly_a_claim_is_decided(n: int, kind: type[Worlds], worlds: int) -> None:
    found = rates(without_difference, n, worlds, 100 + n, kind)
    contradicted = {
        id: against
        for id, (_, against) in found.items()
        if against > too_often(worlds) and id not in FALSE_WITHOUT_DIFFERENCE
    }
    reproduced = {
        id: holds for id, (holds, _) in found.items() if holds > too_often(worlds) and id not in TRUE_WITHOUT_DIFFERENCE
    }
    assert (contradicted, reproduced) == ({}, {})
    assert len(found) >= 75


@pytest.mark.parametrize("n", PRESETS)
@pytest.mark.parametrize(("effects", "wrong"), [((2.0, 1.8, 1.8), "contradicted"), ((0.0, 0.0, 0.0), "reproduced")])
def test_the_strongest_measure_is_rarely_taken_for_another(n: int, effects: tuple[float, ...], wrong: str) -> None:
    """R4: with the claimed order, and without any effect."""
    rng, found = np.random.default_rng(n), []
    for _ in range(200):
        noise = rng.normal(size=n) + rng.normal(size=(3, n))
        measures = dict(zip(STABILITY, np.array(effects)[:, None] * 2**0.5 + noise, strict=True))
        found.append(rank_measures({key: Values(tuple(range(n)), row) for key, row in measures.items()}).outcome)
    assert found.count(wrong) / 200 <= too_often(200)


# --- the probability of a verdict ------------------------------------------------------------------------------------


def test_the_probability_of_a_verdict_grows_with_the_seeds() -> None:
    few, more = (chance(BASINS["F1"], Worlds(seeds(n), printed)) for n in (5, 10))
    assert 0.1 < few < more < 0.95
    assert chance(BASINS["G1"], Worlds(seeds(5), printed)) == pytest.approx(1, abs=0.01)
    assert chance(BASINS["H4"], Worlds(seeds(5), printed)) < 0.05  # twelve equivalences with five seeds


def test_the_probability_of_an_equivalence_is_that_of_the_power_formula() -> None:
    """SLS against soft labels with ten seeds, from the distribution of mean and SD of a paired difference."""
    rng = np.random.default_rng(0)
    (a, sa), (b, sb) = (printed(method, None, "accuracy") for method in ("sls", "soft"))
    sd = (sa**2 + sb**2 - sa * sb) ** 0.5  # correlation 0.5
    d = rng.normal(a - b, sd, size=(20_000, 10))
    half = 1.8331 * d.std(axis=1, ddof=1) / 10**0.5
    expected = (np.abs(d.mean(axis=1)) + half < 0.01).mean()
    assert chance(BASINS["F2"], Worlds(seeds(10), printed, worlds=4000)) == pytest.approx(expected, abs=0.03)


def test_without_a_printed_spread_there_is_no_probability() -> None:
    for id in ("R1", "O4", "G10", "S10"):
        assert chance(BASINS[id], Worlds(seeds(5), printed)) is None
    with pytest.raises(UnprintedError):
        Worlds(seeds(5), printed).values("mixup", "kl", K=5)


def test_worlds_have_the_printed_mean_sd_and_correlation() -> None:
    worlds = Worlds(seeds(10), printed, worlds=4000)
    soft, sls = (worlds.values(method, "soft_nll").numbers for method in ("soft", "sls"))
    assert soft.mean() == pytest.approx(0.5096, abs=0.001)
    assert soft.std() == pytest.approx(0.0233, rel=0.05)
    assert np.corrcoef(soft.ravel(), sls.ravel())[0, 1] == pytest.approx(0.5, abs=0.05)
