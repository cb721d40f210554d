"""Train on the votes, not the verdict.

    import votewise as vw

    votes = vw.read_votes("votes.csv")           # item, annotator, label ... or any known export
    print(vw.describe(votes))                    # how much annotators disagree, and which delivery fits
    delivery = vw.Multipass(votes, seed=0)       # delivery.targets(index, epoch), in any training loop
    card = vw.score(probabilities, votes)        # any model against the votes
    run = vw.fit(vw.load_dataset("digits"), "sls")  # or train here: a run in a store, reproducible to the bit

This module is the whole public API. Each name is imported from its package on first use, so that `import votewise` is
fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from votewise.adapters import SoftScores, Targets, check_adapter
    from votewise.datasets import Dataset, load_dataset
    from votewise.delivery import (
        DELIVERIES,
        SLS,
        Delivery,
        LabelSmoothing,
        Majority,
        Multipass,
        Soft,
        check_delivery,
        deliver,
        with_index,
    )
    from votewise.errors import RunFailedError, RunLockedError, StaleLabelsError, UndefinedError, VotewiseError
    from votewise.profile import Budget, Profile, annotator_table, budget, confusion, describe, next_items
    from votewise.scoring import (
        DIALECTS,
        SCORES,
        AnyKind,
        Intervals,
        Predictions,
        ReliabilityCurve,
        Score,
        Scorecard,
        TrueClasses,
        Truth,
        annotator_ceiling,
        read_predictions,
        read_truth,
        reliability_curve,
        score,
        scored,
    )
    from votewise.studies import Store, Verification, verify
    from votewise.training import Engine, Method, Progress, Recipe, Run, Split, fit
    from votewise.votes import (
        READERS,
        Answers,
        CleaningProposal,
        Distributions,
        DoubtfulClasses,
        DroppedVotes,
        Index,
        ReadOptions,
        ReadReport,
        Scale,
        TableOptions,
        Ties,
        Votes,
        VotesFile,
        example_truth,
        example_votes,
        inspect_votes,
        propose_cleaning,
        read_votes,
        write_votes,
    )
    from votewise.workflows import (
        ComparedPredictions,
        Comparison,
        Execution,
        Reproduction,
        compare,
        compare_predictions,
        report,
        reproduce,
    )

    __version__: str

__all__ = [  # noqa: RUF022  # by package, as a reader looks for them
    # votes
    "Answers", "Distributions", "Index", "Scale", "Ties", "Votes", "example_truth", "example_votes",
    # files of votes
    "READERS", "CleaningProposal", "DoubtfulClasses", "DroppedVotes", "ReadOptions", "ReadReport", "TableOptions", "VotesFile", "inspect_votes", "propose_cleaning",
    "read_votes", "write_votes",
    # delivery
    "DELIVERIES", "SLS", "Delivery", "LabelSmoothing", "Majority", "Multipass", "Soft",
    "check_delivery", "deliver", "with_index",
    # scoring
    "AnyKind", "DIALECTS", "SCORES", "Intervals", "Predictions", "ReliabilityCurve", "Score", "Scorecard", "TrueClasses",
    "Truth", "annotator_ceiling",
    "read_predictions", "read_truth", "reliability_curve", "score", "scored", "ComparedPredictions", "compare_predictions",
    # profile
    "Budget", "Profile", "annotator_table", "budget", "confusion", "describe", "next_items",
    # other frameworks: votewise.adapters
    "SoftScores", "Targets", "check_adapter",
    # errors
    "RunFailedError", "RunLockedError", "StaleLabelsError", "UndefinedError", "VotewiseError",
    # datasets, training and studies, with votewise[train]
    "Dataset", "load_dataset", "Engine", "Method", "Progress", "Recipe", "Run", "Split", "fit", "Store",
    # comparing methods and reproducing papers, with votewise[train,report]
    "Comparison", "Execution", "Reproduction", "Verification", "compare", "report", "reproduce", "verify",
]  # fmt: skip

_PACKAGES = (
    "votes",
    "delivery",
    "scoring",
    "profile",
    "errors",
    "adapters",
    "datasets",
    "training",
    "studies",
    "workflows",
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("votewise")
    if name in __all__:
        for package in _PACKAGES:
            module = import_module(f"votewise.{package}")
            if name in module.__all__:
                return getattr(module, name)
    raise AttributeError(f"module 'votewise' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
