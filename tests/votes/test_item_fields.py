"""Fields of items in an export: they have the ids that the reader of its format gives the votes."""

from __future__ import annotations

import pytest

from exports import FOLDER
from votewise.votes import inspect_votes, read_item_fields


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("argilla.json", "fields.text"),
        ("argilla-flat.jsonl", "text"),
        ("argilla-hub.jsonl", "text"),
        ("chaosnli.jsonl", "example.premise"),
        ("doccano.jsonl", "text"),
        ("label-studio.json", "data.text"),
        ("label-studio-min.json", "text"),
        ("lewidi2025.json", "text.context"),
        ("mturk.csv", "Input.text"),
        ("popquorn.csv", "text"),
        ("potato.tsv", "displayed_text"),
        ("prodigy.jsonl", "text"),
    ],
)
def test_every_item_with_votes_has_its_text(name: str, field: str) -> None:
    fields = read_item_fields(FOLDER / name, [field])
    for answers in inspect_votes(FOLDER / name).questions.values():
        assert all(fields[item][0] for item in answers.names())


def test_the_item_of_a_batch_may_be_another_column() -> None:
    assert list(read_item_fields(FOLDER / "mturk.csv", ["Input.text"], {"item": "Input.id"})) == ["r2", "r10"]
