"""What `describe` finds, on votes small enough to count by hand and on shapes at the edge."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from votewise.errors import UndefinedError, VotewiseError
from votewise.profile import annotator_table, budget, confusion, describe, next_items
from votewise.votes import Distributions, DroppedVotes, Scale, Votes, read_votes


def test_a_small_example_counted_by_hand():
    votes = Votes.from_long(
        ["x", "x", "x", "x", "y", "y", "y", "z", "z"],
        ["cat", "cat", "dog", "dog", "cat", "cat", "cat", "cat", "dog"],
        ["ann", "bob", "cem", "dee", "ann", "bob", "cem", "ann", None],
        classes=["cat", "dog", "owl"],
    )
    found = describe(votes)
    assert (found.items, found.votes, found.annotators, found.unvoted) == (3, 9, 4, 0)
    assert found.class_share == {"cat": 6 / 9, "dog": 3 / 9, "owl": 0}
    spread = found.votes_per_item
    assert (spread.least, spread.median, spread.most) == (2, 3, 4)
    assert spread.histogram.count == (1, 1, 1)
    assert found.agreement.pairwise == pytest.approx((2 + 3 + 0) / (6 + 3 + 1))
    assert (found.disagreement.unanimous, found.disagreement.tied) == (1, 2)
    assert found.disagreement.mean_entropy == pytest.approx(2 * np.log(2) / 3)
    assert found.disagreement.largest_possible == pytest.approx(np.log(3))
    assert [(item.item, item.answers) for item in found.hardest] == [
        ("x", {"cat": 2, "dog": 2}),
        ("z", {"cat": 1, "dog": 1}),
    ]


def test_the_items_people_disagree_on_most_are_those_of_largest_entropy():
    votes = Votes.from_counts(np.random.default_rng(0).multinomial(9, [0.5, 0.3, 0.2], size=500))
    found = [int(item.item) for item in describe(votes).hardest]
    np.testing.assert_allclose(votes.entropy()[found], np.sort(votes.entropy())[:-6:-1])


def test_items_are_named_by_their_row_where_they_have_no_id():
    votes = Votes.from_counts([[5, 0], [4, 1], [3, 2]]).select([2, 0])
    assert [item.item for item in describe(votes).hardest] == ["2"]


def test_an_ordinal_scale_has_its_alphas_and_answers_in_the_order_of_the_scale():
    votes = Votes.from_counts([[1, 0, 2], [0, 3, 0]], classes=("1", "2", "5"), scale=Scale.ordinal(("1", "2", "5")))
    found = describe(votes)
    assert list(found.agreement.alpha) == ["ordinal", "interval", "nominal"]
    assert list(found.hardest[0].answers) == ["1", "5"]
    assert "wasserstein" in found.few_votes.now.bias


def test_every_item_is_in_exactly_one_bar_of_each_histogram():
    counts = np.random.default_rng(1).poisson([8, 3, 1], size=(400, 3))
    counts[:7] = 0
    counts[7:9] = [[4, 4, 4], [60, 60, 60]]  # the largest entropy there is
    found = describe(Votes.from_counts(counts))
    assert found.unvoted == 7
    assert sum(found.votes_per_item.histogram.count) == 393
    assert found.disagreement.unanimous + sum(found.disagreement.histogram.count) == 393


@pytest.mark.parametrize("classes", [2, 5, 10, 12, 18, 37])
def test_the_largest_entropy_there_is_has_its_bar(classes):
    found = describe(Votes.from_counts(np.ones((1, classes), int))).disagreement
    assert found.histogram.count[-1] == 1


def test_the_order_of_a_file_leaves_no_trace():
    rng = np.random.default_rng(2)
    item, label, who = rng.integers(0, 30, 200), rng.integers(0, 3, 200), rng.integers(0, 9, 200)
    order = rng.permutation(200)
    first, second = (describe(Votes.from_long(item[o], label[o], who[o])) for o in (slice(None), order))
    assert first.as_dict() == second.as_dict()


def test_votes_and_their_distributions_are_described_alike():
    votes = Votes.from_counts(np.random.default_rng(3).multinomial(6, [0.5, 0.3, 0.2], size=200))
    a, b = describe(votes), describe(votes.distributions())
    assert a.agreement.alpha == pytest.approx(b.agreement.alpha)
    assert a.agreement.pairwise == pytest.approx(b.agreement.pairwise)
    assert a.disagreement.histogram.count == b.disagreement.histogram.count
    assert a.disagreement.tied == b.disagreement.tied
    assert a.few_votes.now.bias == pytest.approx(b.few_votes.now.bias, abs=1e-3)


def test_distributions_without_numbers_of_votes_say_nothing_of_pairs():
    found = describe(Distributions([[0.5, 0.5], [0.9, 0.1]], classes=("a", "b")))
    assert (found.votes, found.votes_per_item, found.agreement, found.few_votes.now) == (None, None, None, None)
    assert found.few_votes.at[0].bias["js_distance"] > 0


SHAPES = {
    "one item": Votes.from_counts([[2, 1]]),
    "one item, one vote": Votes.from_counts([[0, 1]]),
    "all unanimous": Votes.from_counts([[3, 0, 0], [0, 3, 0]]),
    "one class ever": Votes.from_counts([[3, 0], [2, 0]]),
    "all tied": Votes.from_counts([[2, 2], [1, 1], [3, 3]]),
    "a thousand classes": Votes.from_counts(np.random.default_rng(4).multinomial(5, np.full(1000, 1e-3), size=20)),
    "items without votes": Votes.from_counts([[0, 0], [1, 2], [0, 0]]),
    "distributions": Distributions([[0.2, 0.8], [1.0, 0.0]], classes=("a", "b")),
    "distributions with votes": Distributions([[0.2, 0.8], [1.0, 0.0]], classes=("a", "b"), votes_per_item=[5, 3]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_any_shape_of_votes_has_a_page_and_json_without_nan(shape):
    found = describe(SHAPES[shape])
    assert json.loads(json.dumps(found.as_dict(), allow_nan=False)) == found.as_dict()
    assert "nan" not in str(found).replace("unanimous", "")
    assert max(map(len, str(found).splitlines())) <= 80


def test_what_is_not_defined_is_none():
    assert describe(SHAPES["one class ever"]).as_dict()["agreement"]["alpha"] == {"nominal": None}


@pytest.mark.parametrize("counts", [np.zeros((0, 2), int), np.zeros((3, 2), int)])
def test_nothing_to_describe_is_refused_in_a_sentence(counts):
    with pytest.raises(
        VotewiseError, match=r"(there are no items|none of the 3 items has votes); give at least one item"
    ):
        describe(Votes.from_counts(counts))


def test_importing_the_room_imports_nothing_slow():
    code = "import sys, votewise.profile; print(sorted({'polars', 'rich', 'torch', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


SHARES = np.random.default_rng(0).dirichlet(np.ones(3), 20)


def test_probabilities_are_not_described_as_votes(tmp_path):
    path = tmp_path / "predictions.csv"
    pl.DataFrame({"item": [f"c{i}" for i in range(20)], **dict(zip("xyz", SHARES.T, strict=True))}).write_csv(path)
    np.save(tmp_path / "predictions.npy", SHARES)
    for found in (describe(path), describe(tmp_path / "predictions.npy"), describe(Distributions(SHARES))):
        assert (found.kind, found.votes) == ("distributions", None)
        assert "probabilities, not votes" in str(found).splitlines()[0]
        assert any("votewise score" in note for note in found.advice.notes)
    counted = Distributions(SHARES, votes_per_item=np.full(20, 5))
    assert not any("votewise score" in note for note in describe(counted).advice.notes)


@pytest.mark.parametrize("ask", [next_items, budget, confusion, annotator_table])
def test_what_needs_votes_refuses_probabilities(ask):
    with pytest.raises(UndefinedError, match=r"^these are probabilities, not votes, "):
        ask(Distributions(SHARES))


@pytest.mark.parametrize("read", [str, Path, pl.read_csv, pd.read_csv])
def test_a_file_or_a_frame_is_read_first(tmp_path, read):
    path = tmp_path / "votes.csv"
    path.write_text("row,comment,who,answer\n1,a,x,yes\n2,a,y,Yes\n3,b,x,no\n4,b,y,no\n")
    expected = describe(read_votes(path, item="comment", annotator="who", fold=True))
    assert describe(read(path), item="comment", annotator="who", fold=True) == expected
    assert (expected.items, expected.disagreement.unanimous) == (2, 2)


def test_what_is_left_out_of_a_file_is_a_warning_at_the_call(tmp_path):
    path = tmp_path / "votes.csv"
    path.write_text("item,who,answer\na,x,yes\na,y,\nb,x,no\n")
    for read in (describe, read_votes, lambda path: Votes.from_frame(pl.read_csv(path))):
        with pytest.warns(DroppedVotes, match="no label") as caught:
            read(path)
        assert caught[0].filename == __file__


@pytest.mark.parametrize(
    "votes", [None, [[1, 2]], SHARES, {"a": [1]}, b"votes.csv"], ids=lambda one: type(one).__name__
)
def test_anything_else_is_refused_by_its_type(votes):
    with pytest.raises(VotewiseError, match=f"a DataFrame, got {type(votes).__name__}"):
        describe(votes)


def test_options_for_reading_need_a_file():
    with pytest.raises(VotewiseError, match="'fold' is for reading"):
        describe(Votes.from_counts([[1, 2]]), fold=True)
