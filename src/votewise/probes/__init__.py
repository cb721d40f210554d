"""Numbers from a trained model: what kind of minimum it found, how it sees the items, and how it sees the unknown.

Everything here is a function for a model of your own. Of a model, with torch:

    curvature(model, x, p)                  ends and trace of the loss's Hessian: how sharp the minimum is
    spectral_density(Hessian(model, x, p))  the density of its whole spectrum
    barrier(model, first, second, x, p)     how far the loss rises on the line between two trained models
    gradcam(model, layer, x, classes)       where it looks; whether two models look at the same place: `likeness`, `stability`
    ood(model, x, others)                   how well it tells its own kind of inputs from others
    outputs(model, x)                       its logits and penultimate layer, for the functions below

Of features, predictions, losses or scores, without torch:

    linear_cka(features, others)            how alike two models see the items; `similarity` gives it without the bias of few items too
    noise(features, p)                      where label sampling makes the gradient noisy
    reliability(q, votes)                   whether a model is as sure as it is right
    spread(q, votes)                        whether predictions are as spread as the votes
    same_winner(q, r, votes)                which is closer to the votes where both name the majority
    diagnosis(votes, few, soft, hard)       whether hard delivery helps where few votes make a poor target; losses by `soft_nll(q, votes)`
    dynamics(history)                       when training was nearly as good as it got
    auroc, fpr95, aupr(inside, outside)     how well any score tells two sets apart

A model is a `torch.nn.Module` in evaluation mode that gives logits [n, C]. Inputs x are what you would pass to `model(x)`: a NumPy array
or a tensor of floats [n, ...], scaled and laid out as the model was trained. p is what people said of the same items in the same
order: `Votes`, `Distributions`, or shares [n, C] (votes that were read from a file are in the order of `votes.items`; `votes.align(ids)` puts
them in yours). `kind` says what predictions q [n, C] are, as for `votewise.score`; "auto" tells by their values.

Most give a `Reading`: `reading.numbers` by name, `reading.curves` to draw, and `print(reading)` says what each number means.

>>> import numpy as np, torch, votewise as vw
>>> from votewise.probes import curvature, ood
>>> model = torch.nn.Sequential(
...     torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 3)
... ).eval()
>>> x = np.linspace(-1, 1, 20 * 64).reshape(20, 1, 8, 8)  # 20 pictures
>>> votes = vw.Votes.from_counts([[4, 1, 0], [1, 2, 2]] * 10)  # what five people said of each
>>> found = curvature(model, x, votes)
>>> found.largest.value > 0
True
>>> reading = ood(model, x, 3 * x[::-1])
>>> 0 <= reading.numbers["auroc_outside_energy"] <= 1
True

Of stored runs, `votewise probe` takes them by name: `PROBES`, `Probe`, `Subject`, `read` and `take` are for that.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from votewise.probes.cka import linear_cka, similarity
from votewise.probes.detection import aupr, auroc, fpr95
from votewise.probes.diagnosis import diagnosis
from votewise.probes.dynamics import dynamics
from votewise.probes.noise import noise
from votewise.probes.reading import Reading
from votewise.probes.reliability import reliability
from votewise.probes.spread import same_winner, soft_nll, spread

if TYPE_CHECKING:
    from votewise.probes.connectivity import barrier
    from votewise.probes.density import spectral_density
    from votewise.probes.detectors import ood
    from votewise.probes.forward import outputs
    from votewise.probes.grad_cam import gradcam, likeness, stability
    from votewise.probes.hessian import Hessian
    from votewise.probes.minimum import Curvature, curvature
    from votewise.probes.probe import Probe, read, take
    from votewise.probes.steps import PROBES
    from votewise.probes.subject import Subject

__all__ = [
    "PROBES", "Curvature", "Hessian", "Probe", "Reading", "Subject", "aupr", "auroc", "barrier", "curvature", "diagnosis", "dynamics",
    "fpr95", "gradcam", "likeness", "linear_cka", "noise", "ood", "outputs", "read", "reliability", "same_winner", "similarity", "soft_nll",
    "spectral_density", "spread", "stability", "take",
]  # fmt: skip

_WITH_TORCH = {  # imported when first used; no module has the name of what it gives, which an import would put in its place
    "connectivity": ("barrier",),
    "density": ("spectral_density",),
    "detectors": ("ood",),
    "forward": ("outputs",),
    "grad_cam": ("gradcam", "likeness", "stability"),
    "hessian": ("Hessian",),
    "minimum": ("Curvature", "curvature"),
    "probe": ("Probe", "read", "take"),
    "steps": ("PROBES",),
    "subject": ("Subject",),
}


def __getattr__(name: str) -> Any:
    for module, names in _WITH_TORCH.items():
        if name in names:
            return getattr(import_module(f"votewise.probes.{module}"), name)
    raise AttributeError(f"module 'votewise.probes' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
