"""crowd-kit and cleanlab: aggregate votes by annotator skill, and find items with doubtful labels."""

from cleanlab.multiannotator import get_label_quality_multiannotator
from crowdkit.aggregation import DawidSkene

import votewise as vw
from votewise.adapters.cleanlab import to_cleanlab
from votewise.adapters.crowdkit import from_crowdkit_probabilities, to_crowdkit

items = [f"review-{i}" for i in range(12) for _ in range(4)]
who = ["ann", "bob", "cleo", "dan"] * 12
labels = [("yes" if (i % 3 == 0) != (name == "dan" and i % 2 == 0) else "no") for i in range(12) for name in who[:4]]
votes = vw.Votes.from_long(items, labels, who)

skilled = from_crowdkit_probabilities(DawidSkene(n_iter=10).fit_predict_proba(to_crowdkit(votes)), votes)
delivery = vw.SLS(skilled, seed=0)  # train on these instead of the raw shares
print(delivery.table(0))

quality = get_label_quality_multiannotator(to_cleanlab(votes), 0.8 * votes.probabilities() + 0.1, verbose=False)
print(quality["label_quality"].nsmallest(3, "consensus_quality_score"))
print("soft NLL of the aggregated labels", vw.score(skilled.probabilities(), votes)["soft_nll"])
