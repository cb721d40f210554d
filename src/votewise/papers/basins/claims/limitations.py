"""Limitations of the paper, and what this project adds."""

from __future__ import annotations

from votewise.papers.basins.claims.shared import BASINS
from votewise.papers.claims import Verdict

claim = BASINS.section("Limitations of the paper")

for id, statement, where, how, beside in (
    ("L1", "One dataset and one architecture; text datasets, for example ChaosNLI and LeWiDi, are not tested.", "Limitations",
     "The same studies can be run on any votes. Every table, figure and verdict on this page is about the dataset of these runs.", ()),
    ("L2", "The main comparison has ten seeds and the hard family has five; the out-of-distribution tables mix them.", "Limitations, A.5",
     "Both analyses are shown: means over all seeds as published, and verdicts paired on shared seeds.", ()),
    ("L3", "No cell of the sweep survives Holm's correction.", "Limitations",
     "Eight seeds are needed. The number of seeds is shown before a study starts, and with each verdict.", ("S4", "X3")),
    ("L4", "Sparse votes are simulated by sub-sampling a dense pool; split and sub-sampling share a seed.", "Limitations, A.1",
     "Nested sub-sampling without replacement is available, and subsample_seed in a plan separates its seed from that of the split.", ("S15",)),
    ("L5", "The link from delivery to geometry is described, not derived.", "Limitations",
     "Guards check alternative explanations: re-estimated batch norm, two runs of one delivery, the last checkpoint, and a scale-invariant sharpness.", ("G12", "G13")),
):  # fmt: skip
    claim(id, statement, lambda _: Verdict(outcome="shown"), kind="limitation", where=where, how=how, beside=beside)
