"""Small models in double precision, for which the whole Hessian can be computed."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, hessian

from nets import distributions
from votewise.training.models import Block

CLASSES = 3


class Convolutions(nn.Module):
    """A model with convolutions with and without bias, strided, grouped and padded, and batch norm after them and elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(inplace=True))
        self.second = nn.Sequential(nn.Conv2d(4, 4, 3, 2, 1, groups=2, bias=False), nn.BatchNorm2d(4), nn.MaxPool2d(2))
        self.third = nn.Sequential(nn.BatchNorm2d(4), nn.Conv2d(4, 2, 3, padding="same"), nn.GELU())
        self.head = nn.Linear(2, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        x = self.first(x)
        return self.head(self.third(self.second(x) + x[:, :, ::4, ::4]).mean(dim=(2, 3)))


class InPlace(nn.Module):
    """A model that changes values in place: between a convolution and its batch norm, and by a ReLU whose return value is not used."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2d(1, 3, 3), nn.BatchNorm2d(3)
        self.second, self.head = nn.Conv2d(3, 3, 3), nn.Linear(3, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        y = self.first(x)
        y += torch.tanh(x[:, :, 1:-1, 1:-1])
        y = self.norm(y)
        nn.functional.relu(y, inplace=True)
        y = self.second(y)
        both = self.norm(y) + y  # the output of a convolution that is used twice
        return self.head(both.relu_().mean(dim=(2, 3)))


class Residual(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = Block(1, 3, 2)
        self.head = nn.Linear(3, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        y = self.block(x)
        return self.head(y.mean(dim=(2, 3))) if y.ndim == 4 else y


class Tied(nn.Module):
    """A model with a layer that is used twice, a frozen layer, and a layer that is not used."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.twice, self.idle = nn.Linear(64, 4), nn.Linear(4, 4, bias=False), nn.Linear(2, 2)
        self.head = nn.Linear(4, CLASSES)
        self.first.requires_grad_(False)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.tanh(self.first(x.flatten(1)))
        return self.head(self.twice(torch.sigmoid(self.twice(x))))


def mlp() -> nn.Module:
    return nn.Sequential(
        nn.Flatten(), nn.Linear(64, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, CLASSES)
    )


NETS: dict[str, Callable[[], nn.Module]] = {
    "convolutions": Convolutions,
    "residual": Residual,
    "in place": InPlace,
    "tied": Tied,
    "mlp": mlp,
}


def curved(name: str, dtype: torch.dtype = torch.float64, seed: int = 0) -> nn.Module:
    """The model called `name`, with weights and batch norms that are not the initial ones."""
    model, generator = NETS[name](), torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(0.6 * torch.randn(weight.shape, generator=generator) + 0.1)
        for key, buffer in model.named_buffers():
            if key.endswith("running_mean"):
                buffer.copy_(0.3 * torch.randn(buffer.shape, generator=generator))
            elif key.endswith("running_var"):
                buffer.copy_(0.5 + torch.rand(buffer.shape, generator=generator))
    return model.to(dtype).eval()


def examples(count: int = 11, dtype: torch.dtype = torch.float64) -> tuple[Tensor, np.ndarray]:
    """Images [n, 1, 8, 8] and their vote shares."""
    x = torch.randn((count, 1, 8, 8), generator=torch.Generator().manual_seed(5), dtype=torch.float64)
    return x.to(dtype), distributions(count, CLASSES, seed=3)


def dense(model: nn.Module, x: Tensor, p: np.ndarray) -> Tensor:
    """The Hessian [d, d] of the mean soft cross-entropy, by torch.func."""
    weights = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
    sizes = [weight.numel() for weight in weights.values()]

    def loss(vector: Tensor) -> Tensor:
        parts = zip(weights.items(), vector.split(sizes), strict=True)
        own = {name: part.view_as(weight) for (name, weight), part in parts}
        return nn.functional.cross_entropy(functional_call(model, own, (x,)), torch.from_numpy(p).to(x.dtype))

    at = torch.cat([weight.detach().flatten() for weight in weights.values()])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # torch.func uses torch.jit
        return hessian(loss)(at)
