"""The methods side by side: their numbers by other means, and which runs stand in which row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from made_up import made_up, renamed
from votewise.comparison import Table, Value, side_by_side
from votewise.comparison.wording import p_text
from votewise.errors import VotewiseError
from votewise.studies.results import Results

PRESETS = ("demo", "paper")


def by_seed(results: Results, method: str, k: int | None, quantity: str, checkpoint: str = "best") -> dict[int, float]:
    chosen = results.table.filter(
        pl.col("K").eq_missing(pl.lit(k)), method=method, checkpoint=checkpoint, quantity=quantity
    )
    return dict(zip(chosen["seed"], chosen["value"], strict=True))


def losses(table: Table, checkpoint: str = "best") -> list[Value]:
    return [value for value in table.values if (value.quantity, value.checkpoint) == ("soft_nll", checkpoint)]


@pytest.mark.parametrize("checkpoint", ["best", "last"])
@pytest.mark.parametrize("preset", PRESETS)
def test_differences_intervals_and_p_are_those_of_scipy_and_statsmodels(preset, checkpoint):
    results = made_up(preset)
    tested = []
    for value in losses(side_by_side(results), checkpoint):
        ours, soft = (by_seed(results, name, value.K, "soft_nll", checkpoint) for name in (value.method, "soft"))
        assert value.n == len(ours)
        assert value.mean == pytest.approx(np.mean(list(ours.values())))
        if value.method == "soft":
            assert (value.difference, value.p) == (None, None)
            continue
        d = np.array([ours[seed] - soft[seed] for seed in ours.keys() & soft.keys()])
        low, high = stats.ttest_1samp(d, 0).confidence_interval(0.95)
        assert (value.pairs, value.difference) == (len(d), pytest.approx(d.mean()))
        assert (value.low, value.high) == (pytest.approx(low), pytest.approx(high))
        assert value.p == pytest.approx(stats.wilcoxon(d, method="exact").pvalue)
        tested.append(value)
    expected = multipletests([value.p for value in tested], method="holm")[1]
    assert [value.p_holm for value in tested] == pytest.approx(expected.tolist())


def test_each_method_has_one_row_per_number_of_votes_all_votes_first():
    table = side_by_side(made_up("demo"))
    places = [(value.K, value.method) for value in losses(table)]
    assert len(set(places)) == len(places) == 19
    assert [row[0].kind for row in table.rows] == ["best", "last"] * 19
    assert list(dict.fromkeys(k for k, _ in places)) == [None, 10, 3]
    assert all(places[i][1] == "soft" for i in range(len(places)) if i == 0 or places[i][0] != places[i - 1][0])
    assert [str(cell) for cell in table.rows[0]][:2] == ["Soft labels, all votes (ref.)", "10"]
    assert table.columns[2:5] == ("Soft NLL ↓", "Difference (95 % interval)", "p (Holm)")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_last_epoch_has_its_own_interval_and_p(preset):
    table = side_by_side(made_up(preset))
    last = {(value.method, value.K): value for value in losses(table, "last")}
    for best, below in zip(table.rows[::2], table.rows[1::2], strict=True):
        value = last[best[2].value.method, best[2].value.K]
        assert str(below[2]) == f"{value.mean:.4f} ± {value.sd:.4f}"
        if value.p is not None:
            shown = f"{value.difference:+.4f} ({value.low:+.4f} to {value.high:+.4f})".replace("-", "−")
            assert (str(below[3]), str(below[4])) == (shown, p_text(value.p_holm))


def test_only_soft_nll_is_tested():
    table = side_by_side(made_up("demo"))
    assert {value.quantity for value in table.values if value.p is not None} == {"soft_nll"}
    assert "over 16 comparisons" in table.caption


def test_the_excess_is_that_of_the_last_epoch_for_methods_that_target_the_vote_shares():
    results = made_up("demo")
    table = side_by_side(results)
    assert table.columns[-1] == "Training excess"
    shown = [row[-1] for row in table.rows if str(row[-1]) != "–"]
    for cell in shown:
        excess = np.mean(list(by_seed(results, cell.value.method, cell.value.K, "excess", "last").values()))
        assert str(cell) == f"{excess:.4f}"
    assert {cell.value.method for cell in shown} == {"soft", "sls", "multipass", "deterministic"}
    assert "Missing" not in table.caption


def test_runs_without_a_training_loss_have_no_column_for_it():
    results = made_up("demo")
    table = side_by_side(replace(results, table=results.table.filter(pl.col("quantity") != "excess")))
    assert "Training excess" not in table.columns
    assert "excess" not in table.caption + table.csv()


def test_a_study_on_another_split_is_left_out():
    results = made_up("demo")
    other = results.plans["sparse"].model_copy(
        update={"split": results.plans["main"].split.model_copy(update={"seed": 1})}
    )
    table = side_by_side(replace(results, plans={**results.plans, "sparse": other}))
    assert {value.K for value in losses(table)} == {None}


def test_results_on_two_datasets_are_refused_by_tables():
    one, two = made_up("demo"), renamed(made_up("demo"), "cifar10h")
    both = replace(one, plans={**one.plans, "other": two.plans["main"]})
    from votewise.comparison.tables.filling import fill

    with pytest.raises(VotewiseError, match="one dataset"):
        fill(side_by_side(one).definition, both)
    assert side_by_side(both).rows  # the studies of the first


@pytest.mark.parametrize("data", [{"split": "part"}, {"test": "test.csv"}, {"name": "lewidi2025-paraphrase"}])
def test_a_predefined_split_holds_out_the_same_items(data: dict[str, str]):
    results = made_up("demo")
    dataset = results.plans["main"].dataset.model_copy(update=data)
    plans = {name: plan.model_copy(update={"dataset": dataset}) for name, plan in results.plans.items()}
    table = side_by_side(replace(results, plans=plans))
    assert "All seeds hold out the same items" in table.caption
    assert "splits" not in table.caption


def test_the_caption_says_what_is_held_out():
    results = made_up("demo")
    assert (
        "Each seed holds out a different set of 720 items"
        in side_by_side(replace(results, evaluated={"digits": 720})).caption
    )
    fixed = results.plans["main"].split.model_copy(update={"seed": 1})
    plans = {name: plan.model_copy(update={"split": fixed}) for name, plan in results.plans.items()}
    caption = side_by_side(replace(results, plans=plans, evaluated={"digits": 2000})).caption
    assert "All seeds hold out the same 2,000 items" in caption
    assert "splits" not in caption


def test_without_runs_of_the_first_method_the_next_is_the_reference():
    results = made_up("demo")
    table = side_by_side(replace(results, table=results.table.filter(pl.col("method") != "soft")))
    assert str(table.rows[0][0]) == "SLS, all votes (ref.)"
    assert "Missing: Soft labels, all votes" in table.caption
    assert {value.method for value in losses(table) if value.n and value.difference is None} == {"sls"}


def test_the_reference_is_what_most_plans_name_first():
    results = made_up("demo")
    plans = {study: results.plans[study] for study in ("ablation", "main", "sparse")}  # the first one begins with SLS
    table = side_by_side(replace(results, plans=plans))
    assert [str(row[0]) for row in table.rows if "ref." in str(row[0])] == [
        f"Soft labels, {votes} votes (ref.)" for votes in ("all", "10", "3")
    ]
    assert str(table.rows[0][0]).startswith("Soft labels")


def test_pairs_do_not_count_as_seeds_of_a_row():
    results = made_up("paper")
    fewer = results.table.filter((pl.col("method") != "soft") | (pl.col("seed") < 3))
    table = side_by_side(replace(results, table=fewer))
    (row,) = [row for row in table.rows if str(row[0]) == "SLS, all votes"]
    assert str(row[1]) == "10"
    assert row[2].value.pairs == 3


def test_without_any_run_the_methods_are_needed():
    results = made_up("demo")
    table = side_by_side(replace(results, table=results.table.clear()))
    assert table.missing[0].methods[:2] == ("soft", "sls")
    assert table.rows == table.columns == ()


def test_text_of_users_is_escaped_in_files():
    table = side_by_side(renamed(made_up("demo"), "<b>mine</b> & 100%"))
    assert "<b>" not in table.markdown()
    assert r"\& 100\%" in table.latex()
    assert table.markdown().startswith("**The methods side by side**")
