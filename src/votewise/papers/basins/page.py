"""What the page of this paper shows besides its claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.papers.basins.figures import FIGURES, figure
from votewise.papers.basins.tables import TABLES, table

if TYPE_CHECKING:
    from votewise.comparison import Table
    from votewise.reporting import Figure
    from votewise.studies import Results


def tables(results: Results) -> list[Table]:
    """Tables 1 to 9."""
    return [table(number, results) for number in TABLES]


def figures(results: Results) -> list[Figure]:
    """Figures 1 to 12, and the spectrum."""
    return [figure(key, results) for key in FIGURES]


def lead(results: Results) -> str:
    """What the page is, in a sentence."""
    runs = results.table["run"].n_unique()
    return (
        f"Every table, figure and claim of the paper, reproduced from {runs:,} finished runs on {', '.join(results.datasets)},"
        " each claim with the numbers that decide it."
    )


def cautions(results: Results) -> list[str]:
    """What verdicts from the embedded digits are worth."""
    if "digits" not in results.datasets:
        return []
    return [
        "The digits dataset is a demonstration, not evidence: verdicts on this page are about a small model on small images with simulated"
        " votes, not about CIFAR-10H."
    ]
