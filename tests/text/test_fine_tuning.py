"""Fine-tuning: batches by length, exact resume, predictions, and the refusals of models that cannot be used."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import votewise as vw
from tiny_bert import changed_json, rated, sentences, tiny_bert
from votewise import counter
from votewise.errors import VotewiseError
from votewise.text import bucketed, find_model, pretrained, tokenise
from votewise.training import Engine, Progress, complete, configure, load_model, method
from votewise.training.loop import optimiser_for, rate_of


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("models") / "bert")


def recipe(data: vw.Dataset, bert: Path, **changes: object) -> vw.Recipe:
    return vw.Recipe.for_dataset(data, **{"model": str(bert), "epochs": 2, "batch_size": 12, "lr": 5e-3, **changes})


# --- batches ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", [False, True])
def test_padding_does_not_change_the_loss_of_an_example(bert: Path, pairs: bool) -> None:
    data = rated(40, pairs)
    tokens = tokenise(data.inputs, find_model(str(bert)))
    model = pretrained(find_model(str(bert)), 2).eval()
    target = torch.from_numpy(data.votes.probabilities())
    order = np.argsort(tokens.length, kind="stable")
    longest = int(tokens.length.max())

    def losses(index: np.ndarray, width: int | None) -> torch.Tensor:
        with torch.no_grad():
            log_q = model(torch.from_numpy(tokens.batch(index, width))).double().log_softmax(1)
        return -(target[torch.from_numpy(index)] * log_q).sum(1)

    whole = losses(np.arange(40), longest)
    parts = torch.empty_like(whole)
    for at in range(0, 40, 8):
        parts[torch.from_numpy(order[at : at + 8])] = losses(order[at : at + 8], None)
    torch.testing.assert_close(parts, whole, atol=1e-6, rtol=0)
    assert tokens.length.min() < longest / 2


def test_buckets_hold_every_example_once_and_waste_little(bert: Path) -> None:
    tokens = tokenise(rated(500).inputs, find_model(str(bert)))
    order = counter.order(counter.key("order", 0), 0, np.arange(500))
    batches = bucketed(order, tokens.length, 16, counter.key("buckets", 0), 0)
    assert sorted(batches.tolist()) == list(range(500))
    assert not np.array_equal(batches, bucketed(order, tokens.length, 16, counter.key("buckets", 0), 1))

    def padded(some: np.ndarray) -> int:
        return sum(
            len(part) * int(tokens.length[part].max()) for part in (some[at : at + 16] for at in range(0, 500, 16))
        )

    assert padded(batches) < 1.1 * int(tokens.length.sum()) < padded(order)


# --- the same bits ----------------------------------------------------------------------------------------------------


def bits(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in (".lock", "timing.jsonl")
    }


class Stopped(Exception):
    pass


@pytest.mark.parametrize("name", ["multipass", "soft"])
def test_stopped_at_any_step_it_ends_in_the_same_bits(name: str, bert: Path, tmp_path: Path) -> None:
    data = rated(60)
    config = configure(data, method(name), recipe(data, bert), seed=1)
    whole = bits(complete(data, config, tmp_path / "whole").folder)
    assert "model/tokenizer.json" in whole
    for calls in (0, 3, 4, 5, 7):
        left = calls

        def stop(_: Progress) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Stopped

        with pytest.raises(Stopped):
            complete(data, config, tmp_path / str(calls), Engine(checkpoint_seconds=0.0), stop)
        assert bits(complete(data, config, tmp_path / str(calls)).folder) == whole, calls


KILLED = """
import os, signal, sys
sys.path.insert(0, "tests/support")
from pathlib import Path
from tiny_bert import rated
import votewise as vw
from votewise.training import Engine, complete, configure, method
data = rated(60)
config = configure(data, method("sls"), vw.Recipe.for_dataset(data, model=sys.argv[1], epochs=2, batch_size=12, lr=5e-3))
calls = 0
def kill(_):
    global calls
    calls += 1
    if calls == 6:
        os.kill(os.getpid(), signal.SIGKILL)
