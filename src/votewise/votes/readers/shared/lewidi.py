"""Shared by the readers of the LeWiDi tasks: items by id, and the check of votes against the published soft label."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from votewise.votes.readers.shared.ballots import Ballots
from votewise.votes.readers.shared.record import Record, as_name
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.wording import quoted

_ROUNDING = 0.0051  # soft labels are published with two decimals at least


def first_item(source: SourceFile) -> Mapping[str, Any]:
    """The first item of the file, for detection; {} if it does not look like an item."""
    first = next(iter(source.first_record.values()), None)
    return first if isinstance(first, dict) and {"annotations", "annotation task"} <= first.keys() else {}


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The items of the file with their ids."""
    source = ballots.source
    if not isinstance(source.json, dict):
        raise source.error("the file is not a dictionary of items", "give the JSON file of a LeWiDi dataset")
    for number, (key, fields) in enumerate(source.json.items(), start=1):
        if (name := as_name(key)) is None or not isinstance(fields, dict):
            raise source.error(f"item {number} has no id or is not an object", "correct or remove it")
        ballots.rows += 1
        yield name, Record(source, f"item {quoted(name)}", fields)


def agrees(soft_label: Record, labels: Sequence[str]) -> bool:
    """Whether the published shares are the shares of `labels`. The labels 1.0 and 1 are the same, because MultiPICo uses both."""
    for key, share in soft_label.fields.items():
        if not isinstance(share, int | float):
            raise soft_label.error(f"the share of {quoted(key)} is {quoted(share)}, not a number")
        if not 0 <= share <= 1:
            return False
        if labels and not abs(labels.count(as_label(key)) / len(labels) - share) <= _ROUNDING:
            return False
    return True


def as_label(text: str) -> str:
    """A label without the `.0` that some files add to whole numbers."""
    return (as_name(text) or "").removesuffix(".0")


def note_disagreement(ballots: Ballots, wrong: Sequence[str]) -> None:
    """Add a note on items whose published soft label differs from the shares of their votes."""
    if wrong:
        ballots.note(
            f"items whose published soft label differs from the shares of their votes: {len(wrong):,}, for example {wrong[0]}"
        )
