"""Many runs: a plan becomes runs in a shared store, executed locally, in shards, or on Ray."""

from votewise.studies.archive import archive
from votewise.studies.conducting import Agenda, Event, Failures, Probed, agenda, conduct, executor_of, probe
from votewise.studies.estimate import Estimate, estimate
from votewise.studies.executor import Executor, Job, Outcome, Training, Work, shard
from votewise.studies.local import Local, cores
from votewise.studies.needs import Needs, NeedsError
from votewise.studies.plan import Plan, label, make_plan, read_plan
from votewise.studies.probe_spec import ProbeSpec, make_probe
from votewise.studies.probing import ProbeJob, Probing, jobs_of_runs, jobs_of_store, probe_jobs, supported_jobs
from votewise.studies.remarks import fewer_votes, remarks
from votewise.studies.results import Curve, Pair, Paired, Results
from votewise.studies.source import Source
from votewise.studies.store import Missing, Store
from votewise.studies.verification import Verification, verify

__all__ = [
    "Agenda", "Curve", "Estimate", "Event", "Executor", "Failures", "Job", "Local", "Missing", "Needs", "NeedsError", "Outcome",
    "Pair", "Paired", "Plan", "ProbeJob", "ProbeSpec", "Probed", "Probing", "Results", "Source", "Store", "Training",
    "Verification", "Work", "agenda", "archive", "conduct", "cores", "estimate", "executor_of", "fewer_votes",
    "jobs_of_runs", "jobs_of_store", "label", "make_plan", "make_probe", "probe", "probe_jobs", "read_plan", "remarks", "shard",
    "supported_jobs", "verify",
]  # fmt: skip
