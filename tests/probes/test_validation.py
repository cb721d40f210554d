"""A model of one's own: NumPy or torch, votes or shares, and a sentence for whatever else."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from votewise.errors import VotewiseError
from votewise.probes import (
    Hessian,
    barrier,
    curvature,
    gradcam,
    noise,
    ood,
    outputs,
    reliability,
    same_winner,
    soft_nll,
    spread,
    stability,
)
from votewise.probes.validation import as_log_probabilities
from votewise.votes import Distributions, Votes

torch.set_num_threads(1)
COUNTS = np.random.default_rng(0).multinomial(5, [0.5, 0.3, 0.2], 12)
VOTES = Votes.from_counts(COUNTS)
P = COUNTS / 5
X = np.random.default_rng(1).normal(size=(12, 2, 6, 6))  # in double precision, as NumPy has it


class Own(nn.Module):
    """A net that nobody here has seen, with a last layer of another name."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.layers = nn.Sequential(nn.Conv2d(2, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        self.pool, self.last = nn.AdaptiveAvgPool2d(1), nn.Linear(4, 3)

    def forward(self, x):
        return self.last(self.pool(self.layers(x)).flatten(1))


MODEL, OTHER = Own().eval(), Own(1).eval()


def quick(x, p) -> float:
    return curvature(MODEL, x, p, trace=False, sharpness=False).largest.value


@pytest.mark.parametrize(
    "x",
    [X.astype(np.float32), X[::-1].copy()[::-1], torch.from_numpy(X), torch.from_numpy(X).float(), X.tolist(), list(torch.from_numpy(X))],
    ids=["float32", "reversed", "tensor", "single", "lists", "tensors"],
)  # fmt: skip
def test_inputs_are_the_same_wherever_they_come_from(x) -> None:
    assert quick(x, VOTES) == pytest.approx(quick(X, VOTES), rel=1e-4)
    assert outputs(MODEL, x, features=MODEL.pool).logits == pytest.approx(
        outputs(MODEL, X, features=MODEL.pool).logits, abs=1e-6
    )


def test_inputs_that_nobody_may_write_to_are_read() -> None:
    x = X.copy()
    x.flags.writeable = False
    assert quick(x, VOTES) == quick(X, VOTES)


@pytest.mark.parametrize(
    "p",
    [P, torch.from_numpy(P), torch.from_numpy(P).float(), P.tolist(), Distributions(P)],
    ids=["array", "tensor", "single", "lists", "distributions"],
)
def test_votes_are_the_same_wherever_they_come_from(p) -> None:
    features, q = outputs(MODEL, X, features=MODEL.pool).features, P[::-1]
    assert quick(X, p) == pytest.approx(quick(X, VOTES), rel=1e-6)
    for found, expected in (
        (barrier(MODEL, MODEL, OTHER, X, p), barrier(MODEL, MODEL, OTHER, X, VOTES)),
        (noise(features, p), noise(features, VOTES)),
        (reliability(q, p), reliability(q, VOTES)),
        (same_winner(q, P, p), same_winner(q, P, VOTES)),
    ):
        assert found.numbers == pytest.approx(expected.numbers, rel=1e-5, abs=1e-7)
    assert soft_nll(P, p) == pytest.approx(soft_nll(P, VOTES))


