"""Small exports in the layout of each tool, and functions with which the tests of the readers read and compare them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

from votewise.votes import READERS, Votes, VotesFile, inspect_votes
from votewise.votes.readers import (
    argilla,
    chaosnli,
    cifar10h,
    doccano,
    label_studio,
    lewidi2023,
    lewidi2025,
    mturk,
    popquorn,
    potato,
    prodigy,
)

FOLDER = Path(__file__).parents[1] / "fixtures" / "readers"

EXPORTS: dict[str, ModuleType] = {
    "argilla-flat.jsonl": argilla,
    "argilla-hub.jsonl": argilla,
    "argilla-people.json": argilla,
    "argilla.json": argilla,
    "chaosnli-alpha.jsonl": chaosnli,
    "chaosnli.jsonl": chaosnli,
    "cifar10h-raw.csv": cifar10h,
    "doccano-shared.jsonl": doccano,
    "doccano-users.jsonl": doccano,
    "doccano.jsonl": doccano,
    "label-studio-min.json": label_studio,
    "label-studio.json": label_studio,
    "lewidi2023.json": lewidi2023,
    "lewidi2025-binary.json": lewidi2025,
    "lewidi2025-several.json": lewidi2025,
    "lewidi2025.json": lewidi2025,
    "mturk-form.csv": mturk,
    "mturk.csv": mturk,
    "popquorn-difficulty.csv": popquorn,
    "popquorn.csv": popquorn,
    "potato-2.csv": potato,
    "potato-2.jsonl": potato,
    "potato.tsv": potato,
    "potato/kim@example.org/annotated_instances.jsonl": potato,
    "prodigy-binary.jsonl": prodigy,
    "prodigy.jsonl": prodigy,
}
FORMAT = {reader: name for name, reader in READERS.items()}


def read(name: str | Path, reader: ModuleType | None = None, **options: Any) -> VotesFile:
    """Read an export of the folder of fixtures with its reader, or any file with the given reader."""
    return inspect_votes(FOLDER / name, format=FORMAT[reader or EXPORTS[str(name)]], **options)


def ballots(votes: Votes) -> dict[str, list[tuple[str | None, str]]]:
    """The whole content of `votes`, by name: item -> pairs (annotator, label) in the order of the labels."""
    content = {}
    for position, item in enumerate(votes.items.tolist()):
        span = slice(votes.indptr[position], votes.indptr[position + 1])
        people = [None] * (span.stop - span.start) if votes.annotator is None else votes.annotator[span].tolist()
        labels = [votes.classes[label] for label in votes.label[span]]
        names = [None if person is None or person < 0 else votes.annotators[person] for person in people]
        content[item] = list(zip(names, labels, strict=True))
    return content
