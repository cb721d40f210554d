"""Hugging Face datasets: read votes from lists of labels per row, and write votes as a dataset."""

from datasets import Dataset

import votewise as vw
from votewise.adapters.hf_datasets import from_dataset, to_dataset

rows = {
    "text": ["great food", "bad food", "food was fine", "not bad"],
    "annotations": [
        ["positive", "positive"],
        ["negative", "neutral"],
        ["neutral", "positive"],
        ["positive", "negative"],
    ],
    "who": [["ann", "bob"], ["ann", "cleo"], ["bob", "cleo"], ["ann", "bob"]],
    "uid": ["t3", "t1", "t4", "t2"],
}
dataset = Dataset.from_dict(rows)
votes = from_dataset(dataset, labels="annotations", annotators="who", item="uid")  # in the order of the rows
print(votes, votes.probabilities())
print(to_dataset(votes).features)
print("soft NLL", vw.score([[0.3, 0.3, 0.4]] * 4, votes)["soft_nll"])
