"""Small replacements for the official archives with the same layout, and a local server that offers them."""

from __future__ import annotations

import contextlib
import io
import pickle
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import numpy as np


class Python2Pickler(pickle._Pickler):
    """Writes text and bytes like strings of Python 2, as in the pickles of CIFAR."""

    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def save_string(self, value: bytes | str) -> None:
        data = value.encode() if isinstance(value, str) else value
        self.write(pickle.BINSTRING + len(data).to_bytes(4, "little") + data)
        self.memoize(value)

    dispatch[bytes] = save_string
    dispatch[str] = save_string


def python2_pickle(value: Any) -> bytes:
    buffer = io.BytesIO()
    Python2Pickler(buffer, protocol=2).dump(value)
    return buffer.getvalue().replace(b"cnumpy._core.multiarray\n", b"cnumpy.core.multiarray\n")


def tar_gz(members: dict[str, bytes | tarfile.TarInfo]) -> bytes:
    """An archive of files, or of members described by a TarInfo."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                archive.addfile(content)
            else:
                info = tarfile.TarInfo(name)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def pictures(count: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (count, 32, 32, 3), dtype=np.uint8)


def rows(images: np.ndarray) -> np.ndarray:
    """Images in the layout of CIFAR: one row per image, one channel after the other."""
    return np.stack([np.concatenate([image[..., channel].ravel() for channel in range(3)]) for image in images])


def cifar10_archive(images: np.ndarray, labels: list[int]) -> bytes:
    batch = {
        "batch_label": "testing batch 1 of 1",
        "labels": labels,
        "data": rows(images),
        "filenames": ["x.png"] * len(labels),
    }
    return tar_gz(
        {
            "cifar-10-batches-py/batches.meta": python2_pickle({"num_vis": 3072, "label_names": ["airplane"]}),
            "cifar-10-batches-py/readme.html": b"<meta>",
            "cifar-10-batches-py/test_batch": python2_pickle(batch),
        }
    )


def cifar100_archive(images: np.ndarray, labels: list[int], names: list[str]) -> bytes:
    test = {"fine_labels": labels, "coarse_labels": [0] * len(labels), "data": rows(images)}
    return tar_gz(
        {
            "cifar-100-python/meta": python2_pickle({"fine_label_names": names, "coarse_label_names": ["all"]}),
            "cifar-100-python/test": python2_pickle(test),
        }
    )


class Server:
    """A server: the files that it offers by path, the ranges that were requested, and how its responses fail."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.files: dict[str, bytes] = {}
        self.asked: list[str | None] = []
        self.cuts: list[int] = []  # numbers of bytes after which the next responses stop
        self.knows_ranges = True

    def offer(self, name: str, content: bytes) -> str:
        self.files[name] = content
        return f"{self.address}/{name}"


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers["Range"]
            state.asked.append(wanted)
            content = state.files.get(self.path.lstrip("/"))
            if content is None:
                self.send_error(404)
                return
            start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and state.knows_ranges else 0
            if start >= len(content):
                self.send_error(416)
                return
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            self.wfile.write(content[start:][: state.cuts.pop(0) if state.cuts else None])

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state = Server(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
