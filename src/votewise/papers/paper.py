"""A paper that votewise reproduces: its studies as plans, its claims, and the content of its page."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from votewise.errors import VotewiseError
from votewise.importing import import_object
from votewise.studies import Plan, make_plan
from votewise.training import presets
from votewise.wording import listing

if TYPE_CHECKING:
    from votewise.comparison import Table
    from votewise.papers.claims import Claims
    from votewise.reporting import Figure
    from votewise.studies import Results

PAPERS = ("basins", "companion")  # the packages below this one


@dataclass(frozen=True)
class Paper:
    """A paper as a package: a folder with plans, claims, tables, figures and sections.

    Attributes:
        name: the name of its package below `votewise.papers`, or the import path of this object, for example `my_paper:PAPER`.
        package: the package whose folder `plans` contains its plans.
        title: title of the paper.
        citation: authors, year and place.
        stages: its studies in groups, which run one after the other; the report is built after each group.
        claims: its claims.
        tables: its tables, filled from results on one dataset.
        figures: its figures, filled from results on one dataset.
        lead: function that returns the description of its page, given the results.
        cautions: function that returns the warnings before the numbers, given the results.
        presets: the available presets of a study that does not support all of them, by study.
        story: the opening chart of its page; its `reading` summarises the results.
    """

    name: str
    package: str
    title: str
    citation: str
    stages: tuple[tuple[str, ...], ...]
    claims: Claims
    tables: Callable[[Results], Sequence[Table]]
    figures: Callable[[Results], Sequence[Figure]]
    lead: Callable[[Results], str]
    cautions: Callable[[Results], Sequence[str]] = lambda _: ()
    presets: Mapping[str, Sequence[str]] = field(default_factory=dict)
    story: Callable[[Results], Figure] | None = None

    @property
    def studies(self) -> tuple[str, ...]:
        """The names of its studies."""
        return tuple(study for stage in self.stages for study in stage)

    def plans(self, preset: str = "demo") -> list[list[Plan]]:
        """The plans of the studies that a preset supports, in stages."""
        stages = [
            [self.plan(study, preset) for study in stage if preset in self.presets.get(study, (preset,))]
            for stage in self.stages
        ]
        return [stage for stage in stages if stage]

    def plan(self, study: str, preset: str = "demo") -> Plan:
        """The plan of one of its studies under a preset.

        Example:
            >>> paper("basins").plan("resampling").resample_every
            (1, 5, 11, 22)
        """
        if study not in self.studies:
            raise VotewiseError(f"unknown study {study!r}", remedy=f"choose one of {listing(self.studies, 9)}")
        if preset not in presets():
            raise VotewiseError(f"unknown preset {preset!r}", remedy=f"choose one of {listing(presets())}")
        if preset not in (known := self.presets.get(study, (preset,))):
            raise VotewiseError(
                f"the study {study!r} has no preset {preset!r}", remedy=f"choose one of {listing(known)}"
            )
        values = dict(_packaged(self.package, study))
        changes = {key: values.pop(key, {}) for key in presets()}
        shared = _packaged(self.package, "presets").get(preset, {})
        values |= {"paper": self.name, "preset": preset, **shared, **changes[preset]}
        return make_plan(values, where=f"{study}.toml")


def paper(name: str) -> Paper:
    """The paper called `name`: a package below `votewise.papers`, or the import path of a `Paper`."""
    if name in PAPERS:
        known: Paper = import_module(f"votewise.papers.{name}").PAPER
        return known
    if ":" not in name:
        raise VotewiseError(
            f"unknown paper {name!r}",
            remedy=f"choose one of {listing(PAPERS)}, or give an import path like my_paper:PAPER",
        )
    found = import_object(name)
    if not isinstance(found, Paper):
        raise VotewiseError(f"{name} is not a Paper", remedy="give the import path of a votewise.papers.Paper")
    return found


@cache
def _packaged(package: str, name: str) -> dict[str, Any]:
    path = files(package).joinpath(f"plans/{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
