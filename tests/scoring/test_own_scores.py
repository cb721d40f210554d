"""A score of the user's own: declared once, accepted wherever a score is named."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest

import votewise as vw
from votewise.errors import VotewiseError
from votewise.scoring import Block, Table, annotator_ceiling
from votewise.scoring.columns import confidence

VOTES = vw.Votes.from_counts([[3, 1], [0, 4], [2, 2]])
Q = np.array([[0.6, 0.4], [0.1, 0.9], [0.5, 0.5]])

OWN = """
import votewise as vw

def margin(b):
    return abs(b.model[0] - b.model[1])

mean_margin = vw.Score.mean_of(margin, key="mean_margin", meaning="mean over items of |q0 - q1|", better="higher", unit="probability")

@vw.scored(margin, meaning="largest |q0 - q1|")
def largest_margin(table):
    return float(table[margin].max())

number = 3
"""


def doubt(b: Block) -> np.ndarray:
    return 1 - b.model.max(axis=0)


mean_doubt = vw.Score.mean_of(doubt, meaning="mean over items of 1 - max q", better="lower", bounds=(0.0, 1.0))


@vw.scored(confidence, label="Very sure", meaning="share of items with confidence above 0.8", unit="share of items")
def very_sure(table: Table) -> float:
    return table.mean((table[confidence] > 0.8).astype(float))


@pytest.fixture
def own_module(tmp_path, monkeypatch) -> str:
    (tmp_path / "my_scores.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_scores", raising=False)
    return "my_scores"


def test_an_own_score_has_a_value_an_interval_and_a_line() -> None:
    card = vw.score(Q, VOTES, scores=["kl", mean_doubt, very_sure], intervals=20)
    assert list(card.scores) == ["kl", "doubt", "very_sure"]
    assert card["doubt"] == pytest.approx(np.mean(1 - Q.max(axis=1)))
    assert card["very_sure"] == pytest.approx(1 / 3)
    assert set(card.intervals) == {"kl", "doubt", "very_sure"}
    page = str(card).splitlines()
    assert "Your scores" in page
    assert any(line.split()[:2] == ["doubt", "↓"] for line in page)
    assert card.as_dict()["scores"]["doubt"] == card["doubt"]


def test_an_own_score_is_a_function_and_says_what_it_is() -> None:
    assert mean_doubt(Q, VOTES) == vw.score(Q, VOTES, scores=[mean_doubt])["doubt"]
    assert (very_sure.key, very_sure.label, mean_doubt.label) == ("very_sure", "Very sure", "Doubt")
    assert isinstance(very_sure, vw.Score)
    assert "share of items with confidence above 0.8" in str(very_sure)


def test_an_import_path_names_a_score(own_module) -> None:
    card = vw.score(Q, VOTES, scores=["my_scores:mean_margin", "my_scores:largest_margin", "soft_nll"])
    assert card["mean_margin"] == pytest.approx(np.mean(np.abs(Q[:, 0] - Q[:, 1])))
    assert card["largest_margin"] == pytest.approx(0.8)
    assert set(annotator_ceiling(VOTES, scores=["my_scores:mean_margin"])) == {"mean_margin"}


@pytest.mark.parametrize(
    "wrong", ["my_scores:absent", "my_scores:number", "my_scores:margin", "absent_module:score", 3]
)
def test_what_is_not_a_score_is_refused(own_module, wrong) -> None:
    with pytest.raises(VotewiseError):
        vw.score(Q, VOTES, scores=[wrong])


def test_two_scores_with_one_key_are_refused() -> None:
    other = vw.Score.mean_of(doubt, key="kl", meaning="another")
    with pytest.raises(VotewiseError, match="key 'kl'"):
        vw.score(Q, VOTES, scores=["kl", other])


def test_own_scores_and_their_cards_can_be_pickled(own_module) -> None:
    from votewise.importing import import_object

    for path in ("my_scores:mean_margin", "my_scores:largest_margin"):
        score = import_object(path)
        again = pickle.loads(pickle.dumps(score))
        assert again(Q, VOTES) == score(Q, VOTES)
        card = vw.score(Q, VOTES, scores=[score])
        assert str(pickle.loads(pickle.dumps(card))) == str(card)


def test_all_scores_and_an_own_one() -> None:
    card = vw.score(Q, VOTES, scores=[*vw.SCORES, mean_doubt])
    assert card.scores == vw.score(Q, VOTES).scores | {"doubt": card["doubt"]}
