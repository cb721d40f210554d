"""Fetches a dataset: download, verify, convert, move into place."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from votewise.datasets.download import Progress, download, verify
from votewise.datasets.downloads import DOWNLOADS, Download
from votewise.datasets.folder import data_folder
from votewise.errors import VotewiseError
from votewise.files import make_folder, write_atomic
from votewise.wording import listing


@dataclass(frozen=True, slots=True)
class Fetched:
    """The files that were written, and those that already existed."""

    written: tuple[Path, ...]
    kept: tuple[Path, ...]


def fetch(
    name: str,
    folder: str | os.PathLike[str] | None = None,
    *,
    sha256: str | None = None,
    progress: Progress = lambda *_: None,
) -> Fetched:
    """Download a dataset from its official source into the data folder, in the layout of `load_dataset`.

    An interrupted download resumes. A file gets its final name only after it has been verified and converted.

    Args:
        name: 'cifar10h', 'cifar100', 'svhn', 'chaosnli' or 'popquorn'.
        folder: target folder. Default: the environment variable VOTEWISE_DATA, or the user's cache.
        sha256: the checksum of a file without a published checksum; required for such files.
        progress: called with the name of a file, the bytes so far and the total bytes.

    Raises:
        VotewiseError: the name is unknown, the download failed, or a checksum differs.
    """
    if name not in DOWNLOADS:
        raise VotewiseError(f"unknown dataset {name!r}", remedy=f"choose one of {listing(DOWNLOADS)}")
    root = data_folder(folder)
    kept = [item for item in DOWNLOADS[name] if (root / item.file).exists()]
    missing = {item.file: _checksums(item, sha256) for item in DOWNLOADS[name] if item not in kept}
    for item in DOWNLOADS[name]:
        target = root / item.file
        part = target.with_name(f"{item.name}.part")
        if item.file in missing:
            make_folder(target.parent, "name another folder with --folder")
            download(item.url, part, item.size, progress)
            verify(part, item.url, missing[item.file])
            write_atomic(target, item.make(part))
        part.unlink(missing_ok=True)
    return Fetched(tuple(root / file for file in missing), tuple(root / item.file for item in kept))


def _checksums(item: Download, sha256: str | None) -> dict[str, str]:
    if item.checksums:
        return dict(item.checksums)
    if sha256 is None:
        raise VotewiseError(
            f"no checksum of {item.name} is published, so the download cannot be verified",
            where=item.url,
            remedy="give a trusted checksum with --sha256, for example of a known copy",
        )
    if not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise VotewiseError(f"sha256 must be 64 hexadecimal digits, got {sha256!r}")
    return {"sha256": sha256}
