"""The paper's tables as data: what stands in their rows and columns, and which test they have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from votewise.evidence.methods import DETECTORS, QUANTITIES, look, votes_name
from votewise.evidence.results import Results
from votewise.evidence.tables.definition import Definition, Line, Test

SCORES = ("soft_nll", "accuracy", "ece_equal_mass", "entropy_correlation")
CURVATURE = ("lambda_max_full", "trace_full", "lambda_max_high", "trace_high")
PAPERS_WAY = {
    "lambda_max_full": "lambda_power_full",
    "lambda_max_high": "lambda_power_high",
    "trace_full": "trace_hutchinson_full",
    "trace_high": "trace_hutchinson_high",
}
SLICES = "Full: the whole evaluation split; high: the tenth of it with the highest annotator entropy. No test."
UNPAIRED = "The paper puts soft labels of ten seeds beside runs of the others of five"


def definition(number: int, results: Results) -> Definition:
    """The table of that number; the votes per item follow the sweep at hand."""
    return {1: _sweep, 2: _main, 3: _family, 4: _geometry, 5: _proper, 6: _geometry_sweep, 7: _far, 8: _near, 9: _near_family}[
        number
    ](results)  # fmt: skip


def _methods(methods: Iterable[str]) -> list[Line]:
    return [Line(method, look(method).name, {"method": method}) for method in methods]


def _scores(*scores: str) -> list[Line]:
    return [Line(score, QUANTITIES[score].head, {"score": score}) for score in scores]


def _votes(
    results: Results, of: Mapping[str, Any] | None = None, prefix: str = ""
) -> tuple[list[Line], frozenset[str]]:
    """A line for each K of the sweep, then one for all votes; and the ids that are no part of the sweep."""
    every = [*results.sweep, *(() if None in results.sweep else (None,))]
    lines = [Line(f"k{votes_name(k)}", f"{prefix}{votes_name(k)}", {"K": k, **(of or {})}) for k in every]
    return lines, frozenset({"kall"} - {f"k{votes_name(k)}" for k in results.sweep})


def _soft_beside(results: Results, note: str = "") -> list[Line]:
    """Soft labels of the main comparison, and once more on the seeds of the ablation where those are others."""
    lines = [Line("soft", look("soft").name + note, {"study": "main", "method": "soft"})]
    main = set(results.values("main", "soft", "soft_nll"))
    ablation = set(results.values("ablation", "sls", "soft_nll"))
    if main & ablation and main - ablation:
        shared = {"study": "main", "method": "soft", "seeds_of": "ablation"}
        lines.append(Line("soft-same-seeds", f"{look('soft').name} (same seeds)", shared))
    return lines


def _hard(*methods: str) -> list[Line]:
    return [Line(method, look(method).name, {"study": "ablation", "method": method}) for method in methods]


def _sweep(results: Results) -> Definition:
    columns, beside = _votes(results, prefix="K = ")
    return Definition(
        1,
        "Soft NLL by votes per item",
        "runs of the study 'sparse' (soft, sls, multipass, deterministic)",
        "Method",
        _methods(results.arms(("soft", "sls", "multipass", "deterministic"))),
        [] if results.own and not results.sweep else columns,  # all votes alone: the methods side by side
        "Soft NLL on the evaluation split against all votes, by votes per item in training."
        + (" The column of all votes is no part of the sweep." if beside else ""),
        "Lower is better; the first p says how often chance alone would put a method this far below soft labels, the second corrects it "
        "for looking at many cells.",
        of={"study": "sparse", "score": "soft_nll"},
        test=Test(
            {"method": "soft"},
            True,
            "cells",
            "In parentheses: p of the exact Wilcoxon test over paired seeds, one-sided against soft labels, raw; and after Holm over {cells} cells",
            family=True,
        ),
        better="lower",
        bold=True,
        beside=beside,
    )  # fmt: skip


def _main(results: Results) -> Definition:
    paired = {"soft", "sls"} <= set(results.arms(("soft", "sls")))
    return Definition(
        2,
        "Main comparison with all votes",
        "runs of the study 'main' (soft, sls, majority, label-smoothing, mixup)",
        "Method",
        _methods(results.arms(("label-smoothing", "majority", "mixup", "sls", "soft"))),
        _scores(*SCORES),
        "Scores on the evaluation split; accuracy and ECE against the class that most annotators chose.",
        "Arrows show which way is better"
        + ("; a large p in the last rows is no proof that SLS and soft labels are the same, the claims test that." if paired else "."),
        of={"study": "main"},
        test=Test(
            {"method": "soft"},
            False,
            "row",
            "p: exact Wilcoxon test over paired seeds, SLS against soft labels, two-sided, raw",
            only=("sls",),
        )
        if paired
        else None,
    )  # fmt: skip


def _family(results: Results) -> Definition:
    return Definition(
        3,
        "The hard-delivery family with all votes",
        "runs of the studies 'ablation' (sls, multipass, deterministic, shuffled-sls) and 'main' (soft)",
        "Method",
        [*_soft_beside(results, " (ref.)"), *_hard("sls", "deterministic", "multipass", "shuffled-sls")]
        if "sls" in results.arms(("sls",))
        else [],
        _scores(*SCORES),
        f"Scores on the evaluation split. {UNPAIRED}; tests are on shared seeds.",
        "Rows with a large p cannot be told from SLS with so many seeds; shuffled SLS shows what is lost when items lose their own votes.",
        test=Test(
            {"study": "ablation", "method": "sls"},
            False,
            "cells",
            "In parentheses: p of the exact Wilcoxon test over paired seeds against SLS, two-sided, raw",
        ),
    )  # fmt: skip


def _geometry(results: Results) -> Definition:
    sls = Line("sls-main", "SLS (main)", {"study": "main", "method": "sls"})
    again = Line("sls-ablation", "SLS (ablation)", {"study": "ablation", "method": "sls"})
    return Definition(
        4,
        "Curvature of the loss",
        "the probe 'curvature' on runs of the studies 'main' (soft, sls) and 'ablation' (sls, multipass, deterministic, shuffled-sls)",
        "Method",
        [sls, *_soft_beside(results), again, *_hard("deterministic", "multipass", "shuffled-sls")],
        _scores(*CURVATURE),
        f"Hessian of the evaluation soft NLL over all weights, batch norm frozen: λmax by Lanczos, the trace by Hutchinson's estimator beyond the directions that Lanczos found. {SLICES} {UNPAIRED}; ours shares the SLS runs of the two studies.",
        "Lower is flatter, which is not better in itself: shuffled SLS predicts hardly more than chance.",
        curved=True,
        others=PAPERS_WAY,
        others_name="power iteration, Hutchinson",
    )  # fmt: skip


def _proper(results: Results) -> Definition:
    return Definition(
        5,
        "Further proper scores",
        "runs of the study 'main' (soft, sls, majority, label-smoothing, mixup)",
        "Method",
        _methods(results.arms(("sls", "soft", "majority", "label-smoothing", "mixup"))),
        _scores("kl", "soft_brier"),
        "KL(votes ‖ model) in nats and the squared distance of votes and model, summed over the classes, on the evaluation split. No test.",
        "Lower is better in both columns; the two need not rank the methods alike.",
        of={"study": "main"},
    )


def _geometry_sweep(results: Results) -> Definition:
    rows, beside = _votes(results)
    columns = [
        Line(f"{method}_{part}", f"{look(method).name} ({part})", {"method": method, "score": f"lambda_max_{part}"})
        for part in ("full", "high")
        for method in ("sls", "soft")
    ]
    return Definition(
        6,
        "Largest Hessian eigenvalue by votes per item",
        "the probe 'curvature' on runs of the study 'sparse' (soft, sls)",
        "K",
        rows,
        columns,
        f"Largest eigenvalue of the Hessian of the evaluation soft NLL, by votes per item in training, by Lanczos. {SLICES}",
        "Lower is flatter; compare SLS with soft labels in the same slice and row.",
        of={"study": "sparse"},
        curved=True,
        others=PAPERS_WAY,
        others_name="power iteration",
        beside=beside,
    )  # fmt: skip


def _detectors(where: str, *detectors: str) -> list[Line]:
    return [Line(name, DETECTORS[name], {"score": f"auroc_{where}_{name}"}) for name in detectors]


def _sizes(results: Results, name: str) -> str:
    """The sizes of the sets that a detector tells apart, if they were recorded."""
    column = f"n_{name}"
    if column not in results.table.columns or not (sizes := sorted(results.table[column].drop_nulls().unique())):
        return ""
    inside = f"{results.evaluated:,} evaluation items, " if results.evaluated else ""
    return f"; here {inside}{' or '.join(f'{size:,.0f}' for size in sizes)} inputs in the {name} set"


def _far(results: Results) -> Definition:
    return Definition(
        7,
        "Far out-of-distribution detection",
        "the probe 'ood' on runs of the studies 'main' (soft) and 'ablation' (sls, multipass, deterministic)",
        "Detector",
        _detectors("far", "energy", "msp", "odin", "entropy", "margin", "knn"),
        [*_soft_beside(results), *_hard("multipass", "deterministic", "sls")],
        f"AUROC of telling evaluation items from the far set (the paper's is SVHN{_sizes(results, 'far')}). {UNPAIRED}, so that the table is descriptive. No test.",
        "Higher is better: 0.5 is a coin, 1 tells every input apart; compare along a row.",
        n_on="heads",
        better="higher",
    )


def _near(results: Results) -> Definition:
    return Definition(
        8,
        "Near out-of-distribution detection",
        "the probe 'ood' on runs of the study 'main' (soft, sls)",
        "Detector",
        _detectors("near", "energy", "odin", "entropy", "msp", "knn", "margin"),
        _methods(("sls", "soft")),
        f"AUROC of telling evaluation items from the near set (the paper's is CIFAR-100{_sizes(results, 'near')}).",
        "Higher is better; a small one-sided p says that SLS is above soft labels in nearly every seed.",
        of={"study": "main"},
        test=Test(
            {"method": "soft"},
            True,
            "columns",
            "p: exact Wilcoxon test over paired seeds, SLS against soft labels, one-sided as in the paper and two-sided, raw; and one-sided after Holm "
            "over {cells} detectors",
            only=("sls",),
            family=True,
        ),
        n_on="heads",
        better="higher",
    )  # fmt: skip


def _near_family(results: Results) -> Definition:
    return Definition(
        9,
        "Near out-of-distribution detection over the family",
        "the probe 'ood' on runs of the studies 'main' (soft) and 'ablation' (sls, multipass, deterministic)",
        "Detector",
        _detectors("near", "energy", "msp", "knn"),
        [*_soft_beside(results), *_hard("multipass", "deterministic", "sls")],
        f"AUROC of telling evaluation items from the near set (the paper's is CIFAR-100{_sizes(results, 'near')}). {UNPAIRED}, so that the table is descriptive. No test.",
        "Higher is better; compare along a row.",
        n_on="heads",
        better="higher",
    )
