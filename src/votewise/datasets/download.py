"""A download that resumes where it stopped and is verified by checksums."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from votewise.datasets.conversion import shares_md5
from votewise.errors import VotewiseError

Progress = Callable[[str, int, int], None]  # name of the file, bytes so far, total bytes

_CHUNK = 1 << 20
_TIMEOUT = 60  # seconds without a byte
_TRIES = 5


def download(url: str, part: Path, size: int, progress: Progress) -> None:
    """Download `url` to `part`, up to `size` bytes; bytes that `part` already has are not requested again.

    A broken connection is opened again, until a connection receives nothing.
    """
    reason, received = "", _held(part, size)
    for _ in range(_TRIES):
        if received == size:
            progress(part.stem, size, size)
            return
        before = received
        reason = _receive(url, part, before, size, progress)
        received = _held(part, size)
        if received <= before:
            break
    if received < size:
        raise VotewiseError(
            f"the download stopped after {received:,} of {size:,} bytes ({reason})",
            where=url,
            remedy="run the same command again" + (" to resume, " if received else ", ") + _by_hand(part),
        )


def verify(part: Path, url: str, checksums: Mapping[str, str]) -> None:
    """Verify all checksums of the file. If one differs, the file is deleted and the error names the checksum."""
    for kind, published in checksums.items():
        found = _checksum(part, kind)
        if found != published.lower():
            part.unlink()
            raise VotewiseError(
                f"this is not the published file: its {kind} is {found}, not {published}",
                where=url,
                remedy="run the command again; if it fails twice, the published file has changed",
            )


def _checksum(path: Path, kind: str) -> str:
    if kind == "md5 of the shares":
        return shares_md5(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.new(kind, usedforsecurity=False)).hexdigest()


def _held(part: Path, size: int) -> int:
    """Number of bytes in the file; a file that is too long is deleted."""
    held = part.stat().st_size if part.exists() else 0
    if held > size:
        part.unlink()
        return 0
    return held


def _receive(url: str, part: Path, received: int, size: int, progress: Progress) -> str:
    """Open a connection, append the received bytes to the `received` bytes of `part`, and return the reason why the connection ended."""
    headers = {"User-Agent": "votewise", "Accept-Encoding": "identity"} | (
        {"Range": f"bytes={received}-"} if received else {}
    )
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=_TIMEOUT) as answer:
            if not str(answer.headers["Content-Range"]).startswith(f"bytes {received}-"):
                received = 0  # a server without range support sends the whole file
            with _writing(part):
                file = part.open("ab" if received else "wb")
            with file:
                while chunk := answer.read(_CHUNK):
                    received += len(chunk)
                    if received > size:
                        break
                    with _writing(part):
                        file.write(chunk)
                    progress(part.stem, received, size)
    except urllib.error.HTTPError as error:
        with error:
            if error.code == 416:  # range not satisfiable: the local bytes are not a prefix of the remote file
                part.unlink(missing_ok=True)
                return "the partial file is not the beginning of the published file"
            raise VotewiseError(
                f"the server responded with {error.code} {error.reason}",
                where=url,
                remedy="try again later, " + _by_hand(part),
            ) from None
    except (OSError, http.client.HTTPException) as error:
        return str(getattr(error, "reason", error)) or type(error).__name__
    if received > size:
        part.unlink()
        raise VotewiseError(
            f"the download is longer than the published file of {size:,} bytes",
            where=url,
            remedy="the published file has changed: look for a newer version of votewise, " + _by_hand(part),
        )
    return "the server closed the connection"


@contextmanager
def _writing(part: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise VotewiseError(
            f"cannot be written ({error.strerror})", where=part, remedy="check the space and permissions there"
        ) from None


def _by_hand(part: Path) -> str:
    return f"or copy the file from elsewhere to {part}, and run the command again"
