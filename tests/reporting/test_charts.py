"""Charts of any comparison: methods told apart by colour, shape and dash, figures for whatever methods there are."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import vl_convert

from made_up import made_up, only, results_of
from toy_study import toy_plan
from votewise.comparison import Methods, name, side_by_side
from votewise.errors import VotewiseError
from votewise.reporting.charts import (
    FIGURES,
    VEGA_LITE,
    Looks,
    mean_sd,
    paired_differences,
    reliability_curves,
    save,
    spec,
    theme,
    training_curves,
    votes_sweep,
)
from votewise.reporting.charts.looks import KNOWN, OTHERS
from votewise.reporting.charts.theme import INK
from votewise.studies.results import Results

# Vision without one kind of cone, on linear RGB (Machado, Oliveira and Fernandes 2009, severity 1).
SEEN = {
    "all cones": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]])
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: str) -> np.ndarray:
    c = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    t = XYZ @ np.clip(rgb, 0, 1) / WHITE
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def contrast(first: str, second: str) -> float:
    low, high = sorted(float(XYZ[1] @ linear(colour)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def closest(colours: list[str], eyes: str) -> float:
    seen = [lab(np.array(SEEN[eyes]) @ linear(colour)) for colour in colours]
    return min(float(np.linalg.norm(one - two)) for one, two in combinations(seen, 2))


def test_the_measure_knows_black_white_and_red_green_blindness():
    assert lab(linear("#FFFFFF")) == pytest.approx([100, 0, 0], abs=0.02)
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21, abs=1e-3)
    assert closest(["#B00000", "#506000"], "deuteranopia") < closest(["#B00000", "#506000"], "all cones") / 2


@pytest.mark.parametrize("eyes", list(SEEN))
def test_any_two_colours_are_far_apart(eyes):
    known, others = ([colour for colour, _, _ in looks] for looks in (KNOWN.values(), OTHERS))
    assert closest(known, eyes) > 15  # a difference of 2.3 is just noticeable
    assert closest(known + others, eyes) > 10


@pytest.mark.parametrize("colour", [colour for colour, _, _ in (*KNOWN.values(), *OTHERS)])
def test_a_colour_stands_out_on_a_light_and_on_a_dark_page(colour):
    assert contrast(colour, "#FFFFFF") > 2
    assert contrast(colour, "#14171C") > 2


def test_shape_and_dash_tell_methods_apart_without_colour():
    looks = [*KNOWN.values(), *OTHERS]
    assert len({shape for _, shape, _ in looks}) == len({dash for _, _, dash in looks}) == len(looks)


def test_variants_and_unknown_methods_have_looks_of_their_own():
    plan = toy_plan(
        Path("data"), methods=["sls", {"name": "sls", "resample_every": 5}, {"name": "mixup", "mixup": 0.4}]
    )
    looks = Looks.of(Results(pl.DataFrame(), plans={"toy": plan}))
    labels = [*looks.methods.by_label, "mine"]
    assert len({looks[label].colour for label in labels}) == len({looks[label].shape for label in labels}) == 4
    assert looks["sls"].colour == KNOWN["sls"][0]
    assert Looks(Methods())["mine"].name == "mine"


def data_of(made) -> list[dict]:
    return [row for rows in made["datasets"].values() for row in rows]


@pytest.mark.parametrize("make", FIGURES)
@pytest.mark.parametrize("methods", [("soft", "sls"), ("sls", "majority", "soft", "mixup"), ("sls",)])
def test_any_comparison_has_figures_of_its_own_methods(make, methods):
    made = make(only(made_up("demo"), *methods))
    if make is paired_differences and len(methods) == 1:
        assert made.missing
        return
    made.chart.to_dict(validate=True)
    shown = {row["method"] for row in data_of(spec(made)) if "method" in row}
    assert shown
    assert shown <= {name(method) for method in methods}
    words = f"{made.title} {made.caption} {made.reading} {made.alt}"
    assert "In the paper" not in words
    assert all(text in made.alt for text in shown if make is not reliability_curves)
    assert vl_convert.vegalite_to_svg(spec(made, width=340), vl_version=VEGA_LITE)


@pytest.mark.parametrize("make", FIGURES)
def test_a_figure_without_data_says_what_it_needs(make, tmp_path):
    results = made_up("demo")
    made = make(replace(results, table=results.table.clear(), curves=()))
    assert made.chart is None
    assert "soft" in made.missing[0].methods
    with pytest.raises(VotewiseError, match="has no data"):
        save(made, tmp_path / "figure.svg")


def test_figures_of_curves_name_their_probe():
    results = replace(made_up("demo"), curves=())
    assert training_curves(results).missing[0].probe == "dynamics"
    assert reliability_curves(results).missing[0].probe == "reliability"


def test_paired_differences_are_those_of_the_table():
    results = made_up("paper")
    table = side_by_side(results)
    made = paired_differences(results)
    means = {(round(row["value"], 5), row["significant"]) for row in data_of(spec(made)) if "significant" in row}
    tested = [value for value in table.values if value.difference is not None]
    assert means == {(round(float(f"{value.difference:.6g}"), 5), value.significant) for value in tested}
    assert len(spec(made)["concat"]) == 10  # all votes and four numbers, at the best and at the last epoch


def test_a_single_seed_has_no_interval_and_is_drawn():
    made = paired_differences(results_of({("soft", None): [0.9], ("sls", None): [1.0]}))
    (row,) = [row for row in data_of(spec(made)) if "low" in row]  # the same data at both epochs
    assert (row["low"], row["high"]) == (row["value"], row["value"]) == (pytest.approx(0.1), pytest.approx(0.1))


def test_a_method_far_off_does_not_flatten_the_differences_of_the_others():
    losses = {"soft": 0.9, "sls": 0.93, "multipass": 0.91, "majority": 3.0}
    made = paired_differences(results_of({(m, None): [loss, loss + 0.01 * loss] for m, loss in losses.items()}))
    assert "Outside the chart: Majority vote (2.11, all votes, best epoch)" in made.caption
    low, high = made.drawn["concat"][0]["layer"][1]["encoding"]["x"]["scale"]["domain"]
    assert low < 0 < 0.03 < high < 0.1


def test_the_sweep_ends_with_all_votes_and_leaves_out_methods_without_fewer():
    made = votes_sweep(made_up("demo"))
    rows = [row for row in data_of(spec(made)) if row.get("score") == "soft_nll"]
    assert list(dict.fromkeys(row["votes"] for row in rows)) == ["3", "10", "all"]
    assert {row["method"] for row in rows} == {"Soft labels", "SLS", "Multipass", "Deterministic control"}


@pytest.mark.parametrize(("width", "columns"), [(375, 1), (720, 2), (1100, 4)])
def test_panels_move_below_each_other_where_there_is_no_room(width, columns):
    made = spec(votes_sweep(made_up("demo")), width=width)
    assert len(made["concat"]) == 4
    assert made["columns"] == columns
    assert all(columns * panel["width"] < width for panel in made["concat"])


@pytest.mark.parametrize("make", [votes_sweep, reliability_curves, training_curves])
def test_a_click_in_the_legend_selects_a_method(make):
    compiled = json.dumps(vl_convert.vegalite_to_vega(spec(make(made_up("demo"))), vl_version=VEGA_LITE))
    assert "chosen_tuple" in compiled
    assert "chosen_method_legend" in compiled


def test_text_is_light_on_a_dark_page(tmp_path):
    made = votes_sweep(made_up("demo"))
    light, dark = (save(made, tmp_path / f"{dark}.svg", dark=dark).read_text() for dark in (False, True))
    assert INK[False].lower() in light.lower()
    assert INK[True].lower() in dark.lower()
    assert INK[False].lower() not in dark.lower()
    assert theme()["background"] == "transparent"


def test_unknown_formats_are_refused(tmp_path):
    with pytest.raises(VotewiseError, match=r"unknown figure format '\.gif'"):
        save(votes_sweep(made_up("demo")), tmp_path / "figure.gif")


def test_numbers_that_are_not_finite_are_left_out_of_means():
    assert mean_sd([1.0, float("nan"), 3.0]) == (2.0, pytest.approx(2**0.5))
