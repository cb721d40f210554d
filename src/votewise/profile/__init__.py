"""`describe(votes)`: how much people disagree, what so few votes can say, and which delivery fits."""

from votewise.profile.advice import Advice, advise
from votewise.profile.profile import Profile, describe

__all__ = ["Advice", "Profile", "advise", "describe"]
