"""Figures 1 to 12: from one definition to a page and to files, in the same colours, with their numbers in words."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import polars as pl
import pytest
import vl_convert
from made_up import made_up

from votewise.errors import VotewiseError
from votewise.evidence.figures import FIGURES, FORMATS, VEGA_LITE, figure, save, spec
from votewise.evidence.figures.figure import mean_sd
from votewise.evidence.figures.theme import INK, theme
from votewise.evidence.methods import METHODS
from votewise.evidence.results import Curve

NUMBERS = tuple(FIGURES)
LOOKS = {each.name: each for each in METHODS.values()}


@cache
def drawn(number, preset="demo"):
    return figure(number, made_up(preset))


def parts(made, key):
    """Every value under a key, anywhere in a specification but in its data."""
    if isinstance(made, list):
        for each in made:
            yield from parts(each, key)
    elif isinstance(made, dict):
        for name, value in made.items():
            if name == key:
                yield value
            if name not in ("datasets", "values"):
                yield from parts(value, key)


def data_of(made) -> list[dict]:
    return [row for rows in made["datasets"].values() for row in rows]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("ending", FORMATS)
def test_every_figure_becomes_every_kind_of_file(number, ending, tmp_path):
    content = save(drawn(number), tmp_path / f"figure{ending}").read_bytes()
    signature = {".svg": b"<svg", ".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-", ".json": b"{"}
    assert content.startswith(signature[ending])
    assert len(content) > 3000
    if ending == ".svg":
        assert b"<script" not in content
    if ending == ".png":
        width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
        assert 800 < width < 1600  # two pixels for one
        assert 300 < height < 2000


@pytest.mark.parametrize("preset", ["demo", "paper"])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_specification_is_plain_small_json_and_its_data_is_in_it(number, preset):
    made = spec(drawn(number, preset))
    text = json.dumps(made, allow_nan=False)
    assert json.loads(text) == made
    assert len(text) < 200_000
    assert len(data_of(made)) < 5000
    assert set(re.findall(r"https?://[^\"]+", text)) == {made["$schema"]}
    assert "/v6" in made["$schema"]
    assert VEGA_LITE.startswith("6.")
    assert not list(parts(made, "url"))
    assert made["description"] == drawn(number, preset).alt


@pytest.mark.parametrize("number", NUMBERS)
def test_a_specification_obeys_the_schema_and_is_the_same_each_time(number):
    drawn(number).chart.to_dict(validate=True)
    assert spec(figure(number, made_up("demo"))) == spec(figure(number, made_up("demo")))


@pytest.mark.parametrize("number", NUMBERS)
def test_a_method_has_its_colour_shape_and_dash_on_every_figure(number):
    named = 0
    for encoding in parts(spec(drawn(number)), "encoding"):
        for channel, look in (("color", "colour"), ("shape", "shape"), ("strokeDash", "dash")):
            scale = encoding.get(channel, {}).get("scale")
            if encoding.get(channel, {}).get("field") == "method":
                expected = [getattr(LOOKS[name], look) for name in scale["domain"]]
                assert scale["range"] == [list(each) if look == "dash" else each for each in expected]
                named += 1
    assert named
    names = {row["method"] for row in data_of(spec(drawn(number))) if "method" in row}
    assert names <= set(LOOKS)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_figure_says_in_words_what_it_shows(number):
    made = drawn(number)
    for text in (made.title, made.caption, made.reading, made.alt):
        assert text
        assert "nan" not in text.lower().split()
    assert re.search(r"\d\.\d", made.alt)
    assert made.missing is None
    assert ("Published" in made.caption) == (number != "spectrum")


def test_words_have_the_numbers_of_the_runs():
    results = made_up("demo")
    soft, sls = (list(results.values("sparse", method, "soft_nll", K=3).values()) for method in ("soft", "sls"))
    assert f"With 3 votes: Soft labels {np.mean(soft):.4f}, SLS {np.mean(sls):.4f}" in drawn(1).alt
    cka = {method: np.mean(list(results.values("main", method, "cka").values())) for method in ("soft", "sls")}
    assert f"usual: Soft labels {cka['soft']:.3f}, SLS {cka['sls']:.3f}" in drawn(12).alt
    barrier = np.mean(list(results.values("main", "sls", "barrier").values()))
    assert f"SLS to soft labels {barrier:.2f}" in drawn(11).alt


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (2, "roughly 0.05 to 0.16"),
        (3, "Soft labels 0.019, SLS 0.019, Majority vote 0.082"),
        (4, "0.5027 at 1, 0.5458 at 5, 0.6054 at 10, 0.6689 at 50 epochs"),
        (7, "mean 0.939, from 0.919 to 0.953"),
        (8, "35.7 epochs of 200 earlier at 95 % and 47.2 at its best"),
        (9, "SLS 0.901, soft labels 0.804; on the high-entropy slice 0.861 and 0.756"),
        (11, "mean barrier 2.05 over 10 pairs"),
        (12, "SLS 0.920, soft labels 0.887"),
    ],
)
def test_captions_have_the_numbers_in_print(number, words):
    assert words in drawn(number).caption
    assert "sizes do not compare" in drawn(number).caption
    assert "sizes do not compare" not in drawn(number, "paper").caption


@pytest.mark.parametrize("score", ["soft_nll", "accuracy", "entropy_correlation"])
def test_points_are_means_over_seeds(score):
    results = made_up("demo")
    shown = {(row["method"], row["votes"]): row for row in data_of(spec(drawn(1))) if row.get("score") == score}
    assert len(shown) == 4 * len(results.sweep)
    for method in ("soft", "sls", "multipass", "deterministic"):
        for k in results.sweep:
            values = list(results.values("sparse", method, score, K=k).values())
            row = shown[METHODS[method].name, "all" if k is None else str(k)]
            assert row["mean"] == pytest.approx(np.mean(values), rel=1e-5)
            assert row["high"] - row["low"] == pytest.approx(2 * np.std(values, ddof=1), rel=1e-3, abs=1e-6)


def test_the_sweep_has_a_panel_for_each_score_and_one_for_the_improvement():
    axes = [next(parts(panel["layer"][-1], "y"))["title"] for panel in spec(drawn(1))["concat"]]
    assert axes == [
        "Soft NLL (nats)",
        "Improvement over soft labels (nats)",
        "Hard accuracy (share of items)",
        "Entropy correlation (Spearman)",
    ]


def test_bins_are_matched_from_the_highest_where_a_seed_has_none_at_zero():
    def curve(seed, distance, improvement):
        data = {"distance": distance, "improvement": improvement, "count": [10.0] * len(distance)}
        return Curve("diagnosis", "bins_js", "sls", "soft", 5, seed, "best", data)

    curves = (curve(20, [0.0, 0.1, 0.3], [0.0, 0.2, 0.4]), curve(21, [0.1, 0.3], [0.4, 0.6]))
    made = spec(figure(2, replace(made_up("demo"), curves=curves)))
    assert [row["mean"] for row in data_of(made) if "bin" in row] == [0, 0.3, 0.5]


def test_numbers_that_are_not_there_are_not_drawn():
    data = {"distance": [0.0, 0.1, 0.3], "improvement": [0.0, None, 0.4], "count": [1.0, 0.0, 2.0]}
    curves = (Curve("diagnosis", "bins_js", "sls", "soft", 5, 20, "best", data),)
    made = spec(figure(2, replace(made_up("demo"), curves=curves)))
    assert [row["mean"] for row in data_of(made) if "bin" in row] == [0, 0.4]
    assert mean_sd([1.0, float("nan"), 3.0]) == (2.0, pytest.approx(2**0.5))


def own(*methods):
    """The same runs as if they were a person's comparison of some methods."""
    results = made_up("demo")
    plan = results.plans["main"].model_copy(update={"name": "mine", "methods": methods})
    return replace(
        results,
        dataset="your data",
        plans=dict.fromkeys(("main", "sparse", "ablation"), plan),
        table=results.table.filter(pl.col("method").is_in(methods)),
        curves=tuple(curve for curve in results.curves if {curve.method, curve.other or curve.method} <= {*methods}),
    )


