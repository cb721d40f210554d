"""Many small images in one sheet, which a browser decodes once and shows in parts."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError

_EXACT = 7_000_000  # up to this number of bytes, pixels are kept unchanged
_SIDE = 64  # pixels of the longer side of a resized image: a multiple of the JPEG block size of 16


@dataclass(frozen=True)
class Sprite:
    """A sheet of `count` images of `width` x `height`, row by row, with `columns` images per row."""

    uri: str  # data:image/...;base64,...
    width: int
    height: int
    columns: int
    count: int

    @property
    def rows(self) -> int:
        return math.ceil(self.count / self.columns)


def sprite(pictures: NDArray[np.uint8]) -> Sprite:
    """The sheet of images uint8 [n, H, W, C], with C = 1 (grey) or 3 (RGB).

    Small sheets are an exact PNG; larger images are resized to 64 pixels and saved as JPEG.
    """
    n, height, width, channels = pictures.shape
    if channels not in (1, 3) or not pictures.size:
        raise VotewiseError(
            f"images must have shape [n, H, W, 1] or [n, H, W, 3], got {list(pictures.shape)}",
            remedy="use grey or RGB images",
        )
    columns = max(1, round(math.sqrt(n * height / width)))
    if pictures.nbytes <= _EXACT:
        return Sprite(_uri(_sheet(pictures, columns), "PNG"), width, height, columns, n)
    small = np.stack([_smaller(picture) for picture in pictures])
    return Sprite(_uri(_sheet(small, columns), "JPEG"), small.shape[2], small.shape[1], columns, n)


def _sheet(pictures: NDArray[np.uint8], columns: int) -> NDArray[np.uint8]:
    """Arrange images [n, H, W, C] as [rows * H, columns * W, C]; unused places are black."""
    n, height, width, channels = pictures.shape
    rows = math.ceil(n / columns)
    filled = np.zeros((rows * columns, height, width, channels), np.uint8)
    filled[:n] = pictures
    grid = filled.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return grid.reshape(rows * height, columns * width, channels)


def _smaller(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Resize an image to fit 64 pixels, with sides rounded to JPEG blocks of 16 pixels so that neighbours do not bleed into it."""
    height, width = picture.shape[:2]
    scale = _SIDE / max(height, width)
    sides = [max(16, round(side * scale / 16) * 16) for side in (width, height)]
    image = _image(picture).resize((sides[0], sides[1]), resample=4)  # 4: the box filter
    return np.asarray(image, np.uint8).reshape(sides[1], sides[0], -1)


def _image(pixels: NDArray[np.uint8]) -> Any:
    try:
        from PIL import Image
    except ImportError:
        raise VotewiseError("images need Pillow", remedy="install votewise[images]") from None
    return Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else np.ascontiguousarray(pixels))


def _uri(sheet: NDArray[np.uint8], kind: str) -> str:
    buffer = io.BytesIO()
    options: dict[str, Any] = {"optimize": True} if kind == "PNG" else {"quality": 82}
    _image(sheet).save(buffer, kind, **options)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(buffer.getvalue()).decode()}"
