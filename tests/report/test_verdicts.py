"""How many claims have each outcome, and how many of them say anything of the data."""

from __future__ import annotations

from made_up import made_up

from votewise.evidence.claims.deciding import decide
from votewise.report.verdicts import tiles


def test_tiles_tell_what_was_decided_on_this_data_from_what_needs_none() -> None:
    decisions = decide(made_up())
    found = {tile["outcome"]: tile for tile in tiles(decisions)}
    assert sum(tile["count"] for tile in found.values()) == 88
    mathematics = [decision for decision in decisions if decision.id in {f"M{number}" for number in range(1, 8)}]
    assert {decision.outcome for decision in mathematics} == {"reproduced"}
    reproduced = found["reproduced"]
    assert reproduced["note"] == f"{reproduced['count'] - 7} on this data, 7 by calculation alone"
    assert found["contradicted"]["note"] == ""
    waiting = [d for d in decisions if d.claim.kind == "claim" and d.verdict.why.startswith("needs ")]
    assert found["undecided"]["note"] == (f"{len(waiting)} for want of runs or probes" if waiting else "")