@pytest.mark.parametrize(
    ("number", "methods"),
    [
        (3, ("soft", "majority", "mixup")),
        (8, ("sls",)),
        (8, ("soft", "sls")),
        (10, ("soft", "majority", "mixup", "label-smoothing")),
    ],
)
def test_a_comparison_of_ones_own_has_its_own_methods_on_a_figure(number, methods):
    made = figure(number, own(*methods))
    names = {METHODS[method].name for method in methods}
    assert {row["method"] for row in data_of(spec(made)) if "method" in row} == names
    assert all(name in made.alt for name in names)
    words = f"{made.title} {made.caption} {made.reading} {made.alt}"
    assert ("SLS" in words) is ("sls" in methods)
    assert ("Published" in made.caption) is ("sls" in methods)


@pytest.mark.parametrize("number", [4, 7, 11])
def test_a_figure_about_sls_is_not_drawn_without_it(number):
    assert figure(number, own("soft", "majority")).chart is None


def test_names_that_have_no_room_on_an_axis_are_in_a_legend():
    two, four = (
        spec(figure(10, own(*methods)))["concat"]
        for methods in (("soft", "mixup"), ("soft", "mixup", "majority", "label-smoothing"))
    )
    assert all(legend is None for legend in parts(two, "legend"))
    assert any(legend is not None for legend in parts(four, "legend"))


