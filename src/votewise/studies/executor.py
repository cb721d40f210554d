"""Who executes the jobs of a study: one small protocol. Jobs go in, what became of each comes out.

A job is a run to train or a probe to take. What it makes is a file in the store, so an executor has nothing to carry but names; and since that
is a function of the job, it does not matter who does it, where, or after how many interruptions.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Protocol, Self

from votewise.errors import RunFailedError, RunLockedError, VotewiseError
from votewise.studies.source import Source
from votewise.training import Config, Engine, Run, complete

TRIES = 3  # how often a job is started again after the process or the machine that did it died
PATIENCE = 1.0  # seconds between two looks at runs that somebody else is training

Tell = Callable[[str, int], None]  # (id of a run, epochs it has finished)


class Job(Protocol):
    """Something to do, with a name."""

    @property
    def id(self) -> str: ...


@dataclass(frozen=True)
class Outcome:
    """What became of a job. `locked`: another process is at it."""

    id: str
    kind: Literal["finished", "failed", "locked"]
    why: str = ""


@dataclass(frozen=True)
class Work:
    """How a job is done: on which data, into which store, with what."""

    source: Source
    store: Path
    engine: Engine

    def do(self, job: Any, tell: Tell = lambda _id, _epochs: None) -> Outcome:
        """Do it. Bad input, or a store that cannot be written, is raised: it would be the same for all."""
        raise NotImplementedError

    def on(self, device: str) -> Self:
        """The same work on another device."""
        return replace(self, engine=replace(self.engine, device=device))


class Executor(Protocol):
    """Does every job and yields an outcome for each, as they come; closed early, it stops what it started."""

    def execute(self, jobs: Sequence[Job], work: Work, tell: Tell) -> Generator[Outcome]: ...


class Training(Work):
    """Jobs are configurations, each trained into a run of the store."""

    def do(self, config: Config, tell: Tell = lambda _id, _epochs: None) -> Outcome:
        """Train one run."""
        try:
            complete(
                self.source.load(), config, self.store, self.engine, lambda progress: tell(config.id, progress.epoch)
            )
        except RunLockedError as error:
            return Outcome(config.id, "locked", str(error))
        except RunFailedError as error:
            return Outcome(config.id, "failed", str(error))
        except VotewiseError:
            raise
        except Exception as error:  # out of memory, a fault in torch: the run's own, and no reason to stop the others
            return Outcome(config.id, "failed", f"{type(error).__name__}: {error}")
        return Outcome(config.id, "finished")


def carry_out(configs: Sequence[Config], work: Training, executor: Executor, tell: Tell) -> Generator[Outcome]:
    """Train the runs, and note in the store which of them failed on their own."""
    by_id = {config.id: config for config in configs}
    with closing(executor.execute(configs, work, tell)) as outcomes:
        for outcome in outcomes:
            if outcome.kind == "failed":
                Run.of(work.store, by_id[outcome.id]).note_failure(outcome.why)  # also if its process could not
            yield outcome


def shard(configs: Sequence[Config], part: str) -> list[Config]:
    """The share "i/n" of the configurations: in the order of their ids, those at i, i + n, i + 2n ...; i counts from 0."""
    try:
        number, count = (int(piece) for piece in part.split("/"))
    except ValueError:
        number, count = -1, 0
    if not 0 <= number < count:
        raise VotewiseError(f"there is no shard {part!r}", remedy="write i/n with i from 0 to n - 1, as 0/4")
    mine = {config.id for config in sorted(configs, key=lambda config: config.id)[number::count]}
    return [config for config in configs if config.id in mine]
