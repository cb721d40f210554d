"""The store: runs, identified by their configuration and shared by all studies, and the studies that list them.

STORE/runs/<dataset>-<method>-s<seed>-<id>/   read and written by `votewise.training.Run`
STORE/studies/<name>/                         plan.toml, runs.json (the id of each run, and the name of its folder)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from votewise.errors import VotewiseError
from votewise.files import make_folder, read_bytes, read_text, write_atomic
from votewise.studies.plan import Plan, read_plan
from votewise.training import Config, Run
from votewise.wording import listing


@dataclass(frozen=True)
class Missing:
    """A run that a study needs and that is not finished.

    Attributes:
        run: The run, which may not exist yet.
        reason: why it is not finished: "not started", "not finished", "failed: ..." or "damaged: ...".
        config: Its configuration; None if it has not started and the current plan does not contain it.
        studies: The studies that need it.
    """

    run: Run
    reason: str
    config: Config | None = None
    studies: frozenset[str] = frozenset()

    @property
    def id(self) -> str:
        return self.run.id

    def __str__(self) -> str:
        return f"{self.run.name}: {self.reason}"


class Store:
    """A folder of runs and studies.

    Args:
        path: The folder; it is created on the first write.

    Example:
        >>> store = Store("no-store-yet")
        >>> store.studies(), store.all_runs()
        ([], [])
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    def run(self, config: Config) -> Run:
        """The run of this configuration, whether it exists or not."""
        return Run.of(self.path, config)

    def all_runs(self) -> list[Run]:
        """All runs, finished or not, sorted by folder name."""
        return Run.all(self.path)

    # --- studies -------------------------------------------------------------------------------------------------------

    def has_other_plan(self, plan: Plan) -> bool:
        """Whether a study with this name was recorded with a different plan."""
        path = self.path / "studies" / plan.name / "plan.toml"
        return path.exists() and read_bytes(path) != plan.toml().encode()

    def record(self, plan: Plan, configs: Iterable[Config]) -> None:
        """Record a study: its plan and the ids of its runs."""
        folder = make_folder(self.path / "studies" / plan.name, "use a --store that is writable")
        runs, text = {config.id: config.folder_name for config in configs}, plan.toml().encode()
        write_atomic(folder / "plan.toml", text)
        write_atomic(folder / "runs.json", json.dumps(runs, indent=1, sort_keys=True).encode() + b"\n")

    def studies(self) -> list[str]:
        """The names of the studies in this store."""
        try:
            return sorted(path.name for path in (self.path / "studies").iterdir() if (path / "runs.json").is_file())
        except OSError:
            return []

    def plan(self, study: str) -> Plan:
        """The plan that was recorded most recently for a study."""
        return read_plan(self._folder(study) / "plan.toml")

    def runs(self, study: str) -> dict[str, Run]:
        """The runs of a study by id, whether they exist or not."""
        path = self._folder(study) / "runs.json"
        try:
            names = json.loads(read_text(path))
            runs = {id: Run.named(self.path, Path(name).name) for id, name in names.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            runs = None
        if runs is None or any(run.id != id for id, run in runs.items()):
            raise VotewiseError(
                "cannot read the list of runs", where=path, remedy="run the study again; finished runs are kept"
            )
        return runs

    def finished(self, study: str) -> list[Run]:
        """The runs of a study that are finished."""
        return [run for run in self.runs(study).values() if run.finished]

    def _folder(self, study: str) -> Path:
        if study not in self.studies():
            raise VotewiseError(
                f"unknown study {study!r}",
                where=self.path,
                remedy=f"the studies are: {listing(self.studies()) or 'none yet'}",
            )
        return self.path / "studies" / study

    # --- runs ----------------------------------------------------------------------------------------------------------

    def missing(self, study: str | None = None) -> list[Missing]:
        """The unfinished runs of a study (default: of all studies), with their configurations and the reasons."""
        missing = dict[str, Missing]()
        for name in self.studies() if study is None else [study]:
            unfinished = {id: run for id, run in self.runs(name).items() if not run.finished}
            configs = self._configs(name, unfinished) if unfinished else {}
            for id, run in unfinished.items():
                studies = missing[id].studies if id in missing else frozenset()
                missing[id] = Missing(run, run.why_unfinished, configs.get(id), studies | {name})
        return list(missing.values())

    def _configs(self, study: str, runs: dict[str, Run]) -> dict[str, Config]:
        """The configurations of runs by id: the stored ones if they have started, otherwise those of the plan if its data is available."""
        configs = dict[str, Config]()
        for id, run in runs.items():
            with suppress(VotewiseError):
                configs[id] = run.config
        if len(configs) == len(runs):
            return configs
        with suppress(VotewiseError):
            plan = self.plan(study)
            configs = {config.id: config for config in plan.configs(plan.dataset.load())} | configs
        return configs
