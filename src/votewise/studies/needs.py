"""The runs and probes that a claim, a table or a figure still needs, as data."""

from __future__ import annotations

from dataclasses import dataclass

from votewise.errors import VotewiseError


@dataclass(frozen=True)
class Needs:
    """Missing runs of some methods, or a missing probe of these runs.

    Attributes:
        methods: the methods whose runs are needed.
        study: the study of the runs; None for any study.
        K: votes per item: a number, or None for all votes.
        probe: the probe that must be run on them; None if the runs themselves are missing.
    """

    methods: tuple[str, ...]
    study: str | None = None
    K: int | None = None
    probe: str | None = None

    def __str__(self) -> str:
        votes = "" if self.K is None else f" at K = {self.K}"
        runs = f"runs of {', '.join(self.methods)}{votes}" + (f" (study {self.study})" if self.study else "")
        return f"the probe {self.probe} on {runs}" if self.probe else runs


class NeedsError(VotewiseError):
    """Raised if runs or probes are missing for a computation; `needs` lists them."""

    def __init__(self, *needs: Needs) -> None:
        super().__init__(f"needs {'; '.join(map(str, needs))}")
        self.needs = needs

    def __reduce__(self) -> tuple[type[NeedsError], tuple[Needs, ...]]:
        return NeedsError, self.needs
