"""CSV and TSV files of plain whole numbers, parsed with NumPy: all fields of a block at once, eight digits at a time.

The eight bytes before the end of a field are one 64-bit word. What is not of the field is shifted out, and three
multiplications add its digits up, by twos, fours and eights (Lemire, "Quickly parsing eight digits", 2018).
"""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from votewise.votes.readers.source import Source

I32 = NDArray[np.int32]

_PLAIN = re.compile("0|[1-9][0-9]{0,7}")
_STEPS = ((2561, 8, 0x00FF00FF00FF00FF), (6553601, 16, 0x0000FFFF0000FFFF), (42949672960001, 32, 0xFFFFFFFF))


def plain_integers(source: Source, block: int = 1 << 19) -> dict[str, I32] | None:
    """All columns by name, or None where any field is something else: blank, quoted, signed, '007', over eight digits.

    About `block` bytes are taken at a time, so that what is computed from them stays in the cache.
    """
    first = source.sample.values()
    if not first or not all(values and all(_PLAIN.fullmatch(value or "") for value in values) for values in first):
        return None
    start, stop = source.head.find(b"\n") + 1, source.path.stat().st_size
    with source.path.open("rb") as file:
        file.seek((start + stop) // 2)
        file.readline()
        middle = file.tell()
    with ThreadPoolExecutor(2) as pool:
        halves = list(pool.map(lambda span: _parse(source, block, *span), [(start, middle), (middle, stop)]))
    parts = [part for half in halves for part in half]
    if any(part is None for part in parts):
        return None
    return {name: np.concatenate([part[place] for part in parts]) for place, name in enumerate(source.columns)}  # type: ignore[index]


def _parse(source: Source, block: int, start: int, stop: int) -> list[I32 | None]:
    """The numbers of each block of lines between two line ends of the file, up to the first block that has others."""
    blocks: list[I32 | None] = []
    with source.path.open("rb") as file:
        file.seek(start)
        while data := file.read(min(block, stop - file.tell())):
            if not data.endswith(b"\n"):
                data += file.readline().removesuffix(b"\n") + b"\n"
            blocks.append(_numbers(data, len(source.columns), ord(source.delimiter)))
            if blocks[-1] is None:
                break
    return blocks


def _numbers(lines: bytes, width: int, delimiter: int) -> I32 | None:
    r"""The fields of whole lines as numbers [width, lines], or None where they are not plain integers, `width` on a line.

    >>> _numbers(b"1,20\n30,4\n", 2, ord(",")).tolist(), _numbers(b"1,007\n", 2, ord(","))
    ([[1, 30], [20, 4]], None)
    """
    text = np.frombuffer(bytes(8) + lines, np.uint8)
    body = text[8:]
    ends = np.flatnonzero(body - np.uint8(ord("0")) > 9)  # what is no digit; below '0' it wraps
    mark = body.take(ends)
    length = ends.copy()
    length[1:] -= ends[:-1] + 1
    last = mark[width - 1 :: width] == ord("\n")
    if (
        len(ends) % width
        or not last.all()
        or np.count_nonzero(mark == delimiter) != len(ends) - len(last)
        or length.min() < 1
        or length.max() > 8
    ):
        return None
    word = np.ndarray(len(body), "<u8", text, strides=(1,)).take(ends)  # the eight bytes before each end
    shift = (8 * (8 - length)).view(np.uint64)
    word >>= shift
    if (((word & np.uint64(0xFF)) == ord("0")) & (length > 1)).any():
        return None
    word <<= shift
    word &= np.uint64(0x0F0F0F0F0F0F0F0F)
    for factor, bits, mask in _STEPS:
        word *= np.uint64(factor)
        word >>= np.uint64(bits)
        word &= np.uint64(mask)
    return np.ascontiguousarray(word.astype(np.int32).reshape(-1, width).T)
