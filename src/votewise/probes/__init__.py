"""Numbers from a trained model: how sharp its minimum is, how it represents items, and how it treats unfamiliar inputs.

Everything here is a function that works on any model. Functions of a model need torch:

    curvature(model, x, p)                  extreme eigenvalues and trace of the loss's Hessian: how sharp the minimum is
    spectral_density(Hessian(model, x, p))  the density of its whole spectrum
    barrier(model, first, second, x, p)     how far the loss rises on the line between two trained models
    gradcam(model, layer, x, classes)       Grad-CAM maps; `likeness` and `stability` compare those of two models
    ood(model, x, others)                   how well it detects out-of-distribution inputs
    outputs(model, x)                       logits and penultimate layer, for the functions below

Functions of features, predictions, losses or scores do not need torch:

    linear_cka(features, others)            how similarly two models represent the items; `similarity` adds the debiased estimate
    noise(features, p)                      where label sampling makes the gradient noisy
    reliability(q, votes)                   whether confidence matches accuracy
    spread(q, votes)                        whether predictions are as spread out as the votes
    examples(q, r, votes)                   votes and both predictions for a few items, and the entropies of all items
    same_winner(q, r, votes)                which is closer to the votes where both predict the majority
    diagnosis(votes, few, soft, hard)       whether hard labels help where few votes make a poor target; losses by `soft_nll(q, votes)`
    dynamics(history)                       when training came close to its best epoch
    reliability_gap(curve, other)           the distance of two reliability curves
    auroc, fpr95, aupr(inside, outside)     how well any score separates two sets

A model is a `torch.nn.Module` in evaluation mode that returns logits [n, C]. Inputs x are what you would pass to `model(x)`: a NumPy array
or a tensor of floats [n, ...], scaled and laid out as the model was trained. p are the annotations of the same items in the same
order: `Votes`, `Distributions`, or shares [n, C] (votes that were read from a file are in the order of `votes.items`; `votes.align(ids)` puts
them in yours). `kind` is the type of predictions q [n, C], as for `votewise.score`; "auto" detects it by their values.

Most functions return a `Reading` with `reading.numbers` by key and `reading.curves` to plot; `print(reading)` explains each number. `QUANTITIES` has the label,
meaning, unit and direction of every key, and the probe it comes from.

>>> import numpy as np, torch, votewise as vw
>>> from votewise.probes import QUANTITIES, curvature, ood
>>> model = torch.nn.Sequential(
...     torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Linear(144, 3)
... ).eval()
>>> x = np.linspace(-1, 1, 20 * 64).reshape(20, 1, 8, 8)  # 20 images
>>> votes = vw.Votes.from_counts([[4, 1, 0], [1, 2, 2]] * 10)  # of five annotators
>>> curvature(model, x, votes).largest.value > 0
True
>>> reading = ood(model, x, 3 * x[::-1])
>>> 0 <= reading.numbers["auroc_outside_energy"] <= 1
True
>>> QUANTITIES["auroc_outside_energy"].label, QUANTITIES["auroc_outside_energy"].better
('AUROC (outside, Energy)', 'higher')

`votewise probe` runs them by name on stored runs, using `PROBES`, `Probe`, `ProbedRun`, `run_probe` and `read_reading`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.importing import on_first_use

if TYPE_CHECKING:
    from votewise.probes.cka import linear_cka, similarity
    from votewise.probes.connectivity import barrier
    from votewise.probes.density import Density, spectral_density
    from votewise.probes.detection import aupr, auroc, fpr95
    from votewise.probes.detectors import ood
    from votewise.probes.example_items import examples
    from votewise.probes.forward import Outputs, outputs
    from votewise.probes.grad_cam import Likeness, gradcam, likeness, stability
    from votewise.probes.gradient_noise import noise
    from votewise.probes.hessian import Hessian
    from votewise.probes.loss_curvature import Curvature, curvature
    from votewise.probes.names import CHUNK, SUMMARIES
    from votewise.probes.prediction_spread import same_winner, soft_nll, spread
    from votewise.probes.probe import Probe, read_reading, run_probe
    from votewise.probes.probed_run import ProbedRun
    from votewise.probes.quantities import DETECTORS, QUANTITIES, SLICES, ProbeQuantity
    from votewise.probes.reading import Reading
    from votewise.probes.registry import PROBES
    from votewise.probes.reliability_curve import reliability, reliability_gap
    from votewise.probes.sparse_targets import diagnosis
    from votewise.probes.training_dynamics import dynamics

__all__ = [
    "CHUNK", "DETECTORS", "PROBES", "QUANTITIES", "SLICES", "SUMMARIES", "Curvature", "Density", "Hessian", "Likeness", "Outputs", "Probe",
    "ProbeQuantity", "ProbedRun", "Reading", "aupr", "auroc", "barrier", "curvature", "diagnosis", "dynamics", "examples", "fpr95", "gradcam", "likeness",
    "linear_cka", "noise", "ood", "outputs", "read_reading", "reliability", "reliability_gap", "run_probe", "same_winner", "similarity",
    "soft_nll", "spectral_density", "spread", "stability",
]  # fmt: skip

# Modules are searched in this order, those without torch first. No module has the name of a public object.
_MODULES = (
    "names", "quantities", "reading", "cka", "detection", "example_items", "gradient_noise", "prediction_spread", "reliability_curve",
    "sparse_targets", "training_dynamics", "probe", "registry", "connectivity", "density", "detectors", "forward", "grad_cam", "hessian",
    "loss_curvature", "probed_run",
)  # fmt: skip


__getattr__ = on_first_use(__name__, __all__, _MODULES)


def __dir__() -> list[str]:
    return sorted(__all__)
