"""The embedded dataset: images of two blended handwritten digits, with votes from simulated annotators whose distribution is known exactly.

The digits are those bundled with scikit-learn (Alpaydin and Kaynak 1998). The parameters were chosen so that the effect of the
delivery is visible within seconds: the dataset is a demonstration, not evidence.

    image    two digits of different classes at separate offsets, (1 - w) first + w second, times a contrast, plus noise
    voter    sees the first digit with probability s(w) = 1 / (1 + exp(5 (2w - 1))), or 1 if w = 0, and otherwise the second; answers
             with the class of that digit, or at random with probability `lapse`: half of the random answers are drawn by the
             similarity of the class means, the other half uniformly

Every draw comes from the counter. Images are integers and probabilities are rounded to multiples of 2**-24, so that results do not
depend on the exp() of the machine.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from votewise import counter
from votewise.arrays import F64, I64, U8
from votewise.datasets.dataset import Dataset, Lazy
from votewise.errors import VotewiseError
from votewise.votes import Distributions, Votes, drawing

ITEMS, VOTES, CANVAS, CLASSES = 3600, 50, 10, 10
ALONE = 0.3  # share of items that show only one digit
SHARE, CONTRAST = (0.1, 0.5), (0.7, 1.0)  # range of the share of a second digit, and of the contrast of the image
NOISE, LAPSE = (
    (0.02, 0.10),
    (0.04, 0.25),
)  # from the easiest to the hardest item; one draw of the difficulty of an item decides both
GAIN = 5.0  # steepness of two choices: which digit is seen, and which similar class is chosen at random
UNUSUAL = 500  # number of inputs of each of the four kinds of out-of-distribution inputs

_GRAIN = 2.0**24


@cache
def digits() -> Dataset:
    """3,600 images, uint8 [3600, 10, 10, 1], with 50 votes each and the distribution from which they were drawn."""
    row = np.arange(ITEMS)
    first, second = _classes(row)[:2]
    p = rounded(answers(row))
    truth = Distributions(p, classes=tuple(map(str, range(CLASSES))))
    key, edges = counter.key("digits/votes", 0), drawing.thresholds(p)
    label = np.stack(
        [drawing.from_distribution(counter.on_numpy, edges, row, counter.draw(key, v, row)) for v in range(VOTES)],
        axis=1,
    )
    return Dataset(
        _images(row, [first, second], _shares(row)),
        Votes(np.arange(ITEMS + 1) * VOTES, label.ravel(), classes=truth.classes),
        name="digits",
        truth=truth,
        labels=first,
        ood=Lazy({"near": _near, "far": _far}),
        origin={"name": "digits"},
    )


def answers(row: I64) -> F64:
    """The probability of each answer [n, 10] to the items at `row`, before rounding."""
    first, second = _classes(row)[:2]
    share, lapse = _shares(row)[1], _between(LAPSE, _uniform("difficulty", row))
    sees_first = np.where(share == 0, 1.0, 1 / (1 + np.exp(GAIN * (2 * share - 1))))
    chance = 0.5 * _alike() + 0.5 / CLASSES
    answer = np.zeros((len(row), CLASSES))
    for digit, seen in ((first, sees_first), (second, 1 - sees_first)):
        answer += (seen * (1 - lapse))[:, None] * np.eye(CLASSES)[digit] + (seen * lapse)[:, None] * chance[digit]
    return answer


def rounded(p: F64) -> F64:
    """Distributions [n, C] rounded to multiples of 2**-24; the rounding error is added to the largest probability."""
    grains = np.rint(p * _GRAIN)
    grains[np.arange(len(p)), p.argmax(axis=1)] += _GRAIN - grains.sum(axis=1)
    return grains / _GRAIN


# --- annotators ----------------------------------------------------------------------------------------------------------


@cache
def _alike() -> F64:
    """The probability [10, 10] that a class is confused with each other class: softmax of the correlation of mean images."""
    image, target = _source()
    total = np.stack(
        [image[target == k].sum(axis=0).ravel() for k in range(CLASSES)]
    )  # sums instead of means: their correlations are the same
    centred = total * total.shape[1] - total.sum(axis=1, keepdims=True)
    product = (centred[:, None] * centred).sum(axis=2)  # integers: exact
    spread = np.sqrt(product.diagonal().astype(np.float64))
    weight = np.exp(GAIN * product / (spread[:, None] * spread))
    np.fill_diagonal(weight, 0)
    return weight / weight.sum(axis=1, keepdims=True)  # type: ignore[no-any-return]  # NumPy loses the type in the division


# --- images ----------------------------------------------------------------------------------------------------------


def _images(row: I64, classes: list[I64], shares: list[F64]) -> U8:
    """Images [n, 10, 10, 1] that mix a digit of each of `classes` by `shares`, with the contrast and noise of each `row`."""
    image, target = _source()
    by_class = np.argsort(target, kind="stable")
    start, size = np.searchsorted(target[by_class], np.arange(CLASSES)), np.bincount(target)
    mixed = np.zeros((len(row), CANVAS, CANVAS))
    span, free = np.arange(image.shape[1]), CANVAS - image.shape[1] + 1
    for place, (digit, share) in enumerate(zip(classes, shares, strict=True)):
        which = by_class[start[digit] + _below("digit", row, size[digit], place)]
        down, right = (_below(axis, row, free, place)[:, None] + span for axis in ("down", "right"))
        mixed[np.arange(len(row))[:, None, None], down[:, :, None], right[:, None, :]] += (
            share[:, None, None] * image[which]
        )
    level = _between(CONTRAST, _uniform("contrast", row))[:, None, None] * mixed / 16
    level += _between(NOISE, _uniform("difficulty", row))[:, None, None] * _noise(row)
    return np.rint(255 * np.clip(level, 0, 1)).astype(np.uint8)[..., None]


def _noise(row: I64) -> F64:
    """Sums of twelve bytes, [n, 10, 10], centred and divided by 256: nearly Gaussian, of variance 1 - 2**-16."""
    key, pixels = counter.key("digits/noise", 0), CANVAS * CANVAS
    total = np.zeros((pixels, len(row)), np.int64)
    for part in range(3):
        bits = counter.draw(key, (np.arange(pixels) * 3 + part)[:, None], row[None])
        for shift in range(0, 32, 8):
            total += ((bits >> np.uint64(shift)) & np.uint64(255)).view(np.int64)
    return (total.T.reshape(-1, CANVAS, CANVAS) - 1530) / 256


def _classes(row: I64) -> list[I64]:
    """Three different classes for each item: of its first digit, of its second digit, and of the third digit in blends of three."""
    target = _source()[1]
    first = target[_below("first", row, len(target))]
    step = 1 + _below("second", row, CLASSES - 1)
    other = 1 + _below("third", row, CLASSES - 2)
    return [first, (first + step) % CLASSES, (first + other + (other >= step)) % CLASSES]


def _shares(row: I64) -> list[F64]:
    share = np.where(_uniform("alone", row) < ALONE, 0.0, _between(SHARE, _uniform("share", row)))
    return [1 - share, share]


@cache
def _source() -> tuple[I64, I64]:
    """Scikit-learn's digits: images [1797, 8, 8] in levels 0 to 16, and classes [1797]."""
    found = find_spec("sklearn")  # only its data file is read, because importing scikit-learn takes long
    if found is None or found.origin is None:
        raise VotewiseError(
            "the digits are part of scikit-learn, which is not installed", remedy="pip install 'votewise[train]'"
        )
    with gzip.open(Path(found.origin).parent / "datasets" / "data" / "digits.csv.gz", "rt") as file:
        table = np.loadtxt(file, delimiter=",", dtype=np.int64)
    return table[:, :-1].reshape(-1, 8, 8), table[:, -1]


