"""All votes: the hard family and its controls."""

from __future__ import annotations

import numpy as np

from votewise.comparison import name as method_name
from votewise.papers.basins.claims.shared import BASINS, MARGINS, each_quantity, grid, label, worse
from votewise.papers.basins.published import FOUR_SCORES, HARD, cells, number
from votewise.papers.claims import Verdict, View, all_of, below, beyond, equivalent, higher, shown, unanimous
from votewise.papers.claims.values import F64

claim = BASINS.section("All votes: the hard family and its controls")


INSIDE = "Equivalence for each of the four scores of the main table. Contradicted if one difference is outside its margin after Holm's correction."


def matches(r: View, first: str, second: str) -> Verdict:
    """No relevant difference on any of the four scores."""
    margins = {label(key): MARGINS[key] for key in FOUR_SCORES}
    return equivalent(each_quantity(r.difference, first, second, FOUR_SCORES), margins)


claim("H1", "Multipass and SLS are indistinguishable on every reported score.",
    lambda r: matches(r, "multipass", "sls"),
    where="5.2, Table 3", published=(cells(3, "multipass sls"), number("h-p-multipass-soft-nll"), number("h-p-multipass-others")),
    how=INSIDE)  # fmt: skip

claim("H2", "Deterministic control and SLS are indistinguishable.",
    lambda r: matches(r, "deterministic", "sls"),
    where="5.2, Table 3", published=cells(3, "deterministic sls"),
    how=INSIDE)  # fmt: skip


def _h3(r: View) -> Verdict:
    by_votes = {f"K = {k}": r.difference("multipass", "deterministic", "soft_nll", K=k) for k in r.votes_per_item}
    sweep = equivalent(by_votes, MARGINS["soft_nll"])
    return all_of({"all votes": matches(r, "multipass", "deterministic"), "sweep": sweep})


claim("H3", "The order in which votes are visited does not matter: multipass and deterministic control agree.", _h3,
    where="sections 1, 5.2", published=(cells(3, "multipass deterministic"), cells(1, "multipass deterministic")),
    how="Equivalence for each of the four scores of the main table with all votes, and for soft NLL at each K.")  # fmt: skip


def _h4(r: View) -> Verdict:
    methods = ("multipass", "deterministic", "sls")
    margins = {f"{method_name(m)} on {label(key)}": MARGINS[key] for m in methods for key in FOUR_SCORES}
    return equivalent(grid(r.difference, methods, "soft", FOUR_SCORES), margins)


h4 = claim("H4", "Multipass, deterministic control and SLS each match soft labels with all votes.", _h4,
    where="abstract, 5.2, section 6", published=cells(3),
    how="Equivalence of each delivery with the soft labels of the same seeds, for each of the four scores of the main table. Contradicted if one difference is outside its margin after Holm's correction.")  # fmt: skip

h5 = claim("H5", "Shuffled SLS falls to near-chance accuracy.",
    lambda r: below(r.values("shuffled-sls", "accuracy") - r.values("shuffled-sls", "largest_class"), 0.05),
    where="5.2, Table 3", published=(cells(3, "shuffled-sls", "accuracy"), number("h-accuracy-shuffled")), beside=("H10",),
    how="Accuracy minus the share of the largest class is below 0.05 (95 % interval).")  # fmt: skip


def _h6(r: View) -> Verdict:
    loss, constant = (r.values("shuffled-sls", key) for key in ("soft_nll", "constant_loss"))
    worse = higher(r.difference("shuffled-sls", "sls", "soft_nll"))
    return all_of({"(a)": worse, "(b)": equivalent(loss - constant, 0.1, contradicts="lower")})


claim("H6", "Shuffled SLS has extremely poor soft NLL.", _h6,
    where="5.2, Table 3", published=cells(3, "shuffled-sls", "soft_nll"),
    how="(a) Direction: the soft NLL of shuffled SLS is higher than that of SLS. (b) Equivalence with the loss of the best constant prediction, with a margin of 0.1. Contradicted if it is lower by more than the margin; a higher loss is even poorer.")  # fmt: skip


def _h7(r: View) -> Verdict:
    by = {key: r.difference("shuffled-sls", "sls", key) for key in FOUR_SCORES}
    worse_by = {label(key): values if worse(key) is higher else -values for key, values in by.items()}
    return unanimous(higher, worse_by, at_least=2, one_unit=False)


claim("H7", "Shuffled SLS is worse than SLS on several columns in all seeds.", _h7,
    where="5.2", published=number("h-p-shuffled"), how="All seeds agree on at least two of the four scores of the main table. Contradicted if three scores have the opposite sign, after correction.")  # fmt: skip

claim("H8", "The entropy correlation of shuffled SLS is about zero.",
    lambda r: equivalent(r.values("shuffled-sls", "entropy_correlation"), 0.1),
    where="Table 3", published=cells(3, "shuffled-sls", "entropy_correlation"), how="Equivalence with zero, with a margin of 0.1.")  # fmt: skip


TIMES = 10  # the paper's numbers give about 100


def _h9(r: View) -> Verdict:
    methods = ("shuffled-sls", "soft", *HARD)

    def ratio(arms: F64) -> F64:
        means = arms.mean(axis=-1)
        apart = np.maximum(means[1:].max(axis=0) - means[1:].min(axis=0), 1e-12)
        return np.asarray(np.abs(means[0] - means[methods.index("sls")]) / apart)

    def words(times: float, low: float, high: float) -> str:
        return f"{times:.3g} times the largest difference among the other methods (95 % interval by resampling seeds: {low:.3g} to {high:.3g})"

    return beyond(ratio, [r.values(method, "soft_nll") for method in methods], TIMES, words)


claim("H9", "With all votes, pairing each item with its own distribution is the most important ingredient.", _h9,
    where="5.2, section 6", published=(cells(3, "", "soft_nll"), "1.79 against at most 0.02"),
    how="Mean distance of shuffled SLS from SLS in soft NLL, divided by the largest mean difference among soft labels, SLS, multipass and deterministic control. Reproduced if the interval by resampling seeds is above ten, contradicted if it is below ten.")  # fmt: skip

claim("H10", "A small ECE does not reveal the collapse.",
    lambda r: shown({label(key): r.values("shuffled-sls", key) for key in ("ece_equal_mass", "accuracy")}),
    kind="guard", where="Table 3", published=cells(3, "shuffled-sls", "ece_equal_mass accuracy"), beside=("H5",), how="Shown without a verdict.")  # fmt: skip
