"""The page in a terminal: what people wrote into names stays text, whatever the width and the encoding."""

import io
import re
import unicodedata

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from votewise.profile import describe
from votewise.votes import Votes

HOSTILE = (
    "[red]x[/red]",
    "<script>alert(1)</script>",
    "a\x1b[31mb\x1b]0;title\x07",
    "line\nbreak",
    "\u202eright",
    "[/]",
)


def rendered(votes, width=80, encoding="utf-8", colour=False):
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    console = Console(file=file, width=width, force_terminal=colour, color_system="truecolor" if colour else None)
    console.print(describe(votes))
    file.flush()
    return file.buffer.getvalue().decode(encoding)


def people(classes, counts=None):
    counts = [[2, 1, 1, 1, 1, 1], [0, 3, 0, 0, 2, 0]] if counts is None else counts
    return Votes.from_counts(counts, classes=classes, items=[f"{name} item" for name in classes[: len(counts)]])


def test_markup_and_tags_in_names_are_shown_as_they_are():
    page = rendered(people(HOSTILE))
    assert "[red]x[/red]" in page
    assert "<script>alert(1)" in page
    assert "[/]" in page


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_control_character_reaches_the_terminal(width):
    for page in (rendered(people(HOSTILE), width), str(describe(people(HOSTILE)))):
        unseen = {letter for letter in page if unicodedata.category(letter) in ("Cc", "Cf", "Cs")}
        assert unseen == {"\n"}
        assert r"\x1b[31m" in page


def test_in_colour_the_only_escapes_are_those_of_rich_itself():
    page = rendered(people(HOSTILE), colour=True)
    assert page.count("\x1b") == len(re.findall(r"\x1b\[[\d;]*m", page)) > 0
    assert "\x1b[31m" not in page
    assert "\x07" not in page


def test_an_annotator_with_a_hostile_name_is_shown_safely():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 40)
    label = np.column_stack([truth] * 5 + [1 - truth])
    names = [*"abcde", "\x1b[2Jgone"]
    votes = Votes.from_long(np.repeat(np.arange(40), 6), label.ravel(), names * 40)
    assert r"\x1b[2Jgone" in rendered(votes)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width):
    votes = people(("日本語" * 20, "e" * 300, "🎉", "ok", "é", "ü"))
    assert max(cell_len(line) for line in rendered(votes, width).splitlines()) <= width


def test_where_the_terminal_has_ascii_alone_the_page_is_ascii():
    page = rendered(people(("日本", "é", "c", "d", "e", "f")), encoding="ascii")
    assert page.isascii()
    assert "####" in page
    assert r"\u65e5\u672c" in page


def test_print_to_an_ascii_stream_works(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr("sys.stdout", stream)
    print(describe(people(("日本", "é", "c", "d", "e", "f"))))
    stream.flush()
    assert b"Krippendorff's alpha" in stream.buffer.getvalue()


def test_plain_text_and_terminal_say_the_same():
    votes = people(tuple("abcdef"))
    plain = "\n".join(line.rstrip() for line in rendered(votes).splitlines())
    assert plain == str(describe(votes))


def test_the_page_has_every_section():
    page = str(describe(people(tuple("abcdef"))))
    titles = [line.split("  ")[0] for line in page.splitlines() if line and not line.startswith(" ")]
    assert titles[1:] == [
        "Votes per item",
        "Classes",
        "Agreement",
        "Disagreement",
        "Most disagreement",
        "Few votes",
        "Advice",
    ]


def test_of_many_classes_the_largest_are_shown_and_the_rest_counted():
    counts = np.zeros((1, 1000), int)
    counts[0, :30] = np.arange(30, 0, -1)
    page = str(describe(Votes.from_counts(counts, classes=[f"class-{i}" for i in range(1000)])))
    assert "the 10 largest of 1,000" in page
    assert "970 never chosen" in page
    assert "class-9 " in page
    assert "class-10 " not in page
