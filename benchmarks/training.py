"""Training throughput on one core: this loop beside the loop that most people write, same net and same arithmetic per example.

The other loop: pictures as float NCHW tensors, a `DataLoader` without workers, a random crop and flip per example in Python (what torchvision's
transforms do), default memory format, labels from a tensor. Also: what delivery adds to a step, two runs on two cores beside one after the
other, and the share of the machine's matmul peak that training reaches.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from benchmarks.clock import best_of
from votewise.datasets import Dataset as VoteDataset
from votewise.training import Problem, configure, method, preset
from votewise.training.loop import initial_model
from votewise.votes import Votes

ITEMS, BATCH = 2_560, 128


def stand_in(items: int = ITEMS) -> VoteDataset:
    """Pictures of noise in the shape of CIFAR-10H: speed does not look at what is in them."""
    rng = np.random.default_rng(0)
    votes = Votes.from_counts(rng.multinomial(50, np.full(10, 0.1), size=items))
    pictures = rng.integers(0, 256, (items, 32, 32, 3)).astype(np.uint8)
    return VoteDataset(
        name="noise",
        inputs=pictures,
        votes=votes,
        mean=(0.49, 0.48, 0.45),
        std=(0.25, 0.24, 0.26),
        augment=("crop", "flip"),
    )


class PerExample(Dataset):  # type: ignore[type-arg]
    """Pad, crop, flip and normalise one picture at a time."""

    def __init__(self, data: VoteDataset, labels: torch.Tensor) -> None:
        self.pictures = data.inputs
        self.labels = labels
        self.mean = torch.tensor(data.mean).view(3, 1, 1)
        self.std = torch.tensor(data.std).view(3, 1, 1)

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.from_numpy(self.pictures[i]).permute(2, 0, 1).float() / 255
        x = torch.nn.functional.pad(x, (4, 4, 4, 4))
        top, left = (int(n) for n in torch.randint(0, 9, (2,)))
        x = x[:, top : top + 32, left : left + 32]
        if torch.rand(()) < 0.5:
            x = x.flip(2)
        return (x - self.mean) / self.std, self.labels[i]


def steps(net: torch.nn.Module, batches) -> None:
    optimiser = torch.optim.SGD(net.parameters(), 0.1, 0.9, weight_decay=5e-4)
    net.train()
    for x, y in batches:
        loss = torch.nn.functional.cross_entropy(net(x), y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def measure(items: int = ITEMS) -> dict[str, object]:
    torch.set_num_threads(1)
    data = stand_in(items)
    problem = Problem(data, configure(data, method("sls"), preset("cpu")))
    inputs, n = problem.inputs("cpu"), len(problem.training)
    labels = torch.from_numpy(problem.delivery.table(0))

    def ours() -> None:
        targets = problem.targets(1, "cpu")
        steps(
            initial_model(problem, 0),
            (
                (inputs.augmented(problem.training[at : at + BATCH], 1), targets[at : at + BATCH])
                for at in range(0, n, BATCH)
            ),
        )

    def usual() -> None:
        net = initial_model(problem, 0).to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
        steps(net, DataLoader(PerExample(data.select(problem.training), labels), BATCH, shuffle=True))

    def delivery() -> None:
        table = torch.from_numpy(problem.delivery.table(2))
        for at in range(0, n, BATCH):
            table[torch.arange(at, min(at + BATCH, n))]

    seconds = best_of({"ours": ours, "usual": usual, "delivery": delivery}, rounds=3)
    flops = _flops(problem) * n
    peak = _matmul_peak()
    return {
        "what": f"one epoch of {n:,} pictures of 32 x 32, the cpu preset's net, batch {BATCH}, one core",
        "seconds": seconds,
        "times_faster_than_the_usual_loop": seconds["usual"] / seconds["ours"],
        "delivery_share_of_a_step": seconds["delivery"] / seconds["ours"],
        "gflops_of_training": flops / seconds["ours"] / 1e9,
        "gflops_of_a_large_matmul": peak / 1e9,
        "share_of_matmul_peak": flops / seconds["ours"] / peak,
        "two_runs_on_two_cores_over_one_after_the_other": _two_at_once(),
    }


def _flops(problem: Problem) -> float:
    """Floating-point operations of one example, forward and backward, as torch counts them."""
    from torch.utils.flop_counter import FlopCounterMode

    net, x = initial_model(problem, 0), torch.zeros(8, 3, 32, 32)
    with FlopCounterMode(display=False) as counter:
        net(x).sum().backward()
    return counter.get_total_flops() / 8


def _matmul_peak(size: int = 2048) -> float:
    a = torch.ones(size, size)
    return 2 * size**3 / best_of({"matmul": lambda: a @ a}, rounds=5)["matmul"]


def _two_at_once() -> float:
    """Throughput of two processes on two cores relative to the same two one after the other."""
    if len(os.sched_getaffinity(0)) < 2:
        return float("nan")

    def launch() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "benchmarks.training"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def timed(count: int) -> float:
        workers = [launch() for _ in range(count)]
        for worker in workers:
            assert worker.stdout is not None
            worker.stdout.readline()  # ready
        start = time.perf_counter()
        for worker in workers:
            worker.communicate(b"go\n")
        return time.perf_counter() - start

    alone = timed(1) + timed(1)
    return alone / timed(2)


if __name__ == "__main__":
    torch.set_num_threads(1)
    stand = stand_in()
    trained = Problem(stand, configure(stand, method("sls"), preset("cpu")))
    ready = trained.inputs("cpu")
    print("ready", flush=True)
    sys.stdin.readline()
    for _ in range(2):
        goal = trained.targets(1, "cpu")
        steps(
            initial_model(trained, 0),
            (
                (ready.augmented(trained.training[at : at + BATCH], 1), goal[at : at + BATCH])
                for at in range(0, len(trained.training), BATCH)
            ),
        )
