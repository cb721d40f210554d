"""Verifies a store: recomputes ids, digests, labels and scores, and compares probe readings with their digests and weights."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.files import read_text
from votewise.hashing import seal_holds
from votewise.probes import PROBES
from votewise.studies.data import Datasets
from votewise.studies.retraining import Retrained, train_again
from votewise.studies.store import Store
from votewise.training import Run
from votewise.wording import counted, listing

SHOWN = 3  # names in one line


@dataclass
class Verification:
    """The result of a verification.

    Attributes:
        runs: Number of runs with scores, all of which were checked.
        problems: Damaged files and differences, one line per run or study.
        unfinished: Unfinished runs, one line per study with the command that runs them.
        unchecked: Runs that could only be checked in part, with the reason.
        unsealed: Number of notes and probe readings without a digest, written by an older version. Readings are still compared
            with their weights, but a change of their numbers would not be detected.
        retrained: Runs that were trained again.
    """

    runs: int = 0
    problems: list[str] = field(default_factory=list)
    unfinished: list[str] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)
    unsealed: Counter[str] = field(default_factory=Counter)
    retrained: list[Retrained] = field(default_factory=list)


def verify(path: str | Path, retrain: Iterable[str] = ()) -> Verification:
    """Check every run and every study of a store. All defects of a run are one problem; unfinished runs are not problems.

    Args:
        path: The folder of a store or an archive.
        retrain: Ids of finished runs to train again in a temporary folder and compare: the same bits in the same environment; in
            a different environment the same labels, and a soft NLL within the range over seeds.

    Returns:
        The result; `problems` is empty if everything is correct.

    Raises:
        VotewiseError: If the folder has neither runs nor studies.

    Example:
        for line in verify("votewise-store").problems:
            print(line)
    """
    store, verification = Store(path), Verification()
    every = store.all_runs()
    if not every and not store.studies():
        raise VotewiseError("no runs and no studies found", where=path, remedy="give the folder of a store")
    datasets, listed = Datasets(store), _listed(store)
    by_id = {run.id: run for run in every}
    for run in every:
        if run.scored:
            verification.runs += 1
            if wrong := _wrong(
                Run(run.folder), by_id, datasets, verification
            ):  # a new object, which does not keep the files it has read
                verification.problems.append(f"{run.name}: {'; '.join(wrong)}")
        elif run not in listed:  # unfinished runs of a study are reported with the study
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


def _wrong(run: Run, by_id: Mapping[str, Run], datasets: Datasets, verification: Verification) -> list[str]:
    """The defects of a run: of its files; if these are intact, of its id; if that is right, of the recomputed results."""
    from votewise.studies import recomputing  # imports torch
    from votewise.training import Problem

    try:
        if wrong := run.damage:
            return wrong
        if not run.id == run.recorded_id == run.config.id:
            return [f"the configuration has the id {run.config.id}"]
        dataset = datasets.get(run.config)
        history = list(recomputing.wrong_in_history(run))
        wrong = [*history, *_notes(run, verification), *_probes(run, by_id, dataset, verification)]
        if run.archived:
            verification.unchecked.append(f"{run.name}: archived without {listing(run.archived)}")
            return wrong if history else [*recomputing.wrong_between_history_and_scores(run), *wrong]
        if history:
            return wrong
        if dataset is not None:
            problem = Problem(dataset, run.config, run.folder)
            return [*recomputing.wrong_in_numbers(run, problem), *recomputing.wrong_in_weights(run, problem), *wrong]
        verification.unchecked.append(
            f"{run.name}: the data is missing or has changed, so labels and scores were not recomputed"
        )
        return [*recomputing.wrong_between_history_and_scores(run), *wrong]
    except VotewiseError as error:
        return [str(error)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return [f"cannot be read ({type(error).__name__}: {error})"]


def _notes(run: Run, verification: Verification) -> Iterator[str]:
    """Compare the notes with their own digests."""
    for name, holds in run.seals.items():
        if holds is None:
            verification.unsealed[name] += 1
        elif not holds:
            yield f"{name} does not match its digest"


def _probes(run: Run, by_id: Mapping[str, Run], dataset: Dataset | None, verification: Verification) -> Iterator[str]:
    """Compare each reading with its digest, with the weights and, if the dataset is available, with the other data."""
    for path in sorted((run.folder / "probes").glob("*.json")):
        try:
            reading = dict(json.loads(read_text(path)))
            if (holds := seal_holds(reading)) is None:
                verification.unsealed["readings of probes"] += 1
            elif not holds:
                yield f"probes/{path.name} does not match its digest; run the probe again"
                continue
            if any(
                _digest(by_id[id], reading["parameters"]["checkpoint"]) not in (None, digest)
                for id, digest in zip(reading["runs"], reading["weights"], strict=True)
                if id in by_id
            ):
                yield f"probes/{path.name} was measured on other weights"
            probe = PROBES.get(reading["probe"])
            if dataset is not None and probe is not None and reading["version"] == probe.version:
                now = probe(**reading["parameters"]).data(dataset)
                if any(now.get(name, facts) != facts for name, facts in reading.get("data", {}).items()):
                    yield f"probes/{path.name} was measured on data that has changed since; run the probe again"
        except VotewiseError:
            raise
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            yield f"probes/{path.name} cannot be read"


def _digest(run: Run, checkpoint: str) -> str | None:
    """The recorded digest of the weights of a checkpoint, if any."""
    try:
        return run.checkpoint(checkpoint).digest
    except (ValueError, KeyError, TypeError):
        return None


def _listed(store: Store) -> set[Run]:
    """All runs of all studies whose list can be read."""
    listed = set[Run]()
    for study in store.studies():
        with suppress(VotewiseError):
            listed.update(store.runs(study).values())
    return listed


def _other_plan(store: Store, study: str, datasets: Datasets) -> Iterator[str]:
    """Compare the plan of a study with the list of its runs."""
    listed, wanted = set(store.runs(study)), _wanted(store, study, datasets)
    if wanted is not None and wanted != listed:
        yield (
            f"the plan requires {counted(len(wanted), 'run')}, but runs.json lists {len(listed)}, and {len(wanted & listed)} are in both: "
            "plan.toml or runs.json was edited; run the study again"
        )


def _unfinished(store: Store, study: str) -> Iterator[str]:
    """The unfinished runs of a study by reason, with the command that runs them. Damaged runs are reported separately."""
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
    """The ids of the runs that the plan of a study requires, if its data is available and unchanged."""
    plan, known = store.plan(study), set[str]()
    for run in store.runs(study).values():
        with suppress(VotewiseError):
            known.add(run.config.dataset)
    dataset = datasets.of_plan(plan)
    if dataset is None or (known and dataset.fingerprint not in known):
        return None
    return {config.id for config in plan.configs(dataset)}
