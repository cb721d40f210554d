"""The probes that a plan wants of its runs, as jobs; each leaves its reading beside the run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.probes import Probe, Reading, Subject, read, take
from votewise.probes.probe import CHUNK
from votewise.studies.executor import Outcome, Tell, Work
from votewise.studies.plan import Plan, label
from votewise.studies.wanted import Wanted, make_probe
from votewise.training import Config, Problem, Run

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
        return self.probe.path(Run.of(store, self.configs[0]).folder, *(config.id for config in self.configs[1:]))

    def reading(self, store: Path, dataset: Dataset | None = None) -> Reading | None:
        """What was found, if it was looked; given the dataset, only if it was at the data that is there now."""
        return read(self.path(store), data=None if dataset is None else self.probe.data(dataset))


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
    return Subject(Run.of(work.store, config), Problem(dataset, config), checkpoint, work.engine.device)


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


def possible(looks: Sequence[Look], dataset: Dataset) -> tuple[list[Look], list[str]]:
    """The looks that can be taken on a dataset, and a sentence for each probe that needs what it has not."""
    lacks = dict[Probe, str]()
    for probe in dict.fromkeys(look.probe for look in looks):
        try:
            probe.require(dataset)
        except VotewiseError as error:
            lacks[probe] = f"{probe.name}, because {error}"
    return [look for look in looks if look.probe not in lacks], list(dict.fromkeys(lacks.values()))


def _subjects(wanted: Wanted, configs: Sequence[Config]) -> Iterator[tuple[Config, ...]]:
    """The runs, or pairs of runs, that a probe looks at."""
    mine = [config for config in configs if label(config.method) in wanted.methods]
    if wanted.against is None:
        yield from ((config,) for config in mine)
    elif wanted.against == "seeds":
        yield from (pair for pair in combinations(mine, 2) if pair[0].subsample == pair[1].subsample)
    elif wanted.against == "twin":
        twins = [config for config in mine if config.training_seed is not None]
        yield from _pairs((config for config in mine if config.training_seed is None), twins, "training_seed")
    else:
        yield from _pairs(mine, [config for config in configs if label(config.method) == wanted.against], "method")


def _pairs(configs: Iterable[Config], others: Iterable[Config], field: str) -> Iterator[tuple[Config, Config]]:
    """Each of the configurations with those of the others that equal it but for one field."""

    def rest(config: Config) -> Config:
        return config.model_copy(update={field: None})

    partners = defaultdict[Config, list[Config]](list)
    for other in others:
        partners[rest(other)].append(other)
    for config in configs:
        yield from ((config, other) for other in partners[rest(config)])
