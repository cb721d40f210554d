"""Who executes the jobs of a study: one small protocol. Jobs go in, what became of each comes out.

A job is a run to train or a probe to run. Its result is a file in the store, so an executor carries names only; and a job always produces the
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

TRIES = 3  # how often a job is started if its process or machine dies
PATIENCE = 1.0  # seconds between two attempts at runs that another process is training

OnEpoch = Callable[[str, int], None]  # (id of a run, epochs it has finished)


class Job(Protocol):
    """Something to do, with a name."""

    @property
    def id(self) -> str: ...


@dataclass(frozen=True)
class Outcome:
    """What became of a job. `locked`: another process has it."""

    id: str
    kind: Literal["finished", "failed", "locked"]
    why: str = ""


@dataclass(frozen=True)
class Work:
    """How a job is done: on which data, into which store, with what."""

    source: Source
    store: Path
    engine: Engine

    def do(self, job: Any, on_epoch: OnEpoch = lambda _id, _epochs: None) -> Outcome:
        """Do one job. Bad input, or a store that cannot be written, is raised: it would be the same for all jobs."""
        raise NotImplementedError

    def name(self, job: Any) -> str:
        """What users know a job by."""
        return str(job)

    def size(self, job: Any) -> int:
        """How much a job adds to the progress."""
        return 1

    def note_failure(self, job: Any, why: str) -> None:
        """Note in the store that a job failed, also if its process could not."""

    def on(self, device: str) -> Self:
        """The same work on another device."""
        return replace(self, engine=replace(self.engine, device=device))


class Executor(Protocol):
    """Does every job and yields an outcome for each, as they come; closed early, it stops what it started."""

    def execute(self, jobs: Sequence[Job], work: Work, on_epoch: OnEpoch) -> Generator[Outcome]: ...


class Training(Work):
    """Jobs are configurations, each trained into a run of the store."""

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
        except Exception as error:  # out of memory, an error in torch: it does not stop the other runs
            return Outcome(config.id, "failed", f"{type(error).__name__}: {error}")
        return Outcome(config.id, "finished")

    def name(self, config: Config) -> str:
        """The name of its folder."""
        return config.folder_name

    def size(self, config: Config) -> int:
        """Its epochs."""
        return config.recipe.epochs

    def note_failure(self, config: Config, why: str) -> None:
        """Beside the run, where `missing` finds it."""
        Run.of(self.store, config).note_failure(why)


def shard(configs: Sequence[Config], part: str) -> list[Config]:
    """The share "i/n" of the configurations: in the order of their ids, those at i, i + n, i + 2n ...; i counts from 0."""
    try:
        number, count = (int(piece) for piece in part.split("/"))
    except ValueError:
        number, count = -1, 0
    if not 0 <= number < count:
        raise VotewiseError(f"unknown shard {part!r}", remedy="write i/n with i from 0 to n - 1, e.g. 0/4")
    mine = {config.id for config in sorted(configs, key=lambda config: config.id)[number::count]}
    return [config for config in configs if config.id in mine]
