"""Files that are packed, and may be damaged or a stranger's: what they unpack to is known, and fits, before it is unpacked."""

from votewise.packed.array_file import ArrayFile
from votewise.packed.parquet import ParquetFile
from votewise.packed.tar import read_tar

__all__ = ["ArrayFile", "ParquetFile", "read_tar"]
