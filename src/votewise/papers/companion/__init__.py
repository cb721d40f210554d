"""Soft-Label Training Preserves Epistemic Uncertainty (Singh, Tiwari, Hasanbeig and Gupta).

PAPER       the paper as votewise reproduces it: soft labels against majority vote on several datasets
COMPANION   its claims
published   its known numbers
"""

from votewise.papers.companion.claims import COMPANION
from votewise.papers.companion.figures import figures
from votewise.papers.companion.opening import cautions, lead
from votewise.papers.companion.published import published
from votewise.papers.companion.tables import tables
from votewise.papers.paper import Paper

__all__ = ["COMPANION", "PAPER", "published"]

REAL = ("companion-chaosnli-snli", "companion-popquorn-offensiveness", "companion-cifar10h")

PAPER = Paper(
    name="companion",
    package=__name__,
    title="Soft-Label Training Preserves Epistemic Uncertainty",
    citation="Singh, Tiwari, Hasanbeig and Gupta",
    stages=(
        ("companion-digits",),
        ("companion-chaosnli-snli", "companion-popquorn-offensiveness"),
        ("companion-cifar10h",),
    ),
    presets={"companion-digits": ("demo",), **dict.fromkeys(REAL, ("cpu", "paper"))},
    claims=COMPANION,
    tables=tables,
    figures=figures,
    lead=lead,
    cautions=cautions,
)
