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

from made_up import made_up, only, renamed
from votewise.comparison import name
from votewise.errors import VotewiseError
from votewise.papers.basins.figures import FIGURES, figure
from votewise.reporting.charts import FORMATS, VEGA_LITE, Figure, Looks, save, spec
from votewise.studies.results import Curve

KEYS = tuple(FIGURES)


@cache
def drawn(key: int | str, preset: str = "demo") -> Figure:
    return figure(key, made_up(preset))


def parts(made, key):
    """Every value under a key, anywhere in a specification except in its data."""
    if isinstance(made, list):
        for item in made:
            yield from parts(item, key)
    elif isinstance(made, dict):
        for field, value in made.items():
            if field == key:
                yield value
            if field not in ("datasets", "values"):
                yield from parts(value, key)


def data_of(made) -> list[dict]:
    return [row for rows in made["datasets"].values() for row in rows]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("ending", FORMATS)
def test_every_figure_becomes_every_kind_of_file(key, ending, tmp_path):
    content = save(drawn(key), tmp_path / f"figure{ending}").read_bytes()
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
@pytest.mark.parametrize("key", KEYS)
def test_a_specification_is_plain_small_json_with_its_data(key, preset):
    made = spec(drawn(key, preset))
    text = json.dumps(made, allow_nan=False)
    assert json.loads(text) == made
    assert len(text) < 200_000
    assert len(data_of(made)) < 5000
    assert set(re.findall(r"https?://[^\"]+", text)) == {made["$schema"]}
    assert "/v6" in made["$schema"]
    assert not list(parts(made, "url"))
    assert made["description"] == drawn(key, preset).alt


@pytest.mark.parametrize("key", KEYS)
def test_a_specification_obeys_the_schema_and_is_reproducible(key):
    drawn(key).chart.to_dict(validate=True)
    assert spec(figure(key, made_up("demo"))) == spec(figure(key, made_up("demo")))


@pytest.mark.parametrize("key", KEYS)
def test_a_method_has_its_colour_shape_and_dash_on_every_figure(key):
    looks = Looks.of(made_up("demo"))
    by_name = {look.name: look for look in looks.sorted(looks.methods.by_label)}
    encoded = 0
    for encoding in parts(spec(drawn(key)), "encoding"):
        for channel, field in (("color", "colour"), ("shape", "shape"), ("strokeDash", "dash")):
            if encoding.get(channel, {}).get("field") == "method":
                scale = encoding[channel]["scale"]
                expected = [getattr(by_name[text], field) for text in scale["domain"]]
                assert scale["range"] == [list(value) if field == "dash" else value for value in expected]
                encoded += 1
    assert encoded
    assert {row["method"] for row in data_of(spec(drawn(key))) if "method" in row} <= set(by_name)


@pytest.mark.parametrize("key", KEYS)
def test_a_figure_says_in_words_what_it_shows(key):
    made = drawn(key)
    for text in (made.title, made.caption, made.reading, made.alt):
        assert text
        assert "nan" not in text.lower().split()
    assert re.search(r"\d\.\d", made.alt)
    assert made.missing == ()
    assert ("In the paper" in made.caption) == (key != "spectrum")


def test_words_have_the_numbers_of_the_runs():
    results = made_up("demo")
    soft, sls = (np.mean(list(results.values(method, "soft_nll", K=3).values())) for method in ("soft", "sls"))
    assert f"With 3 votes: Soft labels {soft:.4f}, SLS {sls:.4f}" in drawn(1).alt
    barrier = np.mean(list(results.values("sls", "barrier").values()))
    assert f"SLS to soft labels {barrier:.2f}" in drawn(11).alt


@pytest.mark.parametrize(("suffix", "partner"), [("", "same method"), ("_between", "other method")])
def test_representations_are_compared_within_and_between_methods(suffix, partner):
    results = made_up("demo")
    for key in ("cka", "cka_debiased"):
        soft, sls = (np.mean(list(results.values(method, key + suffix).values())) for method in ("soft", "sls"))
        assert f"with the {partner}: Soft labels {soft:.3f}, SLS {sls:.3f}" in drawn(12).alt
    assert partner in {row["category"] for row in data_of(spec(drawn(12)))}


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (2, "roughly 0.05 to 0.16"),
        (3, "Soft labels 0.019, SLS 0.019, Majority vote 0.082"),
        (4, "0.5027 at 1, 0.5458 at 5, 0.6054 at 10, 0.6689 at 50 epochs"),
        (7, "mean 0.939, from 0.919 to 0.953"),
        (8, "35.7 epochs earlier than soft labels, and reaches its best 47.2 epochs earlier"),
        (9, "SLS 0.901, soft labels 0.804; on the high-entropy slice 0.861 and 0.756"),
        (11, "mean barrier 2.05 over 10 pairs"),
        (12, "SLS 0.920, soft labels 0.887"),
    ],
)
def test_captions_have_the_published_numbers(key, words):
    assert words in drawn(key).caption
    assert "not comparable" in drawn(key).caption
    assert "not comparable" not in drawn(key, "paper").caption


