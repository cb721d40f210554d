"""One table per dataset: soft labels and majority vote, on the measures that the paper names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.comparison import Definition, Line, Test, head, make_table, name
from votewise.papers.companion.known_datasets import remark
from votewise.studies import Needs

if TYPE_CHECKING:
    from votewise.comparison import Table
    from votewise.studies import Results

METHODS = ("soft", "majority")
MEASURES = ("kl", "entropy_correlation", "entropy_pearson", "accuracy", "soft_nll", "smooth_ece_votes")
NOT_SEEN = "The four tables of the paper were not available, so there are no published numbers to compare with."


def tables(results: Results) -> list[Table]:
    """One table per dataset."""
    return [
        make_table(_definition(place, dataset), here)
        for place, (dataset, here) in enumerate(results.by_dataset.items(), 1)
    ]


def _definition(place: int, dataset: str) -> Definition:
    return Definition(
        key=place,
        title=f"Soft labels and majority vote on {dataset}",
        head="Method",
        rows=[Line(method, name(method), {"method": method}) for method in METHODS],
        columns=[Line(key, head(key), {"quantity": key, "show": "mean_sd_p"}) for key in MEASURES],
        caption="KL and soft NLL in nats, entropy correlation (Spearman and Pearson), and accuracy against the majority, on held-out items.",
        reading="A lower KL is closer to the annotators. A higher entropy correlation means that the model is uncertain where annotators disagree.",
        needs=(Needs(METHODS),),
        test=Test(
            against="majority",
            improves=False,
            words="p: exact Wilcoxon test over paired seeds against majority vote, two-sided, without correction.",
        ),
        note=f"{NOT_SEEN} {remark(dataset)}".strip(),
    )
