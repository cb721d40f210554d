"""What the paper leaves open, and what this project adds."""

from __future__ import annotations

from votewise.papers.basins.claims.paper import BASINS
from votewise.papers.claims import Verdict, View

claim = BASINS.section("What the paper leaves open")


def _open(r: View) -> Verdict:
    return Verdict(outcome="shown")


claim(
    "L1", "One dataset and one architecture; text sets such as ChaosNLI and LeWiDi are untested.",
    kind="limitation", where="Limitations", how="The same studies run on any votes: every table, figure and verdict here is of the dataset at hand.",
)(_open)  # fmt: skip
claim(
    "L2", "The main comparison has ten seeds, the hard family five; the out-of-distribution tables mix them.",
    kind="limitation", where="Limitations, A.5", how="Both readings: the means of all seeds as published, and every verdict paired on shared seeds.",
)(_open)  # fmt: skip
claim(
    "L3", "No cell of the sweep survives Holm's correction.",
    kind="limitation", where="Limitations", how="It takes eight seeds; the number of seeds is stated before a study starts, and beside each verdict.",
    beside=("S4", "X3"),
)(_open)  # fmt: skip
claim(
    "L4", "Sparse votes are simulated by sub-sampling a dense pool; split and sub-sampling share a seed.",
    kind="limitation", where="Limitations, A.1",
    how="Nested sub-sampling without replacement; subsample_seed in a plan sets its seed apart from that of the split.", beside=("S15",),
)(_open)  # fmt: skip
claim(
    "L5", "The link from delivery to geometry is described, not derived.",
    kind="limitation", where="Limitations", how="Guards: re-estimated batch norm, two runs of one delivery, the last checkpoint, a sharpness without scale.",
    beside=("G12", "G13"),
)(_open)  # fmt: skip
