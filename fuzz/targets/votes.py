"""Votes as text: CSV, TSV, JSON, JSONL and the exports of annotation tools, damaged in their cells, values, lines or bytes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import votewise as vw
from fuzz import samples
from fuzz.cases import Target
from fuzz.draws import Draws
from fuzz.mutation import damaged_bytes, damaged_rows, damaged_value
from fuzz.promises import keep_promise, one_of


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    name, content = written(draws)
    (folder / name).write_bytes(content)
    return {"file": name, "options": samples.options(draws), "promise": one_of(draws)}


def written(draws: Draws) -> tuple[str, bytes]:
    """The name and the content of a file of votes."""
    name, content = _table(draws) if draws.chance(0.5) else draws.pick(tuple(samples.exports().items()))
    match draws.below(10):
        case 0:
            return name, content
        case 1 | 2:
            return name, damaged_bytes(draws, content)
        case _:
            return name, _restructured(draws, name, content)


def _table(draws: Draws) -> tuple[str, bytes]:
    table = draws.pick((samples.rows, samples.wide))(draws)
    match draws.pick(("csv", "csv", "tsv", "txt", "jsonl", "json")):
        case "json" | "jsonl" as kind:
            header, *rows = table
            records = [dict(zip(header, row, strict=True)) for row in rows]
            return f"votes.{kind}", samples.as_json(records, kind == "jsonl")
        case kind:
            return f"votes.{kind}", samples.delimited(table, {"tsv": "\t", "txt": ";"}.get(kind, ","))


def _restructured(draws: Draws, name: str, content: bytes) -> bytes:
    """The same file with some of its cells or values replaced."""
    text = content.decode("utf-8-sig")
    if name.endswith(("json", "jsonl")):
        lines = name.endswith("jsonl")
        value = [json.loads(line) for line in text.split("\n") if line] if lines else json.loads(text)
        return samples.as_json(damaged_value(draws, value), lines)
    mark = max("\t;,", key=text.split("\n")[0].count)
    return samples.delimited(damaged_rows(draws, list(csv.reader(io.StringIO(text), delimiter=mark))), mark)


def check(folder: Path, used: dict[str, Any]) -> None:
    file = vw.inspect_votes(folder / used["file"], **used["options"])
    assert str(file.report)
    for answers in file.questions.values():
        keep_promise(used["promise"], answers, folder)


TARGET = Target(make, check)
