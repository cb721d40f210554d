"""The probes of stored runs by name: the items and weights they use, and the function that measures.

Reports look up readings here, so each probe imports torch only when it measures.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from pydantic import Field

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.probes.cka import similarity
from votewise.probes.example_items import examples
from votewise.probes.gradient_noise import noise
from votewise.probes.names import CHUNK
from votewise.probes.prediction_spread import own_loss, same_winner, soft_nll, spread
from votewise.probes.probe import Probe
from votewise.probes.quantities import DETECTORS
from votewise.probes.reading import Reading
from votewise.probes.reliability_curve import reliability
from votewise.probes.slices import HIGH, high
from votewise.probes.sparse_targets import diagnosis
from votewise.probes.training_dynamics import dynamics
from votewise.probes.validation import F32, F64, I64
from votewise.training import Config

if TYPE_CHECKING:
    from torch import nn

    from votewise.probes.probed_run import ProbedRun
    from votewise.training import Clean, CleanTexts

LOGS: Final = "log-probabilities"  # the kind of the predictions that a run stores
SHARE = Field(default=HIGH, gt=0, le=1)  # share of the items, those with the most disagreement
SEED = Field(default=0, ge=0)
_WITHOUT_MAPS = "without Grad-CAM: give the model an attribute `seen`, the layer whose output is maps [n, K, h, w]"


def evenly_spaced(count: int, at_most: int) -> I64:
    """Positions of at most `at_most` of `count` items, evenly spaced.

    >>> evenly_spaced(7, 3).tolist(), evenly_spaced(2, 3).tolist()
    ([0, 2, 4], [0, 1])
    """
    return np.arange(min(count, at_most)) * count // min(count, at_most)


class OnHeldOut(Probe):
    """A probe of a model on held-out items: on at most `items` of them, evenly spaced, or on all."""

    items: int | None = Field(default=None, ge=2)
    seed: int = SEED

    def held_out(self, run: ProbedRun) -> tuple[Clean | CleanTexts, F64]:
        """Inputs and vote shares [n, C] of these items."""
        share = run.problem.evaluation_share
        some = evenly_spaced(len(share), self.items or len(share))
        return run.evaluation.select(some), share[some]


class CurvatureProbe(OnHeldOut, name="curvature"):
    """Extreme eigenvalues and trace of the Hessian on the held-out items, and on those with the most disagreement."""

    share: float = SHARE
    probes: int = Field(default=100, ge=2)

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        from votewise.probes.loss_curvature import curvature

        model, disputed = run.model, run.disputed(self.share)
        parts = {
            "full": self.held_out(run),
            "high": (run.evaluation.select(disputed), run.problem.evaluation_share[disputed]),
        }
        readings = (
            curvature(model, x, p, probes=self.probes, seed=self.seed, chunk=chunk).reading(part)
            for part, (x, p) in parts.items()
        )
        return reduce(or_, readings)


class Spectrum(OnHeldOut, name="spectrum"):
    """The density of the Hessian's spectrum on the held-out items."""

    probes: int = Field(default=4, ge=1)
    steps: int = Field(default=30, ge=2)

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        from votewise.probes.density import spectral_density
        from votewise.probes.hessian import Hessian

        hessian = Hessian(run.model, *self.held_out(run), chunk=chunk)
        density = spectral_density(hessian, probes=self.probes, steps=self.steps, seed=self.seed)
        mean = float(np.trapezoid(density.x * density.y, density.x))
        return Reading({"spectrum_mean": mean}, {"density_full": {"x": density.x.tolist(), "y": density.y.tolist()}})


class Barrier(Probe, name="barrier", version=2, pair=True):  # since 2, the training items are evenly spaced
    """The loss along the straight line between two runs, on the held-out items of the first run."""

    points: int = Field(default=21, ge=3)
    reestimated_on: int = Field(default=2000, ge=2)  # training items for batch-norm statistics, evenly spaced

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        from votewise.probes.connectivity import barrier

        (other,) = others
        spaced = evenly_spaced(len(run.training), self.reestimated_on)
        return barrier(
            run.model,
            run.weights,
            other.weights,
            run.evaluation,
            run.problem.evaluation_share,
            training=run.training.select(spaced),
            points=self.points,
            chunk=chunk,
        )


class Representation(Probe, name="representation", pair=True, mutual=True):
    """How similarly two runs represent the items that both held out: penultimate layer and Grad-CAM maps."""

    share: float = SHARE

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        from votewise.probes.grad_cam import stability

        (other,) = others
        items, *positions = np.intersect1d(run.problem.evaluation, other.problem.evaluation, return_indices=True)
        if not len(items):
            raise VotewiseError(
                "the two runs share no held-out item", remedy="compare runs with the same split or overlapping splits"
            )
        disputed = high(run.dataset.votes.select(items).entropy(), self.share)
        represented = [_represented(each, chunk) for each in (run, other)]
        features = [features[part] for (features, _), part in zip(represented, positions, strict=True)]
        maps = [maps[part] for (_, maps), part in zip(represented, positions, strict=True) if maps is not None]
        reading = Reading({"items": len(items), "items_high": len(disputed)}) | similarity(*features)
        if len(maps) == 2:
            return reading | stability(maps[0], maps[1], disputed)
        return reading | Reading({}, notes=(_WITHOUT_MAPS,))


