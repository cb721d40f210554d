"""The declarations of numbers by key, from scores and probes."""

from __future__ import annotations

from functools import cache

from votewise.probes import QUANTITIES
from votewise.quantity import Quantity
from votewise.scoring import SCORES

_MEANING = "mean training loss above the entropy of the targets at the last epoch"
EXCESS = Quantity(key="excess", label="Training excess", meaning=_MEANING, unit="nats")


@cache
def quantity(key: str) -> Quantity:
    """The declaration of a number. An undeclared number, for example a custom score, only has its key.

    >>> quantity("soft_nll").better, quantity("lambda_max_full").label, quantity("my_score").label
    ('lower', 'λmax (full)', 'my score')
    """
    declared = SCORES.get(key) or QUANTITIES.get(key) or {EXCESS.key: EXCESS}.get(key)
    return declared or Quantity(key=key, label=key.replace("_", " "))


def probe_of(key: str) -> str | None:
    """The probe that produces a number; None for a score or a property of the run.

    >>> probe_of("lambda_max_full"), probe_of("js_lowest"), probe_of("js_distance"), probe_of("smooth_ece")
    ('curvature', 'diagnosis', None, None)
    """
    return None if key in SCORES or key not in QUANTITIES else QUANTITIES[key].probe


def head(key: str) -> str:
    """The label with an arrow for the better direction, for column headers.

    >>> head("accuracy")
    'Hard accuracy ↑'
    """
    known = quantity(key)
    return f"{known.label} {known.arrow}".rstrip()


def axis(key: str) -> str:
    """The label with its unit, for an axis.

    >>> axis("soft_nll"), axis("cka")
    ('Soft NLL (nats)', 'CKA')
    """
    known = quantity(key)
    return f"{known.label} ({known.unit})" if known.unit else known.label
