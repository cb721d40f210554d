"""The probes of a plan: each with the runs to probe, and the runs that these are compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, Literal

from pydantic import ConfigDict, Field

from votewise.errors import VotewiseError
from votewise.probes import PROBES, Probe
from votewise.validation import Checked, checked
from votewise.wording import listing


class ProbeSpec(Checked):
    """A row of [[probes]] in a plan.

    Attributes:
        name: the probe.
        methods: the methods whose runs are probed.
        against: what each run is compared with. The name of a method: its run with the same seed and K. "seeds": each run of these methods with the
            same K and another seed or method. "twin": the run that differs only in its training seed.
        checkpoints: the checkpoints to probe.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    methods: tuple[str, ...] = Field(min_length=1)
    against: str | None = None
    checkpoints: tuple[Literal["best", "last"], ...] = ("best",)


def make_probe(name: str, options: Mapping[str, object] | None = None, where: object = None) -> Probe:
    """The probe called `name`, with validated options."""
    return checked(_probe_type(name, where), options or {}, where=where or f"probe {name!r}")


def check_probe_specs(
    specs: Sequence[ProbeSpec], options: Mapping[str, Mapping[str, Any]], methods: Sequence[str], twins: int
) -> None:
    """Raise for unknown probes and methods, and for specs of pair probes without a comparison, or with several whose numbers would have the same names."""
    compared: dict[tuple[str, str, str], str] = {}
    for number, spec in enumerate(specs, start=1):
        where = f"[[probes]] {number}"
        kind = _probe_type(spec.name, where)
        pair, others = kind.pair, () if spec.against in ("seeds", "twin", None) else (spec.against,)
        for name in (*spec.methods, *others):
            if name not in methods:
                raise VotewiseError(
                    f"the plan has no method {name!r}",
                    where=where,
                    remedy=f"choose among {listing(methods, len(methods))}",
                )
        if pair and spec.against is None:
            raise VotewiseError(
                f"the probe {spec.name} compares two runs, but against is not set",
                where=where,
                remedy=f'set against = "{methods[0]}", "seeds" or "twin"',
            )
        if spec.against in spec.methods:
            raise VotewiseError(
                f"against = {spec.against!r} would compare this method with itself",
                where=where,
                remedy='remove it, or set against = "seeds"',
            )
        for other, method, checkpoint in product(() if kind.mutual else others, spec.methods, spec.checkpoints):
            if (before := compared.setdefault((spec.name, method, checkpoint), other)) != other:
                raise VotewiseError(
                    f"the probe {spec.name} compares {method} with {before} and with {other}",
                    where=where,
                    remedy="keep one of the two: the results of a run have room for one comparison",
                )
        if spec.against == "twin" and twins == 1:
            raise VotewiseError("the plan has no twins to compare", where=where, remedy="set twins = 2")
        if not pair and spec.against is not None:
            raise VotewiseError(
                f"against is set, but the probe {spec.name} probes one run", where=where, remedy="remove against"
            )
    names = [spec.name for spec in specs]
    for name, changes in options.items():
        where = f"[probe_options.{name}]"
        if "checkpoint" in changes:
            raise VotewiseError("checkpoint is not an option", where=where, remedy="set checkpoints in [[probes]]")
        make_probe(name, changes, where)
        if name not in names:
            raise VotewiseError(
                f"the plan does not run {name}", where=where, remedy="add it to [[probes]], or remove its options"
            )


def _probe_type(name: str, where: object) -> type[Probe]:
    if name not in PROBES:
        raise VotewiseError(
            f"unknown probe {name!r}", where=where, remedy=f"choose one of {listing(sorted(PROBES), len(PROBES))}"
        )
    return PROBES[name]
