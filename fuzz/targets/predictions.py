"""Predictions as .npy, .npz, CSV, TSV and Parquet, scored against votes that match or do not match."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import votewise as vw
from fuzz import samples
from fuzz.cases import Target
from fuzz.draws import Draws
from fuzz.mutation import damaged_bytes, damaged_rows
from fuzz.promises import hold
from fuzz.targets.arrays import names, npy, npz, odd

_KINDS = ("auto", "auto", "auto", "probabilities", "log-probabilities", "logits", "x")


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    votes = samples.cast(draws)
    name, content = written(draws, vw.Votes.from_long(**votes))
    (folder / name).write_bytes(content)
    read = {"kind": draws.pick(_KINDS)} if draws.chance(0.3) else {}
    if draws.chance(0.1):
        read |= {"array": draws.pick(("logits", "x"))} if draws.chance(0.5) else {"item": draws.pick(("item", "x"))}
    score = {"intervals": draws.between(2, 20)} if draws.chance(0.03) else {}
    if draws.chance(0.2):
        score |= {"partial": True} if draws.chance(0.5) else {"bins": draws.between(1, 30)}
    return {"file": name, "votes": votes, "read": read, "score": score, "printed": draws.chance(0.03)}


def written(draws: Draws, votes: vw.Votes) -> tuple[str, bytes]:
    """The name and the content of a file of predictions for these votes."""
    array: Any = samples.shares(draws, len(votes), votes.num_classes)
    match draws.below(4):
        case 0:
            array = np.log(array)
        case 1:
            array = (array - 0.5) * 10
        case 2:
            array = np.eye(votes.num_classes)[[draws.below(votes.num_classes) for _ in range(len(votes))]]
    array = array.astype(draws.pick(("<f8", "<f4", "<f2")))
    words, items = list(votes.classes), [str(one) for one in votes.names()]
    match draws.below(4):
        case 0:
            content = npy(odd(draws, array))
            return "predictions.npy", damaged_bytes(draws, content) if draws.chance(0.2) else content
        case 1:
            members = {draws.pick(("probabilities", "logits", "log_probabilities", "x")): npy(odd(draws, array))}
            for name, values in (("items", items), ("classes", words), ("row", np.arange(len(items)))):
                if draws.chance(0.4):
                    members[name] = npy(names(draws, values))
            return "predictions.npz", npz(draws, members)
        case _:
            prefix = draws.pick(("", "", "p_", "logit_"))
            rows = [[item, *map(str, row)] for item, row in zip(items, array.tolist(), strict=True)]
            table = [["item", *(f"{prefix}{word}" for word in words)], *rows]
            if draws.chance(0.6):
                table = damaged_rows(draws, table, 2)
            return _table(draws, table)


def _table(draws: Draws, table: list[list[str]]) -> tuple[str, bytes]:
    kind = draws.pick(("csv", "csv", "tsv", "parquet"))
    content = samples.delimited(table, "\t" if kind == "tsv" else ",")
    if kind == "parquet":
        out = io.BytesIO()
        try:
            pl.read_csv(content, infer_schema_length=None, truncate_ragged_lines=True).write_parquet(out)
        except pl.exceptions.PolarsError:
            kind = "csv"
        else:
            content = out.getvalue()
    return f"predictions.{kind}", damaged_bytes(draws, content) if draws.chance(0.2) else content


def check(folder: Path, used: dict[str, Any]) -> None:
    predictions = vw.read_predictions(folder / used["file"], **used["read"])
    card = vw.score(predictions, vw.Votes.from_long(**used["votes"]), **used["score"])
    hold(not used["printed"] or str(card), "a card can be printed")
    hold(
        not any(value is not None and np.isnan(value) for value in card.as_dict()["scores"].values()),
        "a score is a number",
    )


TARGET = Target(make, check)
