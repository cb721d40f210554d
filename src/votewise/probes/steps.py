"""The probes by name, as they are taken of stored runs: which items, which weights, and the function that measures."""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.probes.cka import similarity
from votewise.probes.connectivity import barrier
from votewise.probes.density import spectral_density
from votewise.probes.detectors import DETECTORS, ood
from votewise.probes.diagnosis import diagnosis
from votewise.probes.dynamics import dynamics
from votewise.probes.forward import outputs
from votewise.probes.grad_cam import gradcam, stability
from votewise.probes.hessian import Hessian
from votewise.probes.minimum import curvature
from votewise.probes.noise import noise
from votewise.probes.probe import CHUNK, Probe
from votewise.probes.reading import Reading
from votewise.probes.reliability import reliability
from votewise.probes.slices import HIGH, high
from votewise.probes.spread import own_loss, same_winner, soft_nll, spread
from votewise.probes.subject import Subject
from votewise.training import Config

LOGS: Final = "log-probabilities"  # what a run keeps of its predictions
ITEMS = Field(default=None, ge=2)  # at most so many held-out items, evenly spaced; None: all of them
SHARE = Field(default=HIGH, gt=0, le=1)  # of the items, those that people disagree on most


def evenly_spaced(count: int, at_most: int) -> NDArray[np.int64]:
    """Positions of at most so many out of `count` items.

    >>> evenly_spaced(7, 3).tolist(), evenly_spaced(2, 3).tolist()
    ([0, 2, 4], [0, 1])
    """
    return np.arange(min(count, at_most)) * count // min(count, at_most)


class CurvatureProbe(Probe):
    """The ends and the trace of the Hessian on the held-out items, and on those of them that people disagree on most."""

    name: ClassVar[str] = "curvature"
    share: float = SHARE
    probes: int = Field(default=100, ge=2)
    items: int | None = ITEMS
    seed: int = Field(default=0, ge=0)

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        share, disputed = subject.problem.evaluation_share, subject.disputed(self.share)
        some = evenly_spaced(len(share), self.items or len(share))
        parts = {
            "full": (subject.evaluation.select(some), share[some]),
            "high": (subject.evaluation.select(disputed), share[disputed]),
        }
        found = (
            curvature(subject.model, x, p, probes=self.probes, seed=self.seed, chunk=chunk).reading(part)
            for part, (x, p) in parts.items()
        )
        return reduce(or_, found)


class Spectrum(Probe):
    """The density of the Hessian's spectrum on the held-out items."""

    name: ClassVar[str] = "spectrum"
    probes: int = Field(default=4, ge=1)
    steps: int = Field(default=30, ge=2)
    items: int | None = ITEMS
    seed: int = Field(default=0, ge=0)

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        share = subject.problem.evaluation_share
        some = evenly_spaced(len(share), self.items or len(share))
        hessian = Hessian(subject.model, subject.evaluation.select(some), share[some], chunk=chunk)
        density = spectral_density(hessian, probes=self.probes, steps=self.steps, seed=self.seed)
        mean = float(np.trapezoid(density.x * density.y, density.x))
        return Reading({"spectrum_mean": mean}, {"density_full": {"x": density.x.tolist(), "y": density.y.tolist()}})


class Barrier(Probe):
    """The loss along the straight line between two runs, on the items that the first held out."""

    name: ClassVar[str] = "barrier"
    version: ClassVar[int] = 2  # the training items for batch norm are evenly spaced, however many there are
    pair: ClassVar[bool] = True
    points: int = Field(default=21, ge=3)
    reestimated_on: int = Field(default=2000, ge=2)  # training items for batch-norm statistics, evenly spread

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        (other,) = others
        spaced = evenly_spaced(len(subject.training), self.reestimated_on)
        return barrier(
            subject.model,
            subject.weights,
            other.weights,
            subject.evaluation,
            subject.problem.evaluation_share,
            training=subject.training.select(spaced),
            points=self.points,
            chunk=chunk,
        )


class Representation(Probe):
    """How alike two runs see the items that neither was trained on: penultimate layer, and where Grad-CAM says they look."""

    name: ClassVar[str] = "representation"
    pair: ClassVar[bool] = True
    mutual: ClassVar[bool] = True
    share: float = SHARE

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        (other,) = others
        items, *places = np.intersect1d(subject.problem.evaluation, other.problem.evaluation, return_indices=True)
        if not len(items):
            raise VotewiseError(
                "no item was held out from both runs", remedy="compare runs of the same or of overlapping splits"
            )
        disputed = high(subject.dataset.votes.select(items).entropy(), self.share)
        found = [_seen(each, chunk) for each in (subject, other)]
        features = [features[place] for (features, _), place in zip(found, places, strict=True)]
        maps = [maps[place] for (_, maps), place in zip(found, places, strict=True) if maps is not None]
        reading = Reading({"items": len(items), "items_high": len(disputed)}) | similarity(*features)
        return reading | stability(maps[0], maps[1], disputed) if len(maps) == 2 else reading


