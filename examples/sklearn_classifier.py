"""scikit-learn: train any classifier on all votes with sample weights, or with partial_fit on the labels of each epoch."""

from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import cross_val_score

import votewise as vw
from votewise.adapters.sklearn import VotesClassifier, one_row_per_vote, soft_nll_scorer

said = {"great": [5, 0, 0], "fine": [3, 2, 0], "okay": [1, 3, 1], "slow": [0, 2, 3], "awful": [0, 0, 5]}
texts = [f"the {thing} was {word}" for thing in ("food", "room", "menu", "view", "wine", "bar", "tea") for word in said]
votes = vw.Votes.from_counts(list(said.values()) * 7, classes=["positive", "neutral", "negative"])
inputs = TfidfVectorizer().fit_transform(texts)

soft = VotesClassifier(LogisticRegression(C=10)).fit(inputs[:25], votes[:25])
hard = VotesClassifier(SGDClassifier(loss="log_loss"), delivery="multipass", epochs=20).fit(inputs[:25], votes[:25])
print("cross-validated soft NLL", -cross_val_score(soft, inputs, votes.counts(), scoring=soft_nll_scorer).mean())
print(hard.predict(inputs[25:28]))

item, label, weight = one_row_per_vote(votes[:25])  # the same without VotesClassifier, for any other estimator
trees = RandomForestClassifier(min_samples_leaf=3, random_state=0).fit(inputs[item], label, sample_weight=weight)
print("soft NLL of trees", vw.score(trees.predict_proba(inputs[25:]), votes[25:])["soft_nll"])
print("soft NLL", vw.score(soft.predict_proba(inputs[25:]), votes[25:])["soft_nll"])
