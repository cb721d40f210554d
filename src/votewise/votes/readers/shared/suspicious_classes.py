"""Classes that occur in a file and look like a mistake: a typo of another class, or a missing value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from difflib import get_close_matches

import numpy as np

from votewise.votes.votes import Votes
from votewise.wording import counted, quoted

_MOST = 100  # classes; where there are more, many look alike
_ALIKE = 0.85  # of 1: 'postive' and 'positive' are 0.93 alike, 'nuetral' and 'neutral' 0.86, 'male' and 'female' 0.8
_MISSING = frozenset(
    ["NA", "N/A", "n/a", "na", "<NA>", "#N/A", "NaN", "nan", "NAN", "NULL", "Null", "null", "None", "-", "--", "?"]
)
_REMEDY = "or name the classes with classes= (--classes)"


def doubts(count: Mapping[str, int], question: str | None = None) -> list[str]:
    """A sentence for each class that looks like a mistake, given the number of votes for each.

    >>> doubts({"negative": 7, "positive": 9, "postive": 1})
    ["class 'postive' (1 vote) looks like 'positive': correct it, or name the classes with classes= (--classes)"]
    """
    if len(count) > _MOST:
        return []
    of = "" if question is None else f" of {quoted(question)}"
    found = []
    for name, votes in count.items():
        start = f"class {quoted(name)}{of} ({counted(votes, 'vote')}) looks like"
        if name in _MISSING:
            found.append(f"{start} a missing value: leave it empty, {_REMEDY}")
        elif (twin := _twin(name, count)) is not None:
            found.append(f"{start} {quoted(twin)}: correct it, {_REMEDY}")
    return found


def doubts_of(votes: Votes) -> list[str]:
    """The same for the classes of votes."""
    if votes.num_classes > _MOST:
        return []
    return doubts({name: int(np.count_nonzero(votes.label == code)) for code, name in enumerate(votes.classes)})


def _twin(name: str, count: Mapping[str, int]) -> str | None:
    """The class with more votes that this one is a spelling of, or a typo of if few voted for it."""
    spelling = _spelling(name)
    more = {other: _spelling(other) for other in count if (count[other], name) > (count[name], other)}
    if same := [other for other in more if more[other] == spelling]:
        return same[0]
    if re.search("[0-9]", name):  # grade 1 and grade 2 are two
        return None
    near = {
        written: other
        for other, written in more.items()
        if 10 * count[name] <= count[other] or count[name] <= 2 < count[other]
        if not written.endswith(spelling) and not spelling.endswith(written)  # 'irrelevant' is not a typo of 'relevant'
    }
    return next((near[found] for found in get_close_matches(spelling, near, 1, _ALIKE)), None)


def _spelling(name: str) -> str:
    """What two ways of writing one class have in common: case, the marks between words and the point of 1.0 do not count.

    >>> _spelling("Not sure") == _spelling("not_sure"), _spelling("1.0") == _spelling("1"), _spelling("A") == _spelling("A-")
    (True, True, False)
    """
    try:
        return repr(float(name))
    except ValueError:
        plain = unicodedata.normalize("NFKC", name).casefold()
        return re.sub(r"(?<=[^\W_])[\s_-]+(?=[^\W_])", "", plain)
