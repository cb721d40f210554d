"""Names in a file that look like mistakes (typos of classes, missing values, annotators with two names), and how to fix them."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

import numpy as np

from votewise.read_options import TableOptions
from votewise.votes.cleaning import folded
from votewise.votes.coding import in_order
from votewise.votes.readers.shared.votes_file import VotesFile
from votewise.votes.votes import Votes
from votewise.wording import counted, listing, quoted

_MOST = 100  # number of classes above which names are not compared, because many look alike
_SHOWN = 5  # annotators with two names that are reported one by one
_ALIKE = 0.85  # minimum similarity (at most 1): 0.93 for 'postive' and 'positive', 0.86 for 'nuetral' and 'neutral', 0.8 for 'male' and 'female'
_SPREADSHEET_ERRORS = frozenset(["#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"])
_MISSING = _SPREADSHEET_ERRORS.union(
    ["NA", "N/A", "n/a", "na", "<NA>", "#N/A", "NaN", "nan", "NAN", "NULL", "Null", "null", "None", "-", "--", "?"]
)


def suspects(count: Mapping[str, int]) -> dict[str, str | None]:
    """Names that look like a mistake, given the number of votes for each: name -> what it looks like, None for a missing value.

    >>> suspects({"negative": 7, "positive": 9, "postive": 1, "?": 2})
    {'postive': 'positive', '?': None}
    """
    if len(count) > _MOST:
        return {}
    twins = {name: None if name in _MISSING else _twin(name, count) for name in count}
    return {name: twin for name, twin in twins.items() if twin is not None or name in _MISSING}


def doubts(
    count: Mapping[str, int], question: str | None = None, mapping: Mapping[str, str] | None = None
) -> list[str]:
    """A sentence for each class that looks like a mistake, with what to do about it, unless `mapping` covers it.

    >>> doubts({"negative": 7, "positive": 9, "postive": 1})[0].partition(": ")[0]
    "class 'postive' (1 vote) looks like 'positive'"
    """
    of = "" if question is None else f" of {quoted(question)}"
    found = []
    for name, twin in suspects(count).items():
        if not settled(name, twin, mapping):
            what = "a missing value" if twin is None else quoted(twin)
            start = f"class {quoted(name)}{of} ({counted(count[name], 'vote')}) looks like {what}"
            found.append(f"{start}: {_repair({name: twin})}, or name all classes with classes= (--classes)")
    for name in [name for name in count if _several(name, count) and not settled(name, None, mapping)]:
        start = f"class {quoted(name)}{of} ({counted(count[name], 'vote')}) looks like a list of labels"
        found.append(f"{start}: give one row per label, or name all classes with classes= (--classes)")
    return found


def _several(name: str, count: Mapping[str, int]) -> bool:
    """Whether the name of a class is a list of quoted names in brackets, or consists of names of other classes.

    >>> _several("['yes']", {}), _several("yes,no", {"yes": 2, "no": 1}), _several("yes, but", {"yes": 2})
    (True, True, False)
    """
    parts = [part.strip() for part in re.split("[,;|]", name)]
    return bool(re.fullmatch(r"""\[\s*["'].*\]""", name)) or (len(parts) > 1 and all(part in count for part in parts))


def item_doubts(votes: Votes) -> list[str]:
    """A sentence about items that are written as two numbers, for example '1' and '1.0'."""
    items: list[str] = [] if votes.items is None else votes.items.tolist()
    whole = {name.removesuffix(".0") for name in items if name.endswith(".0")}
    twins = whole.intersection(items) if whole else whole
    if not twins:
        return []
    first = in_order(twins)[0]
    what = f"item {quoted(first + '.0')} looks like {quoted(first)} ({counted(len(twins), 'item')} with two names)"
    return [f"{what}: write the ids alike in the file"]


def doubts_of(votes: Votes, options: TableOptions) -> list[str]:
    """See `doubts`; for the classes of votes. Empty if the classes were given or are too many."""
    if options.get("classes") is not None or votes.num_classes > _MOST:
        return []
    return doubts(class_counts(votes), mapping=options.get("map"))


def class_counts(votes: Votes) -> dict[str, int]:
    """Class -> number of votes for it."""
    return dict(zip(votes.classes, np.bincount(votes.label, minlength=votes.num_classes).tolist(), strict=True))


def annotator_counts(votes: Votes) -> dict[str, int]:
    """Annotator -> number of votes."""
    if votes.annotator is None:
        return {}
    cast = votes.annotator[votes.annotator >= 0]
    return dict(zip(votes.annotators, np.bincount(cast, minlength=len(votes.annotators)).tolist(), strict=True))


def suspicious_annotators(count: Mapping[str, int]) -> dict[str, str]:
    """Annotators that are another spelling of one with more votes: 'ANN_06' of 'ann_06'. Similar names are different people.

    >>> suspicious_annotators({"ann_06": 9, "ANN 06": 2, "ann_07": 9})
    {'ANN 06': 'ann_06'}
    """
    spelling, best = {name: _spelling(name) for name in count}, dict[str, str]()
    for name in sorted(count, key=lambda name: (-count[name], name)):
        best.setdefault(spelling[name], name)
    return {name: best[spelling[name]] for name in count if best[spelling[name]] != name}


def annotator_doubts(votes: Votes, options: TableOptions) -> list[str]:
    """A sentence for each annotator that seems to have two names."""
    count, mapping = annotator_counts(votes), options.get("map_annotators")
    twins = {name: twin for name, twin in suspicious_annotators(count).items() if not settled(name, twin, mapping)}
    start = "annotator {} ({}) looks like {}: {}"
    found = [
        start.format(quoted(name), counted(count[name], "vote"), quoted(twin), _one_name(name, twin))
        for name, twin in list(twins.items())[:_SHOWN]
    ]
    if len(twins) > _SHOWN:
        found.append(f"{len(twins) - _SHOWN} more annotators look like other annotators")
    return found


