"""Few votes on text: the plans in `benchmarks/chaosnli`, most informative first: `python -m benchmarks.text_sweep STORE [WORKERS [PLAN ...]]`.

The command resumes after an interruption; `python -m benchmarks.text_results chaosnli STORE` adds the numbers of its runs to the committed ones.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import votewise as vw
from votewise.studies import Event
from votewise.workflows import Execution

PLANS = Path(__file__).parent / "chaosnli"
ORDER = (
    "snli-ends",
    "snli-decay-0.01",
    "snli-linear",
    "mnli-ends",
    "snli-dropout",
    "snli-between",
    "mnli-between",
    "snli-decay-0.03",
    "snli-decay-0.003",
    "snli-linear-decay-0.01",
    "mnli-decay-0.01",
    "mnli-linear",
    "mnli-dropout",
    "snli-baselines-ends",
    "mnli-baselines-ends",
    "snli-majority",
    "mnli-majority",
    "mnli-decay-0.03",
    "mnli-decay-0.003",
    "mnli-linear-decay-0.01",
    "snli-baselines-between",
    "mnli-baselines-between",
)


def train(store: Path, workers: int, names: Sequence[str] = ORDER) -> None:
    """Train the missing runs, plan by plan."""

    def show(event: Event) -> None:
        if event.job is not None:
            print(time.strftime("%H:%M:%S"), event.stage, event.job, event.failure or "", flush=True)

    for name in names:
        vw.reproduce(
            PLANS / f"{name}.toml",
            store=store,
            evidence=False,
            execution=Execution(workers=workers, on_progress=show),
        )


if __name__ == "__main__":
    train(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1, sys.argv[3:] or ORDER)
