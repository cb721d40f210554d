"""A probe of stored runs: its parameters, how to run it, and the file next to the run that stores its reading.

RUN/probes/<probe>-<id8>.json   id8 is a hash of the probe's parameters, its version and the other run. A stored reading is reused, unless the
                                weights or the data of the probe have changed, or the file does not match its own digest.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import ConfigDict

from votewise.datasets import Dataset
from votewise.files import make_folder, read_text, write_atomic
from votewise.hashing import seal_holds, sealed
from votewise.probes.names import CHUNK
from votewise.probes.reading import Reading
from votewise.training import Config
from votewise.validation import Checked

if TYPE_CHECKING:
    from votewise.probes.probed_run import ProbedRun


class Probe(Checked):
    """A probe with its parameters, which determine the reading together with its version. A subclass implements `measure`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: ClassVar[str]  # these four are set by keywords of the class statement
    version: ClassVar[int]
    pair: ClassVar[bool]  # whether it compares a run with another one
    mutual: ClassVar[bool]  # whether its numbers describe both runs
    checkpoint: Literal["best", "last"] = "best"

    def __init_subclass__(
        cls, *, name: str = "", version: int = 1, pair: bool = False, mutual: bool = False, **more: Any
    ) -> None:
        cls.name, cls.version, cls.pair, cls.mutual = name, version, pair, mutual
        super().__init_subclass__(**more)

    def fits(self, *configs: Config) -> bool:
        """Whether the probe applies to these runs."""
        return True

    def require(self, dataset: Dataset) -> None:
        """Raise if the dataset does not support the probe."""

    def data(self, dataset: Dataset) -> dict[str, Any]:
        """Name, size and digest of the data that the probe uses in addition to the items of the run. A reading of other data is stale."""
        return {}

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        """Measure one run, or a pair of runs."""
        raise NotImplementedError

    def path(self, folder: Path, *others: str) -> Path:
        """The path of the reading of the run in `folder`; `others` are the ids of the runs it is compared with."""
        parameters = self.model_dump(
            mode="json", exclude_none=True
        )  # without defaults, so that a new option does not rename files
        identity = {"parameters": parameters, "version": self.version, "others": list(others)}
        id8 = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:8]
        return folder / "probes" / f"{self.name}-{id8}.json"


def read_reading(
    path: Path, weights: Sequence[str] | None = None, data: Mapping[str, Any] | None = None
) -> Reading | None:
    """The reading in a file; None if it is missing, damaged, or belongs to other `weights` or `data`."""
    try:
        content = dict(json.loads(read_text(path)))
        numbers = {key: _number(value) for key, value in content["numbers"].items()}
        curves: dict[str, Any] = {
            name: {column: [_number(value) for value in values] for column, values in curve.items()}
            for name, curve in content["curves"].items()
        }
        "".join((*numbers, *curves, *content["notes"])).encode()  # raises for half a surrogate pair
        if seal_holds(content) is False:  # damaged; older readings have no digest
            return None
        stale = weights not in (None, content["weights"]) or data not in (None, content.get("data", {}))
        return None if stale else Reading(numbers, curves, tuple(content["notes"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def run_probe(probe: Probe, *runs: ProbedRun, chunk: int = CHUNK) -> Reading:
    """Run a probe on one run or a pair of runs and store the reading next to the first run, or return the stored reading."""
    first, *others = runs
    path = probe.path(first.run.folder, *(other.id for other in others))
    weights = [run.run.checkpoint(probe.checkpoint).digest for run in runs]
    data = probe.data(first.dataset)
    if (stored := read_reading(path, weights, data)) is not None:
        return stored
    reading = probe.measure(first, *others, chunk=chunk)
    content: dict[str, Any] = {
        "probe": probe.name,
        "version": probe.version,
        "parameters": probe.model_dump(mode="json"),
        "runs": [run.id for run in runs],
        "weights": weights,
        "data": data,
        "numbers": {key: _finite(value) for key, value in reading.numbers.items()},
        "curves": {
            name: {column: [_finite(value) for value in values] for column, values in curve.items()}
            for name, curve in reading.curves.items()
        },
        "notes": list(reading.notes),
    }
    make_folder(path.parent)
    write_atomic(path, json.dumps(sealed(content), sort_keys=True, allow_nan=False).encode() + b"\n")
    return Reading(content["numbers"], content["curves"], reading.notes)


def _finite(value: Any) -> float | None:
    """A number for JSON; null if it is not defined."""
    return float(value) if value is not None and math.isfinite(value) else None
