"""A predefined split: the items for training, for choosing the best epoch, and for reporting the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from votewise.arrays import I64
from votewise.errors import VotewiseError
from votewise.votes import Answers, Votes
from votewise.wording import counted, listing, quoted

if TYPE_CHECKING:
    from votewise.datasets.dataset import Dataset

PARTS = ("train", "validation", "test")
_NAMES = {"training": 0, "dev": 1, "val": 1, "valid": 1, "development": 1, "evaluation": 2, "eval": 2} | {
    name: code for code, name in enumerate(PARTS)
}


def as_parts(values: Any, where: object = None) -> I64:
    """The part of each item [N]: 0 train, 1 validation, 2 test; from these numbers or the usual names.

    >>> as_parts(["train", "dev", "Test"]).tolist()
    [0, 1, 2]
    """
    array = np.asarray(values)
    if array.dtype.kind in "iu":
        codes = array.astype(np.int64)
    else:
        codes = np.array([_NAMES.get(str(name).strip().lower(), -1) for name in array.tolist()], np.int64)
    if codes.ndim != 1 or (wrong := (codes < 0) | (codes >= len(PARTS))).any():
        value = array.tolist()[int(wrong.argmax())] if codes.ndim == 1 else array.shape
        raise VotewiseError(
            f"unknown part {quoted(value)} of a split", where=where, remedy=f"choose one of {listing(PARTS)}"
        )
    if not (codes == 0).any() or (codes == 0).all():
        raise VotewiseError(
            f"all {len(codes)} items are {'for training' if (codes == 0).all() else 'held out'}",
            where=where,
            remedy="give both items for training and items for validation or test",
        )
    return codes


def remarks(dataset: Dataset) -> list[str]:
    """Remarks on a predefined split: classes and annotators that do not occur in training, and inputs that occur in several parts."""
    if dataset.parts is None:
        return []
    present = [code for code in range(len(PARTS)) if (dataset.parts == code).any()]
    found = [", ".join(f"{int((dataset.parts == code).sum()):,} {PARTS[code]}" for code in present) + " items"]
    places = {code: np.flatnonzero(dataset.parts == code) for code in present}
    answers = {code: dataset.votes.select(place) for code, place in places.items()}
    for code in present[1:]:
        where = f"in {PARTS[code]} and not in training"
        new = np.flatnonzero(_named(answers[code]) & ~_named(answers[0]))
        if len(new):
            names = listing(str(dataset.votes.classes[c]) for c in new)
            found.append(
                f"{counted(len(new), 'class')} {where}: {names}; the model has outputs for them but was never trained on them"
            )
        if len(fresh := _annotators(answers[code]) - _annotators(answers[0])):
            total = len(_annotators(answers[code]))
            found.append(f"{len(fresh)} of {counted(total, 'annotator')} {where}: {listing(sorted(fresh))}")
    rows = {code: _rows(dataset, place) for code, place in places.items()}
    for code in present[1:]:
        if shared := sum(row in rows[0] for row in rows[code]):
            found.append(
                f"{counted(shared, 'input')} of {PARTS[code]} {'is' if shared == 1 else 'are'} also in training"
            )
    return found


def _named(answers: Answers) -> Any:
    if isinstance(answers, Votes):
        return np.bincount(answers.label, minlength=answers.num_classes) > 0
    return answers.probabilities().any(axis=0)


def _annotators(answers: Answers) -> set[str]:
    if not isinstance(answers, Votes) or answers.annotator is None:
        return set()
    return {answers.annotators[code] for code in np.unique(answers.annotator).tolist() if code >= 0}


def _rows(dataset: Dataset, place: I64) -> Sequence[Any] | set[Any]:
    shown = dataset.inputs if dataset.texts is None else dataset.texts
    if shown.dtype.kind == "T":
        return {tuple(row) for row in shown[place].tolist()}
    return {row.tobytes() for row in shown[place]}
