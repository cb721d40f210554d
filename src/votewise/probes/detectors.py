"""Whether a model notices that an input is not of its world. Larger means more out of distribution, for every detector.

energy    -log sum exp z (Liu et al. 2020)
msp       one minus the largest probability (Hendrycks and Gimpel 2017)
odin      the same at temperature 1000, after a small step of the input that makes the answer surer (Liang et al. 2018)
entropy   of the probabilities, in nats
margin    second largest logit minus the largest
knn       distance to the 50th nearest training item in the penultimate layer, scaled to length one (Sun et al. 2022)

knn needs the training inputs and the penultimate layer, odin inputs that are no whole numbers; the others need nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from votewise.errors import VotewiseError
from votewise.probes.arrays import F32, F64, Inputs, as_inputs, tensor_of
from votewise.probes.detection import aupr, auroc, fpr95
from votewise.probes.forward import CHUNK, Features, answer, check_model, chunks, finite, forward, inputs, outputs
from votewise.probes.memory import enough_memory
from votewise.probes.reading import Reading
from votewise.wording import counted, listing, quoted

TEMPERATURE, EPSILON = 1000.0, 0.0014  # of ODIN, as published: the step is in units of pixels scaled to [0, 1]
NEIGHBOURS = 50
_CELLS = 1 << 23  # distances in memory at a time


def energy(logits: F64) -> F64:
    """-log sum exp of logits [n, C]."""
    top = logits.max(axis=1)
    return np.asarray(-top - np.log(np.exp(logits - top[:, None]).sum(axis=1)))


def msp(logits: F64) -> F64:
    """One minus the largest probability, as the sum of the others: sure answers stay apart, where 1 - p rounds to 0."""
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
DETECTORS = ("energy", "msp", "odin", "entropy", "margin", "knn")


def surer(x: Tensor, logits: Tensor, temperature: float, epsilon: float | Sequence[float]) -> Tensor:
    """Inputs after ODIN's step: along the sign of the gradient, with respect to the input alone, of the log-probability at
    `temperature` of the predicted class. `epsilon` is one step, or one for each channel of x [n, C, ...].
    """
    log_q = (logits / temperature).log_softmax(dim=1).max(dim=1).values
    (gradient,) = torch.autograd.grad(log_q.sum(), x)
    step = torch.as_tensor(epsilon, dtype=x.dtype, device=x.device)
    return (x + step.reshape(-1, *[1] * (x.ndim - 2)) * gradient.sign()).detach()


def knn(features: F32, bank: F32, k: int = NEIGHBOURS) -> F64:
    """Distance of features [n, D] to their k-th nearest among `bank` [m, D], all scaled to length one; k <= m.

    Brute force, a block of rows at a time. The neighbour is found in single precision, its distance is taken in double.
    """
    if not 1 <= k <= len(bank):
        raise VotewiseError(
            f"neighbour {k} of a bank of {counted(len(bank), 'item')}", remedy="give a smaller k or a larger bank"
        )
    one, two = (torch.from_numpy(_unit(side)) for side in (features, bank))
    square = two.square().sum(dim=1)
    found = torch.empty(len(one), dtype=torch.float64)
    for part in chunks(len(one), max(1, _CELLS // len(two))):
        farness = torch.addmm(square, one[part], two.T, alpha=-2)  # squared distance, but for the row's own length
        nearest = farness.topk(k, dim=1, largest=False, sorted=False)
        last = nearest.indices.gather(1, nearest.values.argmax(dim=1, keepdim=True))[:, 0]
        found[part] = (one[part].double() - two[last].double()).norm(dim=1)
    return found.numpy()


def _unit(features: F32) -> F32:
    return np.asarray(features / (np.linalg.norm(features, axis=1, keepdims=True) + 1e-10), dtype=np.float32)


def scores(
    model: nn.Module,
    x: Inputs,
    *,
    bank: F32 | None = None,
    detectors: Sequence[str] = DETECTORS,
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
    unknown = [name for name in detectors if name not in DETECTORS]
    if unknown:
        raise VotewiseError(f"no detector is called {listing(unknown)}", remedy=f"choose among {listing(DETECTORS, 9)}")
    if "knn" in detectors and bank is None:
        raise VotewiseError(
            "knn needs to know the training items", remedy="give bank=, their features, or leave knn out"
        )
    check_model(model)
    x, odin = as_inputs(x), "odin" in detectors
    logits, seen, stepped = [], [], []
    with enough_memory(chunk), torch.set_grad_enabled(odin):
        for part in chunks(len(x), chunk):
            here = inputs(model, x, part)
            if odin:
                here = _leaf(here)
            if "knn" in detectors:
                z, h = forward(model, here, features)
                seen.append(h.detach().float().cpu())
            else:
                z = answer(model, here)
            logits.append(z.detach().double().cpu())
            if odin:
                here = surer(here, z, temperature, epsilon)
                with torch.no_grad():
                    stepped.append(model(here).double().cpu() / temperature)
    said = finite(torch.cat(logits).numpy())
    found = {name: of(said) for name, of in OF_LOGITS.items() if name in detectors}
    if odin:
        found["odin"] = msp(finite(torch.cat(stepped).numpy()))
    if "knn" in detectors and bank is not None:
        found["knn"] = knn(torch.cat(seen).numpy(), bank, k)
    return {name: found[name] for name in detectors}


def _leaf(x: Tensor) -> Tensor:
    if not x.is_floating_point():
        raise VotewiseError(
            f"ODIN moves inputs a little, and these are of type {x.dtype}", remedy="leave odin out of detectors="
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
    """How well each detector tells the held-out inputs x [n, ...] from inputs of another kind [m, ...], one set or several by name.

    detectors  some of energy, msp, odin, entropy, margin and knn; unless given, all that what is given is enough for
    training   training inputs, which knn compares with; where they are fewer than k, the last of them counts and a note says so
    features   for knn on a model whose last layer is not called `head`: see `outputs`
    epsilon    ODIN's step in the units of x, or one step for each channel: for images normalised with `std`, 0.0014 / std is the published one

    The numbers of a set called far (`outside` for one set without a name) and of the detector energy are

    auroc_far_energy  probability that an input of the set scores as stranger than one of x; 1: always, 0.5: a coin
    fpr95_far_energy  share of the set that passes for x where 95 % of x do; lower is better
    aupr_far_energy   average precision of finding the set among both; higher is better, and it depends on their sizes
    n_far             inputs in the set

    >>> model = nn.Linear(2, 3).eval()
    >>> sorted(ood(model, np.ones((5, 2)), np.zeros((4, 2)), detectors=["msp"]).numbers)
    ['aupr_outside_msp', 'auroc_outside_msp', 'fpr95_outside_msp', 'n_outside']
    """
    check_model(model)
    x = as_inputs(x)
    sets = {name: as_inputs(others, f"inputs in the set {quoted(name)}") for name, others in _named(sets).items()}
    first = tensor_of(x, slice(0, 1))
    shape, notes = tuple(first.shape[1:]), []
    if detectors is None:
        lacking = {"knn": "give training=, the training inputs"} if training is None else {}
        lacking |= (
            {} if first.is_floating_point() else {"odin": "it moves inputs a little, and these are whole numbers"}
        )
        detectors = [name for name in DETECTORS if name not in lacking]
        notes += [f"without {name}: {why}" for name, why in lacking.items()]
    for name, others in sets.items():
        if (other := tuple(tensor_of(others, slice(0, 1)).shape[1:])) != shape:
            raise VotewiseError(
                f"inputs of the set {quoted(name)} have the shape {other}, those of the model {shape}",
                remedy="bring both to one size and number of channels",
            )
    bank = None
    if "knn" in detectors:
        if training is None:
            raise VotewiseError("knn needs to know the training items", remedy="give training=, or leave knn out")
        training = as_inputs(training, "training inputs")
        bank = outputs(model, training, features=features, chunk=chunk).features
        if len(bank) < k:
            notes.append(f"knn takes neighbour {len(bank)}: there are no {k} training items")
            k = len(bank)

    def of(x: Inputs) -> dict[str, F64]:
        return scores(
            model,
            x,
            bank=bank,
            detectors=detectors,
            k=k,
            temperature=temperature,
            epsilon=epsilon,
            features=features,
            chunk=chunk,
        )

    inside = of(x)
    numbers: dict[str, Any] = {}
    for name, others in sets.items():
        numbers[f"n_{name}"] = len(others)
        for detector, outside in of(others).items():
            for measure in (auroc, fpr95, aupr):
                numbers[f"{measure.__name__}_{name}_{detector}"] = measure(inside[detector], outside)
    return Reading(numbers, notes=tuple(notes))


def _named(sets: Any) -> Mapping[str, Any]:
    """Sets by name; one set is called outside."""
    if isinstance(sets, Mapping) and not sets:
        raise VotewiseError("there are no sets of another kind", remedy="give inputs that are not of the model's world")
    return sets if isinstance(sets, Mapping) else {"outside": sets}
