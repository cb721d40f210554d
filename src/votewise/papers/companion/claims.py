"""The claims of the companion paper: soft labels against majority vote, on every dataset with both."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from votewise.comparison.statistics import FEWEST
from votewise.papers.claims import Claims, Values, Verdict, View, all_of, each, equivalent, higher, lower, shared, shown
from votewise.papers.claims.claim import Decide
from votewise.papers.claims.resampling import middle, resamples
from votewise.papers.claims.values import F64
from votewise.papers.claims.verdict import Ruling, no_ruling, ruled, too_few
from votewise.papers.companion.published import number, published
from votewise.studies import Needs, NeedsError, Results

METHODS = ("soft", "majority")


COMPANION = Claims("companion", across_datasets=True)
claim = COMPANION.section("The companion paper")


def datasets(r: View) -> list[tuple[str, View]]:
    """The datasets with runs of soft labels and majority vote.

    Raises:
        NeedsError: if there are none.
    """
    both = [(name, here) for name, here in r.datasets() if all(here.results.seeds(method) for method in METHODS)]
    if not both:
        raise NeedsError(Needs(METHODS))
    return both


def on_every(decide: Decide) -> Decide:
    """A verdict on each dataset: reproduced if reproduced on all, contradicted if contradicted on one, after Holm's correction."""
    return lambda r: all_of({name: decide(here) for name, here in datasets(r)})


def difference(r: View, quantity: str) -> Values:
    """Soft labels minus majority vote."""
    return r.difference("soft", "majority", quantity)


def relative_change(results: Results, quantity: str) -> dict[str, float]:
    """The mean of soft labels divided by that of majority vote, minus one, on each dataset with both."""
    found = {}
    for dataset, here in results.by_dataset.items():
        means = [np.mean(list(values.values())) for method in METHODS if (values := here.values(method, quantity))]
        if len(means) == 2 and means[1] > 0:
            found[dataset] = float(means[0] / means[1] - 1)
    return found


def _relative(quantity: str, published_as: str, statistic: Callable[[F64], F64]) -> Decide:
    """A relative difference of two means, averaged over datasets, with an interval by resampling seeds within datasets.

    Reproduced if the interval contains the published number and is above zero, contradicted if it is not above zero at any point. At least two datasets
    are needed.
    """

    def decide(r: View) -> Verdict:
        values, drawn, counts = dict[str, float](), list[F64](), list[int]()
        for place, (name, here) in enumerate(datasets(r)):
            table = np.stack([arm.numbers for arm in shared(here.values(method, quantity) for method in METHODS)])
            counts.append(table.shape[-1])
            if table.shape[-1] > 1 and table[1].mean() > 0:
                values[name], some = resamples(lambda arms: statistic(arms.mean(axis=-1)), table, place)
                drawn.append(some)
        if not values:
            return Verdict(outcome="undecided", reason="undefined because the mean of majority vote is not above zero")
        claimed, fewest = published().number(published_as)["relative"], min(counts)
        average = float(np.mean(list(values.values())))
        low, high = middle(np.mean(drawn, axis=0), average, fewest)
        ruling, named = no_ruling(), ", ".join(values)
        reason = f"{average:.3g} on average over {named}; 95 % interval by resampling seeds {low:.3g} to {high:.3g}; published {claimed:.2g}"
        if len(values) < 2:
            reason += "; a verdict needs at least two datasets"
        elif fewest < FEWEST:
            reason += f"; {too_few(fewest)}"
        else:
            ruling = Ruling(np.asarray(0 < low <= claimed <= high), np.asarray(1.0 if high > 0 else 0.0))
        found = Verdict(outcome="undecided", reason=reason, n=fewest, mean=average, low=low, high=high, numbers=values)
        return ruled(found, ruling)

    return decide


def _quantiles(*quantiles: str) -> Decide:
    keys = {name.replace("_", " "): f"vote_entropy_{name}" for name in quantiles}
    return on_every(lambda here: shown({name: here.values("soft", key) for name, key in keys.items()}))


def _rise(r: View, method: str) -> Values:
    return r.at("last").values(method, "soft_nll") / r.at("best").values(method, "soft_nll")


claim("K1", "Soft-label training has lower KL from the human annotations than hard-label training.",
    on_every(lambda here: lower(difference(here, "kl"))),
    where="abstract, summary", published="lower on the three datasets",
    how="Direction: the KL of soft labels is lower than that of majority vote on every available dataset. The paper claims it for three datasets.")  # fmt: skip

