"""The Hessian as an operator is the Hessian: against the dense one, whatever the net and however the examples are cut."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from curved import NETS, curved, dense, examples
from nets import Lazy, distributions, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.hessian import Hessian

X, P = examples()


@pytest.mark.parametrize("name", NETS)
def test_it_is_the_dense_hessian(name: str) -> None:
    model = curved(name)
    expected = dense(model, X, P)
    found = Hessian(model, X, P, chunk=4) @ torch.eye(len(expected), dtype=torch.float64)
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("name", ["digits", "resnet8", "mlp", "linear"])
def test_single_precision_agrees_with_double_backward_in_double(name: str) -> None:
    x, p = pictures(6), distributions(6)
    hessian, model = Hessian(net(name=name), x, p, chunk=4), net(name=name).double()
    v = torch.randn(hessian.shape[0], generator=torch.Generator().manual_seed(1))
    weights = list(model.parameters())
    loss = nn.functional.cross_entropy(model(x.double()), torch.from_numpy(p))
    gradient = torch.cat([each.flatten() for each in torch.autograd.grad(loss, weights, create_graph=True)])
    expected = torch.cat([each.flatten() for each in torch.autograd.grad(gradient @ v.double(), weights)])
    assert float((hessian @ v - expected).norm()) < 1e-5 * float(expected.norm())


@pytest.mark.parametrize("chunk", [1, 2, 5, 10, 11, 500])
def test_examples_are_averaged_however_they_are_cut(chunk: int) -> None:
    model = curved("residual")
    x, v = Lazy(X), torch.linspace(-1, 1, Hessian(model, X, P).shape[0], dtype=torch.float64)
    torch.testing.assert_close(Hessian(model, x, P, chunk=chunk) @ v, dense(model, X, P) @ v)
    assert x.longest == min(chunk, len(X))


def test_a_block_is_its_vectors_and_the_operator_is_symmetric() -> None:
    hessian = Hessian(curved("convolutions"), X, P, chunk=4)
    block = torch.randn((hessian.shape[0], 5), generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    products = hessian @ block
    torch.testing.assert_close(products, torch.stack([hessian @ v for v in block.T], dim=1), rtol=0, atol=0)
    torch.testing.assert_close(block.T @ products, (block.T @ products).T)


def test_the_model_is_left_as_it_was() -> None:
    model = curved("convolutions")
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with torch.no_grad():
        product = Hessian(model, X, P) @ torch.ones(Hessian(model, X, P).shape[0])
    assert not product.requires_grad
    assert all(weight.grad is None for weight in model.parameters())
    assert all(torch.equal(before[name], tensor) for name, tensor in model.state_dict().items())


def test_counts_that_sum_to_nearly_one_are_made_to() -> None:
    model, rounded = curved("mlp"), np.round(P, 3) * (1 + 5e-4)
    v = torch.ones(Hessian(model, X, P).shape[0], dtype=torch.float64)
    torch.testing.assert_close(Hessian(model, X, rounded) @ v, Hessian(model, X, P) @ v)


def broken(how: str) -> nn.Module:
    model = curved("residual")
    if how == "training":
        return model.train()
    if how == "partly training":
        model.block.norm1.train()
    elif how == "statistics of the batch":
        model.block.norm1 = nn.BatchNorm2d(3, track_running_stats=False, dtype=X.dtype).eval()
    elif how == "frozen":
        model.requires_grad_(False)
    elif how != "sound":
        with torch.no_grad():
            model.head.weight[0, 0] = float(how)
    return model


class Wide(nn.Module):
    """A hidden layer that no machine has the memory for."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(1, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(x.flatten(1)[:, :1].expand(-1, 2**46).clone()[:, :1])


@pytest.mark.parametrize(
    ("model", "x", "p", "chunk", "message"),
    [
        (broken("training"), X, P, 4, "the model is in training mode; call model.eval"),
        (broken("partly training"), X, P, 4, "the model is in training mode"),
        (broken("statistics of the batch"), X, P, 4, "batch norm uses the statistics of the batch"),
        (broken("nan"), X, P, 4, "'head.weight' of the model is not finite"),
        (broken("inf"), X, P, 4, "not finite"),
        (broken("frozen"), X, P, 4, "the model has no trainable weights; set requires_grad"),
        (broken("sound"), X[:0], P[:0], 4, "inputs must have at least one item"),
        (broken("sound"), X, P[:-1], 4, "got 10 for 11"),
        (broken("sound"), X, P[:, :1] * 0 + 1, 4, "two or more classes"),
        (broken("sound"), X, P * 50, 4, "sum to one, but row 0"),
        (broken("sound"), X, np.full_like(P, np.nan), 4, "must be finite"),
        (broken("sound"), X, P, 0, "chunk must be a whole number of 1 or more, got 0"),
        (broken("sound"), X, distributions(11, 4), 4, "the model has 3 classes, but the votes have 4"),
        (Wide().eval(), X.float(), P, 4, "not enough memory for 4 items at a time; pass a smaller chunk"),
    ],
    ids=[
        "training", "partly training", "batch", "nan", "infinite", "frozen", "empty", "lengths", "one class", "counts", "nan votes", "no chunk",
        "classes", "memory",
    ],
)  # fmt: skip
def test_what_it_refuses(model, x, p, chunk, message) -> None:
    with pytest.raises(VotewiseError, match=message):
        Hessian(model, x, p, chunk=chunk) @ torch.ones(sum(w.numel() for w in model.parameters() if w.requires_grad))


def test_a_vector_of_another_size_and_numbers_without_bounds() -> None:
    model = curved("mlp")
    hessian = Hessian(model, X, P)
    with pytest.raises(VotewiseError, match=r"vectors must have shape \[232\].*got \(7,\)"):
        hessian @ torch.ones(7)
    with pytest.raises(VotewiseError, match="second derivatives of the loss are not finite"):
        Hessian(model, X.sign() * 1.7e308, P) @ torch.ones(hessian.shape[0])
