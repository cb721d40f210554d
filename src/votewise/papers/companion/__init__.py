"""Soft-Label Training Preserves Epistemic Uncertainty (Singh, Tiwari, Hasanbeig and Gupta).

PAPER       the paper as votewise reproduces it: its claims, on any results that hold soft labels and majority vote
COMPANION   its claims
published   the numbers of it that were seen
"""

from votewise.papers.companion.claims import COMPANION
from votewise.papers.companion.published import published
from votewise.papers.paper import Paper

__all__ = ["COMPANION", "PAPER", "published"]

PAPER = Paper(
    name="companion",
    package=__name__,
    title="Soft-Label Training Preserves Epistemic Uncertainty",
    citation="Singh, Tiwari, Hasanbeig and Gupta",
    stages=(),
    claims=COMPANION,
    tables=lambda _: (),
    figures=lambda _: (),
    lead=lambda _: "The claims of the paper, decided on the runs of this store.",
)