def test_people_count_epochs_from_one():
    rows = [row for row in data_of(spec(drawn(8))) if "epoch" in row]
    assert {row["epoch"] for row in rows} == set(range(1, 23))  # files have 0 to 21
    results = made_up("demo")
    best = np.mean(list(results.values("main", "soft", "best_epoch").values()))
    assert f"at its best: Soft labels epoch {best + 1:.1f}" in drawn(8).alt


@pytest.mark.parametrize("number", [1, 2, 3, 5, 6])
def test_a_click_in_the_legend_picks_a_method(number):
    compiled = vl_convert.vegalite_to_vega(spec(drawn(number)), vl_version=VEGA_LITE)
    (legend,) = [legend for legends in parts(compiled, "legends") for legend in legends]
    assert legend["encode"]["entries"]["interactive"] is True
    assert "chosen" in json.dumps(legend["encode"]["symbols"])


@pytest.mark.parametrize(("width", "columns"), [(375, 1), (720, 3), (1100, 3)])
def test_panels_move_below_each_other_where_there_is_no_room(width, columns):
    made = spec(drawn(2), width=width)
    assert len(made["concat"]) == 3
    assert made["columns"] == columns
    assert all(columns * panel["width"] < width for panel in made["concat"])


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("width", [340, 700])
def test_a_figure_keeps_to_its_width(number, width):
    svg = vl_convert.vegalite_to_svg(spec(drawn(number), width=width), vl_version=VEGA_LITE)
    assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= width + 12


def test_text_is_light_on_a_dark_page(tmp_path):
    light, dark = (save(drawn(1), tmp_path / f"{dark}.svg", dark=dark).read_text() for dark in (False, True))
    assert INK[False].lower() in light.lower()
    assert INK[True].lower() in dark.lower()
    assert INK[False].lower() not in dark.lower()
    assert theme()["background"] == "transparent"


def test_what_a_person_wrote_is_text(tmp_path):
    name = "<script>alert(1)</script>"
    made = figure(1, replace(made_up("demo"), dataset=name))
    assert name in made.caption
    assert "<script" not in save(made, tmp_path / "figure.svg").read_text()


@pytest.mark.parametrize("number", NUMBERS)
def test_a_figure_without_its_data_says_what_it_needs(number, tmp_path):
    results = made_up("demo")
    made = figure(number, replace(results, table=results.table.clear(), curves=(), plans={}, members={}))
    assert made.chart is None
    assert re.search(r"needs (the probe '\w+' on )?runs of the study '\w+'", made.missing)
    with pytest.raises(VotewiseError, match="there is no chart"):
        save(made, tmp_path / "figure.svg")


@pytest.mark.parametrize("number", NUMBERS)
def test_a_single_seed_is_drawn(number):
    results = made_up("demo")
    seed = results.plans["main"].seeds[0]
    one = replace(
        results,
        table=results.table.filter(pl.col("seed") == seed),
        curves=tuple(curve for curve in results.curves if curve.seed == seed),
    )
    assert json.dumps(spec(figure(number, one)), allow_nan=False)


def test_strange_numbers_and_endings_are_told(tmp_path):
    with pytest.raises(VotewiseError, match="there is no figure 13"):
        figure(13, made_up("demo"))
    with pytest.raises(VotewiseError, match=r"cannot be written as \.gif"):
        save(drawn(1), tmp_path / "figure.gif")


def test_altair_waits_until_a_figure_is_asked_for():
    code = "import votewise.evidence.figures, votewise.evidence.tables, sys; sys.exit('altair' in sys.modules or 'vl_convert' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
