"""The opening sentence of the page: only differences that survive the correction are named."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from made_up import results_of
from votewise.papers.basins.figures.story import story
from votewise.papers.basins.published import HARD


@pytest.mark.parametrize(("size", "found"), [(2.5, False), (4.0, True)])
def test_the_sentence_needs_an_interval_corrected_for_all_cells(size: float, found: bool):
    """Both differences have a 95 % interval below zero; only the larger one keeps it with Bonferroni's correction over six cells."""
    noise = np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]) * 0.01
    error = noise.std(ddof=1) / np.sqrt(8)
    assert stats.t.ppf(0.975, 7) < 2.5 < stats.t.ppf(1 - 0.025 / 6, 7) < 4.0
    level = {("soft", K): [0.9] * 8 for K in (5, None)}
    hard = {(method, K): list(0.9 + noise) for method in ("sls", "multipass", "deterministic") for K in (5, None)}
    hard["sls", 5] = list(0.9 + noise - size * error)
    reading = story(results_of(level | hard)).reading
    assert ("better than soft labels" in reading) == found


def test_the_sentence_counts_where_numbers_of_votes_differ():
    noise = 0.001 * np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    better = {5: {"sls"}, 10: {"multipass"}, None: set[str]()}
    soft = {("soft", K): [0.9] * 8 for K in better}
    hard = {(method, K): list(0.9 - 0.1 * (method in found) + noise) for K, found in better.items() for method in HARD}
    assert story(results_of(soft | hard)).reading == (
        "At the best and the last epoch, hard delivery fits the votes better than soft labels in 2 of 9 comparisons (5 and 10 votes per item);"
        " no difference was found in the others."
    )


def test_a_missing_cell_is_left_out_of_the_chart():
    noise = 0.001 * np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    losses = {(method, K): list(0.9 + noise) for method in ("soft", *HARD) for K in (5, None)}
    del losses["multipass", 5]
    shown = story(results_of(losses)).alt
    assert (shown.count("SLS"), shown.count("Multipass")) == (2, 1)