@lru_cache(64)
def _represented(run: ProbedRun, chunk: int) -> tuple[F32, F32 | None]:
    """Features [n, D] and, if the model has a layer `seen`, Grad-CAM maps [n, H, W] of the held-out items, shared by all pairs."""
    from votewise.probes.forward import outputs
    from votewise.probes.grad_cam import gradcam

    model = run.model
    features = outputs(model, run.evaluation, chunk=chunk).features
    layer: nn.Module | None = getattr(model, "seen", None)
    if layer is None:
        return features, None
    return features, gradcam(model, layer, run.evaluation, run.problem.evaluation_majority, chunk=chunk)


class Noise(Probe, name="noise"):
    """The variance of the last layer's gradient by label sampling, on the training items."""

    draws: int = Field(default=100, ge=2)
    seed: int = SEED

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        from votewise.probes.forward import outputs

        features = outputs(run.model, run.training, chunk=chunk).features
        share = run.dataset.votes.probabilities(run.problem.training)
        return noise(features, share, draws=self.draws, seed=self.seed, rows=run.problem.training_rows)


class Dynamics(Probe, name="dynamics"):
    """From the history of a run, the epoch at which it comes close to its best epoch, and the best epoch."""

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        return dynamics(run.run.history)


class OutOfDistribution(Probe, name="ood", version=2):  # ODIN's step is in pixels
    """How well a run detects out-of-distribution inputs among its held-out items."""

    neighbours: int = Field(default=50, ge=1)
    temperature: float = Field(default=1000.0, gt=0)
    epsilon: float = Field(default=0.0014, ge=0)

    def require(self, dataset: Dataset) -> None:
        if not dataset.ood:
            raise VotewiseError(
                f"{dataset.name} has no out-of-distribution inputs",
                remedy="probe digits, or cifar10h with cifar100 or svhn fetched, or call votewise.probes.ood",
            )

    def data(self, dataset: Dataset) -> dict[str, Any]:
        return dataset.ood_facts

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        from votewise.probes.detectors import ood

        self.require(run.dataset)
        return ood(
            run.model,
            run.evaluation,
            {name: run.outside(name) for name in run.dataset.ood},
            training=run.training,
            k=self.neighbours,
            detectors=tuple(DETECTORS),
            temperature=self.temperature,
            epsilon=[self.epsilon / std for std in run.dataset.std] if run.dataset.images else self.epsilon,
            chunk=chunk,
        )


class Reliability(Probe, name="reliability"):
    """The smooth reliability curve of a run's predictions."""

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        return reliability(run.log_probabilities, run.problem.evaluation_votes, kind=LOGS)


class Diagnosis(Probe, name="diagnosis", pair=True):
    """Whether hard labels beat soft labels where few votes mislead: a hard-label run against the soft-label run with the same seed and K."""

    def fits(self, *configs: Config) -> bool:
        hard, soft = configs
        return hard.subsample is not None and soft.method.name == "soft" and hard.method.name != "soft"

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        (soft,) = others
        problem = run.problem
        full, sparse = problem.evaluation_share, problem.seen(problem.evaluation_votes).probabilities()
        losses = [soft_nll(each.log_probabilities, full, kind=LOGS) for each in (soft, run)]
        trained = problem.dataset.votes.probabilities(problem.training)
        on_training = [each.stored.train_soft_nll for each in (soft, run)]
        return diagnosis(full, sparse, *losses) | diagnosis(
            trained, problem.train_votes.probabilities(), *on_training, prefix="train_"
        )


class Spread(Probe, name="spread"):
    """Whether the predictions of a run are as spread out as the votes, and when its validation loss was lowest."""

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        reading = spread(run.log_probabilities, run.problem.evaluation_share, kind=LOGS)
        return reading | own_loss(run.run.history, _own_loss(run))


def _own_loss(run: ProbedRun) -> str:
    """The validation loss of the kind that a run was trained with."""
    return "majority_nll" if run.problem.config.method.delivery == "majority" else "soft_nll"


class SameWinner(Probe, name="same-winner", pair=True):
    """How much closer another run is to the votes than this run, where both predict the majority."""

    def fits(self, *configs: Config) -> bool:
        return configs[0].seed == configs[1].seed

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        (other,) = others
        return same_winner(run.log_probabilities, other.log_probabilities, run.problem.evaluation_share, kind=LOGS)


class Examples(SameWinner, name="examples", pair=True):
    """Votes and the predictions of two runs for a few items, and the validation loss of each run."""

    def measure(self, run: ProbedRun, *others: ProbedRun, chunk: int = CHUNK) -> Reading:
        (other,) = others
        problem = run.problem
        reading = examples(
            run.log_probabilities, other.log_probabilities, problem.evaluation_share, rows=problem.evaluation, kind=LOGS
        )
        first, second = ([line[_own_loss(each)] for line in each.run.history] for each in (run, other))
        epochs = [line["epoch"] for line in run.run.history][: len(second)]
        validation = {"epoch": epochs, "first": first[: len(epochs)], "second": second[: len(epochs)]}
        return reading | Reading({}, {"validation": validation})


PROBES: dict[str, type[Probe]] = {  # described in `votewise.probes.names`
    kind.name: kind
    for kind in (
        CurvatureProbe, Spectrum, Barrier, Representation, Noise, Dynamics, OutOfDistribution, Reliability, Diagnosis, Spread, SameWinner, Examples,
    )
}  # fmt: skip
