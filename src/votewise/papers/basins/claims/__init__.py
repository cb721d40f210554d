"""The claims of the paper, a file for each part of it; `BASINS` has all of them in their order."""

# isort: off
from votewise.papers.basins.claims import mathematics  # noqa: F401
from votewise.papers.basins.claims import sparse  # noqa: F401
from votewise.papers.basins.claims import stale  # noqa: F401
from votewise.papers.basins.claims import full  # noqa: F401
from votewise.papers.basins.claims import family  # noqa: F401
from votewise.papers.basins.claims import geometry  # noqa: F401
from votewise.papers.basins.claims import representations  # noqa: F401
from votewise.papers.basins.claims import ood  # noqa: F401
from votewise.papers.basins.claims import conclusions  # noqa: F401
from votewise.papers.basins.claims import arithmetic  # noqa: F401
from votewise.papers.basins.claims import limitations  # noqa: F401

# isort: on
from votewise.papers.basins.claims.shared import BASINS

__all__ = ["BASINS"]
