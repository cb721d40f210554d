"""Which column of a table is the item, the label, the annotator, the weight: as given, or by its usual names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from votewise.errors import VotewiseError
from votewise.read_options import TableOptions
from votewise.votes.answers import repeated
from votewise.wording import listing, quoted


class Table(Protocol):
    """A file or a frame with named columns."""

    @property
    def name(self) -> str: ...

    @property
    def columns(self) -> Sequence[str]: ...

    def error(self, what: str, remedy: str) -> VotewiseError: ...


# Written small and without separators: 'Item ID', 'item_id' and 'itemId' are one name.
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
}
_SECOND = {
    "item": "id text sentence url",
    "label": "score value grade",
    "annotator": "",
    "weight": "",
}  # where no other is
_CARRIED = "time timestamp duration seconds leadtime responsetime reactiontime rt confidence certainty"
# What stands beside the votes on an item and is none of them. '' is the index that pandas writes.
_COMPANIONS = """index row total sum count counts numvotes nvotes votes numannotators nannotators annotators entropy
    agreement majority majoritylabel majorityvote gold goldlabel truth truelabel label split fold"""


def normal(name: str) -> str:
    """A column's name as the usual names are written.

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
    return [name for second in _SECOND[role].split() for name in columns if normal(name) == second][:1]


def carried(columns: Sequence[str]) -> list[str]:
    """The columns that say something of a vote itself, such as the time it took: `Votes` carries them along."""
    return [name for name in columns if normal(name) in _CARRIED.split()]


def companion(name: str) -> bool:
    """Whether a column of a table with one row per item says something of the item or of all its votes: its split, its total."""
    return normal(name) in ("", *_COMPANIONS.split())


def find(table: Table, options: TableOptions, role: str) -> str | None:
    """The column with this role: the one given, else the one with a usual name; None if there is none.

    Raises:
        VotewiseError: the given column does not exist, or several columns could have the role.
    """
    given = options.get(role)
    matching = (
        [name for name in table.columns if name == given] if given is not None else candidates(table.columns, role)
    )
    if len(matching) == 1:
        return matching[0]
    if given is not None and not matching:
        raise table.error(
            f"there is no column {quoted(given)} for {role}= (--{role})",
            f"the columns are {listing(table.columns, 20)}",
        )
    if twice := repeated(matching):
        raise table.error(f"column {quoted(twice[0])} occurs twice", "give each column its own name")
    if matching:
        raise table.error(f"{listing(matching)} could each be the {role}", f"choose one with {role}= (--{role})")
    return None


def find_item(table: Table, options: TableOptions) -> str | None:
    """The item of a table with one row per item, which may be the nameless index that pandas writes."""
    name = find(table, options, "item")
    return "" if name is None and "" in table.columns else name


def needed(table: Table, options: TableOptions, role: str) -> str:
    """The column with this role, which must exist."""
    if (name := find(table, options, role)) is None:
        raise table.error(
            f"none of the columns {listing(table.columns, 20)} is known to be the {role}",
            f"name it with {role}= (--{role}), or add a header if these are values",
        )
    return name
