"""The probes that a plan wants of its runs, as jobs; each leaves its reading beside the run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from votewise.datasets import Dataset
from votewise.errors import VotewiseError, listing
from votewise.probes import PROBES, Probe, Reading, Subject, read, take
from votewise.probes.probe import CHUNK
from votewise.studies.executor import Outcome, Tell, Work
from votewise.studies.plan import Plan, Wanted, label
from votewise.training import Config, Problem, Run
from votewise.training.recipe import checked

KEPT = 64  # subjects whose features and maps a worker keeps, because pairs share them


@dataclass(frozen=True)
class Look:
    """One probe of one run, or of a run and another one."""

    probe: Probe
    configs: tuple[Config, ...]

    @property
    def id(self) -> str:
        return f"{self.configs[0].id}/{self.path(Path()).name}"

    def path(self, store: Path) -> Path:
        """Where its reading is, or will be."""
        folder = store / "runs" / self.configs[0].folder_name
        return self.probe.path(folder, *(config.id for config in self.configs[1:]))

    def reading(self, store: Path) -> Reading | None:
        """What was found, if it was looked."""
        return read(self.path(store))


@dataclass(frozen=True)
class Probing(Work):
    """Jobs are looks at runs of the store."""

    chunk: int = CHUNK

    def do(self, look: Look, tell: Tell = lambda _id, _epochs: None) -> Outcome:
        """Take one probe. What is wrong with it is its own, and no reason to stop the others."""
        self.engine.prepare()
        try:
            dataset = self.source.load()
            subjects = [_subject(dataset, config, self, look.probe.checkpoint) for config in look.configs]
            take(look.probe, *subjects, chunk=self.chunk)
        except VotewiseError as error:
            return Outcome(look.id, "failed", str(error))
        except Exception as error:
            return Outcome(look.id, "failed", f"{type(error).__name__}: {error}")
        return Outcome(look.id, "finished")


@lru_cache(KEPT)
def _subject(dataset: Dataset, config: Config, work: Probing, checkpoint: str) -> Subject:
    run = Run(work.store / "runs" / config.folder_name)
    return Subject(run, Problem(dataset, config), checkpoint, work.engine.device)


def looks(plan: Plan, configs: Sequence[Config], only: Sequence[str] = ()) -> list[Look]:
    """Every look that the plan wants of its runs, in one order whatever theirs is; `only` some probes, by name."""
    configs = sorted(configs, key=lambda config: (config.seed, config.training_seed or 0, config.id))
    every = (
        Look(probe, pair)
        for wanted in plan.probes
        if not only or wanted.name in only
        for checkpoint in wanted.checkpoints
        for probe in [make_probe(wanted.name, {**plan.probe_options.get(wanted.name, {}), "checkpoint": checkpoint})]
        for pair in _subjects(wanted, configs)
        if probe.fits(*pair)
    )
    return list({look.id: look for look in every}.values())


def make_probe(name: str, options: dict[str, object] | None = None) -> Probe:
    """The probe called `name`, with its options checked."""
    if name not in PROBES:
        raise VotewiseError(
            f"there is no probe {name!r}", remedy=f"choose one of {listing(sorted(PROBES), len(PROBES))}"
        )
    return checked(PROBES[name], options or {}, where=f"probe {name!r}")


def _subjects(wanted: Wanted, configs: Sequence[Config]) -> Iterator[tuple[Config, ...]]:
    """The runs, or pairs of runs, that a probe looks at."""
    mine = [config for config in configs if label(config.method) in wanted.methods]
    if wanted.against is None:
        yield from ((config,) for config in mine)
    elif wanted.against == "seeds":
        yield from (pair for pair in combinations(mine, 2) if pair[0].subsample == pair[1].subsample)
    elif wanted.against == "twin":
        for config in mine:
            if config.training_seed is None:
                yield from ((config, twin) for twin in mine if _is_twin(config, twin))
    else:
        for config in mine:
            yield from ((config, other) for other in configs if _differ_in_method(config, other, wanted.against))


def _is_twin(config: Config, other: Config) -> bool:
    return other.training_seed is not None and other.model_copy(update={"training_seed": None}) == config


def _differ_in_method(config: Config, other: Config, method: str) -> bool:
    return label(other.method) == method and other.model_copy(update={"method": config.method}) == config
