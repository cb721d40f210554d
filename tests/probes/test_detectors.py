"""Detectors: their definitions by SciPy and scikit-learn, one sign for all, and nothing left behind."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.special import log_softmax, logsumexp, softmax
from scipy.stats import entropy as shannon
from sklearn.metrics import roc_auc_score
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import normalize
from torch import nn

from nets import Lazy, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.detectors import DETECTORS, energy, entropy, knn, margin, msp, ood, scores
from votewise.probes.forward import outputs

logits = st.integers(2, 6).flatmap(lambda c: arrays(np.float64, (5, c), elements=st.floats(-30, 30)))


@given(logits)
def test_scores_of_logits_are_scipys(z) -> None:
    assert energy(z) == pytest.approx(-logsumexp(z, axis=1), abs=1e-9)
    assert msp(z) == pytest.approx(1 - softmax(z, axis=1).max(axis=1), abs=1e-12)
    assert entropy(z) == pytest.approx(shannon(softmax(z, axis=1), axis=1), abs=1e-9)
    ordered = np.sort(z, axis=1)
    assert margin(z) == pytest.approx(ordered[:, -2] - ordered[:, -1])


def test_sure_answers_stay_apart() -> None:
    """1 - p is 0 in double precision from about 37 logits on; what is left of the other classes is not."""
    z = np.array([[40.0, 0.0], [50.0, 0.0], [500.0, 0.0]])
    assert msp(z) == pytest.approx(np.exp([-40.0, -50.0, -500.0]))
    assert (np.diff(msp(z)) < 0).all()


def bank(seed=0):
    """Training items in four bunches, as a net that has learnt something sees them."""
    rng = np.random.default_rng(seed)
    return (np.repeat(np.eye(4) * 5, 30, axis=0) + rng.normal(size=(120, 4)) * 0.3).astype(np.float32)


class Bunches(nn.Module):
    """A net that knows four bunches, and sees inputs [n, 4] as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Identity(), nn.Linear(4, 4, bias=False)
        with torch.no_grad():
            self.head.weight.copy_(torch.eye(4))

    def forward(self, x):
        return self.head(self.body(x))


@pytest.mark.parametrize("detector", DETECTORS)
def test_larger_means_more_out_of_distribution(detector) -> None:
    """Points between all bunches and near the origin are of no bunch: every detector must say so."""
    rng = np.random.default_rng(1)
    strange = torch.tensor(0.5 + rng.normal(size=(50, 4)) * 0.1, dtype=torch.float32)
    found = ood(
        Bunches().eval(), torch.from_numpy(bank(1)), {"far": strange}, training=torch.from_numpy(bank()), k=5
    ).numbers
    assert found[f"auroc_far_{detector}"] == 1.0
    assert found[f"fpr95_far_{detector}"] == 0.0
    assert found[f"aupr_far_{detector}"] == 1.0


def test_odin_is_its_published_procedure() -> None:
    """Liang et al. 2018, equations 1 to 3, an input at a time in double precision."""
    model, x = net(3).double(), pictures(8).double()
    expected = []
    for item in x:
        given = item[None].clone().requires_grad_()
        z = model(given) / 1000
        loss = -torch.log_softmax(z, dim=1)[0, z.argmax()]
        loss.backward()
        with torch.no_grad():
            expected.append(1 - float(torch.softmax(model(given - 0.0014 * given.grad.sign()) / 1000, dim=1).max()))
    model.zero_grad(set_to_none=True)
    found = scores(model, x, detectors=["odin"], chunk=3)["odin"]
    assert found == pytest.approx(expected, abs=1e-12)
    still = scores(model, x, detectors=["odin"], epsilon=0.0, temperature=1.0)["odin"]
    assert still == pytest.approx(scores(model, x, detectors=["msp"])["msp"], abs=1e-12)
    assert (found < scores(model, x, detectors=["odin"], epsilon=0.0)["odin"]).all()  # surer than without the step


def test_the_step_can_differ_by_channel() -> None:
    """A step of e in pixels is e / std on inputs divided by std: the same input, and the same score."""

    class Scaled(nn.Module):
        def __init__(self, inner, std):
            super().__init__()
            self.inner, self.std = inner, torch.tensor(std).reshape(-1, 1, 1)

        def forward(self, x):
            return self.inner(x * self.std)

    std = [0.2, 0.3, 0.5]
    inner = nn.Sequential(nn.Flatten(), nn.Linear(3 * 16, 4)).double().eval()
    pixels = torch.rand(6, 3, 4, 4, dtype=torch.float64)
    found = scores(
        Scaled(inner, std).eval(),
        pixels / torch.tensor(std).reshape(-1, 1, 1),
        detectors=["odin"],
        epsilon=[0.01 / each for each in std],
    )
    assert found["odin"] == pytest.approx(scores(inner, pixels, detectors=["odin"], epsilon=0.01)["odin"], rel=1e-9)


def test_the_step_follows_the_probability_and_not_the_logit() -> None:
    """Where all logits rise together the largest one rises too, but nothing becomes surer."""

    class Rising(nn.Module):
        def forward(self, x):
            return torch.stack((x[:, 0] + 1, x[:, 0] + 2 * x[:, 1]), dim=1)

    found = scores(Rising().eval(), torch.zeros(1, 2), detectors=["odin"], epsilon=0.5, temperature=1.0)["odin"]
    z = np.array([[1.0, -1.0]])  # x[1] goes down by a half, and x[0] does not matter
    assert found == pytest.approx(1 - np.exp(log_softmax(z, axis=1)).max(), abs=1e-6)


