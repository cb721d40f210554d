"""Verify a store: ids, digests, label tapes and scores are recomputed, readings of probes are matched with their weights."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.probes import PROBES
from votewise.studies.data import Datasets
from votewise.studies.retraining import Retrained, train_again
from votewise.studies.store import Store
from votewise.training import Run
from votewise.wording import counted, listing

TOLERANCE = 1e-9  # of scores computed again, perhaps on another machine
SHOWN = 3  # names in one line


@dataclass
class Verification:
    """What was found in a store.

    Attributes:
        runs: Number of runs with scores; all of them were checked.
        problems: What is damaged or differs, a line for each run or study.
        unfinished: What is not run yet, a line for each study with the command that runs it.
        unchecked: Runs that could only be checked in part, and why.
        retrained: Runs that were trained again.
    """

    runs: int = 0
    problems: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    retrained: list[Retrained] = field(default_factory=list)


def verify(path: str | Path, retrain: Iterable[str] = ()) -> Verification:
    """Check every run and every study of a store. What is wrong with a run is one problem; runs that a study has yet to do are none.

    Args:
        path: The folder of a store, or an archive of one.
        retrain: Ids of finished runs to train again elsewhere and compare: the same bits in the same environment; in
            another one the same labels, and a soft NLL within the range over seeds.

    Returns:
        What was found; its `problems` are empty if all is well.

    Raises:
        VotewiseError: If the folder has neither runs nor studies.

    Example:
        for line in verify("votewise-store").problems:
            print(line)
    """
    store, verification = Store(path), Verification()
    if not store.all_runs() and not store.studies():
        raise VotewiseError("no runs and no studies found", where=path, remedy="name the folder of a store")
    datasets, listed = Datasets(store), _listed(store)
    for run in store.all_runs():
        if run.scored:
            verification.runs += 1
            if wrong := _wrong(run, datasets, verification.unchecked):
                verification.problems.append(f"{run.name}: {'; '.join(wrong)}")
        elif run not in listed:  # else it is reported with its study
            verification.unfinished.append(f"{run.name}: {run.why_unfinished}")
    for study in store.studies():
        try:
            verification.problems += [f"study {study}: {line}" for line in _other_plan(store, study, datasets)]
            verification.unfinished += [f"study {study}: {line}" for line in _unfinished(store, study)]
        except VotewiseError as error:
            verification.problems.append(f"study {study}: {error}")
    verification.retrained = [train_again(store, datasets, name) for name in retrain]
    verification.problems += [str(again) for again in verification.retrained if again.problem]
    return verification


def _wrong(run: Run, datasets: Datasets, unchecked: list[str]) -> list[str]:
    """The causes, not their consequences: files first, then the id, then what is computed again from both."""
    try:
        if wrong := run.damage:
            return wrong
        if not run.id == run.recorded_id == run.config.id:
            return [f"its configuration has the id {run.config.id}"]
        dataset = datasets.get(run.config)
        wrong = list(_probes(run, dataset))
        if run.archived:
            unchecked.append(f"{run.name}: archived without {listing(run.archived)}")
            return wrong
        if dataset is not None:
            return [*_numbers(run, dataset), *wrong]
        unchecked.append(
            f"{run.name}: the data is not here, or not as it was, so labels and scores were not computed again"
        )
        return wrong
    except VotewiseError as error:
        return [str(error)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return [f"cannot be read ({type(error).__name__}: {error})"]


def _probes(run: Run, dataset: Dataset | None) -> Iterator[str]:
    """Each reading against the weights and, if the dataset is at hand, the other data that it was measured on."""
    probed = {other.id: other for other in Run.all(run.store)}
    for path in sorted((run.folder / "probes").glob("*.json")):
        try:
            found = json.loads(path.read_text())
            if any(
                _digest(probed[id], found["parameters"]["checkpoint"]) not in (None, digest)
                for id, digest in zip(found["runs"], found["weights"], strict=True)
                if id in probed
            ):
                yield f"probes/{path.name} was measured on other weights"
            probe = PROBES.get(found["probe"])
            if dataset is not None and probe is not None and found["version"] == probe.version:
                now = probe(**found["parameters"]).data(dataset)
                if any(now.get(name, facts) != facts for name, facts in found.get("data", {}).items()):
                    yield f"probes/{path.name} was measured on other data than is there now; run the probe again"
        except VotewiseError:
            raise
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            yield f"probes/{path.name} cannot be read"


def _digest(run: Run, checkpoint: str) -> str | None:
    """The recorded digest of the weights of a checkpoint, if there is one."""
    try:
        return run.checkpoint(checkpoint).digest
    except (ValueError, KeyError, TypeError):
        return None


def _numbers(run: Run, dataset: Dataset) -> Iterator[str]:
    """The label tape, and the scores of the predictions."""
    from votewise.training import Problem, scores_of

    problem = Problem(dataset, run.config, run.folder)
    if problem.tape() != run.tape:
        yield "its label tape is another one"
    if not np.array_equal(run.predictions.row, problem.evaluation_votes.row):
        yield "its predictions are of other items than its split holds out"
        return
    for checkpoint in run.checkpoints:
        votes, truth = scores_of(problem, checkpoint.log_probabilities)
        for name, recorded, again in (
            (checkpoint.name, checkpoint.scores, votes),
            (f"{checkpoint.name}_against_truth", checkpoint.scores_against_truth, truth),
        ):
            if wrong := _differences(recorded, again):
                yield f"the scores {listing(wrong)} ({name}) are not those of its predictions"


def _differences(recorded: Mapping[str, float], again: Mapping[str, float]) -> list[str]:
    """Scores with another value. Another version may have more scores, or fewer: that does not count."""
    both = [name for name in recorded if name in again]
    return [
        name for name in both if not math.isclose(recorded[name], again[name], rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    ]


def _listed(store: Store) -> set[Run]:
    """All runs of all studies whose list can be read."""
    listed = set[Run]()
    for study in store.studies():
        with suppress(VotewiseError):
            listed.update(store.runs(study).values())
    return listed


def _other_plan(store: Store, study: str, datasets: Datasets) -> Iterator[str]:
    """The plan of a study against the list of its runs."""
    listed, wanted = set(store.runs(study)), _wanted(store, study, datasets)
    if wanted is not None and wanted != listed:
        yield (
            f"its plan asks for {counted(len(wanted), 'run')} and it lists {len(listed)}, {len(wanted & listed)} of them the same: "
            "plan.toml or runs.json was changed by hand; run the study again"
        )


def _unfinished(store: Store, study: str) -> Iterator[str]:
    """The runs of a study that are not finished, by reason, and how to run them; damaged ones are reported by themselves."""
    reasons: dict[str, list[str]] = {}
    for missing in store.missing(study):
        if not missing.run.scored:
            reasons.setdefault(missing.reason, []).append(missing.run.name)
    if not reasons:
        return
    parts = []
    for why, names in reasons.items():
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        parts.append(f"{', '.join(names[:SHOWN])}{more} ({why})")
    count, every = sum(map(len, reasons.values())), counted(len(store.runs(study)), "run")
    plan, path = store.path / "studies" / study / "plan.toml", store.path
    command = shlex.join(["votewise", "reproduce", str(plan), "--store", str(path)])
    yield f"{count} of {every} not run yet: {'; '.join(parts)}. To run: {command}"


def _wanted(store: Store, study: str, datasets: Datasets) -> set[str] | None:
    """The ids of the runs that the plan of a study asks for, where its data is at hand and as it was."""
    plan, known = store.plan(study), set[str]()
    for run in store.runs(study).values():
        with suppress(VotewiseError):
            known.add(run.config.dataset)
    dataset = datasets.of_plan(plan)
    if dataset is None or (known and dataset.fingerprint not in known):
        return None
    return {config.id for config in plan.configs(dataset)}
