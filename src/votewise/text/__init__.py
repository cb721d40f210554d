"""Hugging Face models for texts: the files of a model, tokens, embeddings of a frozen encoder, and a classifier to fine-tune.

Only safetensors are read and no code of a model is run. With votewise[text]; transformers is imported on first use.
"""

from votewise.text.classifier import TextClassifier, pretrained, untrained
from votewise.text.embedding import embed
from votewise.text.model_files import MINILM, ModelFiles, find_model, is_text_model, keep_model, kept_model
from votewise.text.tokens import Tokens, bucketed, tokenise

__all__ = [
    "MINILM", "ModelFiles", "TextClassifier", "Tokens", "bucketed", "embed", "find_model", "is_text_model", "keep_model", "kept_model",
    "pretrained", "tokenise", "untrained",
]  # fmt: skip
