"""What the paper leaves open, and what this project adds."""

from __future__ import annotations

from votewise.papers.basins.claims.shared import BASINS
from votewise.papers.claims import Verdict

claim = BASINS.section("What the paper leaves open")

for id, statement, where, how, beside in (
    ("L1", "One dataset and one architecture; text sets such as ChaosNLI and LeWiDi are untested.", "Limitations",
     "The same studies run on any votes: every table, figure and verdict here is of the dataset at hand.", ()),
    ("L2", "The main comparison has ten seeds, the hard family five; the out-of-distribution tables mix them.", "Limitations, A.5",
     "Both readings: the means of all seeds as published, and every verdict paired on shared seeds.", ()),
    ("L3", "No cell of the sweep survives Holm's correction.", "Limitations",
     "It takes eight seeds; the number of seeds is stated before a study starts, and beside each verdict.", ("S4", "X3")),
    ("L4", "Sparse votes are simulated by sub-sampling a dense pool; split and sub-sampling share a seed.", "Limitations, A.1",
     "Nested sub-sampling without replacement; subsample_seed in a plan sets its seed apart from that of the split.", ("S15",)),
    ("L5", "The link from delivery to geometry is described, not derived.", "Limitations",
     "Guards: re-estimated batch norm, two runs of one delivery, the last checkpoint, a sharpness without scale.", ("G12", "G13")),
):  # fmt: skip
    claim(id, statement, lambda _: Verdict(outcome="shown"), kind="limitation", where=where, how=how, beside=beside)
