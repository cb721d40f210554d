"""Random votes for property tests: different numbers of votes per item, single votes, unanimous and tied items, and 2 to 300 classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from votewise.votes import Scale, Votes


@st.composite
def votes(draw: st.DrawFn, max_items: int = 12, max_votes: int = 9, empty: bool = False) -> Votes:
    classes = draw(st.sampled_from([2, 3, 5, 300]))
    sizes = draw(st.lists(st.integers(0 if empty else 1, max_votes), min_size=1, max_size=max_items))
    label = draw(st.lists(st.integers(0, classes - 1), min_size=sum(sizes), max_size=sum(sizes)))
    indptr = np.concatenate(([0], np.cumsum(sizes)))
    return Votes(indptr, np.array(label, dtype=np.int64), classes=tuple(map(str, range(classes))))


@st.composite
def any_votes(draw: st.DrawFn, columns: bool = True) -> Votes:
    """Votes with or without each optional field, and with the items in any order."""
    some = draw(votes(empty=True))
    size, count = len(some.label), len(some)
    numbers = st.floats(2**-20, 2**20)
    if draw(st.booleans()):
        people = tuple(draw(st.lists(st.text(st.characters(codec="utf-8"), max_size=3), min_size=1, unique=True)))
        code = draw(st.lists(st.integers(-1, len(people) - 1), min_size=size, max_size=size))
        some = replace(some, annotator=np.array(code, np.int32), annotators=people)
    if draw(st.booleans()):
        some = replace(some, weight=np.array(draw(st.lists(numbers, min_size=size, max_size=size))))
    if columns and draw(st.booleans()):
        words = np.array([f"t{n}" for n in range(size)], dtype=np.dtypes.StringDType())
        some = replace(some, columns={"time": np.arange(size) * 0.5, "place": np.arange(size), "word": words})
    if draw(st.booleans()):
        some = replace(some, items=[f" {n}" for n in range(count)])
    if draw(st.booleans()):
        some = replace(some, scale=Scale.ordinal(some.classes))
    return some.select(draw(st.permutations(range(count))))


seeds = st.integers(-(2**70), 2**70)
