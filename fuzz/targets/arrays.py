"""NumPy files of votes, with other shapes, types, names and members, values out of range, and damaged headers and bytes."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import votewise as vw
from fuzz import samples
from fuzz.cases import Target
from fuzz.draws import Draws
from fuzz.mutation import damaged_bytes
from fuzz.promises import keep_promise, one_of

TYPES = (
    "<i8",
    "<i4",
    "<u1",
    "<i1",
    "<u8",
    "<f8",
    "<f4",
    "<f2",
    ">i4",
    ">f8",
    "?",
    "<c16",
    "<U3",
    "S2",
    "<M8[s]",
    "<f16",
)
_ODD = (-1, -0.0, 0, 0.5, 1, 1.0005, 3, 255, 2**31, 2**32 + 1, 2**53, 1e30, 1e308, np.nan, np.inf, -np.inf)


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    words, table = samples.counts(draws)
    array: Any = np.array(table)
    if draws.chance(0.4):
        array = samples.shares(draws, len(table), len(words))
    array = odd(draws, array)
    if draws.chance(0.4):
        name, content = "votes.npy", npy(array)
        if draws.chance(0.4):
            content = damaged_bytes(draws, content)
    else:
        members = {draws.pick(("counts", "votes", "probabilities", "x", "a/b", "")): npy(array)}
        if draws.chance(0.5):
            members["classes"] = npy(names(draws, words))
        if draws.chance(0.5):
            members["items"] = npy(names(draws, [f"i{number}" for number in range(len(table))]))
        name, content = "votes.npz", npz(draws, members)
    (folder / name).write_bytes(content)
    options = {key: value for key, value in samples.options(draws, 0.15).items() if key != "format"}
    return {"file": name, "options": options, "promise": one_of(draws)}


def odd(draws: Draws, array: Any) -> Any:
    """The array with another value, type, shape or order, in half of the cases."""
    if draws.chance(0.5):
        return array
    with np.errstate(all="ignore"):
        match draws.below(5):
            case 0 | 1:
                array = array.astype(np.float64) if draws.chance(0.5) else array.copy()
                value = np.asarray(draws.pick(_ODD)).astype(array.dtype)
                array[draws.below(array.shape[0]), draws.below(array.shape[1])] = value
            case 2:
                array = array.astype(draws.pick(TYPES))
            case 3:
                shapes = ((-1,), (1, *array.shape), (*array.shape, 1), array.shape[::-1], (0, array.shape[1]), ())
                shape = draws.pick(shapes)
                array = array[0, 0] if shape == () else array[:0] if 0 in shape else array.reshape(shape)
            case 4:
                array = np.asfortranarray(array)
    return array


def names(draws: Draws, words: Any) -> Any:
    """Names as an array: text, bytes, numbers, repeated, too few, in a column."""
    match draws.below(9):
        case 0:
            return np.arange(len(words))
        case 1:
            return np.array(["a"] * len(words))
        case 2:
            return np.array(list(words)[1:])
        case 3:
            return np.array(list(words))[:, None]
        case 4:
            return np.array([str(word).encode() for word in words])
        case 5:
            return np.array(draws.pick((0, "x", np.nan)))
        case _:
            return np.array(list(words))


def npy(array: Any) -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asanyarray(array), allow_pickle=False)
    return out.getvalue()


def npz(draws: Draws, members: dict[str, bytes]) -> bytes:
    """A damaged archive, or an archive with members that are damaged, duplicated or not arrays."""
    out = io.BytesIO()
    packing = zipfile.ZIP_DEFLATED if draws.chance(0.3) else zipfile.ZIP_STORED
    with zipfile.ZipFile(out, "w", packing) as archive:
        for name, content in members.items():
            if draws.chance(0.15):
                content = damaged_bytes(draws, content)
            if draws.chance(0.02):
                content = draws.pick((b"", b"text", b"\x93NUMPY", b"\x80\x04N."))
            _add(archive, name if draws.chance(0.02) else f"{name}.npy", content)
        if draws.chance(0.1):
            _add(
                archive,
                draws.pick(("notes.txt", "notes.npy", "other.npy", "../out.npy")),
                draws.pick((b"text", npy(np.arange(3)))),
            )
    return damaged_bytes(draws, out.getvalue()) if draws.chance(0.15) else out.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name), content, archive.compression)  # with a fixed date


def check(folder: Path, used: dict[str, Any]) -> None:
    for answers in vw.inspect_votes(folder / used["file"], **used["options"]).questions.values():
        keep_promise(used["promise"], answers, folder)


TARGET = Target(make, check)
