"""Many runs: a plan becomes runs in a shared store, executed here, in shards, or on Ray."""

from votewise.studies.archive import archive
from votewise.studies.executor import Executor, Job, Outcome, Training, Work, carry_out, shard
from votewise.studies.forecast import Forecast, forecast
from votewise.studies.local import Local, cores
from votewise.studies.plan import STUDIES, Plan, label, read_plan, study
from votewise.studies.probing import Look, Probing, looks, possible
from votewise.studies.remarks import remarks
from votewise.studies.source import Source
from votewise.studies.store import Missing, Store
from votewise.studies.summary import summary
from votewise.studies.verify import Verification, verify
from votewise.studies.wanted import make_probe

__all__ = [
    "STUDIES", "Executor", "Forecast", "Job", "Local", "Look", "Missing", "Outcome", "Plan", "Probing", "Source", "Store", "Training",
    "Verification", "Work",
    "archive", "carry_out", "cores", "forecast", "label", "looks", "make_probe", "possible", "read_plan", "remarks", "shard", "study", "summary", "verify",
]  # fmt: skip
