"""Readers for compressed files that may be damaged or untrusted. They check the declared sizes before they unpack anything."""

from votewise.packed.array_file import ArrayFile
from votewise.packed.parquet import ParquetFile
from votewise.packed.tar import read_tar

__all__ = ["ArrayFile", "ParquetFile", "read_tar"]
