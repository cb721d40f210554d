"""A score that this data cannot give: no number stands in for it, the reason does."""

from __future__ import annotations

from votewise.errors import VotewiseError


class UndefinedError(VotewiseError):
    """Raised by a score that has no value here; the scorecard lists it as absent, with `what` as the reason."""
