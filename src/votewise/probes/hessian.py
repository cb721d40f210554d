"""The Hessian of the mean soft cross-entropy, as an operator on vectors.

A product computes the gradient of a chunk of examples with its graph, and differentiates it again for each vector of a block (Pearlmutter 1994), so that
the vectors share the forward pass and the first backward pass. The cost of this shared part is that of a gradient, about 3 forward passes; each vector
adds about 6.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from votewise import counter
from votewise.errors import VotewiseError
from votewise.probes.double_backward import FastDoubleBackward
from votewise.probes.forward import answer, check_model, chunks, inputs
from votewise.probes.names import CHUNK
from votewise.probes.out_of_memory import enough_memory
from votewise.probes.validation import Inputs, as_distributions, as_inputs

_BITS = 32  # bits of one draw of the counter, each of which gives a sign


class Operator(Protocol):
    """A symmetric linear map of shape (d, d) that multiplies vectors [d] and blocks [d, b], for example a matrix."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> torch.dtype: ...
    @property
    def device(self) -> torch.device: ...
    def __matmul__(self, vectors: Tensor, /) -> Tensor: ...


class Hessian:
    """Second derivatives of the loss of a model with respect to all trainable weights [d], as a linear operator.

    The loss is the mean over examples of -sum p log q, without weight decay and with frozen batch-norm statistics. `hessian @ v`
    takes vectors [d] and blocks [d, b]; the weights are in the order of `model.parameters()`.

    Args:
        model: a model in evaluation mode that returns logits [n, C].
        x: inputs [n, ...].
        p: votes of the same items, or shares [n, C].
        chunk: examples at a time; memory grows with it and not with n.

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
            raise VotewiseError("the model has no trainable weights", remedy="set requires_grad to True")
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
                f"vectors must have shape [{self.shape[0]}] or [{self.shape[0]}, b], got {tuple(vectors.shape)}"
            )
        block = vectors.to(self.device, self.dtype).reshape(len(vectors), -1).T.contiguous()
        products = torch.zeros_like(block)
        with enough_memory(self._chunk), _differentiable(), torch.enable_grad():
            for part in self._parts:
                self._add_products(part, block, products)
        if not bool(torch.isfinite(products).all()):
            raise VotewiseError(
                "the second derivatives of the loss are not finite", remedy="check for extreme inputs and logits"
            )
        return products.T.reshape(vectors.shape)

    def _add_products(self, part: slice, block: Tensor, products: Tensor) -> None:
        """Add the contribution of the examples in `part` to the products with `block` [b, d]."""
        with FastDoubleBackward():
            gradient = torch.autograd.grad(self._loss(part), self._weights, create_graph=True, materialize_grads=True)
        for vector, product in zip(block, products, strict=True):
            direction = [v.view_as(g) for v, g in zip(vector.split(self._sizes), gradient, strict=True)]
            second = torch.autograd.grad(gradient, self._weights, direction, retain_graph=True, materialize_grads=True)
            product += torch.cat([gradient.reshape(-1) for gradient in second])

    def _loss(self, part: slice) -> Tensor:
        """The contribution of the examples in `part` to the mean soft NLL, in torch because it is differentiated twice."""
        p = self._p[part]
        logits = answer(self._model, inputs(self._model, self._x, part), p.shape[1])
        loss: Tensor = -(p * logits.log_softmax(dim=1)).sum() / len(self._p)
        return loss


@contextmanager
def _differentiable() -> Iterator[None]:
    """Turns torch's error for an operation without second derivatives into one with a remedy."""
    try:
        yield
    except RuntimeError as error:
        if "derivative for" not in str(error):
            raise
        raise VotewiseError(
            f"the model has no second derivatives: {' '.join(str(error).split())}",
            remedy="for attention, call this inside torch.nn.attention.sdpa_kernel(SDPBackend.MATH)",
        ) from error


class Scaled:
    """S A S for an operator A and a diagonal S, given as a vector [d]."""

    def __init__(self, operator: Operator, scale: Tensor) -> None:
        self._operator, self._scale = operator, scale
        self.shape, self.dtype, self.device = operator.shape, operator.dtype, operator.device

    def __matmul__(self, vectors: Tensor) -> Tensor:
        scale = self._scale if vectors.ndim == 1 else self._scale[:, None]
        return scale * (self._operator @ (scale * vectors))


def rademacher(operator: Operator, stream: str, seed: int, first: int, count: int) -> Tensor:
    """Random signs [d, count] for an operator: the vectors `first`, `first` + 1, ... of a stream of the counter."""
    size = operator.shape[0]
    vector, row = np.arange(first, first + count), np.arange(-(-size // _BITS))
    words = counter.draw(counter.key(stream, seed), vector[:, None], row[None, :]).astype("<u4")
    bits = np.unpackbits(words.view(np.uint8), axis=1, count=size, bitorder="little")
    return torch.from_numpy(bits).T.to(operator.device, operator.dtype) * 2 - 1
