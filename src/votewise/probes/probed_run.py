"""A checkpoint of a finished run with its data: the items it was trained on and the held-out ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from torch import Tensor

from votewise.datasets import Dataset
from votewise.probes.slices import high
from votewise.probes.validation import F32, I64
from votewise.training import Checkpoint, Clean, Net, Normaliser, Problem, Run
from votewise.training.checkpoint import loaded


@dataclass(frozen=True, eq=False)
class ProbedRun:
    """One checkpoint, "best" or "last", of a run."""

    run: Run
    problem: Problem
    checkpoint: str = "best"
    device: str = "cpu"

    @property
    def id(self) -> str:
        return self.problem.config.id

    @property
    def dataset(self) -> Dataset:
        return self.problem.dataset

    @cached_property
    def weights(self) -> dict[str, Tensor]:
        """The tensors of the checkpoint by name."""
        return self.stored.weights

    @cached_property
    def model(self) -> Net:
        """The model with the weights of the checkpoint, in evaluation mode."""
        name = self.problem.config.recipe.model
        return loaded(self.run.folder, self.checkpoint, name, self.problem.shape, self.problem.classes).to(self.device)

    @cached_property
    def evaluation(self) -> Clean:
        """The held-out inputs."""
        return Clean(self.dataset.inputs, self._normalise, self.problem.evaluation)

    @cached_property
    def training(self) -> Clean:
        """The training inputs, not augmented."""
        return Clean(self.dataset.inputs, self._normalise, self.problem.training)

    def outside(self, name: str) -> Clean:
        """The out-of-distribution inputs called `name`: near or far."""
        return Clean(self.dataset.ood[name], self._normalise)

    @cached_property
    def _normalise(self) -> Normaliser:
        return Normaliser.of(self.dataset, self.device)

    def disputed(self, share: float) -> I64:
        """The share of the held-out items that annotators disagree on most, as positions among them."""
        return high(self.problem.evaluation_votes.entropy(), share)

    @property
    def stored(self) -> Checkpoint:
        """The checkpoint as the run stored it: scores, weights, predictions."""
        return self.run.checkpoint(self.checkpoint)

    @property
    def log_probabilities(self) -> F32:
        """Of the held-out items [n, C], at this checkpoint."""
        return self.stored.log_probabilities
