"""scikit-learn: trains any classifier with sample weights, or with `partial_fit`, on votes."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from votewise.arrays import F64, I64
from votewise.delivery import deliver, require_fit
from votewise.errors import VotewiseError
from votewise.scoring import score
from votewise.votes import Answers, Distributions, Votes


def one_row_per_vote(votes: Answers) -> tuple[I64, I64, F64]:
    """Item, class and weight of each row [R], with one row per item and chosen class; the weights of an item sum to 1.

    The weighted log loss on these rows is N times the soft cross-entropy.

        item, label, weight = one_row_per_vote(votes)
        classifier.fit(X[item], label, sample_weight=weight)

    Example:
        >>> from votewise.votes import Votes
        >>> [a.tolist() for a in one_row_per_vote(Votes.from_counts([[3, 1], [0, 2]]))]
        [[0, 0, 1], [0, 1, 1], [0.75, 0.25, 1.0]]
    """
    return _rows(votes.probabilities())


def _rows(share: F64) -> tuple[I64, I64, F64]:
    item, label = np.nonzero(share)
    return item, label, share[item, label]


class VotesClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier trained on votes.

    A soft delivery ("soft", "label-smoothing") calls `fit` once, with one weighted row per item and class. A hard delivery
    ("multipass", "sls", "majority", ...) calls `partial_fit` with the labels of each epoch; if the labels are the same in every
    epoch and the classifier has no `partial_fit`, it calls `fit` once.

    Args:
        estimator: Any classifier with `sample_weight`; for "majority" any classifier, and for other hard deliveries one with `partial_fit`. Default:
            `LogisticRegression()`.
        delivery: Name of a delivery, or the import path or class of a custom one. The votes are given as `y`.
        epochs: Number of calls of `partial_fit`, for a hard delivery.
        seed: Seed of the delivery.

    In a pipeline, make it the last step. `y` may be `Votes`, `Distributions`, counts or probabilities [N, C], or classes [N], which are votes of one annotator. For
    cross-validation give an array: `votes.counts()`.
    """

    def __init__(self, estimator: Any = None, *, delivery: Any = "soft", epochs: int = 10, seed: int = 0) -> None:
        self.estimator, self.delivery, self.epochs, self.seed = estimator, delivery, epochs, seed

    def fit(self, X: Any, y: Any) -> Self:
        """Train on inputs [N, D] and the votes on them."""
        if _is_classes(y):
            inputs, y = validate_data(self, X, y, accept_sparse="csr")
            check_classification_targets(y)
        else:
            inputs = validate_data(self, X, accept_sparse="csr")
        votes, self.classes_ = _votes(y)
        require_fit(votes, dataset=X if hasattr(X, "iloc") else inputs)  # a frame may have the ids
        delivery = deliver(self.delivery, votes, seed=self.seed)
        model = clone(LogisticRegression() if self.estimator is None else self.estimator)
        everyone = np.arange(len(votes))
        if delivery.kind == "soft":
            if not has_fit_parameter(model, "sample_weight"):
                raise VotewiseError(
                    f"{type(model).__name__} does not accept sample_weight, which soft labels need",
                    remedy="make VotesClassifier the last step of the pipeline"
                    if isinstance(model, Pipeline)
                    else "use a hard delivery, e.g. delivery='sls', with a classifier that has partial_fit",
                )
            item, label, weight = _rows(delivery.targets(everyone, 0).astype(np.float64))
            model.fit(inputs[item], label, sample_weight=weight)  # class numbers, because names would be sorted
        else:
            labels = [delivery.targets(everyone, epoch) for epoch in range(self.epochs)]
            if hasattr(model, "partial_fit"):
                for label in labels:
                    model.partial_fit(inputs, label, classes=np.arange(votes.num_classes))
            elif all(np.array_equal(labels[0], label) for label in labels[1:]):
                model.fit(inputs, labels[0])
            else:
                raise VotewiseError(
                    f"{type(model).__name__} has no partial_fit, which the delivery {getattr(self.delivery, '__name__', self.delivery)} needs",
                    remedy="use delivery='soft', or e.g. SGDClassifier(loss='log_loss')",
                )
        self.estimator_ = model
        return self

    def predict(self, X: Any) -> Any:
        """The class of each row [n]."""
        check_is_fitted(self)
        return self.classes_[self.estimator_.predict(validate_data(self, X, accept_sparse="csr", reset=False))]

    def predict_proba(self, X: Any) -> F64:
        """Probabilities [n, C]; 0 for classes without votes."""
        check_is_fitted(self)
        found = self.estimator_.predict_proba(validate_data(self, X, accept_sparse="csr", reset=False))
        out = np.zeros((len(found), len(self.classes_)))
        out[:, self.estimator_.classes_] = found
        return out

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy, against the majority if y is votes. For a proper score, use `soft_nll_scorer`."""
        truth = y if _is_classes(y) else self.classes_[_votes(y)[0].majority()]
        return float(super().score(X, truth, sample_weight))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def soft_nll_scorer(estimator: Any, X: Any, y: Any) -> float:
    """Minus the soft NLL, for `scoring=` of cross-validation and searches: larger is better."""
    card = score(estimator.predict_proba(X), _votes(y)[0], scores=["soft_nll"], kind="probabilities", dialect=None)
    return -card["soft_nll"]


def _is_classes(y: Any) -> bool:
    return not isinstance(y, Answers) and (np.asarray(y).ndim < 2 or np.asarray(y).shape[1] == 1)


def _votes(y: Any) -> tuple[Answers, Any]:
    """Any accepted form of `y` as votes, and the names of the classes."""
    if isinstance(y, Answers):
        return y, np.array(y.classes)
    if not _is_classes(y):
        array = np.asarray(y)
        whole = bool((array == np.floor(array)).all() and array.sum(axis=1).max(initial=0) > 1)
        given: Answers = Votes.from_counts(array) if whole else Distributions(array)
        return given, np.arange(array.shape[1])
    names, code = np.unique(np.asarray(y), return_inverse=True)
    counts = np.zeros((len(code), len(names)), np.int64)
    counts[np.arange(len(code)), code] = 1
    return Votes.from_counts(counts), names
