"""The budget's errors against those of simulated studies, and against what is known in closed form."""

import numpy as np
import pytest

from votewise.errors import UndefinedError, VotewiseError
from votewise.profile import budget
from votewise.scoring import score
from votewise.votes import Distributions, Scale, Votes

CLASSES = ("a", "b", "c")


def population(rng, items):
    """Full distributions of items, some clear and some contested; and the shares of five votes, smoothed, for a model."""
    shape = np.array([[8.0, 0.4, 0.4], [0.4, 8.0, 0.4], [2.0, 2.0, 1.0]])[rng.integers(0, 3, items)]
    full = rng.standard_gamma(shape) + 1e-9
    full /= full.sum(axis=1, keepdims=True)
    return full, (rng.multinomial(5, full) + full.mean(axis=0)) / 6


def drawn(rng, full, k):
    return Votes.from_counts(rng.multinomial(k, full), CLASSES)


@pytest.fixture(scope="module")
def studies():
    """A pilot of 2,000 items with 10 votes, its budget, and what 300 real studies with that budget are off by."""
    rng = np.random.default_rng(0)
    full, model = population(rng, 200_000)
    names = ("soft_nll", "soft_brier", "kl", "accuracy", "js_distance", "total_variation")
    truth = score(model, Distributions(full, classes=CLASSES), scores=names, dialect=None)
    plan = budget(drawn(rng, full[:2000], 10), 1200, votes_per_item=(1, 3, 10), scores=names)
    off = {}
    for k in (1, 3, 10):
        for _ in range(300):
            chosen = rng.integers(0, len(full), 1200 // k)
            card = score(model[chosen], drawn(rng, full[chosen], k), scores=names, dialect=None)
            for name in names:
                off.setdefault((name, k), []).append(card[name] - truth[name])
                if name in card.corrected:
                    off.setdefault((f"{name} corrected", k), []).append(card.corrected[name] - truth[name])
    return plan, {key: np.array(values) for key, values in off.items()}


def rows_of(plan):
    return {(row[0], row[1]): row[2:] for row in plan.scores.records()}


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("name", ["soft_nll", "soft_brier", "kl", "accuracy", "js_distance", "total_variation"])
def test_the_error_of_a_score_is_that_of_real_studies(studies, name, k):
    plan, off = studies
    items, _, spread, error, _ = rows_of(plan)[name, k]
    found = off[name, k]
    assert items == 1200 // k
    assert spread == pytest.approx(found.std(), rel=0.2)
    assert error == pytest.approx(np.sqrt((found**2).mean()), rel=0.2)


@pytest.mark.parametrize("k", [3, 10])
@pytest.mark.parametrize("name", ["soft_brier", "kl"])
def test_the_error_of_a_corrected_score_is_that_of_real_studies(studies, name, k):
    plan, off = studies
    found = off[f"{name} corrected", k]
    assert rows_of(plan)[name, k][4] == pytest.approx(np.sqrt((found**2).mean()), rel=0.25)


def test_the_plan_that_is_called_best_is_the_best_of_the_real_studies(studies):
    plan, off = studies
    for name in ("soft_nll", "js_distance", "total_variation"):
        real = {k: np.sqrt((off[name, k] ** 2).mean()) for k in (1, 3, 10)}
        assert plan.best(name)[0] == min(real, key=real.get)


def test_soft_nll_has_its_closed_form():
    """Variance between items plus variance by the votes over K, over the number of items; no bias."""
    rng = np.random.default_rng(3)
    full, model = population(rng, 400)
    plan = budget(drawn(rng, full, 1000), 4000, votes_per_item=(1, 4), scores=("soft_nll",))
    loss = -np.log(model)
    mean = (full * loss).sum(axis=1)
    within = ((full * loss**2).sum(axis=1) - mean**2).mean()
    for k in (1, 4):
        _, bias, spread, *_ = rows_of(plan)["soft_nll", k]
        assert bias == 0
        assert spread == pytest.approx(np.sqrt((mean.var() + within / k) / (4000 / k)), rel=0.03)


def test_targets_are_as_far_off_as_real_ones():
    rng = np.random.default_rng(4)
    full, _ = population(rng, 3000)
    plan = budget(drawn(rng, full, 10), votes_per_item=(1, 5, 20), scores=("soft_nll",))
    truth = Distributions(full, classes=CLASSES)
    for k, found in zip(plan.targets["votes_per_item"], plan.targets["total_variation"], strict=True):
        shares = drawn(rng, full, k).probabilities()
        assert found == pytest.approx(
            score(shares, truth, scores=["total_variation"], dialect=None)["total_variation"], rel=0.08
        )


def test_doubling_names_the_better_use_of_the_votes(studies):
    plan, _ = studies
    for name, now, votes, items in plan.doubling.records():
        assert votes < now, name
        assert items <= now, name
    by_name = {row[0]: row[1:] for row in plan.doubling.records()}
    assert by_name["soft_nll"][2] < by_name["soft_nll"][1]
    assert "soft_nll" in plan.next_votes.split("same items")[0]


def test_a_budget_says_what_to_do_and_draws_it():
    rng = np.random.default_rng(5)
    votes = Votes.from_counts(
        rng.multinomial(5, [0.5, 0.3, 0.2], 60), ("1", "2", "3"), scale=Scale.ordinal(("1", "2", "3"))
    )
    plan = budget(votes)
    assert plan.total == 600
    assert {5, 10} <= set(plan.targets["votes_per_item"])
    assert "wasserstein" in plan.scores["score"]
    assert len(str(plan).splitlines()) == len(plan.answer)
    assert "soft_nll" in plan.chart().alt
    assert "<svg" in plan._repr_html_()
    assert len(repr(plan)) < 400


def test_what_cannot_be_planned_is_refused():
    with pytest.raises(UndefinedError):
        budget(Votes.from_counts([[1, 0], [0, 1]]))
    votes = Votes.from_counts([[3, 1], [2, 2]])
    with pytest.raises(UndefinedError, match="'entropy_correlation' cannot be measured with 1 votes per item"):
        budget(votes, votes_per_item=[1], scores=["entropy_correlation"])
    with pytest.raises(VotewiseError):
        budget(votes, 1)
    with pytest.raises(VotewiseError):
        budget(votes, 10, votes_per_item=(100,))
