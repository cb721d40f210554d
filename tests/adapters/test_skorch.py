"""The real skorch: labels of the tape, weights of the plain loop, the validation loss, and going on from a checkpoint."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.base import clone
from skorch.callbacks import Callback

from small import BATCH, DELIVERIES, EPOCHS, RATE, VOTES, X, assert_same_model, linear
from votewise import Targets, VotewiseError, check_adapter
from votewise.adapters.skorch import VotesNet


class Module(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = linear()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.layer(x)


def net(delivery, **options) -> VotesNet:
    usual = {"lr": RATE, "batch_size": BATCH, "max_epochs": EPOCHS, "train_split": None, "verbose": 0}
    return VotesNet(Module, delivery=delivery, optimizer=torch.optim.SGD, **(usual | options))


class Noting(Targets):
    """Keeps the arguments of the loss."""

    def __call__(self, index):
        self.last = super().__call__(index)
        return self.last


class Note(Callback):
    def on_batch_end(self, net, batch=None, training=False, **_) -> None:
        if training:
            self.seen.append((len(net.history) - 1, batch[1], net.targets_.last))


def run(delivery, epochs: int, workers: int = 0, resume: bool = False) -> Iterator:
    note = Note()
    note.seen = []
    options = {"callbacks": [note], "iterator_train__shuffle": True}
    if workers:
        options |= {"iterator_train__num_workers": workers, "iterator_train__persistent_workers": True}
    first = net(delivery, max_epochs=1 if resume else epochs, **options).fit(X)
    if resume:
        first.partial_fit(X, epochs=1)
        again = net(delivery, max_epochs=epochs - 2, **options).initialize()
        again.history_ = first.history
        again.partial_fit(X)
    return iter(note.seen)


@pytest.mark.parametrize(
    "name", ["sls", *(pytest.param(name, marks=pytest.mark.full) for name in ("multipass", "soft"))]
)
def test_labels_equal_the_tape_with_workers_and_after_resume(name: str, monkeypatch) -> None:
    monkeypatch.setattr("votewise.adapters.skorch.Targets", Noting)
    assert check_adapter(run, DELIVERIES[name]) == ("epochs", "workers", "resume")


@pytest.mark.parametrize("name", DELIVERIES)
def test_training_equals_the_plain_loop(name: str) -> None:
    assert_same_model(net(DELIVERIES[name]).fit(X).module_.layer, DELIVERIES[name])


def test_history_from_a_file_goes_on_with_the_next_epoch(tmp_path: Path) -> None:
    first = net(DELIVERIES["multipass"], max_epochs=2).fit(X)
    first.save_params(f_params=tmp_path / "net.pt", f_history=tmp_path / "history.json")
    again = net(DELIVERIES["multipass"], max_epochs=EPOCHS - 2).initialize()
    again.load_params(f_params=tmp_path / "net.pt", f_history=tmp_path / "history.json")
    assert_same_model(again.partial_fit(X).module_.layer, DELIVERIES["multipass"])


def test_the_validation_loss_is_the_soft_nll_of_items_set_aside() -> None:
    from skorch.dataset import ValidSplit

    fitted = net(DELIVERIES["sls"], max_epochs=1, train_split=ValidSplit(4)).fit(X)
    _, kept = fitted.get_split_datasets(X, np.arange(len(X)))
    index = np.array([kept[i][1] for i in range(len(kept))])
    logits = fitted.module_(torch.from_numpy(X[index])).detach()
    closed = -(VOTES.probabilities(index) * logits.log_softmax(1).numpy()).sum(axis=1).mean()
    assert fitted.history[-1]["valid_loss"] == pytest.approx(closed, rel=1e-12)
    np.testing.assert_allclose(fitted.predict_proba(X[index]), logits.softmax(1), atol=1e-12)


def test_it_can_be_cloned_as_any_estimator() -> None:
    assert clone(net(DELIVERIES["soft"])).get_params()["delivery"].votes == VOTES


class Pairs(torch.utils.data.Dataset):
    """Rows with a label beside them, which is not a position."""

    def __len__(self) -> int:
        return len(X)

    def __getitem__(self, index: int) -> tuple[np.ndarray, int]:
        return X[index], 0


@pytest.mark.parametrize("inputs", [Pairs(), torch.utils.data.TensorDataset(torch.from_numpy(X)), {"x": X}])
def test_datasets_and_dictionaries_train_as_arrays_do(inputs) -> None:
    assert_same_model(net(DELIVERIES["multipass"]).fit(inputs).module_.layer, DELIVERIES["multipass"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"delivery": VOTES}, "expected a delivery, got Votes"),
        ({"outputs": 9}, "9 outputs, but the votes have 3 classes"),
        ({"ids": VOTES.names()[::-1]}, "a different order"),
    ],
)
def test_wrong_use_is_one_sentence_at_construction(options: dict, sentence: str) -> None:
    with pytest.raises(VotewiseError, match=sentence):
        VotesNet(Module, **{"delivery": DELIVERIES["sls"], **options})


def test_wrong_use_is_one_sentence_before_the_first_step() -> None:
    with pytest.raises(VotewiseError, match="y is given, but the labels come from the delivery"):
        net(DELIVERIES["sls"]).fit(X, np.zeros(len(X), int))
    with pytest.raises(VotewiseError, match="23 examples, but the votes have 24 items"):
        net(DELIVERIES["sls"]).fit(X[1:])
    with pytest.raises(VotewiseError, match="9 outputs, but the votes have 3 classes"):
        VotesNet(
            torch.nn.Linear, module__in_features=4, module__out_features=9, delivery=DELIVERIES["sls"], train_split=None
        ).fit(X.astype("f4"))
