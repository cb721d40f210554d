"""The table of annotators: numbers counted by hand, and the three kinds to talk to, planted in simulated votes."""

import numpy as np
import pytest

from votewise.errors import UndefinedError
from votewise.profile import annotator_table, confusion
from votewise.profile.agreement import alpha
from votewise.profile.annotators import whom_to_talk_to
from votewise.profile.cells import cells
from votewise.profile.confused import coincidences
from votewise.votes import Distributions, Scale, Votes

SCALE = ("1", "2", "3", "4", "5")


def crowd(seed, people=12, items=200, votes=5, ordinal=True, **planted):
    """Votes of people who see an item's position with some noise; `planted` maps a number to what that person does."""
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(items):
        centre = rng.integers(0, 5)
        for who in rng.choice(people, votes, replace=False):
            seen = int(np.clip(centre + rng.choice([-1, 0, 0, 0, 1]), 0, 4))
            rows.append((item, f"p{who}", SCALE[planted.get(f"p{who}", lambda seen, rng: seen)(seen, rng)]))
    item, who, label = zip(*rows, strict=True)
    scale = Scale.ordinal(SCALE) if ordinal else Scale()
    return Votes.from_long(item, label, who, classes=SCALE, scale=scale)


def test_a_small_table_counted_by_hand():
    votes = Votes.from_long(
        ["x", "x", "x", "y", "y", "z"],
        ["cat", "cat", "dog", "dog", "dog", "cat"],
        ["ann", "bob", "cem", "ann", "cem", "ann"],
    )
    rows = annotator_table(votes)
    by_name = dict(zip(rows["annotator"], range(len(rows)), strict=True))
    ann, cem = by_name["ann"], by_name["cem"]
    assert (rows["votes"][ann], rows["shared"][ann]) == (3, 2)
    assert rows["agreement"][ann] == pytest.approx((1 / 2 + 1) / 2)
    assert rows["usual"][ann] == pytest.approx((1 / 3 + 1) / 2)
    assert rows["agreement"][cem] == pytest.approx((0 + 1) / 2)
    assert rows["share: cat"][ann] == pytest.approx(2 / 3)
    assert set(rows["flag"]) == {""}


def test_each_planted_annotator_is_found_and_nobody_else():
    votes = crowd(
        0,
        p1=lambda seen, rng: 2,
        p2=lambda seen, rng: 4 - seen,
        p3=lambda seen, rng: int(rng.integers(0, 5)),
    )
    rows = annotator_table(votes)
    found = {name: flag for name, flag in zip(rows["annotator"], rows["flag"], strict=True) if flag}
    assert found == {"p1": "one answer", "p2": "inverted", "p3": "low agreement"}
    assert rows["annotator"][:3] == ["p1", "p2", "p3"]
    assert [line.split(":")[0] for line in whom_to_talk_to(rows)] == ["p1", "p2", "p3"]


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_flagged_in_a_crowd_of_equals(seed):
    assert set(annotator_table(crowd(seed, people=40))["flag"]) == {""}


def test_always_the_same_answer_is_no_sign_where_everybody_gives_it():
    rng = np.random.default_rng(1)
    label = np.where(rng.random(600) < 0.98, "no", "yes")
    votes = Votes.from_long(np.repeat(np.arange(150), 4), label, [f"p{i % 20}" for i in range(600)])
    assert "one answer" not in set(annotator_table(votes)["flag"])


def test_two_classes_can_be_inverted_and_unordered_ones_cannot():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 300)
    rows = [(i, who, t if who else 1 - t) for i, t in enumerate(truth) for who in range(4)]
    item, who, label = zip(*rows, strict=True)
    flags = annotator_table(Votes.from_long(item, label, who))
    assert (flags["annotator"][0], flags["flag"][0]) == ("0", "inverted")
    turned = annotator_table(crowd(0, ordinal=False, p2=lambda seen, rng: 4 - seen))
    assert dict(zip(turned["annotator"], turned["flag"], strict=True))["p2"] == "low agreement"


def test_votes_without_names_are_refused():
    with pytest.raises(UndefinedError):
        annotator_table(Votes.from_counts([[2, 1]]))
    with pytest.raises(UndefinedError):
        annotator_table(Distributions([[0.5, 0.5]], classes=("a", "b")))


def test_confusion_counted_by_hand():
    votes = Votes.from_counts([[2, 1, 0], [0, 1, 1], [0, 0, 3]], classes=("a", "b", "c"))
    pairs = coincidences(cells(votes), 3)
    np.testing.assert_allclose(pairs, [[1, 1, 0], [1, 0, 1], [0, 1, 3]])
    rows = confusion(votes)
    assert [row[:2] for row in rows.records()] == [("a", "b"), ("b", "c")]
    np.testing.assert_allclose(rows["share"], [0.5, 0.5])
    np.testing.assert_allclose(rows["b_given_a"], [1 / 2, 1 / 2])
    np.testing.assert_allclose(rows["times_chance"], [1 / (2 * 2 / 7), 1 / (2 * 4 / 7)])


def test_the_coincidences_are_those_of_alpha():
    """Observed and expected disagreement out of the matrix give Krippendorff's nominal alpha."""
    votes = Votes.from_counts(np.random.default_rng(0).poisson(1.2, (200, 4)))
    answers = cells(votes)
    pairs = coincidences(answers, 4)
    of_class, total = pairs.sum(axis=1), pairs.sum()
    expected = (total**2 - (of_class**2).sum()) / (total - 1)
    assert 1 - (total - np.trace(pairs)) / expected == pytest.approx(alpha(answers, 4, "nominal"))


def test_single_votes_confuse_nothing():
    with pytest.raises(UndefinedError):
        confusion(Votes.from_counts([[1, 0], [0, 1]]))
    assert len(confusion(Votes.from_counts([[3, 0], [0, 2]]))) == 0


def test_a_slip_does_not_hide_always_the_same_answer():
    votes = crowd(3, items=400, p1=lambda seen, rng: 2 if rng.random() < 0.98 else 0)
    rows = annotator_table(votes)
    assert (rows["annotator"][0], rows["flag"][0]) == ("p1", "one answer")
    assert "of the votes are 3" in rows["why"][0]
    assert list(rows["flag"][1:]) == [""] * (len(rows) - 1)
