"""POPQUORN: ratings by people of known background, one per row of `raw_data.csv` (Pei and Jurgens 2023)."""

from __future__ import annotations

from collections import Counter

from votewise.read_options import ReadOptions
from votewise.votes.readers.shared.frame_votes import numbers, read_columns, refuse, votes_of
from votewise.votes.readers.shared.record import header
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile

RATINGS = ("offensiveness", "politeness", "difficulty")  # of a comment, of an email, of a question about a text
CLASSES = ("1", "2", "3", "4", "5")

_NEEDED = ("instance_id", "user_id")
_REWRITING = "revised email"


def recognise(source: SourceFile) -> tuple[float, str]:
    """Instance, user, and the rating or the rewritten text of one of the four tasks."""
    columns = set(header(source))
    task = columns.intersection((*RATINGS, _REWRITING))
    if columns.issuperset(_NEEDED) and task:
        return 0.9, f"the columns instance_id, user_id and {min(task)} of POPQUORN"
    return 0.0, "not the columns of POPQUORN"


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One vote from 1 to 5 per row. Who the people are stays in the file: it belongs to them, not to their votes."""
    columns = header(source)
    ratings = [name for name in RATINGS if name in columns]
    if not ratings and _REWRITING in columns:
        raise source.error("this task of POPQUORN asked for texts, not for ratings", "read one of the other three")
    frame = read_columns(source, (*_NEEDED, *(ratings or RATINGS[:1])))
    item, person = (numbers(source, frame[name]) for name in _NEEDED)
    refuse(source, item.is_null(), lambda _: "'instance_id' is missing")
    notes = (f"rows without user_id: {person.null_count():,}; nobody knows whose votes they are",) * (
        person.null_count() > 0
    )
    questions, dropped = {}, Counter[str]()
    for name in ratings:
        rating = numbers(source, frame[name])
        refuse(source, ~rating.is_between(1, 5).fill_null(value=True), lambda row, said=rating: f"rating {said[row]}")  # type: ignore[misc]
        if unrated := rating.null_count():
            dropped[f"a row without {name}"] += unrated
        votes = frame.select(item=item, label=rating, annotator=person).filter(rating.is_not_null())
        questions[name] = votes_of(source, options, votes, CLASSES, dropped, ordered=True)
    return VotesFile(questions, ReadReport(rows=len(frame), dropped=dict(dropped), notes=notes))
