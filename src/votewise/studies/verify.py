"""Is everything in a store what it says? Ids, digests, label tapes and scores are computed again, probes matched with their weights."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from votewise.datasets import Dataset
from votewise.errors import VotewiseError, listing
from votewise.studies.data import Datasets
from votewise.studies.store import Store, read_config, why_unfinished
from votewise.training import Config, Problem, Run
from votewise.training.checkpoint import CHECKPOINTS
from votewise.training.run import FILES, scores_of, sha256

TOLERANCE = 1e-9  # of scores computed again, perhaps on another machine


@dataclass
class Verification:
    """What was found: `problems` and `unchecked` in one line each, and the number of finished runs looked at."""

    runs: int = 0
    problems: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)


def verify(path: str | Path) -> Verification:
    """Check every run and every study of a store."""
    store, found = Store(path), Verification()
    if not store.folders() and not store.studies():
        raise VotewiseError("there are no runs and no studies here", where=path, remedy="name the folder of a store")
    datasets = Datasets(store)
    for folder in store.folders():
        if not (folder / "scores.json").exists():
            found.unchecked.append(f"{folder.name}: {why_unfinished(folder)}")
            continue
        found.runs += 1
        try:
            config = read_config(folder)
            found.problems += [f"{folder.name}: {problem}" for problem in (*_files(folder, config), *_probes(folder))]
            if dataset := datasets.get(config):
                found.problems += [f"{folder.name}: {problem}" for problem in _numbers(folder, dataset, config)]
            else:
                found.unchecked.append(
                    f"{folder.name}: the data is not here, or not as it was, so labels and scores were not computed again"
                )
        except VotewiseError as error:
            found.problems.append(f"{folder.name}: {error}")
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            found.problems.append(f"{folder.name}: cannot be read ({type(error).__name__}: {error})")
    for study in store.studies():
        found.problems += [f"study {study}: {problem}" for problem in _study(store, study)]
    return found


def _files(folder: Path, config: Config) -> Iterator[str]:
    """The id against the configuration, the digests against the files."""
    said = json.loads((folder / "config.json").read_text())
    if not folder.name.endswith(f"-{config.id}") or said.get("id") != config.id:
        yield f"its configuration has the id {config.id}"
    named = Run(folder).scores["digests"]
    if set(named) != set(FILES):
        yield f"digests are given for {listing(sorted(named))}, not for {listing(FILES)}"
    for name in FILES:
        if not (folder / name).is_file():
            yield f"{name} is not there"
        elif sha256(folder / name) != named.get(name):
            yield f"{name} does not match its digest"


def _probes(folder: Path) -> Iterator[str]:
    """Each reading against the weights that it was taken of."""
    for path in sorted((folder / "probes").glob("*.json")):
        try:
            found = json.loads(path.read_text())
            name = f"{found['parameters']['checkpoint']}.safetensors"
            for id, digest in zip(found["runs"], found["weights"], strict=True):
                runs = folder.parent.glob(f"*-{id}")
                if any(Run(run).scores["digests"][name] != digest for run in runs if (run / "scores.json").exists()):
                    yield f"probes/{path.name} was taken of other weights"
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            yield f"probes/{path.name} cannot be read"


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


def _study(store: Store, study: str) -> Iterator[str]:
    try:
        store.plan(study)
        missing = store.missing(study)
    except VotewiseError as error:
        yield str(error)
        return
    if missing:
        yield f"{len(missing)} of {len(store.runs(study))} runs are not finished: {listing([str(run) for run in missing], 3)}"
