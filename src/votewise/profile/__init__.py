"""`describe(votes)`: how much annotators disagree, what few votes can show, and which delivery fits."""

from votewise.profile.advice import Advice, advise
from votewise.profile.interpolation import FITS, TO_SHARES, meaning, relative_excess
from votewise.profile.profile import Profile, describe

__all__ = ["FITS", "TO_SHARES", "Advice", "Profile", "advise", "describe", "meaning", "relative_excess"]
