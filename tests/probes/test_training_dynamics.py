"""When a run is nearly as good as it gets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from votewise.errors import VotewiseError
from votewise.probes.training_dynamics import dynamics


def history(*losses):
    return [{"epoch": epoch, "soft_nll": loss, "train_loss": 2 * loss, "lr": 0.1} for epoch, loss in enumerate(losses)]


def test_the_first_epoch_within_a_twentieth_of_the_best() -> None:
    """Best 0.95: 1.0 is 0.95 / 0.95 and counts, 1.01 does not."""
    found = dynamics(history(2.0, 1.01, 1.0, 0.95, 1.3))
    assert found.numbers == {"epoch_95": 2, "best_epoch": 3, "soft_nll_end": 1.3, "epochs": 5}
    assert found.curves["history"] == {
        "epoch": [0, 1, 2, 3, 4],
        "soft_nll": [2.0, 1.01, 1.0, 0.95, 1.3],
        "train_loss": [4.0, 2.02, 2.0, 1.9, 2.6],
    }


def test_the_first_epoch_after_most_of_the_fall() -> None:
    """From 2 to 1 the fall is 1, and 95 % of it is done at 1.05."""
    assert dynamics(history(2.0, 1.06, 1.04, 1.0), of="fall").numbers["epoch_95"] == 2
    assert dynamics(history(2.0, 1.06, 1.04, 1.0), of="fall", share=0.9).numbers["epoch_95"] == 1


losses = st.lists(st.floats(0, 10), min_size=1, max_size=30)


@given(losses, st.sampled_from(["best", "fall"]))
def test_no_run_is_nearly_best_after_it_is_best(values, of) -> None:
    found = dynamics(history(*values), of=of).numbers
    assert 0 <= found["epoch_95"] <= found["best_epoch"] < found["epochs"] == len(values)
    assert values[int(found["best_epoch"])] == min(values)
    assert min(values) not in values[: int(found["best_epoch"])]
    assert dynamics(history(*values), of=of, share=1.0).numbers["epoch_95"] == found["best_epoch"]


def test_the_epochs_are_those_of_the_history() -> None:
    lines = [{**line, "epoch": line["epoch"] + 1} for line in history(3.0, 1.0)]
    assert dynamics(lines).numbers["best_epoch"] == 2


@pytest.mark.parametrize(
    ("lines", "options", "sentence"),
    [
        ([], {}, "history must have at least one epoch"),
        ([{"epoch": 0, "train_loss": 1.0}], {}, "'soft_nll' is missing"),
        (history(1.0, float("nan")), {}, "soft_nll in history must be finite"),
        (history(1.0), {"of": "way"}, "got 0.95 and 'way'"),
        (history(1.0), {"share": 0.0}, "got 0 and 'best'"),
    ],
    ids=["empty", "no soft nll", "nan", "unknown rule", "no share"],
)
def test_bad_input(lines, options, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        dynamics(lines, **options)
