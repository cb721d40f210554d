"""The store: runs under their own identity, shared by all studies, and the studies that asked for them.

STORE/runs/<dataset>-<method>-s<seed>-<id>/   what `votewise.training.fit` writes
STORE/studies/<name>/                         plan.toml, runs.json (the id of each run, and its folder)
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.studies.plan import Plan, label, read_plan
from votewise.training import Config, Run, finished
from votewise.training.checkpoint import CHECKPOINTS
from votewise.training.folder import damage
from votewise.validation import checked
from votewise.wording import listing

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Missing:
    """A run that a study needs and that is not there, with the reason."""

    id: str
    folder: str
    why: str
    studies: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.folder}: {self.why}"


class Store:
    """A folder of runs and studies."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def folder(self, config: Config) -> Path:
        """Where the run of this configuration is, or will be."""
        return self.path / "runs" / config.folder_name

    def folders(self) -> list[Path]:
        """The folders of all runs, finished or not, by name."""
        try:
            return sorted(path for path in (self.path / "runs").iterdir() if path.is_dir())
        except OSError:  # none yet, or none that may be looked at
            return []

    # --- studies -------------------------------------------------------------------------------------------------------

    def has_other_plan(self, plan: Plan) -> bool:
        """Whether the study of this name was recorded with another plan."""
        path = self.path / "studies" / plan.name / "plan.toml"
        return path.exists() and path.read_bytes() != plan.toml().encode()

    def record(self, plan: Plan, configs: Iterable[Config]) -> None:
        """Write what a study is: its plan and the ids of its runs."""
        folder = self.path / "studies" / plan.name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise VotewiseError(
                f"cannot be made ({error.strerror})", where=folder, remedy="choose a --store that is writable"
            ) from None
        runs, text = {config.id: config.folder_name for config in configs}, plan.toml().encode()
        write_atomic(folder / "plan.toml", text)
        write_atomic(folder / "runs.json", json.dumps(runs, indent=1, sort_keys=True).encode() + b"\n")

    def studies(self) -> list[str]:
        """The names of the studies in this store."""
        try:
            return sorted(path.name for path in (self.path / "studies").iterdir() if (path / "runs.json").is_file())
        except OSError:
            return []

    def plan(self, study: str) -> Plan:
        """The plan that the study was last run with."""
        return read_plan(self._of(study) / "plan.toml")

    def runs(self, study: str) -> dict[str, Path]:
        """The folder of each run of a study by id, whether it is there or not."""
        path = self._of(study) / "runs.json"
        try:
            named = json.loads(path.read_text(encoding="utf-8"))
            return {id: self.path / "runs" / Path(name).name for id, name in named.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            raise VotewiseError(
                "the list of its runs cannot be read", where=path, remedy="run the study again: finished runs are kept"
            ) from None

    def _of(self, study: str) -> Path:
        if study not in self.studies():
            raise VotewiseError(
                f"there is no study {study!r} here",
                where=self.path,
                remedy=f"there are {listing(self.studies()) or 'none yet'}",
            )
        return self.path / "studies" / study

    # --- runs ----------------------------------------------------------------------------------------------------------

    def missing(self, study: str | None = None) -> list[Missing]:
        """The runs of a study (of all studies unless one is named) that are not finished, with the reason."""
        wanted: dict[str, tuple[Path, set[str]]] = {}
        for name in self.studies() if study is None else [study]:
            for id, folder in self.runs(name).items():
                wanted.setdefault(id, (folder, set()))[1].add(name)
        return [
            Missing(id, folder.name, why_unfinished(folder), frozenset(studies))
            for id, (folder, studies) in wanted.items()
            if not finished(folder)
        ]

    def table(self, study: str | None = None) -> pl.DataFrame:
        """The finished runs of a study, or of the whole store: a row for each run and checkpoint.

        Columns: id, dataset, method, K (null: all votes), seed, checkpoint ("best" or "last"), its epoch, every field of the
        configuration and every score; scores against the true distribution, where it is known, end in `_against_truth`.
        A run that is not there is not in the table: `missing` names it.
        """
        import polars as pl

        folders = self.folders() if study is None else list(self.runs(study).values())
        rows = [row for folder in folders if finished(folder) for row in _rows(folder)]
        return (
            pl.DataFrame(rows, infer_schema_length=None).sort("method", "K", "seed", "checkpoint")
            if rows
            else pl.DataFrame()
        )


def read_config(folder: Path) -> Config:
    """The configuration that a run was trained with, from its folder."""
    path = folder / "config.json"
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        values = {key: value for key, value in values.items() if key not in ("schema", "id")}
    except (OSError, ValueError, AttributeError):
        raise VotewiseError("cannot be read", where=path, remedy="train the run again") from None
    return checked(Config, values, where=path)


def why_unfinished(folder: Path) -> str:
    """What keeps the run in this folder from being finished."""
    if not folder.is_dir():
        return "not started"
    if (folder / "scores.json").exists():
        return f"damaged: {'; '.join(damage(folder))}"
    try:
        return f"failed: {json.loads((folder / 'failure.json').read_text())['why']}"
    except (OSError, ValueError, KeyError, TypeError):
        return "not finished"


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    config, scores = read_config(folder), Run(folder).scores
    sparse = config.subsample
    shared = {
        "id": config.id,
        "dataset": config.dataset_name,
        "method": label(config.method),
        "K": sparse.k if sparse else None,
        "seed": config.seed,
    }
    details = {
        "training_seed": config.training_seed,
        "subsample": sparse.kind if sparse else None,
        "fingerprint": config.dataset,
        **{f"split_{key}": value for key, value in config.split},
        **dict(config.method),
        **dict(config.recipe),
    }
    details["augment"] = None if config.recipe.augment is None else "+".join(config.recipe.augment)
    for checkpoint in CHECKPOINTS:
        truth = scores.get(f"{checkpoint}_against_truth", {})
        yield {
            **shared,
            "checkpoint": checkpoint,
            "epoch": scores["best_epoch"] if checkpoint == "best" else scores["epochs"] - 1,
            **details,
            "exact": scores["exact"],
            "num_classes": len(scores["net"]["classes"]) if "net" in scores else None,
            "target_entropy": scores["interpolation"]["target_entropy"],
            "train_loss": scores["interpolation"][f"train_loss_{checkpoint}"],
            **scores[checkpoint],
            **{f"{name}_against_truth": value for name, value in truth.items()},
        }
