"""A BERT of a few thousand parameters and a tokenizer of whole words, both generated; the weights are drawn by the counter."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

import votewise as vw
from votewise import counter

WORDS = [
    "good",
    "bad",
    "fine",
    "awful",
    "nice",
    "poor",
    "a",
    "very",
    "not",
    "film",
    "book",
    "song",
    "the",
    "is",
    "was",
    "it",
    "and",
    "of",
    "story",
    "plot",
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tiny_bert(folder: Path, *, vocabulary: int | None = None, positions: int = 64) -> Path:
    """Write a model to a folder; `vocabulary` is the vocabulary size in its configuration. Default: the number of words."""
    from transformers import BertConfig, BertModel, PreTrainedTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    PreTrainedTokenizerFast(
        tokenizer_file=str(_tokenizer(folder)), **_specials(), model_max_length=positions
    ).save_pretrained(folder)
    config = BertConfig(
        vocab_size=vocabulary or len(SPECIAL) + len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=positions,
    )
    model = BertModel(config)
    weights = {}
    for number, (name, tensor) in enumerate(sorted(model.state_dict().items())):
        u = counter.uniform(counter.key("tiny", number), 0, np.arange(tensor.numel()))
        scale = 0.3 * (u - 0.5) + (1.0 if "LayerNorm.weight" in name else 0.0)
        weights[name] = torch.from_numpy(scale.astype(np.float32)).reshape(tensor.shape)
    config.save_pretrained(folder)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    return folder


def _specials() -> dict[str, str]:
    names = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
    return dict(zip(names, SPECIAL, strict=True))


def _tokenizer(folder: Path) -> Path:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    words = {word: code for code, word in enumerate([*SPECIAL, *WORDS])}
    made = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    path = folder / "tokenizer.json"
    made.save(str(path))
    return path


def sentences(count: int, seed: int = 0, longest: int = 20) -> list[str]:
    """Sentences of different lengths."""
    key = counter.key("sentences", seed)
    length = 2 + (counter.uniform(key, 0, np.arange(count)) ** 3 * (longest - 2)).astype(int)
    words = (counter.uniform(key, 1, np.arange(count * longest)) * len(WORDS)).astype(int).reshape(count, longest)
    return [" ".join(WORDS[word] for word in row[:n]) for row, n in zip(words, length, strict=True)]


def rated(count: int = 60, pairs: bool = False) -> vw.Dataset:
    """Sentences with five votes each, whose mean depends on the first word."""
    texts = sentences(count)
    lean = np.array([0.2 + 0.6 * (text.split()[0] in WORDS[:10]) for text in texts])
    yes = (counter.uniform(counter.key("rated", 0), 0, np.arange(count * 5)).reshape(count, 5) < lean[:, None]).sum(1)
    votes = vw.Votes.from_counts(np.stack([5 - yes, yes], 1), classes=("no", "yes"))
    return vw.Dataset(list(zip(texts, sentences(count, 1), strict=True)) if pairs else texts, votes)


def changed_json(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))
