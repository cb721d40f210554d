"""Real scikit-learn estimators on votes."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sparse
from scipy.optimize import minimize
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from small import BATCH, DELIVERIES, EPOCHS, VOTES, C, D, N, X
from votewise import SLS, Votes, VotewiseError, check_adapter, score
from votewise.adapters.sklearn import VotesClassifier, one_row_per_vote, soft_nll_scorer


@parametrize_with_checks(
    [VotesClassifier(), VotesClassifier(SGDClassifier(loss="log_loss", random_state=0), delivery="multipass")]
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_it_is_an_estimator(estimator, check) -> None:
    check(estimator)


def test_soft_labels_minimise_the_soft_cross_entropy() -> None:
    """The minimum of the penalised soft cross-entropy, found by a general optimiser."""
    share = VOTES.probabilities()

    def loss(theta: np.ndarray) -> float:
        weight, bias = theta[: C * D].reshape(C, D), theta[C * D :]
        logits = X @ weight.T + bias
        logits -= np.logaddexp.reduce(logits, axis=1, keepdims=True)
        return -(share * logits).sum() + 0.5 * (weight**2).sum()

    found = minimize(loss, np.zeros(C * D + C), method="BFGS", options={"gtol": 1e-7}).fun
    fitted = VotesClassifier(LogisticRegression(tol=1e-10, max_iter=5000)).fit(X, VOTES)
    model = fitted.estimator_
    assert loss(np.concatenate([model.coef_.ravel(), model.intercept_])) == pytest.approx(found, rel=1e-9)
    assert fitted.predict(X).tolist() == [VOTES.classes[k] for k in fitted.predict_proba(X).argmax(axis=1)]


def test_the_weighted_log_loss_of_the_rows_is_the_soft_nll() -> None:
    q = np.random.default_rng(1).dirichlet(np.ones(C), N)
    item, label, weight = one_row_per_vote(VOTES)
    assert -(weight * np.log(q[item, label])).sum() / N == pytest.approx(score(q, VOTES)["soft_nll"], rel=1e-12)


class Noting(SGDClassifier):
    def partial_fit(self, X, y, classes=None, sample_weight=None):
        LABELS.append(y.copy())
        return super().partial_fit(X, y, classes, sample_weight)


LABELS: list[np.ndarray] = []


def run(delivery, epochs: int):
    LABELS.clear()
    VotesClassifier(Noting(loss="log_loss"), delivery=delivery.name, epochs=epochs, seed=delivery.seed).fit(
        X, delivery.votes
    )
    return [(epoch, np.arange(len(y)), y) for epoch, y in enumerate(LABELS)]


@pytest.mark.parametrize("name", ["sls", "multipass"])
def test_labels_of_every_epoch_equal_the_tape(name: str) -> None:
    check_adapter(run, DELIVERIES[name])


def test_a_delivery_of_classes_equals_the_plain_loop_of_partial_fits() -> None:
    ours = VotesClassifier(SGDClassifier(loss="log_loss", random_state=0), delivery="sls", epochs=EPOCHS, seed=3).fit(
        X, VOTES
    )
    plain = SGDClassifier(loss="log_loss", random_state=0)
    for epoch in range(EPOCHS):
        plain.partial_fit(X, SLS(VOTES, seed=3).table(epoch), classes=np.arange(C))
    np.testing.assert_array_equal(ours.estimator_.coef_, plain.coef_)


def test_labels_that_never_change_need_no_partial_fit() -> None:
    ours = VotesClassifier(RandomForestClassifier(5, random_state=0), delivery="majority").fit(X, VOTES)
    plain = RandomForestClassifier(5, random_state=0).fit(X, VOTES.majority())
    np.testing.assert_array_equal(ours.estimator_.predict_proba(X), plain.predict_proba(X))


def test_classes_keep_the_order_of_the_votes() -> None:
    votes = Votes.from_counts(VOTES.counts(), classes=("yes", "maybe", "no"))
    named = VotesClassifier().fit(X, votes)
    np.testing.assert_allclose(named.predict_proba(X), VotesClassifier().fit(X, VOTES.counts()).predict_proba(X))
    assert named.classes_.tolist() == ["yes", "maybe", "no"]
    assert set(named.predict(X)) <= set(votes.classes)
    assert named.score(X, votes) == pytest.approx(np.mean(named.predict(X) == named.classes_[votes.majority()]))


def test_counts_probabilities_and_sparse_inputs_give_the_same_model() -> None:
    first = VotesClassifier(RandomForestClassifier(5, random_state=0)).fit(X, VOTES)
    for inputs, y in ((X, VOTES.counts()), (X, VOTES.probabilities()), (sparse.csr_matrix(X), VOTES.distributions())):
        again = VotesClassifier(RandomForestClassifier(5, random_state=0)).fit(inputs, y)
        np.testing.assert_allclose(again.predict_proba(X), first.predict_proba(X))


def test_it_is_the_last_step_of_a_pipeline() -> None:
    scaled = StandardScaler().fit_transform(X)
    piped = make_pipeline(StandardScaler(), VotesClassifier()).fit(X, VOTES)
    np.testing.assert_allclose(piped.predict_proba(X), VotesClassifier().fit(scaled, VOTES).predict_proba(scaled))


def test_cross_validation_and_search_by_soft_nll() -> None:
    counts = VOTES.counts()
    scores = cross_val_score(VotesClassifier(), X, counts, scoring=soft_nll_scorer, cv=3)
    part = np.arange(8, N)
    fitted = VotesClassifier().fit(X[part], counts[part])
    assert scores[0] == pytest.approx(-score(fitted.predict_proba(X[:8]), VOTES[:8])["soft_nll"])
    search = GridSearchCV(
        VotesClassifier(LogisticRegression()), {"estimator__C": [0.01, 1.0]}, scoring=soft_nll_scorer, cv=3
    )
    assert search.fit(X, counts).best_score_ >= scores.mean()


@pytest.mark.parametrize(
    ("estimator", "inputs", "y", "sentence"),
    [
        (VotesClassifier(KNeighborsClassifier()), X, VOTES, "does not accept sample_weight"),
        (VotesClassifier(make_pipeline(LogisticRegression())), X, VOTES, "make VotesClassifier the last step"),
        (VotesClassifier(LogisticRegression(), delivery="sls"), X, VOTES, "has no partial_fit"),
        (
            VotesClassifier(delivery="multipass"),
            X,
            VOTES.distributions(),
            "needs votes, but only probabilities are given",
        ),
        (VotesClassifier(), X[:BATCH], VOTES, "6 examples, but the votes have 24 items"),
        (VotesClassifier(), pd.DataFrame(X, index=VOTES.names()[::-1]), VOTES, "a different order"),
        (VotesClassifier(delivery="hard"), X, VOTES, "unknown delivery 'hard'"),
    ],
)
def test_wrong_use_is_one_sentence(estimator, inputs, y, sentence: str) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        estimator.fit(inputs, y)
