"""The introduction of the page of this paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.papers.companion.claims import relative_change
from votewise.papers.companion.known_datasets import remark
from votewise.papers.companion.published import published

if TYPE_CHECKING:
    from votewise.studies import Results

NOT_SEEN = (
    "Only the abstract, a summary and the figure captions of the paper were available; its four tables, its models and its training settings are"
    " unknown."
)


def lead(results: Results) -> str:
    """A description of the page, and the two numbers of the abstract compared with the results."""
    runs = results.table["run"].n_unique()
    text = f"Training on the distribution of the votes, compared with training on their majority: {runs:,} finished runs on {', '.join(results.datasets)}."
    reduction, gain = (relative_change(results, quantity) for quantity in ("kl", "entropy_correlation"))
    if reduction and gain:
        claimed = [published().number(key)["relative"] for key in ("k-kl", "k-entropy-correlation")]
        text += (
            f"{' On average over datasets, soft' if len(results.datasets) > 1 else ' Soft'} labels have a KL from the annotators that is"
            f" {_changed(_average(reduction))} than with the majority (published {_percent(claimed[0])} lower) and an entropy correlation that"
            f" is {_changed(_average(gain))} (published {_percent(claimed[1])} higher)."
        )
    return text


def cautions(results: Results) -> list[str]:
    """Warnings that are shown before the numbers."""
    found = [NOT_SEEN]
    if "digits" in results.datasets:
        found.append("The digits dataset is a demonstration, not evidence: small images with simulated votes.")
    return [*found, *dict.fromkeys(filter(None, map(remark, results.datasets)))]


def _average(by_dataset: dict[str, float]) -> float:
    return sum(by_dataset.values()) / len(by_dataset)


def _changed(share: float) -> str:
    return f"{_percent(abs(share))} {'lower' if share < 0 else 'higher'}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
