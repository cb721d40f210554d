"""Train a run in its folder. It is trained only once, can be resumed after an interruption, and is never half-written."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import save

from votewise.datasets import Dataset
from votewise.errors import RunFailedError, RunLockedError, VotewiseError
from votewise.files import clear_half_written, write_atomic
from votewise.hashing import sealed
from votewise.scoring import score, soft_nll_per_item
from votewise.text import keep_model
from votewise.training import run_files as f
from votewise.training.checkpoint import description
from votewise.training.config import Config
from votewise.training.environment import Engine
from votewise.training.loop import Progress, Trained, initial_model, predict, rank, train, wait_for_ranks
from votewise.training.problem import Problem
from votewise.training.run import Run
from votewise.training.state import remove_state

OnProgress = Callable[[Progress], None]


def complete(
    dataset: Dataset,
    config: Config,
    store: str | Path,
    engine: Engine | None = None,
    on_progress: OnProgress = lambda _: None,
) -> Run:
    """Train or resume the run of `config` in `store`, or return it if it is finished.

    Raises:
        RunLockedError: If another process is training the run.
        RunFailedError: If the loss is not finite.
        VotewiseError: If the dataset does not match the configuration, or the store is not writable.
    """
    run, engine = Run.of(store, config), engine or Engine()
    if rank() > 0:  # only rank 0 writes
        if not run.finished:
            train(Problem(dataset, config), engine, run.folder)
            wait_for_ranks()
    elif run.finished:
        run.note_origin(dataset.origin)
    else:
        problem = Problem(dataset, config)
        _ = (
            problem.delivery,
            problem.tokens,
            initial_model(problem, 0),
        )  # rejects an invalid configuration before anything is written
        with _exclusive(run.folder):
            if not run.finished:
                _train(run, problem, engine, on_progress)
                wait_for_ranks()
            remove_state(run.folder)
    return Run(run.folder)


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """Lock the folder for this process, and remove half-written files of killed processes."""
    from filelock import FileLock, Timeout

    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=0, fallback_to_soft=False):
            clear_half_written(folder)
            yield
    except Timeout:
        raise RunLockedError(
            "another process is training this run", where=folder, remedy="wait until it finishes, or stop it"
        ) from None
    except OSError as error:
        raise VotewiseError(
            f"cannot write the run ({error.strerror or error})",
            where=folder,
            remedy="check the free space and the permissions of the folder",
        ) from None


def _train(run: Run, problem: Problem, engine: Engine, on_progress: OnProgress) -> None:
    config, began = problem.config, time.perf_counter()
    identity = {**config.identity, "dataset_name": config.dataset_name, "id": config.id}
    write_atomic(run.folder / f.CONFIG, f.as_json(identity))
    run.note_origin(problem.dataset.origin)
    (run.folder / f.FAILURE).unlink(missing_ok=True)  # this attempt replaces the failed one

    try:
        trained = train(problem, engine, run.folder, on_progress)
    except RunFailedError as error:
        run.note_failure(str(error))
        raise
    _write_results(run.folder, problem, trained)
    if epochs := trained.progress.epoch - trained.first:
        spent = {"epochs": epochs, "seconds": time.perf_counter() - began}
        write_atomic(run.folder / f.TIMING, json.dumps(sealed(spent)).encode() + b"\n")


def _write_results(folder: Path, problem: Problem, trained: Trained) -> None:
    """Score both checkpoints and write the remaining files of the run, with the scores last."""
    inputs, progress = problem.inputs(next(trained.model.parameters()).device), trained.progress
    arrays: dict[str, Any] = {"row": problem.evaluation_votes.row, "train_row": problem.training_rows}
    arrays["classes"] = np.array(problem.dataset.votes.classes)
    if problem.evaluation_votes.items is not None:  # a fixed-width dtype, because an .npz would pickle objects
        arrays["items"] = np.array(problem.evaluation_votes.items.tolist())
    results: dict[str, Any] = {}
    interpolation: dict[str, Any] = {"target_entropy": float(problem.train_votes.entropy().mean())}
    for name, weights in (("best", trained.best), ("last", trained.last)):
        trained.model.load_state_dict(weights)
        log_q, on_training = (predict(trained.model, inputs, part) for part in (problem.evaluation, problem.training))
        arrays[f"log_probabilities_{name}"] = log_q
        full = problem.dataset.votes.probabilities(problem.training)
        arrays[f"train_soft_nll_{name}"] = soft_nll_per_item(full, on_training).astype(np.float32)
        interpolation[f"train_loss_{name}"] = float(
            soft_nll_per_item(problem.train_votes.probabilities(), on_training).mean()
        )
        results[name], against_truth = scores_of(problem, log_q)
        if against_truth:
            results[f"{name}_against_truth"] = against_truth
        write_atomic(
            folder / f"{name}.safetensors", save({key: tensor.contiguous() for key, tensor in weights.items()})
        )
    net = description(problem)
    if problem.tokens is not None:
        net["files"] = keep_model(problem.text_model, folder)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_atomic(folder / f.PREDICTIONS, buffer.getvalue())
    write_atomic(folder / f.HISTORY, "".join(json.dumps(line) + "\n" for line in progress.history).encode())
    write_atomic(folder / f.ENVIRONMENT, f.as_json(sealed({"segments": progress.segments})))
    summary = {
        **results,
        "best_epoch": progress.best_epoch,
        "epochs": progress.epoch,
        "interpolation": interpolation,
        "tape": problem.tape(),
        "exact": len(progress.segments) == 1,
        "net": net,
        "digests": {name: f.sha256(folder / name) for name in f.DIGESTED},
    }
    write_atomic(folder / f.SCORES, f.as_json(sealed(summary)))


def scores_of(problem: Problem, log_q: NDArray[np.float32]) -> tuple[dict[str, float], dict[str, float]]:
    """Score log-probabilities [n, C] of the held-out items against their votes and, if known, against the true distributions."""
    labels = None if problem.dataset.labels is None else problem.dataset.labels[problem.evaluation]
    card = score(log_q, problem.evaluation_votes, truth=labels, kind="log-probabilities")
    if problem.dataset.truth is None:
        return card.as_dict()["scores"], {}
    truth = score(log_q, problem.dataset.truth.select(problem.evaluation), kind="log-probabilities")
    return card.as_dict()["scores"], truth.as_dict()["scores"]
