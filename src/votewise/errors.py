"""The exceptions. They share one base class, which states what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

_LONGEST = 600  # characters of one of the three parts of a message, for example of a path

__all__ = ["RunFailedError", "RunLockedError", "StaleLabelsError", "UndefinedError", "VotewiseError", "locating"]


class VotewiseError(ValueError):
    """Bad input, in one sentence.

    Args:
        what: What is wrong, with the offending argument and value.
        where: The file, row or column it was found in.
        remedy: What to do about it.

    Example:
        >>> print(VotewiseError("column 'label' is missing", where="votes.csv", remedy="name it with --label"))
        votes.csv: column 'label' is missing; name it with --label
    """

    exit_code: ClassVar[int] = 2  # of the command line

    def __init__(self, what: str, *, where: object = None, remedy: str | None = None) -> None:
        self.what = what
        self.where = None if where is None else str(where)
        self.remedy = remedy
        super().__init__(what)

    def __str__(self) -> str:
        what, where, remedy = (_shortened(part or "") for part in (self.what, self.where, self.remedy))
        return (f"{where}: " if where else "") + what + (f"; {remedy}" if remedy else "")


def _shortened(part: str) -> str:
    return part if len(part) <= _LONGEST else f"{part[: _LONGEST // 2]}...{part[-_LONGEST // 2 :]}"


class UndefinedError(VotewiseError):
    """A number is not defined on this data; `what` is the reason.

    Example:
        >>> from votewise import Votes, score
        >>> score([[0.5, 0.5]], Votes.from_counts([[1, 2]]))["wasserstein"]
        Traceback (most recent call last):
        votewise.errors.UndefinedError: wasserstein is not defined on this data: the classes have no order; read the votes with ordinal=True (--ordinal)
    """


class StaleLabelsError(VotewiseError):
    """A framework passed a batch of one epoch, but the labels of another epoch would be used."""


class RunLockedError(VotewiseError):
    """Another process is training this run."""


class RunFailedError(VotewiseError):
    """A run failed although its input was valid, for example because the loss diverged."""

    exit_code = 3


@contextmanager
def locating(where: object) -> Iterator[None]:
    """Add a location to errors raised in the block that have none.

    >>> with locating("votes.csv"):
    ...     raise VotewiseError("column 'label' is missing")
    Traceback (most recent call last):
    votewise.errors.VotewiseError: votes.csv: column 'label' is missing
    """
    try:
        yield
    except VotewiseError as error:
        if error.where is None:
            error.where = str(where)
        raise
