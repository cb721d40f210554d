"""The learning rate of `linear` and `mlp` on features, with the other settings of the preset: `VOTEWISE_DATA=... python -m benchmarks learning_rate`.

The regret of a learning rate is the soft NLL on test items above that of the best of the five, on the same dataset with the same model, method and epoch.
`LogisticRegression` of scikit-learn, with a row per item and class, weighted by the vote share, and the best of four C, shows what a linear model can reach.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from statistics import fmean

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression

import votewise as vw
from votewise.training import Problem

RATES = (0.001, 0.003, 0.01, 0.03, 0.1)
STRENGTHS = (0.0001, 0.001, 0.01, 0.1)  # C of LogisticRegression
MODELS, METHODS, EPOCHS, SEEDS = ("linear", "mlp"), ("soft", "multipass"), ("best", "last"), (0, 1)
SPLIT = vw.Split(selection=0.1)
Losses = Mapping[tuple[str, str, str, float], float]  # (model, method, epoch, learning rate) -> soft NLL


def datasets() -> dict[str, vw.Dataset]:
    """Embedded texts, pixels, the features of docs/get-started.md, and many features of few items."""
    digits = vw.load_dataset("digits")
    pixels = np.asarray(digits.inputs, np.float32).reshape(len(digits), -1)
    rng = np.random.default_rng(0)
    few = rng.normal(size=(300, 8))
    hidden = rng.normal(size=(200, 10))
    wide = hidden @ rng.normal(size=(10, 2000)) + 3 * rng.normal(size=(200, 2000))
    popquorn = vw.load_dataset("popquorn-offensiveness").embed()
    return {
        "POPQUORN, 384 features of 1,500 items": popquorn,
        "POPQUORN, 384 features of 400 items": popquorn.select(np.arange(400)),
        "ChaosNLI-SNLI, 1,536 features of 1,514 items": vw.load_dataset("chaosnli-snli").embed(),
        "digits, 100 features of 1,500 items": vw.Dataset(pixels, digits.votes).select(np.arange(1500)),
        "8 features of 300 items": voted(few, few @ rng.normal(size=(8, 3))),
        "2,000 features of 200 items": voted(wide, hidden @ rng.normal(size=(10, 3))),
    }


def voted(features: np.ndarray, logits: np.ndarray) -> vw.Dataset:
    """Items with five votes, drawn from the softmax of the logits."""
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    counts = np.random.default_rng(1).multinomial(5, shares)
    return vw.Dataset(features.astype(np.float32), vw.Votes.from_counts(counts))


def losses(data: vw.Dataset, store: str) -> Losses:
    """The mean soft NLL over seeds."""
    found = {}
    for model in MODELS:
        for method in METHODS:
            for lr in RATES:
                recipe = vw.Recipe.for_dataset(data, "cpu", model=model, lr=lr)
                runs = [vw.fit(data, method, recipe, seed=seed, split=SPLIT, store=store) for seed in SEEDS]
                for epoch in EPOCHS:
                    scores = [getattr(run, epoch).scores["soft_nll"] for run in runs]
                    found[model, method, epoch, lr] = fmean(math.inf if score is None else score for score in scores)
    return found


def logistic_regression(data: vw.Dataset) -> float:
    """The soft NLL of scikit-learn's model on the same splits, mean over seeds."""
    scores = dict[float, list[float]]()
    for seed in SEEDS:
        config = vw.training.configure(data, vw.Method(delivery="soft"), vw.Recipe.for_dataset(data, "cpu"), seed=seed, split=SPLIT)  # fmt: skip
        problem = Problem(data, config)
        train, test = problem.train_votes.probabilities(), problem.evaluation_votes.probabilities()
        item, label = np.nonzero(train)
        every = slice(0, len(data))
        x, held_out = (problem.clean(index)[every].numpy() for index in (problem.training, problem.evaluation))
        for c in STRENGTHS:
            model = LogisticRegression(C=c, max_iter=1000).fit(x[item], label, sample_weight=train[item, label])
            scores.setdefault(c, []).append(float(-(test * model.predict_log_proba(held_out)).sum(axis=1).mean()))
    return min(map(fmean, scores.values()))


def regrets(found: Losses, model: str, epoch: str) -> dict[str, float]:
    """By learning rate, the mean over methods of the soft NLL above that of the best learning rate."""
    lowest = {method: min(found[model, method, epoch, lr] for lr in RATES) for method in METHODS}
    return {str(lr): fmean(found[model, m, epoch, lr] - lowest[m] for m in METHODS) for lr in RATES}


def measure() -> dict[str, object]:
    torch.set_num_threads(1)
    by_data = dict[str, dict[str, dict[str, float]]]()
    against = dict[str, dict[str, float]]()
    with tempfile.TemporaryDirectory() as store:
        for name, data in datasets().items():
            found = losses(data, store)
            by_data[name] = {f"{m}, {epoch} epoch": regrets(found, m, epoch) for m in MODELS for epoch in EPOCHS}
            lowest = logistic_regression(data)
            against[name] = {str(lr): found["linear", "soft", "best", lr] - lowest for lr in RATES}
            print(name, by_data[name], flush=True)
    rows = {row: {lr: fmean(some[row][lr] for some in by_data.values()) for lr in map(str, RATES)} for row in next(iter(by_data.values()))}  # fmt: skip
    return {
        "what": f"regret in soft NLL by learning rate, mean of {' and '.join(METHODS)}, {len(SEEDS)} seeds",
        "mean regret": rows,
        "regret": by_data,
        "soft labels in the linear model, best epoch, minus LogisticRegression of scikit-learn": against,
    }
