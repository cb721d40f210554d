"""The mutants of a package: find them with Cosmic Ray, leave out those that no test should notice, and draw a sample."""

from __future__ import annotations

import warnings
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import MutationSpec, WorkerOutcome, WorkResult

from suite.spans import left_out

INVALID = "not valid Python"


def draw(source: Path, size: int, seed: int, session: Path) -> None:
    """Write a session with all mutants of a folder; all but a sample drawn with `seed` are skipped, with the reason."""
    import numpy as np

    from votewise import counter

    temporary = session.with_suffix(".new")
    temporary.unlink(missing_ok=True)
    with use_db(temporary) as found:
        init(sorted(source.rglob("*.py")), found, {})
        items = sorted(found.work_items, key=lambda item: _place(item.mutations[0]))
        places = counter.order(counter.key("mutants", seed), 0, np.arange(len(items)))
        drawn = 0
        for item in (items[place] for place in places):
            mutation = item.mutations[0]
            reason = left_out(
                mutation.module_path.read_text(encoding="utf-8"), mutation.operator_name, mutation.start_pos
            )
            if not reason and drawn < size and not _valid(mutation):
                reason = INVALID
            if not reason and drawn < size:
                drawn += 1
            else:
                found.set_result(item.job_id, WorkResult(WorkerOutcome.SKIPPED, output=reason or "not drawn"))
    temporary.rename(session)


def _place(mutation: MutationSpec) -> tuple[str, tuple[int, int], str, int]:
    return str(mutation.module_path), mutation.start_pos, mutation.operator_name, mutation.occurrence


def mutated(mutation: MutationSpec) -> str:
    """The code of a mutant."""
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    return str(mutate_code(mutation.module_path.read_text(encoding="utf-8"), operator, mutation.occurrence))


def _valid(mutation: MutationSpec) -> bool:
    """Whether a mutant compiles without a warning, so that a test is needed to notice it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            compile(mutated(mutation), mutation.module_path, "exec")
        except (SyntaxError, SyntaxWarning):
            return False
    return True
