"""Out-of-distribution detection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from votewise.comparison import name as method_name
from votewise.papers.basins.claims.geometry import g6
from votewise.papers.basins.claims.paper import BASINS, FAR, NEAR, label
from votewise.papers.basins.published import HARD, cells, number
from votewise.papers.claims import Values, Verdict, View, agreeing, all_of, each, every, higher, lower, mean
from votewise.papers.claims.values import F64
from votewise.papers.claims.verdict import Ruling, simulated

claim = BASINS.section("Out of distribution")

FIVE = 5  # of six detectors


def _against(r: View, first: str, others: tuple[str, ...]) -> dict[str, dict[str, Values]]:
    """AUROC on the far set of one method minus that of each of the others, by other method and detector."""
    return {other: {key: r.difference(first, other, key) for key in FAR.values()} for other in others}


def _leading(differences: dict[str, dict[str, Values]]) -> F64:
    """The number of detectors on which all mean differences are above zero [...]."""
    above = [
        np.all([np.mean(cells[key].numbers, axis=-1) > 0 for cells in differences.values()], axis=0)
        for key in FAR.values()
    ]
    return np.asarray(np.sum(above, axis=0))


def _by_means(differences: dict[str, dict[str, Values]], tests: Verdict, needs_tests: bool) -> Verdict:
    """Reproduced if the means lead on five detectors, and if the tests pass where they are needed; contradicted by the tests."""
    assert tests.ruling is not None
    if not all(len(values) for cells in differences.values() for values in cells.values()):
        return replace(tests, outcome="undecided", ruling=Ruling(np.asarray(False), np.asarray(1.0)))
    leading = _leading(differences)
    holds = (leading >= FIVE) & (tests.ruling.holds if needs_tests else True) & (_seeds(differences) >= 5)
    ruling = Ruling(np.asarray(holds), tests.ruling.against)
    if np.ndim(ruling.holds):
        return simulated(ruling)
    reason = (
        f"the means lead on {int(leading)} of {len(FAR)} detectors; tests on the average over detectors: {tests.reason}"
    )
    return replace(tests, outcome=ruling.outcome, reason=reason, numbers={"detectors": float(leading)}, ruling=ruling)


def _seeds(differences: dict[str, dict[str, Values]]) -> int:
    return min(len(values) for cells in differences.values() for values in cells.values())


@claim(
    "O1", "On the far set hard delivery is above soft labels on five of six detectors.",
    where="5.3, Table 7",
    how="Descriptive, as in the paper: a detector counts if all three deliveries have the higher mean AUROC on shared seeds; five or more reproduce. Contradicted if the average over detectors is below soft labels for a delivery: direction, after Holm's correction.",
    published=(number("o-svhn-above"), cells(7)), beside=("X5",),
)  # fmt: skip
def o1(r: View) -> Verdict:
    differences = {method: {key: r.difference(method, "soft", key) for key in FAR.values()} for method in HARD}
    tests = all_of({method_name(method): higher(mean(cells.values())) for method, cells in differences.items()})
    return _by_means(differences, tests, needs_tests=False)


@claim(
    "O2", "The exception is KNN, on which soft labels are above.",
    where="Table 7", how="AUROC of each hard delivery minus soft labels below zero, and on average.", published=cells(7, "knn"),
)  # fmt: skip
def o2(r: View) -> Verdict:
    return every(lower, {method_name(method): r.difference(method, "soft", FAR["knn"]) for method in HARD})


@claim(
    "O3", "Deterministic control is highest on five of six detectors of the far set.",
    where="Table 7",
    how="Reproduced if its mean is highest on five or more, and its average over detectors is above that of the other arms: direction. Contradicted if another arm is above it on average over detectors: direction, after Holm's correction.",
    published=(number("o-svhn-deterministic"), cells(7)), beside=("X5",),
)  # fmt: skip
def o3(r: View) -> Verdict:
    differences = _against(r, "deterministic", ("soft", "multipass", "sls"))
    averages = {f"against {method_name(other)}": mean(cells.values()) for other, cells in differences.items()}
    above_others, arm_by_arm = higher(mean(averages.values())), each(higher, averages)
    assert above_others.ruling is not None
    assert arm_by_arm.ruling is not None
    ruling = Ruling(above_others.ruling.holds, arm_by_arm.ruling.against)
    tests = simulated(ruling) if np.ndim(ruling.holds) else replace(arm_by_arm, outcome=ruling.outcome, ruling=ruling)
    return _by_means(differences, tests, needs_tests=True)


@claim(
    "O4", "On the near set SLS is above soft labels on every detector.",
    where="5.3, Table 8", how="AUROC of SLS minus soft labels above zero for each detector, and on average.",
    published=cells(8, "", "sls soft"), beside=("X6",),
)  # fmt: skip
def o4(r: View) -> Verdict:
    return every(higher, {label(key): r.difference("sls", "soft", key) for key in NEAR.values()})


@claim(
    "O5", "The gain on the near set is significant for energy and ODIN.",
    where="5.3, Table 8", how="Direction for each of the two; all six with Holm's correction are shown.",
    published=(number("o-cifar100-p"), cells(8, "", "sls-vs-soft")), beside=("X9",),
)  # fmt: skip
def o5(r: View) -> Verdict:
    return each(higher, {label(NEAR[name]): r.difference("sls", "soft", NEAR[name]) for name in ("energy", "odin")})


@o5.aside("all six")
def _(r: View) -> Verdict:
    return each(higher, {label(key): r.difference("sls", "soft", key) for key in NEAR.values()})


@claim(
    "O6", "On the near set the whole hard family is above soft labels on energy, MSP and KNN.",
    where="Table 9", how="AUROC of each hard delivery minus soft labels of the same seeds above zero in nine cells, and on average.",
    published=cells(9), beside=("X6",),
)  # fmt: skip
def o6(r: View) -> Verdict:
    return every(
        higher,
        {
            f"{method_name(method)} on {label(NEAR[name])}": r.difference(method, "soft", NEAR[name])
            for method in HARD
            for name in ("energy", "msp", "knn")
        },
    )


@claim(
    "O7", "The out-of-distribution comparison points the same way as flatness.",
    where="abstract, section 6", how="Reproduced if O4 and G6 are; contradicted if one is reproduced and the other contradicted.",
    composed_of=("O4", "G6"),
)  # fmt: skip
def o7(r: View) -> Verdict:
    return agreeing({"O4": o4(r), "G6": g6(r)})
