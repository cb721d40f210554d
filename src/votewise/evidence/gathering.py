"""From a store to results: the runs of its studies, the readings of their probes as further columns, and the curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from votewise.errors import VotewiseError
from votewise.evidence.results import Curve, Results
from votewise.studies import STUDIES, Plan, ProbeJob, Store, label, probe_jobs

Numbers = dict[tuple[str, str], dict[str, float | None]]  # (id, checkpoint) -> number by name

ROLES = ("main", "sparse", "ablation")  # what a study of one's own data stands for


def gather(store: Store, study: str | None = None) -> Results:
    """The paper's studies in a store, or the `study` of a person's own data."""
    plans = _plans(store, study)
    table = store.table()
    if not plans or not len(table):
        raise VotewiseError(
            "there are no finished runs of a study here",
            where=store.path,
            remedy="run votewise reproduce or votewise compare first",
        )
    members = {study: frozenset(store.runs(name)) for study, (name, _) in plans.items()}
    numbers, curves = _readings(store, plans)
    first = next(iter(plans.values()))[1]
    wanted = frozenset().union(*members.values())
    missing = {run.id: run for name in {name for name, _ in plans.values()} for run in store.missing(name)}
    return Results(
        dataset=first.dataset.name or "your data",
        preset=first.preset,
        table=_joined(table, numbers, wanted),
        curves=tuple(curves),
        plans={study: plan for study, (_, plan) in plans.items()},
        members=members,
        missing=tuple(missing.values()),
        environment=_environment(store),
        left_out=tuple(sorted(set(store.studies()) - {name for name, _ in plans.values()})),
        evaluated=_evaluated(store, next(iter(plans.values()))[0]),
    )


def _plans(store: Store, study: str | None) -> dict[str, tuple[str, Plan]]:
    """By the part it plays, the name and plan of each study on one dataset with one recipe: that of the first."""
    there = {study: store.plan(study)} if study else dict(_readable(store))
    papers = {name: (name, there[name]) for name in STUDIES if name in there}
    if papers:
        first = next(iter(papers.values()))[1]
        return {
            study: (name, plan)
            for study, (name, plan) in papers.items()
            if (plan.dataset, plan.trained_with) == (first.dataset, first.trained_with)
        }
    return {role: item for item in list(there.items())[:1] for role in ROLES}


def _readable(store: Store) -> Iterator[tuple[str, Plan]]:
    """The studies whose plan and list of runs can be read."""
    for name in store.studies():
        try:
            store.runs(name)
            yield name, store.plan(name)
        except VotewiseError:
            continue


def _readings(store: Store, plans: dict[str, tuple[str, Plan]]) -> tuple[Numbers, list[Curve]]:
    """What the probes found, by run and checkpoint.

    What is mutual is averaged over the other seeds of the method (`cka`) and of the other methods (`cka_between`); what
    compares a run with its twins is averaged over them and ends in `_within`.
    """
    found: Numbers = defaultdict(dict)
    pairs: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    curves = list[Curve]()
    for job in {job.id: job for name, plan in plans.values() for job in _jobs(store, name, plan)}.values():
        if (reading := job.reading(store.path)) is None or job.configs[0].training_seed is not None:
            continue
        first, other = job.configs[0], job.configs[-1]
        alike, twins = first.method == other.method, first is not other and first.seed == other.seed
        averaged = list[tuple[str, str]]()
        if job.probe.mutual:
            apart = first.seed != other.seed and other.training_seed is None
            averaged += [(config.id, "" if alike else "_between") for config in job.configs if apart]
        elif alike and twins:
            averaged.append((first.id, "_within"))
        else:
            found[first.id, job.probe.checkpoint] |= reading.numbers
        for id, suffix in averaged:
            for key, value in reading.numbers.items():
                if value is not None:
                    pairs[id, job.probe.checkpoint][key + suffix].append(value)
        curves += _curves(job, reading.curves)
    for pair, lists in pairs.items():
        found[pair] |= {key: sum(values) / len(values) for key, values in lists.items()}
    return found, curves


def _jobs(store: Store, study: str, plan: Plan) -> list[ProbeJob]:
    return probe_jobs(plan, [run.config for run in store.finished(study)])


def _curves(job: ProbeJob, curves: Any) -> Iterator[Curve]:
    first, *others = job.configs
    for name, data in curves.items():
        yield Curve(
            probe=job.probe.name,
            name=name,
            method=label(first.method),
            other=label(others[0].method) if others else None,
            K=first.subsample.k if first.subsample else None,
            seed=first.seed,
            checkpoint=job.probe.checkpoint,
            data=data,
        )


def _joined(table: Any, numbers: Numbers, wanted: frozenset[str]) -> Any:
    import polars as pl

    table = table.filter(
        pl.col("id").is_in(list(wanted)), pl.col("training_seed").is_null()
    )  # twins are there to be compared with
    rows = [{"id": id, "checkpoint": checkpoint, **values} for (id, checkpoint), values in numbers.items()]
    if not rows:
        return table
    probes = pl.DataFrame(rows, infer_schema_length=None)
    known = [name for name in probes.columns if name in table.columns and name not in ("id", "checkpoint")]
    return table.join(probes.drop(known), on=["id", "checkpoint"], how="left")


def _evaluated(store: Store, study: str) -> int | None:
    """How many items the runs of a study hold out: as many as the first that is there has predictions for."""
    return next((len(run.predictions) for run in store.finished(study)), None)


def _environment(store: Store) -> dict[str, Any]:
    """Where the runs were trained: the first of them that says so."""
    return next((run.environment for run in store.all_runs() if run.environment), {})