# --- out of distribution ---------------------------------------------------------------------------------------------


def _near() -> U8:
    """Near out-of-distribution inputs: images of digits rotated by 90 degrees, then blends of three digits."""
    turned, three = (ITEMS + np.arange(UNUSUAL) + part * UNUSUAL for part in range(2))
    upright = _images(turned, _classes(turned)[:2], _shares(turned))
    third = np.full(UNUSUAL, 1 / 3)
    return np.concatenate([np.rot90(upright, axes=(1, 2)), _images(three, _classes(three), [third] * 3)])


def _far() -> U8:
    """Far out-of-distribution inputs: uniform noise, then checkerboards with fields of 1 to 3 pixels in two grey levels."""
    noise, board = (ITEMS + np.arange(UNUSUAL) + part * UNUSUAL for part in (2, 3))
    pixel = np.arange(CANVAS * CANVAS)
    static = counter.below(counter.draw(counter.key("digits/static", 0), pixel, noise[:, None]), 256)
    width, shift = 1 + _below("width", board, 3), _below("shift", board, 6)
    field = (np.arange(CANVAS) + shift[:, None]) // width[:, None]
    light = (field[:, :, None] + field[:, None, :]) % 2 == 1
    dark, bright = _below("dark", board, 96), 160 + _below("bright", board, 96)
    boards = np.where(light, bright[:, None, None], dark[:, None, None])
    return np.concatenate([static.reshape(-1, CANVAS, CANVAS), boards]).astype(np.uint8)[..., None]


# --- draws -----------------------------------------------------------------------------------------------------------


def _uniform(stream: str, row: I64) -> F64:
    return counter.uniform(counter.key(f"digits/{stream}", 0), 0, row)


def _below(stream: str, row: I64, size: I64 | int, place: int = 0) -> I64:
    return counter.below(counter.draw(counter.key(f"digits/{stream}", 0), place, row), size)


def _between(ends: tuple[float, float], u: F64) -> F64:
    return ends[0] + (ends[1] - ends[0]) * u
