"""The files in the folder of a run: names, digests and integrity checks.

    STORE/runs/<dataset>-<method>-s<seed>-<id>/
        config.json  history.jsonl  predictions.npz  best.safetensors  last.safetensors  scores.json
        environment.json  timing.jsonl  data.json  failure.json  archived.json  probes/

`scores.json` is written last and holds the SHA-256 of the other files of the first line and of itself: a run is finished if they match. The
files of the second line do not matter for that: versions and machine, seconds of training, the location of the data, the reason of a failure
(removed by the next attempt), and the large files that an archive left out. The first three (`NOTES`) and readings of probes contain a digest of
themselves; the last two do not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from votewise.errors import VotewiseError
from votewise.files import open_regular, read_text
from votewise.hashing import seal_holds
from votewise.validation import checked
from votewise.wording import listing

RUNS = "runs"  # the folder of all runs in a store
CONFIG, HISTORY, SCORES, PREDICTIONS = "config.json", "history.jsonl", "scores.json", "predictions.npz"
ENVIRONMENT, TIMING = "environment.json", "timing.jsonl"
DATA, FAILURE, ARCHIVED = "data.json", "failure.json", "archived.json"
NOTES = (ENVIRONMENT, TIMING, DATA)  # files with a digest of themselves
LARGE = (PREDICTIONS, "best.safetensors", "last.safetensors")  # files that an archive leaves out
DIGESTED = (CONFIG, HISTORY, *LARGE)
SMALL = (
    CONFIG,
    HISTORY,
    ENVIRONMENT,
    TIMING,
    SCORES,
)  # files that an archive copies, with the scores last, as in training


def damage(folder: Path, sha256: Callable[[Path], str]) -> Iterator[str]:
    """The problems that make a run unfinished: the one of `scores.json` or, if that is intact, one for each damaged file."""
    try:
        scores = json.loads(read_text(folder / SCORES))
        digests, seal = dict(scores["digests"]), seal_holds(scores)
    except FileNotFoundError:
        yield f"{SCORES} is missing"
        return
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        yield f"{SCORES} cannot be read"
        return
    if seal is False:  # None: older runs have no digest
        yield f"{SCORES} does not match its digest"
    elif set(digests) != set(DIGESTED):
        yield f"{SCORES} has digests of {listing(sorted(digests))}, expected {listing(DIGESTED)}"
    elif wrong := _misshapen(scores):
        yield f"{SCORES} has an unexpected value: {wrong}"
    else:
        archived = [name for name in left_out(folder) if not (folder / name).exists()]
        for name in DIGESTED:
            if name not in archived and (fault := _fault(folder / name, digests[name], sha256)):
                yield f"{name} {fault}"


def left_out(folder: Path) -> tuple[str, ...]:
    """The large files that the archive left out."""
    named = archive_note(folder).get("left_out", ())
    return tuple(name for name in LARGE if name in named)


def archive_note(folder: Path) -> dict[str, Any]:
    """The note of an archive on a run: `left_out`, the files that were left out, and `evaluated`, the number of held-out items."""
    return content(folder / ARCHIVED) or {}


def content(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file; None if it is missing or damaged."""
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _fault(path: Path, digest: str, sha256: Callable[[Path], str]) -> str | None:
    try:
        return None if sha256(path) == digest else "does not match its digest"
    except FileNotFoundError:
        return "is missing"
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def _encodable(text: str) -> str:
    text.encode()  # raises for half a surrogate pair, which JSON can escape
    return text


Key = Annotated[str, AfterValidator(_encodable)]


class _Net(BaseModel):
    model_config = ConfigDict(strict=True)

    classes: list[str]
    shape: list[int]
    mean: list[float]
    std: list[float]


class _Summary(BaseModel):
    """Check the types in `scores.json`. A digest detects damage, but does not show who wrote the file."""

    model_config = ConfigDict(strict=True)

    best: dict[Key, float]
    last: dict[Key, float]
    best_against_truth: dict[Key, float] = {}
    last_against_truth: dict[Key, float] = {}
    best_epoch: int = Field(ge=0)
    epochs: int = Field(ge=1)
    interpolation: dict[Literal["target_entropy", "train_loss_best", "train_loss_last"], float] = Field(min_length=3)
    tape: str
    exact: bool
    net: _Net | None = None
    digests: dict[str, str]


def _misshapen(scores: Mapping[str, Any]) -> str | None:
    """The first value whose type differs from what a run writes, if any."""
    try:
        checked(_Summary, scores)
    except VotewiseError as error:
        return str(error)
    return None


def sha256(path: Path) -> str:
    """The digest of a file, in hex."""
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def known_sha256(path: Path) -> str:
    """The digest of a file, which is not computed again while the size, the time and the place of the file on the disk stay the same."""
    about = path.stat()
    return _known(path, about.st_size, about.st_mtime_ns, about.st_ino, about.st_dev)


@lru_cache(1 << 16)
def _known(path: Path, *_version: int) -> str:
    return sha256(path)


def as_json(value: Any) -> bytes:
    """The content of a JSON file of a run."""
    return json.dumps(value, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"
