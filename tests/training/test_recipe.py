"""The paper's recipe, exactly: net, schedule, split, augmentation, and what a seed fixes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from toy import toy_dataset
from votewise.datasets import Dataset
from votewise.errors import VotewiseError
from votewise.training import METHODS, Engine, Method, Problem, Recipe, Split, configure, fit, method
from votewise.training.config import Config
from votewise.training.image_inputs import Inputs
from votewise.training.loop import initial_model, learning_rate
from votewise.training.models import BUILDERS, build
from votewise.training.recipe import MODELS
from votewise.training.split import split_items
from votewise.validation import checked
from votewise.votes import Votes


def test_fit_restores_settings_and_random_numbers_of_torch(tmp_path: Path) -> None:
    flags = [(torch.backends.cuda.matmul, "allow_tf32"), (torch.backends.cudnn, "allow_tf32"),
             (torch.utils.deterministic, "fill_uninitialized_memory")]  # fmt: skip
    for owner, flag in flags:
        setattr(owner, flag, True)
    mode = torch.get_deterministic_debug_mode()
    torch.set_deterministic_debug_mode("warn")
    for seed, name in enumerate(("soft", "sls")):
        torch.manual_seed(seed)
        fit(toy_dataset(60), name, Recipe(model="mlp", epochs=1), store=tmp_path)
        assert torch.equal(torch.rand(3), torch.rand(3, generator=torch.Generator().manual_seed(seed)))
    assert all(getattr(owner, flag) for owner, flag in flags)
    assert torch.get_deterministic_debug_mode() == 1
    torch.set_deterministic_debug_mode(mode)
    Engine().prepare()


def test_the_defaults_are_the_papers() -> None:
    paper = Recipe.preset("paper")
    assert (paper.model, paper.epochs, paper.batch_size) == ("resnet18", 200, 128)
    assert (paper.lr, paper.momentum, paper.weight_decay, paper.schedule) == (0.1, 0.9, 5e-4, "cosine")
    assert Split().fraction == 0.2
    assert METHODS["mixup"].model_dump(exclude_defaults=True) == {"delivery": "majority", "mixup": 1.0}


def test_features_have_a_lower_learning_rate_unless_it_is_given() -> None:
    features = Dataset(np.eye(3, 4, dtype=np.float32), Votes.from_counts(np.eye(3, dtype=np.int64)))
    rates = [Recipe.for_dataset(features, **given).lr for given in ({}, {"model": "linear"}, {"lr": 0.1})]
    assert rates == [0.01, 0.003, 0.1]
    assert Recipe.preset("cpu", model="linear").lr == 0.1  # of plans without lr, whose runs keep their ids


def test_a_linear_model_of_many_features_learns_by_default(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    hidden = rng.normal(size=(150, 10))
    x = (hidden @ rng.normal(size=(10, 1000)) + 3 * rng.normal(size=(150, 1000))).astype(np.float32)
    shares = np.exp(hidden @ rng.normal(size=(10, 3)))
    votes = Votes.from_counts(rng.multinomial(5, shares / shares.sum(axis=1, keepdims=True)))
    data = Dataset(x, votes)
    run = fit(data, "multipass", model="linear", store=tmp_path)
    fast = fit(data, "multipass", Recipe.for_dataset(data, model="linear", lr=0.1), store=tmp_path)
    assert run.last.scores["soft_nll"] < 0.6 < np.log(3) < fast.last.scores["soft_nll"]


def test_the_cifar_resnet18_has_its_published_size_and_shape() -> None:
    net = build("resnet18", (32, 32, 3), 10)
    assert sum(parameter.numel() for parameter in net.parameters()) == 11_173_962
    stem = net.body[0]
    assert (stem.kernel_size, stem.stride) == ((3, 3), (1, 1))
    assert not any(isinstance(layer, torch.nn.MaxPool2d) for layer in net.modules())
    maps = net.body(torch.zeros(2, 3, 32, 32))
    assert maps.shape == (2, 512, 4, 4)
    assert net.features(torch.zeros(2, 3, 32, 32)).shape == (2, 512)


@pytest.mark.parametrize("name", BUILDERS)
def test_every_net_takes_its_inputs(name: str) -> None:
    shape = (10, 10, 1)
    assert build(name, shape, 7)(torch.zeros(3, 1, 10, 10)).shape == (3, 7)


def test_the_schedule_is_torchs_cosine() -> None:
    optimiser = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=200)
    for epoch in range(200):
        assert learning_rate(0.1, "cosine", epoch, 200) == pytest.approx(optimiser.param_groups[0]["lr"], abs=1e-12)
        optimiser.step()
        scheduler.step()


@given(st.integers(0, 50), st.lists(st.integers(0, 4), min_size=30, max_size=200))
def test_a_split_is_stratified_to_one_item_per_class(seed: int, kinds: list[int]) -> None:
    votes = Votes.from_counts(3 * np.eye(5, dtype=np.int64)[kinds])
    dataset = Dataset(name="d", inputs=np.zeros((len(kinds), 2), np.float32), votes=votes)
    training, evaluation, selection = split_items(dataset, Split(), seed)
    assert selection is evaluation
    assert sorted([*training, *evaluation]) == list(range(len(kinds)))
    assert len(evaluation) == round(0.2 * len(kinds))
    held_out, all_of_them = (
        np.bincount(np.array(kinds)[index], minlength=5) for index in (evaluation, np.arange(len(kinds)))
    )
    assert np.abs(held_out - 0.2 * all_of_them).max() <= 1
    assert set(evaluation) != set(split_items(dataset, Split(), seed + 1)[1]) or len(set(kinds)) == len(kinds)


@given(st.integers(0, 50), st.lists(st.integers(0, 4), min_size=60, max_size=200))
def test_a_selection_part_comes_out_of_the_training_items(seed: int, kinds: list[int]) -> None:
    votes = Votes.from_counts(3 * np.eye(5, dtype=np.int64)[kinds])
    dataset = Dataset(name="d", inputs=np.zeros((len(kinds), 2), np.float32), votes=votes)
    training, evaluation, selection = split_items(dataset, Split(selection=0.1), seed)
    assert sorted([*training, *evaluation, *selection]) == list(range(len(kinds)))
    assert np.array_equal(evaluation, split_items(dataset, Split(), seed)[1])
    assert len(selection) == round(0.1 * len(kinds))
    shares = [np.bincount(np.array(kinds)[index], minlength=5) for index in (selection, np.arange(len(kinds)))]
    assert np.abs(shares[0] - 0.1 * shares[1]).max() <= 2


def test_the_best_epoch_is_chosen_on_the_selection_part(tmp_path) -> None:
    dataset, recipe = toy_dataset(), Recipe(model="mlp", epochs=8, batch_size=16, lr=0.05)
    run = fit(dataset, "sls", recipe, split=Split(selection=0.2), store=tmp_path)
    losses = [line["selection_nll"] for line in run.history]
    assert run.best.epoch == int(np.argmin(losses))
    assert losses != [line["soft_nll"] for line in run.history]
    assert len(run.predictions.train_row) + len(run.predictions) == 0.8 * len(dataset)
    assert "selection_nll" not in fit(dataset, "sls", recipe, store=tmp_path).history[0]


@pytest.mark.parametrize(
    ("split", "remedy"),
    [(Split(fraction=0.5, selection=0.5), "different shares"), (Split(selection=0.001), "more items")],
)
def test_a_split_without_items_for_a_part_is_refused(split: Split, remedy: str) -> None:
    with pytest.raises(VotewiseError, match=remedy):
        split_items(toy_dataset(), split, 0)


def test_sub_samples_can_have_a_seed_apart_from_the_split() -> None:
    dataset = toy_dataset()
    apart = [
        Problem(
            dataset,
            configure(dataset, method("soft"), seed=seed, votes_per_item=3, subsample="nested", subsample_seed=7),
        )
        for seed in (0, 1)
    ]
    both = np.intersect1d(apart[0].training, apart[1].training)
    counts = [each.train_votes.counts()[np.searchsorted(each.training, both)] for each in apart]
    assert np.array_equal(*counts)  # other splits, the same votes
    assert np.array_equal(counts[0], dataset.votes.select(both).subsample(3, seed=7).counts())
    assert apart[0].config.id != configure(dataset, method("soft"), votes_per_item=3, subsample="nested").id


def test_torchvisions_initialisation_is_that_of_he_et_al_2015_but_for_the_stem() -> None:
    """Standard deviation sqrt(2 / fan_out) of every other convolution; the linear head and the stem keep torch's own."""
    dataset = toy_dataset()
    plain, he = (
        initial_model(Problem(dataset, configure(dataset, method("soft"), Recipe(model="resnet18", init=init))), 0)
        for init in ("torch", "torchvision")
    )
    assert torch.equal(plain.body[0].weight, he.body[0].weight)
    assert torch.equal(plain.head.weight, he.head.weight)
    for module in list(he.body.modules())[2:]:
        if isinstance(module, torch.nn.Conv2d):
            fan_out = module.out_channels * module.kernel_size[0] * module.kernel_size[1]
            assert float(module.weight.detach().std()) == pytest.approx((2 / fan_out) ** 0.5, rel=0.05)
    with pytest.raises(VotewiseError, match="resnet8"):
        Problem(dataset, configure(dataset, method("soft"), Recipe(model="mlp", init="torchvision")))