complete(data, config, sys.argv[2], Engine(checkpoint_seconds=0.0), kill)
"""


def test_killed_and_started_again_it_ends_in_the_same_bits(bert: Path, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    process = subprocess.run([sys.executable, "-c", KILLED, str(bert), str(tmp_path / "cut")], cwd=root, env=os.environ)
    assert process.returncode == -signal.SIGKILL
    data = rated(60)
    config = configure(data, method("sls"), recipe(data, bert))
    assert any((tmp_path / "cut/runs" / config.folder_name).glob("state.*"))
    resumed, whole = (bits(complete(data, config, tmp_path / store).folder) for store in ("cut", "whole"))
    assert resumed == whole


def test_deliveries_of_one_seed_share_weights_and_order(bert: Path) -> None:
    files = find_model(str(bert))

    def drawn() -> dict[str, torch.Tensor]:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(7)
            return pretrained(files, 3).state_dict()

    first, again = drawn(), drawn()
    assert all(torch.equal(tensor, again[name]) for name, tensor in first.items())


# --- optimiser --------------------------------------------------------------------------------------------------------


def test_the_rate_rises_and_falls_as_transformers_has_it(bert: Path) -> None:
    from transformers import get_linear_schedule_with_warmup

    data = rated(60)
    how = recipe(data, bert, epochs=4)
    optimiser = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], how.lr)
    schedule = get_linear_schedule_with_warmup(optimiser, 2, 20)  # warms up over a tenth of 4 epochs of 5 steps
    theirs = []
    for _ in range(20):
        theirs.append(optimiser.param_groups[0]["lr"])
        optimiser.step()
        schedule.step()
    ours = [rate_of(how, epoch, step, 5) for epoch in range(4) for step in range(5)]
    np.testing.assert_allclose(ours[2:], theirs[2:], atol=1e-12)
    assert ours[:2] == [how.lr / 2, how.lr]  # theirs begins with a step of rate 0


def test_biases_and_norms_do_not_decay(bert: Path) -> None:
    data = rated(20)
    model = pretrained(find_model(str(bert)), 2)
    decayed, spared = optimiser_for(model, recipe(data, bert)).param_groups
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    assert (decayed["weight_decay"], spared["weight_decay"]) == (0.01, 0.0)
    assert all(names[id(one)].endswith("bias") or "LayerNorm" in names[id(one)] for one in spared["params"])
    assert len(names) == len(decayed["params"]) + len(spared["params"])


# --- a finished run -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pairs", [False, True])
def test_a_run_predicts_without_the_original_model(bert: Path, tmp_path: Path, pairs: bool) -> None:
    data = rated(60, pairs)
    elsewhere = tiny_bert(tmp_path / "elsewhere" / "bert")
    run = vw.fit(data, "multipass", recipe(data, elsewhere), store=tmp_path)
    assert run.id == configure(data, method("multipass"), recipe(data, bert)).id  # not where the model is, but what
    for path in elsewhere.iterdir():
        path.unlink()
    elsewhere.rmdir()
    held_out = np.isin(data.votes.row, run.predictions.row)
    np.testing.assert_allclose(np.log(run.predict(data)[held_out]), run.best.log_probabilities, atol=1e-5)
    assert load_model(run.folder, "last", run.config.recipe, (1,), 2)(torch.zeros(1, 3, 4, dtype=torch.long)).shape == (
        1,
        2,
    )
    with pytest.raises(VotewiseError, match="trained on"):
        run.predict(["one"] if pairs else [("one", "two")])
    with pytest.raises(VotewiseError, match="trained on texts"):
        run.predict(np.zeros((2, 3)))
    (run.folder / "model/tokenizer.json").write_text("{}")
    with pytest.raises(VotewiseError, match="does not match its digest"):
        run.predict(data)


def test_long_texts_are_cut_off_and_counted(bert: Path, tmp_path: Path) -> None:
    texts = [*sentences(18), "good " * 100, "bad " * 70]
    data = vw.Dataset(texts, rated(20).votes)
    run = vw.fit(data, "soft", recipe(data, bert, epochs=1), store=tmp_path)
    assert (run.summary["net"]["truncated"], run.summary["net"]["max_length"]) == (2, 64)
    short = vw.fit(data, "soft", recipe(data, bert, epochs=1, max_length=8), store=tmp_path)
    assert short.summary["net"]["truncated"] > 2
    assert short.id != run.id


@pytest.mark.parametrize("kind", ["distilbert", "roberta", "gpt2"])
def test_other_kinds_of_models_are_trained(kind: str, bert: Path, tmp_path: Path) -> None:
    from transformers import AutoConfig, AutoModelForSequenceClassification

    sizes = {
        "distilbert": {"dim": 16, "hidden_dim": 32, "n_layers": 1, "n_heads": 2},
        "roberta": {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32},
        "gpt2": {"n_embd": 16, "n_layer": 1, "n_head": 2, "n_positions": 64},
    }
    config = AutoConfig.for_model(kind, vocab_size=25, max_position_embeddings=64, pad_token_id=0, **sizes[kind])
    folder = tmp_path / kind
    AutoModelForSequenceClassification.from_config(config).save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((bert / name).read_bytes())
    data = rated(30, pairs=True)
    run = vw.fit(data, "soft", recipe(data, folder, epochs=1), store=tmp_path)
    held_out = np.isin(data.votes.row, run.predictions.row)
    np.testing.assert_allclose(np.log(run.predict(data)[held_out]), run.best.log_probabilities, atol=1e-5)
    assert run.model().head is not None


# --- refusals -----------------------------------------------------------------------------------------------------------


def without(folder: Path, name: str) -> Path:
    for path in folder.glob(name):
        path.unlink()
    return folder


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: without(folder, "*.safetensors"), "no safetensors weights"),
        (lambda folder: without(folder, "config.json"), "no config.json"),
        (lambda folder: without(folder, "tokenizer*.json"), "no tokenizer"),
        (lambda folder: folder / "nowhere", "does not exist"),
    ],
)
def test_a_model_that_lacks_a_file_is_refused(change, said: str, tmp_path: Path) -> None:
    with pytest.raises(VotewiseError, match=said):
        vw.Recipe.preset("text", model=str(change(tiny_bert(tmp_path / "bert"))))


def test_weights_in_other_formats_are_not_read(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(VotewiseError, match="can run code"):
        vw.Recipe.preset("text", model=str(folder))


def test_a_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    folder, data = tiny_bert(tmp_path / "bert", vocabulary=9), rated(20)
    with pytest.raises(VotewiseError, match=r"does not fit the model: it produces token .* but the model has 9"):
        vw.fit(data, "soft", recipe(data, folder), store=tmp_path)


def test_a_damaged_tokenizer_or_model_is_refused(tmp_path: Path) -> None:
    data = rated(20)
    for name, said in (
        ("tokenizer.json", "the tokenizer cannot be read"),
        ("model.safetensors", "cannot be used as a classifier"),
    ):
        folder = tiny_bert(tmp_path / name / "bert")
        (folder / name).write_text("{")
        with pytest.raises(VotewiseError, match=said):
            vw.fit(data, "soft", recipe(data, folder), store=tmp_path / "store")
        assert not (tmp_path / "store").exists()


def test_a_model_with_code_of_its_own_is_not_run(tmp_path: Path) -> None:
    folder, data = tiny_bert(tmp_path / "bert"), rated(20)
    changed_json(folder / "config.json", model_type="mine", auto_map={"AutoConfig": "code.Mine"})
    (folder / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    for use in (lambda: vw.fit(data, "soft", recipe(data, folder), store=tmp_path), lambda: data.embed(str(folder))):
        with pytest.raises(VotewiseError):
            use()
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda data, bert: vw.fit(data, "soft", vw.Recipe(model="mlp")), "mlp does not take texts"),
        (lambda data, bert: vw.fit(data, "mixup", recipe(data, bert)), "mixup needs images or features"),
        (lambda data, bert: vw.fit(data, "soft", recipe(data, bert, max_length=500)), "max_length must be at most 64"),
        (
            lambda data, bert: vw.fit(vw.Dataset(np.zeros((20, 2)), data.votes), "soft", vw.Recipe(model=str(bert))),
            "takes texts",
        ),
        (lambda data, bert: vw.fit(data, "soft", recipe(data, bert, augment=("flip",))), "the inputs are texts"),
        (lambda data, bert: vw.Dataset(np.zeros((20, 2)), data.votes).embed(str(bert)), "only texts can be embedded"),
        (
            lambda data, bert: vw.fit(
                vw.Dataset(np.zeros((20, 2)), data.votes), "soft", vw.Recipe(model="mlp", batches="bucketed")
            ),
            "need texts",
        ),
    ],
)
def test_what_does_not_fit_texts_is_refused(make, said: str, bert: Path, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(VotewiseError, match=said):
        make(rated(20), bert)
