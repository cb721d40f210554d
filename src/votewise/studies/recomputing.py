"""Recompute the results of a finished run from its files, its data and its weights.

Some numbers can only be checked with `--retrain`: the training losses and scores of epochs other than the best and the last, and, if votes were
sub-sampled, the training losses of checkpoints, because only losses against all votes are stored.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import torch

from votewise.errors import VotewiseError
from votewise.importing import is_import_path
from votewise.probes import ProbedRun
from votewise.training import Problem, Run, description, learning_rate, measured, scores_of
from votewise.wording import listing

TOLERANCE = 1e-9  # tolerance for recomputed scores, possibly from another machine
SINGLE = 1e-5  # tolerance for means of values stored in single precision
SHARES = 1e-2  # tolerance for probabilities recomputed from weights, possibly from another machine
ITEMS = 32  # number of items whose predictions are recomputed from the weights


def wrong_in_history(run: Run) -> Iterator[str]:
    """Compare the history with the recipe; needs no data."""
    history, summary, recipe = run.history, run.summary, run.config.recipe
    epochs = list(range(recipe.epochs))
    if not summary["epochs"] == recipe.epochs == len(history) or [line.get("epoch") for line in history] != epochs:
        yield f"the history does not have the {recipe.epochs} epochs of the recipe"
        return
    chosen_by = [line.get("selection_nll", line.get("soft_nll", math.nan)) for line in history]
    if (best := int(np.argmin(chosen_by))) != summary["best_epoch"]:
        yield f"the best epoch is {best}, not {summary['best_epoch']}"
        return
    if recipe.schedule != "linear" and not recipe.warmup:
        rates = [learning_rate(recipe.lr, recipe.schedule, epoch, recipe.epochs) for epoch in epochs]
        if not np.allclose(rates, [line.get("lr", math.nan) for line in history], rtol=TOLERANCE):
            yield "the learning rates in the history do not match the recipe"


def wrong_between_history_and_scores(run: Run) -> Iterator[str]:
    """Compare the history with the scores, for runs whose data is not available to recompute them."""
    history = run.history
    for checkpoint in run.checkpoints:
        if differences({"soft_nll": history[checkpoint.epoch]["soft_nll"]}, checkpoint.scores, SINGLE):
            yield f"the history and the scores have different values of soft_nll at the {checkpoint.name} epoch"


def wrong_in_numbers(run: Run, problem: Problem) -> Iterator[str]:
    """Recompute the label digest, the description of the model and everything that follows from the predictions."""
    if problem.tape() != run.tape:
        yield "the labels differ from those used in training (label digest)"
    recorded_net, net = run.summary.get("net") or {}, description(problem)
    if wrong := [name for name in net if name in recorded_net and not _same(recorded_net[name], net[name])]:
        yield f"the description of the model ({listing(wrong)}), which predictions for new inputs use, does not match the data"
    if not np.array_equal(run.predictions.row, problem.evaluation_votes.row):
        yield "the predictions are for other items than those that the split holds out"
        return
    interpolation = {"target_entropy": float(problem.train_votes.entropy().mean())}
    for checkpoint in run.checkpoints:
        votes, truth = scores_of(problem, checkpoint.log_probabilities)
        for name, recorded, again in (
            (checkpoint.name, checkpoint.scores, votes),
            (f"{checkpoint.name}_against_truth", checkpoint.scores_against_truth, truth),
        ):
            if wrong := differences(recorded, again):
                yield f"the scores {listing(wrong)} ({name}) do not match the predictions"
        line = measured(problem, checkpoint.log_probabilities)
        if wrong := differences(run.history[checkpoint.epoch], line, SINGLE):
            yield f"{listing(wrong)} at the {checkpoint.name} epoch in the history does not match the predictions"
        if run.config.subsample is None:
            interpolation[f"train_loss_{checkpoint.name}"] = float(checkpoint.train_soft_nll.astype(np.float64).mean())
    if wrong := differences(vars(run.interpolation), interpolation, SINGLE):
        yield f"{listing(wrong)} does not match the predictions and votes"


def _same(recorded: Any, again: Any) -> bool:
    """Whether two values of the description are equal, up to the last bits of means and standard deviations."""
    if isinstance(again, list) and again and isinstance(again[0], float):
        return len(recorded) == len(again) and np.allclose(recorded, again, rtol=SINGLE, atol=TOLERANCE)
    return bool(recorded == again)


def wrong_in_weights(run: Run, problem: Problem) -> Iterator[str]:
    """Compare the predictions for some held-out items with the weights."""
    some = np.unique(np.linspace(0, len(problem.evaluation) - 1, ITEMS).astype(np.int64))
    for checkpoint in run.checkpoints:
        try:
            model = ProbedRun(run, problem, checkpoint.name).model
        except VotewiseError:
            if is_import_path(run.config.recipe.model):  # a custom model that cannot be imported or has changed
                return
            raise
        inputs = problem.clean(problem.evaluation[some], "cpu")
        with torch.no_grad():
            again = model(inputs[slice(0, len(some))]).float().softmax(1).numpy()
        if not np.allclose(again, np.exp(checkpoint.log_probabilities[some]), rtol=0, atol=SHARES):
            yield f"the predictions ({checkpoint.name}) do not match the weights"


def differences(recorded: Mapping[str, float], again: Mapping[str, float], tolerance: float = TOLERANCE) -> list[str]:
    """The numbers with different values. Numbers that only one side has are ignored, because versions of votewise have different scores."""
    both = [name for name in recorded if name in again]
    return [
        name for name in both if not math.isclose(recorded[name], again[name], rel_tol=tolerance, abs_tol=tolerance)
    ]
