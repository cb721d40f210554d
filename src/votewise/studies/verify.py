"""Is everything in a store what it says? Ids, digests, label tapes and scores are computed again, probes matched with their weights."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from votewise.datasets import Dataset
from votewise.errors import VotewiseError, counted, listing
from votewise.probes import PROBES
from votewise.studies.data import Datasets
from votewise.studies.store import Store, read_config, why_unfinished
from votewise.training import Config, Problem, Run
from votewise.training.checkpoint import CHECKPOINTS
from votewise.training.folder import damage, left_out
from votewise.training.run import scores_of

TOLERANCE = 1e-9  # of scores computed again, perhaps on another machine
SHOWN = 3  # names in one line


@dataclass
class Verification:
    """What was found: `problems` and `unchecked` in one line each, and the number of runs with scores, which were looked at."""

    runs: int = 0
    problems: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def verify(path: str | Path) -> Verification:
    """Check every run and every study of a store. What is wrong with a run is one problem; a study adds the runs that are missing."""
    store, found = Store(path), Verification()
    if not store.folders() and not store.studies():
        raise VotewiseError("there are no runs and no studies here", where=path, remedy="name the folder of a store")
    datasets, listed = Datasets(store), _listed(store)
    for folder in store.folders():
        if (folder / "scores.json").exists():
            found.runs += 1
            if wrong := _wrong(folder, datasets, found.unchecked):
                found.problems.append(f"{folder.name}: {'; '.join(wrong)}")
        elif folder not in listed:  # else its study tells
            found.unchecked.append(f"{folder.name}: {why_unfinished(folder)}")
    for study in store.studies():
        found.problems += [f"study {study}: {problem}" for problem in _study(store, study, datasets)]
    return found


def _wrong(folder: Path, datasets: Datasets, unchecked: list[str]) -> list[str]:
    """The causes, not their consequences: files first, then the id, then what is computed again from both."""
    try:
        if wrong := list(damage(folder)):
            return wrong
        config = read_config(folder)
        if wrong := list(_identity(folder, config)):
            return wrong
        dataset = datasets.get(config)
        wrong = list(_probes(folder, dataset))
        if absent := [name for name in left_out(folder) if not (folder / name).exists()]:
            unchecked.append(f"{folder.name}: archived without {listing(absent)}")
            return wrong
        if dataset is not None:
            return [*_numbers(folder, dataset, config), *wrong]
        unchecked.append(
            f"{folder.name}: the data is not here, or not as it was, so labels and scores were not computed again"
        )
        return wrong
    except VotewiseError as error:
        return [str(error)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return [f"cannot be read ({type(error).__name__}: {error})"]


def _identity(folder: Path, config: Config) -> Iterator[str]:
    """The id against the configuration."""
    said = json.loads((folder / "config.json").read_text())
    if not folder.name.endswith(f"-{config.id}") or said.get("id") != config.id:
        yield f"its configuration has the id {config.id}"


def _probes(folder: Path, dataset: Dataset | None) -> Iterator[str]:
    """Each reading against the weights and, if the dataset is at hand, the other data that it was measured on."""
    for path in sorted((folder / "probes").glob("*.json")):
        try:
            found = json.loads(path.read_text())
            name = f"{found['parameters']['checkpoint']}.safetensors"
            if any(
                _digest(run, name) not in (None, digest)
                for id, digest in zip(found["runs"], found["weights"], strict=True)
                for run in folder.parent.glob(f"*-{id}")
            ):
                yield f"probes/{path.name} was measured on other weights"
            probe = PROBES.get(found["probe"])
            if dataset is not None and probe is not None and found["version"] == probe.version:
                now = probe(**found["parameters"]).data(dataset)
                if any(now.get(name, facts) != facts for name, facts in found.get("data", {}).items()):
                    yield f"probes/{path.name} was measured on other data than is there now; run the probe again"
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            yield f"probes/{path.name} cannot be read"


def _digest(folder: Path, name: str) -> str | None:
    """The digest that a run gives for one of its files, if it gives one."""
    try:
        return str(Run(folder).scores["digests"][name])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _numbers(folder: Path, dataset: Dataset, config: Config) -> Iterator[str]:
    """The labels that training was told, and the scores of the predictions."""
    run, problem = Run(folder), Problem(dataset, config)
    if problem.delivery.fingerprint(config.recipe.epochs) != run.scores["tape"]:
        yield "its label tape is another one"
    arrays = run.predictions()
    if not np.array_equal(arrays["row"], problem.evaluation_votes.row):
        yield "its predictions are of other items than its split holds out"
        return
    for checkpoint in CHECKPOINTS:
        for name, again in scores_of(problem, checkpoint, arrays[f"log_probabilities_{checkpoint}"]).items():
            if wrong := _differences(run.scores[name], again):
                yield f"the scores {listing(wrong)} ({name}) are not those of its predictions"


def _differences(said: Mapping[str, float], again: Mapping[str, float]) -> list[str]:
    """Scores with another value. Another version may know more scores, or fewer: that is no difference."""
    both = [name for name in said if name in again]
    return [name for name in both if not math.isclose(said[name], again[name], rel_tol=TOLERANCE, abs_tol=TOLERANCE)]


def _listed(store: Store) -> set[Path]:
    """The folders of all runs of all studies whose list can be read."""
    found = set[Path]()
    for study in store.studies():
        with suppress(VotewiseError):
            found.update(store.runs(study).values())
    return found


def _study(store: Store, study: str, datasets: Datasets) -> Iterator[str]:
    """The plan against the list of runs, and the runs that are missing, by reason; damaged ones are told by themselves."""
    try:
        listed, missing = store.runs(study), store.missing(study)
        wanted = _wanted(store, study, datasets)
    except VotewiseError as error:
        yield str(error)
        return
    if wanted is not None and wanted != set(listed):
        yield (
            f"its plan wants {counted(len(wanted), 'run')} and it lists {len(listed)}, {len(wanted & set(listed))} of them the same: "
            "plan.toml or runs.json was changed by hand; run the study again"
        )
    reasons: dict[str, list[str]] = {}
    for run in missing:
        if not (listed[run.id] / "scores.json").exists():
            reasons.setdefault(run.why, []).append(run.folder)
    for why, names in reasons.items():
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        verb = "is" if len(names) == 1 else "are"
        yield f"{len(names)} of {counted(len(listed), 'run')} {verb} missing: {', '.join(names[:SHOWN])}{more} ({why})"


def _wanted(store: Store, study: str, datasets: Datasets) -> set[str] | None:
    """The ids of the runs that the plan of a study asks for, where its data is at hand and as it was."""
    plan, known = store.plan(study), set[str]()
    for folder in store.runs(study).values():
        with suppress(VotewiseError):
            known.add(read_config(folder).dataset)
    dataset = datasets.of_plan(plan)
    if dataset is None or (known and dataset.fingerprint not in known):
        return None
    return {config.id for config in plan.configs(dataset)}
