"""Embeddings of a frozen encoder: computed once for the texts and the model, and kept in a cache.

A text is the mean of its tokens' last hidden states, scaled to length 1 if the model requires it (Reimers and Gurevych 2019). A pair is
(u, v, |u - v|, u * v), as in Conneau et al. 2017.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from numpy.typing import NDArray

from votewise.arrays import F32
from votewise.errors import VotewiseError
from votewise.files import make_folder, write_atomic
from votewise.hashing import digest
from votewise.packed import ArrayFile
from votewise.text.model_files import ModelFiles, loading
from votewise.text.tokens import Tokens, quiet, tokenise

VERSION = b"mean-pooled/1"
CHUNK = 64  # number of texts per forward pass


@dataclass(frozen=True, eq=False)
class Embedded:
    """Texts [N, 1] as [N, D], or pairs [N, 2] as [N, 4 D].

    Attributes:
        vectors: the embeddings.
        encoder: the identity of the model.
        truncated: number of distinct texts that were truncated to the limit of the model.
        limit: the maximum number of tokens of a text.
    """

    vectors: F32
    encoder: str
    truncated: int
    limit: int


def embed(texts: NDArray[Any], files: ModelFiles, *, keep: bool = True) -> Embedded:
    """Embeddings of texts [N, 1] or of pairs [N, 2]; `keep`: whether to keep them in the cache."""
    encoder = digest([VERSION, files.digest.encode()])
    content = [part for text in texts.ravel().tolist() for part in (len(text).to_bytes(8, "little"), text.encode())]
    path = (
        cache_folder() / "embeddings" / f"{digest([encoder.encode(), repr(texts.shape).encode(), *content])[:32]}.npz"
    )
    if path.exists():
        try:
            kept = ArrayFile(path)
            return Embedded(kept["vectors"], encoder, int(kept["truncated"]), int(kept["limit"]))
        except (VotewiseError, KeyError, ValueError):
            pass  # damaged: recompute
    distinct, place = np.unique(np.array(texts.ravel().tolist(), dtype=object), return_inverse=True)
    tokens = tokenise(distinct[:, None], files)
    vectors = _encode(tokens, files)[place].reshape(*texts.shape, -1)
    vectors = vectors[:, 0] if texts.shape[1] == 1 else _paired(vectors[:, 0], vectors[:, 1])
    made = Embedded(vectors, encoder, tokens.truncated, tokens.limit)
    if keep:
        _write(path, made)
    return made


def _write(path: Path, made: Embedded) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, vectors=made.vectors, truncated=made.truncated, limit=made.limit)
    make_folder(path.parent, "set VOTEWISE_CACHE to a writable folder")
    write_atomic(path, buffer.getvalue())


def cache_folder() -> Path:
    """The environment variable VOTEWISE_CACHE, else the user's cache folder for votewise."""
    named = os.environ.get("VOTEWISE_CACHE")
    return Path(named) if named else platformdirs.user_cache_path("votewise", appauthor=False)


def _paired(u: F32, v: F32) -> F32:
    return np.concatenate([u, v, np.abs(u - v), u * v], axis=1)


def _encode(tokens: Tokens, files: ModelFiles) -> F32:
    """Mean-pooled embeddings [n, D] of n texts, batched by length."""
    import torch
    from transformers import AutoModel

    quiet()
    settings = {"local_files_only": True, "trust_remote_code": False, "use_safetensors": True, "dtype": torch.float32}
    with torch.random.fork_rng(devices=[]), loading(files, "an encoder of texts"):
        model = AutoModel.from_pretrained(str(files.folder), **settings).eval()
    unit = any(str(step.get("type", "")).endswith("Normalize") for step in _steps(files))
    order, parts = np.argsort(tokens.length, kind="stable"), []
    with torch.inference_mode():
        for at in range(0, len(order), CHUNK):
            ids, mask, _ = torch.from_numpy(tokens.batch(order[at : at + CHUNK])).unbind(1)
            hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
            share = mask[..., None].float()
            mean = (hidden * share).sum(1) / share.sum(1)
            parts.append(torch.nn.functional.normalize(mean, dim=1) if unit else mean)
    out = np.empty((len(tokens), parts[0].shape[1]), np.float32)
    out[order] = torch.cat(parts).numpy()
    return out


def _steps(files: ModelFiles) -> list[dict[str, Any]]:
    """The steps of a sentence-transformers model; none for other models."""
    import json

    path = files.folder / "modules.json"
    try:
        return [dict(step) for step in json.loads(path.read_text(encoding="utf-8"))] if path.exists() else []
    except (OSError, ValueError, TypeError):
        return []
