"""A 3 x 3 convolution with a quarter of the multiplications, for training on a CPU: Winograd's F(4 x 4, 3 x 3) of Lavin and Gray 2016.

A tile of 4 x 4 outputs needs a tile of 6 x 6 inputs. B transforms the tile and G transforms the kernel to 36 numbers each. The convolution is their
elementwise product, summed over channels: 36 multiplications instead of 144, computed as 36 matrix products over all tiles at once. A transforms
the products to the 16 outputs. In float32 the relative error is about 1e-5 of the largest value (direct convolution: 1e-6).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

CHANNELS = 64  # minimum number of channels; with fewer, moving the tiles costs more than is saved

B = torch.tensor(
    [
        [4, 0, -5, 0, 1, 0],
        [0, -4, -4, 1, 1, 0],
        [0, 4, -4, -1, 1, 0],
        [0, -2, -1, 2, 1, 0],
        [0, 2, -1, -2, 1, 0],
        [0, 4, 0, -5, 0, 1],
    ],
    dtype=torch.float64,
)
G = torch.tensor([[6, 0, 0], [-4, -4, -4], [-4, 4, -4], [1, 2, 4], [1, -2, 4], [0, 0, 24]], dtype=torch.float64) / 24
A = torch.tensor(
    [[1, 1, 1, 1, 1, 0], [0, 1, -1, 2, -2, 0], [0, 1, 1, 4, 4, 0], [0, 1, -1, 8, -8, 1]], dtype=torch.float64
)


class Conv3x3(nn.Conv2d):
    """A 3 x 3 `nn.Conv2d` with stride 1, padding 1 and no bias, that uses Winograd's algorithm in training mode where it is faster."""

    def __init__(self, inside: int, outside: int) -> None:
        super().__init__(inside, outside, 3, padding=1, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        faster = (
            self.training
            and min(self.weight.shape[:2]) >= CHANNELS
            and x.device.type == "cpu"
            and x.dtype == torch.float32
            and x.is_contiguous(memory_format=torch.channels_last)
            and x.shape[2] % 4 == x.shape[3] % 4 == 0
            and not torch.is_autocast_enabled("cpu")
            and not torch.compiler.is_compiling()
        )
        return Winograd.apply(x, self.weight) if faster else super().forward(x)  # type: ignore[no-untyped-call]  # torch does not type Function.apply


class Winograd(torch.autograd.Function):
    """The convolution of x [n, C, 4r, 4s] with w [D, C, 3, 3], padded by one zero."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, w: Tensor) -> Tensor:
        n, channels, height, width = x.shape
        padded = x.new_zeros(n, height + 2, width + 2, channels)
        padded[:, 1:-1, 1:-1] = x.permute(0, 2, 3, 1)
        tiles = _through(B, padded.unfold(1, 6, 4).unfold(2, 6, 4).permute(4, 5, 0, 1, 2, 3)).view(36, -1, channels)
        kernel = _through(G, w.permute(2, 3, 0, 1)).view(36, -1, channels)
        ctx.save_for_backward(tiles, kernel)
        ctx.shape = x.shape
        y = _through(A, torch.bmm(tiles, kernel.mT).view(6, 6, -1))
        return _joined(y.view(4, 4, n, height // 4, width // 4, -1))

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        (tiles, kernel), (n, channels, height, width), (by_y,) = ctx.saved_tensors, ctx.shape, gradients
        rows, columns = height // 4, width // 4
        split = by_y.permute(0, 2, 3, 1).reshape(n, rows, 4, columns, 4, -1).permute(2, 4, 0, 1, 3, 5)
        by_product = _through(A.T, split).view(36, -1, split.shape[-1])
        by_kernel = _through(G.T, torch.bmm(by_product.mT, tiles).view(6, 6, -1)).view(3, 3, -1, channels)
        x = _through(B.T, torch.bmm(by_product, kernel).view(6, 6, -1)).view(6, 6, n, rows, columns, channels)
        x[4, :, :, :-1] += x[0, :, :, 1:]  # sum the contributions of overlapping tiles
        x[1, :, :, 1:] += x[5, :, :, :-1]
        x[:, 4, :, :, :-1] += x[:, 0, :, :, 1:]
        x[:, 1, :, :, 1:] += x[:, 5, :, :, :-1]
        return _joined(x[1:5, 1:5]), by_kernel.permute(2, 3, 0, 1)


def _through(matrix: Tensor, x: Tensor) -> Tensor:
    """Apply the matrix to each of the first two axes of x, and flatten the other axes."""
    matrix = matrix.to(x.dtype)
    first = (matrix @ x.reshape(len(x), -1)).view(len(matrix), x.shape[1], -1)
    return torch.matmul(matrix, first)


def _joined(tiles: Tensor) -> Tensor:
    """Tiles [4, 4, n, r, s, C] as images [n, C, 4r, 4s] in channels-last order."""
    _, _, n, rows, columns, channels = tiles.shape
    return tiles.permute(2, 3, 0, 4, 1, 5).reshape(n, 4 * rows, 4 * columns, channels).permute(0, 3, 1, 2)
