"""A checkpoint of a finished run with its data: the training items and the held-out items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from torch import Tensor, nn

from votewise.datasets import Dataset
from votewise.probes.slices import high
from votewise.probes.validation import F32, I64
from votewise.training import Checkpoint, Clean, CleanTexts, Normaliser, Problem, Run, load_model


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

    @property
    def weights(self) -> dict[str, Tensor]:
        """The tensors of the checkpoint by name. They are read again each time, so that a worker does not keep those of many runs."""
        return self.stored.weights

    @property
    def model(self) -> nn.Module:
        """The model with the weights of the checkpoint, in evaluation mode; read again each time, as the weights are."""
        recipe, problem = self.problem.config.recipe, self.problem
        return load_model(self.run.folder, self.checkpoint, recipe, problem.shape, problem.classes).to(self.device)

    @cached_property
    def evaluation(self) -> Clean | CleanTexts:
        """The held-out inputs."""
        return self.problem.clean(self.problem.evaluation, self.device)

    @cached_property
    def training(self) -> Clean | CleanTexts:
        """The training inputs, not augmented."""
        return self.problem.clean(self.problem.training, self.device)

    def outside(self, name: str) -> Clean:
        """The out-of-distribution inputs called `name`: near or far."""
        return Clean(self.dataset.ood[name], Normaliser.of(self.dataset, self.device))

    def disputed(self, share: float) -> I64:
        """Positions of the held-out items with the most disagreement, a share of all held-out items."""
        return high(self.problem.evaluation_votes.entropy(), share)

    @property
    def stored(self) -> Checkpoint:
        """The checkpoint as the run stored it: scores, weights, predictions."""
        return self.run.checkpoint(self.checkpoint)

    @property
    def log_probabilities(self) -> F32:
        """Log-probabilities of the held-out items [n, C] at this checkpoint."""
        return self.stored.log_probabilities
