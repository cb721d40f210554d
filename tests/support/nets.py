"""Small models with weights that are not the initial ones, and inputs for them."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn

from votewise.training.models import Net, build

torch.set_num_threads(1)


def net(seed: int = 0, name: str = "digits", classes: int = 4) -> Net:
    """A model in evaluation mode whose batch norms have statistics of some inputs."""
    generator = torch.Generator().manual_seed(seed)
    model = build(name, (10, 10, 1), classes)
    with torch.no_grad():
        for parameter in model.parameters():
            size = parameter[0].numel() if parameter.ndim > 1 else 10
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * (2 / size) ** 0.5)
        for module in model.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.weight.copy_(1 + 0.2 * torch.randn(module.weight.shape, generator=generator))
                module.running_mean.copy_(torch.randn(module.running_mean.shape, generator=generator) * 0.3)
                module.running_var.copy_(0.5 + torch.rand(module.running_var.shape, generator=generator))
                module.num_batches_tracked += seed + 1
    return model.eval()


def pictures(count: int, seed: int = 0) -> Tensor:
    return torch.randn((count, 1, 10, 10), generator=torch.Generator().manual_seed(seed))


def distributions(count: int, classes: int = 4, seed: int = 0, votes: int = 8) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.multinomial(votes, rng.dirichlet([0.4] * classes, count)) / votes


class Lazy:
    """Inputs that return one slice at a time, and record the length of the longest slice."""

    def __init__(self, x: Tensor) -> None:
        self.x, self.longest = x, 0

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, part: slice) -> Tensor:
        found = self.x[part]
        self.longest = max(self.longest, len(found))
        return found
