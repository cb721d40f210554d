"""`make mutation`: see `suite/__init__.py`."""

from __future__ import annotations

import argparse
import difflib
import hashlib
import os
import shutil
import signal
import sys
from collections import Counter
from compileall import compile_dir
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

import attrs
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult

from suite.mutants import draw
from suite.page import commit, record
from suite.running import in_child, preload, run_tests

ROOT = Path(__file__).parents[1]
TIMEOUT, LATER = "timeout", "killed by a test added since"


@dataclass(frozen=True)
class Package:
    """A folder of code, the tests that run on its mutants, and how many mutants are drawn."""

    source: Path
    tests: tuple[str, ...]
    size: int


STATISTICS = ("equivalence", "intervals", "permutation", "power", "trend", "wilcoxon")
PACKAGES = {  # without tests that take seconds
    "delivery": Package(
        Path("src/votewise/delivery"),
        ("src/votewise/delivery", "tests/delivery", "-k", "not worker and not three_frameworks and not enumeration"),
        150,
    ),
    "scoring": Package(
        Path("src/votewise/scoring"),
        ("src/votewise/scoring", "tests/scoring", "-k", "not cover and not drawing_votes_again"),
        100,
    ),
    "statistics": Package(
        Path("src/votewise/comparison/statistics"),
        ("src/votewise/comparison/statistics", *(f"tests/comparison/test_{name}.py" for name in STATISTICS)),
        100,
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m suite", description="Run the tests on mutants of the code.")
    parser.add_argument("--again", action="store_true", help="run the survivors again, on the current tests")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    parser.add_argument("--store", type=Path, default=Path("mutation-store"), help="the folder of sessions")
    given = parser.parse_args()
    store = given.store.resolve()
    copy(store / "tree")
    os.chdir(store / "tree")
    os.environ.pop("VOTEWISE_DATA", None)  # the counts must not depend on files that are not in the repository
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
    os.environ |= {**threads, "PYTHONPATH": str(Path("src").resolve())}
    sys.path.insert(0, str(Path("src").resolve()))
    preload()
    sessions = {name: session_of(name, given.seed, store) for name in PACKAGES}
    for name, path in sessions.items():
        if not path.exists() and in_child(draw, PACKAGES[name].source, PACKAGES[name].size, given.seed, path):
            sys.exit(f"no mutants could be drawn from {PACKAGES[name].source}")
        run(PACKAGES[name], path, again=given.again)
    counts = {name: counted(path) for name, path in sessions.items()}
    in_child(record, "mutants", {"commit": commit(), "seed": given.seed, "packages": counts})


def copy(tree: Path) -> None:
    """Copy what the tests need: mutants are written into the copy. Bytecode is checked by content, since mutants may have equal times and sizes."""
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tree)
    compile_dir(tree / "src", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)


def session_of(name: str, seed: int, store: Path) -> Path:
    """The file of the session of a package; its name depends on the code, so that outcomes are never those of other code."""
    source = PACKAGES[name].source
    files = {str(path.relative_to(source)): path.read_text(encoding="utf-8") for path in sorted(source.rglob("*.py"))}
    return store / f"{name}-{seed}-{hashlib.sha256(repr(files).encode()).hexdigest()[:10]}.sqlite"


def run(package: Package, path: Path, again: bool) -> None:
    """Run the mutants of a session that have no outcome, or its survivors again."""
    with use_db(path, WorkDB.Mode.open) as session:
        repeated = [item for item, result in session.completed_work_items if again and survived(result)]
        items = [*repeated, *session.pending_work_items]
        if not items:
            return
        seconds = baseline(package.tests)
        print(f"{path.stem}: {len(items)} mutants; unchanged, the tests take {seconds:.1f} s of CPU time", flush=True)
        sys.dont_write_bytecode = True
        for number, item in enumerate(items, start=1):
            result = outcome(item, package.tests, limit=int(10 + 5 * seconds))
            if item in repeated and not survived(result):
                result = attrs.evolve(result, output=LATER)
            session.set_result(item.job_id, result)
            place = item.mutations[0]
            word = "survived" if survived(result) else "killed"
            print(f"{number}/{len(items)} {word} {place.module_path}:{place.start_pos[0]}", flush=True)


def counted(path: Path) -> dict[str, Any]:
    """The outcomes in a session."""
    with use_db(path, WorkDB.Mode.open) as session:
        results = [result for _, result in session.results]
        pending = len(session.pending_work_items)
    killed = Counter(result.output for result in results if result.test_outcome == TestOutcome.KILLED)
    return {
        "pending": pending,
        "skipped": dict(Counter(result.output for result in results if result.worker_outcome == WorkerOutcome.SKIPPED)),
        "killed": killed.total() - killed[LATER],
        "timeouts": killed[TIMEOUT],
        "later": killed[LATER],
        "survivors": sorted(
            (change(str(result.diff)) for result in results if survived(result)), key=lambda each: tuple(each.values())
        ),
    }


def survived(result: WorkResult) -> bool:
    return result.test_outcome == TestOutcome.SURVIVED


def change(diff: str) -> dict[str, str]:
    """The file of a mutant, and its changed line before and after; the removal of a line leaves nothing."""
    lines = diff.splitlines()
    old, new = ([line[1:].strip() for line in lines[2:] if line[0] == sign] for sign in "-+")
    return {
        "path": lines[0].removeprefix("--- "),
        "old": " ".join(filter(None, old)),
        "new": " ".join(filter(None, new)),
    }


def baseline(tests: tuple[str, ...]) -> float:
    """The CPU time of the tests on unchanged code, which must pass; the first of two runs writes the bytecode of the tests."""
    for _ in range(2):
        before = os.times()
        code, output = run_tests(tests, seconds=600)
        if code:
            sys.exit(f"the tests fail without a change:\n{output}")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def outcome(item: WorkItem, tests: tuple[str, ...], limit: int) -> WorkResult:
    """The outcome of a mutant; a timeout counts as killed."""
    mutation = item.mutations[0]
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    with use_mutation(mutation.module_path, operator, mutation.occurrence) as (old, new):
        code, output = run_tests(tests, limit)
    return WorkResult(
        WorkerOutcome.NORMAL,
        output=TIMEOUT if code in (-signal.SIGXCPU, -signal.SIGKILL) else output,
        test_outcome=TestOutcome.KILLED if code else TestOutcome.SURVIVED,
        diff="\n".join(
            difflib.unified_diff(old.splitlines(), new.splitlines(), str(mutation.module_path), n=0, lineterm="")
        ),
    )


if __name__ == "__main__":
    main()
