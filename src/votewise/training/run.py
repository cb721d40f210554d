"""A run is a folder named by its configuration: trained once, finished in a fixed order, never half-written.

    config.json  data.json  history.jsonl  timing.jsonl  environment.json  predictions.npz  best.safetensors  last.safetensors  scores.json

`scores.json` is written last and names the SHA-256 of what the numbers are and of itself: a run is finished when it is there and they match.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
from safetensors.torch import save

from votewise.datasets import Dataset
from votewise.errors import RunFailedError, RunLockedError, VotewiseError
from votewise.files import write_atomic
from votewise.scoring import score, soft_nll_per_item
from votewise.training.checkpoint import check_checkpoint, description, loaded, probabilities
from votewise.training.config import Asked, Config, Split, Subsample
from votewise.training.environment import Engine
from votewise.training.folder import FILES, finished, note_failure, note_origin, sealed, sha256
from votewise.training.loop import Progress, Trained, predict, rank, train
from votewise.training.method import Method
from votewise.training.models import Net
from votewise.training.problem import Problem
from votewise.training.recipe import Recipe
from votewise.training.state import remove_state
from votewise.validation import checked
from votewise.votes import Votes


@dataclass(frozen=True)
class Run:
    """A finished run, read from its folder."""

    folder: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))

    @cached_property
    def scores(self) -> dict[str, Any]:
        """`best` and `last` scores by name, the epochs they belong to, and what the run says of itself."""
        return json.loads((self.folder / "scores.json").read_text())  # type: ignore[no-any-return]

    @property
    def history(self) -> list[dict[str, float]]:
        """A mapping for each epoch, counted from 0.

        epoch, lr                     its number, and the learning rate in it
        train_loss                    mean over its training examples, as they were augmented and labelled in it
        soft_nll, majority_nll        after it, of the held-out items: against all their votes, and against their majority
        accuracy                      and the share of them whose majority is predicted
        selection_nll                 soft NLL of the selection items, if the split has a part for them
        """
        return [json.loads(line) for line in (self.folder / "history.jsonl").read_text().splitlines()]

    @property
    def classes(self) -> list[str]:
        """The classes in the order of the predictions."""
        return list(self._described["classes"])

    def predict(self, inputs: Any, checkpoint: Literal["best", "last"] = "best") -> np.ndarray[Any, Any]:
        """Probabilities [n, C] of new inputs, in the form of those it was trained on: a dataset, pictures (uint8) [n, H, W, C] or features [n, D]."""
        check_checkpoint(checkpoint)
        values = inputs.inputs if isinstance(inputs, Dataset) else np.asarray(inputs)
        return probabilities(self.folder, checkpoint, self._described, values)

    def model(self, checkpoint: Literal["best", "last"] = "best") -> Net:
        """The trained net, a torch module in evaluation mode with the weights of a checkpoint, to go on with.

        It takes normalised inputs, float32, and gives logits [n, C] in the order of `classes`: pictures as [n, C, H, W] in channels-last
        layout, (x / 255 - mean) / std for x uint8 [n, H, W, C]; features as (x - mean) / std [n, D]. `scores["net"]` has the mean and std.
        `predict` does that with inputs as they are, and the softmax after it.
        """
        check_checkpoint(checkpoint)
        net = self._described
        return loaded(self.folder, checkpoint, net["model"], tuple(net["shape"]), len(net["classes"]))

    @property
    def _described(self) -> dict[str, Any]:
        if "net" not in self.scores:
            raise VotewiseError(
                "this run does not say what its inputs were",
                where=self.folder,
                remedy="train it again with this version",
            )
        return self.scores["net"]  # type: ignore[no-any-return]

    def predictions(self) -> dict[str, np.ndarray[Any, Any]]:
        """What it said of the held-out items: log-probabilities by checkpoint, classes, and the rows and, where there are any, the ids of the items."""
        with np.load(self.folder / "predictions.npz", allow_pickle=False) as arrays:
            return dict(arrays)


def configure(
    dataset: Dataset,
    method: Method,
    recipe: Recipe | None = None,
    *,
    seed: int = 0,
    votes_per_item: int | None = None,
    subsample: str = "multinomial",
    subsample_seed: int | None = None,
    split: Split | None = None,
    training_seed: int | None = None,
) -> Config:
    """The configuration of one run; nested sub-sampling to as many votes as there are is no sub-sampling."""
    asked = checked(
        Asked,
        {"seed": seed, "votes_per_item": votes_per_item, "subsample": subsample, "subsample_seed": subsample_seed},
    )
    sparse = None
    if asked.votes_per_item is not None:
        sparse = Subsample(k=asked.votes_per_item, kind=asked.subsample, seed=asked.subsample_seed)
    if (
        sparse
        and sparse.kind == "nested"
        and isinstance(dataset.votes, Votes)
        and sparse.k >= dataset.votes.votes_per_item.max()
    ):
        sparse = None
    return Config(
        dataset=dataset.fingerprint, dataset_name=dataset.name, method=method, recipe=recipe or Recipe(), split=split or Split(),
        subsample=sparse, seed=asked.seed, training_seed=training_seed,
    )  # fmt: skip


def complete(
    dataset: Dataset,
    config: Config,
    store: Path,
    engine: Engine | None = None,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Run:
    """Train the run of `config` in `store`/runs, or go on with it, or give it back if it is finished."""
    from filelock import FileLock, Timeout

    folder = Path(store) / "runs" / config.folder_name
    if rank() > 0:  # a helper of the process that writes
        if not finished(folder):
            train(Problem(dataset, config), engine or Engine(), folder)
        return Run(folder)
    if finished(folder):
        note_origin(folder, dataset.origin)
        return Run(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / ".lock", timeout=0, fallback_to_soft=False)
        with lock:
            for left in folder.glob(".*.*"):  # half-written by a process that was killed
                left.unlink()
            if not finished(folder):
                problem = Problem(dataset, config)
                write_atomic(
                    folder / "config.json",
                    _json({**config.identity, "dataset_name": config.dataset_name, "id": config.id}),
                )
                note_origin(folder, dataset.origin)
                (folder / "failure.json").unlink(missing_ok=True)  # it is tried again
                began, first = time.perf_counter(), list[int]()

                def heard(progress: Progress) -> None:
                    first.append(max(progress.epoch - 1, 0))
                    tell(progress)

                try:
                    trained = train(problem, engine or Engine(), folder, heard)
                except RunFailedError as error:
                    note_failure(folder, str(error))
                    raise
                _finish(folder, problem, trained)
                spent = {"epochs": config.recipe.epochs - min(first, default=0), "seconds": time.perf_counter() - began}
                write_atomic(folder / "timing.jsonl", json.dumps(spent).encode() + b"\n")
            remove_state(folder)
    except Timeout:
        raise RunLockedError(
            "another process is training this run", where=folder, remedy="wait for it, or stop it"
        ) from None
    except OSError as error:
        raise VotewiseError(
            f"cannot write the run ({error.strerror or error})",
            where=folder,
            remedy="check the space and permissions there",
        ) from None
    return Run(folder)


def _finish(folder: Path, problem: Problem, trained: Trained) -> None:
    """Score both checkpoints and write what is left of the run, the scores last."""
    inputs, progress = problem.inputs(next(trained.model.parameters()).device), trained.progress
    arrays: dict[str, Any] = {"row": problem.evaluation_votes.row, "train_row": problem.training_rows}
    arrays["classes"] = np.array(problem.dataset.votes.classes)
    if problem.evaluation_votes.items is not None:
        arrays["items"] = np.array(
            problem.evaluation_votes.items.tolist()
        )  # of fixed width: an .npz would pickle others
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
        results |= scores_of(problem, name, log_q)
        write_atomic(
            folder / f"{name}.safetensors", save({key: tensor.contiguous() for key, tensor in weights.items()})
        )
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    write_atomic(folder / "predictions.npz", buffer.getvalue())
    write_atomic(folder / "history.jsonl", "".join(json.dumps(line) + "\n" for line in progress.history).encode())
    write_atomic(folder / "environment.json", _json({"segments": progress.segments}))
    summary = {
        **results,
        "best_epoch": progress.best_epoch,
        "epochs": progress.epoch,
        "interpolation": interpolation,
        "tape": problem.delivery.fingerprint(problem.config.recipe.epochs),
        "exact": len(progress.segments) == 1,
        "net": description(problem),
        "digests": {name: sha256(folder / name) for name in FILES},
    }
    write_atomic(folder / "scores.json", _json(sealed(summary)))


def scores_of(problem: Problem, checkpoint: str, log_q: np.ndarray[Any, Any]) -> dict[str, dict[str, float]]:
    """The scores of log-probabilities [n, C] of the evaluation items: against their votes and, where it is known, the truth."""
    labels = None if problem.dataset.labels is None else problem.dataset.labels[problem.evaluation]
    card = score(log_q, problem.evaluation_votes, truth=labels, kind="log-probabilities")
    results = {checkpoint: card.as_dict()["scores"]}
    if problem.dataset.truth is not None:
        known = problem.dataset.truth.select(problem.evaluation)
        results[f"{checkpoint}_against_truth"] = score(log_q, known, kind="log-probabilities").as_dict()["scores"]
    return results


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True, allow_nan=False).encode() + b"\n"
