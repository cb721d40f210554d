"""The claims of the companion: soft labels against majority vote, on every dataset that has both."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from votewise.comparison.statistics import FEWEST
from votewise.papers.claims import (
    Claims,
    Values,
    Verdict,
    View,
    all_of,
    each,
    equivalent,
    higher,
    lower,
    shared,
    shown,
)
from votewise.papers.claims.resampling import drawn, percentiles
from votewise.papers.claims.values import F64
from votewise.papers.claims.verdict import Ruling, too_few
from votewise.papers.companion.published import number, published
from votewise.studies import Needs, NeedsError, Results

METHODS = ("soft", "majority")


COMPANION = Claims("companion", across_datasets=True)
claim = COMPANION.section("The companion")


def datasets(r: View) -> Iterator[tuple[str, View]]:
    """The datasets whose runs have soft labels and majority vote.

    Raises:
        NeedsError: if there is none.
    """
    both = [(name, here) for name, here in r.datasets() if all(here.results.seeds(method) for method in METHODS)]
    if not both:
        raise NeedsError(Needs(METHODS))
    yield from both


def on_every(r: View, decide: Callable[[View], Verdict]) -> Verdict:
    """A verdict on each dataset: reproduced if it is on all of them, contradicted if it is on one after Holm's correction."""
    return all_of({name: decide(here) for name, here in datasets(r)})


def difference(r: View, quantity: str) -> Values:
    """Soft labels minus majority vote."""
    return r.difference("soft", "majority", quantity)


@claim(
    "K1", "Soft-label training has lower KL from the human annotations than hard-label training.",
    where="abstract, summary", how="KL of soft labels minus majority vote below zero: direction, on every dataset at hand; the paper says so of three.",
    published="lower on the three datasets",
)  # fmt: skip
def k1(r: View) -> Verdict:
    return on_every(r, lambda here: lower(difference(here, "kl")))


def relative_change(results: Results, quantity: str) -> dict[str, float]:
    """The mean of soft labels divided by that of majority vote, minus one, on each dataset that has both."""
    found = {}
    for dataset in results.datasets:
        here = results.select(dataset=dataset)
        means = [np.mean(list(values.values())) for method in METHODS if (values := here.values(method, quantity))]
        if len(means) == 2 and means[1] > 0:
            found[dataset] = float(means[0] / means[1] - 1)
    return found


def _relative(r: View, quantity: str, statistic: Callable[[F64], F64], claimed: float) -> Verdict:
    """A relative difference of two means, averaged over datasets; its interval by resampling seeds within datasets.

    Reproduced if the interval contains the published number, contradicted if it has nothing above zero. One dataset decides nothing.
    """
    values, resamples, fewest = {}, [], 10**9
    for place, (name, here) in enumerate(datasets(r)):
        arms = shared(here.values(method, quantity) for method in METHODS)
        table = np.stack([arm.numbers for arm in arms])
        fewest = min(fewest, table.shape[-1])
        if table.shape[-1] < 2 or not table[1].mean() > 0:
            continue
        values[name] = float(statistic(table.mean(axis=1, keepdims=True))[0])
        resamples.append(statistic(table[:, drawn(table.shape[1], place)].mean(axis=2)))
    if not values:
        return Verdict(outcome="undecided", reason="not defined: the mean of majority vote is not above zero")
    average, (low, high) = float(np.mean(list(values.values()))), percentiles(np.mean(resamples, axis=0), 0.95)
    ruling = Ruling(np.asarray(False), np.asarray(1.0))
    reason = f"{average:.3g} on average over {', '.join(values)}, {low:.3g} to {high:.3g} by resampling seeds; published {claimed:.2g}"
    if len(values) < 2:
        reason += "; a verdict takes at least two datasets"
    elif fewest < FEWEST:
        reason += f"; {too_few(fewest)}"
    else:
        ruling = Ruling(np.asarray(low <= claimed <= high), np.asarray(1.0 if high > 0 else 0.0))
    return Verdict(
        outcome=ruling.outcome, reason=reason, n=fewest, mean=average, low=low, high=high, numbers=values, ruling=ruling
    )


@claim(
    "K2", "The reduction of KL is 32 %.",
    where="abstract",
    how="1 − KL(soft) / KL(majority) of the means over seeds on each dataset, averaged over at least two; interval by resampling seeds within datasets. Reproduced if it contains 0.32, contradicted if it has nothing above zero.",
    published=(number("k-kl"), "0.381 from the first paper's tables on CIFAR-10H"),
)  # fmt: skip
def k2(r: View) -> Verdict:
    return _relative(r, "kl", lambda means: 1 - means[0] / means[1], published().number("k-kl")["relative"])


@claim(
    "K3", "The correlation between the entropy of model and annotations is stronger.",
    where="abstract, summary",
    how="Entropy correlation of soft labels minus majority vote above zero: direction, on every dataset at hand; Pearson is shown, as the companion does not name the kind.",
    published="stronger on the three datasets",
)  # fmt: skip
def k3(r: View) -> Verdict:
    return on_every(r, lambda here: higher(difference(here, "entropy_correlation")))