def test_float32_is_not_rounded_to_tf32() -> None:
    torch.backends.cudnn.allow_tf32 = True
    Engine().prepare()
    assert not torch.backends.cudnn.allow_tf32
    assert not torch.backends.cuda.matmul.allow_tf32


def test_at_one_seed_all_methods_share_split_weights_and_votes() -> None:
    dataset = toy_dataset()
    problems = [
        Problem(dataset, configure(dataset, method(name), Recipe.preset("demo"), seed=4, votes_per_item=3))
        for name in METHODS
    ]
    first = problems[0]
    weights = initial_model(first, 4).state_dict()
    for problem in problems[1:]:
        assert np.array_equal(problem.training, first.training)
        assert problem.train_votes.fingerprint == first.train_votes.fingerprint
        assert all(
            torch.equal(tensor, weights[name]) for name, tensor in initial_model(problem, 4).state_dict().items()
        )
    assert not torch.equal(initial_model(first, 5).state_dict()["body.0.weight"], weights["body.0.weight"])
    assert (first.train_votes.votes_per_item == 3).all()
    assert (first.evaluation_votes.votes_per_item > 3).all()


def test_a_training_seed_apart_keeps_the_split_and_changes_the_weights() -> None:
    dataset = toy_dataset()
    one = configure(dataset, method("soft"), Recipe.preset("demo"), seed=1)
    other = configure(dataset, method("soft"), Recipe.preset("demo"), seed=1, training_seed=9)
    assert np.array_equal(Problem(dataset, one).training, Problem(dataset, other).training)
    assert one.seed_of("init") != other.seed_of("init")
    assert one.id != other.id


