"""A plan: the methods, votes per item and seeds to vary, the data and the recipe. It expands to the configurations of many runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, field_validator

from votewise.datasets import DATASETS, Dataset
from votewise.errors import VotewiseError
from votewise.limits import MOST_OF_A_CELL, MOST_RUNS, MOST_SEEDS, whole_number
from votewise.studies.probe_spec import ProbeSpec, check_probe_specs
from votewise.studies.source import Source
from votewise.toml_files import read_toml, toml_value
from votewise.training import METHODS, Config, Method, Recipe, Split, configure, method
from votewise.validation import Checked, checked
from votewise.votes import repeated
from votewise.wording import quoted

TWIN = 10_000  # offset from the training seed of a run to that of its twin
Count = Annotated[int, Field(ge=1, le=MOST_OF_A_CELL, strict=True)]
Seed = Annotated[int, Field(ge=0, le=10**18, strict=True)]  # a seed and its twins fit in 64-bit integers


class Plan(Checked):
    """Every combination of method, votes per item, interval and seed, on one dataset with one recipe."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")  # used as a folder name
    dataset: Source
    paper: str | None = None  # the paper that the study belongs to
    comparison: str | None = None  # the comparison of several models that the study belongs to
    methods: tuple[str | dict[str, Any], ...] = Field(min_length=1)  # names, or {name = ..., with options}
    seeds: tuple[Seed, ...] = Field(min_length=1, max_length=MOST_SEEDS)
    votes_per_item: tuple[Count | Literal["all"], ...] = Field(default=("all",), min_length=1)  # K
    subsample: Literal["multinomial", "nested"] = "multinomial"
    subsample_seed: Seed | None = None  # None: the seed of the run, as in the paper
    resample_every: tuple[Count, ...] = Field(default=(1,), min_length=1)  # sls, shuffled-sls
    twins: Count = 1  # number of runs with the same split that differ only in their training seed
    preset: str = "cpu"
    recipe: dict[str, Any] = {}  # noqa: RUF012  # fields of the recipe that differ from the preset
    split: Split = Split()
    probes: tuple[ProbeSpec, ...] = ()
    probe_seeds: tuple[Seed, ...] = ()  # the seeds whose runs are probed; empty: all
    probe_options: dict[str, dict[str, Any]] = {}  # noqa: RUF012  # by probe, options that differ from the defaults

    @field_validator("dataset", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        return {"name": value} if isinstance(value, str) else value

    @property
    def trained_with(self) -> Recipe:
        """The recipe: the preset with the changed fields."""
        return Recipe.preset(self.preset, where="[recipe]", **self.recipe)

    @property
    def arms(self) -> tuple[Method, ...]:
        """The methods. Methods that draw labels and do not set `resample_every` occur once per interval."""
        found = list[Method]()
        for entry in self.methods:
            options = {"name": entry} if isinstance(entry, str) else dict(entry)
            name = options.pop("name", None)
            if not isinstance(name, str) or not name:
                raise VotewiseError(
                    f"a method is missing: {quoted(entry)} has no name",
                    remedy='write "soft", or { name = "soft", ... } for one with options',
                )
            plain = method(name, **options)
            if "resample_every" in plain.options and "resample_every" not in options:
                found += [method(name, **options, resample_every=interval) for interval in self.resample_every]
            else:
                found.append(plain)
        return tuple(found)

    def configs(self, dataset: Dataset) -> list[Config]:
        """The configurations of all runs, without duplicates, ordered by seed, so that the runs that finish first can be compared."""
        recipe, arms = self.trained_with, self.arms
        every = (
            configure(
                dataset,
                arm,
                recipe,
                seed=seed,
                votes_per_item=None if k == "all" else k,
                subsample=self.subsample,
                subsample_seed=self.subsample_seed,
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
        """Build the delivery of each run of the first seed, so that errors are raised before training starts."""
        from votewise.training import Problem

        for config in self.configs(dataset):
            if config.seed == self.seeds[0]:
                _ = Problem(dataset, config).delivery

    def changed(
        self, *, preset: str | None = None, seeds: tuple[int, ...] | None = None, epochs: int | None = None
    ) -> Plan:
        """The same plan with another preset, other seeds or another number of epochs, if given."""
        update: dict[str, Any] = {"preset": preset, "seeds": seeds}
        update = {key: value for key, value in update.items() if value is not None}
        if seeds is not None:
            update["probe_seeds"] = tuple(seed for seed in self.probe_seeds if seed in seeds)
        if epochs is not None:
            update["recipe"] = {**self.recipe, "epochs": epochs}
        return make_plan({**self.model_dump(exclude_defaults=True), **update}, where=f"plan {self.name!r}")

    def toml(self) -> str:
        """The plan as TOML for `read_plan`."""
        values = self.model_dump(mode="json", exclude_defaults=True)
        source, probes = values.pop("dataset"), values.pop("probes", ())
        tables: dict[str, Any] = {key: values.pop(key) for key in ("recipe", "split", "probe_options") if key in values}
        if set(source) == {"name"}:
            values["dataset"] = source["name"]
        else:
            tables["dataset"] = source
        lines = [f"{key} = {toml_value(value)}" for key, value in values.items()]
        for name, table in tables.items():
            lines += ["", f"[{name}]", *(f"{key} = {toml_value(value)}" for key, value in table.items())]
        for probe in probes:
            lines += ["", "[[probes]]", *(f"{key} = {toml_value(value)}" for key, value in probe.items())]
        return "\n".join(lines) + "\n"


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a plan from a TOML file; relative paths are relative to its folder."""
    plan = make_plan(read_toml(path), where=path)
    return plan.model_copy(update={"dataset": plan.dataset.below(Path(path).parent)})


def label(arm: Method) -> str:
    """The name of a method with every option that differs from its default.

    >>> label(method("sls", resample_every=5)), label(method("label-smoothing", epsilon=0.2))
    ('sls-every-5', 'label-smoothing(epsilon=0.2)')
    """
    usual = METHODS.get(arm.name) or METHODS.get(arm.delivery) or Method(delivery=arm.delivery, source=arm.source)
    options = {**arm.options, "mixup": arm.mixup}
    usual_options = {**usual.options, "mixup": usual.mixup, "resample_every": arm.options.get("resample_every")}
    other = ", ".join(f"{key}={value}" for key, value in options.items() if value != usual_options.get(key))
    return f"{arm.name}({other})" if other else arm.name


def make_plan(values: Mapping[str, Any], where: object) -> Plan:
    """Create a plan and validate it before a study starts. Errors name `where` as their location."""
    with _located_in(where):
        # Tables first, so that the error for a wrong key lists the keys of its table.
        if isinstance(values.get("dataset"), dict):
            checked(Source, values["dataset"], where="[dataset]")
        if isinstance(values.get("split"), dict):
            checked(Split, values["split"], where="[split]")
        rows = values.get("probes")
        for number, row in enumerate(rows if isinstance(rows, list | tuple) else (), start=1):
            if isinstance(row, dict):
                checked(ProbeSpec, row, where=f"[[probes]] {number}")
        plan = checked(Plan, values)
        if plan.dataset.name not in (None, *DATASETS):
            plan.dataset.load()  # raises an error that lists the names
        plan.trained_with  # noqa: B018  # raises if the recipe is wrong
        _check_varied(plan)
        check_probe_specs(plan.probes, plan.probe_options, [label(arm) for arm in plan.arms], plan.twins)
    return plan


def _check_varied(plan: Plan) -> None:
    """Raise for duplicates and for intervals that no method uses."""
    varied = {"method": [label(arm) for arm in plan.arms], "seed": plan.seeds, "number of votes": plan.votes_per_item}
    for what, values in varied.items():
        if again := repeated([repr(value) for value in values]):
            raise VotewiseError(f"the {what} {again[0]} is listed twice", remedy="list it once")
    runs = len(plan.arms) * len(plan.seeds) * len(plan.votes_per_item) * plan.twins
    if missing := set(plan.probe_seeds) - set(plan.seeds):
        raise VotewiseError(
            f"probe_seeds contains {min(missing)}, which is not among the seeds",
            remedy=f"add {min(missing)} to seeds, or remove it from probe_seeds",
        )
    whole_number("the number of runs", runs, 1, MOST_RUNS, "split the plan")
    if unused := set(plan.resample_every) - {1} - {arm.options.get("resample_every", 1) for arm in plan.arms}:
        raise VotewiseError(
            f"resample_every = {min(unused)}, but no method uses it",
            remedy="add sls or shuffled-sls to the methods, or remove resample_every",
        )


@contextmanager
def _located_in(where: object) -> Iterator[None]:
    """Add `where` in front of the location of an error."""
    try:
        yield
    except VotewiseError as error:
        place = where if error.where is None else f"{where} {error.where}"
        raise VotewiseError(error.what, where=place, remedy=error.remedy) from None
