"""POPQUORN: ratings by annotators of known background, one per row of `raw_data.csv` (Pei and Jurgens 2023)."""

from __future__ import annotations

from collections import Counter

from votewise.votes.readers.shared import ReadOptions, ReadReport, SourceFile, VotesFile
from votewise.votes.readers.shared.frame_votes import CORRECT_IT, numbers, read_columns, votes_of

RATINGS = ("offensiveness", "politeness", "difficulty")  # what is rated: comments, emails, and questions about a text
CLASSES = ("1", "2", "3", "4", "5")

_NEEDED = ("instance_id", "user_id")
_REWRITING = "revised email"


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Instance, user, and the rating or the rewritten text of one of the four tasks."""
    columns = set(source.csv_columns)
    task = columns.intersection((*RATINGS, _REWRITING))
    if columns.issuperset(_NEEDED) and task:
        return 0.9, f"the columns instance_id, user_id and {min(task)} of POPQUORN"
    return None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One vote from 1 to 5 per row. Columns that describe the annotators are not read."""
    columns = source.csv_columns
    ratings = [name for name in RATINGS if name in columns]
    if not ratings and _REWRITING in columns:
        raise source.error("this task of POPQUORN has rewritten texts, not ratings", "read one of the other three")
    frame = read_columns(source, (*_NEEDED, *(ratings or RATINGS[:1])))
    item, annotator = (numbers(source, frame[name]) for name in _NEEDED)
    source.refuse(item.is_null(), lambda _: ": 'instance_id' is missing", CORRECT_IT)
    notes = (f"rows without user_id: {annotator.null_count():,}; the annotators of these votes are unknown",) * (
        annotator.null_count() > 0
    )
    questions, dropped = {}, Counter[str]()
    for name in ratings:
        rating = numbers(source, frame[name])
        outside = ~rating.is_between(1, 5).fill_null(value=True)
        source.refuse(outside, lambda row: f": rating {rating[row]}", CORRECT_IT)  # noqa: B023
        if unrated := rating.null_count():
            dropped[f"a row without {name}"] += unrated
        votes = frame.select(item=item, label=rating, annotator=annotator).filter(rating.is_not_null())
        questions[name] = votes_of(source, options, votes, CLASSES, dropped, ordered=True)
    return VotesFile(questions, ReadReport(rows=len(frame), dropped=dict(dropped), notes=notes))
