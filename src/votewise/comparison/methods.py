"""Display names and order of methods, computed from the method and not from its label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from votewise.comparison.wording import inside
from votewise.studies import label
from votewise.training import METHODS, Method

if TYPE_CHECKING:
    from votewise.studies import Results

NAMES = {
    "soft": "Soft labels", "sls": "SLS", "multipass": "Multipass", "deterministic": "Deterministic control", "shuffled-sls": "Shuffled SLS",
    "majority": "Majority vote", "label-smoothing": "Label smoothing", "mixup": "Mixup",
}  # fmt: skip


def base(method: Method) -> str:
    """The known method that a method is a variant of.

    >>> base(Method(delivery="sls", resample_every=5)), base(METHODS["mixup"])
    ('sls', 'mixup')
    """
    kind = (method.delivery, bool(method.mixup))
    return next((known for known, other in METHODS.items() if (other.delivery, bool(other.mixup)) == kind), method.name)


def resample_interval(method: Method) -> int:
    """The number of epochs for which a drawn label is kept; 1 for methods that do not draw labels."""
    return int(method.options.get("resample_every", 1))


def full_name(method: Method) -> str:
    """The name of a method with every option that differs from the default.

    >>> full_name(Method(delivery="sls", resample_every=5)), full_name(Method(delivery="label-smoothing", epsilon=0.2))
    ('SLS drawn every 5 epochs', 'Label smoothing (epsilon=0.2)')
    """
    known = base(method)
    text = NAMES.get(known, known)
    if resample_interval(method) > 1:
        text += f" drawn every {resample_interval(method)} epochs"
    options = [f"{key}={value}" for key, value in (method.model_extra or {}).items() if key != "resample_every"]
    if known in METHODS and method.mixup != METHODS[known].mixup:
        options.append(f"mixup={method.mixup:g}")
    return f"{text} ({', '.join(options)})" if options else text


@dataclass(frozen=True)
class Methods:
    """The methods of some results by label, in the order of the plans.

    A label that is in no plan is used as the name.

    >>> methods = Methods({"sls": METHODS["sls"]})
    >>> methods.name("sls"), methods.name("mine"), methods.in_sentence("soft")
    ('SLS', 'mine', 'soft labels')
    """

    by_label: Mapping[str, Method] = field(default_factory=dict)

    @classmethod
    def of(cls, results: Results) -> Methods:
        """The methods of the plans of the results."""
        return cls({label(method): method for plan in results.plans.values() for method in plan.arms})

    def name(self, method: str) -> str:
        """The display name of a method."""
        known = self.by_label.get(method) or METHODS.get(method)
        return full_name(known) if known else method

    def in_sentence(self, method: str) -> str:
        """The name of a method inside a sentence."""
        text = self.name(method)
        return text if text == method else inside(text)

    def in_order(self, methods: Iterable[str]) -> list[str]:
        """Methods without duplicates: the known methods in their usual order, each followed by its variants, then others."""
        places = {known: place for place, known in enumerate(NAMES)}

        def key(method: str) -> tuple[int, int, str]:
            known = self.by_label.get(method) or METHODS.get(method)
            place = places.get(base(known), len(places)) if known else len(places)
            return place, resample_interval(known) if known else 0, method

        return sorted(dict.fromkeys(methods), key=key)


def name(method: str) -> str:
    """The display name of a built-in method.

    >>> name("soft")
    'Soft labels'
    """
    return Methods().name(method)
