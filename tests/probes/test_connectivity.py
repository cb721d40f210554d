"""The loss barrier between two checkpoints."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from torch import nn
from torch.optim.swa_utils import update_bn

from nets import distributions, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.connectivity import above_chord, barrier, between, reestimate


def loss_of(model, x, p) -> float:
    with torch.no_grad():
        return float(nn.functional.cross_entropy(model(x).double(), torch.from_numpy(p)))


def mixed(first, second, share):
    """A net half-way, made by hand: weights and statistics mixed, parameter by parameter."""
    model = copy.deepcopy(first)
    with torch.no_grad():
        for mine, other in zip(
            [*model.parameters(), *model.buffers()], [*second.parameters(), *second.buffers()], strict=True
        ):
            if mine.is_floating_point():
                mine.copy_((1 - share) * mine + share * other)
    return model


X, P, TRAINING = pictures(30), distributions(30), pictures(64, seed=5)


def test_the_line_is_the_loss_of_nets_in_between() -> None:
    first, second = net(1), net(2)
    found = barrier(net(3), first.state_dict(), second.state_dict(), X, P, points=5, chunk=8)
    line = found.curves["line"]
    assert line["at"] == [0.0, 0.25, 0.5, 0.75, 1.0]
    expected = [loss_of(mixed(first, second, at), X, P) for at in line["at"]]
    assert line["loss"] == pytest.approx(expected, rel=1e-5)
    assert found.numbers["loss_first"] == pytest.approx(loss_of(first, X, P), rel=1e-6)
    assert found.numbers["loss_second"] == pytest.approx(loss_of(second, X, P), rel=1e-6)
    heights = [
        loss - ((1 - at) * expected[0] + at * expected[-1]) for at, loss in zip(line["at"], expected, strict=True)
    ]
    assert found.numbers["barrier"] == pytest.approx(max(heights), rel=1e-4)
    assert "barrier_reestimated" not in found.numbers


def test_reestimated_statistics_are_those_of_torchs_own_averaging() -> None:
    model = net(1)
    expected = copy.deepcopy(model)
    update_bn([TRAINING[start::4] for start in range(4)], expected)
    assert reestimate(model, TRAINING, chunk=16)
    assert not any(module.training for module in model.modules())
    for (name, mine), theirs in zip(model.state_dict().items(), expected.state_dict().values(), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-6), name
    assert {norm.momentum for norm in model.modules() if isinstance(norm, nn.BatchNorm2d)} == {0.1}


def test_statistics_that_are_wrong_make_a_barrier_that_estimation_takes_away() -> None:
    """Two equal nets, one with a hidden layer turned over twice: in between, the layer shrinks and its statistics do not."""
    first = nn.Sequential(nn.Flatten(), nn.Linear(100, 40, bias=False), nn.BatchNorm1d(40), nn.Linear(40, 4)).eval()
    with torch.no_grad():
        for layer in (first[1], first[3]):
            layer.weight.copy_(torch.randn(layer.weight.shape, generator=torch.Generator().manual_seed(0)))
    reestimate(first, TRAINING)
    second = copy.deepcopy(first)
    with torch.no_grad():
        second[1].weight.neg_()
        second[2].weight.neg_()
        second[2].running_mean.neg_()
    assert loss_of(first, X, P) == pytest.approx(loss_of(second, X, P), rel=1e-4)
    line = barrier(first, first.state_dict(), second.state_dict(), X, P, training=TRAINING, points=4).curves["line"]
    # A third of the way the weights have shrunk to a third: estimated statistics undo that, interpolated ones do not.
    shrunk = copy.deepcopy(first)
    with torch.no_grad():
        shrunk[2].weight.mul_(1 / 3)
    assert line["loss_reestimated"][1] == pytest.approx(loss_of(shrunk, X, P), rel=1e-2)
    assert abs(line["loss"][1] - loss_of(shrunk, X, P)) > 1e-2


def test_between_a_net_and_itself_there_is_none() -> None:
    state = net(4).state_dict()
    found = barrier(net(), state, state, X, P, training=TRAINING, points=3, chunk=32)
    assert found.numbers["barrier"] == pytest.approx(0, abs=1e-6)
    assert found.numbers["barrier_reestimated"] == pytest.approx(0, abs=1e-6)


def test_it_is_the_same_from_either_end() -> None:
    first, second = net(1).state_dict(), net(2).state_dict()
    there = barrier(net(), first, second, X, P, training=TRAINING, points=5)
    back = barrier(net(), second, first, X, P, training=TRAINING, points=5)
    assert there.numbers["barrier"] == pytest.approx(back.numbers["barrier"], rel=1e-5)
    assert there.numbers["barrier_reestimated"] == pytest.approx(back.numbers["barrier_reestimated"], rel=1e-4)


def test_a_net_without_batch_norm_has_nothing_to_estimate() -> None:
    first, second = net(1, "mlp"), net(2, "mlp")
    found = barrier(net(3, "mlp"), first.state_dict(), second.state_dict(), X, P, training=TRAINING, points=5).numbers
    assert found["barrier"] == found["barrier_reestimated"]
    assert not reestimate(first, TRAINING)


def test_the_model_and_the_checkpoints_are_left_as_they_were() -> None:
    model, first, second = net(3), net(1).state_dict(), net(2).state_dict()
    kept = [{name: tensor.clone() for name, tensor in state.items()} for state in (model.state_dict(), first, second)]
    barrier(model, first, second, X, P, training=TRAINING, points=3)
    with pytest.raises(VotewiseError, match=r"the model fails on inputs of shape \(\d+, 1, 1, 10\)"):  # half-way, too
        barrier(model, first, second, X, P, training=TRAINING[:, :, :1], points=3)
    for before, state in zip(kept, (model.state_dict(), first, second), strict=True):
        assert all(torch.equal(tensor, state[name]) for name, tensor in before.items())
    assert not any(module.training for module in model.modules())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_the_models_own_weights_may_be_an_end() -> None:
    """What `state_dict` gives changes with the model that is moved along the line."""
    first, second = net(1), net(2)
    expected = barrier(net(3), first.state_dict(), second.state_dict(), X, P, points=5)
    assert barrier(first, first.state_dict(), second.state_dict(), X, P, points=5) == expected
    assert barrier(second, first, second, X, P, points=5) == expected
    with pytest.raises(VotewiseError, match=r"second must be a model or its state_dict\(\), got str"):
        barrier(first, first, "best.pt", X, P)


def test_ends_are_met_exactly_and_counts_are_not_averaged() -> None:
    first, second = net(1).state_dict(), net(2).state_dict()
    for share, end in ((0.0, first), (1.0, second)):
        found = between(first, second, share)
        assert all(torch.equal(found[name], end[name]) for name in end if end[name].is_floating_point())
        assert found["body.1.num_batches_tracked"] == 2


def test_a_loss_that_sags_has_no_barrier() -> None:
    assert above_chord(np.linspace(0, 1, 3), np.array([1.0, 0.2, 2.0])) == 0


def nan_state():
    state = net(2).state_dict()
    state["head.bias"][0] = float("nan")
    return state


@pytest.mark.parametrize(
    ("second", "options", "sentence"),
    [
        (net(classes=5).state_dict(), {}, r"second is not .*: 'head.weight' has shape \(5, 64\), but the model expects \(4, 64\)"),
        (net(name="mlp").state_dict(), {}, r"'body.0.weight' has shape None"),
        ({**net().state_dict(), "more": torch.zeros(2)}, {}, r"'more' has shape \(2,\), but the model expects None"),
        (nan_state(), {}, "'head.bias' of second is not finite"),
        (net(2).state_dict(), {"points": 1}, "points must be a whole number of 2 or more, got 1"),
        (net(2).state_dict(), {"training": TRAINING[:0]}, "training inputs must have at least one item"),
    ],
    ids=["other classes", "other net", "more tensors", "nan", "one point", "no training inputs"],
)  # fmt: skip
def test_bad_input(second, options, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        barrier(net(), net(1).state_dict(), second, X, P, **options)


@pytest.mark.parametrize(
    ("p", "sentence"),
    [
        (P[:-1], "got 29 for 30"),
        (np.ones((30, 1)), "two or more classes"),
        (P * 8, "sum to one, but row 0"),
        (distributions(30, classes=3), "the model has 4 classes, but the votes have 3"),
        (P * np.nan, "distributions must be finite"),
    ],
    ids=["one short", "one class", "counts", "other classes", "nan"],
)
def test_distributions_that_do_not_fit(p, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        barrier(net(), net(1).state_dict(), net(2).state_dict(), X, p)


def test_statistics_of_a_single_value_are_refused() -> None:
    model = nn.Sequential(nn.Flatten(), nn.Linear(100, 3), nn.BatchNorm1d(3)).eval()
    with pytest.raises(VotewiseError, match="too few inputs in a chunk"):
        reestimate(model, TRAINING[:1])