def pictures(augment: tuple[str, ...]) -> Dataset:
    values = np.random.default_rng(0).integers(0, 256, (40, 8, 8, 3)).astype(np.uint8)
    votes = Votes.from_counts(np.ones((40, 2), dtype=np.int64))
    return Dataset(name="d", inputs=values, votes=votes, mean=(0.5, 0.4, 0.3), std=(0.2, 0.3, 0.4), augment=augment)


def test_a_crop_and_flip_is_one_of_those_there_are() -> None:
    dataset = pictures(("crop", "flip"))
    inputs = Inputs(dataset, Recipe(padding=2), 0, "cpu")
    index = np.arange(40)
    mean, std = np.array(dataset.mean), np.array(dataset.std)
    padded = np.pad(dataset.inputs, ((0, 0), (2, 2), (2, 2), (0, 0)))
    seen = set()
    for epoch in range(60):
        batch = inputs.augmented(index, epoch)
        assert batch.is_contiguous(memory_format=torch.channels_last)
        for i in range(3):
            found = np.round((batch[i].permute(1, 2, 0).numpy() * std + mean) * 255).astype(int)
            crops = {
                (y, x, flip): padded[i, y : y + 8, x : x + 8][:, :: -1 if flip else 1]
                for y in range(5)
                for x in range(5)
                for flip in (0, 1)
            }
            (place,) = [key for key, crop in crops.items() if np.array_equal(crop, found)]
            seen.add(place)
    assert len(seen) > 45  # of 50: all offsets and both ways occur


