"""Finds the columns of item, label, annotator and weight in a table: those given, or those with usual names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from votewise.read_options import TableOptions
from votewise.votes.coding import names_in
from votewise.votes.readers.shared.source_table import Table
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

# In lower case and without separators: 'Item ID', 'item_id' and 'itemId' are one name.
_USUAL = {
    "item": """item itemid instance instanceid example exampleid sample sampleid uid task taskid unit unitid object objectid
        image imageid imagename img imgid filename file filepath path textid sentenceid documentid docid tweetid postid
        commentid pairid questionid inputid""",
    "annotator": """annotator annotatorid annotatorname worker workerid user userid username rater raterid coder coderid
        judge judgeid labeler labelerid labeller labellerid participant participantid respondent respondentid voter voterid
        contributor contributorid annotatedby labeledby""",
    "label": """label vote answer annotation rating class category choice response judgment judgement verdict
        labelname classname chosenlabel selectedlabel annotatorlabel annotatedlabel""",
    "weight": "weight voteweight",
    "count": "count counts n size len votes numvotes nvotes frequency freq 0",  # also as pandas and polars name them
}
_SECOND = {"item": "id text sentence url", "label": "score value grade"}  # only if no other column fits
_CARRIED = "time timestamp duration seconds leadtime responsetime reactiontime rt confidence certainty"
_TIMES = """time timestamp date datetime day createdat updatedat submittedat completedat annotatedat labeledat createtime updatetime
    submittime starttime endtime startedat finishedat"""
_TEXTS = "text sentence content comment message body tweet post title question prompt document utterance review passage"
_TOTALS = "total sum grandtotal"
_MAYBE_TOTAL = "all"  # what pandas.crosstab calls a total may also be a class: none, some, all
_ALL_TOTALS = frozenset((_MAYBE_TOTAL, *_TOTALS.split()))
# Columns of an item that are not votes. '' is the index that pandas writes.
_ABOUT_VOTES = """numvotes nvotes votes votesperitem numannotators nannotators annotators majority majoritylabel majorityvote gold
    goldlabel truth truelabel label split fold"""
_COMPANIONS = f"{_TOTALS} index row count counts entropy agreement {_ABOUT_VOTES}"


def normal(name: str) -> str:
    """The normal form of a column's name, in which the usual names are written.

    >>> normal("Item ID"), normal("workerId")
    ('itemid', 'workerid')
    """
    return "".join(filter(str.isalnum, name.lower()))


def candidates(columns: Sequence[str], role: str) -> list[str]:
    """The columns that may have this role, by their names.

    >>> candidates(["id", "worker_id", "label"], "item"), candidates(["id", "image", "rating", "label"], "label")
    (['id'], ['rating', 'label'])
    """
    usual = _USUAL[role].split()
    if found := [name for name in columns if normal(name) in usual]:
        return found
    return [name for second in _SECOND.get(role, "").split() for name in columns if normal(name) == second][:1]


def carried(columns: Sequence[str]) -> list[str]:
    """The columns about a vote itself, for example the time it took: `Votes` carries them along."""
    return [name for name in columns if normal(name) in _CARRIED.split()]


def times(columns: Sequence[str]) -> list[str]:
    """The columns that say when a vote was cast, by their names."""
    return [name for name in columns if normal(name) in _TIMES.split()]


def texts(columns: Iterable[str]) -> list[str]:
    """The columns that may hold the text of an item, by their names, the most common first."""
    return sorted((n for n in columns if normal(n) in _TEXTS.split()), key=lambda n: _TEXTS.split().index(normal(n)))


def is_time(name: str) -> bool:
    """Whether a column says when a vote was cast, how long it took, or how sure the annotator was."""
    return normal(name) in (*_TIMES.split(), *_CARRIED.split())


def companion(name: str) -> bool:
    """Whether a column of a table with one row per item describes the item or all its votes: its split, their total."""
    return name.strip() in ("", "#") or normal(name) in _COMPANIONS.split()


def about_votes(name: str) -> bool:
    """Whether a column of a table of inputs has labels, numbers of votes or a split, by its name."""
    return normal(name) in _ABOUT_VOTES.split()


def numbers_rows(name: str) -> bool:
    """Whether a column has the number of each row, by its name, which is that of an index of pandas."""
    return name.strip().lower() in ("", "unnamed: 0")


def is_total(name: str) -> bool:
    """Whether a class, an item or a column has the name of a total.

    >>> is_total("All"), is_total("Grand Total"), is_total("overall")
    (True, True, False)
    """
    return name.strip(" :").lower().replace(" ", "").replace("_", "") in _ALL_TOTALS  # `normal` is slow for many items


def find(table: Table, options: TableOptions, role: str) -> str | None:
    """The column with this role: the one given, else the one with a usual name; None if none fits.

    Raises:
        VotewiseError: the given column does not exist, or several columns could have the role.
    """
    given = options.get(role)
    matching = candidates(table.columns, role) if given is None else [name for name in table.columns if name == given]
    if len(matching) == 1:
        return matching[0]
    if given is not None and not matching:
        what = f"unknown column {quoted(given)} for {role}= (--{role})"
        raise table.error(what, f"the columns are {listing(table.columns, 20)}")
    if matching:
        table.refuse_repeated_columns()
        raise table.error(f"{listing(matching)} could each be the {role}", f"choose one with {role}= (--{role})")
    return None


def find_item(table: Table, options: TableOptions) -> str | None:
    """The column of ids of a table with one row per item, which may be the unnamed index that pandas writes."""
    name = find(table, options, "item")
    return "" if name is None and "" in table.columns else name


def item_ids(table: Table, column: pl.Series) -> list[str]:
    """The ids in a column of a table with one row per item, none of which may be blank."""
    ids = names_in(column)
    table.refuse(np.array([name is None for name in ids], np.bool_), lambda _: " has no item")
    return ids  # type: ignore[return-value]  # without None


def needed(table: Table, options: TableOptions, *roles: str) -> dict[str, str]:
    """The columns with these roles, which must exist."""
    found = {role: find(table, options, role) for role in roles}
    if absent := [role for role, name in found.items() if name is None]:
        otherwise = "add a header if these are values, or delete the lines above it"
        if nested := table.nested:
            otherwise = f"write one record per vote if the votes are inside {listing(nested)}"
        raise table.error(
            f"none of the columns {listing(table.columns, 20)} is recognised as the {' or the '.join(absent)}",
            f"name {'it' if len(absent) == 1 else 'them'} with {' and '.join(f'{role}= (--{role})' for role in absent)}"
            f"{_example(table, absent)}, or {otherwise}",
        )
    return {role: name for role, name in found.items() if name is not None}


def _example(table: Table, roles: Sequence[str]) -> str:
    """The only column that may hold the ids of items, as an example: its name ends in 'id' and its values repeat."""
    annotators = candidates(table.columns, "annotator")
    ids = [name for name in table.columns if normal(name).endswith("id") and name not in annotators]
    ids = [name for name in ids if 1 < len(set(table.sample[name])) < len(table.sample[name])]
    return f", e.g. --item {ids[0]}" if "item" in roles and len(ids) == 1 else ""
