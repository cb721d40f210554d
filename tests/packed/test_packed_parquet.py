"""Parquet of strangers: what the file declares is compared with the file before polars takes memory for it."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import polars as pl
import pytest

from votewise import read_votes
from votewise.errors import VotewiseError
from votewise.packed import ParquetFile
from votewise.packed import parquet as module

FRAME = pl.DataFrame(
    {
        "item": [f"i{row // 2}" for row in range(400)],
        "annotator": ["ann", "bob"] * 200,
        "label": ["cat", "dog", "cat", "cat"] * 100,
        "sure": [0.5, None] * 200,
        "spans": [[1, 2], []] * 200,
    }
)


def written(path: Path, frame: pl.DataFrame = FRAME, **options: object) -> Path:
    frame.write_parquet(path, **options)
    return path


@pytest.mark.parametrize("compression", ["zstd", "snappy", "gzip", "lz4", "brotli", "uncompressed"])
@pytest.mark.parametrize("options", [{}, {"row_group_size": 64, "data_page_size": 100}, {"statistics": "full"}])
def test_whole_files_pass(tmp_path: Path, compression: str, options: dict) -> None:
    path = written(tmp_path / "a.parquet", compression=compression, **options)
    assert ParquetFile(path).rows == 400
    assert len(read_votes(path)) == 200


def test_an_empty_table_passes(tmp_path: Path) -> None:
    assert ParquetFile(written(tmp_path / "a.parquet", FRAME.clear())).rows == 0


def replaced(content: bytes, number: int, by: int) -> bytes:
    """A file whose footer has another number, written as Thrift's compact protocol does, wherever it had this one."""
    start = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    footer = content[start:-8].replace(varint(2 * number), varint(2 * by))
    return content[:start] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


@pytest.mark.parametrize("rows", [2**61, 2**40, 401, 399])
def test_more_rows_than_there_are_is_refused(tmp_path: Path, rows: int) -> None:
    """In a process of its own: 2^61 of them ended it, without an exception."""
    path = tmp_path / "a.parquet"
    path.write_bytes(replaced(written(path).read_bytes(), 400, rows))
    program = "import sys, votewise.votes as v; v.read_votes(sys.argv[1])"
    ended = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True)
    assert ended.returncode == 1
    assert "VotewiseError" in ended.stderr.splitlines()[-1] or "VotewiseError" in ended.stderr
    with pytest.raises(VotewiseError, match=r"cannot be read as Parquet|a\.parquet"):
        read_votes(path)


def test_rows_that_do_not_fit_in_memory_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A million equal rows take a few kilobytes of a file."""
    frame = pl.DataFrame({"item": ["a"] * 10**6, "label": ["x"] * 10**6, "annotator": ["p"] * 10**6})
    path = written(tmp_path / "a.parquet", frame)
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(module, "_VALUE", 10**7)  # as if there were 300,000 times as many
    with pytest.raises(VotewiseError, match="1,000,000 rows would need about"):
        read_votes(path)


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.99])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "a.parquet"
    whole = written(path).read_bytes()
    path.write_bytes(whole[: int(len(whole) * kept)])
    with pytest.raises(VotewiseError):
        read_votes(path)


def test_every_byte_of_a_footer_may_be_wrong(tmp_path: Path) -> None:
    """The check ends in an answer or in one sentence, and in nothing else."""
    small, path = io.BytesIO(), tmp_path / "a.parquet"
    FRAME.head(6).write_parquet(small)
    whole = small.getvalue()
    for place in range(len(whole) - 8 - int.from_bytes(whole[-8:-4], "little"), len(whole)):
        for value in (0, 127, 255, whole[place] ^ 1):
            path.write_bytes(whole[:place] + bytes([value]) + whole[place + 1 :])
            with suppress(VotewiseError):
                ParquetFile(path).require_memory()
