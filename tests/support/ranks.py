"""Run by torchrun on two processes: prints the targets that the loss of each framework receives, as JSON; see test_two_processes.py."""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from pathlib import Path

warnings.simplefilter("ignore")

import lightning.pytorch as lightning  # noqa: E402
import torch  # noqa: E402
from test_huggingface import Linear, StopAt, arguments, recorded  # noqa: E402
from test_lightning import Module, loader, trainer  # noqa: E402
from torch.nn.parallel import DistributedDataParallel  # noqa: E402
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset  # noqa: E402

from small import BATCH, DELIVERIES, EPOCHS, RATE, VOTES, N, X, linear  # noqa: E402
from votewise import SLS, SoftScores, Targets, with_index  # noqa: E402
from votewise.adapters.huggingface import VotesTrainer  # noqa: E402
from votewise.adapters.lightning import VotesCallback  # noqa: E402
from votewise.adapters.torch import cross_entropy  # noqa: E402

DELIVERY = DELIVERIES["sls"]
SHARE = BATCH // 2  # batch size of each process


def huggingface(folder: str) -> tuple[list, torch.nn.Linear]:
    """Training that is stopped in the middle of epoch 1 and resumed: batches, model, and evaluation loss."""
    seen: list = []
    rows = [{"x": torch.from_numpy(x)} for x in X]
    for checkpoint, stop in ((None, [StopAt(6)]), (f"{folder}/checkpoint-6", [])):
        options = arguments(folder, per_device_train_batch_size=SHARE, ddp_backend="gloo")
        model = Linear()
        ours = VotesTrainer(
            model, options, delivery=DELIVERY, train_dataset=rows, eval_dataset=rows, eval_votes=VOTES, callbacks=stop
        )
        recorded(ours, seen).train(resume_from_checkpoint=checkpoint)
    return seen, model.layer, ours.evaluate()["eval_loss"]


def ragged(folder: str) -> dict[str, object]:
    """Training on 23 examples, for which accelerate and Lightning pad the last batch of a rank with earlier examples."""
    part = SLS(VOTES[:23], seed=3)
    seen: list = []
    rows = [{"x": torch.from_numpy(x)} for x in X[:23]]
    options = arguments(folder, num_train_epochs=2, per_device_train_batch_size=4, ddp_backend="gloo")
    recorded(VotesTrainer(Linear(), options, delivery=part, train_dataset=rows), seen).train()
    votes, also = VotesCallback(part), []
    ours = trainer(folder, max_epochs=2, callbacks=[votes], devices=2, strategy="ddp")
    ours.fit(Module(votes, also), DataLoader(loader(part, X[:23]).dataset, batch_size=4, shuffle=True))
    return {"huggingface": _seen(seen), "lightning": _seen(also)}


def plain_torch() -> tuple[list, torch.nn.Linear]:
    data = with_index(TensorDataset(torch.from_numpy(X)), VOTES)
    sampler = DistributedSampler(data, seed=4)
    model, targets, seen = DistributedDataParallel(linear()), Targets(DELIVERY), []
    optimiser = torch.optim.SGD(model.parameters(), lr=RATE)
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        targets.start(epoch)
        for index, x in DataLoader(data, batch_size=SHARE, sampler=sampler):
            target = targets(index)
            seen.append((epoch, index, target))
            optimiser.zero_grad()
            cross_entropy(model(x), target).backward()
            optimiser.step()
    return seen, model.module


def on_lightning(folder: str) -> tuple[list, torch.nn.Linear]:
    votes, seen = VotesCallback(DELIVERY), []
    module = Module(votes, seen)
    ours = trainer(folder, max_epochs=EPOCHS, callbacks=[votes], devices=2, strategy="ddp")
    ours.fit(module, DataLoader(loader(DELIVERY, X).dataset, batch_size=SHARE, shuffle=True))
    return seen, module.layer


def gathered_scores() -> dict[str, float]:
    metric = SoftScores(VOTES, ["soft_nll", "ece_equal_mass"])
    rank = torch.distributed.get_rank()
    logits = linear()(torch.from_numpy(X)).detach()
    index = torch.arange(N)[rank::2]
    metric.update(logits[index], index)
    return metric.compute()


def main() -> None:
    folder = Path(sys.argv[1])
    torch.set_num_threads(1)
    lightning.seed_everything(0, verbose=False)
    shared = [str(folder / "checkpoints")]
    result: dict[str, object] = {}
    *found, result["eval_loss"] = huggingface(shared[0])
    result["huggingface"] = _plain(*found)
    result["torch"] = _plain(*plain_torch())
    result["scores"] = gathered_scores()
    with tempfile.TemporaryDirectory() as own:
        result["lightning"] = _plain(*on_lightning(own))
        result["ragged"] = ragged(own)
    rank = torch.distributed.get_rank()
    (folder / f"rank-{rank}.json").write_text(json.dumps(result))


def _plain(seen: list, model: torch.nn.Linear) -> dict[str, object]:
    return {"seen": _seen(seen), "weight": model.weight.tolist(), "bias": model.bias.tolist()}


def _seen(triples: list) -> list:
    return [(epoch, index.tolist(), target.tolist()) for epoch, index, target in triples]


if __name__ == "__main__":
    main()
