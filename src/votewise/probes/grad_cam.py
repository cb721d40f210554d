"""Grad-CAM maps (Selvaraju et al. 2017), and the similarity of the maps of two models.

The map of a class is the sum of a layer's channels, each weighted by the mean gradient of the class's logit over it, clipped
at zero. In a comparison, all models are asked about the same class, so that differences of the maps are not differences of the predictions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor, nn
from torch.nn.functional import interpolate

from votewise.errors import UndefinedError, VotewiseError
from votewise.probes.forward import answer, check_model, chunks, inputs
from votewise.probes.names import CHUNK
from votewise.probes.out_of_memory import enough_memory
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import portion
from votewise.probes.validation import F32, F64, Inputs, as_floats, as_inputs
from votewise.votes import positions_of

_HOTTEST = 0.2  # share of the hottest pixels whose overlap is computed


def gradcam(model: nn.Module, layer: nn.Module | None, x: Inputs, classes: ArrayLike, *, chunk: int = CHUNK) -> F32:
    """Grad-CAM maps of a model: the regions of an image that support a class.

    Args:
        model: a model in evaluation mode that returns logits [n, C].
        layer: a layer of the model whose output is maps [n, K, h, w], usually the last convolution.
        x: images [n, C, H, W].
        classes: the class of interest of each image [n], for example `votes.majority()`.
        chunk: images at a time.

    Returns:
        Maps [n, H, W], non-negative, in units of the logit; values are comparable within an image.

    >>> model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3)).eval()
    >>> gradcam(model, model[0], np.ones((5, 1, 4, 4)), [0, 1, 2, 0, 1]).shape
    (5, 4, 4)
    """
    check_model(model)
    x = as_inputs(x)
    if layer is None or not any(layer is module for module in model.modules()):
        raise VotewiseError(
            "layer is not a layer of this model", remedy="pass the layer whose output is maps [n, K, h, w]"
        )
    targets = np.asarray(classes.cpu() if isinstance(classes, Tensor) else classes)
    if targets.shape != (len(x),) or targets.dtype.kind not in "iu":
        raise VotewiseError(
            f"classes must be one integer per image [{len(x)}], got shape {targets.shape} and type {targets.dtype}",
            remedy="pass e.g. votes.majority()",
        )
    resized = []
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            images = inputs(model, x, part)
            maps = _maps(model, layer, images, torch.from_numpy(targets[part].astype(np.int64)).to(images.device))
            maps = interpolate(maps, images.shape[2:], mode="bilinear", align_corners=False)
            resized.append(maps[:, 0].float().cpu())
    return torch.cat(resized).numpy()


def _maps(model: nn.Module, layer: nn.Module, x: Tensor, classes: Tensor) -> Tensor:
    """Maps [n, 1, h, w] of one chunk."""
    caught: list[Tensor] = []

    def catch(_: nn.Module, __: Any, output: Any) -> Tensor:
        if caught or x.ndim != 4 or not isinstance(output, Tensor) or output.ndim != 4:
            what = "is used more than once" if caught else "must map images [n, C, H, W] to maps [n, K, h, w]"
            raise VotewiseError(f"the layer of Grad-CAM {what}", remedy="pass another layer")
        caught.append(output.detach().requires_grad_())  # the graph begins at the maps
        return caught[0].clone()  # the next layer may overwrite it

    hook = layer.register_forward_hook(catch)
    try:
        with torch.enable_grad():
            logits = answer(model, x)
            if not 0 <= int(classes.min()) <= int(classes.max()) < logits.shape[1]:
                raise VotewiseError(
                    f"classes must be from 0 to {logits.shape[1] - 1}, got {int(classes.min())} to {int(classes.max())}"
                )
            if not caught:
                raise VotewiseError("the layer of Grad-CAM is not used by the model", remedy="pass another layer")
            (gradient,) = torch.autograd.grad(logits.gather(1, classes[:, None]).sum(), caught)
    finally:
        hook.remove()
    weight = gradient.mean(dim=(2, 3), keepdim=True)
    return (weight * caught[0].detach()).sum(dim=1, keepdim=True).relu()


@dataclass(frozen=True, eq=False)
class Likeness:
    """The similarity of the two maps of each of n items; NaN if one of them is constant.

    Attributes:
        correlation: Pearson correlation over pixels [n].
        overlap: intersection over union of the positive pixels in the hottest fifth of each map [n].
        distance: distance between the centres of mass, in pixels [n].
    """

    correlation: F64
    overlap: F64
    distance: F64


def likeness(first: Any, second: Any) -> Likeness:
    """Compare two sets of maps [n, H, W], item by item."""
    one, two = (_as_maps(maps) for maps in (first, second))
    if one.shape != two.shape:
        raise VotewiseError(f"maps must have the same shape, got {one.shape} and {two.shape}")
    size = one.shape[1:]
    one, two = (maps.reshape(len(maps), -1) for maps in (one, two))
    varied = (np.ptp(one, axis=1) > 0) & (np.ptp(two, axis=1) > 0)
    measures = np.full((3, len(one)), np.nan)
    if varied.any():
        one, two = one[varied], two[varied]
        measures[0, varied] = _correlation(one, two)
        hot = [_hottest(maps) for maps in (one, two)]
        measures[1, varied] = (hot[0] & hot[1]).sum(axis=1) / (hot[0] | hot[1]).sum(axis=1)
        measures[2, varied] = np.linalg.norm(_centre(one, size) - _centre(two, size), axis=1)
    return Likeness(*measures)


def stability(first: Any, second: Any, high: ArrayLike | None = None) -> Reading:
    """Whether two models attend to the same regions: the mean similarity of their maps.

    Args:
        first: maps [n, H, W] of one model, for example from `gradcam`.
        second: maps of the other model for the same images.
        high: positions or mask of a slice, for example of the items that annotators disagree on most.

    Returns:
        A reading with `gradcam_correlation`, `gradcam_overlap`, `gradcam_distance`, the same with `_high` for the slice, `items`,
        `items_high`, and `empty_maps`, the items left out because one of their maps is constant.

    >>> maps = np.arange(8.0).reshape(2, 2, 2)
    >>> stability(maps, 3 * maps).numbers["gradcam_correlation"]
    1.0
    """
    alike = likeness(first, second)
    defined = np.isfinite(alike.correlation)
    in_slice = np.zeros(len(defined), np.bool_)
    if high is not None:
        in_slice[positions_of(high, len(defined))] = True
    parts = {"": defined} | ({} if high is None else {"_high": defined & in_slice})

    def mean(name: str, part: NDArray[np.bool_]) -> float:
        if not part.any():
            raise UndefinedError("no item has two maps that are not constant")
        return float(getattr(alike, name)[part].mean())

    numbers, notes = where_defined(
        {
            f"gradcam_{name}{suffix}": partial(mean, name, part)
            for suffix, part in parts.items()
            for name in ("correlation", "overlap", "distance")
        }
    )
    numbers |= {"items": len(defined), "items_high": int(in_slice.sum()), "empty_maps": int((~defined).sum())}
    return Reading(numbers, notes=notes)


def _as_maps(maps: Any) -> F64:
    array = as_floats(maps, "maps", "n H W")
    if array.min() < 0:
        raise VotewiseError(f"maps must be non-negative, got {array.min():g}")
    return array


def _correlation(one: F64, two: F64) -> F64:
    one, two = (maps / maps.max(axis=1, keepdims=True) for maps in (one, two))
    one, two = (maps - maps.mean(axis=1, keepdims=True) for maps in (one, two))
    product = np.einsum("np,np->n", one, two)
    return np.asarray(np.clip(product / (np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)), -1.0, 1.0))


def _hottest(maps: F64) -> NDArray[np.bool_]:
    """A mask [n, P] of the positive pixels in the hottest fifth; ties are resolved from the top left."""
    hot = np.zeros(maps.shape, np.bool_)
    first = np.argsort(-maps, axis=1, kind="stable")[:, : portion(maps.shape[1], _HOTTEST)]
    np.put_along_axis(hot, first, True, axis=1)
    return hot & (maps > 0)


def _centre(maps: F64, size: tuple[int, ...]) -> F64:
    """Centre of mass [n, 2] of maps [n, P]."""
    place = np.indices(size).reshape(2, -1)
    return np.asarray(maps @ place.T / maps.sum(axis=1, keepdims=True))
