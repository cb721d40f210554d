"""Independent implementations of every score: by another library if there is one, otherwise item by item in plain Python."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext

import numpy as np
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy, spearmanr, wasserstein_distance
from sklearn.metrics import accuracy_score

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # the plotting libraries of relplot warn on import; they are not used here
    from relplot.metrics import smECE

from votewise.votes import Scale, Votes

Rows = Sequence[Sequence[float]]


@st.composite
def examples(draw: st.DrawFn) -> tuple[list[list[int]], list[list[float]], list[int]]:
    """Counts, predictions and true classes of a few items. Zeros, ones and ties are common in votes and predictions."""
    classes = draw(st.sampled_from([2, 3, 4, 7]))
    items = draw(st.integers(1, 25))
    few = st.lists(st.integers(0, 4), min_size=classes, max_size=classes).filter(any)
    odd = st.lists(st.floats(0.001, 1.0), min_size=classes, max_size=classes)
    counts = draw(st.lists(few, min_size=items, max_size=items))
    weights = draw(st.lists(st.one_of(few, odd, odd), min_size=items, max_size=items))
    truth = draw(st.lists(st.integers(0, classes - 1), min_size=items, max_size=items))
    return counts, [[w / math.fsum(row) for w in row] for row in weights], truth


def votes_of(counts: list[list[int]]) -> Votes:
    """Votes over ordered classes with uneven positions."""
    names = [str(k * k) for k in range(len(counts[0]))]
    return Votes.from_counts(counts, names, scale=Scale.ordinal(names))


def shares(counts: Rows) -> list[list[float]]:
    return [[n / math.fsum(row) for n in row] for row in counts]


def mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def first_largest(row: Sequence[float]) -> int:
    return list(row).index(max(row))


def cross_entropy(p: Sequence[float], q: Sequence[float]) -> float:
    return -math.fsum(a * (math.log(b) if b else -math.inf) for a, b in zip(p, q, strict=True) if a)


def js_divergence(p: Sequence[float], q: Sequence[float]) -> float:
    """Computed by scipy. For nearly equal rows, for which scipy returns only the rounding error, computed with 50 decimal places."""
    with np.errstate(invalid="ignore"):
        distance = float(jensenshannon(p, q))
    if distance > 1e-5:
        return distance**2
    with localcontext(prec=50):
        exact = [[Decimal(x) / sum(map(Decimal, row)) for x in row] for row in (p, q)]
        found = sum(x * (2 * x / (a + b)).ln() for a, b in zip(*exact, strict=True) for x in (a, b) if x)
        return max(float(found / 2), 0.0)


def ece(confidence: Sequence[float], outcome: Sequence[float], bins: Sequence[Sequence[int]]) -> float:
    total = 0.0
    for members in bins:
        if len(members):
            gap = mean([confidence[i] for i in members]) - mean([outcome[i] for i in members])
            total += len(members) / len(confidence) * abs(gap)
    return total


def mass_bins(confidence: Sequence[float], bins: int = 15) -> list[list[int]]:
    order = sorted(range(len(confidence)), key=lambda i: confidence[i])
    return [part.tolist() for part in np.array_split(np.array(order), bins)]


def shared(confidence: Sequence[float], outcome: Sequence[float]) -> list[float]:
    """Outcomes in which each item has the mean outcome of all items with the same confidence, which cannot be distinguished."""
    return [mean([o for other, o in zip(confidence, outcome, strict=True) if other == c]) for c in confidence]


def width_bins(confidence: Sequence[float], bins: int = 15) -> list[list[int]]:
    """The bin (a, b] of each item, with 0 in the first bin. Borders are exact fractions, so that 0.2 lies on 3/15."""
    return [
        [i for i, c in enumerate(confidence) if (k == 0 or c > k / bins) and (c <= (k + 1) / bins or k == bins - 1)]
        for k in range(bins)
    ]


def brier(confidence: Sequence[float], hit: Sequence[float]) -> dict[str, float]:
    """Stephenson, Coelho and Jolliffe's equations 8 to 13, bin by bin."""
    top_label = mean([(c - h) ** 2 for c, h in zip(confidence, hit, strict=True)])
    hit = shared(confidence, hit)
    n, rate = len(hit), mean(hit)
    reliability = resolution = variance = covariance = 0.0
    for members in mass_bins(confidence):
        if members:
            f, o = mean([confidence[i] for i in members]), mean([hit[i] for i in members])
            reliability += len(members) * (f - o) ** 2 / n
            resolution += len(members) * (o - rate) ** 2 / n
            variance += math.fsum((confidence[i] - f) ** 2 for i in members) / n
            covariance += 2 * math.fsum((confidence[i] - f) * (hit[i] - o) for i in members) / n
    return {
        "brier_reliability": reliability,
        "brier_resolution": resolution,
        "brier_uncertainty": rate * (1 - rate),
        "brier_within_bins": variance - covariance,
        "brier_top_label": top_label,
    }


