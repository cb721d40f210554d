"""The card and the page of a profile: what a user wrote is text, nothing is fetched, and every part has its place."""

import re
import subprocess
import sys

import numpy as np
import pytest

from votewise.profile import describe, page_parts
from votewise.profile.agreement import alpha, overall_agreement
from votewise.profile.cells import cells
from votewise.profile.references import REFERENCES, verdict
from votewise.reporting import cards_page
from votewise.votes import Distributions, Votes, example_votes, read_votes

EVIL = '<img src=x onerror="alert(1)">'


def evil_votes():
    rng = np.random.default_rng(0)
    item = np.repeat([f"{EVIL}{i}" for i in range(40)], 4)
    label = rng.choice([EVIL, "b", "</script><script>"], 160, p=[0.5, 0.3, 0.2])
    who = [f"<b>{i % 4}" for i in range(160)]
    return Votes.from_long(item, label, who, columns={"text": np.repeat([f"{EVIL} & more {i}" for i in range(40)], 4)})


def page_of(profiles):
    lead, parts = page_parts(profiles, rows=10)
    return cards_page(f"Votes in {EVIL}", lead, parts)


def test_what_a_user_wrote_is_never_markup():
    profile = describe(evil_votes())
    for text in (profile._repr_html_(), page_of({EVIL: profile}), page_of({EVIL: profile, "b": profile})):
        assert "<img" not in text
        assert "<b>0" not in text
        assert 'onerror="alert' not in text.replace("&quot;", "")
        assert "&lt;img" in text


def test_the_page_loads_nothing_and_runs_no_script_but_its_own():
    page = page_of({"label": describe(evil_votes())})
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
    assert "default-src 'none'" in policy
    assert len(re.findall(r"<script>", page)) == len(re.findall("'sha256-", policy)) == 1
    assert not re.search(r"""(src|href)=["'](?!#|data:,)""", page)
    assert "://" not in page


def test_every_part_is_on_the_card_and_on_the_page():
    profile = describe(example_votes())
    _, parts = page_parts({"label": profile}, rows=10)
    anchors = [anchor for anchor, *_ in parts]
    assert anchors == ["agreement", "disagreement", "confusion", "annotators", "next-votes", "budget", "advice"]
    card = profile._repr_html_()
    for _, title, _ in parts:
        assert title in card
    assert card.count("<svg") == 6


@pytest.mark.parametrize(
    ("votes", "missing"),
    [
        (Votes.from_counts([[3, 1], [2, 2]]), {"annotators"}),
        (Votes.from_counts([[1, 0], [0, 1]]), {"annotators", "confusion", "next-votes", "budget"}),
        (
            Distributions([[0.7, 0.3], [0.5, 0.5]], classes=("a", "b")),
            {"annotators", "confusion", "next-votes", "budget"},
        ),
        (Votes.from_counts([[3, 0], [4, 0]]), {"annotators"}),
    ],
)
def test_what_the_votes_do_not_allow_is_left_out(votes, missing):
    _, parts = page_parts({"label": describe(votes)}, rows=5)
    every = {"agreement", "disagreement", "confusion", "annotators", "next-votes", "budget", "advice"}
    assert {anchor for anchor, *_ in parts} == every - missing


def test_the_verdict_names_the_limits_and_the_nearest_published_data():
    assert verdict(0.9).startswith("High")
    assert verdict(0.7).startswith("Moderate")
    assert verdict(0.14).startswith("Low")
    assert "POPQUORN" in verdict(0.14)
    assert "CIFAR-10H" in verdict(0.92)
    assert "cannot" in verdict(float("nan"))


PUBLISHED = {
    "CIFAR-10H": "cifar10h/cifar10h-counts.npy",
    "ConvAbuse, test": "lewidi/ConvAbuse_test.json",
    "ChaosNLI, abductive": "chaosnli/chaosNLI_alphanli.jsonl",
    "ChaosNLI, SNLI": "chaosnli/chaosNLI_snli.jsonl",
    "ChaosNLI, MNLI": "chaosnli/chaosNLI_mnli_m.jsonl",
    "Paraphrase, training": "lewidi/Paraphrase_train.json",
    "POPQUORN": "popquorn/offensiveness.csv",
}


@pytest.mark.parametrize("one", REFERENCES, ids=lambda one: one.name)
def test_the_published_agreement_is_that_of_the_data(data, one):
    votes = read_votes(data / PUBLISHED[one.name])
    answers = cells(votes)
    assert votes.num_classes == one.classes
    assert round(alpha(answers, votes.num_classes, "nominal"), 3) == one.alpha
    assert round(overall_agreement(answers), 3) == one.pairwise


def test_a_profile_stays_as_plain_as_it_was():
    profile = describe(example_votes())
    assert "answers" not in profile.as_dict()
    assert len(repr(profile)) < 100
    assert profile == describe(example_votes())


def test_neither_card_nor_page_needs_a_framework():
    code = (
        "import sys; from votewise import describe, example_votes; from votewise.profile import page_parts\n"
        "from votewise.reporting import cards_page\n"
        "profile = describe(example_votes()); profile._repr_html_(); cards_page('a', *page_parts({'q': profile}, rows=5))\n"
        "assert not {'torch', 'altair', 'vl_convert', 'pandas'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
