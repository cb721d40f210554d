"""Check for frames that contain the annotator of every vote."""

from __future__ import annotations

from votewise.errors import VotewiseError
from votewise.votes import Votes


def require_annotators(votes: Votes, package: str) -> None:
    """Raise if the annotator of a vote is unknown, for a package that needs annotators.

    Raises:
        VotewiseError: If the annotator of any vote is unknown.
    """
    if votes.annotator is None or (votes.annotator < 0).any():
        raise VotewiseError(
            f"{package} needs the annotator of every vote, but some are unknown",
            remedy="read the votes with annotator= (the column with the annotator)",
        )
