"""The claims of the papers as rows of data: what each says, where, and which rule decides it on which numbers; and a claim decided."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from votewise.errors import VotewiseError
from votewise.evidence.claims.verdict import Outcome, Verdict
from votewise.evidence.runs import Arm
from votewise.frozen import FrozenMapping
from votewise.wording import listing

Kind = Literal["claim", "procedure", "guard", "arithmetic", "limitation"]
Rule = Literal[
    "DIR", "ALL", "EACH", "EQ", "NUM", "MONO", "COUNT", "NOT-WORSE", "SHOW", "MATH", "ARITH", "CLAIMS",
    "survivors", "nested", "unanimous", "first order", "order", "detectors above", "detectors highest", "reduction", "gain",
]  # fmt: skip
Votes = Literal["all", "each", "few", "lower", "upper", "end", "each and all"]


class Part(BaseModel):
    """A rule and what it is applied to; `claims.toml` says what the words mean."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rule: Rule
    name: str = ""
    study: Literal["main", "sparse", "ablation", "resampling", "basins"] = "main"
    arms: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    scores: tuple[str, ...] = ()
    minus_score: str = ""
    K: Votes = "all"
    minus_votes: Literal["", "all", "upper"] = ""
    claim: Literal["", "better", "worse", "higher", "lower", "increasing", "decreasing"] = ""
    average: bool = False
    scale: Literal["", "log", "epochs"] = ""
    margin: float | None = Field(default=None, gt=0)
    above: float | None = None
    below: float | None = None
    contradicted_below: float | None = None
    at_least: int = 0
    of: int = 0
    contradicts: Literal["both", "higher", "lower", "never"] = "both"
    interval: Literal["t", "resampling"] = "t"
    checkpoint: Literal["", "best", "last"] = ""
    shown: bool = False
    claims: tuple[str, ...] = ()


class Claim(BaseModel):
    """A sentence that an experiment or a calculation can check, in this project's words."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: Kind = "claim"
    paper: Literal["basins", "companion"] = "basins"
    section: int
    statement: str
    where: str = ""
    how: str = ""
    published: tuple[str, ...] = ()
    unprinted: str = ""
    beside: tuple[str, ...] = ()
    note: str = ""
    combine: Literal["all", "agree"] = "all"
    parts: tuple[Part, ...] = ()


@cache
def claims() -> tuple[Claim, ...]:
    """Every row, in its order.

    >>> len([row for row in claims() if row.kind == "claim"])
    88
    """
    return tuple(Claim(**row) for row in _rows()["claim"])


def claim(id: str) -> Claim:
    """The row with an id."""
    for row in claims():
        if row.id == id:
            return row
    raise VotewiseError(
        f"there is no claim {id!r}", remedy=f"choose one of {listing((row.id for row in claims()), 200)}"
    )


@cache
def sections() -> Mapping[int, str]:
    """The title of each section by its number."""
    return FrozenMapping({int(number): title for number, title in _rows()["sections"].items()})


@cache
def margins() -> Mapping[str, float]:
    """By score, the largest difference that does not matter."""
    return FrozenMapping(dict(_rows()["margins"]))


@cache
def _rows() -> dict[str, Any]:
    return tomllib.loads(files("votewise.evidence.claims").joinpath("claims.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Size:
    """The mean of a score over all seeds of an arm, as tables print it, and the published one beside it."""

    arm: Arm
    score: str
    n: int
    mean: float
    sd: float | None
    published: float | None


@dataclass(frozen=True)
class Decision:
    """A claim with its verdict.

    verdict     at the best checkpoint; last: the same at the last one, None where there is nothing to see there
    parts       the verdicts of its parts by name, where there are several; aside: what stands beside and does not turn it
    published   the published numbers, in words
    sizes       means over all seeds of each arm: as published, where the paper mixes numbers of seeds
    comparable  whether sizes may be compared with the published ones: the paper's data under the paper's recipe
    left_out    runs that are not there, with the reason
    """

    claim: Claim
    verdict: Verdict
    last: Verdict | None
    parts: Mapping[str, Verdict]
    aside: Mapping[str, Verdict]
    published: str
    sizes: tuple[Size, ...]
    comparable: bool
    left_out: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def outcome(self) -> Outcome:
        return self.verdict.outcome

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            **self.claim.model_dump(include={"id", "kind", "paper", "section", "statement", "where", "how", "note"}),
            "beside": list(self.claim.beside),
            "outcome": self.outcome,
            "verdict": asdict(self.verdict),
            "last": asdict(self.last) if self.last else None,
            "parts": {name: asdict(part) for name, part in self.parts.items()},
            "aside": {name: asdict(part) for name, part in self.aside.items()},
            "published": self.published,
            "sizes": [asdict(size) for size in self.sizes],
            "comparable": self.comparable,
            "left_out": list(self.left_out),
        }
