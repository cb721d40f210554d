"""What a study varies: delivery + mix + loss, under one name."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from votewise.delivery import DELIVERIES, Delivery, deliver
from votewise.errors import VotewiseError
from votewise.validation import checked
from votewise.votes import Answers
from votewise.wording import listing

DeliveryName = Literal["soft", "multipass", "sls", "deterministic", "shuffled-sls", "majority", "label-smoothing"]


class Method(BaseModel):
    """How targets reach the loss. A default never changes: a better value is a new name in `METHODS`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    delivery: DeliveryName
    resample_every: int = Field(default=1, ge=1)  # sls: epochs for which a drawn label is kept
    derangement: bool = False  # shuffled-sls: no item keeps its own distribution
    epsilon: float = Field(default=0.1, ge=0, le=1)  # label-smoothing: Szegedy et al. 2016
    on: Literal["majority", "votes"] = "majority"  # label-smoothing: what is smoothed
    spread: Literal["all", "others"] = "all"  # label-smoothing: over which classes
    ties: Literal["lowest", "random"] = "lowest"  # majority, label-smoothing
    mixup: float = Field(default=0.0, ge=0)  # alpha of Zhang et al. 2018, one lambda per batch; 0 mixes nothing
    loss: Literal["cross-entropy"] = "cross-entropy"

    def deliver(self, votes: Answers, seed: int) -> Delivery:
        """The delivery of this method over the training votes."""
        takes = DELIVERIES[self.delivery].__dataclass_fields__
        options = {name: value for name, value in self if name in takes}
        return deliver(self.delivery, votes, seed=seed, **options)

    @property
    def name(self) -> str:
        """The name people know it by, with the interval where labels are kept."""
        base = next((name for name, method in METHODS.items() if method == self), self.delivery)
        return f"{base}-every-{self.resample_every}" if self.resample_every > 1 else base


METHODS: dict[str, Method] = {
    **{name: Method(delivery=name) for name in DeliveryName.__args__},  # type: ignore[attr-defined]
    "mixup": Method(delivery="majority", mixup=1.0),  # the CIFAR setting of Zhang et al.
}


def method(name: str, **options: object) -> Method:
    """The method called `name`, with other options where given."""
    if name not in METHODS:
        raise VotewiseError(f"there is no method {name!r}", remedy=f"choose one of {listing(METHODS, 9)}")
    made = checked(Method, {**METHODS[name].model_dump(), **options}, where=f"method {name}")
    takes = {*DELIVERIES[made.delivery].__dataclass_fields__, "mixup"}
    for key in options:
        if key not in takes:
            raise VotewiseError(f"{name} has no option {key!r}", remedy="leave it out")
    return made
