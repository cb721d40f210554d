"""scikit-learn: any classifier with sample weights on all votes, or partial_fit on the labels of each epoch."""

from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import cross_val_score

import votewise as vw
from votewise.adapters.sklearn import VotesClassifier, one_row_per_vote, soft_nll_scorer

texts = [
    "great food",
    "great service",
    "bad food",
    "bad service",
    "food was fine",
    "no idea",
    "not bad",
    "not great",
] * 8
said = [[5, 0, 0], [4, 1, 0], [0, 1, 4], [0, 0, 5], [2, 3, 0], [1, 3, 1], [2, 2, 1], [0, 2, 3]] * 8
votes = vw.Votes.from_counts(said, classes=["positive", "neutral", "negative"])
inputs = TfidfVectorizer().fit_transform(texts)

soft = VotesClassifier(LogisticRegression(C=10)).fit(inputs, votes)
hard = VotesClassifier(SGDClassifier(loss="log_loss"), delivery="multipass", epochs=20).fit(inputs, votes)
print("cross-validated soft NLL", -cross_val_score(soft, inputs, votes.counts(), scoring=soft_nll_scorer).mean())
print(hard.predict(inputs[:3]))

item, label, weight = one_row_per_vote(votes)  # the same by hand, for an estimator of your own
trees = HistGradientBoostingClassifier(max_iter=20).fit(inputs[item].toarray(), label, sample_weight=weight)
print("soft NLL", vw.score(trees.predict_proba(inputs.toarray()), votes)["soft_nll"])
print("soft NLL", vw.score(soft.predict_proba(inputs), votes)["soft_nll"])
