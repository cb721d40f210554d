"""The real Lightning Trainer: labels of the tape, weights of the plain loop, and resuming inside an epoch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import lightning.pytorch as lightning
import numpy as np
import pytest
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, TensorDataset

from small import BATCH, DELIVERIES, EPOCHS, RATE, VOTES, X, assert_same_model, linear
from votewise import SLS, StaleLabelsError, VotewiseError, check_adapter, with_index
from votewise.adapters.lightning import VotesCallback

pytestmark = [
    pytest.mark.filterwarnings("ignore::lightning.fabric.utilities.warnings.PossibleUserWarning"),
    pytest.mark.filterwarnings("ignore:.*isinstance.treespec, LeafSpec.*"),
    pytest.mark.filterwarnings("ignore:.*LeafSpec.*is deprecated.*"),
    pytest.mark.filterwarnings("ignore:Checkpoint directory:UserWarning"),
    pytest.mark.filterwarnings(
        "ignore:You're resuming from a checkpoint that ended before the epoch ended:UserWarning"
    ),
]


class Module(lightning.LightningModule):
    def __init__(self, votes: VotesCallback, seen: list) -> None:
        super().__init__()
        self.layer, self.votes, self.seen = linear(), votes, seen

    def training_step(self, batch, _):
        index, x = batch
        self.seen.append((self.current_epoch, index, self.votes(index)))
        return self.votes.loss(self.layer(x), index)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=RATE)


def trainer(folder: Path | str, **options) -> lightning.Trainer:
    quiet = {
        "logger": False,
        "enable_progress_bar": False,
        "enable_model_summary": False,
        "accelerator": "cpu",
        "devices": 1,
    }
    return lightning.Trainer(default_root_dir=folder, **({"enable_checkpointing": False} | quiet | options))


def loader(delivery, x: np.ndarray, workers: int = 0, **options) -> DataLoader:
    data = with_index(TensorDataset(torch.from_numpy(x)), delivery.votes)
    return DataLoader(data, batch_size=BATCH, num_workers=workers, persistent_workers=workers > 0, **options)


def run(delivery, epochs: int, workers: int = 0) -> Iterator:
    seen: list = []
    with TemporaryDirectory() as folder:
        votes = VotesCallback(delivery)
        trainer(folder, max_epochs=epochs, callbacks=[votes]).fit(
            Module(votes, seen), loader(delivery, X, workers, shuffle=True)
        )
    return iter(seen)


@pytest.mark.parametrize(
    "name", ["sls", *(pytest.param(name, marks=pytest.mark.full) for name in ("multipass", "soft"))]
)
def test_labels_equal_the_tape_with_workers(name: str) -> None:
    assert check_adapter(run, DELIVERIES[name]) == ("epochs", "workers")


def test_labels_equal_the_tape_after_resuming_inside_an_epoch(tmp_path: Path) -> None:
    """4 steps an epoch; the checkpoint is the one after 6. Lightning reads the loader from its start for the rest of epoch 1."""
    delivery = DELIVERIES["sls"]
    keep = ModelCheckpoint(tmp_path / "kept", filename="{step}", every_n_train_steps=6, save_top_k=-1)
    for checkpoint, expected in (
        (None, [0] * 4 + [1] * 4 + [2] * 4),
        (tmp_path / "kept/step=6.ckpt", [1] * 2 + [2] * 4),
    ):
        votes, seen = VotesCallback(delivery), []
        ours = trainer(tmp_path, max_epochs=3, callbacks=[votes, keep], enable_checkpointing=True)
        ours.fit(Module(votes, seen), loader(delivery, X, shuffle=True), ckpt_path=checkpoint)
        assert [epoch for epoch, _, _ in seen] == expected
        for epoch, index, target in seen:
            np.testing.assert_array_equal(target, delivery.table(epoch)[index])


@pytest.mark.parametrize("name", DELIVERIES)
def test_training_equals_the_plain_loop(name: str, tmp_path: Path) -> None:
    votes = VotesCallback(DELIVERIES[name], outputs=3)
    module = Module(votes, [])
    trainer(tmp_path, max_epochs=EPOCHS, callbacks=[votes]).fit(module, loader(DELIVERIES[name], X))
    assert_same_model(module.layer, DELIVERIES[name])


def test_a_forgotten_callback_is_noticed_on_the_first_batch(tmp_path: Path) -> None:
    votes = VotesCallback(DELIVERIES["sls"])
    with pytest.raises(StaleLabelsError, match=r"no epoch was started.*Trainer\(callbacks"):
        trainer(tmp_path, max_epochs=1).fit(Module(votes, []), loader(DELIVERIES["sls"], X))


def test_wrong_use_is_one_sentence_at_construction() -> None:
    with pytest.raises(VotewiseError, match="2 outputs, but the votes have 3 classes"):
        VotesCallback(DELIVERIES["sls"], outputs=2)
    with pytest.raises(VotewiseError, match="expected a delivery"):
        VotesCallback(VOTES)


@pytest.mark.parametrize("outputs", [2, 9])
def test_a_head_of_another_size_is_refused_before_the_first_step(outputs: int, tmp_path: Path) -> None:
    votes = VotesCallback(DELIVERIES["sls"])
    module = Module(votes, [])
    module.layer = torch.nn.Linear(4, outputs, dtype=torch.float64)
    before = module.layer.weight.detach().clone()
    with pytest.raises(VotewiseError, match=f"{outputs} outputs, but the votes have 3 classes"):
        trainer(tmp_path, max_epochs=1, callbacks=[votes]).fit(module, loader(DELIVERIES["sls"], X))
    assert torch.equal(module.layer.weight, before)


def test_votes_in_another_order_than_the_loaders_are_refused_before_the_first_step(tmp_path: Path) -> None:
    votes, seen = VotesCallback(DELIVERIES["sls"]), []
    other = SLS(VOTES.align(VOTES.names()[::-1]))
    with pytest.raises(VotewiseError, match="a different order"):
        trainer(tmp_path, max_epochs=1, callbacks=[votes]).fit(Module(votes, seen), loader(other, X))
    assert not seen
