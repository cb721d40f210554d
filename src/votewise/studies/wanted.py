"""What a plan wants looked at: a probe, the runs it looks at, and what each of them is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from votewise.errors import VotewiseError
from votewise.probes import PROBES, Probe
from votewise.validation import checked
from votewise.wording import listing


class Wanted(BaseModel):
    """A probe of the runs of a plan.

    methods      the runs it looks at, by the names of their methods
    against      what each is compared with: the run of this method with the same seed and K; "seeds", every run of these methods with
                 another seed or method and the same K; or "twin", the run that differs in its training seed
    checkpoints  at which of them
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    methods: tuple[str, ...] = Field(min_length=1)
    against: str | None = None
    checkpoints: tuple[Literal["best", "last"], ...] = ("best",)


def make_probe(name: str, options: Mapping[str, object] | None = None, where: object = None) -> Probe:
    """The probe called `name`, with its options checked."""
    return checked(_kind(name, where), options or {}, where=where or f"probe {name!r}")


def check_wanted(
    wanted: Sequence[Wanted], options: Mapping[str, Mapping[str, Any]], methods: Sequence[str], twins: int
) -> None:
    """Refuse what cannot be looked at: probes that are not there, methods that the plan has not, one run where two are compared."""
    for number, each in enumerate(wanted, start=1):
        where = f"[[probes]] {number}"
        pair = _kind(each.name, where).pair
        others = () if each.against in ("seeds", "twin", None) else (each.against,)
        for name in (*each.methods, *others):
            if name not in methods:
                raise VotewiseError(
                    f"the plan has no method {name!r} to probe",
                    where=where,
                    remedy=f"choose among {listing(methods, len(methods))}",
                )
        if pair and each.against is None:
            raise VotewiseError(
                f"{each.name} compares two runs",
                where=where,
                remedy=f'give against = "{methods[0]}", "seeds" or "twin"',
            )
        if each.against in each.methods:
            raise VotewiseError(
                f"{each.against} is compared with itself", where=where, remedy='leave it out, or give against = "seeds"'
            )
        if each.against == "twin" and twins == 1:
            raise VotewiseError("the plan has no twins to compare", where=where, remedy="give twins = 2")
        if not pair and each.against is not None:
            raise VotewiseError(f"{each.name} looks at one run", where=where, remedy="leave against out")
    named = [each.name for each in wanted]
    for name, changes in options.items():
        where = f"[probe_options.{name}]"
        if "checkpoint" in changes:
            raise VotewiseError("the checkpoint is no option", where=where, remedy="give checkpoints in [[probes]]")
        make_probe(name, changes, where)
        if name not in named:
            raise VotewiseError(
                f"the plan takes no {name}", where=where, remedy="name it in [[probes]], or leave it out"
            )


def _kind(name: str, where: object) -> type[Probe]:
    if name not in PROBES:
        raise VotewiseError(
            f"there is no probe {name!r}", where=where, remedy=f"choose one of {listing(sorted(PROBES), len(PROBES))}"
        )
    return PROBES[name]
