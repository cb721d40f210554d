"""The methods side by side: their numbers by other means, and which runs stand in which row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from made_up import made_up
from scipy import stats
from statsmodels.stats.multitest import multipletests

from votewise.evidence.results import Results
from votewise.evidence.tables import Table, Value, side_by_side

PRESETS = ("demo", "paper")


def without_twins(preset: str) -> Results:
    """As a store gives them."""
    results = made_up(preset)
    return replace(results, table=results.table.filter(pl.col("training_seed").is_null()))


def by_seed(results: Results, method: str, k: int | None, checkpoint: str = "best") -> dict[int, float]:
    rows = results.table.to_dicts()
    return {
        row["seed"]: row["soft_nll"]
        for row in rows
        if (row["method"], row["K"], row["checkpoint"]) == (method, k, checkpoint)
    }


def losses(table: Table, checkpoint: str = "best") -> list[Value]:
    return [value for value in table.values if (value.score, value.checkpoint) == ("soft_nll", checkpoint)]


@pytest.mark.parametrize("checkpoint", ["best", "last"])
@pytest.mark.parametrize("preset", PRESETS)
def test_differences_intervals_and_p_are_those_of_scipy_and_statsmodels(preset, checkpoint):
    results = without_twins(preset)
    tested = []
    for value in losses(side_by_side(results), checkpoint):
        ours, soft = (by_seed(results, method, value.K, checkpoint) for method in (value.method, "soft"))
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


def test_every_method_stands_there_once_for_each_number_of_votes_all_of_them_first():
    table = side_by_side(without_twins("demo"))
    places = [(value.K, value.method) for value in losses(table)]
    assert len(set(places)) == len(places) == len(table.rows) == 23
    assert list(dict.fromkeys(k for k, _ in places)) == [None, 10, 5, 3]
    assert all(places[i][1] == "soft" for i in range(len(places)) if i == 0 or places[i][0] != places[i - 1][0])
    assert [str(cell) for cell in table.rows[0]][:2] == ["Soft labels, all votes (ref.)", "6"]
    assert table.columns[2:6] == ("Soft NLL ↓", "Difference (95 % interval)", "p (Holm)", "At the last epoch")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_last_epoch_stands_beside_and_is_marked_where_it_is_told_from_the_reference(preset):
    table = side_by_side(without_twins(preset))
    last = {value.row: value for value in losses(table, "last")}
    ends = {row[2].value.row: str(row[5]) for row in table.rows if row[2].value}
    assert ends.keys() == last.keys()
    for name, text in ends.items():
        p = last[name].p_holm
        assert text == f"{last[name].mean:.4f}" + ("*" if p is not None and p <= 0.05 else "")
    marked = any(text.endswith("*") for text in ends.values())
    assert marked is (preset == "paper")  # six seeds are too few for nineteen comparisons
    assert ("* At the last epoch the difference is beyond chance" in table.caption) is marked


def test_only_soft_nll_is_tested_and_the_last_checkpoint_has_no_rows():
    table = side_by_side(without_twins("demo"))
    assert {value.score for value in table.values if value.p_holm is not None} == {"soft_nll"}
    assert {row[0].kind for row in table.rows} == {"best"}
    assert ",last," in table.csv()
    assert "Holm over 19 comparisons" in table.caption


def test_the_excess_is_training_loss_minus_target_entropy_at_the_last_epoch():
    results = without_twins("demo")
    table = side_by_side(results)
    assert table.columns[-1] == "Training excess"
    for row in (row for row in table.rows if str(row[-1]) != "–"):
        method, k = row[-1].value.method, row[-1].value.K
        here = results.table.filter(pl.col("method") == method, pl.col("K").eq_missing(k), checkpoint="last")
        excess = (here["train_loss"] - here["target_entropy"]).mean()
        assert str(row[-1]) == f"{excess:.4f}"
        scored = [value for value in table.values if (value.method, value.K) == (method, k)]
        relative = [value.mean for value in scored if value.score == "excess_last_relative"]
        assert relative == pytest.approx([excess / (np.log(10) - 1)] * 2)  # a line for each checkpoint


def test_methods_with_other_targets_than_the_vote_shares_have_no_excess():
    table = side_by_side(without_twins("demo"))
    shown = {row[-1].value.method for row in table.rows if str(row[-1]) != "–"}
    assert shown == {"soft", "sls", "multipass", "deterministic"}
    assert "Not there" not in table.caption


def test_runs_that_recorded_no_training_loss_have_no_column_for_it():
    results = without_twins("demo")
    table = side_by_side(replace(results, table=results.table.drop("train_loss")))
    assert "Training excess" not in table.columns
    assert "excess" not in table.caption + table.csv()


def test_a_study_on_another_split_is_not_mixed_in():
    results = without_twins("demo")
    other = results.plans["sparse"].model_copy(
        update={"split": results.plans["main"].split.model_copy(update={"seed": 1})}
    )
    table = side_by_side(replace(results, plans={**results.plans, "sparse": other}))
    assert {value.K for value in losses(table)} == {None}


def test_the_caption_says_what_is_held_out():
    results = without_twins("demo")
    assert "Each seed holds out 720 items of its own" in side_by_side(replace(results, evaluated=720)).caption
    fixed = results.plans["main"].split.model_copy(update={"seed": 1})
    plans = {name: plan.model_copy(update={"split": fixed}) for name, plan in results.plans.items()}
    caption = side_by_side(replace(results, plans=plans, evaluated=2000)).caption
    assert "All seeds hold out the same 2,000 items" in caption
    assert "Chance is that of first weights and orders, not of new items." in caption


def test_the_caption_says_what_chance_is():
    caption = side_by_side(without_twins("demo")).caption
    assert "Chance is that of splits, first weights and orders, not of new items" in caption
    assert "what they hold out overlaps" in caption
    assert "That epoch is picked on these same items" in caption


def test_where_the_first_method_has_no_run_the_next_is_the_reference():
    results = without_twins("demo")
    table = side_by_side(replace(results, table=results.table.filter(pl.col("method") != "soft")))
    assert str(table.rows[1][0]) == "SLS, all votes (ref.)"
    assert "Not there: Soft labels, all votes" in table.caption
    assert {value.method for value in losses(table) if value.n and value.difference is None} == {"sls"}


def test_no_run_at_all_is_said():
    results = without_twins("demo")
    assert side_by_side(replace(results, table=results.table.clear())).missing == "This table needs finished runs."


def test_what_a_person_wrote_stays_text_in_files():
    table = side_by_side(replace(without_twins("demo"), dataset="<b>mine</b> & 100%"))
    assert "<b>" not in table.markdown()
    assert r"\& 100\%" in table.latex()
    assert table.markdown().startswith("**The methods side by side**")