@pytest.mark.parametrize("quantity", ["soft_nll", "accuracy", "entropy_correlation"])
def test_points_are_means_over_seeds_and_all_votes_are_not_in_the_sweep(quantity):
    results = made_up("demo")
    shown = {(row["method"], row["votes"]): row for row in data_of(spec(drawn(1))) if row.get("score") == quantity}
    assert len(shown) == 4 * len(results.votes_per_item())
    for method in ("soft", "sls", "multipass", "deterministic"):
        for k in results.votes_per_item():
            values = list(results.values(method, quantity, K=k).values())
            row = shown[name(method), str(k)]
            assert row["value"] == pytest.approx(np.mean(values), rel=1e-5)
            assert row["high"] - row["low"] == pytest.approx(2 * np.std(values, ddof=1), rel=1e-3, abs=1e-6)


def test_the_sweep_has_a_panel_for_each_score_and_one_for_the_improvement():
    axes = [next(parts(panel["layer"][-1], "y"))["title"] for panel in spec(drawn(1))["concat"]]
    assert axes == [
        "Soft NLL (nats)",
        "Improvement on soft labels (nats)",
        "Hard accuracy (share of items)",
        "Entropy correlation (Spearman)",
    ]


def bins_of(seed: int, distance: list[float], improvement: list[float | None]) -> Curve:
    data = {"distance": distance, "improvement": improvement, "count": [10.0] * len(distance)}
    return Curve(frozenset({"sparse"}), "diagnosis", "bins_js", "sls", "soft", 5, seed, "best", data)


def test_bins_are_matched_from_the_highest_where_a_seed_has_none_at_zero():
    curves = (bins_of(20, [0.0, 0.1, 0.3], [0.0, 0.2, 0.4]), bins_of(21, [0.1, 0.3], [0.4, 0.6]))
    made = spec(figure(2, replace(made_up("demo"), curves=curves)))
    assert [row["value"] for row in data_of(made) if "bin" in row] == [0, 0.3, 0.5]


def test_missing_numbers_are_not_drawn():
    curves = (bins_of(20, [0.0, 0.1, 0.3], [0.0, None, 0.4]),)
    made = spec(figure(2, replace(made_up("demo"), curves=curves)))
    assert [row["value"] for row in data_of(made) if "bin" in row] == [0, 0.4]


@pytest.mark.parametrize("key", [1, 3, 8, 10])
def test_a_users_comparison_has_the_papers_figures_for_the_methods_it_holds(key):
    made = figure(key, only(made_up("demo"), "soft", "sls", "majority"))
    names = {row["method"] for row in data_of(spec(made)) if "method" in row}
    assert {"Soft labels", "SLS"} <= names <= {"Soft labels", "SLS", "Majority vote"}
    assert "Dataset votes.csv" in made.caption


@pytest.mark.parametrize("key", [4, 7, 11])
def test_a_figure_about_sls_needs_it(key):
    made = figure(key, only(made_up("demo"), "soft", "majority"))
    assert made.chart is None
    assert "sls" in made.missing[0].methods


def test_epochs_count_from_one():
    rows = [row for row in data_of(spec(drawn(8))) if "epoch" in row]
    assert {row["epoch"] for row in rows} == set(range(1, 23))  # files have 0 to 21
    best = np.mean(list(made_up("demo").values("soft", "best_epoch").values()))
    assert f"at its best: Soft labels epoch {best + 1:.1f}" in drawn(8).alt


@pytest.mark.parametrize("key", [1, 2, 3, 5, 6, 8])
def test_a_click_in_the_legend_selects_a_method(key):
    compiled = vl_convert.vegalite_to_vega(spec(drawn(key)), vl_version=VEGA_LITE)
    (legend,) = [legend for legends in parts(compiled, "legends") for legend in legends]
    assert legend["encode"]["entries"]["interactive"] is True
    assert "chosen" in json.dumps(legend["encode"]["symbols"])


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("width", [340, 700])
def test_a_figure_keeps_to_its_width(key, width):
    svg = vl_convert.vegalite_to_svg(spec(drawn(key), width=width), vl_version=VEGA_LITE)
    assert float(re.search(r'width="([\d.]+)"', svg)[1]) <= width + 12


def test_names_of_users_are_text(tmp_path):
    text = "<script>alert(1)</script>"
    made = figure(1, renamed(made_up("demo"), text))
    assert text in made.caption
    assert "<script" not in save(made, tmp_path / "figure.svg").read_text()


@pytest.mark.parametrize("key", KEYS)
def test_a_figure_without_data_says_what_it_needs(key, tmp_path):
    results = made_up("demo")
    made = figure(key, replace(results, table=results.table.clear(), curves=()))
    assert made.chart is None
    assert made.missing[0].study in ("main", "sparse", "resampling")
    with pytest.raises(VotewiseError, match="has no data"):
        save(made, tmp_path / "figure.svg")


@pytest.mark.parametrize("key", KEYS)
def test_a_single_seed_is_drawn(key):
    results = made_up("demo")
    seed = results.plans["main"].seeds[0]
    one = replace(
        results,
        table=results.table.filter(pl.col("seed") == seed),
        curves=tuple(curve for curve in results.curves if curve.seed == seed),
    )
    assert json.dumps(spec(figure(key, one)), allow_nan=False)


def test_unknown_figures_are_refused():
    with pytest.raises(VotewiseError, match="unknown figure 13"):
        figure(13, made_up("demo"))


def test_altair_is_imported_by_the_first_figure():
    code = "import votewise.papers.basins.figures, votewise.papers.basins.tables, sys; sys.exit('altair' in sys.modules or 'vl_convert' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
