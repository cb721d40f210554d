"""Detects predictions in long form: one row per item and class with a probability, which would count as one vote for each class."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from votewise.read_options import TableOptions
from votewise.votes.distributions import ROUNDED_PERCENTAGES, TOLERANCE
from votewise.votes.readers.shared import column_roles
from votewise.votes.readers.shared.source_table import Table, as_numbers
from votewise.wording import quoted

_NAMES = "probability probabilities prob probs share proportion fraction softmax percent percentage pct"


def refuse_shares(table: Table, options: TableOptions, column: Mapping[str, str]) -> None:
    """Refuse rows without an annotator, a weight and a count whose column of probabilities sums to one on each item."""
    names = [name for name in table.columns if column_roles.normal(name) in _NAMES.split()]
    names = [name for name in names if name not in (*column.values(), *(options.get("carry") or ()))]
    if not names or not column.keys().isdisjoint(("annotator", "weight", "count")):
        return
    frame = table.load([column["item"], names[0]])
    numbers, _ = as_numbers(frame[names[0]])
    share = frame.select(pl.first().alias("item"), pl.Series("share", numbers))
    total = share.group_by("item").agg(pl.col("share").sum())["share"]
    one = ((total - 1).abs() <= TOLERANCE).all()
    if total.len() < share.height and (one or ((total - 100).abs() <= ROUNDED_PERCENTAGES).all()):
        raise table.error(
            f"column {quoted(names[0])} sums to {'one' if one else 'about 100'} on each item, so the rows are probabilities, not votes",
            f"read them as weights with weight= (--weight {names[0]}), or give one column per class",
        )
