"""Execution on one machine: worker processes that live for the whole study, each with a share of the cores."""

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

from votewise.errors import RunFailedError, VotewiseError
from votewise.studies.executor import PATIENCE, TRIES, Job, OnEpoch, Outcome, Training, Work
from votewise.votes import DoubtfulClasses, DroppedVotes

Message = (
    Outcome | VotewiseError | int | None
)  # message of a worker: the outcome, an error that stops all workers, or the number of finished epochs; None: the worker died


@dataclass(frozen=True)
class Local:
    """`workers` processes. A dead worker is replaced and its job retried; runs locked by another process are retried later.

    If a worker dies before any run has finished an epoch, all workers are stopped, because the others would die too.
    """

    workers: int

    def execute(self, jobs: Sequence[Job], work: Work, on_epoch: OnEpoch) -> Generator[Outcome]:
        """Yield the outcome of each job when it ends.

        Raises:
            RunFailedError: if a training worker dies before any run has finished an epoch.
        """
        begun = not isinstance(work, Training)  # a probe that crashes its process does not stop the others
        waiting, locked, deaths = deque(jobs), list[Job](), Counter[str]()
        workers = [Worker(work, place) for place in range(min(self.workers, len(jobs)))]
        looked = time.monotonic()
        try:
            while waiting or locked or any(worker.job for worker in workers):
                if locked and not waiting and time.monotonic() - looked >= PATIENCE:
                    waiting.extend(locked)
                    locked.clear()
                    looked = time.monotonic()
                for worker in workers:
                    if waiting and worker.job is None:
                        worker.send(waiting.popleft())
                for worker in _ready(workers, PATIENCE if locked else None):
                    job, message = worker.receive()
                    if isinstance(message, VotewiseError):
                        raise message
                    begun |= message is not None
                    if isinstance(message, int):
                        on_epoch(job.id, message)
                    elif message is None:
                        how = worker.end()
                        if not begun:
                            raise RunFailedError(
                                f"a worker process died before its first epoch, {how}, so nothing was trained",
                                remedy=_remedy(how),
                            )
                        workers[worker.place] = Worker(work, worker.place)
                        deaths[job.id] += 1
                        if deaths[job.id] < TRIES:
                            waiting.appendleft(job)
                        else:
                            yield Outcome(job.id, "failed", f"its process died {TRIES} times, {how}")
                    elif message.kind == "locked":
                        locked.append(job)
                    else:
                        yield message
        finally:
            for worker in workers:
                worker.end()


class Worker:
    """A worker process, with the parent's end of the pipe."""

    def __init__(self, work: Work, place: int) -> None:
        context = get_context("spawn")
        self.place = place
        self.job: Job | None = None
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=worker_main, args=(theirs, work, place), daemon=True)
        with _undisturbed(work.engine.threads):
            self._process.start()
        theirs.close()

    def send(self, job: Job) -> None:
        """Start the next job."""
        self.job = job
        with suppress(OSError):  # if it died, `receive` reports it
            self.pipe.send(job)

    def receive(self) -> tuple[Job, Message]:
        """The current job and its next message."""
        job, message = self.job, None
        assert job is not None
        with suppress(EOFError, OSError):
            message = self.pipe.recv()
        if not isinstance(message, int):
            self.job = None
        return job, message

    def end(self) -> str:
        """Stop the worker and return how it ended. An unfinished run can be resumed from its last state."""
        self._process.terminate()
        self._process.join()
        self.pipe.close()
        code = self._process.exitcode or 0
        return f"by {signal.Signals(-code).name} (out of memory?)" if code < 0 else f"with exit code {code}"


def worker_main(pipe: Connection, work: Work, place: int) -> None:
    """Execute jobs and report outcomes until the parent closes the pipe or exits."""
    for shown in (DroppedVotes, DoubtfulClasses):  # already shown by the parent
        warnings.simplefilter("ignore", shown)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and stops its workers
    if work.engine.device == "cuda":
        import torch

        work = work.on(f"cuda:{place % max(torch.cuda.device_count(), 1)}")

    def report(message: Message) -> None:
        try:
            pipe.send(message)
        except OSError:
            os._exit(1)  # the parent has exited

    with suppress(EOFError):
        while True:
            job = pipe.recv()
            try:
                report(work.do(job, lambda _, epochs: report(epochs)))
            except VotewiseError as error:
                report(error)


def _remedy(how: str) -> str:
    """The remedy for a worker that died at startup."""
    if how.startswith("by"):
        return "use fewer workers (--workers 1), or a machine with more memory"
    return "see its error message above; in a script, put the call under if __name__ == '__main__':"


def _ready(workers: Sequence[Worker], timeout: float | None) -> list[Worker]:
    """Wait for messages for at most `timeout` seconds, and return the workers that have one."""
    ready = wait([worker.pipe for worker in workers if worker.job], timeout)
    return [worker for worker in workers if worker.pipe in ready]


@contextmanager
def _undisturbed(threads: int) -> Iterator[None]:
    """In this context, a new process ignores Ctrl-C from the beginning, and its NumPy uses only `threads` cores."""
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
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
