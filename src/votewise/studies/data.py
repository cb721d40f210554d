"""Finds datasets by name, by the plans of a store, and by the locations that its runs recorded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain

from votewise.datasets import DATASETS, Dataset
from votewise.errors import VotewiseError
from votewise.studies.plan import Plan
from votewise.studies.source import Source
from votewise.studies.store import Store
from votewise.training import Config
from votewise.validation import checked


class Datasets:
    """Finds the dataset of a run by its fingerprint."""

    def __init__(self, store: Store) -> None:
        self._store, self._found = store, dict[Source, Dataset | None]()

    def source(self, config: Config) -> Source | None:
        """The source of the dataset with the fingerprint of this configuration, if available."""
        named = [Source(name=config.dataset_name)] if config.dataset_name in DATASETS else []
        sources = chain(named, self._own(config))  # the texts of a named dataset may have been embedded
        return next(
            (source for source in sources if (data := self._load(source)) and data.fingerprint == config.dataset), None
        )

    def get(self, config: Config) -> Dataset | None:
        """The dataset with the fingerprint of this configuration, if available."""
        source = self.source(config)
        return None if source is None else self._load(source)

    def of_plan(self, plan: Plan) -> Dataset | None:
        """The dataset that a plan names, if available."""
        return self._load(plan.dataset)

    def _own(self, config: Config) -> Iterator[Source]:
        for study in self._store.studies():
            try:
                yield self._store.plan(study).dataset
            except VotewiseError:
                continue
        origin = self._store.run(config).origin
        with suppress(VotewiseError):  # recorded by another version
            if origin is not None:
                yield checked(Source, origin)

    def _load(self, source: Source) -> Dataset | None:
        if source not in self._found:
            try:
                self._found[source] = source.read()
            except VotewiseError:
                self._found[source] = None
        return self._found[source]
