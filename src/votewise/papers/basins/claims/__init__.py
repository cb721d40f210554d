"""The claims of the paper, one file per part. `BASINS` contains all claims in the order of the imports."""

# isort: off
from votewise.papers.basins.claims import mathematics, sparse, stale, full, family, geometry, representations, ood, conclusions, arithmetic, limitations  # noqa: F401 # fmt: skip
from votewise.papers.basins.claims.shared import BASINS

__all__ = ["BASINS"]