@pytest.mark.parametrize(
    ("x", "sentence"),
    [
        ((X * 9).astype(np.uint8), r"inputs are bytes \(uint8\); pass floats, scaled as the model was trained"),
        (torch.zeros(12, 2, 6, 6, dtype=torch.uint8), r"inputs are bytes \(uint8\)"),
        (X.transpose(0, 2, 3, 1), r"the model fails on inputs of shape \(12, 6, 6, 2\) and type float32: .*channels.*; pass x as"),
        (X.astype(np.int64), r"the model fails on inputs of shape \(12, 2, 6, 6\) and type int64"),
        (X[:5], "distributions must have one row per item, got 12 for 5 items"),
        (np.where(np.arange(12)[:, None, None, None] == 7, np.nan, X), "inputs must be finite, but item 7"),
        (X[:0], "inputs must have at least one item"),
        (TensorDataset(torch.from_numpy(X)), "inputs cannot be sliced, got TensorDataset; pass an array or a tensor"),
        (DataLoader(TensorDataset(torch.from_numpy(X))), "got DataLoader"),
        ({"x": X}, "got dict"),
        ("x.npy", "got str"),
        (None, "got NoneType"),
        (3.0, "got float"),
        (np.array(["a"] * 12), "inputs must be numbers .*got type <U1"),
        ([[1.0], [1.0, 2.0]], "got type object"),
    ],
    ids=[
        "bytes", "tensor of bytes", "channels last", "whole", "fewer", "nan", "none", "dataset", "loader", "dict", "path", "nothing", "number",
        "text", "ragged",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "probe", [quick, lambda x, p: barrier(MODEL, MODEL, OTHER, x, p)], ids=["curvature", "barrier"]
)
def test_inputs_that_no_model_takes_are_refused(x, sentence, probe) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        probe(x, VOTES)


@pytest.mark.parametrize(
    ("p", "sentence"),
    [
        (VOTES.majority(), r"distributions must be \[n, C\], got one value per item; pass votes, or the share"),
        (["cat"] * 12, "distributions must be numbers in rows of equal length"),
        ([[1.0, 0.0], [1.0]] * 6, "distributions must be numbers in rows of equal length"),
        (COUNTS, r"sum to one, but row 0 is .*; pass shares of votes, not counts"),
        (P * np.nan, "distributions must be finite, but item 0"),
        (P[:, :1] * 0 + 1, "two or more classes"),
        (np.full((12, 4), 0.25), "the model has 3 classes, but the votes have 4"),
        (VOTES.select(np.arange(5)), "got 5 for 12"),
        (Votes.from_counts(COUNTS * (np.arange(12) > 0)[:, None]), "1 item without votes; leave them out"),
    ],
    ids=["classes", "names", "ragged", "counts", "nan", "one class", "other classes", "fewer", "not voted"],
)  # fmt: skip
@pytest.mark.parametrize(
    "probe", [quick, lambda x, p: barrier(MODEL, MODEL, OTHER, x, p)], ids=["curvature", "barrier"]
)
def test_what_says_nothing_of_these_items_is_refused(p, sentence, probe) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        probe(X, p)


@pytest.mark.parametrize(("model", "what"), [(lambda x: x, "function"), (Own, "the class Own"), (None, "NoneType")])
def test_what_is_no_model_is_refused(model, what) -> None:
    with pytest.raises(VotewiseError, match=f"model must be a torch.nn.Module .*got {what}"):
        Hessian(model, X, VOTES)
    with pytest.raises(VotewiseError, match=f"got {what}"):
        ood(model, X, X)


def test_attention_without_second_derivatives_is_told_and_the_remedy_helps() -> None:
    class Attentive(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.attention, self.last = nn.TransformerEncoderLayer(6, 2, 8, batch_first=True), nn.Linear(6, 3)

        def forward(self, x):
            return self.last(self.attention(x).mean(1))

    model, x = Attentive().eval(), X[:, 0]
    with pytest.raises(
        VotewiseError, match=r"no second derivatives: .*; for attention, call this inside torch.nn.attention"
    ):
        curvature(model, x, VOTES)
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        assert curvature(model, x, VOTES, trace=False).largest.value > 0


def test_ood_takes_one_set_and_says_what_the_other_detectors_want() -> None:
    found = ood(MODEL, X, 5 * X)
    assert {name.rpartition("_")[2] for name in found.numbers if name != "n_outside"} == {
        "energy",
        "msp",
        "odin",
        "entropy",
        "margin",
    }
    assert found.notes == ("without knn: pass training=, the training inputs",)
    named = ood(MODEL, X, {"outside": 5 * X}, training=X, features=MODEL.pool, k=3)
    assert "auroc_outside_knn" in named.numbers
    assert {name: named.numbers[name] for name in found.numbers} == found.numbers
    with pytest.raises(VotewiseError, match="Own has no attribute `head`"):
        ood(MODEL, X, X, training=X)
    with pytest.raises(VotewiseError, match="sets must hold at least one set"):
        ood(MODEL, X, {})


def test_features_are_what_comes_out_of_a_layer() -> None:
    found = outputs(MODEL, X, features=MODEL.pool, chunk=5).features
    with torch.no_grad():
        expected = MODEL.layers(torch.from_numpy(X).float()).mean(dim=(2, 3))
    assert found == pytest.approx(expected.numpy(), abs=1e-6)
    with pytest.raises(
        VotewiseError, match=r"the penultimate layer must have shape \[n, D\], got shape \(12, 4, 4, 4\)"
    ):
        outputs(MODEL, X, features=MODEL.layers)


def test_maps_of_two_models_are_compared_as_they_are() -> None:
    one, two = (gradcam(model, model.layers, X, VOTES.majority()) for model in (MODEL, OTHER))
    assert stability(one, two, [0, 3]) == stability(torch.from_numpy(one), two.tolist(), np.isin(np.arange(12), [0, 3]))
    assert not any(name.startswith("gradcam_") and name.endswith("_high") for name in stability(one, two).numbers)
    with pytest.raises(VotewiseError, match=r"one integer per image|majority"):
        gradcam(MODEL, MODEL.layers, X, VOTES)


kinds = {"probabilities": lambda q: q, "log-probabilities": np.log, "logits": lambda q: np.log(q) + 3}


@given(st.integers(0, 1000), st.sampled_from(sorted(kinds)))
def test_predictions_of_every_kind_say_the_same(seed, kind) -> None:
    q = np.random.default_rng(seed).dirichlet([1, 1, 1], 12)
    assert as_log_probabilities(kinds[kind](q), VOTES, kind)[0] == pytest.approx(np.log(q), rel=1e-9, abs=1e-9)
    assert spread(kinds[kind](q), VOTES, kind=kind).numbers == pytest.approx(spread(q, VOTES).numbers, abs=1e-9)


def test_log_probabilities_are_not_touched() -> None:
    log_q = np.log(P[::-1] * 0.9 + 0.1 / 3).astype(np.float32)
    assert (as_log_probabilities(log_q, VOTES, "log-probabilities")[0] == log_q).all()


def test_a_class_that_is_ruled_out_counts_where_somebody_chose_it() -> None:
    found = soft_nll([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.5, 0.5]])
    assert found.tolist() == [0, np.inf]


def test_votes_for_predictions_are_refused() -> None:
    with pytest.raises(VotewiseError, match="predictions must be an array, got votes"):
        spread(VOTES, P)
    with pytest.raises(VotewiseError, match="read as probabilities"):
        reliability(np.log(P + 1), VOTES)
