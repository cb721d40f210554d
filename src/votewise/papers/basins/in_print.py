"""The published numbers as tables and captions quote them."""

from __future__ import annotations

from dataclasses import replace

from votewise.comparison import Quoted
from votewise.papers.basins.published import published
from votewise.studies import Results

# p-values that stand in the paper's text: table, row, column -> id of the number
_IN_THE_TEXT = {
    (2, "sls", "soft_nll"): "f-p-soft-nll",
    (2, "sls", "accuracy"): "f-p-accuracy",
    (2, "sls", "ece_equal_mass"): "f-p-ece-equal-mass",
    (2, "sls", "entropy_correlation"): "f-p-entropy-correlation",
    (3, "multipass", "soft_nll"): "h-p-multipass-soft-nll",
}


def number(name: str, field: str = "value") -> float:
    """A number in the text or in a caption of the paper, by its id."""
    return float(published().number(name)[field])


def quoted(table: int) -> dict[tuple[str, str], Quoted]:
    """The cells of a published table by ids of row and column, with p-values from the text."""
    cells = {
        place: Quoted(cell.mean, cell.sd, cell.p, cell.n, cell.decimals)
        for place, cell in published().table(table).cells.items()
    }
    for (where, *place), name in _IN_THE_TEXT.items():
        if where == table:
            row, column = place
            cells[row, column] = replace(cells[row, column], p=number(name, "p"))
    return cells


def same_protocol(results: Results) -> bool:
    """Whether sizes can be compared with the published ones: the paper's data, split, sub-sampling and recipe."""
    from votewise.papers.paper import paper as paper_called

    paper = paper_called("basins").plan("sparse", "paper")
    return all(
        (plan.dataset, plan.split, plan.subsample, plan.trained_with)
        == (paper.dataset, paper.split, paper.subsample, paper.trained_with)
        for plan in results.plans.values()
    )


def note(results: Results, sentence: str) -> str:
    """What the paper reports, as the last sentence of a caption, and whether sizes can be compared."""
    caveat = "" if same_protocol(results) else " (CIFAR-10H, the paper's training; sizes are not comparable)"
    return f"Published{caveat}: {sentence}"
