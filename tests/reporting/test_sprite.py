"""A sheet of pictures shows every picture at its place."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from PIL import Image

from toy_items import uniform
from votewise.errors import VotewiseError
from votewise.reporting.sprite import Sprite, sprite


def decoded(sheet: Sprite) -> np.ndarray:
    head, _, data = sheet.uri.partition(",")
    assert head in ("data:image/png;base64", "data:image/jpeg;base64")
    pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))))
    return pixels[..., None] if pixels.ndim == 2 else pixels


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("count", [1, 7, 40])
def test_every_picture_is_at_its_place_pixel_for_pixel(count: int, channels: int) -> None:
    pictures = (uniform("p", count, 5, 9, channels) * 256).astype(np.uint8)
    sheet = sprite(pictures)
    pixels = decoded(sheet)
    assert pixels.shape == (sheet.rows * 5, sheet.columns * 9, channels)
    for place, picture in enumerate(pictures):
        y, x = place // sheet.columns * 5, place % sheet.columns * 9
        assert np.array_equal(pixels[y : y + 5, x : x + 9], picture)


def test_large_pictures_become_small_and_do_not_run_into_each_other() -> None:
    shade = (np.arange(40) * 6).astype(np.uint8)
    pictures = np.broadcast_to(shade[:, None, None, None], (40, 300, 200, 3)).copy()
    sheet = sprite(pictures)
    assert (sheet.width, sheet.height) == (48, 64)
    pixels = decoded(sheet).astype(int)
    for place, level in enumerate(shade.tolist()):
        y, x = place // sheet.columns * 64, place % sheet.columns * 48
        assert np.abs(pixels[y : y + 64, x : x + 48] - level).max() <= 3


def test_two_thousand_pictures_of_noise_fit_a_page() -> None:
    noise = (uniform("noise", 2000, 32, 32, 3) * 256).astype(np.uint8)  # nothing compresses worse
    assert len(sprite(noise).uri) < 9_000_000


def test_what_cannot_be_shown_is_told() -> None:
    with pytest.raises(VotewiseError, match="must have shape"):
        sprite(np.zeros((2, 4, 4, 2), np.uint8))
