"""A claim of a paper: its statement, its location, and the function that decides it."""

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
Quote = Callable[[], str] | str  # published numbers as text


@dataclass(frozen=True, kw_only=True, eq=False)
class Claim:
    """A statement that an experiment or a calculation can check. Calling it decides it.

    Attributes:
        id: for example "S1".
        statement: the claim, paraphrased.
        decide: the function that decides it on results.
        section: the title of its section.
        where: the location in the paper.
        how: the rule as text.
        published: the published numbers as text.
        kind: claim: stated by the paper; procedure: what a method must do, proven by tests; arithmetic: mathematics and calculations on the
            published numbers; guard: a check by this project that a claim is not misinterpreted; limitation: left open by the paper.
        beside: ids of related guards and arithmetic.
        note: a remark.
        composed_of: ids of the claims that it combines; it is not counted again.
        asides: numbers by name that are shown with the verdict and do not affect it.
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
        """Whether it counts as a claim: it is of kind "claim" and is not composed of others."""
        return self.kind == "claim" and not self.composed_of

    @property
    def in_print(self) -> str:
        """The published numbers as text."""
        quotes = self.published if isinstance(self.published, tuple) else (self.published,)
        return "; ".join(quote if isinstance(quote, str) else quote() for quote in quotes)


class Declare(Protocol):
    """Adds a claim to a section of a paper: id, statement, the function that decides it, and other fields of `Claim`."""

    def __call__(self, id: str, statement: str, decide: Decide, **about: Any) -> Claim: ...


class Claims(Sequence[Claim]):
    """The claims of a paper, in their order.

    Attributes:
        paper: its name.
        printed: the published mean and SD of a method's quantity, by method, K and quantity; None if the paper does not print it.
        comparable: whether sizes are comparable with the published ones.
        across_datasets: whether its claims are about all datasets of the results; default: about one dataset.
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
