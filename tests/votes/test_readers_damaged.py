"""Whatever happens to an export, a reader gives votes or one sentence: no other exception, and recognition never fails."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from fuzz.mutation import places, replaced
from hypothesis import given, settings
from hypothesis import strategies as st

from exports import EXPORTS, FOLDER, FORMAT, read
from votewise.errors import VotewiseError
from votewise.votes import SourceFile, detect

JUNK = st.one_of(
    st.sampled_from([None, True, False, 0, -1, 3, 1e300, 4.5, float("nan"), "", " ", "x", "1,2", "\ud800", "9" * 400]),
    st.sampled_from(
        [[], {}, [None], ["a", "a"], [{}], [[]], [1, "b"], {"a": None}, {"": ""}, {"value": {}}, {"id": [1]}]
    ),
)
JSON = [name for name in EXPORTS if name.endswith(("json", "jsonl"))]
TABLES = [name for name in EXPORTS if name.endswith(("csv", "tsv"))]


def read_or_refuse(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(name).name
        path.write_bytes(content)
        try:
            source = SourceFile(path)
            for reader in EXPORTS.values():
                score, reason = reader.recognise(source) or (1, "not this format")
                assert 0 < score <= 1
                assert reason
            reading = read(path, EXPORTS[name])
        except VotewiseError as error:
            sentence = str(error) if error.remedy else ""
        else:
            sizes = {len(votes) for votes in reading.questions.values()}
            assert len(sizes) == 1
            assert sizes != {0}
            sentence = str(reading.report).split("\n")[0]
        assert sentence.startswith(str(path))
        assert "\n" not in sentence


def parsed(name: str) -> Any:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line] if name.endswith("jsonl") else json.loads(text)


def written(name: str, value: Any) -> bytes:
    lines = name.endswith("jsonl") and isinstance(value, list)
    return ("\n".join(map(json.dumps, value)) if lines else json.dumps(value)).encode()


@pytest.mark.parametrize("name", JSON)
def test_json_with_any_one_value_dropped_or_of_another_kind(name: str) -> None:
    value, kinds = parsed(name), cycle([None, True, 3, "x", [], {}, [[]]])
    for path in places(value)[1:]:
        read_or_refuse(name, written(name, replaced(value, path, None, "drop")))
        for junk in islice(kinds, 2):
            read_or_refuse(name, written(name, replaced(value, path, junk, "replace")))


@pytest.mark.parametrize("name", JSON)
@settings(max_examples=20)
@given(random=st.data())
def test_json_with_several_values_dropped_renamed_or_replaced(name: str, random: st.DataObject) -> None:
    value = parsed(name)
    for _ in range(random.draw(st.integers(1, 3))):
        path = random.draw(st.sampled_from(places(value)[1:] or [()]))
        value = replaced(value, path, random.draw(JUNK), random.draw(st.sampled_from(["drop", "rename", "replace"])))
    read_or_refuse(name, written(name, value))


@pytest.mark.parametrize("name", JSON)
def test_json_that_is_nested_deeply_somewhere(name: str) -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = [{"a": deep}]
    value = parsed(name)
    for path in places(value)[1::7]:
        read_or_refuse(name, written(name, replaced(value, path, deep, "replace")))


@pytest.mark.parametrize("name", TABLES)
@settings(max_examples=40)
@given(random=st.data())
def test_tables_with_cells_and_columns_replaced(name: str, random: st.DataObject) -> None:
    mark = "\t" if name.endswith("tsv") else ","
    rows = list(csv.reader(io.StringIO((FOLDER / name).read_text(encoding="utf-8")), delimiter=mark))
    for _ in range(random.draw(st.integers(1, 3))):
        row = random.draw(st.integers(0, len(rows) - 1))
        if not rows[row]:
            continue
        column = random.draw(st.integers(0, len(rows[row]) - 1))
        if random.draw(st.booleans()):
            rows[row][column] = str(
                random.draw(st.sampled_from(["", " ", "x", "-1", "1e400", "nan", "true", "9" * 30, "é"]))
            )
        elif random.draw(st.booleans()):
            del rows[row][column]
        else:
            rows = [[cell for place, cell in enumerate(one) if place != column] for one in rows]
    out = io.StringIO()
    csv.writer(out, delimiter=mark).writerows(rows)
    read_or_refuse(name, out.getvalue().encode())


@pytest.mark.parametrize("name", EXPORTS)
@settings(max_examples=20)
@given(random=st.data())
def test_files_cut_off_or_with_a_byte_that_is_no_text(name: str, random: st.DataObject) -> None:
    content = (FOLDER / name).read_bytes()
    place = random.draw(st.integers(1, len(content) - 1))
    read_or_refuse(name, content[:place] + random.draw(st.sampled_from([b"", b"\xff", b"\x00", b'"', b"\r"])) + b" ")


@pytest.mark.parametrize("name", EXPORTS)
def test_each_export_is_recognised_by_its_own_reader_alone(name: str) -> None:
    source = SourceFile(FOLDER / name)
    recognised = {reader: reader.recognise(source) for reader in EXPORTS.values()}
    assert recognised.pop(EXPORTS[name])[0] >= 0.8
    assert set(recognised.values()) == {None}
    assert detect(source)[0] == FORMAT[EXPORTS[name]]


@pytest.mark.parametrize("name", [name for name in EXPORTS if "/" not in name])
def test_a_byte_order_mark_changes_nothing(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(b"\xef\xbb\xbf" + (FOLDER / name).read_bytes())
    assert EXPORTS[name].recognise(SourceFile(path)) == EXPORTS[name].recognise(SourceFile(FOLDER / name))
    for question, votes in read(name).questions.items():
        assert read(path, EXPORTS[name]).questions[question].fingerprint == votes.fingerprint
