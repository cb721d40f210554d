"""A claim of a paper: what it says, where, and the function that decides it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from votewise.errors import VotewiseError
from votewise.papers.claims.verdict import Verdict
from votewise.papers.claims.view import View
from votewise.wording import listing

if TYPE_CHECKING:
    from votewise.studies import Needs, Results

Kind = Literal["claim", "guard", "procedure", "arithmetic", "limitation"]
Decide = Callable[[View], Verdict]
Quote = Callable[[], str] | str  # published numbers in words


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """A sentence that an experiment or a calculation can check. Calling it decides it.

    Attributes:
        id: for example "S1".
        statement: what is claimed, in this project's words.
        decide: the function that decides it on results.
        section: the title of the section of the list that it belongs to.
        where: the place in the paper.
        how: the rule in words.
        published: the published numbers, in words.
        kind: claim: a paper says so; procedure: what a method must do, proven by tests; arithmetic: mathematics and calculations on the
            published numbers; guard: nobody claims it, it protects a claim from a wrong reading; limitation: the paper leaves it open.
        beside: ids of guards and arithmetic to read with it.
        note: a remark.
        composed_of: ids of the claims that it repeats: it is not counted a second time.
        asides: numbers that are shown beside the verdict and do not turn it, by name.
    """

    id: str
    statement: str
    decide: Decide
    section: str
    where: str = ""
    how: str = ""
    published: Quote | tuple[Quote, ...] = ()
    kind: Kind = "claim"
    beside: tuple[str, ...] = ()
    note: str = ""
    composed_of: tuple[str, ...] = ()
    asides: dict[str, Decide] = field(default_factory=dict)

    def __call__(self, r: View) -> Verdict:
        return self.decide(r)

    @property
    def counts(self) -> bool:
        """Whether it is counted among the claims: it is one, and not composed of others."""
        return self.kind == "claim" and not self.composed_of

    @property
    def in_print(self) -> str:
        """The published numbers, in words."""
        quotes = self.published if isinstance(self.published, tuple) else (self.published,)
        return "; ".join(quote if isinstance(quote, str) else quote() for quote in quotes)


class Declare(Protocol):
    """Adds a claim to a section of a paper: id, statement, the function that decides it, and what else `Claim` has."""

    def __call__(self, id: str, statement: str, decide: Decide, **about: Any) -> Claim: ...


class Claims(Sequence[Claim]):
    """The claims of a paper, in their order.

    Attributes:
        paper: its name.
        printed: the published mean and SD of a method's quantity, by method, K and quantity; None if the paper does not print it.
        comparable: whether sizes may be compared with the published ones.
        across_datasets: whether its claims are on all datasets of some results; default: on one.
        sweep: the runs with fewer votes that its claims need.

    Example:
        >>> from votewise.papers.claims import lower
        >>> claims = Claims("made up")
        >>> claim = claims.section("Geometry")
        >>> g1 = claim("G1", "SLS is flatter than soft labels.", lambda r: lower(r.difference("sls", "soft", "trace_full")))
        >>> claims["G1"].section
        'Geometry'
    """

    def __init__(
        self,
        paper: str,
        printed: Callable[[str, int | None, str], tuple[float, float | None] | None] = lambda *_: None,
        comparable: Callable[[Results], bool] = lambda _: False,
        across_datasets: bool = False,
        sweep: Needs | None = None,
    ) -> None:
        self.paper, self.printed, self.comparable, self.across_datasets = paper, printed, comparable, across_datasets
        self.sweep = sweep
        self._claims: dict[str, Claim] = {}

    def section(self, title: str) -> Declare:
        """The function that adds claims to a section."""

        def claim(id: str, statement: str, decide: Decide, **about: Any) -> Claim:
            if id in self._claims:
                raise VotewiseError(f"the claim {id!r} is declared twice")
            self._claims[id] = Claim(id=id, statement=statement, decide=decide, section=title, **about)
            return self._claims[id]

        return claim

    @property
    def sections(self) -> tuple[str, ...]:
        """The titles of the sections, in their order."""
        return tuple(dict.fromkeys(claim.section for claim in self))

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._claims.values())

    def __len__(self) -> int:
        return len(self._claims)

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return list(self._claims.values())[key]
        if key not in self._claims:
            raise VotewiseError(f"unknown claim {key!r}", remedy=f"choose one of {listing(self._claims, 200)}")
        return self._claims[key]
