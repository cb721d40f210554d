"""A method, which is what a study varies: a delivery with its options, and mixup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from votewise.delivery import DELIVERIES, Contract, check_delivery, checked_options, option_defaults
from votewise.errors import VotewiseError
from votewise.importing import is_import_path
from votewise.training.objects import digest_of, find, path_of
from votewise.validation import Checked, checked
from votewise.votes import Answers
from votewise.wording import listing, quoted

CHECKED_ITEMS = 2000  # number of training items on which a custom delivery is checked


class Method(Checked):
    """How training gets its targets: a delivery with options, and mixup. Defaults never change, because ids of
    runs depend on them; a better value gets a new name in `METHODS`.

    Attributes:
        delivery: A key of `DELIVERIES`, an import path, or in Python the class or function itself: any callable that takes
            (votes, seed=..., options) and returns a delivery.
        mixup: Alpha of Zhang et al. 2018, with one lambda per batch; 0 turns mixup off.
        source: SHA-256 of the source of a custom delivery.

    All other keys are options of the delivery. Options that equal their default are left out.

    Example:
        >>> Method(delivery="sls", resample_every=5).options
        {'resample_every': 5}
        >>> Method(delivery="sls", resample_every=1) == Method(delivery="sls")
        True
    """

    model_config = ConfigDict(frozen=True, extra="allow", strict=True, allow_inf_nan=False)

    delivery: str
    mixup: float = Field(default=0.0, ge=0)
    source: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _check_options(cls, values: Any) -> Any:
        if not isinstance(values, Mapping) or "delivery" not in values:
            return values
        delivery = path_of(values["delivery"])
        own = {key: value for key, value in values.items() if key in cls.model_fields} | {"delivery": delivery}
        options = {key: value for key, value in values.items() if key not in cls.model_fields}
        if delivery in DELIVERIES:
            return own | checked_options(DELIVERIES[delivery], options)
        if not is_import_path(delivery):
            raise _unknown(delivery)
        if own.get("source") is not None:  # a stored run can be read where the delivery cannot be imported
            return own | options
        options = checked_options(find(delivery), options)
        return own | options | {"source": digest_of(delivery)}

    @property
    def options(self) -> dict[str, Any]:
        """All options of the delivery with their values."""
        defaults = option_defaults(DELIVERIES[self.delivery]) if self.delivery in DELIVERIES else {}
        return {**defaults, **(self.model_extra or {})}

    @property
    def name(self) -> str:
        """The display name, with the interval of `resample_every` if it is not 1."""
        own_name = self.delivery.rpartition(":")[2].rpartition(".")[2]  # for a custom delivery
        base = next((name for name, method in METHODS.items() if method == self), own_name)
        every = self.options.get("resample_every", 1)
        return f"{base}-every-{every}" if every != 1 else base

    def deliver(self, votes: Answers, seed: int) -> Contract:
        """The delivery over the training votes; a custom one is checked first."""
        if self.delivery in DELIVERIES:
            return DELIVERIES[self.delivery](votes, seed=seed, **(self.model_extra or {}))
        factory: Callable[..., Contract] = find(self.delivery, self.source)
        options = self.model_extra or {}
        check_delivery(factory(votes.select(np.arange(min(len(votes), CHECKED_ITEMS))), seed=seed, **options))
        delivery = factory(votes, seed=seed, **options)
        if len(delivery) != len(votes) or delivery.num_classes != votes.num_classes:
            raise VotewiseError(
                f"{self.name} delivers targets for {len(delivery)} items and {delivery.num_classes} classes, but the votes have"
                f" {len(votes)} items and {votes.num_classes} classes",
                remedy="deliver one target for each item of the votes",
            )
        return delivery


METHODS: dict[str, Method] = {
    **{name: Method(delivery=name) for name in DELIVERIES},
    "mixup": Method(delivery="majority", mixup=1.0),  # the CIFAR setting of Zhang et al.
}


def method(name: str | Method | Callable[..., Any], **options: Any) -> Method:
    """The method called `name`, with other options if given.

    Args:
        name: A key of `METHODS`, the import path "package.module:object" of a delivery, its class or function, or a `Method`.
        **options: Options of the delivery, and `mixup`.

    Raises:
        VotewiseError: If the name or an option is unknown.

    Example:
        >>> method("sls", resample_every=5).name
        'sls-every-5'
    """
    if taken := {"delivery", "source"} & options.keys():
        raise VotewiseError(f"unknown option {quoted(min(taken))}", where=f"method {name}", remedy="use another method")
    if isinstance(name, Method):
        return name if not options else checked(Method, {**dict(name), **options}, where=f"method {name.name}")
    if not isinstance(name, str):
        return checked(Method, {"delivery": name, **options}, where=f"method {getattr(name, '__name__', name)}")
    if name not in METHODS and not is_import_path(name):
        raise _unknown(name)
    usual = {"delivery": name} if is_import_path(name) else dict(METHODS[name])
    return checked(Method, {**usual, **options}, where=f"method {name}")


def _unknown(name: str) -> VotewiseError:
    return VotewiseError(
        f"unknown method {quoted(name)}", remedy=f"choose one of {listing(METHODS, 9)}, or give 'package.module:object'"
    )
