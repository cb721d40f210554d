"""The training loop.

A step is a function of the weights, the momentum and (seed, epoch, step). Nothing else is kept between steps, so a run that is killed at any
point and resumed from its last state gives the same bits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from numpy.typing import NDArray
from torch import Tensor, nn

from votewise import counter
from votewise.arrays import F32
from votewise.errors import RunFailedError
from votewise.scoring import soft_nll_per_item
from votewise.training.environment import Engine
from votewise.training.models import build, torchvision_init
from votewise.training.problem import Problem
from votewise.training.recipe import Recipe
from votewise.training.state import Tensors, read_state, restore, tensors_of, write_state


@dataclass
class Progress:
    """The progress of a run, as reported by `fit(on_progress=...)`: the part of the state that is not tensors.

    Attributes:
        epoch: Number of finished epochs.
        step: Number of finished steps of the current epoch.
        loss_sum: Sum of the loss over the examples of the current epoch so far.
        best_epoch: The best epoch so far, counted from 0; -1 before the first epoch is finished.
        best_value: Soft NLL of the best epoch.
        history: One row per finished epoch, as in `Run.history`.
        segments: The points at which the environment changed, with the new environment.
    """

    epoch: int = 0
    step: int = 0
    loss_sum: float = 0.0
    best_epoch: int = -1
    best_value: float = math.inf
    history: list[dict[str, float]] = field(default_factory=list)
    segments: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class Trained:
    """The result of the loop: weights of the best and of the last epoch, and the progress."""

    model: nn.Module
    best: Tensors
    last: Tensors
    progress: Progress
    first: int  # the epoch in which this session began


def train(
    problem: Problem,
    engine: Engine,
    folder: Path | None = None,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> Trained:
    """Train from the start, or from the state in `folder`. `on_progress` is called after every epoch and after every saved state."""
    recipe, seed = problem.config.recipe, problem.config.seed_of("training")
    device = engine.prepare()
    model = initial_model(problem, seed).to(device)
    optimiser = optimiser_for(model, recipe)
    inputs, progress, best, slot = problem.inputs(device), Progress(), {}, 1
    if folder is not None and (state := read_state(folder)):
        slot, tensors, saved = state
        best, progress = restore(tensors, model, optimiser), Progress(**saved)
    environment = engine.describe(*(() if problem.tokens is None else ("transformers", "tokenizers")))
    if not progress.segments or progress.segments[-1]["environment"] != environment:
        progress.segments.append({"epoch": progress.epoch, "step": progress.step, "environment": environment})
    step_model = _distributed(torch.compile(model) if engine.compile else model)
    order_key, mix_key = counter.key("order", seed), counter.key("mixup", seed)
    count, size = len(problem.training), recipe.batch_size
    steps = math.ceil(count / size)
    random, first = _random_numbers(device), progress.epoch
    saved_at = time.monotonic()

    def checkpoint() -> None:
        nonlocal slot, saved_at
        if folder is not None and rank() == 0:
            slot = 1 - slot
            write_state(folder, slot, tensors_of(model, optimiser, best), vars(progress))
        saved_at = time.monotonic()
        on_progress(progress)

    while progress.epoch < recipe.epochs:
        epoch = progress.epoch
        order = inputs.order(counter.order(order_key, epoch, problem.training_rows), size, epoch)
        targets = problem.targets(epoch, device)
        model.train()
        for step in range(progress.step, steps):
            for group in optimiser.param_groups:
                group["lr"] = rate_of(recipe, epoch, step, steps)
            random.manual_seed(int(counter.draw(order_key, epoch, count + step)))  # for dropout
            batch = order[step * size : (step + 1) * size]
            mine = batch[rank() :: _world()]
            weight = len(mine)  # a rank without examples takes part with weight 0
            mine = mine if weight else batch[:1]
            x, y = inputs.augmented(problem.training[mine], epoch), targets[torch.from_numpy(mine).to(device)]
            with torch.autocast(device.type, torch.bfloat16, enabled=recipe.precision == "bfloat16"):
                loss = _loss(step_model, x, y, problem.config.method.mixup, mix_key, epoch, step)
            optimiser.zero_grad()
            (loss * (weight * _world() / len(batch))).backward()  # type: ignore[no-untyped-call]  # torch does not type backward
            optimiser.step()
            progress.loss_sum += float(loss.detach()) * weight
            progress.step = step + 1
            if (
                _world() == 1 and time.monotonic() - saved_at > engine.checkpoint_seconds
            ):  # ranks are synchronised only at the end of an epoch
                checkpoint()
        _finish_epoch(problem, model, inputs, progress, best, rate_of(recipe, epoch, steps - 1, steps))
        if time.monotonic() - saved_at > min(engine.checkpoint_seconds, 5.0):
            checkpoint()
        else:
            on_progress(progress)
    return Trained(model, best, {name: tensor.clone() for name, tensor in model.state_dict().items()}, progress, first)


def _finish_epoch(
    problem: Problem, model: nn.Module, inputs: Any, progress: Progress, best: Tensors, lr: float
) -> None:
    """Evaluate the model, add the epoch to the history, and keep the weights if they are the best so far."""
    log_q = predict(model, inputs, problem.evaluation)
    held_out = measured(problem, log_q)
    value = held_out["soft_nll"]
    train_loss = _over_ranks(progress.loss_sum) / len(problem.training)
    if not (math.isfinite(value) and math.isfinite(train_loss)):
        raise RunFailedError(
            f"the training loss is {train_loss} and the held-out soft NLL {value} after epoch {progress.epoch + 1}",
            remedy="lower the learning rate",
        )
    apart = problem.selection is not problem.evaluation
    on_selection = predict(model, inputs, problem.selection) if apart else log_q
    selection = float(soft_nll_per_item(problem.selection_share, on_selection).mean())
    line = {"epoch": progress.epoch, "lr": lr, "train_loss": train_loss, **held_out}
    progress.history.append({**line, "selection_nll": selection} if apart else line)
    if selection < progress.best_value:
        progress.best_epoch, progress.best_value = progress.epoch, selection
        best.update({name: tensor.detach().clone() for name, tensor in model.state_dict().items()})
    progress.epoch, progress.step, progress.loss_sum = progress.epoch + 1, 0, 0.0


def measured(problem: Problem, log_q: F32) -> dict[str, float]:
    """The columns of the history that follow from log-probabilities [n, C] of the held-out items."""
    majority = problem.evaluation_majority
    return {
        "soft_nll": float(soft_nll_per_item(problem.evaluation_share, log_q).mean()),
        "majority_nll": float(-log_q[np.arange(len(log_q)), majority].mean()),
        "accuracy": float((log_q.argmax(axis=1) == majority).mean()),
    }


def initial_model(problem: Problem, seed: int) -> nn.Module:
    """The model with initial weights by the `init` of the recipe, seeded by the counter: the same for all methods with one seed."""
    recipe = problem.config.recipe
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(counter.key("init", seed) >> 1)
        model = build(recipe.model, problem.shape, problem.classes, recipe.model_source)
        if recipe.init == "torchvision":
            torchvision_init(model)
        return model


def _random_numbers(device: torch.device) -> torch.Generator:
    """The generator from which layers like dropout draw; `torch.manual_seed` would take 0.3 ms per step if there is no GPU."""
    if device.type == "cpu":
        return torch.default_generator
    return torch.cuda.default_generators[torch.cuda.current_device() if device.index is None else device.index]


def optimiser_for(model: nn.Module, recipe: Recipe) -> torch.optim.Optimizer:
    """SGD, or AdamW without weight decay on biases and norms."""
    if recipe.optimiser == "sgd":
        return torch.optim.SGD(
            model.parameters(), recipe.lr, recipe.momentum, weight_decay=recipe.weight_decay, nesterov=recipe.nesterov
        )
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    groups = [
        {"params": [one for one in trained if one.ndim > 1], "weight_decay": recipe.weight_decay},
        {"params": [one for one in trained if one.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW([group for group in groups if group["params"]], recipe.lr)


def rate_of(recipe: Recipe, epoch: int, step: int, steps: int) -> float:
    """The learning rate of a step: constant within an epoch, unless the schedule is linear or has a warm-up."""
    if recipe.schedule != "linear" and not recipe.warmup:
        return learning_rate(recipe.lr, recipe.schedule, epoch, recipe.epochs)
    step, total = epoch * steps + step, recipe.epochs * steps
    rising = math.ceil(recipe.warmup * total)
    if step < rising:
        return recipe.lr * (step + 1) / rising
    return learning_rate(recipe.lr, recipe.schedule, step - rising, total - rising)


def learning_rate(base: float, schedule: str, epoch: int, epochs: int) -> float:
    """The learning rate of an epoch or step: a half cosine or a line from `base` to 0, or constant."""
    if schedule == "linear":
        return base * (1 - epoch / epochs)
    return base if schedule == "constant" else base * 0.5 * (1 + math.cos(math.pi * epoch / epochs))


def _loss(model: nn.Module, x: Tensor, y: Tensor, alpha: float, key: int, epoch: int, step: int) -> Tensor:
    """Cross-entropy against classes or distributions; with mixup, on the batch mixed with a permutation of itself."""
    if not alpha:
        return nn.functional.cross_entropy(model(x), y)
    u = counter.uniform(key, epoch, np.array([step]))[0]
    share = float(u)
    if alpha != 1:
        from scipy.special import betaincinv

        share = float(betaincinv(alpha, alpha, u))
    other = torch.from_numpy(counter.order(key, epoch * 2**20 + step + 2**40, np.arange(len(x)))).to(x.device)
    logits = model(share * x + (1 - share) * x[other])
    return share * nn.functional.cross_entropy(logits, y) + (1 - share) * nn.functional.cross_entropy(logits, y[other])


@torch.no_grad()
def predict(model: nn.Module, inputs: Any, index: NDArray[Any]) -> F32:
    """Log-probabilities [n, C] of the clean examples at `index`, in evaluation mode."""
    model.eval()
    order, size = inputs.evaluated(index)
    parts = [model(inputs.clean(index[order[at : at + size]])) for at in range(0, len(order), size)]
    out: F32 = np.empty((len(order), parts[0].shape[1]), np.float32)
    out[order] = torch.cat(parts).float().log_softmax(1).cpu().numpy()
    return out


def _distributed(model: Any) -> Any:
    return nn.parallel.DistributedDataParallel(model) if _world() > 1 else model


def _over_ranks(value: float) -> float:
    if _world() == 1:
        return value
    total = torch.tensor(value, dtype=torch.float64)
    dist.all_reduce(total)
    return float(total)


def rank() -> int:
    """The rank of this process in a distributed run; rank 0 writes."""
    return dist.get_rank() if dist.is_available() and dist.is_initialized() else 0


def wait_for_ranks() -> None:
    """Wait until the run is written, so that it is finished on every rank when `complete` returns.

    Otherwise, a rank that exits right after its last `all_reduce` could crash: a gloo thread requests the interpreter lock to free the
    tensor of that call, and Python kills threads that request the lock during shutdown.
    """
    if _world() > 1:
        dist.barrier()


def _world() -> int:
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1
