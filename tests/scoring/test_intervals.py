"""Intervals cover what they are intervals of, and a weighted table is a table of repeated items."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from references import examples, votes_of
from votewise.errors import VotewiseError
from votewise.scoring import SCORES, Intervals, score
from votewise.scoring.bootstrap import interval, item_samples, resampled_votes
from votewise.scoring.columns import cross_entropy
from votewise.scoring.declaration import values_of
from votewise.scoring.item_table import tabulate
from votewise.scoring.predictions import as_predictions
from votewise.votes import Distributions, Votes

FUNCTIONS = {name: one.of for name, one in SCORES.items()} | {
    f"corrected {name}": one.corrected for name, one in SCORES.items() if one.corrected
}
COLUMNS = [column for one in SCORES.values() for column in one.columns]


@given(examples(), st.data())
def test_counting_an_item_twice_is_having_it_twice(example, data) -> None:
    counts, q, truth = example
    sample = sorted(data.draw(st.lists(st.integers(0, len(q) - 1), min_size=1, max_size=30)))
    whole = tabulate(as_predictions(q), votes_of(counts), COLUMNS, truth=np.array(truth), keep_classes=True)
    if np.isinf(whole[cross_entropy]).any():
        return  # an infinite score has no interval
    weighted = whole.weighted(np.bincount(sample, minlength=len(q)).astype(float))
    again = tabulate(
        as_predictions([q[i] for i in sample]),
        votes_of([counts[i] for i in sample]),
        COLUMNS,
        truth=np.array([truth[i] for i in sample]),
    )
    values, absent = values_of(FUNCTIONS, weighted)
    expected, expected_absent = values_of(FUNCTIONS, again)
    assert values == pytest.approx(expected, abs=1e-9)
    assert absent == expected_absent


def simulated(votes_per_item, sets, items=200, over="items", resamples=250):
    """Share of intervals that hold the truth, over sets of items and votes drawn from a population whose truth is known."""
    rng = np.random.default_rng(7)
    truth = rng.dirichlet([0.4] * 4, size=20_000)
    logits = np.log(truth + 0.02) + rng.normal(0, 0.7, truth.shape)
    q = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    names = ["soft_nll", "soft_brier", "kl"]
    exact = score(q, Distributions(truth, classes=tuple("abcd")), scores=names, dialect=None)
    held = dict.fromkeys(names, 0)
    for turn in range(sets):
        place = rng.integers(0, len(q), items)
        votes = Distributions(truth[place], classes=tuple("abcd")).resample(votes_per_item, seed=turn)
        card = score(q[place], votes, scores=names, dialect=None, intervals=Intervals(resamples, over), seed=turn)
        for name in names:
            low, high = (card.corrected_intervals if name in card.corrected else card.intervals)[name]
            held[name] += low <= exact[name] <= high
    return {name: count / sets for name, count in held.items()}


def test_intervals_cover_the_truth_at_their_nominal_rate() -> None:
    """Of 250 sets, 95 % intervals that hold the truth in 91 to 99 % of them are within three standard errors."""
    few = simulated(votes_per_item=5, sets=250)
    assert 0.91 <= few["soft_nll"] <= 0.99
    assert 0.91 <= few["soft_brier"] <= 0.99


def test_the_corrected_kl_covers_where_votes_are_not_few() -> None:
    assert 0.91 <= simulated(votes_per_item=25, sets=200)["kl"] <= 0.99


def test_drawing_votes_again_counts_their_noise_twice() -> None:
    """Hence it is not the default: intervals over items and votes are too wide."""
    wide = simulated(votes_per_item=5, sets=30, items=60, over="items+votes", resamples=100)
    assert wide["soft_nll"] >= 0.96
    rng = np.random.default_rng(0)
    q = rng.dirichlet([1, 1, 1], 200)
    votes = Distributions(q, classes=tuple("abc")).resample(4, seed=0)
    widths = {
        over: np.diff(score(q, votes, scores=["soft_nll"], intervals=Intervals(400, over)).intervals["soft_nll"])[0]
        for over in ("items", "items+votes")
    }
    assert widths["items+votes"] > 1.2 * widths["items"]


def test_an_interval_depends_on_the_seed_and_on_nothing_else() -> None:
    rng = np.random.default_rng(3)
    q = rng.dirichlet([1, 1, 1], 60)
    votes = Votes.from_counts(rng.multinomial(6, [0.5, 0.3, 0.2], size=60))
    one, same, other = (score(q, votes, intervals=50, seed=seed) for seed in (0, 0, 1))
    assert one.intervals == same.intervals != other.intervals
    assert set(one.intervals) == set(one.scores)
    assert set(one.corrected_intervals) == {"kl", "soft_brier"}
    for name, (low, high) in one.intervals.items():
        assert low <= high, name
        assert SCORES[name].bounds[0] <= low, name
        assert high <= SCORES[name].bounds[1], name
    wider = score(q, votes, intervals=Intervals(50, level=0.99)).intervals
    assert all(wider[name][0] <= low and high <= wider[name][1] for name, (low, high) in one.intervals.items())


@pytest.mark.parametrize("items", [2, 9, 30])
def test_percentiles_are_those_of_hesterberg_around_the_estimate(items: int) -> None:
    drawn = np.random.default_rng(items).gamma(2, size=400)
    tail = stats.norm.cdf((items / (items - 1)) ** 0.5 * stats.t.ppf(0.05, items - 1))
    expected = 3 + np.quantile(drawn, [tail, 1 - tail]) - drawn.mean()
    assert interval(drawn, 3.0, items, level=0.9) == pytest.approx(expected, rel=1e-12)


def test_samples_are_uniform_draws_with_replacement() -> None:
    drawn = np.concatenate(list(item_samples(50, 400, seed=5)))
    assert drawn.shape == (20_000,)
    expected = 20_000 / 50
    chi2 = ((np.bincount(drawn, minlength=50) - expected) ** 2 / expected).sum()
    assert 25 < chi2 < 80  # 49 degrees of freedom


def test_votes_drawn_again_are_votes_of_the_same_item() -> None:
    votes = Votes.from_counts([[3, 0, 0], [0, 2, 1], [0, 0, 5]])
    sample = np.array([2, 1, 1, 0])
    again = resampled_votes(votes, sample, 0, seed=0)
    assert again.votes_per_item.tolist() == [5, 3, 3, 3]
    counts = again.counts()
    assert counts[0].tolist() == [0, 0, 5]
    assert counts[3].tolist() == [3, 0, 0]
    assert not counts[1:3, 0].any()


def test_distributions_have_no_votes_to_draw_again() -> None:
    shares = Distributions([[0.5, 0.5], [0.1, 0.9]], classes=("a", "b"))
    with pytest.raises(VotewiseError, match="no individual votes to resample"):
        score([[0.5, 0.5], [0.2, 0.8]], shares, intervals=Intervals(10, "items+votes"))


@pytest.mark.parametrize("wrong", [{"samples": 1}, {"level": 95}, {"level": 0}, {"over": "votes"}])
def test_wrong_options_of_intervals_are_refused(wrong) -> None:
    with pytest.raises(VotewiseError):
        Intervals(**wrong)


def test_a_number_of_samples_is_short_for_intervals() -> None:
    q, votes = [[0.5, 0.5], [0.2, 0.8]], Votes.from_counts([[1, 3], [2, 2]])
    short, long = (score(q, votes, intervals=wanted) for wanted in (20, Intervals(20, "items", 0.95)))
    assert short.intervals == long.intervals
    assert short.settings == long.settings
