"""The card: a table for people, JSON for machines."""

from __future__ import annotations

import json

import numpy as np
import pytest

from votewise.errors import VotewiseError
from votewise.scoring import SCORES, score
from votewise.votes import Votes

RNG = np.random.default_rng(0)
VOTES = Votes.from_counts([*RNG.multinomial(6, [0.5, 0.3, 0.2], size=30), [3, 3, 0], [0, 0, 0]])
Q = RNG.dirichlet([1, 1, 1], 32)


def test_json_has_the_scores_on_top_and_everything_else_beside_them() -> None:
    card = score(Q, VOTES, intervals=20, ceiling=2)
    data = json.loads(json.dumps(card.as_dict(), allow_nan=False))
    assert next(iter(data)) == "scores"
    assert data["scores"] == card.scores
    assert data["intervals"]["soft_nll"] == list(card.intervals["soft_nll"])
    assert data["entropy_floor"] == card.floor
    assert data["annotator_ceiling"] == card.ceiling
    assert data["dialect"]["scores"]["hard_acc_all"] == card["accuracy"]
    assert (data["items"], data["skipped"]) == (31, 1)
    assert data["ties"] == card.ties >= 1
    assert (
        data["settings"] | {"kind": "probabilities", "bins": 15, "intervals": 20, "over": "items"} == data["settings"]
    )
    assert data["absent"]["wasserstein"] == "the classes have no order"


def test_the_table_has_a_line_for_every_score_with_its_direction_and_unit() -> None:
    card = score(Q, VOTES, intervals=20, ceiling=2)
    lines = {line.split()[0]: line for line in str(card).splitlines() if line.strip()}
    for name, value in card.scores.items():
        assert f"{value:.4f}" in lines[name]
        assert SCORES[name].arrow in lines[name]
        assert lines[name].endswith(SCORES[name].unit)
    assert "95% interval" in lines["score"]
    assert "31 items, 1 without votes skipped" in str(card)
    assert "no wasserstein: the classes have no order" in str(card)
    assert "\n\nin the terms of paper:\n" in str(card)


def test_only_some_scores_may_be_asked_for() -> None:
    card = score(Q, VOTES, only=["kl", "js_distance"], dialect=None)
    assert list(card.scores) == ["kl", "js_distance"]
    assert card.scores == {name: score(Q, VOTES)[name] for name in card.scores}
    with pytest.raises(VotewiseError, match="there is no score 'accuracy' on this card"):
        card["accuracy"]


def test_the_tie_policy_is_named_and_counted() -> None:
    votes = Votes.from_counts([[1, 1]] * 200)
    q = np.tile([0.4, 0.6], (200, 1))
    assert score(q, votes)["accuracy"] == 0  # ties go to the lowest class
    drawn = score(q, votes, ties="random", seed=3)
    assert 0.4 < drawn["accuracy"] < 0.6
    assert (drawn.ties, drawn.settings["ties"]) == (200, "random")
