"""The fuzz harness: a share of its cases, and that it notices whatever a case does to its process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fuzz.campaign import Campaign, run
from fuzz.cases import FINE, GOALS, SUCCESS, UNMADE, make
from fuzz.page import RECORD, record
from fuzz.targets import stores

from dangerous import ENDS
from votewise.studies import verify

SHARES = (
    {"votes": 300, "parquet": 200},
    {"arrays": 150, "predictions": 250},
    {"plans": 250, "stores": 40, "command": 50},
)


@pytest.mark.parametrize("share", SHARES, ids=" ".join)
def test_input_is_used_or_refused_in_a_sentence(share: dict[str, int], tmp_path: Path) -> None:
    results = list(run([(name, 0, count) for name, count in share.items()], tmp_path))
    assert len(results) == sum(share.values())
    found = {f"{each.target}: {each.kind}: {each.signature}": each.case for each in results if each.kind not in FINE}
    assert found == {}
    for name, count in share.items():
        kinds = [each.kind for each in results if each.target == name]
        assert kinds.count(SUCCESS) > count / 20  # the mutation is not so wild that nothing gets past the first check
        assert kinds.count(UNMADE) < count / 20


@pytest.mark.parametrize("name", [name for name in GOALS if name != "stores"])
def test_target_and_number_make_the_same_bytes(name: str, tmp_path: Path) -> None:
    for case in range(5):
        made = []
        for again in ("first", "second"):
            folder = tmp_path / f"{case}{again}"
            folder.mkdir()
            make(name, case, folder)
            made.append({path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()})
        assert made[0] == made[1]


def test_what_is_damaged_was_whole_before(tmp_path: Path) -> None:
    stores.write(("soft", "sls"), tmp_path)
    found = verify(tmp_path / "store")
    assert (found.runs, found.problems, found.unfinished, found.unchecked) == (2, [], [], [])


def test_whatever_a_case_does_is_noticed_and_is_its_own(tmp_path: Path) -> None:
    results = list(run([("tests.support.dangerous", 0, len(ENDS))], tmp_path))
    assert [each.case for each in results] == list(range(len(ENDS)))
    assert [each.kind for each in results] == list(ENDS)
    kept = {path.name for path in (tmp_path / "new").iterdir()}
    assert kept == {f"tests.support.dangerous-{number}.zip" for number, kind in enumerate(ENDS) if kind not in FINE}


def test_a_campaign_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    list(Campaign(whole).go_on(400, ["votes"]))
    next(Campaign(parts).go_on(400, ["votes"]))  # and no further
    list(Campaign(parts).go_on(400, ["votes"]))
    one, other = (json.loads((store / "state.json").read_text()) for store in (whole, parts))
    assert one["targets"]["votes"]["outcomes"] == other["targets"]["votes"]["outcomes"]
    assert one["targets"]["votes"]["next"] == 120
    assert one["findings"] == other["findings"]


def test_counts_stay_recorded_when_a_folder_has_none(tmp_path: Path) -> None:
    recorded = json.loads(RECORD.read_text())
    assert record(tmp_path) == recorded
    (tmp_path / "kills.json").write_text(
        json.dumps({"0": {"subject": "fit sls", "kills": 2, "moments": {}, "files": 8, "different": []}})
    )
    assert record(tmp_path) == recorded | {"kills": {"fit sls": {"rounds": 1, "kills": 2, "files": 8, "different": 0}}}


def test_a_new_folder_continues_after_the_recorded_cases(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    list(Campaign(first).go_on(400, ["votes"]))
    recorded = record(first)["cases"]
    list(Campaign(second, recorded).go_on(800, ["votes"]))
    list(Campaign(first).go_on(800, ["votes"]))
    assert record(second)["cases"]["votes"]["outcomes"] == record(first)["cases"]["votes"]["outcomes"]
