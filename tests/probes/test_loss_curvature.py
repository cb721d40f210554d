"""The ends, the trace and the density of a spectrum: against dense matrices, identities, and PyHessian."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from curved import NETS, curved, dense, examples
from nets import distributions, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.density import spectral_density
from votewise.probes.hessian import Hessian, Scaled, rademacher
from votewise.probes.lanczos import lanczos
from votewise.probes.loss_curvature import curvature, power_iteration
from votewise.probes.trace import estimate_trace

X, P = examples()


def symmetric(eigenvalues: Tensor, seed: int = 0) -> Tensor:
    """A matrix with these eigenvalues and random eigenvectors."""
    size = len(eigenvalues)
    normal = torch.randn((size, size), generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    q = torch.linalg.qr(normal).Q
    return (q * eigenvalues.double()) @ q.T


@pytest.mark.parametrize("name", NETS)
def test_ends_trace_and_sharpness_of_a_net_are_those_of_its_dense_hessian(name: str) -> None:
    model = curved(name)
    found = curvature(model, X, P, chunk=4, largest=1e-8, smallest=1e-8, steps=400)
    matrix = dense(model, X, P)
    values = torch.linalg.eigvalsh(matrix)
    assert found.largest.value == pytest.approx(float(values[-1]), rel=1e-6)
    assert found.smallest is not None
    assert found.smallest.value == pytest.approx(float(values[0]), rel=1e-6, abs=1e-6 * float(values[-1]))
    assert abs(found.power.value - float(values[values.abs().argmax()])) < 0.02 * float(values.abs().max())
    weights = Hessian(model, X, P).weights.abs()
    assert found.sharpness is not None
    assert found.sharpness.value == pytest.approx(
        float(torch.linalg.eigvalsh(weights[:, None] * matrix * weights)[-1]), rel=1e-6
    )
    assert found.weight_norm == pytest.approx(float(weights.norm()))
    assert found.trace is not None
    for estimate in (found.trace.hutchinson, found.trace.deflated):
        assert abs(estimate.value - float(matrix.trace())) <= 3 * estimate.se + 1e-6 * float(matrix.trace())
    assert found.trace.deflated.se < found.trace.hutchinson.se


@pytest.mark.parametrize("name", ["residual", "mlp"])
def test_the_default_way_is_as_sure_as_it_says(name: str) -> None:
    model = curved(name, torch.float32)
    found = curvature(model, X.float(), P, trace_error=0.02)
    values = torch.linalg.eigvalsh(dense(curved(name), X, P))
    assert abs(found.largest.value - float(values[-1])) <= found.largest.residual + 1e-5 * float(values[-1])
    assert found.largest.residual <= 0.01 * found.largest.value
    assert found.smallest is not None
    assert float((values - found.smallest.value).abs().min()) <= found.smallest.residual + 1e-5 * float(values[-1])
    assert found.trace is not None
    assert found.trace.deflated.probes >= 8
    assert found.trace.deflated.se <= 0.02 * found.trace.deflated.value
    assert abs(found.trace.deflated.value - float(values.sum())) <= 3 * found.trace.deflated.se
    assert not found.notes


@pytest.mark.filterwarnings("ignore:Using backward:UserWarning")
@pytest.mark.parametrize("name", ["convolutions", "residual", "mlp"])
def test_pyhessian_finds_the_same_within_its_tolerance(name: str) -> None:
    pyhessian = pytest.importorskip("pyhessian", reason="PyHessian is not installed")
    torch.manual_seed(0)
    model, x = curved(name, torch.float32), X.float()
    theirs = pyhessian.hessian(model, nn.functional.cross_entropy, data=(x, torch.from_numpy(P).float()), cuda=False)
    largest = theirs.eigenvalues(maxIter=100, tol=1e-4)[0][0]
    samples = theirs.trace(maxIter=200, tol=-np.inf)  # by a tolerance it stops where the mean happens to stand still
    model.zero_grad(set_to_none=True)
    found = curvature(model, x, P)
    assert found.largest.value == pytest.approx(largest, rel=5e-3)
    assert found.power.value == pytest.approx(largest, rel=5e-3)
    assert found.trace is not None
    together = np.hypot(np.std(samples, ddof=1) / np.sqrt(len(samples)), found.trace.deflated.se)
    assert abs(found.trace.deflated.value - np.mean(samples)) <= 3 * together


@pytest.mark.parametrize("name", ["digits", "resnet8", "mlp"])
def test_where_every_weight_acts_linearly_the_trace_is_that_of_the_fisher_matrix(name: str) -> None:
    """With ReLU each weight alone enters the logits linearly, so the loss curves by the softmax alone: E ‖∇ log q(y)‖², y drawn from q."""
    model, x, p = net(name=name), pictures(4), distributions(4)
    weights = list(model.parameters())
    fisher = 0.0
    for each in x:
        log_q = model(each[None]).log_softmax(1)[0]
        for one in log_q:
            gradient = torch.autograd.grad(one, weights, retain_graph=True)
            fisher += float(one.detach().exp()) * sum(float((part.double() ** 2).sum()) for part in gradient) / len(x)
    found = curvature(model, x, p, sharpness=False).trace
    assert found is not None
    assert abs(found.deflated.value - fisher) <= 3 * found.deflated.se


def test_power_iteration_follows_the_largest_modulus_and_lanczos_tells_the_ends_apart() -> None:
    matrix = symmetric(torch.cat([torch.tensor([-9.0, 5.0]), torch.linspace(-1, 1, 60)]))
    space = lanczos(matrix, largest=1e-9, smallest=1e-9)
    ritz = space.eigenvalues()
    assert (ritz[0].value, ritz[-1].value) == pytest.approx((-9.0, 5.0))
    assert power_iteration(matrix, torch.ones(62, dtype=torch.float64)).value == pytest.approx(-9, rel=1e-2)


def test_power_iteration_is_read_from_the_lanczos_run_without_a_product_more() -> None:
    model = curved("residual")
    hessian = Hessian(model, X, P)
    explicit = power_iteration(hessian, rademacher(hessian, "lanczos", 3, 0, 1)[:, 0])
    read = curvature(model, X, P, seed=3, trace=False, sharpness=False, largest=1e-10).power
    assert (read.value, read.iterations) == (pytest.approx(explicit.value, rel=1e-9), explicit.iterations)
    assert explicit.converged


def test_power_iteration_that_cannot_settle_says_so() -> None:
    swing = power_iteration(torch.diag(torch.tensor([3.0, -2.9])), torch.tensor([0.3, 1.0]), iterations=4)
    assert not swing.converged
    assert swing.iterations == 4
    assert power_iteration(torch.zeros(2, 2), torch.ones(2)).value == 0


@given(
    st.lists(st.floats(-10, 10), min_size=2, max_size=40).map(lambda v: torch.tensor(v, dtype=torch.float64)),
    st.integers(1, 12),
    st.integers(0, 3),
)
def test_an_eigenvalue_lies_within_every_residual(values: Tensor, steps: int, seed: int) -> None:
    space = lanczos(symmetric(values, seed), largest=1e-12, smallest=1e-12, steps=steps, seed=seed)
    room = 1e-9 * (1 + float(values.abs().max()))
    ritz = space.eigenvalues()
    assert all(float((values - each.value).abs().min()) <= each.residual + room for each in ritz)
    assert float(values.min()) - room <= ritz[0].value <= ritz[-1].value <= float(values.max()) + room
    gram = space.basis @ space.basis.T
    torch.testing.assert_close(gram, torch.eye(space.size, dtype=torch.float64))


def test_lanczos_ends_where_the_space_does() -> None:
    twice = symmetric(torch.tensor([2.0, 2.0, 2.0, -1.0, -1.0, 0.0]))
    space = lanczos(twice)
    assert space.size == 3
    assert [each.value for each in space.eigenvalues()] == pytest.approx([-1, 0, 2], abs=1e-12)
    assert lanczos(torch.zeros(3, 3)).eigenvalues()[0].value == 0
    assert lanczos(torch.full((1, 1), 4.0)).eigenvalues()[0].value == 4


def test_the_part_outside_the_space_follows_from_the_same_products() -> None:
    matrix = symmetric(torch.linspace(-2, 9, 50) ** 3)
    space = lanczos(matrix, steps=7, largest=0)
    outside = torch.eye(50, dtype=torch.float64) - space.basis.T @ space.basis
    w = outside @ rademacher(matrix, "trace", 0, 0, 20)
    forms = (w * (matrix @ w)).sum(0) + float(np.trace(space.tridiagonal))
    found = estimate_trace(matrix, space, probes=20).deflated
    assert found.value == pytest.approx(float(forms.mean()))
    assert found.se == pytest.approx(float(forms.std()) / 20**0.5)


def test_a_space_that_is_everything_knows_the_trace() -> None:
    matrix = symmetric(torch.linspace(-3, 8, 12))
    found = estimate_trace(matrix, lanczos(matrix, largest=0, smallest=0), probes=8).deflated
    assert found.value == pytest.approx(30)
    assert found.se < 1e-9


def test_probes_stop_by_their_standard_error_and_never_before_eight() -> None:
    wide = symmetric(torch.linspace(0, 1, 200))
    short = lanczos(wide, steps=2)
    assert estimate_trace(torch.eye(30), lanczos(torch.eye(30)), error=0.5).deflated.probes == 8
    assert estimate_trace(wide, short, error=0.02, probes=400).deflated.probes > 8
    assert estimate_trace(wide, short, probes=5).hutchinson.probes == 5
    with pytest.raises(VotewiseError, match=r"probes must be at least 2 .*got 1"):
        estimate_trace(wide, short, probes=1)


def test_the_standard_errors_cover() -> None:
    """Of 200 estimates, about 95 % lie within two standard errors (t with 15 degrees: 93.6 %)."""
    matrix = symmetric(torch.cat([torch.linspace(-1, 1, 80), torch.tensor([10.0, 20.0])]))
    space = lanczos(matrix, steps=4)
    truth = float(matrix.trace())
    for kind in ("deflated", "hutchinson"):
        found = [getattr(estimate_trace(matrix, space, probes=16, seed=seed), kind) for seed in range(200)]
        assert 0.88 <= np.mean([abs(each.value - truth) <= 2 * each.se for each in found]) <= 0.98


def test_density_has_mass_one_and_the_mean_of_the_eigenvalues() -> None:
    model = curved("mlp")
    hessian = Hessian(model, X, P)
    found = spectral_density(hessian, probes=6, steps=40)
    probes = rademacher(hessian, "density", 0, 0, 6)
    assert np.trapezoid(found.y, found.x) == pytest.approx(1, abs=1e-5)
    mean = np.trapezoid(found.y * found.x, found.x)
    assert mean == pytest.approx(float((probes * (hessian @ probes)).sum() / probes.numel()), rel=1e-5)
    values = torch.linalg.eigvalsh(dense(model, X, P))
    assert found.x[0] <= float(values[0]) < float(values[-1]) <= found.x[-1]


def test_density_of_two_values_has_two_peaks_of_their_shares() -> None:
    matrix = symmetric(torch.cat([torch.zeros(300), torch.ones(100)]))
    found = spectral_density(matrix, probes=8)
    upper = found.x > 0.5
    assert np.trapezoid(found.y[upper], found.x[upper]) == pytest.approx(0.25, abs=0.05)
    assert found.x[np.argmax(found.y * upper)] == pytest.approx(1, abs=0.01)
    flat = spectral_density(torch.zeros(5, 5))
    assert np.trapezoid(flat.y, flat.x) == pytest.approx(1, abs=1e-5)
    with pytest.raises(VotewiseError, match=r"probes and steps must be at least 1 .*got 4, 30, 50"):
        spectral_density(matrix, points=50)


def test_sharpness_does_not_change_when_two_layers_are_rescaled() -> None:
    model = curved("mlp")
    before = curvature(model, X, P, trace=False, largest=1e-8)
    with torch.no_grad():
        model[4].weight *= 7
        model[4].bias *= 7
        model[6].weight /= 7
    after = curvature(model, X, P, trace=False, largest=1e-8)
    assert before.sharpness is not None
    assert after.sharpness is not None
    assert after.sharpness.value == pytest.approx(before.sharpness.value, rel=1e-6)
    assert abs(after.largest.value / before.largest.value - 1) > 0.5


def test_the_same_seed_gives_the_same_bits() -> None:
    model = curved("residual", torch.float32)
    first, again, other = (curvature(model, X.float(), P, probes=8, seed=seed) for seed in (1, 1, 2))
    assert first.reading("full") == again.reading("full")
    assert first.reading("full") != other.reading("full")


def test_random_signs_are_fair_and_each_probe_has_its_own() -> None:
    signs = rademacher(torch.zeros(1001, 1001), "trace", 0, 5, 40)
    assert signs.shape == (1001, 40)
    assert set(signs.unique().tolist()) == {-1.0, 1.0}
    assert abs(float(signs.mean())) < 4 / (1001 * 40) ** 0.5
    gram = signs.T @ signs / 1001
    assert float((gram - torch.eye(40)).abs().max()) < 5 / 1001**0.5
    assert torch.equal(signs[:, 3:4], rademacher(torch.zeros(1001, 1001), "trace", 0, 8, 1))


def test_the_numbers_have_the_names_they_are_stored_by() -> None:
    model = curved("mlp")
    whole = curvature(model, X, P, probes=8).reading("high")
    assert sorted(whole.numbers) == sorted(
        [
            "lambda_max_high", "lambda_max_high_residual", "lambda_min_high", "lambda_min_high_residual", "lambda_power_high", "trace_high",
            "trace_high_se", "trace_hutchinson_high", "trace_hutchinson_high_se", "sharpness_high", "weight_norm",
        ]
    )  # fmt: skip
    ends = curvature(model, X, P, smallest=None, trace=False, sharpness=False).reading("full")
    assert sorted(ends.numbers) == ["lambda_max_full", "lambda_max_full_residual", "lambda_power_full", "weight_norm"]


def test_what_did_not_settle_is_noted() -> None:
    found = curvature(curved("convolutions"), X, P, steps=3, trace=False, sharpness=False)
    assert found.reading("full").notes[0] == "full: the ends of the spectrum did not converge after 3 Lanczos steps"
    with pytest.raises(VotewiseError, match="steps must be a whole number of 1 or more, got 0"):
        curvature(curved("mlp"), X, P, steps=0)


def test_s_a_s_is_what_it_is_called() -> None:
    matrix, scale = symmetric(torch.linspace(-1, 2, 6)), torch.linspace(1, 2, 6, dtype=torch.float64)
    expected = torch.diag(scale) @ matrix @ torch.diag(scale)
    torch.testing.assert_close(Scaled(matrix, scale) @ torch.eye(6, dtype=torch.float64), expected)
    torch.testing.assert_close(Scaled(matrix, scale) @ torch.ones(6, dtype=torch.float64), expected.sum(1))
