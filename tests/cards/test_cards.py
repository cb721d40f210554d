"""Cards escape what they are given, charts are well-formed, and tables survive a file."""

import pickle
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.cards import Rows, curves, dots, element, histogram, matrix, table
from votewise.errors import VotewiseError

names = st.lists(st.text(min_size=1, max_size=60), min_size=2, max_size=5)


@given(names)
def test_charts_are_well_formed_whatever_the_names(some):
    share = np.full((len(some), len(some)), 1 / len(some)).tolist()
    for chart in (
        histogram(some[0], some, range(len(some)), across=some[1]),
        matrix(some[0], some, share, down=some[0], across=some[1]),
        dots(some[0], [(name, 0.5, 0.7) for name in some], across=some[1], marks=(some[0], some[1])),
        curves(
            some[0], {name: [(1, 2), (3, 1)] for name in some}, across=some[0], up=some[1], log=True, at=(2, some[0])
        ),
    ):
        root = ElementTree.fromstring(chart.figure(some[0]))
        assert {part.tag for part in root.iter()} <= {
            "figure", "strong", "svg", "figcaption", "g", "title", "rect", "text", "line", "circle", "polyline",
        }  # fmt: skip


def test_text_and_attributes_are_escaped_once():
    inner = element("b", "<i>")
    assert element("p", inner, "&", title='"x"') == '<p title="&quot;x&quot;"><b>&lt;i&gt;</b>&amp;</p>'
    assert "<script>" not in table(["<script>"], [("<script>", 1, None, float("nan"), True)])


def test_bars_are_as_tall_as_their_numbers():
    root = ElementTree.fromstring(histogram("t", ["a", "b", "c"], [2, 4, 0], across="x").svg)
    heights = [float(box.get("height")) for box in root.iter("rect")]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.2)
    assert heights[2] == 0


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".parquet", ".json"])
def test_rows_are_the_same_after_a_file(tmp_path, ending):
    rows = Rows({"item": ["a,b", 'c"d\n'], "votes": np.array([3, 1]), "error": np.array([0.25, 0.5])})
    path = rows.write(tmp_path / f"rows{ending}")
    read = {".csv": pl.read_csv, ".tsv": lambda file: pl.read_csv(file, separator="\t")}
    frame = read.get(ending, {".parquet": pl.read_parquet, ".json": pl.read_json}.get(ending))(path)
    assert frame.equals(rows.to_polars())
    assert rows.to_pandas().to_dict("list") == rows.to_polars().to_dict(as_series=False)


def test_rows_show_themselves_shortly_and_can_be_pickled():
    rows = Rows({"item": [str(i) for i in range(100)], "votes": list(range(100))})
    assert repr(rows) == "Rows(100 rows: item, votes)"
    assert "80 more" in rows._repr_html_()
    assert pickle.loads(pickle.dumps(rows)).records() == rows.records()
    assert rows[:2].records() == [("0", 0), ("1", 1)]
    with pytest.raises(VotewiseError):
        rows["nobody"]
    with pytest.raises(VotewiseError):
        rows.write("rows.xlsx")


def test_a_chart_is_saved_as_a_file_that_stands_alone(tmp_path):
    chart = histogram("Votes", ["1", "2"], [3, 4], across="votes")
    svg = chart.save(tmp_path / "chart.svg").read_text()
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"
    assert chart.save(tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(VotewiseError):
        chart.save(tmp_path / "chart.gif")


def test_people_who_always_agree_have_a_chart() -> None:
    chart = dots("Agreement", [("ann", 1.0, 1.0)], across="votes", marks=("own", "usual"))
    assert "ann 100.0 % (100.0 %)" in chart.alt
