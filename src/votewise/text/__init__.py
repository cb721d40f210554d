"""Hugging Face models for texts: the files of a model, tokens, embeddings of a frozen encoder, and a classifier to fine-tune.

Only safetensors are read, and no code from a model is run. Needs votewise[text]; torch and transformers are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from votewise.importing import on_first_use
from votewise.text.embedding import embed
from votewise.text.model_files import MINILM, ModelFiles, find_model, is_text_model, keep_model, kept_model
from votewise.text.tokens import Tokens, bucketed, tokenise

if TYPE_CHECKING:
    from votewise.text.classifier import TextClassifier, pretrained, untrained

__all__ = [
    "MINILM", "ModelFiles", "TextClassifier", "Tokens", "bucketed", "embed", "find_model", "is_text_model", "keep_model", "kept_model",
    "pretrained", "tokenise", "untrained",
]  # fmt: skip

__getattr__ = on_first_use(__name__, __all__, ("classifier",))
