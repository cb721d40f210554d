"""Every public object survives pickle and deepcopy: workers that are spawned get the same votes, labels and scores."""

from __future__ import annotations

import pickle
import types
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import fields, is_dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, is_typeddict

import numpy as np
import polars as pl
import pytest
import torch

import votewise as vw
from toy import toy_dataset
from toy_study import toy_plan, write_data
from votewise import adapters, datasets, delivery, errors, profile, scoring, studies, training, votes, workflows
from votewise.datasets.dataset import Lazy
from votewise.frozen import without_caches
from votewise.scoring.columns import cross_entropy
from votewise.text import Tokens
from votewise.votes import DoubtfulClasses, DroppedVotes, inspect_votes

RUN = next((Path(__file__).parent / "golden" / "store" / "runs").iterdir())
PUBLIC = {
    f"{package}.{name}": getattr(module, name)
    for package in vw._PACKAGES
    for module in [import_module(f"votewise.{package}")]
    for name in module.__all__
}
VOTES = votes.Votes.from_long(
    list("bbaac"),
    list("xyxxy"),
    list("pqpqp"),
    weight=np.ones(5),
    columns={"seconds": np.array([3.0, 1, np.nan, 2, 5])},
)
SHARES = votes.Distributions(  # whose bits change when they are normalised once more
    np.random.default_rng(0).dirichlet(np.ones(10), size=20), votes_per_item=np.arange(1, 21)
)

NEEDS = studies.Needs(("soft",), "main", 5, "curvature")


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """An object of every public class."""
    folder = write_data(tmp_path_factory.mktemp("data"))
    (folder / "nameless.csv").write_text("0.2,0.8\n0.5,0.5\n")
    whole = dataset()
    plan = toy_plan(folder, probes=[{"name": "curvature", "methods": ["soft"]}])
    config = plan.configs(plan.dataset.load())[0]
    card = vw.score(SHARES.probability, SHARES, dialect="paper", intervals=20)
    block = scoring.Block(*[np.ones((2, 3)) / 2] * 3, votes=None, truth=None, row=np.arange(3), position=None)
    reading, work = inspect_votes(folder / "votes.csv"), (plan.dataset, folder, training.Engine())
    weights = torch.nn.Linear(2, 3)
    tokens = Tokens(np.zeros(2, np.int32), np.zeros(2, np.int8), np.array([0, 2]), padding=0, limit=8, truncated=0)
    return [
        VOTES, SHARES, vw.Scale.ordinal("123"), votes.SourceFile(folder / "votes.csv"), reading, reading.report,
        DoubtfulClasses("typo"), DroppedVotes("blank"), votes.Frame(pl.DataFrame({"item": ["a"]})), vw.propose_cleaning(folder / "votes.csv"),
        *(kind(VOTES, seed=3) for kind in delivery.DELIVERIES.values()), vw.with_index("abc", VOTES),
        card, scoring.accuracy, scoring.Intervals(20), block, scoring.Table({cross_entropy: np.ones(2)}, {}, 2, 15), vw.read_predictions(folder / "nameless.csv"), scoring.Truth(np.arange(3)),
        scoring.BrierParts(1, 2, 3, 4, 5), errors.UndefinedError("no order", remedy="give one"),
        vw.reliability_curve(SHARES.probability, SHARES),
        vw.describe(VOTES), vw.budget(VOTES, 100), profile.Advice(*["because"] * len(fields(profile.Advice))),
        errors.VotewiseError("wrong", where=folder, remedy="right"), errors.RunFailedError("NaN"), errors.RunLockedError("busy"), errors.StaleLabelsError("late"),
        adapters.SoftScores(VOTES, ["soft_nll"]), adapters.Targets(vw.Soft(VOTES)),
        whole, datasets.Fetched(*["here"] * len(fields(datasets.Fetched))),
        config, config.recipe, config.method, config.split, training.Subsample(k=2), training.Engine(),
        training.Normaliser.of(whole), training.Clean(whole.inputs.copy(), training.Normaliser.of(whole)), training.CleanTexts(tokens), training.build("linear", (3,), 2),
        training.Problem(whole, training.configure(whole, config.method)), training.Run(RUN), training.Run(RUN).best, training.Run(RUN).interpolation, training.Run(RUN).predictions,
        training.Progress(1), training.Trained(weights, weights.state_dict(), {}, training.Progress(), 0),
        plan, plan.dataset, studies.Store(folder), studies.Missing(training.Run(RUN), "not started", config), studies.probe_jobs(plan, [config])[0],
        plan.probes[0],
        studies.Work(*work), studies.Training(*work), studies.Probing(*work), studies.Local(2), studies.Outcome("id", "finished"),
        studies.Estimate(1.0, 2), studies.Probed(studies.Store(folder), 1, {}, {"curvature": "NaN"}), studies.Verification(1, ["damaged"]),
        studies.agenda([plan], studies.Store(folder)), studies.Event("probes", 1, 2, 2), studies.Failures({}, {}), NEEDS,
        studies.NeedsError(NEEDS), studies.Paired((0,), np.ones(1), np.zeros(1)),
        studies.Curve(frozenset({"main"}), "dynamics", "loss", "soft", None, None, 0, "best", {"x": [1.0]}),
        studies.Pair(frozenset({"main"}), "cka", "best", None, ("soft", "sls"), (0, 1), 0.5),
        studies.Results(pl.DataFrame({"study": ["main"]}), plans={"main": plan}),
        workflows.Execution(workers=1), workflows.Reproduction(studies.Store(folder), (plan,)),
        workflows.compare_predictions({"one": SHARES.probability, "two": SHARES.probability[:, ::-1]}, SHARES),
        workflows.Comparison(studies.Store(folder), "toy", workflows.Reproduction(studies.Store(folder), (plan,))),
    ]  # fmt: skip


