"""Same Target, Different Basins: Hard vs. Soft Labels for Annotator Distributions (Gheibi and Ghazizadeh 2026).

PAPER       the paper as votewise reproduces it
BASINS      its claims
published   its published numbers; `printed` gives the mean and SD of a method's quantity
"""

from votewise.papers.basins.claims import BASINS
from votewise.papers.basins.figures import FIGURES, figure
from votewise.papers.basins.figures.story import story
from votewise.papers.basins.published import HARD, printed, published
from votewise.papers.basins.tables import TABLES, table
from votewise.papers.paper import Paper
from votewise.studies import Results

__all__ = ["BASINS", "HARD", "PAPER", "printed", "published"]

DEMONSTRATION = (
    "The digits dataset is a demonstration, not evidence: the verdicts on this page apply to a small model on small images with simulated votes, not to"
    " CIFAR-10H."
)


def _lead(results: Results) -> str:
    return (
        f"Every table, figure and claim of the paper, reproduced from {results.table['run'].n_unique():,} finished runs on"
        f" {', '.join(results.datasets)}. Each claim is shown with the numbers that decide it."
    )


PAPER = Paper(
    name="basins",
    package=__name__,
    title="Same Target, Different Basins: Hard vs. Soft Labels for Annotator Distributions",
    citation="Gheibi and Ghazizadeh 2026, arXiv 2605.20642",
    stages=(("main", "sparse"), ("ablation", "resampling", "twins")),
    claims=BASINS,
    tables=lambda results: [table(number, results) for number in TABLES],
    figures=lambda results: [figure(key, results) for key in FIGURES],
    lead=_lead,
    story=story,
    cautions=lambda results: [DEMONSTRATION] if "digits" in results.datasets else [],
)
