"""The card: a table for people, JSON for machines."""

from __future__ import annotations

import io
import json
import math
import pydoc
from dataclasses import replace

import numpy as np
import pytest

from votewise.errors import VotewiseError
from votewise.scoring import DIALECTS, SCORES, Score, Scorecard, score
from votewise.scoring.columns import cross_entropy
from votewise.votes import Distributions, Votes

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
    assert data["absent"]["wasserstein"] == "the classes have no order; read the votes with ordinal=True (--ordinal)"
    assert data["corrected_intervals"]["kl"] == list(card.corrected_intervals["kl"])


def table(card: Scorecard) -> dict[str, str]:
    """The lines of the page by their first word."""
    return {line.split()[0]: line for line in str(card).splitlines() if line.strip()}


def test_the_page_has_a_line_for_every_score_with_its_direction_and_unit() -> None:
    card = score(Q, VOTES)
    lines = table(card)
    for name, value in card.scores.items():
        assert f"{value:.4f}" in lines[name]
        assert SCORES[name].arrow in lines[name]
        assert lines[name].endswith(f"= {SCORES[name].equals}" if SCORES[name].equals else SCORES[name].unit)


def test_the_dialect_follows_the_scores_and_says_whose_it_is() -> None:
    page = str(score(Q, VOTES)).splitlines()
    assert page[0].startswith("31 items, 1 without votes skipped")
    at = next(n for n, line in enumerate(page) if line.startswith("In the terms of paper: Gheibi and Ghazizadeh 2026"))
    assert any(line.split()[:1] == ["soft_nll"] for line in page[:at])
    assert page[at + 1].split()[:2] == ["Soft", "NLL"]
    assert "without votes" not in str(score(Q[:31], VOTES.select(range(31))))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("width", [80, 60, 46, 200])
