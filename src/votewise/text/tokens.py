"""Texts as tokens: ragged in memory, padded to the longest text of a batch, and batches of texts of similar length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise import counter
from votewise.arrays import I64
from votewise.errors import VotewiseError
from votewise.text.model_files import ModelFiles, missing_extra
from votewise.wording import reason

POOL = 64  # number of batches whose texts are sorted by length together
_UNLIMITED = 1_000_000  # a tokenizer without a limit has model_max_length = 1e30


@dataclass(frozen=True, eq=False)
class Tokens:
    """The tokens of N texts, or pairs of texts, one after the other.

    Attributes:
        ids: [T] tokens of all texts.
        segment: [T] 0 in the first text of a pair, 1 in the second, according to the tokenizer.
        start: [N + 1] where each text begins.
        padding: the padding token of a batch.
        limit: the maximum number of tokens of a text.
        truncated: number of texts that were truncated to the limit.
    """

    ids: NDArray[np.int32]
    segment: NDArray[np.int8]
    start: I64
    padding: int
    limit: int
    truncated: int

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def length(self) -> I64:
        """Number of tokens of each text [N]."""
        return np.diff(self.start)

    def batch(self, index: I64, width: int | None = None) -> I64:
        """The texts at `index` as [n, 3, L]: tokens, mask and segment, padded to the longest text or to `width`."""
        length = self.length[index]
        there = np.arange(width or length.max(initial=1)) < length[:, None]
        place = (self.start[index][:, None] + np.arange(there.shape[1]))[there]
        out = np.zeros((len(index), 3, there.shape[1]), np.int64)
        out[:, 0] = self.padding
        out[:, 0][there] = self.ids[place]
        out[:, 1] = there
        out[:, 2][there] = self.segment[place]
        return out


def load_tokenizer(files: ModelFiles) -> Any:
    """The tokenizer of a model."""
    try:
        from transformers import AutoTokenizer
    except ImportError:
        raise missing_extra() from None
    quiet()
    try:
        return AutoTokenizer.from_pretrained(str(files.folder), local_files_only=True, trust_remote_code=False)
    except Exception as error:  # transformers may raise anything on a wrong file
        raise VotewiseError(
            f"the tokenizer cannot be read ({reason(error)})",
            where=files.folder,
            remedy="save it again with save_pretrained",
        ) from None


def tokenise(texts: NDArray[Any], files: ModelFiles, limit: int | None = None) -> Tokens:
    """The tokens of texts [N, 1] or pairs [N, 2] for a model.

    Args:
        texts: strings.
        files: the model.
        limit: the maximum number of tokens of a text or pair; default: the limit of the model. Longer texts are truncated and counted.

    Raises:
        VotewiseError: the tokenizer does not fit the model, or `limit` is above the limit of the model.
    """
    tokenizer, config = load_tokenizer(files), files.read("config.json")
    most = min(_limits(files, tokenizer, config))
    if limit is not None and limit > most:
        raise VotewiseError(
            f"max_length must be at most {most}, the limit of the model, got {limit}",
            where=files.name,
            remedy=f"give {most} or less",
        )
    limit = limit or most
    columns = [texts[:, column].tolist() for column in range(texts.shape[1])]
    encoded = tokenizer(*columns, truncation=False, padding=False)
    long = [row for row, ids in enumerate(encoded["input_ids"]) if len(ids) > limit]
    ids, segment = list(encoded["input_ids"]), list(encoded.get("token_type_ids") or [])
    if long:
        cut = tokenizer(
            *([column[row] for row in long] for column in columns), truncation="longest_first", max_length=limit
        )
        for place, row in enumerate(long):
            ids[row] = cut["input_ids"][place]
            if segment:
                segment[row] = cut["token_type_ids"][place]
    flat = _flat(ids, np.int32)
    size = int(config.get("vocab_size", np.iinfo(np.int32).max))
    if flat.max(initial=0) >= size:
        raise VotewiseError(
            f"the tokenizer does not fit the model: it produces token {int(flat.max())}, but the model has {size} tokens",
            where=files.folder,
            remedy="load the model and the tokenizer from the same place",
        )
    start = np.concatenate([[0], np.cumsum([len(row) for row in ids])]).astype(np.int64)
    kinds = _flat(segment, np.int8) if segment else np.zeros(len(flat), np.int8)
    return Tokens(flat, kinds, start, padding_of(tokenizer, config), limit, len(long))


def padding_of(tokenizer: Any, config: Mapping[str, Any]) -> int:
    """The padding token of a batch: the tokenizer's padding token, or else its end-of-text token."""
    known = (tokenizer.pad_token_id, config.get("pad_token_id"), tokenizer.eos_token_id)
    return int(next((token for token in known if token is not None), 0))


def bucketed(order: I64, length: I64, size: int, key: int, epoch: int) -> I64:
    """An order of examples in which each batch of `size` examples has similar lengths, and the batches are in random order.

    Args:
        order: [n] the examples in random order.
        length: the length of each example, by position.
        size: number of examples in a batch; a last, smaller batch stays at the end.
        key: key of the counter, for the order of the batches.
        epoch: the epoch.

    Example:
        >>> bucketed(np.array([3, 0, 2, 1, 4]), np.array([9, 1, 8, 2, 5]), 2, 0, 0).tolist()
        [1, 3, 4, 2, 0]
    """
    pool = POOL * size
    parts = [order[at : at + pool] for at in range(0, len(order), pool)]
    sorted_ = np.concatenate([part[np.argsort(length[part], kind="stable")] for part in parts])
    full = len(order) // size
    batches = sorted_[: full * size].reshape(full, size)
    return np.concatenate([batches[counter.order(key, epoch, np.arange(full))].ravel(), sorted_[full * size :]])


def quiet() -> None:
    """Keep transformers from writing progress bars and reports to the terminal."""
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()


def _limits(files: ModelFiles, tokenizer: Any, config: dict[str, Any]) -> list[int]:
    """The limits on the length of a text: of the tokenizer, of the positions of the model, and of the training of its embeddings."""
    positions = config.get("max_position_embeddings") or config.get("n_positions") or _UNLIMITED
    if config.get("model_type", "").removeprefix("xlm-") in ("roberta", "camembert", "mpnet", "longformer"):
        positions -= 2  # the first two positions are reserved for padding
    tokenizer_limit = int(min(tokenizer.model_max_length, _UNLIMITED))
    return [tokenizer_limit, positions, files.read("sentence_bert_config.json").get("max_seq_length") or _UNLIMITED]


def _flat(rows: Sequence[Sequence[int]], kind: Any) -> NDArray[Any]:
    return np.fromiter((value for row in rows for value in row), dtype=kind, count=sum(map(len, rows)))
