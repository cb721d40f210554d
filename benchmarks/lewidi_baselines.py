"""Baselines for LeWiDi 2025 Paraphrase that ignore the text: `python -m benchmarks.lewidi_baselines` writes them.

Most frequent: the most frequent rating of the training votes for every item; uniform: equal probabilities for all ratings; training votes: the shares of the training votes for every item.
"""

from __future__ import annotations

import json

import numpy as np

import votewise as vw
from benchmarks.text_results import FOLDER
from votewise.datasets import data_folder

FILE = FOLDER / "lewidi/baselines.json"


def baselines() -> dict[str, float]:
    """The mean Wasserstein distance on the test file."""
    train, test = (vw.read_votes(data_folder() / f"lewidi/Paraphrase_{part}.json") for part in ("train", "test"))
    shares = np.array([train.counts()[:, train.classes.index(name)].sum() for name in test.classes], dtype=float)
    rows = {
        "most frequent": np.eye(len(shares))[shares.argmax()],
        "uniform": np.ones(len(shares)),
        "training votes": shares,
    }
    return {
        name: vw.score(np.tile(row / row.sum(), (len(test), 1)), test, dialect="lewidi2025")["wasserstein"]
        for name, row in rows.items()
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(baselines(), indent=1) + "\n", encoding="utf-8")
