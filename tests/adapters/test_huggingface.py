"""The real Trainer: labels of the tape, weights of the plain loop, the soft cross-entropy, and resuming inside an epoch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import torch
from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, TrainerCallback, TrainingArguments

from small import BATCH, DELIVERIES, EPOCHS, RATE, VOTES, C, X, assert_same_model, linear
from votewise import Distributions, Multipass, Soft, StaleLabelsError, VotewiseError, check_adapter, score
from votewise.adapters.huggingface import VotesTrainer

pytestmark = pytest.mark.filterwarnings("ignore:.*pin_memory:UserWarning")


class Linear(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = linear()

    def forward(self, x: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"logits": self.layer(x.double())}


def small_bert(classes: int = C) -> BertForSequenceClassification:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8, num_labels=classes,
        max_position_embeddings=8, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return BertForSequenceClassification(config)


ROWS = [{"x": torch.from_numpy(x), "label": 0, "text": "left out"} for x in X]


def arguments(folder: Path | str, **options) -> TrainingArguments:
    usual = {
        "num_train_epochs": EPOCHS, "per_device_train_batch_size": BATCH, "per_device_eval_batch_size": 7,
        "learning_rate": RATE, "optim": "sgd", "lr_scheduler_type": "constant", "max_grad_norm": 0.0, "use_cpu": True,
        "report_to": "none", "save_strategy": "no", "logging_strategy": "no", "disable_tqdm": True,
        "dataloader_pin_memory": False,
    }  # fmt: skip
    return TrainingArguments(str(folder), **(usual | options))


def recorded(trainer: VotesTrainer, into: list) -> VotesTrainer:
    """Note what the loss is given."""
    targets = trainer.targets

    def note(index):
        target = targets(index)
        into.append((targets.epoch, index.clone(), target.clone()))
        return target

    note.delivery = targets.delivery
    trainer.targets = note
    return trainer


class StopAt(TrainerCallback):
    def __init__(self, step: int) -> None:
        self.step = step

    def on_step_end(self, args, state, control, **_) -> None:
        if state.global_step == self.step:
            control.should_save = control.should_training_stop = True


def run(delivery, epochs: int, resume: bool = False, workers: int = 0) -> Iterator:
    rows = [{"x": torch.full((4,), float(i))} for i in range(len(delivery))]
    seen: list = []
    with TemporaryDirectory() as folder:
        options = arguments(
            folder, num_train_epochs=epochs, dataloader_num_workers=workers, dataloader_persistent_workers=workers > 0
        )
        stop = [StopAt(6)] if resume else []
        recorded(VotesTrainer(Linear(), options, delivery=delivery, train_dataset=rows, callbacks=stop), seen).train()
        if resume:
            again = VotesTrainer(Linear(), options, delivery=delivery, train_dataset=rows)
            recorded(again, seen).train(resume_from_checkpoint=f"{folder}/checkpoint-6")
    return iter(seen)


@pytest.mark.parametrize(
    "name", ["sls", *(pytest.param(name, marks=pytest.mark.full) for name in ("multipass", "soft"))]
)
def test_labels_equal_the_tape_with_workers_and_after_resume(name: str) -> None:
    assert check_adapter(run, DELIVERIES[name]) == ("epochs", "workers", "resume")


@pytest.mark.parametrize("name", DELIVERIES)
def test_training_equals_the_plain_loop(name: str, tmp_path: Path) -> None:
    seen: list = []
    model = Linear()
    recorded(VotesTrainer(model, arguments(tmp_path), delivery=DELIVERIES[name], train_dataset=ROWS), seen).train()
    order = np.concatenate([index.numpy() for _, index, _ in seen]).reshape(EPOCHS, -1)
    assert (order[0] != order[1]).any()
    assert_same_model(model.layer, DELIVERIES[name], lambda epoch: order[epoch])


def test_a_fraction_of_an_epoch_has_the_labels_of_that_epoch(tmp_path: Path) -> None:
    """2.5 epochs of 4 steps; the epoch of a step is counted here."""
    seen: list = []
    options = arguments(tmp_path, num_train_epochs=2.5)
    recorded(VotesTrainer(Linear(), options, delivery=DELIVERIES["sls"], train_dataset=ROWS), seen).train()
    assert len(seen) == 10
    for step, (_, index, target) in enumerate(seen):
        np.testing.assert_array_equal(target, DELIVERIES["sls"].table(step // 4)[index])


def test_accumulated_micro_batches_equal_whole_ones(tmp_path: Path) -> None:
    seen: list = []
    model, options = (
        Linear(),
        arguments(tmp_path, per_device_train_batch_size=BATCH // 3, gradient_accumulation_steps=3),
    )
    recorded(VotesTrainer(model, options, delivery=DELIVERIES["sls"], train_dataset=ROWS), seen).train()
    order = np.concatenate([index.numpy() for _, index, _ in seen]).reshape(EPOCHS, -1)
    assert_same_model(model.layer, DELIVERIES["sls"], lambda epoch: order[epoch])


def test_evaluation_is_the_soft_nll_against_all_votes(tmp_path: Path) -> None:
    """24 examples in batches of 7: the last batch is smaller, and counts as much as it has examples."""
    trainer = VotesTrainer(
        Linear(),
        arguments(tmp_path),
        delivery=DELIVERIES["multipass"],
        train_dataset=ROWS,
        eval_dataset=ROWS,
        eval_votes=VOTES,
    )
    found = trainer.evaluate()
    logits = linear()(torch.from_numpy(X)).detach()
    closed = -(VOTES.probabilities() * logits.log_softmax(1).numpy()).sum(axis=1).mean()
    assert found["eval_loss"] == found["eval_soft_nll"] == pytest.approx(closed, rel=1e-12)
    assert found["eval_kl"] == pytest.approx(score(logits, VOTES, kind="logits")["kl"], rel=1e-9)
    predicted = trainer.predict(ROWS[:5])
    np.testing.assert_allclose(predicted.predictions, logits[:5], atol=1e-12)
    assert not any(key in predicted.metrics for key in ("test_loss", "test_soft_nll"))


def test_own_metrics_are_computed_against_the_majority_and_add_to_the_scores(tmp_path: Path) -> None:
    given: list = []

    def agreement(evaluated) -> dict[str, float]:
        given.append(evaluated.label_ids)
        return {"agreement": (evaluated.predictions.argmax(1) == evaluated.label_ids).mean()}

    options = arguments(tmp_path, eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True,
                        metric_for_best_model="eval_soft_nll", greater_is_better=False, num_train_epochs=1)  # fmt: skip
    trainer = VotesTrainer(
        Linear(), options, delivery=DELIVERIES["sls"], train_dataset=ROWS, eval_dataset=ROWS, eval_votes=VOTES,
        compute_metrics=agreement,
    )  # fmt: skip
    trainer.train()
    found = trainer.evaluate()
    assert found["eval_agreement"] == found["eval_accuracy"]
    np.testing.assert_array_equal(given[-1], VOTES.majority())
    count = len(given)
    trainer.predict(ROWS[:5])
    assert len(given) == count


def test_the_best_model_is_the_one_with_the_lowest_soft_nll(tmp_path: Path) -> None:
    options = arguments(
        tmp_path, eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True, learning_rate=8.0
    )
    trainer = VotesTrainer(
        Linear(), options, delivery=DELIVERIES["sls"], train_dataset=ROWS, eval_dataset=ROWS, eval_votes=VOTES
    )
    trainer.train()
    losses = [entry["eval_loss"] for entry in trainer.state.log_history if "eval_loss" in entry]
    assert losses[-1] > min(losses)
    assert trainer.evaluate()["eval_loss"] == pytest.approx(min(losses), rel=1e-12)


def test_soft_targets_of_a_text_model_are_not_binary_cross_entropy(tmp_path: Path) -> None:
    """With float labels and no problem type, the model itself computes another number."""
    words = torch.arange(24 * 5).reshape(24, 5) % 30
    dataset = Dataset.from_dict(
        {"input_ids": words.tolist(), "labels": VOTES.probabilities().tolist(), "id": VOTES.names()}
    )
    model = small_bert().eval()
    with torch.no_grad():
        logits = model(words).logits.double()
        own = float(small_bert().eval()(words, labels=torch.from_numpy(VOTES.probabilities()).float()).loss)
    closed = -(VOTES.probabilities() * logits.log_softmax(1).numpy()).sum(axis=1).mean()
    losses: list[float] = []

    class Noting(VotesTrainer):
        def compute_loss(self, *args, **options):
            loss = super().compute_loss(*args, **options)
            losses.append(loss.item())
            return loss

    options = arguments(tmp_path, num_train_epochs=1, per_device_train_batch_size=24)
    Noting(model, options, delivery=Soft(VOTES), train_dataset=dataset).train()
    assert losses == [pytest.approx(closed, rel=1e-5)]
    assert abs(own - closed) > 0.1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"train_dataset": ROWS[:5]}, "5 examples, but the votes have 24 items"),
        ({"train_dataset": iter(ROWS)}, "map-style"),
        ({"model": small_bert(2)}, "2 outputs, but the votes have 3"),
        ({"train_dataset": Dataset.from_dict({"x": X.tolist(), "id": VOTES.names()[::-1]})}, r"a different order.*votes\.align"),
        ({"train_dataset": list(X)}, "rows of the dataset must be dictionaries, got ndarray"),
        ({"delivery": VOTES}, "expected a delivery, got Votes"),
        ({"train_dataset": {"train": ROWS}}, "a dict of 1 datasets"),
        ({"ids": VOTES.names()[::-1]}, "a different order"),
        ({"outputs": 9}, "9 outputs, but the votes have 3"),
        ({"args": TrainingArguments("unused", label_smoothing_factor=0.1, use_cpu=True)}, "use votewise.LabelSmoothing"),
        ({"args": TrainingArguments("unused", batch_eval_metrics=True, use_cpu=True)}, "batch_eval_metrics would score single"),
        ({"compute_loss_func": lambda *a, **k: 0}, "would replace the loss"),
        ({"eval_dataset": ROWS}, "must be given together"),
        ({"eval_dataset": ROWS[:3], "eval_votes": VOTES}, "3 examples, but the votes have 24"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_sentence_at_construction(change: dict, sentence: str, tmp_path: Path) -> None:
    given = {
        "model": Linear(),
        "args": arguments(tmp_path),
        "delivery": DELIVERIES["sls"],
        "train_dataset": ROWS,
        **change,
    }
    with pytest.raises(VotewiseError, match=sentence):
        VotesTrainer(**given)
    with pytest.raises(VotewiseError, match="needs votes, but only probabilities are given"):
        Multipass(Distributions(VOTES.probabilities()))


def test_a_module_without_num_labels_is_checked_before_its_first_step(tmp_path: Path) -> None:
    model = Linear()
    model.layer = torch.nn.Linear(4, 9, dtype=torch.float64)
    before = model.layer.weight.detach().clone()
    with pytest.raises(VotewiseError, match="9 outputs, but the votes have 3 classes"):
        VotesTrainer(model, arguments(tmp_path), delivery=DELIVERIES["sls"], train_dataset=ROWS).train()
    assert torch.equal(model.layer.weight, before)


def test_another_epoch_than_the_trainers_is_refused(tmp_path: Path) -> None:
    """A checkpoint resumed with batches of another size is in another epoch by the Trainer's own count."""
    options = arguments(tmp_path)
    VotesTrainer(Linear(), options, delivery=DELIVERIES["sls"], train_dataset=ROWS, callbacks=[StopAt(6)]).train()
    other = arguments(tmp_path, per_device_train_batch_size=2)
    again = VotesTrainer(Linear(), other, delivery=DELIVERIES["sls"], train_dataset=ROWS)
    with pytest.raises(StaleLabelsError, match="the Trainer is in epoch 0, but the labels are for epoch 1"):
        again.train(resume_from_checkpoint=f"{tmp_path}/checkpoint-6")
