"""The folder of a run: whole when each file is what `scores.json` says it is.

Beside those files three notes decide nothing: `data.json` says where the data was, `failure.json` why the run failed on its own, until it is
tried again, and `archived.json` which of the large files an archive left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.wording import listing

LARGE = ("predictions.npz", "best.safetensors", "last.safetensors")  # what an archive may leave out
FILES = ("config.json", "history.jsonl", *LARGE)


def finished(folder: Path) -> bool:
    """Whether the folder holds a whole run: scores that match their own digest and name those of files that match them."""
    return next(damage(folder), None) is None


def damage(folder: Path) -> Iterator[str]:
    """What keeps the folder from holding a whole run: `scores.json` where that is at fault, else each file that is."""
    try:
        scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
        named, signed = dict(scores["digests"]), sealed(scores)
    except FileNotFoundError:
        yield "scores.json is not there"
        return
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        yield "scores.json cannot be read"
        return
    if scores.get("digest", signed["digest"]) != signed["digest"]:  # older runs have none
        yield "scores.json does not match its digest"
    elif set(named) != set(FILES):
        yield f"digests are given for {listing(sorted(named))}, not for {listing(FILES)}"
    else:
        absent = [name for name in left_out(folder) if not (folder / name).exists()]
        wanted = [name for name in FILES if name not in absent]
        yield from (f"{name} {wrong}" for name in wanted if (wrong := _against(folder / name, named[name])))


def left_out(folder: Path) -> tuple[str, ...]:
    """The large files that an archive left out of this folder."""
    named = archive_note(folder).get("left_out", ())
    return tuple(name for name in LARGE if name in named)


def archive_note(folder: Path) -> dict[str, Any]:
    """What an archive noted of a run: `left_out`, the files that are not there, and `evaluated`, the number of held-out items."""
    try:
        return dict(json.loads((folder / "archived.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def _against(path: Path, digest: str) -> str | None:
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


def note_origin(folder: Path, origin: Mapping[str, Any] | None) -> None:
    """Note where the data of a run is, so that it is found when the run is looked at; data that was moved is noted anew."""
    path, content = folder / "data.json", json.dumps(origin, indent=1, sort_keys=True, default=str).encode() + b"\n"
    with suppress(OSError, VotewiseError):  # in a store that may only be read nothing is noted
        if origin is not None and not (path.exists() and path.read_bytes() == content):
            write_atomic(path, content)


def note_failure(folder: Path, why: str) -> None:
    """Note that a run failed on its own, and why."""
    with suppress(OSError):  # told when it is written to
        folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "failure.json", json.dumps({"why": why}).encode() + b"\n")


def sha256(path: Path) -> str:
    """The digest of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
