"""Training throughput on one core: this loop compared with a usual torch loop, with the same model and the same operations per example.

The usual loop is a `DataLoader` without workers that transforms each example with PIL, as torchvision does (pad, crop,
flip, to tensor, normalise), with the default memory format and allocation of torch. It runs in a separate process without the settings of `train`.
Both are compared by the CPU time of one thread, including page faults, because other work on the machine increases the wall time.
Also measured: the batch size of the paper, the overhead of delivery per step, two runs in parallel on two cores compared with sequential runs,
and the share of the machine's matmul peak that training reaches.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable

import numpy as np
import torch
from PIL import Image, ImageOps
from torch.utils.data import DataLoader, Dataset

from benchmarks.clock import best_of
from votewise.datasets import Dataset as VoteDataset
from votewise.training import Engine, Problem, Recipe, configure, method
from votewise.training.loop import initial_model
from votewise.votes import Votes

ITEMS = 2_560
BATCH, PAPERS = Recipe.preset("cpu").batch_size, Recipe.preset("paper").batch_size


def stand_in(items: int = ITEMS) -> VoteDataset:
    """Noise images with the shape of CIFAR-10H, because speed does not depend on the content."""
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
    """The transforms of torchvision for one PIL image: RandomCrop(32, padding=4), RandomHorizontalFlip, ToTensor, Normalize."""

    def __init__(self, data: VoteDataset, labels: torch.Tensor) -> None:
        self.pictures, self.labels = np.array(data.inputs), labels
        self.mean, self.std = data.mean, data.std

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, i: int) -> tuple[torch.Tensor, torch.Tensor]:
        picture = ImageOps.expand(Image.fromarray(self.pictures[i]), border=4, fill=0)
        top, left = int(torch.randint(0, 9, (1,))), int(torch.randint(0, 9, (1,)))
        picture = picture.crop((left, top, left + 32, top + 32))
        if torch.rand(1) < 0.5:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        x = torch.from_numpy(np.array(picture)).permute(2, 0, 1).contiguous().float().div(255)
        mean, std = torch.tensor(self.mean), torch.tensor(self.std)
        return x.sub_(mean.view(-1, 1, 1)).div_(std.view(-1, 1, 1)), self.labels[i]


def steps(net: torch.nn.Module, batches: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
    optimiser = torch.optim.SGD(net.parameters(), 0.1, 0.9, weight_decay=5e-4)
    net.train()
    for x, y in batches:
        loss = torch.nn.functional.cross_entropy(net(x), y)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


def epoch(loop: str, problem: Problem, size: int) -> Callable[[], None]:
    """One epoch with batches of `size`, in this library's loop (`ours`, in the environment that `train` prepares) or in the `usual` loop."""
    count = len(problem.training)
    if loop == "usual":
        labels = torch.from_numpy(problem.delivery.table(0))
        loader = DataLoader(PerExample(problem.dataset.select(problem.training), labels), size, shuffle=True)
        plain = torch.contiguous_format
        return lambda: steps(initial_model(problem, 0).to(memory_format=plain), loader)  # type: ignore[call-overload]
    inputs = problem.inputs(Engine().prepare())

    def ours() -> None:
        targets = problem.targets(1, "cpu")
        batches = (slice(at, at + size) for at in range(0, count, size))
        steps(
            initial_model(problem, 0),
            ((inputs.augmented(problem.training[at], 1), targets[at]) for at in batches),
        )

    return ours


class Worker:
    """A separate process per loop, because `train` changes the memory allocation of a process."""

    def __init__(self, loop: str, items: int, size: int = BATCH) -> None:
        self.processor_seconds = float("inf")  # CPU time of the best epoch
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.training", loop, str(items), str(size)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.wait()  # one epoch to warm up

    def start(self) -> None:
        assert self._process.stdin is not None
        print("epoch", file=self._process.stdin, flush=True)

    def wait(self) -> float:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the worker has ended")
        return float(answer)

    def run(self) -> None:
        self.start()
        self.processor_seconds = min(self.processor_seconds, self.wait())

    def end(self) -> None:
        self._process.communicate()


def noise_problem(items: int) -> Problem:
    data = stand_in(items)
    return Problem(data, configure(data, method("sls"), Recipe.preset("cpu")))


def measure(items: int = ITEMS, rounds: int = 5) -> dict[str, object]:
    torch.set_num_threads(1)
    problem = noise_problem(items)
    n = len(problem.training)

    def delivery() -> None:
        table = torch.from_numpy(problem.delivery.table(2))
        for at in range(0, n, BATCH):
            table[torch.arange(at, min(at + BATCH, n))]

    one, two, usual = Worker("ours", items), Worker("ours", items), Worker("usual", items)
    papers = {loop: Worker(loop, items, PAPERS) for loop in ("ours", "usual")}

    def both() -> None:
        one.start()
        two.start()
        one.wait()
        two.wait()

    matrix, multiplied = torch.ones(2048, 2048), []

    def matmul() -> None:
        start = time.process_time()
        matrix @ matrix
        multiplied.append(time.process_time() - start)

    candidates = {
        "ours": one.run,
        "usual": usual.run,
        "two of ours at once": both,
        "matmul": matmul,
        "delivery": delivery,
    }
    larger = {f"{loop}, batch {PAPERS}": worker.run for loop, worker in papers.items()}
    seconds = best_of({**candidates, **larger}, rounds=rounds)
    for worker in (one, two, usual, *papers.values()):
        worker.end()
    ours = one.processor_seconds
    flops, peak = _flops(problem) * n / ours, 2 * 2048**3 / min(multiplied)
    cores = len(os.sched_getaffinity(0))
    return {
        "what": f"one epoch of {n:,} images of 32 x 32, the cpu preset's model, batch {BATCH}, one core",
        "seconds": seconds,
        "processor_seconds": {"ours": ours, "usual": usual.processor_seconds},
        "times_faster_than_the_usual_loop": {
            f"batch {BATCH}": usual.processor_seconds / ours,
            f"batch {PAPERS}": papers["usual"].processor_seconds / papers["ours"].processor_seconds,
        },
        "delivery_share_of_a_step": seconds["delivery"] / seconds["ours"],
        "gflops_of_training": flops / 1e9,
        "gflops_of_a_large_matmul": peak / 1e9,
        "share_of_matmul_peak": flops / peak,
        "two_runs_on_two_cores_over_one_after_the_other": (
            2 * seconds["ours"] / seconds["two of ours at once"] if cores > 1 else float("nan")
        ),
    }


def _flops(problem: Problem) -> float:
    """Floating-point operations of one example, forward and backward, as counted by torch."""
    from torch.utils.flop_counter import FlopCounterMode

    net, x = initial_model(problem, 0), torch.zeros(8, 3, 32, 32)
    with FlopCounterMode(display=False) as counter:
        net(x).sum().backward()
    return counter.get_total_flops() / 8


if __name__ == "__main__":
    torch.set_num_threads(1)
    run = epoch(sys.argv[1], noise_problem(int(sys.argv[2])), int(sys.argv[3]))
    run()
    print(0.0, flush=True)  # ready
    for _ in sys.stdin:
        began = time.process_time()
        run()
        print(time.process_time() - began, flush=True)
