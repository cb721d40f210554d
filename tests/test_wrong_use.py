"""Wrong use from Python ends in one sentence, and tensors of every kind are read."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch

import votewise as vw
from votewise.errors import VotewiseError
from votewise.votes import write_votes
from votewise.wording import shown

VOTES = vw.Votes.from_counts([[3, 1], [0, 2]], classes=("cat", "dog"), items=["a", "b"])
HALVES = torch.tensor([[0.5, 0.5], [0.5, 0.5]])
GRADED = HALVES.clone().requires_grad_()


def test_columns_of_pandas_strings_and_categories_are_read() -> None:
    for kind in ("str", "string", "category", object):
        item, label = (pd.Series(names, dtype=kind) for names in (["a", "b"], ["x", "y"]))
        assert vw.Votes.from_long(item, label).items.tolist() == ["a", "b"]


@pytest.mark.parametrize(
    "given",
    [
        GRADED,
        [GRADED[0], GRADED[1]],
        HALVES.to_sparse(),
        HALVES.to(torch.float8_e4m3fn),
        HALVES.bfloat16(),
        HALVES.half(),
    ],
    ids=["gradient", "list", "sparse", "float8", "bfloat16", "float16"],
)
def test_tensors_of_every_kind_are_numbers(given: object) -> None:
    assert vw.score(given, VOTES)["soft_nll"] == pytest.approx(np.log(2))
    assert vw.Distributions(given).probabilities().tolist() == [[0.5, 0.5], [0.5, 0.5]]


def test_counts_may_have_a_gradient() -> None:
    assert vw.Votes.from_counts(2 * GRADED).counts().tolist() == [[1, 1], [1, 1]]


WRONG: dict[str, Callable[[], object]] = {
    "a meta tensor": lambda: vw.score(torch.empty(2, 2, device="meta"), VOTES),
    "ragged counts": lambda: vw.Votes.from_counts([[1, 2], [3]]),
    "ragged shares": lambda: vw.Distributions([[1], [0.5, 0.5]]),
    "shares as text": lambda: vw.Distributions("x"),  # type: ignore[arg-type]
    "half a character": lambda: vw.Votes.from_long(["a\ud800", "b"], ["x", "y"]),
    "votes that are None": lambda: write_votes(None, "x.csv"),  # type: ignore[arg-type]
    "distributions to a file": lambda: write_votes(VOTES.distributions(), "x.csv"),  # type: ignore[arg-type]
    "a run that is not there": lambda: vw.Run(Path("nowhere")).predictions,
    "history that is not there": lambda: vw.Run(Path("nowhere")).history,
    "a seed as text": lambda: vw.SLS(VOTES, seed="a"),  # type: ignore[arg-type]
    "a seed of a half": lambda: VOTES.resample(1, seed=0.5),  # type: ignore[arg-type]
    "weights beyond any sum": lambda: vw.Votes.from_long(["a", "a"], ["x", "y"], weight=[1e308, 1e308]),
    "votes_per_item of NaN": lambda: vw.Distributions([[0.5, 0.5]], votes_per_item=[np.nan]),  # type: ignore[arg-type]
    "votes_per_item of 1e300": lambda: vw.Distributions([[0.5, 0.5]], votes_per_item=[1e300]),  # type: ignore[arg-type]
    "log-probabilities of 1000": lambda: vw.score(np.array([[1000.0, 1], [0, -9]]), VOTES, kind="log-probabilities"),
    "images of one pixel": lambda: vw.fit(
        vw.Dataset(np.zeros((40, 1, 1), np.uint8), vw.Votes.from_counts(np.tile([[3, 1], [0, 2]], (20, 1)))),
        "soft",
        recipe=vw.Recipe.preset("demo", epochs=1),
        store="nowhere",
    ),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_use_is_one_sentence(wrong: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(VotewiseError) as refused:
        WRONG[wrong]()
    assert len(str(refused.value)) < 400
    assert "\n" not in str(refused.value)


def test_numbers_at_the_edge_let_no_warning_out() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vw.score(np.array([[0.0, -np.inf], [0.0, -np.inf]]), VOTES, kind="log-probabilities")
        vw.score(np.array([[1e308, -1e308], [0, 1]]), VOTES, kind="logits")
        vw.score(np.eye(2), VOTES, intervals=20)


def test_a_long_true_class_is_quoted_in_part() -> None:
    with pytest.raises(VotewiseError) as refused:
        vw.score(np.eye(2), VOTES, truth=["x" * 4000, "cat"])
    assert len(str(refused.value)) < 400


def test_votes_that_could_not_be_read_again_are_not_written_as_csv(tmp_path: Path) -> None:
    none = VOTES.select([])
    with pytest.raises(VotewiseError, match="could not be read again"):
        write_votes(none, tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()
    write_votes(none, tmp_path / "a.parquet")
    assert vw.read_votes(tmp_path / "a.parquet") == none


def test_marks_that_turn_the_direction_of_text_are_replaced() -> None:
    assert shown("evil\u202egpj.exe \x1b[31m é 👩\u200d💻\u00a0") == "evil\ufffdgpj.exe \ufffd[31m é 👩\u200d💻\u00a0"


@pytest.mark.parametrize("delivery", [vw.Multipass, vw.SLS, vw.Majority, vw.Soft])
@pytest.mark.parametrize("index", [[-1], [True, False], [2]], ids=["negative", "boolean", "outside"])
def test_a_loader_with_a_wrong_index_is_refused(delivery: type, index: list) -> None:
    with pytest.raises(VotewiseError):
        list(delivery(VOTES).over([(torch.tensor(index), torch.zeros(len(index)))], 0))