def with_annotator_doubts(file: VotesFile, options: TableOptions) -> VotesFile:
    """The file with a report of annotators that seem to have two names, in any of its questions."""
    asked = [votes for votes in file.questions.values() if isinstance(votes, Votes)]
    found = dict.fromkeys(
        doubt for votes in asked for doubt in (*annotator_doubts(votes, options), *item_doubts(votes))
    )
    every = (*file.report.doubts, *found)
    if len(every) > 1:
        every = (
            *every,
            "votewise clean (propose_cleaning) writes corrections of labels and annotators to a file to check and edit",
        )
    return replace(file, report=replace(file.report, doubts=every)) if every else file


def _one_name(name: str, twin: str) -> str:
    python, shell = _mapping({name: twin})
    same = f"map_annotators={python} (--map-annotators {shell})"
    keep = _mapping({name: name})[1]
    return f"read both as one with {same}, or keep both with --map-annotators {keep}"


def settled(name: str, twin: str | None, mapping: Mapping[str, str] | None) -> bool:
    """Whether the user has decided about a name: it is in the mapping, or the name that it looks like is mapped to itself."""
    known = {str(old): str(new) for old, new in (mapping or {}).items()}
    return name in known or name in known.values() or (twin is not None and known.get(twin) == twin)


def not_classes(labels: Sequence[str], classes: Sequence[str]) -> str:
    """What to do about labels that are not among the classes: read them as a class that they look like, or as missing.

    >>> not_classes(["Toxic", "?"], ["ok", "toxic"]).partition(", or name")[0]
    "read them as classes with fold=True (--fold), as missing with missing=['?'] (--missing '?')"
    """
    found = meant(labels, classes)
    repair = f"{_repair(found)}, or " if found else "correct it, map it to a class with map= (--map), or "
    return f"{repair}name all classes with classes= (--classes); they are {listing(classes)}"


def meant(labels: Iterable[str], classes: Sequence[str]) -> dict[str, str | None]:
    """The class that each of these labels looks like, None for a missing value; labels that resemble neither are left out."""
    found, spelled = dict[str, str | None](), {_spelling(name): name for name in classes}
    for label in labels:
        near = get_close_matches(_spelling(label), spelled, 1, _ALIKE)
        if label in _MISSING:
            found[label] = None
        elif near and (near[0] == _spelling(label) or not re.search("[0-9]", label)):
            found[label] = spelled[near[0]]
    return found


def _repair(found: Mapping[str, str | None]) -> str:
    """How to rename names and read them as missing values."""
    other, missing = (
        {name: new for name, new in found.items() if new is not None},
        [n for n in found if found[n] is None],
    )
    if other and all(folded(name) == folded(new) for name, new in other.items()):
        how = "fold=True (--fold)"
    else:
        how = "map={} (--map {})".format(*_mapping(other))
    one = len(found) == 1
    as_other = f"{'rename it' if one else 'read them as classes'} with {how}" if other else ""
    values = f"missing=[{', '.join(map(quoted, missing))}] (--missing {shlex.quote(_commas(missing))})"
    start = ", as" if other else f"read {'it' if one else 'them'} as"
    return as_other + (f"{start} missing with {values}" if missing else "")


def _mapping(names: Mapping[str, str]) -> tuple[str, str]:
    """A mapping of names in Python and in a shell."""
    python = "{" + ", ".join(f"{name!r}: {new!r}" for name, new in names.items()) + "}"
    return python, shlex.quote(_commas([f"{name}={new}" for name, new in names.items()]))


def _commas(parts: Sequence[str]) -> str:
    """Parts with commas between them, quoted as in CSV."""
    return ",".join('"' + part.replace('"', '""') + '"' if re.search('[,"]', part) else part for part in parts)


def _twin(name: str, count: Mapping[str, int]) -> str | None:
    """The class with more votes of which a class is another spelling or, if it has few votes, a typo; None if there is none."""
    spelling = _spelling(name)
    more = {other: _spelling(other) for other in count if (count[other], name) > (count[name], other)}
    if same := [other for other in more if more[other] == spelling]:
        return max(same, key=lambda other: count[other])
    if re.search("[0-9]", name):  # "grade 1" is not a typo of "grade 2"
        return None
    near = {
        written: other
        for other, written in more.items()
        if 10 * count[name] <= count[other] or count[name] <= 2 < count[other]
        if not written.endswith(spelling) and not spelling.endswith(written)  # 'irrelevant' is not a typo of 'relevant'
    }
    return next((near[found] for found in get_close_matches(spelling, near, 1, _ALIKE)), None)


def _spelling(name: str) -> str:
    """A normal form of a name: ignores case, spaces and punctuation between words, and the decimals of 1.0.

    >>> _spelling("Not sure") == _spelling("not_sure"), _spelling("1.0") == _spelling("1"), _spelling("A") == _spelling("A-")
    (True, True, False)
    >>> _spelling("Anna.Schmidt") == _spelling("anna schmidt"), _spelling("v1.2") == _spelling("v12")
    (True, False)
    """
    try:
        return repr(float(name))
    except ValueError:
        plain = unicodedata.normalize("NFKC", name).casefold().strip()
        return re.sub(r"(?<=[^\W_])([\s_'’-]|(?<!\d)[.,]|[.,](?!\d))+(?=[^\W_])", "", plain)  # not in v1.2
