"""Numbers from a trained model: what kind of minimum it found, how it sees the items, and how it sees the unknown."""

from votewise.probes.barrier import barrier
from votewise.probes.cka import linear_cka
from votewise.probes.curvature import Curvature, curvature
from votewise.probes.diagnosis import diagnosis
from votewise.probes.dynamics import dynamics
from votewise.probes.gradcam import gradcam
from votewise.probes.hessian import Hessian
from votewise.probes.noise import noise
from votewise.probes.ood import ood
from votewise.probes.probe import Probe, read, take
from votewise.probes.reading import Reading
from votewise.probes.reliability import reliability
from votewise.probes.steps import PROBES
from votewise.probes.subject import Subject

__all__ = [
    "PROBES", "Curvature", "Hessian", "Probe", "Reading", "Subject", "barrier", "curvature", "diagnosis", "dynamics", "gradcam",
    "linear_cka", "noise", "ood", "read", "reliability", "take",
]  # fmt: skip