def dataset() -> vw.Dataset:
    toy = toy_dataset()
    far = Lazy({"far": partial(np.ones, (2, 10, 10, 1), np.uint8)}, {"near": errors.VotewiseError("absent")})
    return datasets.Dataset(toy.inputs, toy.votes, name="toy", labels=np.zeros(60), augment=("flip",), ood=far)


@pytest.mark.parametrize("copied", [pickled, deepcopy])
@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_object_survives(name: str, copied: Callable[[Any], Any], examples: list[object]) -> None:
    public = PUBLIC[name]
    assert content(copied(public)) == content(public)
    if isinstance(public, type) and not (getattr(public, "_is_protocol", False) or is_typeddict(public)):
        abstract = any(getattr(part, "__isabstractmethod__", False) for part in vars(public).values())
        mine = [one for one in examples if type(one) is public or (abstract and isinstance(one, public))]
        assert mine, f"votewise.{name} has no example in this file"
        for one in mine:
            assert content(copied(one)) == content(one)


def content(thing: Any) -> Any:
    """What an object holds, in a form that can be compared; an array with its type and whether it is read-only."""
    match thing:
        case type() | types.FunctionType() | types.ModuleType():
            return thing  # the very same
        case np.ndarray():
            return thing.dtype, thing.flags.writeable, repr(thing.tolist())
        case torch.Tensor() | pl.Series() | pl.DataFrame():
            return repr(thing)
        case float():
            return repr(thing)  # NaN too
        case partial():
            return content([thing.func, thing.args])
        case Mapping():
            return type(thing), {key: content(value) for key, value in thing.items()}
        case tuple() | list():
            return type(thing), [content(part) for part in thing]
        case Exception():
            return type(thing), str(thing)
        case _ if is_dataclass(thing):
            mark = getattr(thing, "fingerprint", None)
            held = {field.name: content(getattr(thing, field.name)) for field in fields(thing)}
            return type(thing), held, mark(3) if callable(mark) else mark
        case _ if hasattr(thing, "__dict__"):
            return type(thing), {key: content(value) for key, value in without_caches(thing).items()}
    return thing


def test_known_scores_stay_the_same_objects() -> None:
    every = [vw.SCORES, *vw.DIALECTS.values()]
    for scores, again in zip(every, pickled(every), strict=True):
        assert all(again[name] is deepcopy(one) is one for name, one in scores.items())


@pytest.mark.parametrize("kind", delivery.DELIVERIES.values())
def test_the_tables_of_a_delivery_are_made_again(kind: type[vw.Delivery]) -> None:
    made = kind(VOTES)
    size = len(pickle.dumps(made))
    made.table(0)
    _ = made._tables
    assert len(pickle.dumps(made)) == size
    assert "_tables" not in vars(pickled(made))


def test_what_a_dataset_loads_when_asked_is_loaded_again() -> None:
    whole = dataset()
    size = len(pickle.dumps(whole.ood))
    assert whole.ood["far"].all()
    assert len(pickle.dumps(whole.ood)) == size
    assert pickled(whole).ood["far"].all()
    with pytest.raises(errors.VotewiseError, match="absent"):
        _ = pickled(whole).ood["near"]
