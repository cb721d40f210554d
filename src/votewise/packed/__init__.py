"""Readers of compressed files that may be damaged or untrusted: sizes are checked before anything is unpacked."""

from votewise.packed.array_file import ArrayFile
from votewise.packed.parquet import ParquetFile
from votewise.packed.tar import read_tar

__all__ = ["ArrayFile", "ParquetFile", "read_tar"]
