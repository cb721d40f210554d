"""A store with finished runs and probe readings whose files are changed, missing or replaced, that is verified, gathered, archived and reported."""

from __future__ import annotations

import hashlib
import json
import math
import os
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
from votewise.studies import Results, Store, agenda, archive, conduct, verify
from votewise.studies.plan import make_plan
from votewise.workflows import report

_SEEN = ("config.json", "scores.json", "history.jsonl", "predictions.npz", "best.safetensors", "last.safetensors", "runs.json")  # fmt: skip
_PROBES = ("dynamics", "reliability")
_METHODS = (("soft",), ("soft",), ("soft",), ("soft", "sls"))  # a store of one run takes half of the time
_HOW = (
    "bit",
    "bit",
    "bytes",
    "bytes",
    "values",
    "values",
    "values",
    "signed",
    "signed",
    "gone",
    "folder",
    "pipe",
    "exchanged",
)
_THEN = (*["gather"] * 20, *["verify"] * 15, *["archive"] * 4, "report")  # slow checks are less frequent


class Here:
    """Executes jobs in this process."""

    def execute(self, jobs: Sequence[Any], work: Any, on_epoch: Any) -> Generator[Any]:
        for job in jobs:
            yield work.do(job, on_epoch)


@cache
def _base(methods: tuple[str, ...]) -> dict[str, bytes]:
    """The files of a small store, by their paths: a run of each method on 24 items, trained and probed."""
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
                "methods": list(methods),
                "seeds": [0],
                "preset": "demo",
                "recipe": {"model": "linear", "epochs": 2, "batch_size": 8},
                "probes": [{"name": name, "methods": list(methods)} for name in _PROBES],
            },
            where="a small plan",
        )
        store = Store(folder / "store")
        conduct(agenda([plan], store, probes=True), store, executor=Here())
        found = {
            str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
        }
        return {name: _anywhere(name, content, folder) for name, content in found.items() if ".lock" not in name}


def _anywhere(name: str, content: bytes, folder: Path) -> bytes:
    """The content of a file without the path of the store and the training time, so that it is the same on every machine."""
    if name.endswith("timing.jsonl"):
        return json.dumps(sealed({**json.loads(content), "seconds": 1.0})).encode() + b"\n"
    return content.replace(str(folder).encode(), b"@")


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    files = write(draws.pick(_METHODS), folder)
    inside = [name for name in files if name.startswith("store/")]
    share = {name: 3 if name.endswith(("scores.json", "history.jsonl", "predictions.npz")) else 1 for name in inside}
    name = draws.pick([name for name in inside for _ in range(share[name])])
    path = folder / name
    before = path.read_bytes()
    how = draws.pick(_HOW)
    match how:
        case "bit":
            content = bytearray(before)
            content[draws.below(len(content))] ^= 1 << draws.below(8)
            path.write_bytes(content)
        case "values" | "signed" if path.suffix in (".json", ".jsonl"):
            path.write_bytes(_other_values(draws, path.name, before))
            if how == "signed":
                _sign(path)
        case "gone":
            path.unlink()
        case "folder":
            path.unlink()
            path.mkdir()
        case "pipe":
            path.unlink()
            os.mkfifo(path)
        case "exchanged":
            path.write_bytes((folder / draws.pick(inside)).read_bytes())
        case _:
            path.write_bytes(damaged_bytes(draws, before))
    probe = "/probes/" in name
    seen = how in ("bit", "bytes") and (path.name in _SEEN or probe) and not _same(path, before)
    seen |= how in ("gone", "folder", "pipe") and path.name in _SEEN and path.name != "runs.json"
    return {"seen": bool(seen), "file": "a reading of a probe" if probe else path.name, "then": draws.pick(_THEN)}


def _same(path: Path, before: bytes) -> bool:
    """Whether a file still says the same: another last digit of a number in JSON can mean the same number."""
    now = path.read_bytes()
    if path.suffix != ".json":
        return now == before
    try:
        return bool(json.loads(now) == json.loads(before))
    except ValueError:
        return False


def write(methods: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """Write a store without any damage and its data, and return the paths of the files."""
    files = _base(methods)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(_placed(name, content, folder))
    return tuple(files)


def _placed(name: str, content: bytes, folder: Path) -> bytes:
    """A file that names the data, with the current data folder and a valid digest."""
    content = content.replace(b"@", str(folder).encode()) if name.endswith(("data.json", "plan.toml")) else content
    return json.dumps(sealed(json.loads(content))).encode() if name.endswith("data.json") else content


def _sign(path: Path) -> None:
    """Update the digests after a file was changed."""
    content = path.read_bytes()
    scores = path.parent / "scores.json"
    if path.name in ("config.json", "history.jsonl"):
        summary = json.loads(scores.read_bytes())
        summary["digests"][path.name] = hashlib.sha256(content).hexdigest()
        scores.write_text(json.dumps(sealed(summary)))
    elif path.suffix == ".json" and isinstance(value := json.loads(content), dict):
        path.write_text(json.dumps(sealed(value)))


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
    elif used["then"] == "archive":
        hold(archive(store, folder / "copy") > 0, "there are runs in an archive")
    elif used["then"] == "report":
        hold(report(store, formats=()), "there is a page")
    shutil.rmtree(store)


TARGET = Target(make, check)