@lru_cache(64)
def _seen(subject: Subject, chunk: int) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
    """Features [n, D] and Grad-CAM maps [n, H, W] of the held-out items; every pair that a run is in needs them."""
    features = outputs(subject.model, subject.evaluation, chunk=chunk).features
    if subject.model.seen is None:
        return features, None
    maps = gradcam(
        subject.model, subject.model.seen, subject.evaluation, subject.problem.evaluation_majority, chunk=chunk
    )
    return features, maps.maps


class Noise(Probe):
    """The variance that label sampling gives the last layer's gradient, on the items trained on."""

    name: ClassVar[str] = "noise"
    draws: int = Field(default=100, ge=2)
    seed: int = Field(default=0, ge=0)

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        features = outputs(subject.model, subject.training, chunk=chunk).features
        share = subject.dataset.votes.probabilities(subject.problem.training)
        return noise(features, share, draws=self.draws, seed=self.seed, rows=subject.problem.training_rows)


class Dynamics(Probe):
    """When a run is nearly as good as it gets, and when it is best: from its history alone."""

    name: ClassVar[str] = "dynamics"

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        return dynamics(subject.run.history)


class OutOfDistribution(Probe):
    """How well a run tells the items it held out from inputs of another kind."""

    name: ClassVar[str] = "ood"
    version: ClassVar[int] = 2  # ODIN's step is in pixels
    neighbours: int = Field(default=50, ge=1)
    temperature: float = Field(default=1000.0, gt=0)
    epsilon: float = Field(default=0.0014, ge=0)

    def require(self, dataset: Dataset) -> None:
        if not dataset.ood:
            raise VotewiseError(
                f"{dataset.name} has no inputs of another kind",
                remedy="probe digits, or cifar10h with cifar100 or svhn fetched, or call votewise.probes.ood",
            )

    def data(self, dataset: Dataset) -> dict[str, Any]:
        return dataset.ood_facts

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        self.require(subject.dataset)
        return ood(
            subject.model,
            subject.evaluation,
            {name: subject.outside(name) for name in subject.dataset.ood},
            training=subject.training,
            k=self.neighbours,
            detectors=DETECTORS,
            temperature=self.temperature,
            epsilon=[self.epsilon / std for std in subject.dataset.std] if subject.dataset.images else self.epsilon,
            chunk=chunk,
        )


class Reliability(Probe):
    """The smooth reliability curve of what a run predicted."""

    name: ClassVar[str] = "reliability"

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        return reliability(subject.log_probabilities, subject.problem.evaluation_votes, kind=LOGS)


class Diagnosis(Probe):
    """Where few votes led soft labels astray and hard delivery less so: a hard run against the soft one of its seed and K."""

    name: ClassVar[str] = "diagnosis"
    pair: ClassVar[bool] = True

    def fits(self, *configs: Config) -> bool:
        hard, soft = configs
        return hard.subsample is not None and soft.method.name == "soft" and hard.method.name != "soft"

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        (soft,) = others
        problem = subject.problem
        full, sparse = problem.evaluation_share, problem.seen(problem.evaluation_votes).probabilities()
        losses = [soft_nll(each.log_probabilities, full, kind=LOGS) for each in (soft, subject)]
        trained = problem.dataset.votes.probabilities(problem.training)
        on_training = [each.predictions[f"train_soft_nll_{self.checkpoint}"] for each in (soft, subject)]
        return diagnosis(full, sparse, *losses) | diagnosis(
            trained, problem.train_votes.probabilities(), *on_training, prefix="train_"
        )


class Spread(Probe):
    """Whether the predictions of a run are as spread as the votes, and when its own validation loss was lowest: against the majority for a delivery of it, else against the votes."""

    name: ClassVar[str] = "spread"

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        own = "majority_nll" if subject.problem.config.method.delivery == "majority" else "soft_nll"
        found = spread(subject.log_probabilities, subject.problem.evaluation_share, kind=LOGS)
        return found | own_loss(subject.run.history, own)


class SameWinner(Probe):
    """How much closer to the votes another run is than this one, where both name the winner."""

    name: ClassVar[str] = "same-winner"
    pair: ClassVar[bool] = True

    def fits(self, *configs: Config) -> bool:
        return configs[0].seed == configs[1].seed

    def measure(self, subject: Subject, *others: Subject, chunk: int = CHUNK) -> Reading:
        (other,) = others
        share = subject.problem.evaluation_share
        return same_winner(subject.log_probabilities, other.log_probabilities, share, kind=LOGS)


PROBES: dict[str, type[Probe]] = {
    kind.name: kind
    for kind in (
        CurvatureProbe, Spectrum, Barrier, Representation, Noise, Dynamics, OutOfDistribution, Reliability, Diagnosis, Spread, SameWinner,
    )
}  # fmt: skip
