"""Sixty items with four features and five votes each, as files of a user, and a plan for them that trains in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from fuzz.kills import bits as bits_of

from votewise.studies import Plan
from votewise.studies.plan import make_plan


def write_data(folder: Path, items: int = 60) -> Path:
    """Write inputs.npy and votes.csv to a folder."""
    rng = np.random.default_rng(7)
    kind = np.arange(items) % 3
    features = rng.normal(size=(items, 4)) + 2 * np.eye(3, 4)[kind]
    np.save(folder / "inputs.npy", features.astype(np.float32))
    lines = ["item,annotator,label"]
    for item in range(items):
        for annotator in range(5):
            seen = kind[item] if rng.random() < 0.7 else rng.integers(3)
            lines.append(f"{item},p{annotator},{'abc'[seen]}")
    (folder / "votes.csv").write_text("\n".join(lines) + "\n")
    return folder


def toy_plan(folder: Path, epochs: int = 3, **changes: Any) -> Plan:
    """Two methods, two seeds, a few epochs of logistic regression, on the data in a folder."""
    values = {
        "name": "toy",
        "dataset": {"inputs": str(folder / "inputs.npy"), "votes": str(folder / "votes.csv")},
        "methods": ["soft", "sls"],
        "seeds": [0, 1],
        "preset": "demo",
        "recipe": {"model": "linear", "epochs": epochs, "batch_size": 16},
    }
    return make_plan({**values, **changes}, where="toy plan")


def bits(store: Path) -> dict[str, str]:
    """The digest of every file of every run, except files without guaranteed bits."""
    return bits_of(store, ("runs",))
