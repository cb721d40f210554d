"""Two real processes: plain torch, the Trainer (stopped inside an epoch and resumed) and Lightning, on their own samplers."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from filelock import FileLock

from small import DELIVERIES, EPOCHS, VOTES, C, N, X, linear, plain_loop
from votewise import SLS, check_adapter, score


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    """What both ranks report; run once, also if several test processes ask."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "ranks"
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "lock"):
        if not (folder / "rank-1.json").exists():
            run_on_two_processes(folder)
    return [json.loads((folder / f"rank-{rank}.json").read_text()) for rank in range(2)]


def run_on_two_processes(folder: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    here, support = Path(__file__).parent, Path(__file__).parents[1] / "support"
    command = [
        sys.executable, "-m", "torch.distributed.run", "--nproc-per-node=2", "--master-addr=127.0.0.1",
        f"--master-port={port}", support / "ranks.py", folder,
    ]  # fmt: skip
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(support), str(here), *sys.path])}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("framework", ["torch", "huggingface", "lightning"])
def test_labels_of_all_ranks_equal_the_tape(ranks: list[dict], framework: str) -> None:
    parts = [rank[framework] for rank in ranks]

    def run(delivery, epochs: int):
        return [(epoch, np.array(index), np.array(target)) for part in parts for epoch, index, target in part["seen"]]

    check_adapter(run, DELIVERIES["sls"], epochs=EPOCHS)
    steps = list(zip(*(part["seen"] for part in parts), strict=True))
    assert len(steps) == EPOCHS * 4
    order = np.array([index for step in steps for _, index, _ in step]).reshape(EPOCHS, N)
    assert (np.sort(order, axis=1) == np.arange(N)).all()
    weight, bias = plain_loop(DELIVERIES["sls"], lambda epoch: order[epoch])
    for part in parts:  # the mean gradient of two halves is that of the whole
        np.testing.assert_allclose(part["weight"], weight, rtol=0, atol=1e-12)
        np.testing.assert_allclose(part["bias"], bias, rtol=0, atol=1e-12)


@pytest.mark.parametrize("framework", ["huggingface", "lightning"])
def test_examples_that_pad_a_rank_are_no_other_epoch(ranks: list[dict], framework: str) -> None:
    def run(delivery, epochs: int):
        triples = [triple for rank in ranks for triple in rank["ragged"][framework]]
        assert sum(len(index) for _, index, _ in triples) > 2 * 23
        return [(epoch, np.array(index), np.array(target)) for epoch, index, target in triples]

    check_adapter(run, SLS(VOTES[:23], seed=3), epochs=2)


def test_scores_are_those_of_all_processes(ranks: list[dict]) -> None:
    whole = score(linear()(torch.from_numpy(X)).detach(), VOTES, kind="logits", dialect=None).scores
    for rank in ranks:
        assert rank["scores"] == pytest.approx({key: whole[key] for key in ("soft_nll", "ece_equal_mass")})
        weight, bias = np.array(rank["huggingface"]["weight"]), np.array(rank["huggingface"]["bias"])
        trained = score(X @ weight.T + bias, VOTES, kind="logits")["soft_nll"]
        assert rank["eval_loss"] == pytest.approx(trained, rel=1e-12)
        assert weight.shape == (C, 4)
