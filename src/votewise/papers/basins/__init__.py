"""Same Target, Different Basins: Hard vs. Soft Labels for Annotator Distributions (Gheibi and Ghazizadeh 2026).

PAPER       the paper as votewise reproduces it
BASINS      its claims
published   the numbers that it prints; printed, the mean and SD of a method's quantity among them
"""

from votewise.papers.basins.claims import BASINS
from votewise.papers.basins.page import cautions, figures, lead, tables
from votewise.papers.basins.published import HARD, printed, published
from votewise.papers.paper import Paper

__all__ = ["BASINS", "HARD", "PAPER", "printed", "published"]

PAPER = Paper(
    name="basins",
    package=__name__,
    title="Same Target, Different Basins: Hard vs. Soft Labels for Annotator Distributions",
    citation="Gheibi and Ghazizadeh 2026, arXiv 2605.20642",
    stages=(("main", "sparse"), ("ablation", "resampling", "twins")),
    claims=BASINS,
    tables=tables,
    figures=figures,
    lead=lead,
    cautions=cautions,
)
