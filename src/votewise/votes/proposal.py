"""A proposal for cleaning a file of votes, as a TOML file to edit: labels and annotators that look alike, and missing values."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Unpack, cast

import numpy as np

from votewise.files import write_atomic
from votewise.read_options import ReadOptions
from votewise.toml_files import toml_key, toml_value
from votewise.votes.cleaning import with_cleaning_file
from votewise.votes.frame_columns import is_frame
from votewise.votes.readers import inspect_votes
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.source_table import Frame
from votewise.votes.readers.shared.suspicious_classes import (
    annotator_counts,
    class_counts,
    meant,
    settled,
    suspects,
    suspicious_annotators,
)
from votewise.votes.readers.shared.vote_times import not_readable, time_columns
from votewise.votes.votes import Votes
from votewise.wording import counted, quoted


@dataclass(frozen=True, slots=True, repr=False)
class CleaningProposal:
    """A proposal for cleaning votes, for the user to check. `read_votes(path, **proposal.options)` applies it.

    Attributes:
        source: the file or frame.
        options: the given options, the detected columns, and the proposed `map`, `map_annotators` and `missing`.
        unknown: label -> number of its votes, for labels that are not given classes and do not look like one.
        duplicates: number of votes that repeat an earlier vote of the same annotator on the same item, after cleaning the names.
        times: columns that may hold the time of a vote.
        reasons: label or annotator -> why it is proposed.
        unreadable_times: columns that look like times, but have values that cannot be read as times.
    """

    source: str
    options: ReadOptions
    unknown: Mapping[str, int] = field(default_factory=dict)
    duplicates: int = 0
    times: Sequence[str] = ()
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    unreadable_times: Sequence[str] = ()

    def __len__(self) -> int:
        """Number of names to clean."""
        return len(self.reasons) + len(self.unknown)

    def __repr__(self) -> str:
        return f"CleaningProposal({counted(len(self), 'name')} in {self.source})"

    def __str__(self) -> str:
        return self.toml()

    def toml(self) -> str:
        """The proposal as the text of a TOML file for `cleaning=` (`--cleaning`)."""
        plain = {name: value for name, value in self.options.items() if name not in (*_TABLES, "missing", "duplicates")}
        lines = [f"# How to read {self.source}: check it, edit it, and give it to any command with --cleaning."]
        lines += [f"{name} = {toml_value(value)}" for name, value in plain.items()]
        if missing := self.options.get("missing"):
            lines += ["", "# values that mean missing", "missing = ["]
            lines += [f"    {toml_value(name)},{self._reason('missing', name)}" for name in missing] + ["]"]
        lines += self._duplicates()
        for table, thing in _TABLES.items():
            mapping = cast(Mapping[str, str], self.options.get(table) or {})
            if mapping or (table == "map" and self.unknown):
                lines += ["", f'# {thing} to rename: "" means missing; map a name to itself to keep it']
                lines += [f"[{table}]"]
                lines += [f"{toml_key(n)} = {toml_value(new)}{self._reason(table, n)}" for n, new in mapping.items()]
            if table == "map":
                why = "not one of the classes"
                lines += [f'# {toml_key(n)} = ""  # {counted(k, "vote")}, {why}' for n, k in self.unknown.items()]
        return "\n".join(lines) + "\n"

    def _reason(self, option: str, name: str) -> str:
        reason = self.reasons.get((option, name))
        return "" if reason is None else f"  # {reason}"

    def _duplicates(self) -> list[str]:
        """The lines about second votes: the given policy, or a line to choose one if there are second votes."""
        if given := self.options.get("duplicates"):
            return ["", f"duplicates = {toml_value(given)}"]
        if not self.duplicates:
            return []
        text = f"# {counted(self.duplicates, 'second vote')} of an annotator on an item; choose first, last, majority or keep (all):"
        times = [f"time = {toml_value(name)}" for name in self.times] or list(map(not_readable, self.unreadable_times))
        return ["", text, '# duplicates = "last"', *(f"# {line}" for line in times[:1])]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the TOML file."""
        write_atomic(path, self.toml().encode())


_TABLES = {"map": "labels", "map_annotators": "annotators"}


