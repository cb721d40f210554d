"""A probe of stored runs: what it asks, what it found, and the file beside the run where that is kept.

RUN/probes/<probe>-<id8>.json   id8 is a hash of the probe's parameters, its version and the other run. Written once; measured again only if
                                the weights, or other data that the probe needs, are no longer those it was measured on.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.probes.reading import Reading
from votewise.probes.subject import Subject
from votewise.training import Config

CHUNK = 256  # examples at a time: what bounds the memory of a probe


class Probe(BaseModel):
    """The parameters of a probe; they and its version decide what it finds. A subclass says how that is measured."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]
    version: ClassVar[int] = 1
    pair: ClassVar[bool] = False  # whether it compares a run with another one
    mutual: ClassVar[bool] = False  # and says of both the same
    checkpoint: Literal["best", "last"] = "best"

    def fits(self, *configs: Config) -> bool:
        """Whether there is something to measure in these runs."""
        return True

    def require(self, dataset: Dataset) -> None:
        """Refuse a dataset that lacks what is needed to measure anything."""

    def data(self, dataset: Dataset) -> dict[str, Any]:
        """Name, size and digest of what is measured besides the items of the run. A reading of other data is stale."""
        return {}

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        """Look at a run, or at a run and another one."""
        raise NotImplementedError

    def path(self, folder: Path, *others: str) -> Path:
        """Where the reading is kept: beside the run in `folder`; `others` are the ids of the runs it is compared with."""
        parameters = self.model_dump(mode="json", exclude_none=True)  # so that a new option renames nothing
        asked = {"parameters": parameters, "version": self.version, "others": list(others)}
        id8 = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:8]
        return folder / "probes" / f"{self.name}-{id8}.json"


def read(path: Path, weights: Sequence[str] | None = None, data: Mapping[str, Any] | None = None) -> Reading | None:
    """The reading in a file, or None if it is missing, damaged, or of other `weights` or `data` than those with these digests."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        numbers = {name: None if value is None else float(value) for name, value in found["numbers"].items()}
        curves = {
            name: {column: list(values) for column, values in curve.items()} for name, curve in found["curves"].items()
        }
        stale = weights not in (None, found["weights"]) or data not in (None, found.get("data", {}))
        return None if stale else Reading(numbers, curves, tuple(found["notes"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def take(probe: Probe, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
    """Measure and write it beside the run, or give back what is there."""
    runs = (subject, *others)
    path = probe.path(subject.run.folder, *(other.id for other in others))
    weights = [each.run.checkpoint(probe.checkpoint).digest for each in runs]
    data = probe.data(subject.dataset)
    if (there := read(path, weights, data)) is not None:
        return there
    found = probe.measure(subject, *others, chunk=chunk)
    content: dict[str, Any] = {
        "probe": probe.name,
        "version": probe.version,
        "parameters": probe.model_dump(mode="json"),
        "runs": [each.id for each in runs],
        "weights": weights,
        "data": data,
        "numbers": {name: _finite(value) for name, value in found.numbers.items()},
        "curves": {
            name: {column: [_finite(value) for value in values] for column, values in curve.items()}
            for name, curve in found.curves.items()
        },
        "notes": list(found.notes),
    }
    try:
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, json.dumps(content, sort_keys=True, allow_nan=False).encode() + b"\n")
    except OSError as error:
        raise VotewiseError(
            f"cannot be written ({error.strerror})", where=path, remedy="check the space and permissions there"
        ) from None
    return Reading(content["numbers"], content["curves"], found.notes)


def _finite(value: Any) -> float | None:
    """A number for JSON; what is not defined is null."""
    return float(value) if value is not None and math.isfinite(value) else None
