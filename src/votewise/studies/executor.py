"""Executors of the jobs of a study: a small protocol that takes jobs and yields an outcome for each.

A job is a run to train or a probe to run. Its result is a file in the store, so an executor passes only names. A job always produces the
same file, regardless of the machine and of interruptions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from votewise.errors import RunFailedError, RunLockedError, VotewiseError
from votewise.studies.source import Source
from votewise.training import Config, Engine, Run

TRIES = 3  # attempts per job if its process or machine dies
PATIENCE = 1.0  # seconds between two attempts at runs that another process is training

OnEpoch = Callable[[str, int], None]  # (id of a run, number of finished epochs)


class Job(Protocol):
    """A unit of work with an id."""

    @property
    def id(self) -> str: ...


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job; `locked` means that another process holds it."""

    id: str
    kind: Literal["finished", "failed", "locked"]
    why: str = ""


@dataclass(frozen=True)
class Work:
    """How a job is executed: its data, store and engine."""

    source: Source
    store: Path
    engine: Engine

    def do(self, job: Any, on_epoch: OnEpoch = lambda _id, _epochs: None) -> Outcome:
        """Execute one job. Raises for errors that would affect all jobs: bad input, or a store that is not writable."""
        raise NotImplementedError

    def name(self, job: Any) -> str:
        """The display name of a job."""
        return str(job)

    def size(self, job: Any) -> int:
        """The amount of work in a job, for the progress."""
        return 1

    def note_failure(self, job: Any, why: str) -> None:
        """Record in the store that a job failed, if the process of the job could not do so."""

    def on(self, device: str) -> Self:
        """A copy of this work for another device."""
        return replace(self, engine=replace(self.engine, device=device))


class Executor(Protocol):
    """Executes all jobs and yields each outcome when it is available. Closing it early stops its jobs."""

    def execute(self, jobs: Sequence[Job], work: Work, on_epoch: OnEpoch) -> Generator[Outcome]: ...


class Training(Work):
    """Trains configurations as runs of the store."""

    def do(self, config: Config, on_epoch: OnEpoch = lambda _id, _epochs: None) -> Outcome:
        """Train one run."""
        from votewise.training import complete

        try:
            complete(
                self.source.load(),
                config,
                self.store,
                self.engine,
                lambda progress: on_epoch(config.id, progress.epoch),
            )
        except RunLockedError as error:
            return Outcome(config.id, "locked", str(error))
        except RunFailedError as error:
            return Outcome(config.id, "failed", str(error))
        except VotewiseError:
            raise
        except Exception as error:  # for example out of memory; the other runs continue
            return Outcome(config.id, "failed", f"{type(error).__name__}: {error}")
        return Outcome(config.id, "finished")

    def name(self, config: Config) -> str:
        """The folder name of the run."""
        return config.folder_name

    def size(self, config: Config) -> int:
        """The number of epochs."""
        return config.recipe.epochs

    def note_failure(self, config: Config, why: str) -> None:
        """Record the failure in the folder of the run, where `missing` reads it."""
        Run.of(self.store, config).note_failure(why)


def shard(configs: Sequence[Config], part: str) -> list[Config]:
    """The shard "i/n" of the configurations: in the order of their ids, those at positions i, i + n, i + 2n, ..., with i counted from 0."""
    try:
        number, count = (int(piece) for piece in part.split("/"))
    except ValueError:
        number, count = -1, 0
    if not 0 <= number < count:
        raise VotewiseError(f"unknown shard {part!r}", remedy="use i/n with i from 0 to n - 1, e.g. 0/4")
    mine = {config.id for config in sorted(configs, key=lambda config: config.id)[number::count]}
    return [config for config in configs if config.id in mine]