claim("K2", "The reduction of KL is 32 %.",
    _relative("kl", "k-kl", lambda means: 1 - means[0] / means[1]),
    where="abstract", published=(number("k-kl"), "0.381 from the first paper's tables on CIFAR-10H"),
    how="The reduction is 1 − KL(soft) / KL(majority) of the means over seeds, averaged over at least two datasets, with an interval by resampling seeds within datasets. Reproduced if the interval contains 0.32 and is above zero, contradicted if it is entirely at or below zero.")  # fmt: skip

claim("K3", "The correlation between the entropies of model and annotations is stronger.",
    on_every(lambda here: higher(difference(here, "entropy_correlation"))),
    asides={"Pearson": on_every(lambda here: higher(difference(here, "entropy_pearson")))},
    where="abstract, summary", published="stronger on the three datasets",
    how="Direction: the entropy correlation of soft labels is higher than that of majority vote on every available dataset. The Pearson correlation is also shown, because the paper does not name the kind of correlation.")  # fmt: skip

claim("K4", "The gain in entropy correlation is 61 % on average.",
    _relative("entropy_correlation", "k-entropy-correlation", lambda means: means[0] / means[1] - 1),
    where="abstract, summary", published=(number("k-entropy-correlation"), "0.347 from the first paper's tables on CIFAR-10H"),
    how="The gain is correlation(soft) / correlation(majority) − 1 of the means over seeds, averaged over at least two datasets, with an interval by resampling seeds within datasets. Reproduced if the interval contains 0.61 and is above zero, contradicted if it is entirely at or below zero. A dataset on which the correlation of majority vote is not above zero is left out.")  # fmt: skip

claim("K5", "Accuracy is as good as with hard labels.",
    on_every(lambda here: equivalent(difference(here, "accuracy"), 0.01, contradicts="lower")),
    where="abstract", published="no number", how="Equivalence of the accuracy of soft labels and majority vote, with a margin of 0.01. Contradicted if that of soft labels is lower by more than 0.01.")  # fmt: skip

claim("K6", "Annotator entropy differs between items: some are near consensus, others are not.",
    _quantiles("first_decile", "last_decile"),
    where="Fig. 1", published="a figure", how="The first and last decile of annotator entropy, relative to its maximum, are shown without a verdict.")  # fmt: skip

claim("K7", "Two models can predict the same winner with very different KL.",
    on_every(lambda here: higher(here.values("majority", "kl_gain_agreed"))),
    where="Fig. 2", published=(number("k-figure2-soft"), number("k-figure2-hard")),
    how="Direction: over the items for which both models predict the majority, the median of KL(majority model) − KL(soft model) is above zero.")  # fmt: skip

claim("K8", "Distributions of annotator entropy differ between datasets.",
    _quantiles("first_decile", "median", "last_decile"),
    where="Fig. 3", published="a figure", how="Quantiles of annotator entropy, relative to its maximum, are shown without a verdict.")  # fmt: skip

claim("K9", "Soft-label models keep a stable or improving validation loss for longer; hard-label models plateau or become worse earlier.",
    on_every(lambda here: all_of({"later": higher(difference(here, "own_best_epoch")), "rises less": lower(difference(here, "own_rise"))})),
    asides={"later, on soft NLL": on_every(lambda here: higher(difference(here.at("best"), "epoch"))), "rises less, on soft NLL": on_every(lambda here: lower(_rise(here, "soft") - _rise(here, "majority")))},
    where="Fig. 4", published="a figure",
    how="Each model is judged by its own validation loss. For soft labels, the minimum is later, and the rise from there to the end is smaller (direction for each). The comparison on soft NLL for both models is shown without a verdict.")  # fmt: skip

claim("K10", "On high-entropy items, soft-label predictions follow the spread of the votes, and hard-label predictions collapse to one peak.",
    on_every(lambda here: all_of({"entropy": lower(difference(here, "entropy_gap_high")), "peak": lower(difference(here, "peak_gap_high"))})),
    where="Fig. 5", published="a figure",
    how="On the high slice, two quantities are lower for soft labels than for majority vote (direction for each): the mean distance between the entropy of the predictions and of the votes, and the highest probability minus the highest vote share.")  # fmt: skip

claim("K11", "The benefit holds for ambiguous data with enough annotations.",
    on_every(lambda here: lower(difference(here, "kl_high_third") - difference(here, "kl_low_third"))),
    asides={"thirds": on_every(lambda here: each(lower, {"lowest third": difference(here, "kl_low_third"), "highest third": difference(here, "kl_high_third")}))},
    where="summary", published="no number",
    how="Direction: the reduction of KL is larger in the third of the items with the highest annotator entropy than in the third with the lowest. Each third is shown without a verdict.")  # fmt: skip
