"""Fetching a dataset: download, check, convert, put in place."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from votewise.datasets.download import Progress, download, verify
from votewise.datasets.downloads import DOWNLOADS, Download
from votewise.datasets.folder import data_folder
from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.wording import listing


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of it: files that were written, and files that were there already and were left alone."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]


def _quiet(name: str, done: int, size: int) -> None: ...


def fetch(
    name: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    sha256: str | None = None,
    progress: Progress = _quiet,
) -> Fetched:
    """Bring a dataset from its official place to `folder` (VOTEWISE_DATA, else the user's cache), in the layout of `load`.

    A download that was broken off goes on where it stopped; nothing stands under its final name before it is checked,
    converted and whole. `sha256` is for a source without a published checksum, which is refused otherwise.
    """
    if name not in DOWNLOADS:
        raise VotewiseError(
            f"there is nothing to fetch under the name {name!r}", remedy=f"choose one of {listing(DOWNLOADS)}"
        )
    root = data_folder(folder)
    kept = [source for source in DOWNLOADS[name] if (root / source.file).exists()]
    missing = {source.file: _checksums(source, sha256) for source in DOWNLOADS[name] if source not in kept}
    for source in DOWNLOADS[name]:
        target = root / source.file
        part = target.with_name(f"{source.name}.part")
        if source.file in missing:
            _make_folder(target.parent)
            download(source.url, part, source.size, progress)
            verify(part, source.url, missing[source.file])
            write_atomic(target, source.make(part))
        part.unlink(missing_ok=True)
    return Fetched(tuple(root / file for file in missing), tuple(root / source.file for source in kept))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise VotewiseError(
            f"cannot be made ({error.strerror})", where=folder, remedy="name another folder with --folder"
        ) from None


def _checksums(source: Download, sha256: str | None) -> dict[str, str]:
    if source.checksums:
        return dict(source.checksums)
    if sha256 is None:
        raise VotewiseError(
            f"no checksum of {source.name} is published, so what comes could not be checked",
            where=source.url,
            remedy="give the one you trust with --sha256, as of a copy that somebody you know has",
        )
    if not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise VotewiseError(f"{sha256!r} is no SHA-256", remedy="give its 64 hexadecimal digits")
    return {"sha256": sha256}