@given(st.integers(0, 200), st.integers(1, 12))
def test_knn_is_scikit_learns(seed, k) -> None:
    rng = np.random.default_rng(seed)
    seen, known = (rng.normal(size=(count, 5)).astype(np.float32) for count in (7, 12))
    known[3] = known[5]  # neighbours at equal distance
    nearest = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(normalize(known.astype(float)))
    expected = nearest.kneighbors(normalize(seen.astype(float)))[0][:, -1]
    assert knn(seen, known, k) == pytest.approx(expected, abs=1e-5)


def test_knn_of_a_training_item_is_zero_and_dead_features_are_numbers() -> None:
    known = bank()
    assert knn(known[:4] * 7, known, 1) == pytest.approx(0, abs=1e-6)
    assert knn(np.zeros((2, 4), np.float32), known, 3) == pytest.approx(1, abs=1e-6)


def test_knn_in_blocks_is_knn(monkeypatch) -> None:
    whole = knn(bank(3), bank(), 10)
    monkeypatch.setattr(sys.modules[knn.__module__], "_CELLS", 120 * 7)
    assert knn(bank(3), bank(), 10) == pytest.approx(whole, abs=1e-6)


@pytest.fixture(scope="module")
def worlds():
    """A net with a picture's worth of inputs: held out, strange, and trained on."""
    return net(), pictures(20, 1), {"near": pictures(15, 2) * 1.3, "far": pictures(12, 3) * 4}, pictures(70, 4)


def test_the_numbers_are_those_of_the_scores(worlds) -> None:
    model, x, sets, training = worlds
    found = ood(model, x, sets, training=training, chunk=6)
    of_detectors = {f"{m}_{s}_{d}" for m in ("auroc", "fpr95", "aupr") for s in sets for d in DETECTORS}
    assert set(found.numbers) == of_detectors | {f"n_{name}" for name in sets}
    known = outputs(model, training).features
    inside, outside = (scores(model, given, bank=known) for given in (x, sets["near"]))
    for detector in DETECTORS:
        both = np.concatenate((inside[detector], outside[detector]))
        expected = roc_auc_score(np.repeat([0, 1], [20, 15]), both)
        assert found.numbers[f"auroc_near_{detector}"] == pytest.approx(expected, abs=0.02), detector  # chunks round
    assert found.notes == ()


def test_nothing_is_left_behind(worlds) -> None:
    model, x, sets, training = worlds
    lazy = Lazy(x)
    before = x.clone()
    ood(model, lazy, sets, training=training, chunk=6)
    assert lazy.longest == 6
    assert all(parameter.grad is None for parameter in model.parameters())
    assert torch.equal(x, before)
    assert not x.requires_grad
    assert not model.head._forward_pre_hooks
    with torch.no_grad():
        scores(model, x, detectors=["odin"])


def test_fewer_training_items_than_neighbours_is_said(worlds) -> None:
    model, x, sets, training = worlds
    found = ood(model, x, sets, training=training[:8])
    assert found.notes == ("knn uses neighbour 8 instead of 50, because there are only 8 training items",)
    assert found.numbers == ood(model, x, sets, training=training[:8], k=8).numbers


def test_a_model_of_ones_own() -> None:
    body = nn.Sequential(nn.Flatten(), nn.Linear(100, 5))
    model = nn.Sequential(body, nn.ReLU(), nn.Linear(5, 3)).eval()
    sets = {"far": pictures(6, 2) * 3}
    found = ood(model, pictures(9), sets, training=pictures(30, 4), k=3, features=body).numbers
    assert len(found) == 19
    alone = ood(model, pictures(9), sets, detectors=["energy", "odin"]).numbers
    assert alone == {name: found[name] for name in found if name.endswith(("energy", "odin", "n_far"))}


class Words(nn.Module):
    """Whole numbers in, logits out."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.head = nn.EmbeddingBag(10, 4), nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.words(x))


def test_bad_input(worlds) -> None:
    model, x, sets, training = worlds

    def refused(sentence, *given, **options) -> None:
        with pytest.raises(VotewiseError, match=sentence):
            ood(*given, **options)

    refused(
        r"the set 'far' has inputs of shape \(1, 12, 12\), but x has inputs of shape \(1, 10, 10\)",
        model, x, {"far": torch.zeros(3, 1, 12, 12)}, training=training,
    )  # fmt: skip
    refused("the set 'far' must have at least one item", model, x, {"far": x[:0]}, training=training)
    refused("training must have at least one item", model, x, sets, training=training[:0])
    refused("knn needs the training inputs; pass training=", model, x, sets, detectors=DETECTORS)
    refused("unknown detector 'maha'; choose among 'energy'", model, x, sets, detectors=["maha"])
    words = torch.arange(12).reshape(4, 3) % 10
    refused(
        "odin needs floating-point inputs, got int64",
        Words().eval(), words, {"far": words}, training=words, detectors=DETECTORS,
    )  # fmt: skip
    assert len(ood(Words().eval(), words, {"far": words}, detectors=["energy", "margin"]).numbers) == 7
    with pytest.raises(VotewiseError, match="k must be from 1 to the 8 items of the bank, got 9"):
        knn(bank()[:3], bank()[:8], 9)