def test_the_page_fits_the_terminal(dialect, width, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    votes = Votes.from_long([f"a long name of an item {i // 2}" for i in range(64)], [str(i % 3) for i in range(64)])
    card = score(Q, votes, dialect=dialect, intervals=5, ceiling=1, truth=[0] * 32)
    page = str(card).splitlines()
    assert f"{card['soft_nll']:.4f}" in str(card)  # columns are left out, numbers are not cut off
    assert max(map(len, page)) <= min(width, 100)
    assert max(map(len, page)) > min(width, 100) / 2


def test_the_page_is_80_columns_wide_where_there_is_no_terminal(monkeypatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert 70 < max(map(len, str(score(Q, VOTES)).splitlines())) <= 80


def test_a_terminal_that_has_only_ascii_gets_no_more(monkeypatch) -> None:
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert str(score(Q, VOTES, intervals=5, ceiling=1)).isascii()


def test_corrected_values_stand_below_their_score_with_their_interval() -> None:
    card = score(Q, VOTES, intervals=20)
    page = str(card).splitlines()
    low, high = card.corrected_intervals["kl"]
    below = page[page.index(table(card)["kl"]) + 1]
    assert below.split() == ["corrected", f"{card.corrected['kl']:.4f}", f"{low:.4f}", "…", f"{high:.4f}"]
    floor = f"{card.floor:.4f} nats; {card.corrected['entropy_floor']:.4f} corrected"
    assert f"lower bound of soft_nll (entropy of the votes): {floor}" in page


def test_what_is_not_there_is_told_in_one_line_with_what_to_do() -> None:
    page = " ".join(str(score(Q, VOTES, dialect="chaosnli")).split())
    assert "no …_truth, chaosnli: Old Acc.: no true classes were given; give truth= (--truth)" in page
    assert "no wasserstein: the classes have no order; read the votes with ordinal=True (--ordinal)" in page
    assert "halves" not in page
    assert "halves: one half of the votes on each item" in " ".join(str(score(Q, VOTES, ceiling=1)).split())


def test_nothing_is_minus_zero() -> None:
    card = replace(score(Q, VOTES), scores={"kl": -1e-9}, intervals={"kl": (-1e-9, 1.0)}, corrected={"kl": -2e-5})
    assert table(card)["kl"].split()[2:6] == ["0.0000", "0.0000", "…", "1.0000"]
    assert "-0.0000" not in str(card)


def test_the_card_is_short_where_it_is_only_named() -> None:
    card = score(Q, VOTES)
    start = f"Scorecard(31 items, soft_nll {card['soft_nll']:.4f}, kl {card['kl']:.4f}, "
    assert repr(card).startswith(start)
    assert len(repr(card)) < 120
    assert repr(score(Q, VOTES, scores=["kl"])) == f"Scorecard(31 items, kl {card['kl']:.4f})"


def test_only_some_scores_may_be_asked_for() -> None:
    every = score(Q, VOTES)
    card = score(Q, VOTES, scores=["kl", "js_distance"])
    assert list(card.scores) == ["kl", "js_distance"]
    assert card.scores == {name: every[name] for name in card.scores}
    assert card.dialect == {"KL-to-annotator": every["kl"]}
    assert set(score(Q, VOTES, scores=["accuracy", "ent_ce"], dialect="baan").dialect) == {
        "Acc",
        "EntCE",
        "EntCE signed",
    }
    assert "In the terms of" not in str(score(Q, VOTES, scores=["js_distance"]))
    with pytest.raises(VotewiseError, match="the card has no score 'accuracy'"):
        card["accuracy"]


def test_a_score_shows_its_facts_wherever_one_looks() -> None:
    for text in (str(SCORES["smooth_ece"]), repr(SCORES["smooth_ece"]), pydoc.render_doc(SCORES["smooth_ece"])):
        for fact in ("smooth_ece", "reflected Gaussian", "probability, 0 to 1, lower is better"):
            assert fact in text
    assert "Błasiok and Nakkiran 2024" in str(SCORES["smooth_ece"])
    assert "\n" not in repr(SCORES["smooth_ece"])
    assert "nats, 0 or more, lower is better" in str(SCORES["kl"])
    assert str(Score.mean_of(cross_entropy, key="own", meaning="a mean")).endswith("any number")
    assert "corrected for few votes: " in str(SCORES["kl"])
    assert "= 1 - total_variation" in str(SCORES["soft_accuracy"])


def test_what_a_score_is_said_to_equal_it_equals() -> None:
    card = score(Q, VOTES)
    far, jsd = card["total_variation"], card["js_divergence"]
    meant = {
        "total_variation": far,
        "2 total_variation": 2 * far,
        "1 - total_variation": 1 - far,
        "soft_accuracy": 1 - far,
        "1 - js_divergence / log 2": 1 - jsd / math.log(2),
    }
    said = {name: one.equals for name, one in SCORES.items() if one.equals is not None}
    assert set(said.values()) == set(meant)
    for name, expression in said.items():
        assert card[name] == pytest.approx(meant[expression], abs=1e-12), name


def test_shares_that_are_equal_up_to_a_rounding_are_tied() -> None:
    shares = [[0.35, np.nextafter(0.35, 1), 0.3], [0.25, 0.4, 0.35]]
    card = score([[0.5, 0.4, 0.1], [0.1, 0.8, 0.1]], Distributions(shares, classes=("a", "b", "c")))
    assert (card.ties, card["accuracy"]) == (1, 1)


def test_the_tie_policy_is_named_and_counted() -> None:
    votes = Votes.from_counts([[1, 1]] * 200)
    q = np.tile([0.4, 0.6], (200, 1))
    assert score(q, votes)["accuracy"] == 0  # ties go to the lowest class
    drawn = score(q, votes, ties="random", seed=3)
    assert 0.4 < drawn["accuracy"] < 0.6
    assert (drawn.ties, drawn.settings["ties"]) == (200, "random")
