"""What `probe` and `reproduce` share: take probes, with one bar for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from votewise.cli.screen import job_bar

CHUNK = 256  # examples at a time, as in `votewise.probes.probe`, which is slow to import

if TYPE_CHECKING:
    from votewise.studies import Executor, Look, Source, Store
    from votewise.training import Engine


def take_all(
    looks: Sequence[Look], source: Source, store: Store, engine: Engine, executor: Executor, chunk: int = CHUNK
) -> list[str]:
    """Take every probe that was not taken yet, with a bar; what went wrong, in a sentence each."""
    from votewise.studies import Probing

    dataset = source.load() if looks else None
    pending = [look for look in looks if look.reading(store.path, dataset) is None]
    by_id, failed = {look.id: look for look in pending}, list[str]()
    work = Probing(source, store.path.absolute(), engine, chunk)
    with (
        job_bar("probes", len(pending), len(pending), "probes") as (advance, say),
        closing(executor.execute(pending, work, lambda *_: None)) as outcomes,
    ):
        for done, outcome in enumerate(outcomes, 1):
            look = by_id[outcome.id]
            name = f"{look.probe.name} of {' and '.join(config.folder_name for config in look.configs)}"
            say(name, outcome.why if outcome.kind == "failed" else None)
            advance(done)
            failed += [f"{name}: {outcome.why}"] if outcome.kind == "failed" else []
    return failed
