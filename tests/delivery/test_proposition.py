"""Proposition 1 of the paper, whole: equations 4 to 8, by enumeration of the labels and by sampling them."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.func import functional_call, jacrev

from votewise.delivery import SLS
from votewise.votes import Distributions, Votes

CLASSES = [2, 3, 10, 1000]


def p_and_z(classes: int, seed: int, shape: str) -> tuple[torch.Tensor, torch.Tensor]:
    """A distribution p and logits z in float64; p is spread out, one-hot or uniform."""
    rng = np.random.default_rng(seed)
    p = {
        "spread": rng.dirichlet(np.ones(classes)),
        "one-hot": np.eye(classes)[seed % classes],
        "uniform": np.full(classes, 1 / classes),
    }
    return torch.from_numpy(p[shape]), torch.from_numpy(rng.normal(0, 3, classes))


cases = st.tuples(st.sampled_from(CLASSES), st.integers(0, 1000), st.sampled_from(["spread", "one-hot", "uniform"]))


def losses_and_gradients(z: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The hard-label loss [C] and its logit gradient [C, C] for every label there is, by automatic differentiation."""
    every = torch.arange(len(z))
    hard = torch.nn.functional.cross_entropy(z.expand(len(z), -1), every, reduction="none")
    return hard, jacrev(lambda logits: -logits.log_softmax(0))(z)


@settings(max_examples=40)
@given(cases)
def test_equations_4_to_6_and_8_by_enumeration(case) -> None:
    p, z = p_and_z(*case)
    q = z.softmax(0)
    loss, gradient = losses_and_gradients(z)
    soft = torch.nn.functional.cross_entropy(z, p)
    assert float((p * loss).sum() - soft) == pytest.approx(0, abs=1e-12)  # (4)
    mean = p @ gradient
    assert torch.allclose(mean, q - p, atol=1e-12, rtol=0)  # (5)
    centred = gradient - mean
    covariance = centred.T @ (p[:, None] * centred)
    assert torch.allclose(covariance, torch.diag(p) - torch.outer(p, p), atol=1e-12, rtol=0)  # (6)
    squared = (p * gradient.square().sum(1)).sum()
    assert float(squared - ((q - p).square().sum() + 1 - p.square().sum())) == pytest.approx(0, abs=1e-12)  # (8)


@settings(max_examples=40)
@given(cases, st.floats(0, 1), st.integers(0, 1000))
def test_the_extra_variance_is_zero_for_one_hot_targets_alone_and_grows_with_disagreement(
    case, share: float, seed: int
) -> None:
    p, _ = p_and_z(*case)
    extra = 1 - p.square().sum()
    assert (float(extra) < 1e-12) == (float(p.max()) > 1 - 1e-12)
    mixed = (1 - share) * p + share * p[torch.from_numpy(np.random.default_rng(seed).permutation(len(p)))]
    assert float(1 - mixed.square().sum()) >= float(extra) - 1e-12


def test_equation_7_on_a_small_net_with_its_jacobian() -> None:
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.Tanh(), torch.nn.Linear(4, 3)).double()
    parameters = dict(net.named_parameters())
    x, p = torch.randn(5, dtype=torch.float64), torch.tensor([0.6, 0.3, 0.1], dtype=torch.float64)

    def flat(tree: dict[str, torch.Tensor]) -> torch.Tensor:
        return torch.cat([leaf.flatten(1) for leaf in tree.values()], dim=1)

    jacobian = flat(jacrev(lambda weights: functional_call(net, weights, x))(parameters))  # [C, P]

    def loss(weights: dict[str, torch.Tensor]) -> torch.Tensor:
        logits = functional_call(net, weights, x)
        return torch.nn.functional.cross_entropy(logits.expand(3, -1), torch.arange(3), reduction="none")

    gradient = flat(jacrev(loss)(parameters))  # [C, P]: one row per label
    centred = gradient - p @ gradient
    covariance = centred.T @ (p[:, None] * centred)
    predicted = jacobian.T @ (torch.diag(p) - torch.outer(p, p)) @ jacobian
    assert torch.allclose(covariance, predicted, atol=1e-12, rtol=0)

    labels = torch.from_numpy(np.array([t[0] for t in SLS(Distributions(p[None].numpy(), classes="abc")).tape(4000)]))
    sampled = torch.cov(gradient[labels].T)
    error = (gradient[labels] - p @ gradient).square().var(0).sqrt() / 4000**0.5
    assert ((sampled.diag() - predicted.diag()).abs() <= 4 * error + 1e-12).all()


def test_equations_4_to_8_by_sampling_the_labels_that_sls_delivers() -> None:
    p, z = p_and_z(10, 3, "spread")
    q, epochs = z.softmax(0), 20_000
    labels = torch.from_numpy(
        np.concatenate(list(SLS(Distributions(p[None].numpy(), classes=tuple("abcdefghij"))).tape(epochs)))
    )
    loss, gradient = losses_and_gradients(z)

    def close(samples: torch.Tensor, expected: torch.Tensor) -> bool:
        error = samples.std(0) / epochs**0.5
        return bool(((samples.mean(0) - expected).abs() <= 4 * error + 1e-12).all())

    assert close(loss[labels], torch.nn.functional.cross_entropy(z, p))
    assert close(gradient[labels], q - p)
    centred = gradient[labels] - (q - p)
    assert close(centred[:, :, None] * centred[:, None, :], torch.diag(p) - torch.outer(p, p))
    assert close(gradient[labels].square().sum(1), (q - p).square().sum() + 1 - p.square().sum())


def test_over_a_data_set_the_sls_loss_has_the_soft_loss_as_its_expectation() -> None:
    rng = np.random.default_rng(5)
    votes = Votes.from_counts(rng.multinomial(6, [0.5, 0.3, 0.2], size=300))
    log_q = torch.from_numpy(rng.normal(size=(300, 3))).log_softmax(1)
    soft = -(torch.from_numpy(votes.probabilities()) * log_q).sum(1).mean()
    means = np.array([float(torch.nn.functional.nll_loss(log_q, torch.from_numpy(t))) for t in SLS(votes).tape(2000)])
    assert abs(means.mean() - float(soft)) < 4 * means.std(ddof=1) / 2000**0.5
