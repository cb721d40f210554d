"""Execution on a Ray cluster: the cluster in RAY_ADDRESS, one that already runs on this machine, or a new local cluster.

A job is a task that returns its outcome. Its result is in the store, which every node must see under the same path. If a node dies, Ray restarts
its tasks on other nodes: they resume from their last state, or start again, and give the same bits.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from collections.abc import Generator, Sequence
from typing import Any

import ray

from votewise.errors import VotewiseError
from votewise.studies.executor import PATIENCE, TRIES, Job, OnEpoch, Outcome, Work
from votewise.wording import reason


class OnRay:
    """Runs as many jobs in parallel as the cluster has room for."""

    def connect(self, threads: int) -> int:
        """Join or start a cluster, and compute how many jobs fit in parallel."""
        if not ray.is_initialized():
            data = {name: os.environ[name] for name in ("VOTEWISE_DATA",) if name in os.environ}
            address = os.environ.get("RAY_ADDRESS", "")
            try:
                _reach(address)
                ray.init(log_to_driver=False, logging_level=logging.ERROR, runtime_env={"env_vars": data})
            except (OSError, ValueError, RuntimeError) as error:
                raise VotewiseError(
                    f"cannot reach a Ray cluster ({reason(error)})",
                    where=f"RAY_ADDRESS={address}" if address else None,
                    remedy="set RAY_ADDRESS to a running cluster, or unset it",
                ) from None
        return max(int(ray.cluster_resources().get("CPU", 1)) // threads, 1)

    def execute(self, jobs: Sequence[Job], work: Work, on_epoch: OnEpoch) -> Generator[Outcome]:
        """Yield the outcome of each job when it ends. `on_epoch` is not called, because tasks report only when they end."""
        self.connect(work.engine.threads)
        gpus = 1 if work.engine.device.startswith("cuda") else 0
        task = ray.remote(num_cpus=work.engine.threads, num_gpus=gpus, max_retries=TRIES)(_task)
        under_way: dict[Any, Job] = {task.remote(work, job): job for job in jobs}
        locked = list[Job]()
        try:
            while under_way or locked:
                ready, _ = ray.wait(list(under_way), timeout=PATIENCE if locked else None) if under_way else ([], [])
                for reference in ready:
                    job = under_way.pop(reference)
                    outcome = _result(reference, job)
                    if outcome.kind == "locked":
                        locked.append(job)
                    else:
                        yield outcome
                if locked and not ready:
                    if not under_way:
                        time.sleep(PATIENCE)
                    under_way |= {task.remote(work, job): job for job in locked}
                    locked.clear()
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)


def _reach(address: str) -> None:
    """Try to connect to host:port first, because Ray itself retries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), timeout=10).close()


def _task(work: Work, job: Job) -> Outcome | VotewiseError:
    """Execute a job on a node: its outcome, or an error that affects all jobs."""
    try:
        return work.do(job)
    except VotewiseError as error:
        return error


def _result(reference: Any, job: Job) -> Outcome:
    try:
        found: Outcome | VotewiseError = ray.get(reference)
    except ray.exceptions.RayError as error:  # the node or the process of the job died too many times
        return Outcome(job.id, "failed", reason(error))
    if isinstance(found, VotewiseError):
        raise found
    return found
