"""Mechanical Turk: the results of a batch as CSV, one row per assignment."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile, as_name
from votewise.wording import quoted

Form = Mapping[str, tuple[str, ...]]  # the path to each answer of an assignment, and the chosen values

_NEEDED = {"HITId", "WorkerId", "AssignmentStatus"}
_ANSWER = "Answer."
_DEPTH = 8  # maximum depth of an answer in a form
_WHOLE_FORM = "Answer.taskAnswers"  # all answers to a crowd-form as one JSON text


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """The columns HITId, WorkerId and AssignmentStatus, and answers."""
    columns = source.csv_columns
    if _NEEDED.issubset(columns) and any(name.startswith(_ANSWER) for name in columns):
        return 0.95, "the columns HITId, WorkerId and Answer. of Mechanical Turk"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The assignments with their items: HITs, or the values of the column given as `item`, for example Input.image_url."""
    key = ballots.options.get("item") or "HITId"
    if missing := sorted((_NEEDED | {key}).difference(ballots.source.csv_columns)):
        raise ballots.source.error(f"column {quoted(missing[0])} is missing", "download the results of the batch again")
    return ((record.name(key), record) for record in ballots.records())


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One question per field of the form."""
    ballots = Ballots(source, options)
    cast: list[tuple[Record, str, Form]] = []
    for item, record in items(ballots):
        ballots.seen(item)
        if record.name("AssignmentStatus") == "Rejected":
            ballots.drop("a rejected assignment")
            continue
        form: Form = dict(_form(ballots, record))
        if any(form.values()):
            cast.append((record, item, form))
        else:
            ballots.drop("an assignment without an answer")
    marks = _marks([form for _, _, form in cast])
    for question, label in marks.values():
        ballots.declare(question, (label,))
    for record, item, form in cast:
        for question, chosen in _questions(form, marks).items():
            ballots.vote(item, record.name("WorkerId"), chosen, question, record.place)
    return ballots.votes_file()


def _form(ballots: Ballots, record: Record) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The answers of an assignment, from columns or from JSON. In a column, several answers are separated by `|`."""
    for name, text in record.fields.items():
        if name == _WHOLE_FORM:
            yield from _leaves(ballots, _decoded(record, text))
        elif name.startswith(_ANSWER):
            parts = [part.lower() if part.lower() in ("true", "false") else part for part in text.split("|")]
            yield name.removeprefix(_ANSWER), tuple(part for part in map(as_name, parts) if part)


def _decoded(record: Record, text: str) -> Mapping[str, Any]:
    """The answers of a form, which are the only object in a JSON list."""
    try:
        forms = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        raise record.error(f"{_WHOLE_FORM!r} is not JSON") from None
    form = forms[0] if isinstance(forms, list) and len(forms) == 1 else forms
    if not isinstance(form, dict):
        raise record.error(f"{_WHOLE_FORM!r} does not hold the answers of one form")
    return form


def _leaves(ballots: Ballots, form: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, value in form.items():
        if isinstance(value, dict) and path.count(".") < _DEPTH:
            yield from _leaves(ballots, value, f"{path}{key}.")
            continue
        names = [as_name(part) for part in (value if isinstance(value, list) else [value]) if part not in (None, "")]
        if None in names:
            ballots.drop("an answer that is not a choice between classes")
        else:
            yield f"{path}{key}", tuple(name for name in names if name)


def _marks(forms: Sequence[Form]) -> dict[str, tuple[str, str]]:
    """Field -> (question, label), for fields that are true or false: sentiment.good is the label `good` of `sentiment`.

    Buttons without a common name, for example good.on and bad.on, or good.good and bad.bad, are the labels of one question
    `label`. A single such button is not in the result: it is a question with the answers true and false.
    """
    seen: dict[str, set[tuple[str, ...]]] = {}
    for form in forms:
        for path, chosen in form.items():
            seen.setdefault(path, set()).add(chosen)
    marks = {
        path: path.removesuffix(".on").rpartition(".")
        for path, values in seen.items()
        if values <= {("true",), ("false",), ()} and values != {()}
    }
    size = Counter(question for question, _, _ in marks.values())
    named = {
        path: (question if question and size[question] > 1 else "label", label)
        for path, (question, _, label) in marks.items()
    }
    size = Counter(question for question, _ in named.values())
    return {path: mark for path, mark in named.items() if size[mark[0]] > 1}


def _questions(form: Form, marks: Mapping[str, tuple[str, str]]) -> dict[str, list[str]]:
    questions: dict[str, list[str]] = {}
    for path, chosen in form.items():
        if path in marks:
            question, label = marks[path]
            questions.setdefault(question, []).extend([label] * (chosen == ("true",)))
        elif chosen:
            # crowd elements add these suffixes
            question = path.removesuffix(".on").removesuffix(".labels").removesuffix(".label")
            questions.setdefault(question, []).extend(chosen)
    return questions
