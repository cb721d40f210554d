"""Many small pictures in one: a sheet that a browser decodes once and shows a part of for each item."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError

_EXACT = 7_000_000  # bytes of pixels that are kept as they are
_SIDE = 64  # pixels of a picture, along its longer side, where they are not: a multiple of the 16 of JPEG's blocks


@dataclass(frozen=True)
class Sprite:
    """A sheet of `count` pictures of `width` x `height`, row after row, `columns` in each."""

    uri: str  # data:image/...;base64,...
    width: int
    height: int
    columns: int
    count: int

    @property
    def rows(self) -> int:
        return math.ceil(self.count / self.columns)


def sprite(pictures: NDArray[np.uint8]) -> Sprite:
    """The sheet of pictures uint8 [n, H, W, C], C of 1 (grey) or 3 (RGB).

    Pixel for pixel as PNG where that is small enough for a page; larger pictures at 64 pixels as JPEG.
    """
    n, height, width, channels = pictures.shape
    if channels not in (1, 3) or not pictures.size:
        raise VotewiseError(
            f"pictures of shape {list(pictures.shape)} cannot be shown", remedy="give grey or RGB pictures"
        )
    columns = max(1, round(math.sqrt(n * height / width)))
    if pictures.nbytes <= _EXACT:
        return Sprite(_uri(_sheet(pictures, columns), "PNG"), width, height, columns, n)
    small = np.stack([_smaller(picture) for picture in pictures])
    return Sprite(_uri(_sheet(small, columns), "JPEG"), small.shape[2], small.shape[1], columns, n)


def _sheet(pictures: NDArray[np.uint8], columns: int) -> NDArray[np.uint8]:
    """[n, H, W, C] laid out as [rows * H, columns * W, C]; places that are left over are black."""
    n, height, width, channels = pictures.shape
    rows = math.ceil(n / columns)
    filled = np.zeros((rows * columns, height, width, channels), np.uint8)
    filled[:n] = pictures
    grid = filled.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return grid.reshape(rows * height, columns * width, channels)


def _smaller(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture that fits a square of 64 pixels, sides rounded to the 16 of a block so that no neighbour bleeds in."""
    height, width = picture.shape[:2]
    scale = _SIDE / max(height, width)
    sides = [max(16, round(side * scale / 16) * 16) for side in (width, height)]
    image = _image(picture).resize((sides[0], sides[1]), resample=4)  # 4: the box filter
    return np.asarray(image, np.uint8).reshape(sides[1], sides[0], -1)


def _image(pixels: NDArray[np.uint8]) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise VotewiseError("pictures need Pillow", remedy="install votewise[images]") from None
    return Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else np.ascontiguousarray(pixels))


def _uri(sheet: NDArray[np.uint8], kind: str) -> str:
    buffer = io.BytesIO()
    options: dict[str, Any] = {"optimize": True} if kind == "PNG" else {"quality": 82}
    _image(sheet).save(buffer, kind, **options)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(buffer.getvalue()).decode()}"