def propose_cleaning(path: str | os.PathLike[str] | Any, **options: Unpack[ReadOptions]) -> CleaningProposal:
    r"""Find labels and annotators that look like others, and labels that look like missing values.

    The file is not changed. Check the proposal, and pass it to a reader as a TOML file (`proposal.save`) or as options.

    Args:
        path: a file of votes in any known format, or a frame, as for `read_votes`.
        **options: how to read it, see `ReadOptions`. With `classes`, labels are compared with them.

    Example:
        >>> import polars as pl
        >>> frame = pl.DataFrame({"item": [1, 1, 2, 2], "user": ["a", "Bo", "a", "bo"], "label": ["ok", "?", "Ok", "ok"]})
        >>> proposal = propose_cleaning(frame)
        >>> proposal.options["map"], proposal.options["map_annotators"], proposal.options["missing"]
        ({'Ok': 'ok'}, {'bo': 'Bo'}, ['?'])
    """
    from votewise.votes.readers.shared.long_rows import roles_in

    options = with_cleaning_file(options)
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None and name != "cleaning"}
    reading = {**given, "duplicates": given.get("duplicates", "keep")}
    as_it_is = {name: value for name, value in reading.items() if name != "classes"}
    file = inspect_votes(path, **as_it_is)
    asked = [votes for votes in file.questions.values() if isinstance(votes, Votes)]
    table: Frame | SourceFile = Frame(path) if is_frame(path) else SourceFile(path)
    columns = roles_in(table, reading) if file.report.format == "long-table" else {}  # type: ignore[arg-type]  # read options
    labels, unknown = _labels(asked, given.get("classes"), given.get("map") or {})
    people = _annotators(asked, given.get("map_annotators") or {})
    missing = [name for name, (new, _) in labels.items() if new is None]
    renamed = {name: new for name, (new, _) in labels.items() if new is not None}
    named = {name: new for name, (new, _) in people.items()}
    proposed = {
        "missing": [*given.get("missing", ()), *missing],
        "map": {**(given.get("map") or {}), **renamed},
        "map_annotators": {**(given.get("map_annotators") or {}), **named},
    }
    cleaned = {**columns, **given, **{name: value for name, value in proposed.items() if value}}
    reasons = {("missing" if new is None else "map", name): why for name, (new, why) in labels.items()}
    reasons |= {("map_annotators", name): why for name, (_, why) in people.items()}
    settle = "duplicates" not in given
    again = max((_second_votes(votes, missing, named) for votes in asked), default=0) if settle else 0
    times, unreadable = time_columns(table, columns) if columns else ([], [])
    source = table.name if is_frame(path) else Path(path).name
    return CleaningProposal(source, cast(ReadOptions, cleaned), unknown, again, times, reasons, unreadable)


def _labels(
    asked: Sequence[Votes], classes: Sequence[str] | None, mapping: Mapping[str, str]
) -> tuple[dict[str, tuple[str | None, str]], dict[str, int]]:
    """Label -> its new name (None: missing) and the reason; and unknown labels -> number of votes."""
    found, unknown = dict[str, tuple[str | None, str]](), dict[str, int]()
    for votes in asked:
        count = class_counts(votes)
        if classes is None:
            twins = suspects(count)
        else:
            others = [name for name in count if name not in classes]
            twins = meant(others, classes)
            unknown |= {name: count[name] for name in others if name not in twins}
        for name in (name for name, twin in twins.items() if not settled(name, twin, mapping)):
            twin = _end(name, twins)
            of = "" if twin is None else f", {quoted(twin)} has {count.get(twin, 0):,}"
            found[name] = twin, f"{counted(count[name], 'vote')}{of}"
    return found, unknown


def _end(name: str, twins: Mapping[str, str | None]) -> str | None:
    """The last name in a chain of look-alikes: 'Postive' looks like 'postive', which looks like 'positive'."""
    new = twins[name]
    while new is not None and new in twins:
        new = twins[new]
    return new


def _annotators(asked: Sequence[Votes], mapping: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Annotator -> new name and the reason, with the number of items that both voted on, which is evidence against a merge."""
    total = Counter[str]()
    for votes in asked:
        total.update(annotator_counts(votes))
    found = dict[str, tuple[str, str]]()
    for name, twin in suspicious_annotators(total).items():
        if not settled(name, twin, mapping):
            both = max(_shared_items(votes, name, twin) for votes in asked)
            also = f"; both voted on {counted(both, 'item')}" if both else ""
            found[name] = twin, f"{counted(total[name], 'vote')}, {quoted(twin)} has {total[twin]:,}{also}"
    return found


def _shared_items(votes: Votes, one: str, other: str) -> int:
    if votes.annotator is None or not {one, other} <= set(votes.annotators):
        return 0
    item = np.repeat(np.arange(len(votes)), votes.votes_per_item)
    items = [set(item[votes.annotator == votes.annotators.index(name)].tolist()) for name in (one, other)]
    return len(items[0] & items[1])


def _second_votes(votes: Votes, missing: Sequence[str], named: Mapping[str, str]) -> int:
    """Number of votes that repeat an earlier vote of the same annotator on the same item, after the proposed renaming."""
    if votes.annotator is None:
        return 0
    code = {name: code for code, name in enumerate(votes.annotators)}
    annotator = np.array([*(code[named.get(name, name)] for name in votes.annotators), -1])[votes.annotator]
    lost = [place for place, name in enumerate(votes.classes) if name in missing]
    known = (annotator >= 0) & ~np.isin(votes.label, lost)
    item = np.repeat(np.arange(len(votes)), votes.votes_per_item)
    return int(known.sum()) - len(np.unique((item * len(code) + annotator)[known]))
