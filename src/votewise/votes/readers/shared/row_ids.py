"""Detects the column of item ids if its usual name misleads: an `id` may number the votes, and a text may have ids beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from votewise.read_options import TableOptions
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table
from votewise.wording import listing, quoted

if TYPE_CHECKING:
    import polars as pl

_SHARED = 0.5  # minimum share of rows whose value occurs in another row, for a column that may hold item ids
_ONCE = 0.9  # minimum share of rows in which an annotator sees a value of such a column for the first time
_VOTES = 200  # maximum number of votes on an item if annotators are unknown: a language or a source repeats more often

_LONGEST = 64  # maximum number of characters of an id


def find_item(table: Table, options: TableOptions) -> str | None:
    """The column of item ids: the given one, or one with a usual name. A column of ids is preferred to the text of the items.

    Raises:
        VotewiseError: both a text and a column of ids may identify the items, but one id has several texts.
    """
    name = column_roles.find_item(table, options)
    if name is None or options.get("item") is not None or not column_roles.texts([name]):
        return name
    given = [options.get(role) for role in ("time", *_ROLES)]
    usual = [one for role in _ROLES for one in column_roles.candidates(table.columns, role)]
    others = [one for one in table.columns if one not in (name, *given, *usual, *column_roles.texts(table.columns))]
    others = _no_companions(others)
    return _ids_of(table, options, name, others) if others else name


_ROLES = ("label", "annotator", "weight")


def _no_companions(names: Sequence[str]) -> list[str]:
    return [name for name in names if not column_roles.companion(name) and not column_roles.is_time(name)]


def _ids_of(table: Table, options: TableOptions, text: str, others: Sequence[str]) -> str:
    """The column of ids that determines the text, else the text itself."""
    import polars as pl

    roles = {role: column_roles.find(table, options, role) for role in ("label", "annotator")}
    frame = table.readable(list(dict.fromkeys([text, *others, *filter(None, roles.values())])))
    if text not in frame.columns:
        return text  # it holds lists, which the reader refuses
    frame = frame.with_columns(pl.all().str.strip_chars().replace("", None)).drop_nulls(text)
    if not frame.height or frame[text].is_duplicated().mean() < _SHARED:  # type: ignore[operator]  # there are rows
        return text
    votes = {role: frame[name] if name in frame.columns else None for role, name in roles.items()}
    label = pl.Series([], dtype=pl.String) if votes["label"] is None else votes["label"]
    found = [
        name
        for name in others
        if name in frame.columns and _are_ids(frame[name]) and _may_name_items(frame[name], label, votes["annotator"])
    ]
    pairs = {name: frame.select(name, text).drop_nulls().n_unique() for name in found}
    if sure := [name for name in found if pairs[name] == frame[name].n_unique()]:  # one text per id
        return sure[0]
    unsure = [name for name in found if 2 * frame[name].n_unique() >= frame[text].n_unique()]
    if unsure:
        raise table.error(
            f"{listing([*unsure, text])} could each be the item id, and an id occurs with several texts",
            f"choose the item with item= (--item), e.g. --item {unsure[0]}",
        )
    return text


def _are_ids(column: pl.Series) -> bool:
    """Whether all values of a column of text are short, without spaces, and not fractions."""
    wrong = column.is_null() | column.str.contains(r"\s|^-?[0-9]*[.,][0-9]+$") | (column.str.len_chars() > _LONGEST)
    return not wrong.fill_null(value=True).any()


def ask_for_item(table: Table, item: str, others: Sequence[str], label: pl.Series, annotator: pl.Series | None) -> None:
    """Raise if all ids are different and another column may hold the item ids: each item would have a single vote.

    Args:
        table: the table.
        item: the column that was chosen as the item by its name.
        others: columns that have no role.
        label: the label of each row [R].
        annotator: the annotator of each row [R], if known.
    """
    possible = _no_companions(others)
    if not possible:
        return
    frame = table.readable(possible)
    found = [name for name in frame.columns if _may_name_items(frame[name], label, annotator)]
    if found:
        raise table.error(
            f"column {quoted(item)} is different in every row and {listing(found)} repeats, so it may number the votes",
            f"choose the item with item= (--item), e.g. --item {found[0]}; --item {item} if each item has one vote",
        )


def _may_name_items(column: pl.Series, label: pl.Series, annotator: pl.Series | None) -> bool:
    """Whether a column may hold item ids: most values repeat, but not for the same annotator, and it is not another label."""
    import polars as pl

    rows = pl.DataFrame({"value": column, "label": label.cast(pl.String)}).drop_nulls("value")
    distinct = rows["value"].n_unique()
    if distinct < 2 or rows["value"].is_duplicated().mean() < _SHARED:  # type: ignore[operator]  # there are rows
        return False
    if rows["value"].is_in(rows["label"].unique().implode()).all():
        return False
    if annotator is None:
        return distinct > label.n_unique() and len(rows) <= _VOTES * distinct
    who = pl.DataFrame({"value": column, "annotator": annotator.cast(pl.String)}).drop_nulls()
    return who.n_unique() >= _ONCE * len(who) > 0
