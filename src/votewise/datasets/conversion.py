"""Converts official downloads to the files that `load` reads."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.datasets.pickles import read_pickle
from votewise.errors import VotewiseError
from votewise.packed import ArrayFile, read_tar
from votewise.wording import reason

_LARGEST = 1 << 30  # maximum bytes of an unpacked archive; those of CIFAR have 186 MB


def as_it_is(path: Path) -> bytes:
    return path.read_bytes()


def cifar10_test(path: Path) -> bytes:
    """`images` uint8 [N, 32, 32, 3] and `labels` uint8 [N] from cifar-10-python.tar.gz."""
    name = "cifar-10-batches-py/test_batch"
    batch = read_pickle(read_tar(path, [name], _LARGEST)[name], f"{path}, {name}")
    return _npz(**_images(batch, "labels", path))


def cifar100_test(path: Path) -> bytes:
    """`images` uint8 [N, 32, 32, 3], `labels` uint8 [N] (fine) and `class_names` [100] from cifar-100-python.tar.gz."""
    test, meta = "cifar-100-python/test", "cifar-100-python/meta"
    files = read_tar(path, [test, meta], _LARGEST)
    names = read_pickle(files[meta], f"{path}, {meta}").get("fine_label_names")
    if not isinstance(names, list) or not all(isinstance(name, bytes | str) for name in names):
        raise _other(path, "fine_label_names")
    text = [name.decode() if isinstance(name, bytes) else name for name in names]
    return _npz(**_images(read_pickle(files[test], f"{path}, {test}"), "fine_labels", path), class_names=np.array(text))


def svhn_test(path: Path) -> bytes:
    """`images` uint8 [N, 32, 32, 3] and `labels` uint8 [N] from test_32x32.mat, where the digit 0 has the label 10."""
    from scipy.io import loadmat

    try:
        file = loadmat(path, variable_names=("X", "y"))
        images, labels = file["X"].transpose(3, 0, 1, 2), file["y"].ravel() % 10
    except Exception as error:  # SciPy may raise anything on a damaged file
        raise VotewiseError(
            f"cannot be read as a MATLAB file ({reason(error)})",
            where=path,
            remedy="fetch it again; it may be truncated",
        ) from None
    if images.dtype != np.uint8 or images.shape != (len(labels), 32, 32, 3):
        raise _other(path, "X")
    return _npz(images=np.ascontiguousarray(images), labels=labels.astype(np.uint8))


def shares_md5(path: Path) -> str:
    """MD5 of CIFAR-10H's `cifar10h-probs.npy`, computed from the counts in this file."""
    (counts,) = ArrayFile(path).values()
    buffer = io.BytesIO()
    np.save(buffer, counts / counts.sum(axis=1, keepdims=True))
    return hashlib.md5(buffer.getvalue(), usedforsecurity=False).hexdigest()


def _images(batch: dict[str, Any], labels: str, path: Path) -> dict[str, NDArray[np.uint8]]:
    """The rows of a batch [N, 3072], channel by channel, as images."""
    data, label = batch.get("data"), np.asarray(batch.get(labels, []))
    if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or data.shape != (len(label), 3072):
        raise _other(path, "data")
    if label.dtype.kind not in "iu" or label.min(initial=0) < 0 or label.max(initial=0) > 255:
        raise _other(path, labels)
    return {
        "images": np.ascontiguousarray(data.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)),
        "labels": label.astype(np.uint8),
    }


def _other(path: Path, what: str) -> VotewiseError:
    return VotewiseError(
        f"its {what!r} differs from the official file", where=path, remedy="fetch it again from the official source"
    )


def _npz(**arrays: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # mypy takes the arrays for allow_pickle too
    return buffer.getvalue()
