"""ChaosNLI: 100 anonymous votes per pair of sentences, given as counts (Nie et al. 2020)."""

from __future__ import annotations

from collections.abc import Iterator

from votewise.votes.readers.shared import Ballots, ReadOptions, Record, SourceFile, VotesFile
from votewise.wording import quoted

NLI = {"e": "entailment", "n": "neutral", "c": "contradiction"}  # the order of label_count
ALPHA = {"1": "1", "2": "2"}  # the number of the hypothesis that explains the observations


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Records with label_counter and label_count."""
    record = source.first_record
    if isinstance(record.get("label_counter"), dict) and "label_count" in record:
        return 0.95, "records with label_counter and label_count, as in ChaosNLI"
    return None


def items(ballots: Ballots) -> Iterator[tuple[str, Record]]:
    """The records with the ids of their items."""
    return ((record.name("uid"), record) for record in ballots.records())


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """One vote for each count of label_counter, checked against label_count; the annotators are unknown."""
    ballots = Ballots(source, options)
    labels: dict[str, str] | None = None
    for item, record in items(ballots):
        ballots.seen(item)
        counts = _counts(record)
        if labels is None:
            labels = ALPHA if ALPHA.keys() & counts.keys() else NLI
            ballots.declare("label", labels.values())
        if unknown := counts.keys() - labels.keys():
            raise record.error(f"label {quoted(min(unknown))} is not one of {', '.join(labels)}")
        listed = record.fields.get("label_count", [])
        if listed != [counts.get(label, 0) for label in labels]:
            raise record.error(f"label_count {quoted(listed)} disagrees with label_counter {quoted(counts)}")
        for label, count in counts.items():
            ballots.vote(item, None, (labels[label],), "label", record.place, count)
    return ballots.votes_file()


def _counts(record: Record) -> dict[str, int]:
    counts = record.record("label_counter").fields
    for label, count in counts.items():
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count < 10**6:
            raise record.error(f"label_counter has {quoted(count)} votes for {quoted(label)}, not a whole number")
    return dict(counts)
