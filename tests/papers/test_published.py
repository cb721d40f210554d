"""The published numbers, spot-checked against the paper, and that the file is whole."""

from __future__ import annotations

import pytest

from votewise.errors import VotewiseError
from votewise.papers.basins import published
from votewise.papers.companion import published as companion


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


@pytest.mark.parametrize("number", range(1, 10))
def test_every_table_has_a_cell_for_each_row_and_column(number: int) -> None:
    table = published().table(number)
    assert set(table.cells) == {(row, column) for row in table.rows for column in table.columns}
    assert table.source.startswith(f"Table {number}")


def test_p_values_of_a_table_have_their_decimals() -> None:
    assert [published().table(number).p_decimals for number in (1, 2, 8)] == [3, 0, 4]


def test_ids_are_unique_and_every_number_has_its_source() -> None:
    for paper in (published(), companion()):
        for kind in ("table", "number"):
            ids = [entry["id"] for entry in paper.data.get(kind, ())]
            assert len(ids) == len(set(ids))
        assert all(entry["source"] for entry in paper.data["number"])


def test_what_is_not_in_print_is_refused() -> None:
    table = published().table(1)
    for wrong in (
        lambda: published().table(10),
        lambda: published().number("f-p"),
        lambda: table.quote(["mixup"]),
        lambda: published().table(8).mean("energy", "sls-vs-soft"),
    ):
        with pytest.raises(VotewiseError):
            wrong()
    assert table.cell("soft", "k7") is None
    assert companion().quote("k-kl") == "32 %"