def macro_f1(p: Rows, q: Rows) -> float:
    found = []
    for a, b in zip(zip(*p, strict=True), zip(*q, strict=True), strict=True):
        if sum(a) + sum(b) > 0:
            found.append(2 * math.fsum(map(min, a, b)) / (math.fsum(a) + math.fsum(b)))
    return mean(found)


def same_order(p: Sequence[float], q: Sequence[float]) -> bool:
    return sorted(range(len(p)), key=lambda k: p[k]) == sorted(range(len(q)), key=lambda k: q[k])


def spearman(x: Sequence[float], y: Sequence[float]) -> float | None:
    x, y = np.round(x, 10), np.round(y, 10)  # the same votes in another order of classes have the same entropy
    return None if len(set(x)) < 2 or len(set(y)) < 2 else float(spearmanr(x, y).statistic)


def all_scores(
    counts: Rows, q: Rows, truth: Sequence[int], position: Sequence[float]
) -> dict[str, Callable[[], float | None]]:
    """Name -> a function that returns the score, or None if it is undefined."""
    p = shares(counts)
    pairs = list(zip(p, q, strict=True))
    confidence = [max(row) for row in q]
    predicted = [first_largest(row) for row in q]
    majority = [first_largest(row) for row in counts]
    outcomes = {
        "": [float(a == b) for a, b in zip(predicted, majority, strict=True)],
        "_votes": [row[k] for row, k in zip(p, predicted, strict=True)],
        "_truth": [float(a == b) for a, b in zip(predicted, truth, strict=True)],
    }
    manhattan = [math.fsum(abs(a - b) for a, b in zip(x, y, strict=True)) for x, y in pairs]
    human, model = [float(entropy(x)) for x in p], [float(entropy(y)) for y in q]
    found: dict[str, Callable[[], float | None]] = {
        "soft_nll": lambda: mean([cross_entropy(x, y) for x, y in pairs]),
        "kl": lambda: float(np.mean(entropy(p, q, axis=1))),
        "soft_brier": lambda: mean([math.fsum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for x, y in pairs]),
        "accuracy": lambda: accuracy_score(majority, predicted),
        "accuracy_truth": lambda: accuracy_score(truth, predicted),
        "entropy_correlation": lambda: spearman(model, human),
        "js_divergence": lambda: mean([js_divergence(x, y) for x, y in pairs]),
        "js_distance": lambda: mean([math.sqrt(js_divergence(x, y)) for x, y in pairs]),
        "total_variation": lambda: mean(manhattan) / 2,
        "dist_ce": lambda: mean([d / 2 for d in manhattan]),
        "manhattan": lambda: mean(manhattan),
        "ent_ce": lambda: mean([abs(a - b) for a, b in zip(model, human, strict=True)]),
        "rank_cs": lambda: mean([same_order(x, y) for x, y in pairs]),
        "wasserstein": lambda: mean([wasserstein_distance(position, position, x, y) for x, y in pairs]),
        "soft_accuracy": lambda: mean([math.fsum(map(min, x, y)) for x, y in pairs]),
        "po_jsd": lambda: 1 - mean([js_divergence(x, y) / math.log(2) for x, y in pairs]),
        "soft_f1_micro": lambda: (
            2 * sum(sum(map(min, x, y)) for x, y in pairs) / sum(sum(x) + sum(y) for x, y in pairs)
        ),
        "soft_f1_macro": lambda: macro_f1(p, q),
    }
    for suffix, outcome in outcomes.items():
        found[f"ece_equal_mass{suffix}"] = lambda o=outcome: ece(
            confidence, shared(confidence, o), mass_bins(confidence)
        )
        found[f"ece_equal_width{suffix}"] = lambda o=outcome: ece(confidence, o, width_bins(confidence))
        found[f"smooth_ece{suffix}"] = lambda o=outcome: float(smECE(np.array(confidence), np.array(o)))
    parts = brier(confidence, outcomes[""])
    return found | {name: lambda v=value: v for name, value in parts.items()}
