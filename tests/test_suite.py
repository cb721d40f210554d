"""The mutants that no test should notice, and the counts of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from suite.page import RECORD, covered, equivalent
from suite.spans import left_out

SOURCE = """\
@lru_cache(maxsize=1 + 1)
@checked
def longest(é: "é" | None, n: int | None = 1 | 2) -> int | None:
    limit: int | None = 3 | n
    if n < 0:
        raise ValueError(f"é: {n + 1}")
    return limit | n
"""
OR, NUMBER, DECORATOR = "core/ReplaceBinaryOperator_BitOr_Add", "core/NumberReplacer", "core/RemoveDecorator"


@pytest.mark.parametrize(
    ("operator", "line", "text", "reason"),
    [
        (OR, 3, "| None, n", "in an annotation"),
        (OR, 3, "| None = 1", "in an annotation"),
        (OR, 3, "| 2", None),
        (OR, 3, "| None:", "in an annotation"),
        (OR, 4, "| None", "in an annotation"),
        (OR, 4, "| n", None),
        (NUMBER, 6, "1", "in a raise statement"),
        (NUMBER, 5, "0", None),
        (OR, 7, "| n", None),
        (DECORATOR, 1, "@lru", "a decorator"),
        (NUMBER, 1, "1", None),
        (DECORATOR, 2, "@checked", None),
    ],
)
def test_annotations_messages_and_caches_are_left_out(operator: str, line: int, text: str, reason: str | None) -> None:
    place = (line, SOURCE.splitlines()[line - 1].index(text))
    assert left_out(SOURCE, operator, place) == reason


def test_every_mutant_was_run_and_every_listed_equivalent_survives() -> None:
    packages = json.loads(RECORD.read_text(encoding="utf-8"))["mutants"]["packages"]
    assert sorted(packages) == ["delivery", "scoring", "statistics"]
    assert [found["pending"] for found in packages.values()] == [0, 0, 0]
    survivors = {tuple(each.values()) for found in packages.values() for each in found["survivors"]}
    assert equivalent().keys() <= survivors


def test_coverage_is_counted_by_package(tmp_path: Path) -> None:
    def file(ran: int, of: int, branches: int, of_branches: int) -> dict[str, dict[str, int]]:
        return {
            "summary": {
                "covered_lines": ran, "num_statements": of, "covered_branches": branches, "num_branches": of_branches
            }
        }  # fmt: skip

    files = {
        "src/votewise/votes/coding.py": file(8, 10, 1, 4),
        "src/votewise/votes/shared/words.py": file(2, 2, 0, 0),
        "src/votewise/files.py": file(3, 4, 2, 2),
        "src/votewise/empty/__init__.py": file(0, 0, 0, 0),
    }
    (tmp_path / "coverage.json").write_text(json.dumps({"files": files}))
    assert covered(tmp_path / "coverage.json")["packages"] == {"votes": [11, 16], "votewise": [5, 6]}
