"""The items of a scorecard: each score is the mean of its column, the worst items are the worst, the chart is the curve."""

import pickle

import numpy as np
import pytest

from votewise.errors import VotewiseError
from votewise.scoring import DIALECTS, SCORES, Score, Truth, reliability_curve, score
from votewise.scoring.matching import align
from votewise.votes import Distributions, Scale, Votes

CLASSES = ("low", "middle", "high")


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    model = rng.dirichlet(np.ones(3), 300)
    counts = np.array([rng.multinomial(5, row) for row in model])
    counts[7] = 0
    votes = Votes.from_counts(counts, CLASSES, scale=Scale.ordinal(CLASSES), items=[f"i{k}" for k in range(300)])
    return model, votes, counts.argmax(axis=1)


def test_a_score_is_the_mean_of_its_column(data):
    model, votes, truth = data
    card = score(model, votes, truth=truth)
    columns = [key for key in card.items.columns if key in SCORES]
    assert {"soft_nll", "kl", "soft_brier", "accuracy", "accuracy_truth", "js_distance", "wasserstein"} <= set(columns)
    for key in columns:
        assert np.mean(card.items[key]) == pytest.approx(card[key], abs=1e-12), key


@pytest.mark.parametrize("scores", [SCORES, *DIALECTS.values()])
def test_the_items_of_a_score_have_its_mean_under_every_name(data, scores):
    model, votes, truth = data
    table = align(model, votes, truth).table([column for one in scores.values() for column in one.columns])
    for one in scores.values():
        if one.of_items is not None:
            assert np.mean(one.of_items(table)) == pytest.approx(one.of(table), abs=1e-5), one.key  # some are rounded


def test_every_score_that_is_a_mean_has_a_column(data):
    """What is not in the table is a ratio, a correlation, binned or another name."""
    model, votes, truth = data
    nominal = Votes.from_counts(votes.counts(), CLASSES)  # without an order or a truth, some scores are not defined
    for card in (score(model, votes, truth=truth), score(model, nominal)):
        absent = {key for key in card.scores if key not in card.items.columns and not SCORES[key].equals}
        assert {key for key in absent if not key.startswith(("ece", "smooth", "brier", "adaptive"))} <= {
            "entropy_correlation", "soft_f1_macro",
        }  # fmt: skip


def test_items_have_their_id_votes_and_classes(data):
    model, votes, _ = data
    rows = score(model, votes).items
    assert len(rows) == 299
    assert "i7" not in rows["item"]
    assert rows["item"][7] == "i8"
    assert rows["predicted"][0] == CLASSES[model[0].argmax()]
    assert rows["majority"].tolist() == [CLASSES[k] for k in votes.voted().majority()]
    assert rows["hit"].tolist() == (rows["majority"] == rows["predicted"]).tolist()
    frame = rows.to_polars()
    assert frame.shape == (299, len(rows.columns))
    assert frame["soft_nll"].to_list() == rows.to_pandas()["soft_nll"].tolist()


def test_a_score_of_ones_own_has_its_column(data):
    model, votes, _ = data
    doubt = Score.mean_of(_doubt, meaning="mean of 1 - max q")
    card = score(model, votes, scores=[doubt])
    assert card.items["_doubt"].mean() == pytest.approx(card["_doubt"])
    titles = ["Your scores" in score(model, votes, scores=names)._repr_html_() for names in ([doubt, "kl"], ["kl"])]
    assert titles == [True, False]


def _doubt(block):
    return 1 - block.model.max(axis=0)


def test_the_worst_items_are_the_worst(data):
    model, votes, _ = data
    card = score(model, votes)
    worst = card.worst("kl", 4)
    np.testing.assert_allclose(worst["kl"], np.sort(card.items["kl"])[::-1][:4])
    assert not card.worst("accuracy", 3)["hit"].any()
    with pytest.raises(VotewiseError):
        card.worst("entropy_correlation")


def test_the_chart_is_the_reliability_curve(data):
    model, votes, _ = data
    card = score(model, votes)
    curve = reliability_curve(model, votes)
    line = card.chart().svg.split('<polyline points="')[1].split('"')[0].split()
    heights = [float(point.split(",")[1]) for point in line]
    top, bottom = 20 + 6, 200 - 40
    shown = curve.density > 0.02 * curve.density.max()
    shown &= curve.confidence >= model.max(axis=1).min()
    expected = bottom - (bottom - top) * curve.outcome[shown]
    np.testing.assert_allclose(heights, expected, atol=0.06)


def test_a_card_in_a_notebook_is_text_and_charts(data):
    model, _, _ = data
    votes = Votes.from_counts(np.random.default_rng(1).poisson(2, (300, 3)), ("<b>", "&", "c"))
    html = score(model, votes, intervals=20)._repr_html_()
    assert "<svg" in html
    assert "&lt;b&gt;" in html
    assert "<b>" not in html
    assert "95% interval" in html


def test_the_scores_are_a_frame(data):
    model, votes, _ = data
    card = score(model, votes, scores=["kl", "accuracy"], intervals=20)
    frame = card.to_polars()
    assert frame["score"].to_list() == ["kl", "accuracy"]
    assert frame["value"].to_list() == [card["kl"], card["accuracy"]]
    assert frame["corrected"].to_list() == [card.corrected["kl"], None]
    assert (frame["low"][0], frame["high"][0]) == card.intervals["kl"]
    assert card.to_pandas()["score"].tolist() == ["kl", "accuracy"]


def test_what_a_notebook_prints_is_short(data):
    model, votes, truth = data
    for thing in (score(model, votes), reliability_curve(model, votes), Truth(truth), score(model, votes).items):
        assert len(repr(thing)) < 250


def test_a_card_of_probabilities_has_items_without_votes_column(data):
    model, _, _ = data
    card = score(model, Distributions(model, classes=CLASSES))
    assert "votes" not in card.items.columns
    assert pickle.loads(pickle.dumps(card)).items.records(2) == card.items.records(2)
