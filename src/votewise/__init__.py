"""Train on the votes, not the verdict.

    import votewise as vw

    votes = vw.read_votes("votes.csv")           # item, annotator, label ... or any known export
    print(vw.describe(votes))                    # how much people disagree, and which delivery fits
    delivery = vw.Multipass(votes, seed=0)       # delivery.targets(index, epoch), in any training loop
    card = vw.score(probabilities, votes)        # any model against what people really said
    run = vw.fit(vw.load("digits"), "sls")       # or train here: a run in a store, exact to the bit

This page is the whole face of the library. A name is imported from its room when it is first used, so that `import votewise`
costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from votewise.datasets import Dataset, load, own  # type: ignore[no-redef]  # a module there has the name too
    from votewise.delivery import (
        DELIVERIES,
        SLS,
        Delivery,
        Deterministic,
        LabelSmoothing,
        Majority,
        Multipass,
        ShuffledSLS,
        Soft,
        check_delivery,
        deliver,
        with_index,
    )
    from votewise.errors import UndefinedError, VotewiseError
    from votewise.profile import Profile, describe
    from votewise.scoring import (
        DIALECTS,
        SCORES,
        Intervals,
        Predictions,
        ReliabilityCurve,
        Score,
        Scorecard,
        Truth,
        annotator_ceiling,
        read_predictions,
        read_truth,
        reliability_curve,
        score,
        scored,
    )
    from votewise.studies import Store
    from votewise.training import Run, fit, preset, suited
    from votewise.votes import Distributions, Scale, Votes, example_votes, ordinal, write_votes
    from votewise.votes.readers import READERS, DoubtfulClasses, DroppedVotes, Reading, read, read_votes

__all__ = [  # noqa: RUF022  # by room, as a reader looks for them
    # votes
    "Distributions", "Scale", "Votes", "example_votes", "ordinal", "write_votes",
    # reading
    "READERS", "DoubtfulClasses", "DroppedVotes", "Reading", "read", "read_votes",
    # delivery
    "DELIVERIES", "SLS", "Delivery", "Deterministic", "LabelSmoothing", "Majority", "Multipass", "ShuffledSLS", "Soft",
    "check_delivery", "deliver", "with_index",
    # scoring
    "DIALECTS", "SCORES", "Intervals", "Predictions", "ReliabilityCurve", "Score", "Scorecard", "Truth", "annotator_ceiling",
    "read_predictions", "read_truth", "reliability_curve", "score", "scored",
    # profile
    "Profile", "describe",
    # errors
    "UndefinedError", "VotewiseError",
    # datasets, training and studies, with votewise[train]
    "Dataset", "load", "own", "Run", "fit", "preset", "suited", "Store",
]  # fmt: skip

_ROOMS = ("votes", "votes.readers", "delivery", "scoring", "profile", "errors", "datasets", "training", "studies")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for room in _ROOMS:
            module = import_module(f"votewise.{room}")
            if name in module.__all__:
                return getattr(module, name)
    raise AttributeError(f"module 'votewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
