"""The Hessian of the mean soft cross-entropy, as an operator on vectors.

A product builds the gradient of one chunk of examples with its graph, and sends every vector of a block backwards through that (Pearlmutter 1994):
the vectors share the forward pass and the first backward pass. Counted in forward passes, a gradient costs 3; the shared part of a
product is that, and each vector adds 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from votewise.errors import VotewiseError
from votewise.probes.arrays import Inputs, as_distributions, as_inputs
from votewise.probes.forward import answer, check_model, chunks, inputs
from votewise.probes.memory import enough_memory
from votewise.probes.twice import TwiceDifferentiable
from votewise.wording import counted

CHUNK = 256


class Operator(Protocol):
    """A symmetric linear map of shape (d, d) that multiplies vectors [d] and blocks [d, b]; a matrix is one."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> torch.dtype: ...
    @property
    def device(self) -> torch.device: ...
    def __matmul__(self, vectors: Tensor, /) -> Tensor: ...


class Hessian:
    """Second derivatives, in all trainable weights [d], of the loss of a model on inputs x [n, ...] and votes p (or shares [n, C]).

    The loss is the mean over examples of -sum p log q, without weight decay, with batch-norm statistics frozen. `hessian @ v`
    takes vectors [d] and blocks [d, b]; the weights are in the order of `model.parameters()`. Memory grows with `chunk`, the
    number of examples at a time, and not with n.

    >>> hessian = Hessian(nn.Linear(1, 2).eval(), [[0.5]], [[0.5, 0.5]])
    >>> hessian.shape, tuple((hessian @ torch.ones(4)).shape)
    ((4, 4), (4,))
    """

    def __init__(self, model: nn.Module, x: Inputs, p: Any, *, chunk: int = CHUNK) -> None:
        check_model(model)
        x = as_inputs(x)
        shares = torch.from_numpy(as_distributions(p, len(x)))
        self._weights = [weight for weight in model.parameters() if weight.requires_grad]
        if not self._weights:
            raise VotewiseError("the model has no trainable weights", remedy="set requires_grad of some to True")
        self._sizes = [weight.numel() for weight in self._weights]
        self._parts = list(chunks(len(x), chunk))
        self._model, self._x, self._chunk = model, x, chunk
        self.dtype, self.device = self._weights[0].dtype, self._weights[0].device
        self._p = (shares / shares.sum(dim=1, keepdim=True)).to(self.device, self.dtype)
        self.shape = (sum(self._sizes), sum(self._sizes))

    @property
    def weights(self) -> Tensor:
        """The trainable weights as one vector [d]."""
        return torch.cat([weight.detach().reshape(-1) for weight in self._weights])

    def __matmul__(self, vectors: Tensor) -> Tensor:
        if vectors.ndim not in (1, 2) or len(vectors) != self.shape[0]:
            raise VotewiseError(
                f"the Hessian of {counted(self.shape[0], 'weight')} times a block of shape {tuple(vectors.shape)}",
                remedy=f"give vectors of shape [{self.shape[0]}] or [{self.shape[0]}, b]",
            )
        block = vectors.to(self.device, self.dtype).reshape(len(vectors), -1).T.contiguous()
        products = torch.zeros_like(block)
        with enough_memory(self._chunk), _differentiable(), torch.enable_grad():
            for part in self._parts:
                self._add_products(part, block, products)
        if not bool(torch.isfinite(products).all()):
            raise VotewiseError(
                "the second derivatives of the loss are not finite numbers",
                remedy="look for inputs or answers of the model that are extreme",
            )
        return products.T.reshape(vectors.shape)

    def _add_products(self, part: slice, block: Tensor, products: Tensor) -> None:
        """Add to `products` [b, d] what the examples in `part` have in the products with `block` [b, d]."""
        with TwiceDifferentiable():
            gradient = torch.autograd.grad(self._loss(part), self._weights, create_graph=True, materialize_grads=True)
        for vector, product in zip(block, products, strict=True):
            direction = [v.view_as(g) for v, g in zip(vector.split(self._sizes), gradient, strict=True)]
            second = torch.autograd.grad(gradient, self._weights, direction, retain_graph=True, materialize_grads=True)
            product += torch.cat([each.reshape(-1) for each in second])

    def _loss(self, part: slice) -> Tensor:
        """What the examples in `part` add to the mean over all examples: soft NLL in torch, because it is differentiated twice."""
        p = self._p[part]
        logits = answer(self._model, inputs(self._model, self._x, part), p.shape[1])
        loss: Tensor = -(p * logits.log_softmax(dim=1)).sum() / len(self._p)
        return loss


@contextmanager
def _differentiable() -> Iterator[None]:
    """Turns what torch says of an operation without second derivatives into a sentence."""
    try:
        yield
    except RuntimeError as error:
        if "derivative for" not in str(error):
            raise
        raise VotewiseError(
            f"the model has no second derivatives: {' '.join(str(error).split())}",
            remedy="for attention, call inside torch.nn.attention.sdpa_kernel(SDPBackend.MATH)",
        ) from error


class Scaled:
    """S A S for an operator A and a diagonal S, given as a vector [d]."""

    def __init__(self, operator: Operator, scale: Tensor) -> None:
        self._operator, self._scale = operator, scale
        self.shape, self.dtype, self.device = operator.shape, operator.dtype, operator.device

    def __matmul__(self, vectors: Tensor) -> Tensor:
        scale = self._scale if vectors.ndim == 1 else self._scale[:, None]
        return scale * (self._operator @ (scale * vectors))
