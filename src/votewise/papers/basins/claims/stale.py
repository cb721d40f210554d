"""Stale labels: drawn labels that are kept for several epochs."""

from __future__ import annotations

from votewise.comparison import resample_interval
from votewise.papers.basins.claims.shared import BASINS
from votewise.papers.basins.published import number
from votewise.papers.claims import Verdict, View, higher, monotone, unanimous
from votewise.studies import Needs, NeedsError, label

claim = BASINS.section("Stale labels")


def intervals(r: View) -> dict[str, str]:
    """The methods that draw labels every R epochs, R ascending: name -> label of the method.

    Raises:
        NeedsError: if there is only one method.
    """
    found = {}
    for plan in r.results.plans.values():
        for arm in plan.arms:
            if arm.delivery == "sls":
                epochs, kept = plan.trained_with.epochs, resample_interval(arm)
                every = f"every {kept} epochs" if kept > 1 else "every epoch"
                single = kept >= epochs > 1
                found[kept] = (f"one single draw ({epochs} epochs)" if single else every, label(arm))
    if len(found) < 2:
        raise NeedsError(Needs(("sls",), study="resampling"))
    return dict(found[kept] for kept in sorted(found))


t1 = claim("T1", "Soft NLL becomes steadily worse the longer sampled labels are kept.",
    lambda r: monotone({name: r.values(method, "soft_nll") for name, method in intervals(r).items()}),
    where="5.1, Fig. 4", published=tuple(number(f"t-resample-{epochs}") for epochs in (1, 5, 10, 50)), beside=("X11",), how="Monotone: soft NLL rises with the number of epochs between two draws.")  # fmt: skip


def _t2(r: View) -> Verdict:
    (_, fresh), *stale = intervals(r).items()
    arms = {name: r.difference(method, fresh, "soft_nll") for name, method in stale}
    return unanimous(higher, arms, at_least=len(arms))


claim("T2", "Keeping a label for several epochs is worse than drawing it in every epoch, in all seeds.", _t2,
    where="5.1", published=number("t-unanimous"), how="The soft NLL is higher than with a draw in every epoch, in every seed and for each interval.")  # fmt: skip
