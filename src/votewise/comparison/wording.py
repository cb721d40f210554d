"""Format numbers and names for sentences and cells."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from votewise.studies import Results


def listed(names: Iterable[str], last: str = "and") -> str:
    """Join names for a sentence.

    >>> listed(["soft labels"]), listed(["soft labels", "SLS", "mixup"], "or")
    ('soft labels', 'soft labels, SLS or mixup')
    """
    *some, end = names
    return f"{', '.join(some)} {last} {end}" if some else end


def sentence(text: str) -> str:
    """A clause as a sentence.

    >>> sentence("the lowest is that of SLS")
    'The lowest is that of SLS.'
    """
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".") if text else text


def inside(text: str) -> str:
    """A name for use inside a sentence: the first letter is lower case unless it starts an abbreviation.

    >>> inside("Soft labels"), inside("SLS")
    ('soft labels', 'SLS')
    """
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def minus(text: str) -> str:
    """A number with a minus sign instead of a hyphen."""
    return text.replace("-", "−")


def fixed(value: float, decimals: int) -> str:
    """A number with a fixed number of decimals; a zero has no sign.

    >>> fixed(-0.0312, 2), fixed(-0.0012, 2)
    ('−0.03', '0.00')
    """
    return minus(f"{round(value, decimals) + 0.0:.{decimals}f}")


def significant(value: float, digits: int = 2) -> str:
    """A number with a few significant digits.

    >>> significant(-0.012345), significant(0.5)
    ('−0.012', '0.5')
    """
    return minus(f"{value:.{digits}g}")


def signed(value: float) -> str:
    """A number with its sign and a few significant digits.

    >>> signed(0.047), signed(-0.1)
    ('+0.047', '−0.1')
    """
    return ("+" if value > 0 else "") + significant(value)


def p_text(p: float, decimals: int = 4) -> str:
    """A p-value, rounded half up as in printed tables.

    >>> p_text(0.0625, 3), p_text(0.6953125), p_text(0.00000095)
    ('0.063', '0.6953', '<0.0001')
    """
    step = Decimal(1).scaleb(-decimals)
    rounded = Decimal(p).quantize(step, ROUND_HALF_UP)
    return str(rounded) if rounded else f"<{step}"


def votes_name(K: int | None) -> str:
    """The number of votes per item for an axis or a header.

    >>> votes_name(5), votes_name(None)
    ('5', 'all')
    """
    return "all" if K is None else str(K)


def setting(results: Results, *facts: str) -> str:
    """The dataset and the preset of the runs, and further facts.

    Names of datasets are not changed, because users choose them.
    """
    presets = dict.fromkeys(plan.preset for plan in results.plans.values())
    parts = [f"dataset {', '.join(results.datasets)}"] if results.datasets else []
    parts += [f"preset {', '.join(presets)}"] if presets else []
    text = ", ".join([*parts, *facts])
    return f"{text[:1].upper()}{text[1:]}." if text else ""
