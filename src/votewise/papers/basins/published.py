"""The published numbers of the paper: as data, as means of a method's quantity, and as quotes for tables and captions."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from votewise.comparison import Quoted
from votewise.papers.published import Published, quotes
from votewise.probes import DETECTORS, SLICES
from votewise.studies import Plan, Results

HARD = ("sls", "multipass", "deterministic")  # the hard family
METHODS = ("soft", "sls")  # the two that most figures compare
FOUR_SCORES = ("soft_nll", "accuracy", "ece_equal_mass", "entropy_correlation")  # the columns of Tables 2 and 3
CURVATURE = ("lambda_max_full", "trace_full", "lambda_max_high", "trace_high")  # the columns of Table 4
STABILITY = (
    "gradcam_correlation",
    "gradcam_overlap",
    "gradcam_distance",
)  # the paper claims that the first is the strongest
KEPT = (5, 10, 50)  # epochs for which a drawn label is kept, in addition to 1


@cache
def published() -> Published:
    """The published numbers of the paper.

    >>> published().table(2).cell("soft", "soft_nll").mean
    0.5096
    >>> str(published().table(2).cell("soft", "ece_equal_mass")), published().number("g-barrier")["mean"]
    ('0.0185 ± 0.0040', 2.05)
    """
    return Published.of("votewise.papers.basins")


cells, number = quotes(published)

# Numbers in the text that are means of a method's quantity.
_IN_TEXT = {
    **{(method, "cka"): f"r-cka-{method}" for method in ("sls", "soft")},
    **{(method, "gradcam_correlation"): f"r-gradcam-all-{method}" for method in ("sls", "soft")},
    **{(method, "gradcam_correlation_high"): f"r-gradcam-high-entropy-{method}" for method in ("sls", "soft")},
    **{(method, "smooth_ece"): f"f-smooth-ece-{method}" for method in ("sls", "soft", "majority")},
    ("sls", "barrier"): "g-barrier",
    ("sls", "noise_correlation"): "n-spearman",
    **{(f"sls-every-{epochs}", "soft_nll"): f"t-resample-{epochs}" for epochs in KEPT},
}
_EVERY = {f"sls-every-{epochs}": "sls" for epochs in KEPT}  # their spread with all votes is that of SLS
_MAJORITY = {
    f"{key}_votes": key
    for key in ("ece_equal_mass", "ece_equal_width", "smooth_ece", "brier_reliability", "brier_resolution")
}
_CURVATURE = {f"lambda_max_{part}": part for part in SLICES}
_AUROC = {f"auroc_{part}_{detector}": (part, detector) for part in ("near", "far") for detector in DETECTORS}


def printed(method: str, K: int | None, quantity: str) -> tuple[float, float | None] | None:
    """The published mean and SD of a method's quantity with K votes per item; None if it is not printed.

    If no SD is printed with the mean, the SD of the method and quantity with all votes is used. The paper does not state
    the outcome of its calibration errors, so the numbers are used for both.

    >>> printed("sls", 5, "soft_nll"), printed("soft", None, "lambda_max_full"), printed("mixup", 5, "kl")
    ((0.5599, 0.0263), (242.2, 36.2), None)
    """
    quantity = _MAJORITY.get(quantity, quantity)
    cell = _cell(method, K, quantity)
    if cell is None or cell.mean is None:
        return None
    every = _cell(_EVERY.get(method, method), None, quantity)
    return cell.mean, cell.sd if cell.sd is not None else every.sd if every else None


def _cell(method: str, K: int | None, quantity: str) -> Quoted | None:
    if K is not None:
        if quantity == "soft_nll":
            return published().table(1).cell(method, f"k{K}")
        return published().table(6).cell(f"k{K}", f"{method}_{_CURVATURE.get(quantity)}")
    if (method, quantity) in _IN_TEXT:
        entry = published().number(_IN_TEXT[method, quantity])
        return Quoted(entry.get("value", entry.get("mean")), None, None, entry.get("n"), entry["decimals"])
    if quantity in _AUROC:
        part, detector = _AUROC[quantity]
        places = [(7, detector, method)] if part == "far" else [(8, detector, method), (9, detector, method)]
    else:
        row = "sls-main" if method == "sls" else method
        places = [(2, method, quantity), (5, method, quantity), (3, method, quantity), (4, row, quantity)]
    for table, row, column in places:
        if (cell := published().table(table).cell(row, column)) is not None:
            return cell
    return None


# p-values in the paper's text: table, row, column -> id of the number
_P_IN_TEXT = {
    **{(2, "sls", key): f"f-p-{key.replace('_', '-')}" for key in FOUR_SCORES},
    (3, "multipass", "soft_nll"): "h-p-multipass-soft-nll",
}  # fmt: skip


def in_text(name: str, field: str = "value") -> float:
    """A number in the text or in a caption of the paper, by its id."""
    return float(published().number(name)[field])


def quoted(table: int) -> dict[tuple[str, str], Quoted]:
    """The cells of a published table by ids of row and column, with p-values from the text."""
    in_text_too = {(row, column): name for (number, row, column), name in _P_IN_TEXT.items() if number == table}
    cells = dict(published().table(table).cells)
    return cells | {place: replace(cells[place], p=in_text(name, "p")) for place, name in in_text_too.items()}


def same_protocol(results: Results) -> bool:
    """Whether sizes are comparable with the published ones: same data, split, sub-sampling and recipe."""
    from votewise.papers.paper import paper

    def protocol(plan: Plan) -> tuple[object, ...]:
        return plan.dataset, plan.split, plan.subsample, plan.subsample_seed, plan.trained_with

    papers = protocol(paper("basins").plan("sparse", "paper"))
    return bool(results.plans) and all(protocol(plan) == papers for plan in results.plans.values())


def note(results: Results, sentence: str) -> str:
    """What the paper reports, as the last sentence of a caption, and whether sizes are comparable."""
    return f"In the paper{caveat(results)}: {sentence}"


def caveat(results: Results) -> str:
    """Why sizes are not comparable with the published ones, in parentheses; empty if they are."""
    return "" if same_protocol(results) else " (CIFAR-10H with the paper's training, so sizes are not comparable)"
