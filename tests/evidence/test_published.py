"""The numbers in print, spot-checked against the paper, and that the file is whole."""

from __future__ import annotations

import pytest

from votewise.errors import VotewiseError
from votewise.evidence import published

TABLES = range(1, 10)


@pytest.mark.parametrize(
    ("table", "row", "column", "printed", "n"),
    [
        (1, "soft", "k5", "0.5860", 5),
        (2, "majority", "soft_nll", "0.7284 ± 0.0401", 10),
        (3, "shuffled-sls", "entropy_correlation", "-0.0058 ± 0.0556", 5),
        (4, "soft", "trace_high", "10779.6 ± 1811.9", 10),
        (5, "mixup", "soft_brier", "0.1500 ± 0.0049", 10),
        (6, "k25", "soft_full", "267.1 ± 43.7", 5),
        (7, "odin", "deterministic", "0.8921 ± 0.0233", 5),
        (8, "knn", "sls-vs-soft", "0.3125", 10),
        (9, "energy", "multipass", "0.8185", 5),
    ],
)
def test_cells_are_as_in_print(table: int, row: str, column: str, printed: str, n: int) -> None:
    cell = published().table(table).cell(row, column)
    assert (str(cell), cell.n) == (printed, n)


@pytest.mark.parametrize("number", TABLES)
def test_every_table_has_a_cell_for_each_row_and_column(number: int) -> None:
    table = published().table(number)
    assert set(table.cells) == {(row, column) for row in table.rows for column in table.columns}
    assert table.source.startswith(f"Table {number}")
    assert published().table(table.id).cells == table.cells


def test_p_values_of_a_table_have_their_decimals() -> None:
    assert [published().table(number).p_decimals for number in (1, 2, 8)] == [3, 0, 4]


@pytest.mark.parametrize("number", range(1, 13))
def test_every_figure_names_numbers_and_tables_that_are_there(number: int) -> None:
    figure = published().figure(number)
    for name in figure["numbers"]:
        assert published().number(name)["source"]
    for name in figure.get("tables", []):
        assert published().table(name).cells


def test_ids_are_unique() -> None:
    for kind in ("table", "number", "figure", "derived"):
        ids = [entry["id"] for entry in published().data[kind]]
        assert len(ids) == len(set(ids))


def test_what_is_not_in_print_is_told() -> None:
    for wrong in (lambda: published().table(10), lambda: published().number("f-p"), lambda: published().figure(13)):
        with pytest.raises(VotewiseError, match="in print; use one of"):
            wrong()
    assert published().table(1).cell("soft", "k7") is None
    with pytest.raises(VotewiseError, match="no mean at 'energy', 'sls-vs-soft'"):
        published().table(8).mean("energy", "sls-vs-soft")
