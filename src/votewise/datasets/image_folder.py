"""A folder of PNG and JPEG images."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError

SUFFIXES = (".png", ".jpg", ".jpeg")

U8 = NDArray[np.uint8]
Size = int | tuple[int, int]


def find_images(folder: Path) -> list[str]:
    """The images in a folder and the folders below it, as paths relative to it, sorted; hidden ones do not count."""
    try:
        found = [
            (Path(place) / name).relative_to(folder).as_posix()
            for place, _, names in os.walk(folder, onerror=_refuse)
            for name in names
            if name.lower().endswith(SUFFIXES)
        ]
    except OSError as error:
        raise VotewiseError(
            f"cannot be looked into ({error.strerror})", where=folder, remedy="make it readable, as with chmod u+rx"
        ) from None
    images = sorted(name for name in found if not any(part.startswith(".") for part in name.split("/")))
    if not images:
        raise VotewiseError(
            "there are no images in this folder", where=folder, remedy="give a folder of .png or .jpg files"
        )
    return images


def _refuse(error: OSError) -> None:
    raise error


def read_images(folder: Path, names: Sequence[str], size: Size | None = None) -> U8:
    """The named images, uint8 [n, H, W, C]: C is 1 where all are grey, else 3; resized to `size` (side, or (H, W)) if given.

    A picture that says how it was held is turned upright; what is transparent is laid on white.
    """
    shape = (size, size) if isinstance(size, int) else size
    if shape is not None and min(shape) < 1:
        raise VotewiseError(f"images of size {shape}", remedy="give size= at least 1")
    pictures = [_read(folder / name, shape) for name in names]
    for name, picture in zip(names, pictures, strict=True):
        if picture.shape[:2] != pictures[0].shape[:2]:
            first, this = (f"{p.shape[0]}×{p.shape[1]}" for p in (pictures[0], picture))
            raise VotewiseError(
                f"the images differ in size: {names[0]!r} is {first}, {name!r} is {this} (height×width)",
                where=folder,
                remedy="bring them to one size, or have them resized with size=",
            )
    if any(picture.shape[2] == 3 for picture in pictures):
        pictures = [np.broadcast_to(picture, (*picture.shape[:2], 3)) for picture in pictures]
    return np.stack(pictures)


def _read(path: Path, shape: tuple[int, int] | None) -> U8:
    """One image, uint8 [H, W, 1] or [H, W, 3]."""
    try:
        from PIL import Image, ImageOps
    except ImportError:
        raise VotewiseError(
            "images are read with Pillow, which is not installed", remedy="pip install 'votewise[images]'"
        ) from None
    try:
        with warnings.catch_warnings(), Image.open(path, formats=("PNG", "JPEG")) as opened:
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture: Any = ImageOps.exif_transpose(opened)
            if picture.mode.startswith(("I", "F")):
                raise ValueError("its pixels have more than 8 bits")
            if picture.has_transparency_data:
                white = Image.new("RGBA", picture.size, "white")
                picture = Image.alpha_composite(white, picture.convert("RGBA"))
            picture = picture.convert("L" if picture.mode in ("1", "L") else "RGB")
            if shape is not None:
                picture = picture.resize((shape[1], shape[0]), Image.Resampling.BICUBIC)
            pixels: U8 = np.array(picture)
    except Exception as error:  # Pillow lets out whatever its parts raise: struct, zlib, SyntaxError, MemoryError ...
        reason = str(error).partition("\n")[0]
        raise VotewiseError(
            f"cannot be read as a PNG or JPEG image ({reason})",
            where=path,
            remedy="save it again with 8 bits a channel, or leave it and its votes out",
        ) from None
    return pixels if pixels.ndim == 3 else pixels[..., None]
