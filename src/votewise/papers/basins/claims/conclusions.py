"""The recommendations of the paper, and its interpretation of the results."""

from __future__ import annotations

import numpy as np

from votewise.comparison import votes_name
from votewise.papers.basins.claims.family import h4
from votewise.papers.basins.claims.full import f1, f2, f3, f4
from votewise.papers.basins.claims.shared import BASINS, MARGINS, by_votes, family
from votewise.papers.basins.claims.sparse import s1, s10
from votewise.papers.basins.claims.stale import t1
from votewise.papers.basins.published import cells, number
from votewise.papers.claims import Values, Verdict, View, all_of, below, composed, every, lower, monotone, shared

claim = BASINS.section("Recommendations and interpretation")


def behind_the_best(r: View, method: str, rivals: tuple[str, ...], K: int | None) -> Values:
    """Soft NLL of a method minus that of the rival with the lowest mean."""
    every_one = shared(r.difference(method, rival, "soft_nll", K=K) for rival in rivals)
    stacked = np.stack([values.numbers for values in every_one])
    if not stacked.shape[-1]:
        return every_one[0]
    behind = stacked.mean(axis=-1, keepdims=True)
    return Values(every_one[0].seeds, np.take_along_axis(stacked, behind.argmax(axis=0)[None], axis=0)[0])


def _not_worse(values: Values) -> Verdict:
    return below(values, MARGINS["soft_nll"], level=0.9)


def _u1(r: View) -> Verdict:
    behind = {k: behind_the_best(r, "multipass", ("soft", "sls"), k) for k in (*r.votes_per_item, None)}
    return all_of({f"K = {votes_name(k)}": _not_worse(values) for k, values in behind.items()})


claim("U1", "Multipass is a strong default where raw votes exist.", _u1,
    where="abstract, section 6", published=(cells(1), cells(3, "soft sls multipass", "soft_nll")),
    how="The soft NLL of multipass is not more than 0.025 higher than that of soft labels or SLS, whichever is lower: the upper end of its one-sided 95 % interval is below this margin at every K and with all votes. Contradicted if the lower end is above the margin in one case, after Holm's correction.")  # fmt: skip


def _u2(r: View) -> Verdict:
    soft, multipass = (
        {f"K = {k}": r.difference("sls", other, "soft_nll", K=k) for k in r.lower_half}
        for other in ("soft", "multipass")
    )
    competitive = all_of({name: _not_worse(values) for name, values in multipass.items()})
    return all_of({"better than soft labels": every(lower, soft), "not worse than multipass": competitive})


claim("U2", "With few votes, SLS remains competitive.", _u2,
    where="abstract", published=cells(1, "soft sls multipass", "k5 k10"),
    how="In the lower half of the sweep, SLS has a lower soft NLL than soft labels in every cell and on average (direction), and its soft NLL is not more than 0.025 higher than that of multipass.")  # fmt: skip

claim("U3", "With all votes, SLS matches soft labels.",
    lambda r: composed({claim.id: claim(r) for claim in (f1, f2, f3, f4)}),
    where="abstract", published=cells(2, "sls soft"), composed_of=("F1", "F2", "F3", "F4"), how="Reproduced if F1 to F4 are all reproduced, contradicted if one of them is contradicted.")  # fmt: skip


claim("U4", "The format of delivery matters more when the target is sparse.",
    lambda r: lower(family(r, "soft_nll", r.lower_half) - family(r, "soft_nll", [None])),
    where="section 6", published="SLS: 0.0261 and 0.0300 at K = 5 and 10 against 0.0044 with all votes", beside=("X7",),
    how="Direction: the improvement, averaged over the hard family, is larger in the lower half of the sweep than with all votes.")  # fmt: skip

claim("U5", "The format of delivery matters more when the target is stale.",
    t1,
    where="section 6", published=(number("t-resample-1"), number("t-resample-50")), composed_of=("T1",), how="T1.")  # fmt: skip

claim("U6", "There are two regimes: hard delivery is better with sparse votes, and equal with all votes.",
    lambda r: composed({"S1": s1(r), "H4": h4(r)}),
    where="sections 1, 6", composed_of=("S1", "H4"), how="Reproduced if S1 and H4 are both reproduced, contradicted if one of them is contradicted.")  # fmt: skip


claim("U7", "The gain with sparse votes comes from the error of the sparse target.",
    s10,
    asides={"improvement falls with K": lambda r: monotone({k: -gain for k, gain in by_votes(r, "soft_nll").items()}, falling=True)},
    where="5.1", published=number("s-js-spearman"), beside=("S13", "X7"), note="The published means do not fall with K: see X7.", composed_of=("S10",),
    how="As S10. Whether the improvement falls as K grows is shown without a verdict, because the paper does not claim it.")  # fmt: skip
