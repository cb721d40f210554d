"""Tables 1 to 9 of the paper, for any results with its methods, with the published numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from votewise.comparison import Definition, Line, Quoted, Table, Test, head, make_table, name, votes_name
from votewise.errors import VotewiseError
from votewise.papers.basins.published import CURVATURE, FOUR_SCORES, HARD, METHODS, caveat, quoted
from votewise.probes import DETECTORS
from votewise.studies import Needs, Results

SWEPT = ("soft", *HARD)
COMPARED = ("label-smoothing", "majority", "mixup", "sls", "soft")
PAPERS_ESTIMATORS = {
    f"{ours}_{part}": f"{theirs}_{part}"
    for part in ("full", "high")
    for ours, theirs in (("lambda_max", "lambda_power"), ("trace", "trace_hutchinson"))
}
SLICES = "Full: the evaluation items that the probe uses; high: the tenth of the evaluation items with the highest annotator entropy. No test is computed."
UNPAIRED = "The paper compares soft labels with ten seeds to other methods with five"


def table(number: int, results: Results) -> Table:
    """Table 1 to 9 of the paper from results on one dataset: mean ± SD across seeds at the best and at the last checkpoint, and the published numbers.

    Raises:
        VotewiseError: if the table is unknown.
    """
    if number not in TABLES:
        raise VotewiseError(f"unknown table {number!r}", remedy="choose one of 1 to 9")
    definition = TABLES[number](results)
    if not definition.quoted:
        definition = replace(definition, quoted=quoted(number))
    return make_table(replace(definition, note=f"Rows “published” are from the paper{caveat(results)}."), results)


def _methods(methods: Iterable[str], **of: Any) -> list[Line]:
    return [Line(method, name(method), {"method": method, **of}) for method in methods]


def _scores(*quantities: str) -> list[Line]:
    return [Line(key, head(key), {"quantity": key}) for key in quantities]


def _votes(results: Results, methods: Iterable[str], prefix: str = "") -> list[Line]:
    """One line per number of votes per item, followed by all votes with the same seeds, which is not part of the sweep."""
    swept = results.votes_per_item()
    if not swept:
        return []
    seeds = frozenset(seed for method in methods for K in swept for seed in results.seeds(method, K=K))
    lines = [Line(f"k{K}", f"{prefix}{K}", {"K": K}) for K in swept]
    return [*lines, Line("kall", f"{prefix}{votes_name(None)}", {"K": None, "seeds": seeds, "in_family": False})]


def _ablated(results: Results) -> frozenset[int] | None:
    """The seeds of the ablation, which are those of multipass with all votes; None if there are none, to use all seeds."""
    return frozenset(results.seeds("multipass")) or None


def _soft(results: Results, ending: str = "") -> list[Line]:
    """Soft labels with all seeds, and again with the seeds of the ablation if those differ."""
    seeds, ablated = set(results.seeds("soft")), _ablated(results)
    other = ablated is not None and bool(seeds & ablated) and bool(seeds - ablated)
    lines = [Line("soft", name("soft") + ending, {"method": "soft", "tested": not other})]
    if other:
        lines.append(Line("soft-same-seeds", f"{name('soft')} (same seeds)", {"method": "soft", "seeds": ablated}))
    return lines


def _sweep(results: Results) -> Definition:
    words = (
        "In parentheses: p of the exact Wilcoxon test over paired seeds, one-sided against soft labels, without correction and after Holm's correction over"
        " {comparisons}."
    )
    return Definition(
        1, "Soft NLL by votes per item", "Method", _methods(SWEPT), _votes(results, SWEPT, "K = "),
        "Soft NLL on the evaluation split against all votes, by votes per item in training. K = all is shown for comparison and is not part of the sweep.",
        "Lower is better. The first p-value is for the single comparison; the second is corrected for the number of comparisons.",
        needs=(Needs(SWEPT, "sparse"),), of={"quantity": "soft_nll", "show": "mean_sd_p"}, test=Test("soft", True, words, family=True), bold=True,
    )  # fmt: skip


def _main(results: Results) -> Definition:
    cells = quoted(2)
    words = "p: exact Wilcoxon test over paired seeds, SLS against soft labels, two-sided, uncorrected."
    rows = [*_methods(COMPARED), Line("p", "p, SLS against soft labels", {"method": "sls", "show": "p"})]
    return Definition(
        2, "Main comparison with all votes", "Method", rows, _scores(*FOUR_SCORES),
        "Scores on the evaluation split; accuracy and ECE are against the majority of the votes.",
        "Arrows show the better direction. A large p-value does not show that SLS and soft labels are equal; the equivalence tests of the claims do.",
        needs=(Needs(COMPARED, "main"),), test=Test("soft", False, words, only=("sls",)),
        quoted=cells | {("p", key): Quoted(p=cells["sls", key].p, n=cells["sls", key].n) for key in FOUR_SCORES},
    )  # fmt: skip


def _family(results: Results) -> Definition:
    rows = [*_soft(results, " (ref.)"), *_methods(("sls", "deterministic", "multipass", "shuffled-sls"), seeds=_ablated(results))]  # fmt: skip
    words = "In parentheses: p of the exact Wilcoxon test over paired seeds against SLS, two-sided, uncorrected."
    return Definition(
        3, "The hard-delivery family with all votes", "Method", rows, _scores(*FOUR_SCORES),
        f"Scores on the evaluation split. {UNPAIRED}; tests use shared seeds.",
        "Rows with a large p-value do not differ significantly from SLS with this number of seeds. Shuffled SLS shows the effect of giving items the votes of other"
        " items.",
        needs=(Needs((*HARD, "shuffled-sls"), "ablation"), Needs(("soft",), "main")), of={"show": "mean_sd_p"}, test=Test("sls", False, words),
    )  # fmt: skip


def _geometry(results: Results) -> Definition:
    rows = [
        Line("sls-main", "SLS (main)", {"method": "sls"}),
        *_soft(results),
        Line("sls-ablation", "SLS (ablation)", {"method": "sls", "seeds": _ablated(results)}),
        *_methods(("deterministic", "multipass", "shuffled-sls")),
    ]
    return Definition(
        4, "Curvature of the loss", "Method", rows, _scores(*CURVATURE),
        "Hessian of the evaluation soft NLL over all weights with frozen batch norm: λmax by Lanczos iteration, the trace by Hutchinson's estimator outside the"
        f" directions found by Lanczos. {SLICES} {UNPAIRED}; here, the two SLS rows share runs, and SLS (ablation) uses only the seeds of multipass.",
        "Lower is flatter. Flatter is not necessarily better: shuffled SLS is flat, and its accuracy is close to chance.",
        needs=(Needs(METHODS, "main", probe="curvature"), Needs((*HARD, "shuffled-sls"), "ablation", probe="curvature")),
        decimals=None, others=PAPERS_ESTIMATORS, others_name="power iteration, Hutchinson (as in the paper)",
    )  # fmt: skip


def _proper(results: Results) -> Definition:
    rows = _methods(("sls", "soft", "majority", "label-smoothing", "mixup"))
    return Definition(
        5, "Further proper scores", "Method", rows, _scores("kl", "soft_brier"),
        "KL(votes ‖ model) in nats, and the squared distance between votes and model summed over classes, on the evaluation split. No test is computed.",
        "Lower is better in both columns, which can rank the methods differently.", needs=(Needs(COMPARED, "main"),),
    )  # fmt: skip


def _geometry_sweep(results: Results) -> Definition:
    columns = [
        Line(f"{method}_{part}", f"{name(method)} ({part})", {"method": method, "quantity": f"lambda_max_{part}"})
        for part in ("full", "high")
        for method in ("sls", "soft")
    ]
    return Definition(
        6, "Largest Hessian eigenvalue by votes per item", "K", _votes(results, METHODS), columns,
        f"Largest eigenvalue of the Hessian of the evaluation soft NLL by Lanczos iteration, by votes per item in training. {SLICES}",
        "Lower is flatter; compare SLS with soft labels in the same slice and row.", needs=(Needs(METHODS, "sparse", probe="curvature"),),
        decimals=None, others=PAPERS_ESTIMATORS, others_name="power iteration (as in the paper)",
    )  # fmt: skip


def _detectors(where: str, *detectors: str) -> list[Line]:
    return [Line(key, DETECTORS[key], {"quantity": f"auroc_{where}_{key}"}) for key in detectors]


def _sizes(results: Results, where: str, dataset: str) -> str:
    """The out-of-distribution set, and the sizes of both sets if known."""
    sizes = sorted({size for method in SWEPT for size in results.values(method, f"n_{where}").values()})
    inputs = [f"{' or '.join(f'{size:,.0f}' for size in sizes)} inputs in the {where} set"] if sizes else []
    items = [f"{count:,} evaluation items" for count in results.evaluated.values()]
    here = f"; here {', '.join([*items, *inputs])}" if inputs else ""
    return f"AUROC for separating evaluation items from the {where} set (in the paper: {dataset}{here})."


def _outside(results: Results, number: int, title: str, rows: list[Line], sizes: str) -> Definition:
    """AUROC of each detector for soft labels and the hard-delivery family."""
    hard = ("multipass", "deterministic", "sls")
    return Definition(
        number, title, "Detector", rows, [*_soft(results), *_methods(hard, seeds=_ablated(results))],
        f"{sizes} {UNPAIRED}, so this table is descriptive. No test is computed.", "Higher is better: 0.5 is chance, 1 is perfect separation. Compare within a row.",
        needs=(Needs(("soft",), "main", probe="ood"), Needs(SWEPT[1:], "ablation", probe="ood")), n_in_heads=True,
    )  # fmt: skip


def _far(results: Results) -> Definition:
    rows = _detectors("far", "energy", "msp", "odin", "entropy", "margin", "knn")
    return _outside(results, 7, "Far out-of-distribution detection", rows, _sizes(results, "far", "SVHN"))


def _near_family(results: Results) -> Definition:
    title = "Near out-of-distribution detection over the family"
    return _outside(results, 9, title, _detectors("near", "energy", "msp", "knn"), _sizes(results, "near", "CIFAR-100"))


def _near(results: Results) -> Definition:
    cells, rows = quoted(8), _detectors("near", "energy", "odin", "entropy", "msp", "knn", "margin")
    tests = {"p": "p (one-sided)", "p_two_sided": "p (two-sided)", "p_holm": "p (Holm)"}
    columns = [*_methods(("sls", "soft")), *(Line(show, text, {"method": "sls", "show": show}) for show, text in tests.items())]  # fmt: skip
    words = (
        "p: exact Wilcoxon test over paired seeds, SLS against soft labels, one-sided as in the paper, two-sided, and one-sided after Holm's"
        " correction over {comparisons}; the first two are not corrected."
    )
    return Definition(
        8, "Near out-of-distribution detection", "Detector", rows, columns, _sizes(results, "near", "CIFAR-100"),
        "Higher is better. A small one-sided p-value means that SLS is above soft labels for nearly every seed.",
        needs=(Needs(METHODS, "main", probe="ood"),), test=Test("soft", True, words, only=("sls",), family=True), n_in_heads=True,
        quoted=cells | {(row.id, "p"): Quoted(p=cells[row.id, "sls-vs-soft"].p) for row in rows},
    )  # fmt: skip


MAKERS = (_sweep, _main, _family, _geometry, _proper, _geometry_sweep, _far, _near, _near_family)
TABLES: dict[int, Callable[[Results], Definition]] = dict(enumerate(MAKERS, start=1))
