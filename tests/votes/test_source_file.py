"""What is no text is called by its name, whatever the file is called; none of its bytes are shown."""

from __future__ import annotations

import gzip
import io
import zipfile

import pytest

from votewise.errors import VotewiseError
from votewise.votes import inspect_votes


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, "content " * 50)
    return out.getvalue()


WORKBOOK = zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml")
OLD_WORKBOOK = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
CSV = "item,label\nä,x\nb,y\n"


@pytest.mark.parametrize("name", ["votes.xlsx", "votes.xls", "votes.csv", "votes", "votes.json"])
@pytest.mark.parametrize("content", [WORKBOOK, OLD_WORKBOOK, WORKBOOK[:200]])
def test_a_workbook_is_to_be_saved_as_csv(tmp_path, name, content) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(VotewiseError, match="this is an Excel workbook; save it as CSV"):
        inspect_votes(tmp_path / name)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (zipped("votes.csv"), "this is a ZIP archive; unpack it"),
        (gzip.compress(CSV.encode(), mtime=0), "compressed with gzip; unpack it"),
        (b"%PDF-1.4\n1 0 obj\n", "PDF document; export the table as CSV"),
        (b"\n<!DOCTYPE html><html>", "web page, for example of a login"),
        (CSV.encode("utf-16"), "UTF-16; save the file as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR,", "this is not text"),
        (b"item,label\na,\0\nb,x\n", "this is not text"),
        (CSV.encode("latin-1"), r"byte 11 \(line 2\) is not UTF-8"),
        (CSV.replace("\n", "\r").encode(), "lines end in CR without.*LF"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"format": "long-table"}])
def test_what_is_no_text_is_one_sentence_without_its_bytes(tmp_path, content, words, options) -> None:
    path = tmp_path / "votes.csv"
    path.write_bytes(content)
    with pytest.raises(VotewiseError, match=words) as caught:
        inspect_votes(path, **options)
    sentence = str(caught.value).removeprefix(str(path))
    assert sentence.isprintable()
    assert len(sentence) < 150


def test_a_character_at_the_border_of_what_is_looked_at_is_whole(tmp_path) -> None:
    for shift in range(3):
        text = "item,label\n" + "x" * shift + "é" * 40_000 + ",a\nb,c\n"
        (tmp_path / "votes.csv").write_text(text, encoding="utf-8")
        assert len(inspect_votes(tmp_path / "votes.csv").votes()) == 2


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"item,{'very ' * 99}long\na,b\n", {}),
        (",".join(f"a name of some length {number}" for number in range(99)) + "\n", {}),
        (f"item,label\na,{'very ' * 99}\nb,x\n", {"classes": ["x", "y"]}),
        (f"item,annotator,label\n{'very ' * 99},{'much ' * 99},x\n" * 2, {}),
        (f"item,cat,dog\na,1,2\nb,{'very ' * 99},2\n", {"format": "wide-table"}),
    ],
)
def test_a_sentence_shows_little_of_a_file(tmp_path, text, options) -> None:
    (tmp_path / "v.csv").write_text(text)
    with pytest.raises(VotewiseError) as caught:
        inspect_votes(tmp_path / "v.csv", **options)
    assert len(str(caught.value).removeprefix(str(tmp_path))) < 450
    assert "very " * 12 not in str(caught.value)
