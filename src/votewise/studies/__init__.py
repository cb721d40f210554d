"""Many runs: a plan becomes runs in a shared store, executed here, in shards, or on Ray."""

from votewise.studies.executor import Executor, Outcome, Work, carry_out, shard
from votewise.studies.forecast import Forecast, forecast
from votewise.studies.local import Local, cores
from votewise.studies.plan import STUDIES, Plan, label, read_plan, study
from votewise.studies.remarks import remarks
from votewise.studies.source import Source
from votewise.studies.store import Missing, Store
from votewise.studies.summary import summary
from votewise.studies.verify import Verification, verify

__all__ = [
    "STUDIES", "Executor", "Forecast", "Local", "Missing", "Outcome", "Plan", "Source", "Store", "Verification", "Work",
    "carry_out", "cores", "forecast", "label", "read_plan", "remarks", "shard", "study", "summary", "verify",
]  # fmt: skip
