"""All votes: the hard family and its controls."""

from __future__ import annotations

import numpy as np

from votewise.comparison import name as method_name
from votewise.comparison.statistics import FEWEST
from votewise.papers.basins.claims.paper import BASINS, FOUR_SCORES, MARGINS, label, worse
from votewise.papers.basins.published import HARD, cells, number
from votewise.papers.claims import Verdict, View, all_of, below, equivalent, higher, shared, shown, unanimous
from votewise.papers.claims.resampling import resampled
from votewise.papers.claims.values import F64
from votewise.papers.claims.verdict import Ruling, simulated, too_few

claim = BASINS.section("All votes: the hard family and its controls")


def matches(r: View, first: str, second: str) -> Verdict:
    """No difference that matters on any of the four scores."""
    return equivalent(
        {label(key): r.difference(first, second, key) for key in FOUR_SCORES},
        {label(key): MARGINS[key] for key in FOUR_SCORES},
    )


@claim(
    "H1", "Multipass and SLS cannot be told apart on any reported score.",
    where="5.2, Table 3", how="Difference inside the margin of each of the four scores: equivalence; contradicted if one lies outside after Holm's correction.",
    published=(cells(3, "multipass sls"), number("h-p-multipass-soft-nll"), number("h-p-multipass-others")),
)  # fmt: skip
def h1(r: View) -> Verdict:
    return matches(r, "multipass", "sls")


@claim(
    "H2", "Deterministic control and SLS cannot be told apart.",
    where="5.2, Table 3", how="Difference inside the margin of each of the four scores: equivalence; contradicted if one lies outside after Holm's correction.",
    published=cells(3, "deterministic sls"),
)  # fmt: skip
def h2(r: View) -> Verdict:
    return matches(r, "deterministic", "sls")


@claim(
    "H3", "The order in which votes are visited does not matter: multipass and deterministic control agree.",
    where="sections 1, 5.2", how="Difference inside the margin of each of the four scores with all votes, and of soft NLL at each K: equivalence.",
    published=(cells(3, "multipass deterministic"), cells(1, "multipass deterministic")),
)  # fmt: skip
def h3(r: View) -> Verdict:
    by_votes = {f"K = {k}": r.difference("multipass", "deterministic", "soft_nll", K=k) for k in r.votes_per_item}
    return all_of(
        {"all votes": matches(r, "multipass", "deterministic"), "sweep": equivalent(by_votes, MARGINS["soft_nll"])}
    )


@claim(
    "H4", "Multipass, deterministic control and SLS each match soft labels with all votes.",
    where="abstract, 5.2, section 6",
    how="Difference to soft labels of the same seeds inside the margin of each of the four scores: equivalence; contradicted if one lies outside after Holm's correction.",
    published=cells(3),
)  # fmt: skip
def h4(r: View) -> Verdict:
    differences = {
        (m, key): r.difference(m, "soft", key) for m in ("multipass", "deterministic", "sls") for key in FOUR_SCORES
    }
    names = {(m, key): f"{method_name(m)} on {label(key)}" for m, key in differences}
    return equivalent(
        {names[at]: values for at, values in differences.items()}, {names[at]: MARGINS[at[1]] for at in differences}
    )


@claim(
    "H5", "Shuffled SLS falls to near-chance accuracy.",
    where="5.2, Table 3", how="Accuracy minus the share of the largest class below 0.05.",
    published=(cells(3, "shuffled-sls", "accuracy"), number("h-accuracy-shuffled")), beside=("H10",),
)  # fmt: skip
def h5(r: View) -> Verdict:
    return below(r.values("shuffled-sls", "accuracy") - r.values("shuffled-sls", "largest_class"), 0.05)


@claim(
    "H6", "Shuffled SLS has extremely poor soft NLL.",
    where="5.2, Table 3", how="(a) Shuffled minus SLS above zero: direction. (b) Within 0.1 of the loss of the best constant prediction: equivalence.",
    published=cells(3, "shuffled-sls", "soft_nll"),
)  # fmt: skip
def h6(r: View) -> Verdict:
    loss, constant = (r.values("shuffled-sls", key) for key in ("soft_nll", "constant_loss"))
    return all_of(
        {"(a)": higher(r.difference("shuffled-sls", "sls", "soft_nll")), "(b)": equivalent(loss - constant, 0.1)}
    )


@claim(
    "H7", "Shuffled SLS is worse than SLS on several columns in all seeds.",
    where="5.2", how="On at least two of the four scores all seeds agree; contradicted if three of them go the other way, after correction.", published=number("h-p-shuffled"),
)  # fmt: skip
def h7(r: View) -> Verdict:
    worse_by = {}
    for key in FOUR_SCORES:
        difference = r.difference("shuffled-sls", "sls", key)
        worse_by[label(key)] = difference if worse(key) is higher else -difference
    return unanimous(higher, worse_by, at_least=2, one_unit=False)


@claim(
    "H8", "Entropy correlation of shuffled SLS is about zero.",
    where="Table 3", how="Inside 0.1 of zero: equivalence.", published=cells(3, "shuffled-sls", "entropy_correlation"),
)  # fmt: skip
def h8(r: View) -> Verdict:
    return equivalent(r.values("shuffled-sls", "entropy_correlation"), 0.1)


TIMES = 10  # what the paper's numbers give is about 100


@claim(
    "H9", "Keeping each item with its own distribution is the first-order ingredient with all votes.",
    where="5.2, section 6",
    how="Mean distance of shuffled SLS from SLS in soft NLL, over the largest mean difference among soft labels, SLS, multipass and deterministic control. Reproduced if the interval by resampling seeds is above ten, contradicted if it is below.",
    published=(cells(3, "", "soft_nll"), "1.79 against at most 0.02"),
)  # fmt: skip
def h9(r: View) -> Verdict:
    methods = ("shuffled-sls", "soft", *HARD)
    arms = shared(r.values(method, "soft_nll") for method in methods)
    n, table = len(arms[0]), np.stack([arm.numbers for arm in arms])

    def ratio(means: F64) -> F64:
        others = means[1:]
        apart = np.maximum(others.max(axis=0) - others.min(axis=0), 1e-12)
        return np.asarray(np.abs(means[0] - means[methods.index("sls")]) / apart)

    if table.ndim > 2:  # worlds: the interval is far from ten if the ratio is
        return simulated(Ruling(ratio(table.mean(axis=-1)) > TIMES, np.ones(table.shape[1])))
    if n < FEWEST:
        return Verdict(outcome="undecided", reason=too_few(n), n=n, ruling=Ruling(np.asarray(False), np.asarray(1.0)))
    times, (low, high) = float(ratio(table.mean(axis=-1, keepdims=True))[0]), resampled(ratio, table)
    ruling = Ruling(np.asarray(low > TIMES), np.asarray(0.0 if high < TIMES else 1.0))
    reason = f"{times:.3g} times the largest difference among the others, {low:.3g} to {high:.3g} by resampling seeds"
    return Verdict(outcome=ruling.outcome, reason=reason, n=n, mean=times, low=low, high=high, ruling=ruling)


@claim(
    "H10", "A small ECE does not show the collapse.",
    kind="guard", where="Table 3", how="Shown.", published=cells(3, "shuffled-sls", "ece_equal_mass accuracy"), beside=("H5",),
)  # fmt: skip
def h10(r: View) -> Verdict:
    return shown({label(key): r.values("shuffled-sls", key) for key in ("ece_equal_mass", "accuracy")})
