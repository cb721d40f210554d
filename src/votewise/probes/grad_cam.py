"""Where a model looks (Grad-CAM, Selvaraju et al. 2017), and whether two models look at the same place.

The map of a class is the sum of a layer's channels, each weighted by the mean gradient of the class's logit over it, cut off
at zero. One class for all models of a comparison separates where they look from what they say.
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
from votewise.probes.arrays import F32, F64, Inputs, as_floats, as_inputs
from votewise.probes.forward import CHUNK, answer, check_model, chunks, inputs
from votewise.probes.memory import enough_memory
from votewise.probes.reading import Reading, where_defined
from votewise.probes.slices import portion
from votewise.votes.answers import positions_of
from votewise.wording import counted

_HOTTEST = 0.2  # the share of a picture whose overlap is compared


@dataclass(frozen=True, eq=False)
class Maps:
    """Grad-CAM maps of n pictures: at the size of the pictures [n, H, W], and at the layer's own [n, h, w]."""

    maps: F32
    native: F32


def gradcam(model: nn.Module, layer: nn.Module | None, x: Inputs, classes: ArrayLike, *, chunk: int = CHUNK) -> Maps:
    """Where `model` looks for the classes [n], one for each of the pictures x [n, C, H, W]; leaves no gradient anywhere.

    layer    a layer of the model whose output is maps [n, K, h, w]: mostly the last convolution; for the nets of this project `model.seen`
    classes  which class of each picture is looked for, such as `votes.majority()`

    A map is 0 or more; the larger, the more the place speaks for the class, in units of the logit that compare within a picture.

    >>> model = nn.Sequential(nn.Conv2d(1, 2, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8, 3)).eval()
    >>> found = gradcam(model, model[0], np.ones((5, 1, 4, 4)), [0, 1, 2, 0, 1])
    >>> found.maps.shape, found.native.shape
    ((5, 4, 4), (5, 2, 2))
    """
    check_model(model)
    x = as_inputs(x)
    if layer is None or not any(layer is module for module in model.modules()):
        raise VotewiseError(
            "Grad-CAM has no layer to look at", remedy="give a layer of this model whose output is maps [n, K, h, w]"
        )
    wanted = np.asarray(classes.cpu() if isinstance(classes, Tensor) else classes)
    if wanted.shape != (len(x),) or wanted.dtype.kind not in "iu":
        raise VotewiseError(
            f"classes of shape {wanted.shape} for {counted(len(x), 'picture')}",
            remedy="give one class number for each, such as votes.majority()",
        )
    native, full = [], []
    with enough_memory(chunk):
        for part in chunks(len(x), chunk):
            pictures = inputs(model, x, part)
            found = _maps(model, layer, pictures, torch.from_numpy(wanted[part].astype(np.int64)).to(pictures.device))
            native.append(found[:, 0].float().cpu())
            resized = interpolate(found, pictures.shape[2:], mode="bilinear", align_corners=False)
            full.append(resized[:, 0].float().cpu())
    return Maps(torch.cat(full).numpy(), torch.cat(native).numpy())


def _maps(model: nn.Module, layer: nn.Module, x: Tensor, classes: Tensor) -> Tensor:
    """Maps [n, 1, h, w] of one chunk."""
    caught: list[Tensor] = []

    def catch(_: nn.Module, __: Any, output: Any) -> Tensor:
        if caught or x.ndim != 4 or not isinstance(output, Tensor) or output.ndim != 4:
            what = "is used more than once" if caught else "gives no maps [n, K, h, w] of pictures [n, C, H, W]"
            raise VotewiseError(f"the layer of Grad-CAM {what}", remedy="give another layer")
        caught.append(output.detach().requires_grad_())  # the graph begins here
        return caught[0].clone()  # which the next layer may overwrite

    hook = layer.register_forward_hook(catch)
    try:
        with torch.enable_grad():
            logits = answer(model, x)
            if not 0 <= int(classes.min()) <= int(classes.max()) < logits.shape[1]:
                raise VotewiseError(
                    f"classes from {int(classes.min())} to {int(classes.max())} for {logits.shape[1]} logits",
                    remedy=f"give numbers from 0 to {logits.shape[1] - 1}",
                )
            if not caught:
                raise VotewiseError("the layer of Grad-CAM is not used by the model", remedy="give another layer")
            (gradient,) = torch.autograd.grad(logits.gather(1, classes[:, None]).sum(), caught)
    finally:
        hook.remove()
    weight = gradient.mean(dim=(2, 3), keepdim=True)
    return (weight * caught[0].detach()).sum(dim=1, keepdim=True).relu()


