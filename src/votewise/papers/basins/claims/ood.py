"""Out-of-distribution detection."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from votewise.comparison import name as method_name
from votewise.papers.basins.claims.geometry import g6
from votewise.papers.basins.claims.shared import BASINS, FAR, NEAR, each_method, each_quantity, grid
from votewise.papers.basins.published import HARD, cells, number
from votewise.papers.claims import Values, Verdict, View, agreeing, all_of, each, every, higher, lower, mean
from votewise.papers.claims.verdict import Ruling, no_ruling, ruled, simulated

claim = BASINS.section("Out-of-distribution detection")

FIVE = 5  # of six detectors


Differences = dict[str, dict[str, Values]]  # of AUROC on the far set, by method and detector


def _by_means(differences: Differences, tests: Verdict) -> Verdict:
    """Reproduced if the means are better for five detectors and the average of all differences is above zero; contradicted only by the tests."""
    average = mean(values for cells in differences.values() for values in cells.values())
    if not len(average):
        return replace(tests, outcome="undecided", ruling=no_ruling())
    above, against = higher(average).ruling, tests.ruling
    assert above is not None
    assert against is not None
    means = [[np.mean(cells[key].numbers, axis=-1) for cells in differences.values()] for key in FAR.values()]
    leading = np.all(np.array(means) > 0, axis=1).sum(axis=0)
    ruling = Ruling(np.asarray((leading >= FIVE) & above.holds), against.against)
    if leading.ndim:
        return simulated(ruling)
    reason = f"the means are as claimed on {leading} of {len(FAR)} detectors; tests on the average over detectors: {tests.reason}"
    return ruled(tests, ruling, reason=reason, numbers={"detectors": float(leading)})


def _o1(r: View) -> Verdict:
    differences = {method: {key: r.difference(method, "soft", key) for key in FAR.values()} for method in HARD}
    tests = all_of({method_name(method): higher(mean(cells.values())) for method, cells in differences.items()})
    return _by_means(differences, tests)


claim("O1", "On the far set, hard delivery is above soft labels for five of six detectors.", _o1,
    where="5.3, Table 7", published=(number("o-svhn-above"), cells(7)), beside=("X5",),
    how="A detector counts if all three deliveries have a higher mean AUROC than soft labels on shared seeds. Reproduced if five or more detectors count, and the average over detectors and deliveries is above that of soft labels (direction). Contradicted if the average over detectors is below that of soft labels for a delivery (direction, after Holm's correction).")  # fmt: skip

claim("O2", "The exception on the far set is KNN, for which soft labels are higher.",
    lambda r: every(lower, each_method(r, HARD, "soft", FAR["knn"])),
    where="Table 7", published=cells(7, "knn"), how="The AUROC of KNN is lower than that of soft labels for each hard delivery, and on average (direction).")  # fmt: skip


def _o3(r: View) -> Verdict:
    others = ("soft", "multipass", "sls")
    differences = {other: {key: r.difference("deterministic", other, key) for key in FAR.values()} for other in others}
    averages = {f"against {method_name(other)}": mean(cells.values()) for other, cells in differences.items()}
    return _by_means(differences, each(higher, averages))


claim("O3", "On the far set, deterministic control is highest for five of six detectors.", _o3,
    where="Table 7", published=(number("o-svhn-deterministic"), cells(7)), beside=("X5",),
    how="Reproduced if its mean is highest on five or more detectors, and its average over detectors is above that of the other methods (direction). Contradicted if another method is above it on average over detectors (direction, after Holm's correction).")  # fmt: skip


def _near(r: View, *detectors: str) -> dict[str, Values]:
    """AUROC on the near set, SLS minus soft labels."""
    return each_quantity(r.difference, "sls", "soft", [NEAR[name] for name in detectors])


o4 = claim("O4", "On the near set, SLS is above soft labels for every detector.",
    lambda r: every(higher, _near(r, *NEAR)),
    where="5.3, Table 8", published=cells(8, "", "sls soft"), beside=("X6",), how="The AUROC of SLS is higher than that of soft labels for each detector, and on average (direction).")  # fmt: skip

claim("O5", "The gain on the near set is significant for energy and ODIN.",
    lambda r: each(higher, _near(r, "energy", "odin")),
    asides={"all six": lambda r: each(higher, _near(r, *NEAR))},
    where="5.3, Table 8", published=(number("o-cifar100-p"), cells(8, "", "sls-vs-soft")), beside=("X9",),
    how="Direction for each of the two detectors. All six detectors with Holm's correction are shown without a verdict.")  # fmt: skip

claim("O6", "On the near set, all hard deliveries are above soft labels for energy, MSP and KNN.",
    lambda r: every(higher, grid(r.difference, HARD, "soft", [NEAR[name] for name in ("energy", "msp", "knn")])),
    where="Table 9", published=cells(9), beside=("X6",), how="The AUROC of each hard delivery is higher than that of soft labels with the same seeds in all nine cells, and on average (direction).")  # fmt: skip

claim("O7", "The out-of-distribution comparison points in the same direction as flatness.",
    lambda r: agreeing({"O4": o4(r), "G6": g6(r)}),
    where="abstract, section 6", composed_of=("O4", "G6"), how="Reproduced if O4 and G6 are reproduced. Contradicted if one is reproduced and the other contradicted.")  # fmt: skip
