"""A Hugging Face sequence classifier as the model of a run: maps a batch of tokens [n, 3, L] to logits [n, C]."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from votewise.errors import VotewiseError
from votewise.text.model_files import ModelFiles, loading, missing_extra
from votewise.text.tokens import load_tokenizer, padding_of, quiet


class TextClassifier(nn.Module):
    """An encoder with a classifier on top. `head` is the last linear layer, whose input is the penultimate layer."""

    def __init__(self, network: nn.Module, classes: int) -> None:
        super().__init__()
        self.network = network
        self._classes = classes
        accepted = inspect.signature(network.forward).parameters
        config: Any = network.config
        self._segments = "token_type_ids" in accepted and getattr(config, "type_vocab_size", 2) > 1

    @property
    def head(self) -> nn.Module | None:
        layers = [
            one for one in self.network.modules() if isinstance(one, nn.Linear) and one.out_features == self._classes
        ]
        return layers[-1] if layers else None

    def forward(self, x: Tensor) -> Tensor:
        tokens, mask, segment = x.unbind(1)
        segments = {"token_type_ids": segment} if self._segments else {}
        return self.network(input_ids=tokens, attention_mask=mask, **segments).logits  # type: ignore[no-any-return]  # transformers is untyped here


def pretrained(files: ModelFiles, classes: int, source: str | None = None) -> TextClassifier:
    """The model with its pre-trained weights. Missing weights, for example of the classifier, are initialised by torch's generator.

    Args:
        files: The model.
        classes: C, the number of logits.
        source: The expected digest of the files; None: not checked.

    Raises:
        VotewiseError: If the files have changed, or do not hold a model that can classify texts.
    """
    if source is not None and files.digest != source:
        raise VotewiseError(
            "the files of the model have changed since this run was trained",
            where=files.folder,
            remedy="restore them, or train again",
        )
    auto = _auto()
    settings = {"use_safetensors": True, "ignore_mismatched_sizes": True, "dtype": torch.float32}
    return _made(
        lambda config: auto.from_pretrained(str(files.folder), config=config, local_files_only=True, **settings),
        files,
        classes,
    )


def untrained(folder: Path, classes: int) -> TextClassifier:
    """The model of a configuration in `folder`, for weights that are loaded afterwards."""
    auto = _auto()
    return _made(auto.from_config, ModelFiles(str(folder), folder), classes)


def _auto() -> Any:
    try:
        from transformers import AutoModelForSequenceClassification
    except ImportError:
        raise missing_extra() from None
    quiet()
    return AutoModelForSequenceClassification


def _made(make: Any, files: ModelFiles, classes: int) -> TextClassifier:
    from transformers import AutoConfig

    with loading(files, "a classifier of texts"):
        config = AutoConfig.from_pretrained(
            str(files.folder), num_labels=classes, local_files_only=True, trust_remote_code=False
        )
        if (
            getattr(config, "pad_token_id", None) is None
        ):  # models that use the last token of a text need the padding token to find it
            config.pad_token_id = padding_of(load_tokenizer(files), files.read("config.json"))
        # Eager attention has second derivatives, which curvature needs.
        config._attn_implementation = "eager"
        return TextClassifier(make(config), classes)
