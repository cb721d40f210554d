"""A plan: what is varied, on which data, with which recipe. It becomes the configurations of many runs."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from votewise.datasets import Dataset
from votewise.delivery import DELIVERIES
from votewise.errors import VotewiseError, listing
from votewise.files import existing_file
from votewise.studies.source import Source
from votewise.training import METHODS, Config, Method, Problem, Recipe, Split, configure, method, preset
from votewise.training.recipe import checked, presets

STUDIES = ("main", "sparse", "ablation", "resampling", "basins")

TWIN = 10_000  # from the training seed of a run to that of its twin
Votes = Annotated[int, Field(ge=1)] | Literal["all"]


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


class Plan(BaseModel):
    """Every combination of method, votes per item, interval and seed, on one dataset with one recipe."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")  # it names a folder
    dataset: Source
    methods: tuple[str | dict[str, Any], ...] = Field(min_length=1)  # names, or {name = ..., and its options}
    seeds: tuple[Annotated[int, Field(ge=0)], ...] = Field(min_length=1)
    votes_per_item: tuple[Votes, ...] = Field(default=("all",), min_length=1)  # K
    subsample: Literal["multinomial", "nested"] = "multinomial"
    resample_every: tuple[Annotated[int, Field(ge=1)], ...] = Field(default=(1,), min_length=1)  # sls, shuffled-sls
    twins: int = Field(default=1, ge=1)  # runs on one split that differ in their training seed
    preset: str = "cpu"
    recipe: dict[str, Any] = {}  # what differs from the preset
    split: Split = Split()
    probes: tuple[Wanted, ...] = ()
    probe_options: dict[str, dict[str, Any]] = {}  # by probe, what differs from its defaults

    @field_validator("dataset", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @property
    def trained_with(self) -> Recipe:
        """The recipe: the preset with what differs from it."""
        return preset(self.preset, where=f"[recipe] of the plan {self.name!r}", **self.recipe)

    @property
    def arms(self) -> tuple[Method, ...]:
        """The methods, at each interval where they draw labels and do not say themselves how often."""
        found: dict[Method, None] = {}
        for entry in self.methods:
            options = {"name": entry} if isinstance(entry, str) else dict(entry)
            name = options.pop("name", None)
            if not isinstance(name, str):
                raise VotewiseError(
                    f"the method {entry} has no name",
                    where=f"plan {self.name!r}",
                    remedy='write {name = "soft", ...}',
                )
            plain = method(name, **options)
            draws = "resample_every" in DELIVERIES[plain.delivery].__dataclass_fields__
            for interval in self.resample_every if draws and "resample_every" not in options else ():
                found[plain.model_copy(update={"resample_every": interval})] = None
            if not draws or "resample_every" in options:
                found[plain] = None
        return tuple(found)

    def configs(self, dataset: Dataset) -> list[Config]:
        """The configuration of each run, once; seed after seed, so that what is finished first can be compared."""
        recipe, arms = self.trained_with, self.arms
        every = (
            configure(
                dataset,
                arm,
                recipe,
                seed=seed,
                votes_per_item=None if k == "all" else k,
                subsample=self.subsample,
                split=self.split,
                training_seed=seed + TWIN * twin if twin else None,
            )
            for seed in self.seeds
            for twin in range(self.twins)
            for k in self.votes_per_item
            for arm in arms
        )
        return list({config.id: config for config in every}.values())

    def check(self, dataset: Dataset) -> None:
        """Make every delivery of the first seed once: what cannot be trained is told before anything is."""
        for config in self.configs(dataset):
            if config.seed == self.seeds[0]:
                _ = Problem(dataset, config).delivery

    def changed(
        self, *, preset: str | None = None, seeds: tuple[int, ...] | None = None, epochs: int | None = None
    ) -> Plan:
        """The same plan with another preset, other seeds or another number of epochs, where given."""
        update: dict[str, Any] = {"preset": preset, "seeds": seeds}
        update = {key: value for key, value in update.items() if value is not None}
        if epochs is not None:
            update["recipe"] = {**self.recipe, "epochs": epochs}
        return make_plan({**self.model_dump(exclude_defaults=True), **update}, where=f"plan {self.name!r}")

    def toml(self) -> str:
        """The plan as a file that `read_plan` reads."""
        values = self.model_dump(mode="json", exclude_defaults=True)
        source, probes = values.pop("dataset"), values.pop("probes", ())
        tables: dict[str, Any] = {key: values.pop(key) for key in ("recipe", "split", "probe_options") if key in values}
        if set(source) == {"name"}:
            values["dataset"] = source["name"]
        else:
            tables["dataset"] = source
        lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
        for name, table in tables.items():
            lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
        for probe in probes:
            lines += ["", "[[probes]]", *(f"{key} = {_toml(value)}" for key, value in probe.items())]
        return "\n".join(lines) + "\n"


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """The plan in a TOML file; paths in it count from its folder."""
    path = existing_file(path)
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise VotewiseError(f"this is no TOML ({error})", where=path, remedy="write key = value") from None
    plan = make_plan(values, where=path)
    return plan.model_copy(update={"dataset": plan.dataset.below(path.parent)})


def study(name: str, preset: str = "demo") -> Plan:
    """One of the paper's studies under a preset.

    >>> study("resampling").resample_every
    (1, 5, 11, 22)
    >>> study("sparse", "paper").votes_per_item
    (5, 10, 25, 50, 'all')
    """
    if name not in STUDIES:
        raise VotewiseError(
            f"there is no study {name!r}", remedy=f"choose one of {listing(STUDIES)}, or name a plan in a .toml file"
        )
    if preset not in presets():
        raise VotewiseError(f"there is no preset {preset!r}", remedy=f"choose one of {listing(presets())}")
    values = dict(_packaged(name))
    differences = {key: values.pop(key, {}) for key in presets()}
    return make_plan({**values, "preset": preset, **differences[preset]}, where=f"{name}.toml")


def label(arm: Method) -> str:
    """The name of a method with every option that is not its usual one.

    >>> label(method("sls", resample_every=5)), label(method("label-smoothing", epsilon=0.2))
    ('sls-every-5', 'label-smoothing(epsilon=0.2)')
    """
    usual = METHODS.get(arm.name, METHODS[arm.delivery])
    other = ", ".join(
        f"{key}={value}" for key, value in arm if key != "resample_every" and value != getattr(usual, key)
    )
    return f"{arm.name}({other})" if other else arm.name


def make_plan(values: Mapping[str, Any], where: object) -> Plan:
    """A checked plan; its tables first, so that a wrong key is told with the keys of its own table."""
    if isinstance(values.get("dataset"), dict):
        checked(Source, values["dataset"], where=f"{where} [dataset]")
    if isinstance(values.get("split"), dict):
        checked(Split, values["split"], where=f"{where} [split]")
    for number, row in enumerate(values.get("probes", ()), start=1):
        if isinstance(row, dict):
            checked(Wanted, row, where=f"{where} [[probes]] {number}")
    plan = checked(Plan, values, where=where)
    plan.trained_with  # noqa: B018  # a wrong recipe or method is told now, not in the middle of a study
    names = [label(arm) for arm in plan.arms]
    for number, wanted in enumerate(plan.probes, start=1):
        for name in (*wanted.methods, wanted.against):
            if name not in (*names, "seeds", "twin", None):
                raise VotewiseError(
                    f"the plan has no method {name!r} to probe",
                    where=f"{where} [[probes]] {number}",
                    remedy=f"choose among {listing(names, len(names))}",
                )
    return plan


@cache
def _packaged(name: str) -> dict[str, Any]:
    return tomllib.loads(files("votewise.studies").joinpath(f"plans/{name}.toml").read_text(encoding="utf-8"))


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
