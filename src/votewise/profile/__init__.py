"""`describe(votes)`: annotator disagreement, the effect of few votes, the recommended delivery, and which votes to collect next.

Use `confusion`, `annotator_table`, `next_items` and `budget` to manage annotation.
"""

from votewise.profile.advice import Advice, advise
from votewise.profile.annotators import annotator_table
from votewise.profile.confused import confusion
from votewise.profile.html import page_parts
from votewise.profile.interpolation import FITS, TO_SHARES, meaning, relative_excess
from votewise.profile.next_votes import next_items
from votewise.profile.profile import Profile, describe
from votewise.profile.provenance import provenance
from votewise.profile.spending import Budget, budget

__all__ = [
    "FITS", "TO_SHARES", "Advice", "Budget", "Profile", "advise", "annotator_table", "budget", "confusion", "describe",
    "meaning", "next_items", "page_parts", "provenance", "relative_excess",
]  # fmt: skip
