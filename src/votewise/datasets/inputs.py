"""The types of inputs of a dataset: images, features and texts, each with its validation, description and digest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from votewise.arrays import plain
from votewise.datasets import texts
from votewise.errors import VotewiseError

Inputs = NDArray[Any]  # uint8 [N, H, W, C], float32 [N, D] or strings [N, 1 or 2]
Kind = Literal["images", "features", "texts"]


def kind_of(inputs: Inputs) -> Kind:
    """The kind of the inputs, by type and shape."""
    return "images" if inputs.ndim == 4 else "texts" if inputs.dtype.kind == "T" else "features"


def content_of(inputs: Inputs) -> Sequence[bytes | memoryview]:
    """The data for the digest of inputs: type, shape and bytes."""
    if kind_of(inputs) == "texts":
        return list(texts.content(inputs))
    kind = "|u1" if inputs.ndim == 4 else "<f4"
    content = np.ascontiguousarray(inputs, dtype=kind).reshape(-1).view(np.uint8).data
    return repr((kind, inputs.shape)).encode(), content


def as_inputs(values: Any, where: object = None) -> Inputs:
    """Images as uint8 [N, H, W, C], features as finite float32 [N, D], or texts as strings [N, 1 or 2], from arrays, lists or tensors.

    Raises:
        VotewiseError: the values are none of these; `where` is the file that they come from.
    """
    if texts.are_texts(values):
        return texts.as_texts(values, where)
    array = plain(values)
    if array.dtype == np.uint8 and array.ndim in (3, 4):
        images = array[..., None] if array.ndim == 3 else array
        if images.shape[3] > 4 >= images.shape[1]:
            raise VotewiseError(
                f"images of shape {images.shape} seem to have their channels first",
                where=where,
                remedy="give them as [N, H, W, C], for example with array.transpose(0, 2, 3, 1)",
            )
        return images
    if array.ndim != 2 or array.dtype.kind not in "iuf":
        found = f"of type {array.dtype} and shape {array.shape}"
        raise VotewiseError(
            f"inputs {found if array.dtype != object else f'in a {type(values).__name__}'} are not images, features or texts",
            where=where,
            remedy="give images as uint8 [N, H, W, C] (0 to 255), features as numbers [N, D], or texts as strings",
        )
    with np.errstate(over="ignore"):
        features = array.astype(np.float32, copy=False)
    if not (finite := np.isfinite(features).all(axis=1)).all():
        raise VotewiseError(
            f"row {int(finite.argmin())} of the inputs has a feature that is not a finite float32",
            where=where,
            remedy="fill it in, or leave out the item",
        )
    return features


def statistics(inputs: Inputs) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and standard deviation over all axes but the last. Images are scaled to [0, 1], with exact integer sums."""
    if not inputs.size:
        return (0.0,) * inputs.shape[-1], (1.0,) * inputs.shape[-1]
    if inputs.dtype == np.uint8:
        total, squares = np.zeros((2, inputs.shape[-1]), np.int64)
        for start in range(0, len(inputs), 1024):
            level = inputs[start : start + 1024].reshape(-1, inputs.shape[-1]).astype(np.int64)
            total += level.sum(axis=0)
            squares += (level * level).sum(axis=0)
        count = inputs.size // inputs.shape[-1]
        mean = total / count / 255
        std = np.sqrt(np.maximum(squares / count - (total / count) ** 2, 0)) / 255
    else:
        mean, std = inputs.mean(axis=0, dtype=np.float64), inputs.std(axis=0, dtype=np.float64)
    return tuple(mean.tolist()), tuple(np.where(std > 0, std, 1).tolist())
