"""Papers as users of the library: plans, published numbers, claims, tables and figures, with one folder per paper.

paper       a paper as a package, and how it is looked up
claims      the shared code for claims: a claim, its verdict, and the rules that decide it
sections    the sections of a page that show claims
basins      "Same Target, Different Basins" (Gheibi and Ghazizadeh 2026)
companion   "Soft-Label Training Preserves Epistemic Uncertainty" (Singh et al.)
"""

from votewise.papers.claims import Decision, by_outcome, counts, decide
from votewise.papers.paper import PAPERS, Paper, paper
from votewise.papers.sections import (
    arithmetic_section,
    claims_section,
    limitations_section,
    statements_section,
)

__all__ = [
    "PAPERS", "Decision", "Paper", "arithmetic_section", "by_outcome", "claims_section", "counts", "decide", "limitations_section",
    "paper", "statements_section",
]  # fmt: skip
