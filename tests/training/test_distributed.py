"""One run over two processes: the same labels as one process, whatever the sharding, and a net that learns the same way."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from toy import toy_dataset
from votewise.training import Recipe, complete, configure, method

PROGRAM = """
import sys
sys.path.insert(0, {support!r})
from pathlib import Path
import torch.distributed as dist
from toy import toy_dataset
from votewise.training import configure, complete, method, Recipe
dist.init_process_group("gloo")
dataset = toy_dataset(60)
config = configure(dataset, method("sls"), Recipe.preset("demo", model="mlp", epochs=6, batch_size={size}), seed=2)
assert complete(dataset, config, Path(sys.argv[1])).finished  # on every rank
dist.destroy_process_group()
"""


@pytest.mark.parametrize("size", [16, 47])  # of 48 items: the last batch of 47 has an example for only one process
def test_two_processes_tell_the_labels_of_one(size: int, tmp_path: Path) -> None:
    dataset = toy_dataset(60)
    config = configure(dataset, method("sls"), Recipe.preset("demo", model="mlp", epochs=6, batch_size=size), seed=2)
    alone = complete(dataset, config, tmp_path / "one").summary
    (tmp_path / "program.py").write_text(PROGRAM.format(support=str(Path(__file__).parents[1] / "support"), size=size))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--nproc-per-node=2",
        "--master-addr=127.0.0.1",
        f"--master-port={port}",
    ]
    done = subprocess.run([*torchrun, tmp_path / "program.py", tmp_path / "two"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "two/runs").iterdir()
    together = json.loads((folder / "scores.json").read_text())
    assert together["tape"] == alone["tape"]
    # The mlp has no batch statistics, so the mean gradient of two halves is that of the whole, up to rounding.
    assert together["last"]["soft_nll"] == pytest.approx(alone["last"]["soft_nll"], abs=1e-4)