@k3.aside("Pearson")
def _(r: View) -> Verdict:
    return on_every(r, lambda here: higher(difference(here, "entropy_pearson")))


@claim(
    "K4", "The gain in entropy correlation is 61 % on average.",
    where="abstract, summary",
    how="Correlation(soft) / correlation(majority) − 1 of the means over seeds on each dataset, averaged over at least two; interval by resampling seeds within datasets. Reproduced if it contains 0.61, contradicted if it has nothing above zero. A dataset on which the correlation of majority vote is not above zero is left out.",
    published=(number("k-entropy-correlation"), "0.347 from the first paper's tables on CIFAR-10H"),
)  # fmt: skip
def k4(r: View) -> Verdict:
    gain = published().number("k-entropy-correlation")["relative"]
    return _relative(r, "entropy_correlation", lambda means: means[0] / means[1] - 1, gain)


@claim(
    "K5", "Accuracy is as good as with hard labels.",
    where="abstract", how="Accuracy of soft labels minus majority vote inside 0.01: equivalence; contradicted if it is lower by more.", published="no number",
)  # fmt: skip
def k5(r: View) -> Verdict:
    return on_every(r, lambda here: equivalent(difference(here, "accuracy"), 0.01, contradicts="lower"))


@claim(
    "K6", "Annotator entropy differs between items: some near consensus, some far from it.",
    where="Fig. 1", how="First and last decile of annotator entropy, as a share of its largest value: shown.", published="a figure",
)  # fmt: skip
def k6(r: View) -> Verdict:
    return _quantiles(r, "first_decile", "last_decile")


def _quantiles(r: View, *quantiles: str) -> Verdict:
    return on_every(
        r,
        lambda here: shown({name.replace("_", " "): here.values("soft", f"vote_entropy_{name}") for name in quantiles}),
    )


@claim(
    "K7", "Two models can predict the same winner with very different KL.",
    where="Fig. 2", how="Items on which both models predict the majority: median of KL(majority model) minus KL(soft model) above zero: direction.",
    published=(number("k-figure2-soft"), number("k-figure2-hard")),
)  # fmt: skip
def k7(r: View) -> Verdict:
    return on_every(r, lambda here: higher(here.values("majority", "kl_gain_agreed")))


@claim(
    "K8", "Distributions of annotator entropy differ between datasets.",
    where="Fig. 3", how="Quantiles of annotator entropy, as a share of its largest value: shown, no verdict.", published="a figure",
)  # fmt: skip
def k8(r: View) -> Verdict:
    return _quantiles(r, "first_decile", "median", "last_decile")


@claim(
    "K9", "Soft-label models keep a stable or improving validation loss longer; hard-label models flatten or get worse earlier.",
    where="Fig. 4",
    how="Each model on its own loss: its lowest value comes later for soft labels, and it rises less from there to the end: direction each; the same on soft NLL for both is shown.",
    published="a figure",
)  # fmt: skip
def k9(r: View) -> Verdict:
    return on_every(
        r,
        lambda here: all_of(
            {"later": higher(_later(here, "own_best_epoch")), "rises less": lower(difference(here, "own_rise"))}
        ),
    )


def _later(r: View, key: str) -> Values:
    soft, majority = (r.values(method, key) / r.values(method, "epochs") for method in METHODS)
    return soft - majority


@k9.aside("later, on soft NLL")
def _(r: View) -> Verdict:
    return on_every(r, lambda here: higher(_later(here.at("best"), "epoch")))


@k9.aside("rises less, on soft NLL")
def _(r: View) -> Verdict:
    def rise(here: View, method: str) -> Values:
        return here.at("last").values(method, "soft_nll") / here.at("best").values(method, "soft_nll")

    return on_every(r, lambda here: lower(rise(here, "soft") - rise(here, "majority")))


@claim(
    "K10", "On high-entropy items soft-label predictions follow the spread of the votes, hard-label predictions collapse to one peak.",
    where="Fig. 5",
    how="High slice, soft labels minus majority vote below zero: mean distance between entropy of prediction and of votes; highest probability minus highest vote share. Direction each.",
    published="a figure",
)  # fmt: skip
def k10(r: View) -> Verdict:
    keys = {"entropy": "entropy_gap_high", "peak": "peak_gap_high"}
    return on_every(r, lambda here: all_of({name: lower(difference(here, key)) for name, key in keys.items()}))


@claim(
    "K11", "The benefit holds for ambiguous data with enough annotations.",
    where="summary",
    how="Reduction of KL in the third of items with the highest annotator entropy minus that in the lowest above zero: direction; each third is shown.",
    published="no number",
)  # fmt: skip
def k11(r: View) -> Verdict:
    return on_every(r, lambda here: lower(difference(here, "kl_high_third") - difference(here, "kl_low_third")))


@k11.aside("thirds")
def _(r: View) -> Verdict:
    keys = {"lowest third": "kl_low_third", "highest third": "kl_high_third"}
    return on_every(r, lambda here: each(lower, {name: difference(here, key) for name, key in keys.items()}))
