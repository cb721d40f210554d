"""Which items the explorer shows, and what it says of them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from toy_items import predictions, toy_dataset
from votewise.comparison import HeldOut, held_out_predictions
from votewise.datasets import Dataset
from votewise.reporting import choose_items
from votewise.reporting.page import as_json
from votewise.votes import Votes


def test_shares_of_people_and_of_methods_are_those_of_the_data() -> None:
    dataset = toy_dataset()
    soft, sls = predictions(dataset, "soft"), predictions(dataset, "sls", every=2)
    shown = choose_items(dataset, {"soft": soft, "sls": sls})
    data = shown.data()
    assert (data["total"], len(data["items"]), data["methods"]) == (60, 60, ["soft", "sls"])
    share = dataset.votes.probabilities()
    for position, item in enumerate(data["items"]):
        there = item["c"]
        assert item["id"] == dataset.votes.name_of(position)
        assert np.allclose(np.array(item["p"]) / 1000, share[position, there], atol=5.1e-4)
        assert np.allclose(np.array(item["q"][0]) / 1000, soft.share[position, there], atol=5.1e-4)
        assert item["k"][0] == pytest.approx(1000 * soft.kl[position], abs=0.51)
        assert (item["q"][1] == 0, item["k"][1] == -1, item["r"][1] == 0) == (position % 2 == 1,) * 3
        assert item["e"] == pytest.approx(1000 * dataset.votes.entropy()[position], abs=0.51)
        assert there[0] == dataset.votes.majority()[position]


def test_items_that_no_run_held_out_are_not_shown() -> None:
    dataset = toy_dataset()
    shown = choose_items(dataset, {"soft": predictions(dataset, "soft", every=3)})
    assert shown.position.tolist() == list(range(0, 60, 3))


def test_more_items_than_a_page_shows_are_taken_evenly_over_entropy_and_error() -> None:
    n = 20_000
    few = np.arange(n) % 100 == 0  # one in a hundred is disputed
    counts = np.where(few[:, None], [5, 5], [10, 0])
    dataset = Dataset(np.zeros((n, 2), np.float32), Votes.from_counts(counts), name="many")
    error = np.arange(n) / n
    held = HeldOut(np.arange(n), np.full((n, 2), 0.5), error, np.ones(n, np.int64))
    shown = choose_items(dataset, {"soft": held}, limit=300)
    assert len(shown) == 300
    assert len(set(shown.position.tolist())) == 300
    assert few[shown.position].sum() == 150
    for kind in (few, ~few):
        chosen = error[shown.position[kind[shown.position]]]
        assert chosen.min() == error[kind].min()
        assert chosen.max() == error[kind].max()
        assert np.abs(np.histogram(chosen, bins=5, range=(0, 1))[0] - 30).max() <= 1


def test_a_choice_is_the_same_every_time() -> None:
    dataset = toy_dataset()
    held = {"soft": predictions(dataset, "soft")}
    assert choose_items(dataset, held, 20).position.tolist() == choose_items(dataset, held, 20).position.tolist()


def test_many_classes_are_cut_to_those_that_somebody_means() -> None:
    counts = np.zeros((4, 500), np.int64)
    counts[:, 123], counts[:, 7] = 6, 4
    dataset = Dataset(np.zeros((4, 2), np.float32), Votes.from_counts(counts), name="wide")
    entry = choose_items(dataset, {"soft": predictions(dataset, "soft")}).data()["items"][0]
    assert entry["c"][:2] == [123, 7]
    assert len(entry["c"]) == len(entry["q"][0]) == 12


def test_texts_come_along_where_votes_carry_them() -> None:
    dataset = toy_dataset(text=True)
    data = choose_items(dataset, {"soft": predictions(dataset, "soft")}).data()
    assert [item["x"].rpartition(" ")[2] for item in data["items"]] == [str(i) for i in range(60)]


def test_features_have_no_picture() -> None:
    features = Dataset(np.zeros((4, 3), np.float32), Votes.from_counts([[1, 2]] * 4), name="features")
    assert choose_items(features, {"soft": predictions(features, "soft")}).pictures() is None


def test_embedded_json_reads_back_and_cannot_end_its_element() -> None:
    strange = {"a</script><!--": ["&amp;", "\u2028\u2029", "<script>", 'é"\\']}
    text = as_json(strange)
    assert json.loads(text) == strange
    assert not set("<>&\u2028\u2029") & set(text)


def test_predictions_of_a_method_are_averaged_over_the_runs_that_held_an_item_out(store_of_runs) -> None:
    store, results, dataset = store_of_runs
    found = held_out_predictions(store, results, dataset)
    assert list(found) == ["soft", "sls"]
    sums, counts = np.zeros((len(dataset), 3)), np.zeros(len(dataset))
    for run in store.all_runs():
        if "-soft-" in run.name and run.finished:
            place = np.searchsorted(dataset.votes.row, run.predictions.row)
            sums[place] += np.exp(run.best.log_probabilities.astype(np.float64))
            counts[place] += 1
    there = np.flatnonzero(counts)
    assert found["soft"].position.tolist() == there.tolist()
    assert found["soft"].runs.tolist() == counts[there].tolist()
    assert np.allclose(found["soft"].share, sums[there] / counts[there, None], rtol=1e-12)
    assert (found["soft"].kl >= 0).all()
