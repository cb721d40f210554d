"""Detects row ids: a column `id` that is unique per row while another column holds the items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

_SHARED = 0.5  # minimum share of rows whose value occurs in another row, for a column that may hold item ids
_ONCE = 0.9  # minimum share of rows in which an annotator sees a value of such a column for the first time
_VOTES = 200  # maximum number of votes on an item if annotators are unknown: a language or a source repeats more often


def ask_for_item(table: Table, item: str, others: Sequence[str], label: pl.Series, annotator: pl.Series | None) -> None:
    """Refuse ids that are all different if another column may hold the item ids: all annotators would seem to agree.

    Args:
        table: the table.
        item: the column that was chosen as the item by its name.
        others: columns that have no role.
        label: the label of each row [R].
        annotator: the annotator of each row [R], if known.
    """
    possible = [name for name in others if not column_roles.companion(name) and not column_roles.is_time(name)]
    if not possible:
        return
    frame = table.load(possible)
    found = [name for name in possible if _may_name_items(frame[name], label, annotator)]
    if found:
        raise table.error(
            f"column {quoted(item)} is different in every row and {listing(found)} repeats, so it may number the votes",
            f"choose the item with item= (--item), e.g. --item {found[0]}; --item {item} if each item has one vote",
        )


def _may_name_items(column: pl.Series, label: pl.Series, annotator: pl.Series | None) -> bool:
    """Whether most values repeat, and the column is neither a second label nor repeated for an annotator."""
    import polars as pl

    rows = pl.DataFrame({"value": column.cast(pl.String, strict=False), "label": label.cast(pl.String)}).drop_nulls(
        "value"
    )
    distinct = rows["value"].n_unique()
    if distinct < 2 or rows["value"].is_duplicated().mean() < _SHARED:  # type: ignore[operator]  # there are rows
        return False
    if rows["value"].is_in(rows["label"].unique().implode()).all():
        return False
    if annotator is None:
        return distinct > label.n_unique() and len(rows) <= _VOTES * distinct
    who = pl.DataFrame(
        {"value": column.cast(pl.String, strict=False), "annotator": annotator.cast(pl.String)}
    ).drop_nulls()
    return who.n_unique() >= _ONCE * len(who) > 0
