"""Random votes for property tests: ragged, single, unanimous, tied, two classes to three hundred."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from votewise.votes import Votes


@st.composite
def votes(draw: st.DrawFn, max_items: int = 12, max_votes: int = 9, empty: bool = False) -> Votes:
    classes = draw(st.sampled_from([2, 3, 5, 300]))
    sizes = draw(st.lists(st.integers(0 if empty else 1, max_votes), min_size=1, max_size=max_items))
    label = draw(st.lists(st.integers(0, classes - 1), min_size=sum(sizes), max_size=sum(sizes)))
    indptr = np.concatenate(([0], np.cumsum(sizes)))
    return Votes(indptr, np.array(label, dtype=np.int64), classes=tuple(map(str, range(classes))))


seeds = st.integers(-(2**70), 2**70)
