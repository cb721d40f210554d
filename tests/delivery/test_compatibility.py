"""Examples and votes that do not belong together are refused; those that do are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
import torch

from votewise.delivery import SLS, require_fit, with_index
from votewise.errors import VotewiseError
from votewise.votes import Votes

IDS = ["#1", "#2", "#3", "#4"]
COUNTS = [[3, 0], [0, 3], [2, 1], [1, 2]]
UNNAMED = Votes.from_counts(COUNTS)
NAMED = Votes.from_counts(COUNTS, items=IDS)
SWAPPED = ["#1", "#2", "#4", "#3"]


class Columns:
    """What votewise asks of a Hugging Face dataset."""

    def __init__(self, **columns: list) -> None:
        self.columns, self.column_names = columns, list(columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def __getitem__(self, at: int | str):
        return self.columns[at] if isinstance(at, str) else {name: column[at] for name, column in self.columns.items()}


FORMS: dict[str, Callable[[list[str]], dict]] = {
    "ids": lambda ids: {"ids": ids},
    "frame": lambda ids: {"dataset": pd.DataFrame({"x": range(len(ids))}, index=ids)},
    "column": lambda ids: {"dataset": Columns(x=[[0.5]] * len(ids), text=["same"] * len(ids), id=ids)},
}


@pytest.mark.parametrize("form", FORMS)
def test_ids_in_the_order_of_the_votes_pass_and_others_are_refused(form: str) -> None:
    require_fit(SLS(NAMED), **FORMS[form](list(IDS)))
    with pytest.raises(VotewiseError, match=r"example 2 .*'#4'.*'#3'"):
        require_fit(SLS(NAMED), **FORMS[form](SWAPPED))


@pytest.mark.parametrize("classes", [2, 1000])
def test_a_model_has_as_many_outputs_as_the_votes_have_classes(classes: int) -> None:
    votes = Votes.from_counts(np.ones((1, classes), dtype=int))
    require_fit(votes, outputs=len(np.arange(classes)))
    for outputs in (classes - 1, classes + 1):
        with pytest.raises(VotewiseError, match=f"{outputs} outputs.* {classes} classes"):
            require_fit(votes, outputs=outputs)


@pytest.mark.parametrize("ids", [IDS[:3], [*IDS, "#5"]])
def test_more_or_fewer_ids_than_items_are_refused(ids: list[str]) -> None:
    with pytest.raises(VotewiseError, match=f"{len(ids)} ids for 4 items"):
        require_fit(NAMED, ids=ids)


@pytest.mark.parametrize("found", [["a", "b", "c", "d"], ["#4", "#4", "#2", "#1"], ["3", "2", "1", "0"]])
@pytest.mark.parametrize("form", ["frame", "column"])
def test_values_that_are_not_the_ids_of_the_items_are_not_compared(form: str, found: list[str]) -> None:
    require_fit(NAMED, **FORMS[form](found))


def test_an_index_that_only_counts_rows_is_not_an_id() -> None:
    numbered = Votes.from_counts(COUNTS, items=["3", "2", "1", "0"])
    require_fit(numbered, dataset=pd.DataFrame({"x": range(4)}))
    with pytest.raises(VotewiseError, match="a different order"):
        require_fit(numbered, dataset=pd.DataFrame({"x": range(4)}, index=[0, 1, 3, 2]))


@pytest.mark.parametrize("index", [[0, 1, 2, 3], [1, 2, 3, 4], [9, 2, 8, 1]])
def test_row_numbers_are_not_compared_with_ids_that_are_numbers(index: list[int]) -> None:
    """The index of a frame without a name is left from a selection of rows; a column may count from 0 or 1."""
    numbered = Votes.from_counts(COUNTS, items=["2", "3", "4", "5"])
    require_fit(numbered, dataset=pd.DataFrame({"x": range(4)}, index=index))
    require_fit(numbered, dataset=Columns(__index_level_0__=index))
    if index[0] < 9:
        require_fit(numbered, dataset=Columns(position=index))


@pytest.mark.parametrize("form", FORMS)
def test_votes_on_other_items_are_refused(form: str) -> None:
    with pytest.raises(VotewiseError, match=r"for other items than the dataset: example 0 is '#4'.*votes\.align\(.*"):
        require_fit(NAMED, **FORMS[form](["#4", "#9", "#8", "#7"]))


def test_numbers_in_an_index_with_a_name_are_ids() -> None:
    numbered = Votes.from_counts(COUNTS, items=["1", "2", "3", "4"])
    frame = pd.DataFrame({"x": range(4)}, index=pd.Index([9, 2, 8, 1], name="review_id"))
    with pytest.raises(VotewiseError, match=r"example 0 is '9'.*votes\.align\(frame\.index\)"):
        require_fit(numbered, dataset=frame)


def test_another_column_may_repeat_the_ids_in_any_order() -> None:
    require_fit(NAMED, dataset=Columns(answered=SWAPPED, parent=["#3", "#9", "#8", "#7"], id=IDS))


@pytest.mark.parametrize(("mine", "other"), [(UNNAMED, NAMED), (NAMED, UNNAMED)])
def test_votes_without_ids_are_compared_by_their_number(mine: Votes, other: Votes) -> None:
    loader = torch.utils.data.DataLoader(with_index(list(range(4)), other), batch_size=4)
    ((x, _),) = SLS(mine).over(loader, 0)
    assert x.tolist() == [0, 1, 2, 3]


def test_votes_in_another_order_are_refused() -> None:
    loader = torch.utils.data.DataLoader(with_index(list(range(4)), NAMED), batch_size=4)
    with pytest.raises(VotewiseError, match="a different order"):
        next(SLS(NAMED.select([0, 1, 3, 2])).over(loader, 0))


@pytest.mark.parametrize(
    "batch", [(np.arange(2),), (np.arange(2), np.arange(2), np.arange(2)), np.arange(2), {"index": 0, "x": 1}]
)
def test_a_batch_that_is_not_a_pair_is_refused(batch) -> None:
    with pytest.raises(VotewiseError, match=r"pairs \(index, x\)"):
        next(SLS(UNNAMED).over([batch], 0))