@dataclass(frozen=True, eq=False)
class Likeness:
    """How alike two maps of an item are, for each of n items; NaN where one of the two maps is the same everywhere.

    correlation  Pearson's, over pixels
    overlap      of the pixels above zero among the hottest fifth of each: those in both, as a share of those in either
    distance     between the centres of mass, in pixels
    """

    correlation: F64
    overlap: F64
    distance: F64


def likeness(first: Any, second: Any) -> Likeness:
    """Compare two sets of maps [n, H, W], arrays or what `gradcam` gives, item by item."""
    one, two = (_as_maps(maps) for maps in (first, second))
    if one.shape != two.shape:
        raise VotewiseError(
            f"maps of shapes {one.shape} and {two.shape}", remedy="compare maps of the same pictures at one size"
        )
    size = one.shape[1:]
    one, two = (maps.reshape(len(maps), -1) for maps in (one, two))
    told = (np.ptp(one, axis=1) > 0) & (np.ptp(two, axis=1) > 0)
    found = np.full((3, len(one)), np.nan)
    if told.any():
        one, two = one[told], two[told]
        found[0, told] = _correlation(one, two)
        hot = [_hottest(maps) for maps in (one, two)]
        found[1, told] = (hot[0] & hot[1]).sum(axis=1) / (hot[0] | hot[1]).sum(axis=1)
        found[2, told] = np.linalg.norm(_centre(one, size) - _centre(two, size), axis=1)
    return Likeness(*found)


def stability(first: Any, second: Any, high: ArrayLike | None = None) -> Reading:
    """Whether two models look at the same place: mean likeness of their maps [n, H, W], arrays or what `gradcam` gives.

    gradcam_correlation  Pearson's, over the pixels of a picture; 1: the same place
    gradcam_overlap      share of the hottest pixels that both have; 1: the same place
    gradcam_distance     between the centres of mass, in pixels; 0: the same place
    ..._high             the same over the items at the positions (or mask) `high`, such as those that people disagree on most
    items, items_high    how many there are of them
    empty_maps           items one of whose maps is the same everywhere (all zero, mostly), which are left out

    >>> maps = np.arange(8.0).reshape(2, 2, 2)
    >>> stability(maps, 3 * maps).numbers["gradcam_correlation"]
    1.0
    """
    alike = likeness(first, second)
    told = np.isfinite(alike.correlation)
    disputed = np.zeros(len(told), np.bool_)
    if high is not None:
        disputed[positions_of(high, len(told))] = True
    parts = {"": told} | ({} if high is None else {"_high": told & disputed})

    def mean(name: str, part: NDArray[np.bool_]) -> float:
        if not part.any():
            raise UndefinedError("no item has maps of both models that say where they look")
        return float(getattr(alike, name)[part].mean())

    numbers, notes = where_defined(
        {
            f"gradcam_{name}{suffix}": partial(mean, name, part)
            for suffix, part in parts.items()
            for name in ("correlation", "overlap", "distance")
        }
    )
    numbers |= {"items": len(told), "items_high": int(disputed.sum()), "empty_maps": int((~told).sum())}
    return Reading(numbers, notes=notes)


def _as_maps(maps: Any) -> F64:
    found = as_floats(maps.maps if isinstance(maps, Maps) else maps, "maps", "n H W")
    if found.min() < 0:
        raise VotewiseError("maps with a value below zero", remedy="cut them off at zero")
    return found


def _correlation(one: F64, two: F64) -> F64:
    one, two = (maps / maps.max(axis=1, keepdims=True) for maps in (one, two))
    one, two = (maps - maps.mean(axis=1, keepdims=True) for maps in (one, two))
    together = np.einsum("np,np->n", one, two)
    return np.asarray(np.clip(together / (np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)), -1.0, 1.0))


def _hottest(maps: F64) -> NDArray[np.bool_]:
    """Which pixels [n, P] are among the hottest fifth and above zero, equal ones from the top left."""
    hot = np.zeros(maps.shape, np.bool_)
    first = np.argsort(-maps, axis=1, kind="stable")[:, : portion(maps.shape[1], _HOTTEST)]
    np.put_along_axis(hot, first, True, axis=1)
    return hot & (maps > 0)


def _centre(maps: F64, size: tuple[int, ...]) -> F64:
    """Centre of mass [n, 2] of maps [n, P]."""
    place = np.indices(size).reshape(2, -1)
    return np.asarray(maps @ place.T / maps.sum(axis=1, keepdims=True))
