"""Pages in a terminal: aligned, as wide as it is, and nothing on them is markup."""

from __future__ import annotations

import io
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from votewise import terminal
from votewise.terminal import Canvas, Page


def drawn(draw, width=80, encoding="utf-8"):
    """The lines of a page that `draw` puts on a canvas."""
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
    Console(file=file, width=width, color_system=None).print(Page(draw))
    file.flush()
    return [line.rstrip() for line in file.buffer.getvalue().decode(encoding).splitlines()]


def table(rows, **options):
    return partial(Canvas.table, rows=rows, **options)


@given(st.floats(0, 1), st.integers(1, 60), st.booleans())
def test_a_bar_fits_its_room_and_is_empty_for_nothing_alone(share, room, ascii_only):
    bar = Canvas(ascii=ascii_only).bar(share, room)
    assert len(bar) <= room
    assert bool(bar) == (share > 0)
    assert len(bar) >= int(share * room) - 1


@settings(max_examples=200)
@given(st.text(), st.integers(3, 20), st.booleans())
def test_a_cell_has_exactly_its_width(text, width, ascii_only):
    assert cell_len(Canvas(ascii=ascii_only).fit(text, width)) == width


def test_columns_are_aligned_and_a_heading_runs_across_them() -> None:
    rows = [("name", "value"), "A heading wider than the first column", ("a", "1.5"), ("longer", "-10.25")]
    assert drawn(table(rows, right=(1,))) == [
        "  name     value",
        "A heading wider than the first column",
        "  a          1.5",
        "  longer  -10.25",
    ]


def test_a_last_column_is_wrapped_beside_the_others() -> None:
    rows = [("key", "a text that is too long for one line of forty cells"), ("other", "short")]
    lines = drawn(table(rows, wrap=True), width=40)
    assert lines[0].startswith("  key    a text that")
    assert lines[1].startswith("         ")
    assert lines[-1] == "  other  short"


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=90)), min_size=1, max_size=4), st.integers(40, 120))
@settings(max_examples=60, deadline=None)
def test_no_table_is_wider_than_the_terminal(rows, width) -> None:
    lines = drawn(table(rows, wrap=True), width)
    assert max(map(cell_len, lines), default=0) <= width


def test_cells_notes_and_titles_are_text_and_not_markup() -> None:
    def draw(canvas):
        yield from canvas.title("[red]title[/]", ":smile:")
        yield from canvas.note("[bold]note[/bold]")
        yield from canvas.table([("[blue]cell", "a\x1b[31mb")])

    assert drawn(draw) == ["[red]title[/]  :smile:", "[bold]note[/bold]", r"  [blue]cell  a\x1b[31mb"]


def test_a_terminal_with_ascii_alone_gets_ascii() -> None:
    def draw(canvas):
        yield from canvas.bars([("größe", 2.0, "↓ 0.1 … 0.2"), ("b", 1.0, "x")])

    lines = drawn(draw, encoding="ascii")
    assert r"gr\xf6\xdfe" in lines[0]
    assert "####" in lines[0]
    assert "v 0.1 ~ 0.2" in lines[0]


@pytest.mark.parametrize("columns", [50, 80, 300])
def test_plain_text_is_as_wide_as_the_terminal_within_limits(columns, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = terminal.text(Page(lambda canvas: canvas.note("word " * 100)))
    assert min(columns, 100) - 5 < max(map(len, text.splitlines())) <= min(columns, 100)


def test_a_page_is_printed_without_colours_where_there_is_no_terminal(capsys) -> None:
    terminal.show(Page(lambda canvas: canvas.title("Title", "note")), title="a [b]")
    out = capsys.readouterr().out
    assert "a [b]" in out
    assert "Title  note" in out.splitlines()
    assert "\x1b" not in out
