"""Detectors of out-of-distribution inputs. Larger means more out of distribution, for every detector.

energy    -log sum exp z (Liu et al. 2020)
msp       one minus the largest probability (Hendrycks and Gimpel 2017)
odin      msp at temperature 1000, after a small step of the input that raises the confidence (Liang et al. 2018)
entropy   entropy of the probabilities, in nats
margin    second largest logit minus the largest
knn       distance to the 50th nearest training item in the penultimate layer, scaled to length one (Sun et al. 2022)

knn needs the training inputs and the penultimate layer; odin needs floating-point inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from votewise.errors import VotewiseError
from votewise.probes.detection import aupr, auroc, fpr95
from votewise.probes.forward import Features, answer, check_model, chunks, finite, forward, inputs, outputs
from votewise.probes.names import CHUNK
from votewise.probes.out_of_memory import enough_memory
from votewise.probes.quantities import DETECTORS, detection_quantities
from votewise.probes.reading import Reading
from votewise.probes.validation import F32, F64, Inputs, as_inputs, tensor_of
from votewise.wording import listing

TEMPERATURE, EPSILON = 1000.0, 0.0014  # the published values of ODIN; the step is in units of pixels scaled to [0, 1]
NEIGHBOURS = 50
_CELLS = 1 << 23  # maximum number of distances in memory


def energy(logits: F64) -> F64:
    """-log sum exp of logits [n, C]."""
    top = logits.max(axis=1)
    return np.asarray(-top - np.log(np.exp(logits - top[:, None]).sum(axis=1)))


def msp(logits: F64) -> F64:
    """One minus the largest probability, computed as the sum of the others, because 1 - p rounds to 0 for confident predictions."""
    share = np.exp(logits - logits.max(axis=1, keepdims=True))
    share[np.arange(len(share)), share.argmax(axis=1)] = 0
    others = share.sum(axis=1)
    return np.asarray(others / (1 + others))


def entropy(logits: F64) -> F64:
    """Entropy of the probabilities, in nats."""
    below = logits - logits.max(axis=1, keepdims=True)
    share = np.exp(below)
    total = share.sum(axis=1)
    return np.asarray(np.log(total) - (share * below).sum(axis=1) / total)


def margin(logits: F64) -> F64:
    """Second largest logit minus the largest: at most 0."""
    first_two = np.partition(logits, -2, axis=1)[:, -2:]
    return np.asarray(first_two[:, 0] - first_two[:, 1])


OF_LOGITS: dict[str, Callable[[F64], F64]] = {"energy": energy, "msp": msp, "entropy": entropy, "margin": margin}


def odin_step(x: Tensor, logits: Tensor, temperature: float, epsilon: float | Sequence[float]) -> Tensor:
    """Inputs x [n, C, ...] after ODIN's step: along the sign of the gradient of the log-probability of the predicted class.

    `epsilon` is one step size, or one per channel.
    """
    log_q = (logits / temperature).log_softmax(dim=1).max(dim=1).values
    (gradient,) = torch.autograd.grad(log_q.sum(), x)
    step = torch.as_tensor(epsilon, dtype=x.dtype, device=x.device)
    return (x + step.reshape(-1, *[1] * (x.ndim - 2)) * gradient.sign()).detach()


def knn(features: F32, bank: F32, k: int = NEIGHBOURS) -> F64:
    """Distance of features [n, D] to their k-th nearest among `bank` [m, D], all scaled to length one; k <= m.

    Brute force, in blocks of rows. The neighbour is found in single precision, and its distance is computed in double precision.
    """
    if not 1 <= k <= len(bank):
        raise VotewiseError(f"k must be from 1 to the {len(bank)} items of the bank, got {k}")
    one, two = (torch.from_numpy(_unit(side)) for side in (features, bank))
    square = two.square().sum(dim=1)
    distance = torch.empty(len(one), dtype=torch.float64)
    for part in chunks(len(one), max(1, _CELLS // len(two))):
        squared = torch.addmm(
            square, one[part], two.T, alpha=-2
        )  # squared distance, minus the squared length of the row
        nearest = squared.topk(k, dim=1, largest=False, sorted=False)
        last = nearest.indices.gather(1, nearest.values.argmax(dim=1, keepdim=True))[:, 0]
        distance[part] = (one[part].double() - two[last].double()).norm(dim=1)
    return distance.numpy()


def _unit(features: F32) -> F32:
    return np.asarray(features / (np.linalg.norm(features, axis=1, keepdims=True) + 1e-10), dtype=np.float32)


def scores(
    model: nn.Module,
    x: Inputs,
    *,
    bank: F32 | None = None,
    detectors: Sequence[str] = tuple(DETECTORS),
    k: int = NEIGHBOURS,
    temperature: float = TEMPERATURE,
    epsilon: float | Sequence[float] = EPSILON,
    features: Features | None = None,
    chunk: int = CHUNK,
) -> dict[str, F64]:
    """The scores [n] of inputs x by detector. All detectors share one pass; ODIN adds its gradient and a second one.

    `bank` [m, D] is the penultimate layer of the training items (`outputs(model, training).features`), for knn.
    """
    if isinstance(detectors, str):
        detectors = (detectors,)
    if unknown := [name for name in detectors if name not in DETECTORS]:
        raise VotewiseError(f"unknown detector {listing(unknown)}", remedy=f"choose among {listing(DETECTORS, 9)}")
    if "knn" in detectors and bank is None:
        raise VotewiseError("knn needs the features of the training items", remedy="pass bank=, or omit knn")
    check_model(model)
    x, odin = as_inputs(x), "odin" in detectors
    logits, penultimate, stepped = [], [], []
    with enough_memory(chunk), torch.set_grad_enabled(odin):
        for part in chunks(len(x), chunk):
            batch = inputs(model, x, part)
            if odin:
                batch = _leaf(batch)
            if "knn" in detectors:
                z, h = forward(model, batch, features)
                penultimate.append(h.detach().float().cpu())
            else:
                z = answer(model, batch)
            logits.append(z.detach().double().cpu())
            if odin:
                moved = odin_step(batch, z, temperature, epsilon)
                with torch.no_grad():
                    stepped.append(model(moved).double().cpu() / temperature)
    every = finite(torch.cat(logits).numpy())
    by_detector = {name: function(every) for name, function in OF_LOGITS.items() if name in detectors}
    if odin:
        by_detector["odin"] = msp(finite(torch.cat(stepped).numpy()))
    if "knn" in detectors and bank is not None:
        by_detector["knn"] = knn(torch.cat(penultimate).numpy(), bank, k)
    return {name: by_detector[name] for name in detectors}


def _leaf(x: Tensor) -> Tensor:
    if not x.is_floating_point():
        raise VotewiseError(
            f"odin needs floating-point inputs, got {str(x.dtype).removeprefix('torch.')}",
            remedy="remove it from detectors=",
        )
    return x.detach().requires_grad_()


def ood(
    model: nn.Module,
    x: Inputs,
    sets: Inputs | Mapping[str, Inputs],
    *,
    training: Inputs | None = None,
    k: int = NEIGHBOURS,
    detectors: Sequence[str] | None = None,
    temperature: float = TEMPERATURE,
    epsilon: float | Sequence[float] = EPSILON,
    features: Features | None = None,
    chunk: int = CHUNK,
) -> Reading:
    """How well each detector separates held-out inputs from out-of-distribution inputs.

    Args:
        model: a model in evaluation mode that returns logits [n, C].
        x: held-out inputs [n, ...].
        sets: out-of-distribution inputs [m, ...]: one set, or several sets by name.
        training: training inputs, which are the candidate neighbours of knn. With fewer than k inputs, the farthest one is used, and a note is added.
        k: the neighbour that knn uses.
        detectors: some of energy, msp, odin, entropy, margin and knn; default: all that the arguments allow.
        temperature: temperature of ODIN.
        epsilon: ODIN's step in the units of x, or one step for each channel: for images normalised with `std`, the published value is 0.0014 / std.
        features: the penultimate layer; needed for knn if the last layer of the model is not called `head`; see `outputs`.
        chunk: examples at a time.

    Returns:
        A reading with, for example, `auroc_far_energy`, `fpr95_far_energy` and `aupr_far_energy` for a set called far and the detector energy, and
        `n_far`, the size of the set. A single set without a name is called `outside`.

    >>> model = nn.Linear(2, 3).eval()
    >>> sorted(ood(model, np.ones((5, 2)), np.zeros((4, 2)), detectors=["msp"]).numbers)
    ['aupr_outside_msp', 'auroc_outside_msp', 'fpr95_outside_msp', 'n_outside']
    """
    check_model(model)
    x = as_inputs(x)
    sets = _checked_sets(sets, x)
    notes = list[str]()
    if detectors is None:
        lacking = {} if training is not None else {"knn": "pass training=, the training inputs"}
        if not tensor_of(x, slice(0, 1)).is_floating_point():
            lacking["odin"] = "it needs floating-point inputs"
        detectors = [name for name in DETECTORS if name not in lacking]
        notes += [f"without {name}: {reason}" for name, reason in lacking.items()]
    bank = None
    if "knn" in detectors:
        if training is None:
            raise VotewiseError("knn needs the training inputs", remedy="pass training=, or omit knn")
        bank = outputs(model, as_inputs(training, "training"), features=features, chunk=chunk).features
        if len(bank) < k:
            notes.append(
                f"knn uses neighbour {len(bank)} instead of {k}, because there are only {len(bank)} training items"
            )
            k = len(bank)
    score = partial(
        scores, model, bank=bank, detectors=detectors, k=k, temperature=temperature, epsilon=epsilon, features=features, chunk=chunk
    )  # fmt: skip
    inside = score(x)
    numbers: dict[str, float | None] = {}
    for name, others in sets.items():
        numbers[f"n_{name}"] = len(others)
        for detector, outside in score(others).items():
            for measure in (auroc, fpr95, aupr):
                numbers[f"{measure.__name__}_{name}_{detector}"] = measure(inside[detector], outside)
    quantities = {quantity.key: quantity for quantity in detection_quantities(sets)}
    return Reading(numbers, notes=tuple(notes), quantities=quantities)


def _checked_sets(sets: Any, x: Inputs) -> dict[str, Inputs]:
    """Sets by name, with inputs of the same shape as x; a single set is called `outside`."""
    if isinstance(sets, Mapping) and not sets:
        raise VotewiseError("sets must hold at least one set of out-of-distribution inputs")
    checked = {}
    for name, others in (sets if isinstance(sets, Mapping) else {"outside": sets}).items():
        checked[name] = as_inputs(others, f"the set {name!r}")
        shapes = [tuple(tensor_of(inputs, slice(0, 1)).shape[1:]) for inputs in (checked[name], x)]
        if shapes[0] != shapes[1]:
            raise VotewiseError(
                f"the set {name!r} has inputs of shape {shapes[0]}, but x has inputs of shape {shapes[1]}"
            )
    return checked
