"""A run: one training of one configuration, stored in its folder."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.files import read_bytes, read_text, write_atomic
from votewise.frozen import without_caches
from votewise.hashing import DIGEST, seal_holds, sealed
from votewise.packed import ArrayFile
from votewise.training import run_files as f
from votewise.training.config import Config
from votewise.training.run_results import (
    CHECKPOINTS,
    Checkpoint,
    CheckpointName,
    Interpolation,
    Predictions,
    check_checkpoint,
)
from votewise.validation import checked
from votewise.wording import quoted

if TYPE_CHECKING:
    from torch import nn


@dataclass(frozen=True)
class Run:
    """A run stored in a folder, finished or not.

    Example:
        >>> run = Run("STORE/runs/digits-sls-s0-8b0eec6ac6b6d885")
        >>> run.id, run.finished, run.why_unfinished
        ('8b0eec6ac6b6d885', False, 'not started')
    """

    folder: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))

    def __getstate__(self) -> dict[str, Any]:
        return without_caches(self)

    @classmethod
    def of(cls, store: str | Path, config: Config) -> Run:
        """The run of a configuration in a store, whether it exists or not."""
        return cls.named(store, config.folder_name)

    @classmethod
    def named(cls, store: str | Path, name: str) -> Run:
        """The run with this folder name in a store, whether it exists or not."""
        if Path(name).name != name or name == "..":
            raise VotewiseError(
                f"{quoted(name)} cannot be the folder name of a run", where=store, remedy="train the run again"
            )
        return cls(Path(store) / f.RUNS / name)

    @classmethod
    def all(cls, store: str | Path) -> list[Run]:
        """All runs of a store, finished or not, sorted by folder name."""
        try:
            return [cls(path) for path in sorted((Path(store) / f.RUNS).iterdir()) if path.is_dir()]
        except OSError:  # none yet, or no permission
            return []

    def __str__(self) -> str:
        """The soft NLL at both checkpoints, and how the best epoch was chosen."""
        if not self.scored:
            return f"{self.name}: {self.why_unfinished}"
        best, last = (checkpoint.scores["soft_nll"] for checkpoint in self.checkpoints)
        return f"{self.name}: soft NLL {best:.4f} at the best epoch, {last:.4f} at the last\n{self.choice}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))  # in a notebook

    # --- identity and state ---------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name of its folder."""
        return self.folder.name

    @property
    def id(self) -> str:
        """The id at the end of that name."""
        return self.name.rpartition("-")[2]

    @property
    def store(self) -> Path:
        """The store that contains the run."""
        return self.folder.resolve().parent.parent

    @cached_property
    def config(self) -> Config:
        """The configuration that it was trained with."""
        values = {key: value for key, value in self._config_file.items() if key not in ("schema", "id")}
        return checked(Config, values, where=self.folder / f.CONFIG)

    @property
    def recorded_id(self) -> str | None:
        """The id in `config.json`, which must agree with `name` and `config`."""
        return self._config_file.get("id")

    @cached_property
    def _config_file(self) -> dict[str, Any]:
        return self._json(f.CONFIG)

    def _json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        if (content := f.content(path)) is None:
            raise VotewiseError("cannot be read", where=path, remedy="train the run again")
        return content

    @property
    def started(self) -> bool:
        """Whether the folder contains a configuration."""
        return (self.folder / f.CONFIG).exists()

    @property
    def scored(self) -> bool:
        """Whether the folder contains scores: the run has been finished, but its files may be damaged since."""
        return (self.folder / f.SCORES).exists()

    @property
    def finished(self) -> bool:
        """Whether every file is present and matches its digest, except large files that an archive left out. A file that did not change is not read again."""
        return next(f.damage(self.folder, f.known_sha256), None) is None

    @property
    def damage(self) -> list[str]:
        """What is missing or does not match its digest, one entry per file."""
        return list(f.damage(self.folder, f.sha256))

    @property
    def archived(self) -> list[str]:
        """The large files that are missing because an archive left them out."""
        return [name for name in f.left_out(self.folder) if not (self.folder / name).exists()]

    @property
    def why_unfinished(self) -> str:
        """The reason why the run is not finished."""
        if not self.folder.is_dir():
            return "not started"
        if self.scored:
            return f"damaged: {'; '.join(self.damage)}"
        failure = f.content(self.folder / f.FAILURE) or {}
        return f"failed: {failure['why']}" if "why" in failure else "not finished"

    # --- results ----------------------------------------------------------------------------------------------------------

    @property
    def best(self) -> Checkpoint:
        """The epoch with the lowest soft NLL on the selection items."""
        return Checkpoint(self, "best")

    @property
    def last(self) -> Checkpoint:
        """The last epoch."""
        return Checkpoint(self, "last")

    def checkpoint(self, name: str) -> Checkpoint:
        """The checkpoint "best" or "last"."""
        return Checkpoint(self, check_checkpoint(name))

    @property
    def checkpoints(self) -> tuple[Checkpoint, ...]:
        """Best and last."""
        return tuple(map(self.checkpoint, CHECKPOINTS))

    @property
    def chosen_apart(self) -> bool:
        """Whether the best epoch was chosen on other items than the run is scored on."""
        return "selection_nll" in self.history[0]

    @property
    def choice(self) -> str:
        """How the best epoch was chosen, in one sentence."""
        where = (
            "separate selection items"
            if self.chosen_apart
            else (
                "the held-out items it is scored on, so its scores there are slightly optimistic; "
                "--selection 0.1 (Split(selection=0.1)) chooses it on separate items"
            )
        )
        return f"best epoch {self.best.epoch + 1} of {self.last.epoch + 1}, chosen by soft NLL on {where}"

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of `scores.json`, as plain JSON."""
        return self._json(f.SCORES)

    @property
    def interpolation(self) -> Interpolation:
        """How closely the model fits the training votes."""
        return Interpolation(**self.summary["interpolation"])

    @property
    def tape(self) -> str:
        """SHA-256 of every target of every epoch."""
        return str(self.summary["tape"])

    @property
    def exact(self) -> bool:
        """Whether the whole run was trained in one environment, so that training again in it gives the same bits."""
        return bool(self.summary["exact"])

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of the files, by name."""
        return dict(self.summary["digests"])

    @property
    def history(self) -> list[dict[str, float]]:
        """One mapping per epoch, counted from 0.

        epoch, lr               its number and the learning rate
        train_loss              mean over the training examples, with the augmentation and labels of this epoch
        soft_nll, majority_nll  on the held-out items after the epoch: against all their votes, and against their majority
        accuracy                share of the held-out items whose majority class is predicted
        selection_nll           soft NLL on the selection items, if the split has a selection part
        """
        path = self.folder / f.HISTORY
        try:
            history = [dict(json.loads(line)) for line in read_text(path).splitlines()]
        except (OSError, ValueError, TypeError):
            history = []
        if not history or any(type(value) not in (int, float) for line in history for value in line.values()):
            raise VotewiseError("cannot be read", where=path, remedy="train the run again")
        return history

    @cached_property
    def predictions(self) -> Predictions:
        """The predictions for the held-out items, at both checkpoints."""
        path = self.folder / f.PREDICTIONS
        try:
            arrays = ArrayFile(path)
            classes = arrays.get("classes")
            return Predictions(
                arrays["row"],
                arrays.get("items"),
                arrays["train_row"],
                None if classes is None else tuple(map(str, classes)),
                {name: arrays[f"log_probabilities_{name}"] for name in CHECKPOINTS},
                {name: arrays[f"train_soft_nll_{name}"] for name in CHECKPOINTS},
            )
        except KeyError:
            raise VotewiseError("arrays are missing from the file", where=path, remedy="train the run again") from None

    @property
    def environment(self) -> dict[str, Any]:
        """Versions, threads and machine of the first training; empty if unknown."""
        try:
            return dict(self._note(f.ENVIRONMENT)["segments"][0]["environment"])
        except (ValueError, KeyError, IndexError, TypeError):
            return {}

    @property
    def timing(self) -> tuple[float, int] | None:
        """Seconds and epochs of the most recent training session; None if unknown."""
        try:
            spent = self._note(f.TIMING)
            return float(spent["seconds"]), int(spent["epochs"])
        except (ValueError, KeyError, TypeError):
            return None

    @property
    def size(self) -> int:
        """Size of the files in bytes."""
        return sum(path.stat().st_size for path in self.folder.iterdir())

    # --- the model --------------------------------------------------------------------------------------------------------

    @property
    def evaluated(self) -> int | None:
        """The number of held-out items; None if the run has neither predictions nor an archive note with this number."""
        try:
            return len(self.predictions.row)
        except (OSError, ValueError, KeyError):
            noted = f.archive_note(self.folder).get("evaluated")
            return noted if isinstance(noted, int) else None

    @property
    def classes(self) -> list[str]:
        """The classes, in the order of the predictions."""
        return list(self._described["classes"])

    def predict(self, inputs: Any, checkpoint: CheckpointName = "best") -> NDArray[np.float32]:
        """Probabilities of new inputs.

        Args:
            inputs: Inputs in the format used for training: images (uint8) [n, H, W, C], features [n, D], texts, pairs of texts, or a Dataset.
            checkpoint: "best" or "last".

        Returns:
            Probabilities [n, C], in the order of `classes`.
        """
        from votewise.training.checkpoint import probabilities

        values = inputs.inputs if isinstance(inputs, Dataset) else inputs
        return probabilities(self.model(checkpoint), self._described, values, self.folder)

    def model(self, checkpoint: CheckpointName = "best") -> nn.Module:
        """The trained torch module, in evaluation mode.

        It takes normalised float32 inputs and returns logits [n, C] in the order of `classes`: images as [n, C, H, W] in channels-last
        layout, (x / 255 - mean) / std for x uint8 [n, H, W, C]; features as (x - mean) / std [n, D]. `summary["net"]` has mean and std.
        `predict` does this with raw inputs, followed by a softmax. A text model takes tokens, mask and segment as int64 [n, 3, L].
        """
        from votewise.training.checkpoint import load_model

        check_checkpoint(checkpoint)
        described = self._described
        return load_model(
            self.folder, checkpoint, self.config.recipe, tuple(described["shape"]), len(described["classes"])
        )

    @property
    def _described(self) -> dict[str, Any]:
        if "net" not in self.summary:
            raise VotewiseError(
                "this run does not describe its inputs",
                where=self.folder,
                remedy="train it again with this version of votewise",
            )
        return dict(self.summary["net"])

    # --- notes beside the results -----------------------------------------------------------------------------------------

    @property
    def origin(self) -> dict[str, Any] | None:
        """Where the data was and how it was read; None if unknown."""
        return self._note(f.DATA) or None

    @property
    def seals(self) -> dict[str, bool | None]:
        """For each note beside the results (environment, timing, data), whether it matches its own digest; None if it has no digest."""
        notes = {name: f.content(self.folder / name) for name in f.NOTES if (self.folder / name).exists()}
        return {name: False if content is None else seal_holds(content) for name, content in notes.items()}

    def _note(self, name: str) -> dict[str, Any]:
        """The content of a note without its digest; empty if it is missing or damaged."""
        content = f.content(self.folder / name) or {}
        return {} if seal_holds(content) is False else {key: value for key, value in content.items() if key != DIGEST}

    def note_origin(self, origin: Mapping[str, Any] | None) -> None:
        """Record the location of the data, for probes and `verify`. If the data has been moved, the record is replaced."""
        if origin is None:
            return
        path, content = self.folder / f.DATA, f.as_json(sealed(json.loads(json.dumps(origin, default=str))))
        with suppress(OSError, VotewiseError):  # a read-only store keeps its records
            if not (path.exists() and read_bytes(path) == content):
                write_atomic(path, content)

    def note_failure(self, why: str) -> None:
        """Record why the run failed; the next attempt removes the record."""
        with suppress(OSError):  # the error is raised when the file is written
            self.folder.mkdir(parents=True, exist_ok=True)
        write_atomic(self.folder / f.FAILURE, json.dumps({"why": why}).encode() + b"\n")

    def archive(self, store: Path) -> Run:
        """Copy the run to another store without weights and predictions; the copy counts as finished."""
        copy = Run.named(store, self.name)
        probes = copy.folder / "probes"
        probes.mkdir(parents=True, exist_ok=True)
        write_atomic(
            copy.folder / f.ARCHIVED, json.dumps({"left_out": f.LARGE, "evaluated": self.evaluated}).encode() + b"\n"
        )
        for reading in (self.folder / "probes").glob("*.json"):
            shutil.copyfile(reading, probes / reading.name)
        for name in f.SMALL:
            if (self.folder / name).exists():
                shutil.copyfile(self.folder / name, copy.folder / name)
        return copy
