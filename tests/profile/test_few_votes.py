"""Estimates for few votes against enumeration, against simulated people whose distribution is known, and on real votes."""

import os
from itertools import combinations_with_replacement
from math import factorial, log, prod
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import spearmanr, wasserstein_distance

from votewise.profile import prior
from votewise.profile.cells import cells
from votewise.profile.few_votes import KS, few_votes
from votewise.votes import Distributions, Scale, Votes

NAMES = tuple("abcdefghij")


def expected(answers, k, seed=0):
    found = few_votes(cells(answers), answers.num_classes, answers.scale, answers.row, seed)
    return found.at[KS.index(k)].bias


def distributions(p):
    return Distributions(p, classes=NAMES[: p.shape[1]], scale=Scale.ordinal(NAMES[: p.shape[1]]))


def outcomes(p, k):
    """Every target of k votes and its probability under one distribution."""
    for labels in combinations_with_replacement(range(len(p)), k):
        count = np.bincount(labels, minlength=len(p))
        ways = factorial(k) / prod(factorial(n) for n in count)
        yield count / k, ways * np.prod(p**count)


def entropy(p):
    return -sum(x * log(x) for x in p if x > 0)


def test_with_known_distributions_the_simulation_gives_the_enumerated_expectation():
    """40 distributions, every possible target of three votes; the simulation draws each of them 50 times."""
    p = np.random.default_rng(0).dirichlet([0.8, 0.5, 0.3], size=40)
    exact = {
        "js_distance": lambda target, full: jensenshannon(target, full),
        "js_divergence": lambda target, full: jensenshannon(target, full) ** 2,
        "total_variation": lambda target, full: abs(target - full).sum() / 2,
        "manhattan": lambda target, full: abs(target - full).sum(),
        "wasserstein": lambda target, full: wasserstein_distance([0, 1, 2], [0, 1, 2], target, full),
        "soft_brier": lambda target, full: ((target - full) ** 2).sum(),
        "kl": lambda target, full: entropy(full) - entropy(target),
        "accuracy": lambda target, full: (target.argmax() == full.argmax()) - 1,
        "po_jsd": lambda target, full: -(jensenshannon(target, full, base=2) ** 2),
        "soft_nll": lambda target, full: -(target - full) @ np.log(full),
    }
    found = expected(distributions(p), 3)
    for name, score in exact.items():
        mean = np.mean([sum(w * score(target, row) for target, w in outcomes(row, 3)) for row in p])
        assert found[name] == pytest.approx(mean, rel=0.05, abs=0.01 if name == "accuracy" else 1e-9), name


def test_entropy_correlation_is_what_spearman_says_of_independent_draws():
    rng = np.random.default_rng(1)
    p = rng.dirichlet([1, 1, 1, 1], size=2_000)
    drawn = rng.multinomial(10, p) / 10
    truth = spearmanr([entropy(row) for row in p], [entropy(row) for row in drawn]).statistic - 1
    assert expected(distributions(p), 10)["entropy_correlation"] == pytest.approx(truth, abs=0.03)


def test_at_many_votes_the_entropy_is_too_small_by_support_less_one_over_twice_k():
    """Miller 1955: the first term of the bias of the entropy, and so of KL."""
    p = np.full((50, 5), 0.2)
    assert expected(distributions(p), 100)["kl"] == pytest.approx(4 / 200, rel=0.05)
    assert expected(distributions(p), 100)["soft_brier"] == pytest.approx(0.8 / 100, rel=1e-12)


def worlds():
    """Known distributions of 3,000 items: scattered, skewed, nearly clear with slips, all alike, and mixtures of two."""
    rng, n = np.random.default_rng(2), 3_000
    scattered = rng.dirichlet(np.ones(3), n)
    skewed = rng.dirichlet(np.full(5, 0.2), n)
    slips = np.full((n, 6), 0.01)
    slips[np.arange(n), rng.integers(0, 6, n)] = 0.95
    alike = np.tile([0.7, 0.2, 0.1], (n, 1))
    first, second = np.eye(10)[rng.integers(0, 10, n)], np.eye(10)[rng.integers(0, 10, n)]
    share = rng.beta(1, 4, n)[:, None]
    pairs = 0.95 * ((1 - share) * first + share * second) + 0.005
    return {"scattered": scattered, "skewed": skewed, "slips": slips, "alike": alike, "pairs": pairs}


