"""The files of a run's folder: their names, their digests, and what damages them.

    STORE/runs/<dataset>-<method>-s<seed>-<id>/
        config.json  history.jsonl  predictions.npz  best.safetensors  last.safetensors  scores.json
        environment.json  timing.jsonl  data.json  failure.json  archived.json  probes/

`scores.json` is written last and holds the SHA-256 of the other files of the first line and of itself: a run is finished if they match. The
files of the second line decide nothing: versions and machine, seconds of training, where the data was, why the run failed (until it is tried
again), and which of the large files an archive left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from votewise.wording import listing

RUNS = "runs"  # the folder of all runs in a store
CONFIG, HISTORY, SCORES, PREDICTIONS = "config.json", "history.jsonl", "scores.json", "predictions.npz"
ENVIRONMENT, TIMING = "environment.json", "timing.jsonl"
DATA, FAILURE, ARCHIVED = "data.json", "failure.json", "archived.json"
LARGE = (PREDICTIONS, "best.safetensors", "last.safetensors")  # an archive leaves them out
DIGESTED = (CONFIG, HISTORY, *LARGE)
SMALL = (CONFIG, HISTORY, ENVIRONMENT, TIMING, SCORES)  # an archive copies them, the scores last as in training


def damage(folder: Path) -> Iterator[str]:
    """What keeps the folder from holding a finished run: a fault of `scores.json`, else each file with one."""
    try:
        scores = json.loads((folder / SCORES).read_text(encoding="utf-8"))
        digests, expected = dict(scores["digests"]), sealed(scores)["digest"]
    except FileNotFoundError:
        yield f"{SCORES} is not there"
        return
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        yield f"{SCORES} cannot be read"
        return
    if scores.get("digest", expected) != expected:  # older runs have none
        yield f"{SCORES} does not match its digest"
    elif set(digests) != set(DIGESTED):
        yield f"digests are given for {listing(sorted(digests))}, not for {listing(DIGESTED)}"
    else:
        archived = [name for name in left_out(folder) if not (folder / name).exists()]
        for name in DIGESTED:
            if name not in archived and (fault := _fault(folder / name, digests[name])):
                yield f"{name} {fault}"


def left_out(folder: Path) -> tuple[str, ...]:
    """The large files that an archive left out of this folder."""
    named = archive_note(folder).get("left_out", ())
    return tuple(name for name in LARGE if name in named)


def archive_note(folder: Path) -> dict[str, Any]:
    """What an archive noted of a run: `left_out`, the files that are not there, and `evaluated`, the number of held-out items."""
    try:
        return dict(json.loads((folder / ARCHIVED).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _fault(path: Path, digest: str) -> str | None:
    try:
        return None if sha256(path) == digest else "does not match its digest"
    except FileNotFoundError:
        return "is not there"
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def sealed(scores: Mapping[str, Any]) -> dict[str, Any]:
    """The content of `scores.json` with a digest of all the rest of it."""
    rest = {key: value for key, value in scores.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return {**rest, "digest": hashlib.sha256(text.encode()).hexdigest()}


def sha256(path: Path) -> str:
    """The digest of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def as_json(value: Any) -> bytes:
    """The content of a JSON file of a run."""
    return json.dumps(value, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"