def test_evaluation_only_normalises_and_digits_are_not_flipped() -> None:
    dataset = pictures(("crop", "flip"))
    clean = Inputs(dataset, Recipe(), 0, "cpu").clean(np.arange(5))
    expected = (dataset.inputs[:5] / 255 - np.array(dataset.mean)) / np.array(dataset.std)
    assert clean.permute(0, 2, 3, 1).numpy() == pytest.approx(expected, abs=1e-5)
    plain = Inputs(pictures(()), Recipe(), 0, "cpu")
    assert torch.equal(plain.augmented(np.arange(5), 3), plain.clean(np.arange(5)))
    off = Inputs(dataset, Recipe(augment=()), 0, "cpu")
    assert torch.equal(off.augmented(np.arange(5), 3), off.clean(np.arange(5)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"learning_rate": 0.1}, "unknown key 'learning_rate'.*'lr'"),
        ({"epochs": 0}, "epochs must be 1 or more, got 0$"),
        ({"lr": 0}, "lr must be more than 0, got 0$"),
        ({"lr": "fast"}, "lr must be a number, got 'fast'$"),
        ({"epochs": 2.5}, "epochs must be a whole number, got 2.5$"),
        ({"model": "vgg"}, "unknown model 'vgg'"),
        ({"augment": ["crop", "blur"]}, "augment must be 'crop' or 'flip', got 'blur'$"),
        ({"momentum": float("nan")}, "momentum must be a finite number, got nan$"),
        ({"nesterov": "perhaps"}, "nesterov must be true or false, got 'perhaps'$"),
    ],
)
def test_a_wrong_recipe_is_told_by_its_key(values: dict[str, object], message: str) -> None:
    with pytest.raises(VotewiseError, match=message):
        checked(Recipe, values)


@pytest.mark.parametrize("name", ["multipass", "soft", "label-smoothing", "mixup"])
def test_a_method_has_no_options_of_others(name: str) -> None:
    """An option without effect would name a run that is another one."""
    with pytest.raises(VotewiseError, match=f"^method {name}: unknown option 'resample_every'"):
        method(name, resample_every=5)


