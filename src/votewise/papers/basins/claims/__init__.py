"""The claims of the paper, a file for each part of it; `BASINS` has all of them in their order, which is that of the imports."""

# isort: off
from votewise.papers.basins.claims import mathematics, sparse, stale, full, family, geometry, representations, ood, conclusions, arithmetic, limitations  # noqa: F401 # fmt: skip
from votewise.papers.basins.claims.shared import BASINS

__all__ = ["BASINS"]
