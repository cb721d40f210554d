"""A folder of PNG and JPEG images."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from votewise.arrays import U8
from votewise.errors import VotewiseError
from votewise.wording import reason

SUFFIXES = (".png", ".jpg", ".jpeg")

Size = int | tuple[int, int]


def find_images(folder: Path) -> list[str]:
    """The images in a folder and its subfolders, as sorted relative paths; hidden files are ignored."""
    try:
        found = [
            (Path(place) / name).relative_to(folder).as_posix()
            for place, _, names in os.walk(folder, onerror=_refuse)
            for name in names
            if name.lower().endswith(SUFFIXES)
        ]
    except OSError as error:
        raise VotewiseError(
            f"cannot be listed ({error.strerror})", where=folder, remedy="make it readable, for example with chmod u+rx"
        ) from None
    images = sorted(name for name in found if not any(part.startswith(".") for part in name.split("/")))
    if not images:
        raise VotewiseError("the folder has no images", where=folder, remedy="give a folder of .png or .jpg files")
    return images


def _refuse(error: OSError) -> None:
    raise error


def read_images(folder: Path, names: Sequence[str], size: Size | None = None) -> U8:
    """The named images, uint8 [n, H, W, C]: C is 1 if all are grey, otherwise 3; resized to `size` (side, or (H, W)) if given.

    The EXIF orientation is applied; transparent pixels become white.
    """
    shape = (size, size) if isinstance(size, int) else size
    if shape is not None and min(shape) < 1:
        raise VotewiseError(f"images of size {shape}", remedy="give size= at least 1")
    images = [_read(folder / name, shape) for name in names]
    for name, image in zip(names, images, strict=True):
        if image.shape[:2] != images[0].shape[:2]:
            first, this = (f"{p.shape[0]}×{p.shape[1]}" for p in (images[0], image))
            raise VotewiseError(
                f"the images differ in size: {names[0]!r} is {first}, {name!r} is {this} (height×width)",
                where=folder,
                remedy="resize them, or give size= (--size)",
            )
    if any(image.shape[2] == 3 for image in images):
        images = [np.broadcast_to(image, (*image.shape[:2], 3)) for image in images]
    return np.stack(images)


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
            image: Any = ImageOps.exif_transpose(opened)
            if image.mode.startswith(("I", "F")):
                raise ValueError("its pixels have more than 8 bits per channel")
            if image.has_transparency_data:
                white = Image.new("RGBA", image.size, "white")
                image = Image.alpha_composite(white, image.convert("RGBA"))
            image = image.convert("L" if image.mode in ("1", "L") else "RGB")
            if shape is not None:
                image = image.resize((shape[1], shape[0]), Image.Resampling.BICUBIC)
            pixels: U8 = np.array(image)
    except Exception as error:  # Pillow may raise anything: errors of struct and zlib, SyntaxError, MemoryError ...
        raise VotewiseError(
            f"cannot be read as a PNG or JPEG image ({reason(error)})",
            where=path,
            remedy="save it again with 8 bits per channel, or leave out the image and its votes",
        ) from None
    return pixels if pixels.ndim == 3 else pixels[..., None]
