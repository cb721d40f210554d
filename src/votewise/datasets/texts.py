"""Texts as inputs: an array of strings [N, 1] of single texts, or [N, 2] of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from votewise.errors import VotewiseError
from votewise.frozen import fresh
from votewise.wording import quoted

Texts = NDArray[Any]  # StringDType [N, 1] or [N, 2]
_TEXT = np.dtypes.StringDType()


def are_texts(values: Any) -> bool:
    """Whether the values are texts or pairs of texts, not numbers, judged by the first one that is not missing.

    >>> are_texts(["a"]), are_texts([("a", None)]), are_texts([[1.0, 2.0]]), are_texts([])
    (True, True, False, False)
    """
    if isinstance(values, np.ndarray) and values.dtype.kind not in "OUT":
        return False
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        return False
    if not isinstance(values, list | tuple):
        kind = getattr(values, "dtype", None)  # from a NumPy array or a column of a frame
        values = values if getattr(kind, "kind", "O") in "OUT" else []
    for value in _items(values):
        inner = value if isinstance(value, list | tuple | np.ndarray) else (value,)
        if (known := next((one for one in inner if one is not None), None)) is not None:
            return isinstance(known, str)
    return False


def as_texts(values: Any, where: object = None) -> Texts:
    """Texts [N, 1] or pairs [N, 2], checked to be non-empty.

    Args:
        values: strings or pairs of strings: a list, an array, a column or two columns of a frame.
        where: the file that the texts come from.

    Raises:
        VotewiseError: a text is empty, half of a pair is missing, or an item is not a text.

    Example:
        >>> as_texts(["one", "two"]).shape, as_texts([("a cat", "an animal")]).shape
        ((2, 1), (1, 2))
    """
    if isinstance(values, np.ndarray) and values.dtype.kind == "T" and values.ndim == 2:
        rows: list[Any] = values.tolist()
    else:
        rows = [value if isinstance(value, list | tuple | np.ndarray) else (value,) for value in _items(values)]
    width = max((len(row) for row in rows), default=1)
    if width > 2:
        raise VotewiseError(f"an item has {width} texts", where=where, remedy="give one text or one pair per item")
    for number, row in enumerate(rows):
        held = [isinstance(text, str) and bool(text.strip()) for text in row]
        if width == len(row) and all(held):
            continue
        if other := [text for text in row if text is not None and not isinstance(text, str) and text == text]:
            what = f"item {number} is {quoted(other[0])}, not a text"
        elif any(held):
            what = f"item {number} has only one text of a pair"
        else:
            what = f"the text of item {number} is empty"
        raise VotewiseError(what, where=where, remedy="fill it in, or leave out the item and its votes")
    return fresh(np.array([list(row) for row in rows], dtype=_TEXT).reshape(len(rows), width))


def _items(values: Any) -> Iterator[Any]:
    """The items of a list or an array, or the rows of a pandas or polars frame."""
    if hasattr(values, "iter_rows"):
        return iter(values.iter_rows())
    if hasattr(values, "itertuples"):
        return iter(values.itertuples(index=False, name=None))
    return iter(values)


def content(texts: Texts) -> Iterator[bytes]:
    """The data for the digest of texts: the shape, and each text with its length."""
    yield repr(("text", texts.shape)).encode()
    for text in texts.ravel().tolist():
        data = text.encode("utf-8", errors="surrogatepass")
        yield len(data).to_bytes(8, "little")
        yield data
