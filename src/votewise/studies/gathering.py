"""Collects the results of a store: scores of the runs of its studies, readings of their probes, and curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from votewise.errors import VotewiseError
from votewise.profile import relative_excess
from votewise.studies.plan import Plan, label
from votewise.studies.probing import ProbeJob, probe_jobs
from votewise.studies.results import COLUMNS, Curve, Pair, Results
from votewise.studies.store import Store
from votewise.training import CHECKPOINTS, Config, Run

Numbers = dict[tuple[str, str], dict[str, float]]  # (id of a run, checkpoint) -> number by quantity


def gather(store: Store, studies: Iterable[str] | None = None) -> Results:
    """The results of some studies of a store; default: all studies whose plan and list of runs can be read."""
    plans = _plans(store, studies)
    members = {study: store.runs(study) for study in plans}
    runs = {id: run for study in members.values() for id, run in study.items() if run.finished}
    configs = {id: _config(run) for id, run in runs.items()}
    if not configs:
        raise VotewiseError(
            "no finished runs of a study found",
            where=store.path,
            remedy="run `votewise reproduce` or `votewise compare` first",
        )
    numbers = _scores(runs)
    belongs = {id: frozenset(study for study in members if id in members[study]) for id in configs}
    pairs, curves = list[Pair](), list[Curve]()
    finished = {study: [configs[id] for id in members[study] if id in configs] for study in plans}
    jobs = {job.id: job for study, plan in plans.items() for job in probe_jobs(plan, finished[study])}
    for job in jobs.values():
        _add_reading(store, job, belongs, numbers, pairs, curves)
    _add_means(numbers, pairs, configs)
    evaluated, classes, fingerprints = dict[str, int](), dict[str, int](), defaultdict[str, set[str]](set)
    for study, plan in plans.items():
        for id in members[study].keys() & configs.keys():
            fingerprints[plan.dataset.title].add(configs[id].dataset)
            if plan.dataset.title not in evaluated and (count := runs[id].evaluated) is not None:
                evaluated[plan.dataset.title] = count
            if plan.dataset.title not in classes and _names_classes(runs[id]):
                classes[plan.dataset.title] = len(runs[id].classes)
    return Results(
        table=_long(plans, members, configs, numbers),
        pairs=tuple(pairs),
        curves=tuple(curves),
        plans=plans,
        missing=tuple(run for run in store.missing() if not run.studies.isdisjoint(plans)),
        environment=next((run.environment for run in runs.values() if run.environment), {}),
        evaluated=evaluated,
        classes=classes,
        fingerprints={dataset: frozenset(prints) for dataset, prints in fingerprints.items()},
        validated=frozenset(study for study in plans if _validated(runs[id] for id in members[study] if id in runs)),
    )


def _plans(store: Store, studies: Iterable[str] | None) -> dict[str, Plan]:
    if studies is not None:
        return {study: store.plan(study) for study in studies}
    readable = {}
    for study in store.studies():
        with suppress(VotewiseError):
            store.runs(study)
            readable[study] = store.plan(study)
    return readable


def _config(run: Run) -> Config:
    if run.config.id != run.id:
        raise VotewiseError(
            "the configuration in this folder belongs to another run",
            where=run.folder,
            remedy="remove the folder and train it again",
        )
    return run.config


def _validated(runs: Iterable[Run]) -> bool:
    """Whether the runs of a study chose their best epoch on items other than the reported items."""
    first = next(iter(runs), None)
    return first is not None and "selection_nll" in first.history[0]


def _names_classes(run: Run) -> bool:
    """Whether the run describes its inputs and names its classes."""
    return "net" in run.summary


def _scores(runs: Mapping[str, Run]) -> Numbers:
    """All scores of a run at both checkpoints, and how closely it fits its targets."""
    numbers: Numbers = {}
    for id, run in runs.items():
        entropy = run.interpolation.target_entropy
        for checkpoint in run.checkpoints:
            values = {
                **checkpoint.scores,
                **{f"{key}_against_truth": value for key, value in checkpoint.scores_against_truth.items()},
                "epoch": checkpoint.epoch,
                "train_loss": checkpoint.train_loss,
                "target_entropy": entropy,
                "excess": checkpoint.train_loss - entropy,
            }
            if _names_classes(run):
                values["excess_relative"] = relative_excess(values["excess"], entropy, len(run.classes))
            numbers[id, checkpoint.name] = {key: float(value) for key, value in values.items() if value is not None}
    return numbers


def _add_reading(
    store: Store,
    job: ProbeJob,
    belongs: Mapping[str, frozenset[str]],
    numbers: Numbers,
    pairs: list[Pair],
    curves: list[Curve],
) -> None:
    """The numbers and curves of one probe of a run, or of a pair of runs.

    If a probe compares two methods with the same seed, its numbers belong to the first run. If its numbers describe both runs, or if it
    compares two runs of one method, they belong to the pair.
    """
    reading, checkpoint = job.reading(store.path), job.probe.checkpoint
    first, *others = job.configs
    if reading is None or first.training_seed is not None:
        return
    other = others[0] if others else None
    values = {key: value for key, value in reading.numbers.items() if value is not None}
    studies = frozenset.intersection(*(belongs[config.id] for config in job.configs))
    if other is not None and (job.probe.mutual or other.method == first.method):
        if other.training_seed is None or not job.probe.mutual:
            methods, seeds = (label(first.method), label(other.method)), (first.seed, other.seed)
            pairs += [
                Pair(studies, key, checkpoint, first.votes_per_item, methods, seeds, value)
                for key, value in values.items()
            ]
    else:
        numbers[first.id, checkpoint] |= values
    curves += [
        Curve(studies, job.probe.name, name, label(first.method), label(other.method) if other else None, first.votes_per_item,
              first.seed, checkpoint, data)
        for name, data in reading.curves.items()
    ]  # fmt: skip


def _add_means(numbers: Numbers, pairs: Iterable[Pair], configs: Mapping[str, Config]) -> None:
    """Add, for each run, the mean of the numbers of its pairs.

    For partners of the same method with other seeds, the key is that of the pair. It gets the suffix `_between` for partners of other methods,
    and `_within` for partners with the same seed that differ only in their training seed. The means of two seeds share a pair, so they are not
    independent: tables and figures show the means, but tests use the pairs.
    """
    ids = {
        (label(config.method), config.votes_per_item, config.seed): id
        for id, config in configs.items()
        if config.training_seed is None
    }
    lists = defaultdict[tuple[str, str, str], list[float]](list)
    for pair in pairs:
        (one, two), (seed, other) = pair.methods, pair.seeds
        suffix = "_within" if seed == other and one == two else "" if one == two else "_between"
        ends = [(one, seed)] if suffix == "_within" else [(one, seed), (two, other)] if seed != other else []
        for method, at in ends:
            if id := ids.get((method, pair.K, at)):
                lists[id, pair.checkpoint, pair.quantity + suffix].append(pair.value)
    for (id, checkpoint, quantity), values in lists.items():
        numbers[id, checkpoint][quantity] = sum(values) / len(values)


def _long(
    plans: Mapping[str, Plan],
    members: Mapping[str, Mapping[str, Any]],
    configs: Mapping[str, Config],
    numbers: Numbers,
) -> Any:
    import polars as pl

    described = {
        id: (id, label(config.method), config.votes_per_item, config.seed)
        for id, config in configs.items()
        if config.training_seed is None
    }
    rows = [
        (plan.dataset.title, study, *described[id], checkpoint, quantity, value)
        for study, plan in plans.items()
        for id in members[study]
        if id in described
        for checkpoint in CHECKPOINTS
        for quantity, value in numbers[id, checkpoint].items()
    ]
    text, whole = pl.String, pl.Int64
    kinds = (text, text, text, text, whole, whole, text, text, pl.Float64)
    return pl.DataFrame(rows, schema=dict(zip(COLUMNS, kinds, strict=True)), orient="row")
