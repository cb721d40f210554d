"""One pass, and what a probe refuses to measure."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from nets import Lazy, distributions, net, pictures
from votewise.errors import VotewiseError
from votewise.probes.connectivity import barrier
from votewise.probes.detectors import ood
from votewise.probes.forward import mean_soft_nll, outputs
from votewise.probes.grad_cam import gradcam


@pytest.mark.parametrize("name", ["digits", "resnet8", "mlp", "linear"])
def test_features_are_the_penultimate_layer_whatever_the_net(name) -> None:
    model, x = net(name=name), pictures(7)
    found = outputs(model, x, chunk=3)
    with torch.no_grad():
        assert found.logits == pytest.approx(model(x).double().numpy(), rel=1e-4, abs=1e-4)
        assert found.features == pytest.approx(model.features(x).numpy(), rel=1e-4, abs=1e-4)


def test_a_model_of_ones_own_gives_its_features_by_a_function() -> None:
    body, x = nn.Sequential(nn.Flatten(), nn.Linear(100, 6), nn.Tanh()), pictures(5)
    model = nn.Sequential(body, nn.Linear(6, 3)).eval()
    with pytest.raises(VotewiseError, match=r"Sequential has no attribute `head`.*; pass features="):
        outputs(model, x)
    found = outputs(model, x, features=body)
    with torch.no_grad():
        assert found.features == pytest.approx(body(x).numpy())
        assert found.logits == pytest.approx(model(x).numpy())


def test_only_a_chunk_is_in_memory() -> None:
    x = Lazy(pictures(23))
    whole = outputs(net(), x.x, chunk=23)
    assert outputs(net(), x, chunk=5).logits == pytest.approx(whole.logits, abs=1e-5)
    assert x.longest == 5


def test_a_short_last_chunk_counts_for_what_it_is() -> None:
    model, x, p = net(), pictures(10), distributions(10)
    with torch.no_grad():
        expected = float(nn.functional.cross_entropy(model(x).double(), torch.from_numpy(p)))
    assert mean_soft_nll(model, x, p, chunk=7) == pytest.approx(expected, rel=1e-6)


def broken(how: str) -> nn.Module:
    model = net()
    if how == "training":
        return model.train()
    if how == "partly training":
        model.body[1].train()
        return model
    with torch.no_grad():
        next(model.parameters() if how == "nan" else model.buffers())[0] = float("nan" if how == "nan" else "inf")
    return model


PROBES = {
    "outputs": lambda model, x: outputs(model, x),
    "barrier": lambda model, x: barrier(model, net().state_dict(), net(1).state_dict(), x, distributions(len(x))),
    "gradcam": lambda model, x: gradcam(model, model.seen, x, np.zeros(len(x), int)),
    "ood": lambda model, x: ood(model, x, {"far": pictures(4)}, training=pictures(9)),
}


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("training", r"the model is in training mode; call model.eval\(\) first"),
        ("partly training", "the model is in training mode"),
        ("nan", "'body.0.weight' of the model is not finite; use a checkpoint"),
        ("inf", "'body.1.running_mean' of the model"),
    ],
)
def test_a_model_that_would_lie_is_refused(probe, how, sentence) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        probe(broken(how), pictures(4))


@pytest.mark.parametrize("probe", PROBES.values(), ids=PROBES)
def test_no_inputs_are_refused(probe) -> None:
    with pytest.raises(VotewiseError, match="inputs must have at least one item"):
        probe(net(), pictures(0))


def test_inputs_that_are_no_numbers_are_named() -> None:
    x = pictures(6)
    x[4, 0, 0, 0] = float("nan")
    with pytest.raises(VotewiseError, match="inputs must be finite, but item 4 is not"):
        outputs(net(), x, chunk=2)


@pytest.mark.parametrize("model", [nn.Flatten(), nn.Sequential(nn.Flatten(), nn.Linear(100, 1))], ids=["maps", "one"])
def test_an_answer_that_is_no_logits_is_refused(model) -> None:
    with pytest.raises(VotewiseError, match=r"must return logits .*got shape \(3, "):
        outputs(
            model.eval(), pictures(3)[:, :, :1, :1] if isinstance(model, nn.Flatten) else pictures(3), features=model
        )


def test_a_chunk_of_nothing_is_refused() -> None:
    with pytest.raises(VotewiseError, match="chunk must be a whole number of 1 or more, got 0"):
        outputs(net(), pictures(3), chunk=0)