@pytest.mark.parametrize(("votes", "tolerance"), [(5, 0.2), (10, 0.12)])
@pytest.mark.parametrize("world", worlds())
def test_from_votes_alone_the_estimate_at_five_votes_is_near_the_truth(world, votes, tolerance):
    p, rng = worlds()[world], np.random.default_rng(3)
    target = rng.multinomial(5, p) / 5
    seen = Votes.from_counts(rng.multinomial(votes, p))
    found = expected(seen, 5)
    assert found["js_distance"] == pytest.approx(jensenshannon(target, p, axis=1).mean(), rel=tolerance)
    assert found["total_variation"] == pytest.approx(abs(target - p).sum(axis=1).mean() / 2, rel=tolerance)


def test_the_bias_of_the_soft_brier_score_comes_from_pairs_of_votes():
    """Sum of p (1 - p) is the chance that two votes disagree, which the votes show without bias."""
    counts = np.random.default_rng(4).multinomial(5, worlds()["scattered"])
    disagree = 1 - (counts * (counts - 1)).sum(axis=1).mean() / 20
    assert expected(Votes.from_counts(counts), 10)["soft_brier"] == pytest.approx(disagree / 10, rel=0.05)


def test_more_votes_bring_targets_nearer_and_twice_the_votes_lie_between():
    counts = np.random.default_rng(5).multinomial(5, worlds()["skewed"])
    votes = Votes.from_counts(counts)
    found = few_votes(cells(votes), 5, votes.scale, votes.row)
    distance = [case.bias["js_distance"] for case in found.at]
    assert distance == sorted(distance, reverse=True)
    assert (found.now.votes, found.twice.votes) == (5, 10)
    assert found.now == found.at[KS.index(5)]
    assert found.twice.bias == found.at[KS.index(10)].bias


def test_the_same_votes_give_the_same_numbers_and_another_seed_others():
    votes = Votes.from_counts(np.random.default_rng(6).multinomial(4, worlds()["pairs"][:300]))
    assert expected(votes, 10, seed=1) == expected(votes, 10, seed=1) != expected(votes, 10, seed=2)


def test_a_small_set_is_drawn_many_times_so_that_the_seed_hardly_matters():
    votes = Votes.from_counts([[4, 1]])
    bias = [expected(votes, 5, seed)["soft_brier"] for seed in range(4)]
    assert bias == pytest.approx([np.mean(bias)] * 4, rel=0.05)


def test_without_a_pair_of_votes_nothing_is_estimated():
    votes = Votes.from_counts(np.eye(4, dtype=int))
    assert few_votes(cells(votes), 4, votes.scale, votes.row) is None


@pytest.mark.parametrize("counts", [[[3, 1]], [[20_000, 30_000]], [[5, 0], [7, 0]], [[1, 1] + [0] * 2_998]])
def test_one_item_many_votes_no_disagreement_and_many_classes_give_finite_numbers(counts):
    votes = Votes.from_counts(counts)
    found = few_votes(cells(votes), votes.num_classes, votes.scale, votes.row)
    for case in (*found.at, found.now, found.twice):
        assert np.isfinite(list(case.bias.values())).all()


@pytest.fixture(scope="module")
def cifar10h():
    if not (folder := os.environ.get("VOTEWISE_DATA")):
        pytest.skip("VOTEWISE_DATA is not set: the CIFAR-10H votes are needed")
    return Votes.from_counts(np.load(Path(folder) / "cifar10h" / "cifar10h-counts.npy"))


@pytest.mark.parametrize(("k", "tolerance"), [(5, 0.15), (10, 0.1), (25, 0.08)])
def test_on_cifar10h_a_fit_to_k_votes_foretells_how_far_they_are_from_all_51(cifar10h, k, tolerance):
    few = cifar10h.subsample(k, seed=0)
    measured = jensenshannon(few.probabilities(), cifar10h.probabilities(), axis=1).mean()
    rng, base = np.random.default_rng(8), cifar10h.counts().sum(axis=0) / cifar10h.counts().sum()
    full = prior.draw(cells(few), base, prior.fit(cells(few), base), rng.random((len(few), 12)))
    first, rest = rng.multinomial(k, full), rng.multinomial(51 - k, full)
    foretold = jensenshannon(first / k, (first + rest) / 51, axis=1).mean()
    assert foretold == pytest.approx(measured, rel=tolerance)


def test_on_cifar10h_five_votes_tell_how_far_they_are_from_all_of_them(cifar10h):
    votes, full = cifar10h, cifar10h.probabilities()
    for seed in (0, 1):
        few = votes.subsample(5, seed)
        measured = jensenshannon(few.probabilities(), full, axis=1).mean()
        assert expected(few, 5)["js_distance"] == pytest.approx(measured, rel=0.15)