@pytest.mark.parametrize(
    ("model", "values", "message"),
    [
        (Recipe, {"epochs": 0}, "^epochs must be 1 or more, got 0$"),
        (Recipe, {"epochs": 10**12}, "^epochs must be 100000 or less, got 10"),
        (Split, {"fraction": 1.0}, "^fraction must be less than 1, got 1.0$"),
        (Split, {"fractoin": 0.1}, "^unknown key 'fractoin'; the keys are 'fraction'"),
        (Method, {"delivery": "x"}, "^unknown method 'x'"),
        (
            Config,
            {"dataset": "d", "method": METHODS["sls"], "split": {"fraction": 2}},
            "^split.fraction must be less than 1",
        ),
    ],
)
def test_constructors_name_the_wrong_value(model: Any, values: dict[str, Any], message: str) -> None:
    with pytest.raises(VotewiseError, match=message):
        model(**values)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("digits",), "^dataset must be a Dataset, got str"),
        ((toy_dataset(), 3), "3 is neither a class nor a function"),
        ((toy_dataset(), "soft", {"epochs": 1}), "^recipe must be a Recipe, got dict"),
    ],
    ids=["dataset", "method", "recipe"],
)
def test_arguments_of_another_kind_are_refused(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(VotewiseError, match=message):
        fit(*arguments)


@pytest.mark.parametrize(("name", "value"), [("split", 0.2), ("engine", 3), ("store", None)])
def test_options_of_another_kind_are_refused(name: str, value: Any) -> None:
    with pytest.raises(VotewiseError, match=f"^{name} must be an? "):
        fit(toy_dataset(), **{name: value})


def test_features_cannot_be_cropped() -> None:
    rng = np.random.default_rng(0)
    votes = Votes.from_counts(rng.multinomial(5, [0.5, 0.5], size=20))
    features = Dataset(name="d", inputs=rng.normal(size=(20, 3)).astype(np.float32), votes=votes)
    Problem(features, configure(features, method("soft"), Recipe(augment=())))
    with pytest.raises(VotewiseError, match="augment = 'flip' needs images, but the inputs are features"):
        Problem(features, configure(features, method("soft"), Recipe(augment=("flip",))))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"votes_per_item": 0}, "^votes_per_item must be a whole number of 1 or more, got 0"),
        ({"subsample": "nest"}, "^unknown subsample 'nest'"),
        ({"seed": -1}, "^seed must be a whole number of 0 or more, got -1"),
        ({"seed": True}, "^seed must be a whole number of 0 or more, got True"),
        ({"subsample_seed": 0.5}, "^subsample_seed must be a whole number of 0 or more, got 0.5"),
    ],
)
def test_an_error_names_the_argument_and_its_value(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(VotewiseError, match=message):
        configure(toy_dataset(), method("soft"), **asked)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"device": "gpu"}, "unknown device 'gpu'"),
        ({"device": "cuda:x"}, "unknown device 'cuda:x'"),
        ({"threads": 0}, "threads must be"),
    ],
)
def test_an_engine_that_cannot_run_is_not_made(options: dict[str, Any], message: str) -> None:
    with pytest.raises(VotewiseError, match=message):
        Engine(**options)


def test_what_cannot_be_trained_is_told() -> None:
    dataset = toy_dataset()
    with pytest.raises(VotewiseError, match="unknown method 'warm'"):
        method("warm")
    with pytest.raises(VotewiseError, match="unknown preset 'huge'"):
        Recipe.preset("huge")
    config = configure(dataset, method("soft"), Recipe.preset("demo"))
    with pytest.raises(VotewiseError, match="another dataset"):
        Problem(toy_dataset(30), config)
    with pytest.raises(VotewiseError, match="needs images"):
        build("resnet18", (7,), 3)


def test_a_class_that_training_never_sees_is_refused() -> None:
    kinds = np.array([0, 1] * 30 + [2])
    votes = Votes.from_counts(np.eye(3, dtype=np.int64)[kinds] * 4)
    dataset = Dataset(np.zeros((61, 2), np.float32), votes, name="rare")
    told = set()
    for seed in range(20):
        config = configure(dataset, method("soft"), Recipe(model="linear"), seed=seed, split=Split(stratify="none"))
        try:
            problem = Problem(dataset, config)
            assert 60 in problem.training
            told.add("fine")
        except VotewiseError as error:
            told.add(str(error).partition(" (")[0])
    assert told == {"fine", "no training item has a vote for the class '2', but a held-out item has"}


def test_models_known_to_recipes_are_those_that_can_be_built() -> None:
    assert tuple(BUILDERS) == MODELS
