"""Representations across seeds, and training dynamics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from votewise.comparison import effect_size
from votewise.papers.basins.claims.shared import BASINS, MARGINS, label
from votewise.papers.basins.published import STABILITY, number
from votewise.papers.claims import Values, Verdict, View, beyond, equivalent, higher, lower, shared
from votewise.papers.claims.values import F64

claim = BASINS.section("Representations")

SWAPS = "an exact permutation test that swaps the SLS run and the soft-label run of a seed, with an interval by inverting the test"


claim("R1", "SLS gives more reproducible representations: linear CKA between its seeds is higher than for soft labels.",
    lambda r: higher(r.swaps("sls", "soft", "cka")),
    asides={"debiased": lambda r: higher(r.swaps("sls", "soft", "cka_debiased"))},
    where="5.3, Fig. 12", published=(number("r-cka-sls"), number("r-cka-soft")),
    how=f"The mean CKA between seeds is higher for SLS than for soft labels: {SWAPS}. The debiased estimator is shown without a verdict.")  # fmt: skip

claim("R2", "Grad-CAM maps are more stable across seeds for SLS than for soft labels.",
    lambda r: higher(r.swaps("sls", "soft", "gradcam_correlation")),
    where="5.3, Fig. 9", published=(number("r-gradcam-all-sls"), number("r-gradcam-all-soft")),
    how=f"The mean correlation between the maps of two seeds is higher for SLS than for soft labels: {SWAPS}.")  # fmt: skip

claim("R3", "Grad-CAM maps are also more stable on high-entropy items.",
    lambda r: higher(r.swaps("sls", "soft", "gradcam_correlation_high")),
    where="5.3, Fig. 9", published=(number("r-gradcam-high-entropy-sls"), number("r-gradcam-high-entropy-soft")), how="As R2, on the high slice.")  # fmt: skip


def rank_measures(differences: Mapping[str, Values]) -> Verdict:
    """The first measure has the largest standardised difference."""
    measures = dict(zip(map(label, differences), shared(differences.values()), strict=True))
    effects = {name: effect_size(values.numbers) for name, values in measures.items() if len(values) > 1}
    ranked = sorted(effects, key=lambda name: -abs(effects[name]))
    words = f"standardised differences: {', '.join(f'{name} {effects[name]:+.2f}' for name in ranked)}"
    found = beyond(_lead, list(measures.values()), 0.0, lambda *_: words, contradicts=0.99)
    return found if found.mean is None else replace(found, numbers=effects)


def _lead(table: F64) -> F64:
    """By how much the effect of the first measure is larger than the others' [resamples], from differences [measures, resamples, n]."""
    with np.errstate(divide="ignore", invalid="ignore"):
        effects = np.abs(table.mean(axis=-1) / table.std(axis=-1, ddof=1))
        return np.asarray(effects[0] - effects[1:].max(axis=0))


claim("R4", "Of the Grad-CAM measures, correlation across seeds shows the strongest signal.",
    lambda r: rank_measures({key: r.swaps("sls", "soft", key) for key in STABILITY}),
    where="Fig. 9", published="a figure",
    how="The statistic is computed from the absolute standardised difference between SLS and soft labels for each measure: the one of the correlation minus the larger of the other two. Reproduced if its 95 % interval by resampling seeds is above zero. Contradicted if its 99 % interval is below zero; the stricter level accounts for choosing the larger of two.")  # fmt: skip


# --- dynamics --------------------------------------------------------------------------------------------------------

claim = BASINS.section("Dynamics")


def earlier(r: View, quantity: str) -> Verdict:
    """An epoch of SLS, as a share of all epochs, is below that of soft labels."""
    sls, soft = (r.values(method, quantity) / r.values(method, "epochs") for method in ("sls", "soft"))
    return lower(sls - soft)


claim("D1", "SLS reaches 95 % of its best evaluation soft NLL earlier than soft labels.",
    lambda r: earlier(r, "epoch_95"),
    where="Fig. 8", published=number("d-epochs-95"), how="Direction: the first epoch with a soft NLL of at most best / 0.95, as a share of all epochs, is earlier for SLS than for soft labels.")  # fmt: skip

claim("D2", "SLS reaches its best epoch earlier than soft labels.",
    lambda r: earlier(r, "best_epoch"),
    where="Fig. 8", published=number("d-epochs-best"), beside=("G13",), how="Direction: the epoch with the lowest soft NLL, as a share of all epochs, is earlier for SLS than for soft labels.")  # fmt: skip

claim("D3", "The final soft NLL of SLS and of soft labels is close.",
    lambda r: equivalent(r.difference("sls", "soft", "soft_nll_end"), MARGINS["soft_nll"]),
    where="Fig. 8", published="a figure", how="Equivalence of the soft NLL at the last epoch, with a margin of 0.025.")  # fmt: skip
