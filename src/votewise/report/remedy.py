"""What to do where a table or a figure is empty: the command that makes its runs, or an honest word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from votewise.studies import STUDIES
from votewise.studies import study as plan_of

if TYPE_CHECKING:
    from votewise.evidence.results import Results


def remedy(missing: str, results: Results) -> dict[str, Any]:
    """What is not there, and the commands that make it; studies stand in quotes in `missing`.

    A person's own comparison has no runs of the paper's studies and needs none.
    """
    plan = next((plan for plan in results.plans.values() if plan.name in STUDIES), None)
    if plan is None:
        what, _, needs = missing.rstrip(".").partition(" needs ")
        return {
            "text": f"{what} belongs to the paper’s studies: it needs {needs}, and this comparison has none.",
            "commands": [],
        }
    usual = plan_of(plan.name, plan.preset).trained_with.epochs
    options = "" if plan.preset == "demo" else f" --preset {plan.preset}"
    options += "" if plan.trained_with.epochs == usual else f" --epochs {plan.trained_with.epochs}"
    named = [name for name in re.findall(r"'([^']+)'", missing) if name in STUDIES]
    commands = [f"votewise reproduce {name}{options} --evidence --store STORE" for name in named]
    return {"text": f"{missing} To make it:", "commands": commands}
