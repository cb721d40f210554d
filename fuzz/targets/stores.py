"""A store with finished runs and probe readings, with changed bits, lengths and values and missing files, that is verified, gathered and reported."""

from __future__ import annotations

import json
import math
import shutil
import tempfile
from collections.abc import Generator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.cases import Target
from fuzz.draws import Draws
from fuzz.mutation import damaged_bytes, damaged_value
from fuzz.promises import hold
from votewise.hashing import sealed
from votewise.studies import Results, Store, agenda, conduct, verify
from votewise.studies.plan import make_plan

_SEEN = ("config.json", "scores.json", "history.jsonl", "predictions.npz", "best.safetensors", "last.safetensors", "runs.json")  # fmt: skip
_PROBES = ("dynamics", "reliability")


class Here:
    """Executes jobs in this process."""

    def execute(self, jobs: Sequence[Any], work: Any, on_epoch: Any) -> Generator[Any]:
        for job in jobs:
            yield work.do(job, on_epoch)


@cache
def _base() -> dict[str, bytes]:
    """The files of a small store, by their paths: two methods on twelve items, trained, probed and reported."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        rows = [
            f"{item},p{annotator},{'abc'[(item * annotator + item) % 3]}"
            for item in range(24)
            for annotator in range(4)
        ]
        (folder / "votes.csv").write_text("\n".join(["item,annotator,label", *rows]) + "\n")
        kind = np.arange(24)[:, None] % np.arange(2, 6)
        np.save(folder / "inputs.npy", np.asarray(kind, np.float32))
        plan = make_plan(
            {
                "name": "small",
                "dataset": {"inputs": str(folder / "inputs.npy"), "votes": str(folder / "votes.csv")},
                "methods": ["soft", "sls"],
                "seeds": [0],
                "preset": "demo",
                "recipe": {"model": "linear", "epochs": 2, "batch_size": 8},
                "probes": [{"name": name, "methods": ["soft", "sls"]} for name in _PROBES],
            },
            where="a small plan",
        )
        store = Store(folder / "store")
        conduct(agenda([plan], store, probes=True), store, executor=Here())
        found = {
            str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
        }
        return {
            name: content.replace(str(folder).encode(), b"@") for name, content in found.items() if ".lock" not in name
        }


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    files = dict(_base())
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(_placed(name, content, folder))
    inside = [name for name in files if name.startswith("store/")]
    share = {name: 3 if name.endswith(("scores.json", "history.jsonl", "predictions.npz")) else 1 for name in inside}
    name = draws.pick([name for name in inside for _ in range(share[name])])
    path = folder / name
    before = path.read_bytes()
    how = draws.pick(("bit", "bit", "bytes", "bytes", "values", "values", "values", "gone", "folder", "exchanged"))
    match how:
        case "bit":
            content = bytearray(before)
            content[draws.below(len(content))] ^= 1 << draws.below(8)
            path.write_bytes(content)
        case "values" if path.suffix in (".json", ".jsonl"):
            path.write_bytes(_other_values(draws, path.name, before))
        case "gone":
            path.unlink()
        case "folder":
            path.unlink()
            path.mkdir()
        case "exchanged":
            path.write_bytes((folder / draws.pick(inside)).read_bytes())
        case _:
            path.write_bytes(damaged_bytes(draws, before))
    seen = how in ("bit", "bytes") and (path.name in _SEEN or "/probes/" in name) and path.read_bytes() != before
    return {"seen": seen, "file": path.name if "/probes/" not in name else "a reading of a probe", "then": draws.pick(("gather", "gather", "verify"))}  # fmt: skip


def _placed(name: str, content: bytes, folder: Path) -> bytes:
    """A file that names the data, with the current data folder; digests stay valid, because only notes and plans name the data."""
    return content.replace(b"@", str(folder).encode()) if name.endswith(("data.json", "plan.toml")) else content


def _other_values(draws: Draws, name: str, content: bytes) -> bytes:
    """Other values in a JSON file; the digest of scores.json is that of the changed content."""
    lines = name.endswith("jsonl")
    value = [json.loads(line) for line in content.splitlines()] if lines else json.loads(content)
    value = damaged_value(draws, value, 2)
    if lines and isinstance(value, list):
        return "".join(json.dumps(line) + "\n" for line in value).encode()
    if name == "scores.json" and isinstance(value, dict):
        value = sealed(value)
    return json.dumps(value).encode()


def check(folder: Path, used: dict[str, Any]) -> None:
    store = folder / "store"
    found = verify(store)
    hold(not used["seen"] or found.problems or found.unfinished, f"verify sees that {used['file']} was damaged")
    if used["then"] == "gather":
        table = Results.of(Store(store)).table
        hold(table.width > 0 and not math.isnan(table.height), "results are a table")
    shutil.rmtree(store)


TARGET = Target(make, check)
