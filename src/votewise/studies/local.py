"""On one machine: worker processes that live for the whole study, each with its share of the cores."""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections import Counter, deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from votewise.errors import VotewiseError
from votewise.studies.executor import PATIENCE, TRIES, Job, Outcome, Tell, Work
from votewise.training.environment import keep_memory
from votewise.votes import DoubtfulClasses, DroppedVotes

News = Outcome | VotewiseError | int | None  # what became of a job; what stops all; epochs finished; it died


@dataclass(frozen=True)
class Local:
    """`workers` processes. One that dies is replaced and its job tried again; a run that somebody else trains is come back to."""

    workers: int

    def execute(self, jobs: Sequence[Job], work: Work, tell: Tell) -> Generator[Outcome]:
        """An outcome for each job, as they come."""
        waiting, locked, deaths = deque(jobs), list[Job](), Counter[str]()
        crew = [Worker(work, place) for place in range(min(self.workers, len(jobs)))]
        looked = time.monotonic()
        try:
            while waiting or locked or any(worker.job for worker in crew):
                if locked and not waiting and time.monotonic() - looked >= PATIENCE:
                    waiting.extend(locked)
                    locked.clear()
                    looked = time.monotonic()
                for worker in crew:
                    if waiting and worker.job is None:
                        worker.give(waiting.popleft())
                for worker in _with_news(crew, PATIENCE if locked else None):
                    job, news = worker.hear()
                    if isinstance(news, VotewiseError):
                        raise news
                    if isinstance(news, int):
                        tell(job.id, news)
                    elif news is None:
                        how = worker.end()
                        crew[worker.place] = Worker(work, worker.place)
                        deaths[job.id] += 1
                        if deaths[job.id] < TRIES:
                            waiting.appendleft(job)
                        else:
                            yield Outcome(job.id, "failed", f"its process died {TRIES} times, {how}")
                    elif news.kind == "locked":
                        locked.append(job)
                    else:
                        yield news
        finally:
            for worker in crew:
                worker.end()


class Worker:
    """A process that does what it is given, and this end of the pipe to it."""

    def __init__(self, work: Work, place: int) -> None:
        context = get_context("spawn")
        self.place = place
        self.job: Job | None = None
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=labour, args=(theirs, work, place), daemon=True)
        with _undisturbed(work.engine.threads):
            self._process.start()
        theirs.close()

    def give(self, job: Job) -> None:
        """The next job."""
        self.job = job
        with suppress(OSError):  # it died; `hear` will say so
            self.pipe.send(job)

    def hear(self) -> tuple[Job, News]:
        """The job it is at, and the news of it."""
        job, news = self.job, None
        assert job is not None
        with suppress(EOFError, OSError):
            news = self.pipe.recv()
        if not isinstance(news, int):
            self.job = None
        return job, news

    def end(self) -> str:
        """Stop it, and say how it ended. What it had not finished goes on from its last state another time."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()
        code = self._process.exitcode or 0
        return f"by {signal.Signals(-code).name} (out of memory?)" if code < 0 else f"with exit code {code}"


def labour(pipe: Connection, work: Work, place: int) -> None:
    """The life of a worker: do, report, until the parent closes the pipe or is gone."""
    keep_memory()
    for told in (DroppedVotes, DoubtfulClasses):  # by whoever read the data to plan the work
        warnings.simplefilter("ignore", told)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends its workers
    if work.engine.device == "cuda":
        import torch

        work = work.on(f"cuda:{place % max(torch.cuda.device_count(), 1)}")

    def report(news: News) -> None:
        try:
            pipe.send(news)
        except OSError:
            os._exit(1)  # nobody is left to work for

    with suppress(EOFError):
        while True:
            job = pipe.recv()
            try:
                report(work.do(job, lambda _, epochs: report(epochs)))
            except VotewiseError as error:
                report(error)


def _with_news(crew: Sequence[Worker], timeout: float | None) -> list[Worker]:
    """The workers that have something to say, once one has, or after `timeout` seconds."""
    ready = wait([worker.pipe for worker in crew if worker.job], timeout)
    return [worker for worker in crew if worker.pipe in ready]


@contextmanager
def _undisturbed(threads: int) -> Iterator[None]:
    """Start a process so that a Ctrl-C waits until it can be ignored, and NumPy keeps to the worker's share of cores."""
    limits = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(threads))
    before = {name: os.environ.get(name) for name in limits}
    masked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    os.environ.update(limits)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        signal.pthread_sigmask(signal.SIG_SETMASK, masked)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
