"""Which items deserve more votes: the formulas against closed forms, Bayes' rule and simulation."""

import numpy as np
import pytest

from votewise.errors import UndefinedError, VotewiseError
from votewise.profile import next_items, prior
from votewise.profile.cells import cells
from votewise.profile.uncertainty import _moments, uncertainty
from votewise.votes import Distributions, Votes


def alone(elsewhere, concentration):
    """A prior of one component."""
    weight = np.zeros(len(prior.GRID))
    weight[np.flatnonzero(([elsewhere, concentration] == prior.GRID).all(axis=1))[0]] = 1.0
    return weight


def test_one_dirichlet_has_its_closed_form():
    counts = np.array([[3, 1, 0], [10, 10, 0], [0, 0, 1], [40, 30, 30]])
    base = np.array([0.5, 0.3, 0.2])
    error, gain = uncertainty(cells(Votes.from_counts(counts)), base, alone(1.0, 3.0))
    shape = 3.0 * base + counts
    total = shape.sum(axis=1)
    mean = shape / total[:, None]
    expected = (mean * (1 - mean)).sum(axis=1) / (total + 1)
    np.testing.assert_allclose(error, expected, rtol=1e-10)
    np.testing.assert_allclose(gain, expected / (total + 1), rtol=1e-10)


def test_one_more_vote_takes_off_what_bayes_rule_says():
    """The error after each possible vote, weighed by how likely the vote is, under the whole mixture."""
    base = np.array([0.5, 0.3, 0.2])
    weight = np.random.default_rng(0).dirichlet(np.ones(len(prior.GRID)))
    counts = np.array([[2, 1, 0], [5, 0, 0], [1, 1, 1], [0, 7, 2]])
    error, gain = uncertainty(cells(Votes.from_counts(counts)), base, weight)
    for item, count in enumerate(counts):
        likelihood = []
        after = []
        for vote in np.eye(3, dtype=np.int64):
            answers = cells(Votes.from_counts([count + vote]))
            after.append(uncertainty(answers, base, weight)[0][0])
            shape = _mean_share(cells(Votes.from_counts([count])), count, base, weight)
            likelihood.append(shape @ vote)
        assert sum(likelihood) == pytest.approx(1)
        assert error[item] - gain[item] == pytest.approx(np.dot(likelihood, after), rel=1e-8)


def _mean_share(answers, count, base, weight):
    """Posterior mean by enumerating components and favoured classes, without the code under test."""
    from scipy.special import gammaln

    log, means = [], []
    for (elsewhere, concentration), prior_weight in zip(prior.GRID[weight > 0], weight[weight > 0], strict=True):
        for favoured in range(len(base)):
            shape = concentration * elsewhere * base
            shape[favoured] += concentration * (1 - elsewhere)
            after = shape + count
            evidence = (gammaln(after) - gammaln(shape)).sum() + gammaln(shape.sum()) - gammaln(after.sum())
            log.append(np.log(prior_weight * base[favoured]) + evidence)
            means.append(after / after.sum())
    part = np.exp(np.array(log) - max(log))
    return part @ np.array(means) / part.sum()


def test_the_expected_error_is_that_of_simulated_annotators():
    """Full distributions drawn from the prior, votes from these: the mean squared error of the posterior mean is as announced."""
    rng = np.random.default_rng(1)
    base, weight = np.array([0.6, 0.3, 0.1]), alone(0.15, 3.0)
    favoured = rng.choice(3, 20_000, p=base)
    shape = 3.0 * (0.15 * base + 0.85 * np.eye(3)[favoured])
    full = np.array([rng.dirichlet(row) for row in shape])
    counts = np.array([rng.multinomial(4, row) for row in full])
    error, _ = uncertainty(cells(Votes.from_counts(counts)), base, weight)
    kinds, of = np.unique(counts, axis=0, return_inverse=True)
    mean = np.array([_mean_share(None, kind, base, weight) for kind in kinds])[of.ravel()]
    assert ((full - mean) ** 2).sum(axis=1).mean() == pytest.approx(error.mean(), rel=0.03)


def test_lumping_what_nobody_chose_changes_little_with_many_classes():
    base = np.full(6, 1 / 6)
    weight = np.full(len(prior.GRID), 1 / len(prior.GRID))
    counts = np.array([[4, 1, 0, 0, 0, 0]])
    answers = cells(Votes.from_counts(counts))
    posterior = prior.likelihood(answers, base) * weight
    posterior /= posterior.sum(axis=1, keepdims=True)
    fine = _moments(posterior, counts.astype(float), base[None], answers.size)
    lumped = _moments(posterior, np.array([[4.0, 1.0, 0.0]]), np.array([[1 / 6, 1 / 6, 4 / 6]]), answers.size)
    for less, all_of_it in zip(lumped, fine, strict=True):
        assert less == pytest.approx(all_of_it, rel=0.25)
    many = Votes.from_long(
        [1, 1, 1, 2, 2, 2], ["c3", "c3", "c9", "c5", "c5", "c5"], classes=[f"c{i}" for i in range(100)]
    )
    assert next_items(many)["item"] == ["1", "2"]


def test_thin_evidence_does_not_come_first_because_of_its_entropy():
    """Raw entropy puts two votes that differ before fifty against fifty and both before a single vote; the ranking does not."""
    counts = [[50, 50], [1, 1], [1, 0], *[[9, 1], [1, 9], [5, 5]] * 20]
    rows = next_items(Votes.from_counts(counts))
    place = {item: at for at, item in enumerate(rows["item"])}
    assert place["1"] < place["0"]
    assert place["2"] < place["0"]
    assert (np.diff(rows["error"] ** 2 - rows["error_after"] ** 2) <= 1e-9).all()


@pytest.mark.parametrize("name", ["text", "review_de"])
def test_items_without_votes_are_ranked_and_text_is_carried(name: str):
    columns = {name: np.array(["first", "first", "second", "second"]), "seconds": np.arange(4)}
    votes = Votes.from_long(["a", "a", "b", "b"], ["x", "y", "x", "x"], columns=columns)
    rows = next_items(votes.align(["a", "b", "c"], missing="empty"), top=3)
    assert rows["item"][0] == "c"
    assert rows["votes"].tolist() == [0, 2, 2]
    assert rows["text"] == ["", "first", "second"]
    assert rows["answers"] == ["", "x: 1, y: 1", "x: 2"]


def test_what_cannot_be_ranked_is_refused():
    with pytest.raises(UndefinedError):
        next_items(Votes.from_counts([[1, 0], [0, 1]]))
    with pytest.raises(UndefinedError):
        next_items(Distributions([[0.5, 0.5]], classes=("a", "b")))
    with pytest.raises(VotewiseError):
        next_items(Votes.from_counts([[2, 0]]), top=0)
