"""Figure 1: scores by votes per item, and the improvement of hard delivery in soft NLL."""

from __future__ import annotations

from dataclasses import replace

from votewise.papers.basins.in_print import note
from votewise.reporting.charts import Figure, votes_sweep
from votewise.studies import Needs, Results

METHODS = ("soft", "sls", "multipass", "deterministic")
PUBLISHED = (
    "soft NLL is lower in all 12 cells (Table 1 has the numbers), hard accuracy remains close, and entropy correlation is modestly higher for hard delivery"
    " as K grows."
)


def sweep(results: Results) -> Figure:
    """Figure 1."""
    figure = votes_sweep(results, METHODS, reference="soft", all_votes=False)
    if figure.missing:
        return replace(figure, key=1, missing=(Needs(METHODS, "sparse"),))
    return replace(figure, key=1, caption=f"{figure.caption} {note(results, PUBLISHED)}")
