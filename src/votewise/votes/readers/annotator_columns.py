"""Tables with one row per item and one column per annotator, with the labels in the cells, as CSV, TSV or Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars as pl

from votewise.errors import locating
from votewise.votes.cleaning import LEFT_OUT, annotator_names, label_names, missing_notes
from votewise.votes.coding import codes, in_order, names_in
from votewise.votes.ids import repeated
from votewise.votes.readers import wide_table
from votewise.votes.readers.shared import (
    ReadOptions,
    ReadReport,
    SourceFile,
    VotesFile,
    column_roles,
)
from votewise.votes.readers.shared.duplicates import dropped_as, settle_duplicates
from votewise.votes.readers.shared.long_rows import refuse_other_labels, scale_of
from votewise.votes.readers.shared.source_table import is_number
from votewise.votes.readers.shared.suspicious_classes import doubts_of
from votewise.votes.readers.shared.totals import refuse_totals_of
from votewise.votes.readers.shared.votes_file import unread_note
from votewise.votes.votes import Votes
from votewise.wording import listing, quoted

_MOST = 20  # distinct labels in all annotator columns; with more, only names like rater_1 are recognised
_ROWS = 5  # rows of numbers; with fewer, they are not compared
_CLASS_WORDS = "class category count counts votes n"  # class_1 and class_2 are classes; q1 and q2 may be answers
_NO_ANNOTATOR = ("final", "finallabel", "consensus", "adjudicated", "adjudication", "prediction", "predicted")
_FRACTION = re.compile(r"[-+]?[0-9]*[.,][0-9]*[1-9][0-9]*")


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Items that occur once, and columns that share a small set of labels or have names like rater_1.

    Columns of whole numbers may also be counts. Then two formats have the same score, and the user has to choose.
    """
    columns = source.columns
    if source.kind not in ("delimited", "parquet", "frame") or column_roles.candidates(columns, "annotator"):
        return None
    item = column_roles.candidates(columns, "item") or [name for name in columns if name == ""]
    ids = [cell for cell in source.sample.get(item[0], []) if cell] if item else []
    labels = {name: _labels_in(cells) for name, cells in source.sample.items() if name not in item}
    found = _find(labels)
    every = set[str]().union(*(labels[name] for name in found))
    if len(every) < 2 or len(set(ids)) < len(ids) or repeated(columns):
        return None
    why = f"labels of one annotator in each of the columns {listing(found)}"
    words = 2 * sum(map(is_number, every)) < len(every)
    numbers = {n: [(cell or "").strip() for cell in source.sample[n]] for n in wide_table.number_columns(source)}
    if not words and not all(map(_named, found)) and _may_be_ratings(numbers):
        return 0.65, why
    if not item:
        return 0.3, why
    if all(map(_named, found)):
        return 0.7, why
    return (0.67, why) if words else None


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The votes in all columns of annotators; an empty cell is not a vote. The report names the columns."""
    source.refuse_repeated_columns()
    _refuse_pairs(source)
    item = column_roles.find_item(source, options)
    if item is None:
        item = column_roles.needed(source, options, "item")["item"]  # raises the error
    few = [name for name in source.columns if _possible(name, _labels_in(source.sample.get(name, ())))]
    frame = source.load(list(dict.fromkeys([item, *few])))
    ids = pl.Series(item, names_in(frame[item]), dtype=pl.String)
    frame = frame.select(pl.all().cast(pl.String).str.strip_chars().replace("", None)).with_columns(ids)
    labels = frame.drop(item).select(pl.all().str.replace(r"^([-+]?[0-9]+)\.0+$", "${1}"))  # pandas writes 3 as 3.0
    written = in_order({name for column in labels for name in column.drop_nulls().unique()})
    rename = label_names(options)
    if rename:
        labels = labels.select(pl.all().replace_strict(written, [rename(n) for n in written], return_dtype=pl.String))
    names = {column.name: set(column.drop_nulls().unique()) for column in labels}
    rated = _find(names, options.get("classes"))
    if len(rated) < 2:
        raise source.error(
            f"no two of the columns {listing(source.columns, 20)} share a set of labels",
            "name the classes with classes= (--classes), or choose another format= (--format)",
        )
    labels = labels.select(rated)
    classes = list(options.get("classes") or in_order(set[str]().union(*(names[name] for name in rated))))
    blank = frame[item].is_null() & labels.select(pl.all_horizontal(pl.all().is_null())).to_series()
    _check(source, frame[item], blank, labels, classes)
    cast = labels.with_columns(frame[item]).unpivot(index=item, variable_name="its annotator", value_name="its label")
    cast, again = _by_annotator(source, cast.drop_nulls(), rated, options)
    ids, annotators, chosen = cast.get_columns()
    if ids.is_empty():
        raise source.error("the file has no votes", "give a file with labels in its cells")
    with locating(source.name):
        votes = Votes.from_long(
            ids,  # type: ignore[arg-type]  # a polars Series is a sequence in all but name
            chosen,  # type: ignore[arg-type]  # a polars Series is a sequence in all but name
            annotators,  # type: ignore[arg-type]  # a polars Series is a sequence in all but name
            classes=classes,
            scale=scale_of(classes, options),
        )
    refuse_totals_of(source, votes, options)
    dropped = {
        "a blank line": int(blank.sum()),
        "an item without votes": frame[item].drop_nulls().n_unique() - len(votes),
        **again,
    }
    by_name = all(map(_named, rated))
    choose = "" if by_name else "; if they are questions, choose one with label= (--label)"
    notes = [f"annotators are the columns {listing(rated, 20)}{choose}"]
    notes += [*rename.notes(written), *annotator_names(options).notes(rated)]
    notes += missing_notes(options, [*written, *rated])
    unread = tuple(name for name in source.columns if name not in (item, *rated))
    report = ReadReport(
        rows=frame.height,
        dropped={reason: count for reason, count in dropped.items() if count},
        notes=(*notes, *unread_note(unread)),
        doubts=tuple(doubts_of(votes, options)),
        unread=unread,
    )
    return VotesFile({"label": votes}, report)


def _refuse_pairs(source: SourceFile) -> None:
    """Refuse columns like label_1 beside annotator_1, which holds the name of the annotator and not a label."""
    names, labels = ({_number(name, role): name for name in source.columns} for role in ("annotator", "label"))
    paired = [number for number in names if number is not None and number in labels]
    if len(paired) > 1:
        raise source.error(
            f"columns {listing(names[number] for number in paired)} seem to name the annotators of {listing(labels[number] for number in paired)}",
            "give one row per vote, for example with pandas.wide_to_long, or leave out the columns that are not labels",
        )


def _check(source: SourceFile, ids: pl.Series, blank: pl.Series, labels: pl.DataFrame, classes: list[str]) -> None:
    """Refuse rows without an item, items with two rows, and labels that are not classes."""
    source.refuse(ids.is_null() & ~blank, lambda _: " has no item")
    again = ids.is_not_null() & ~ids.is_first_distinct()
    source.refuse(again, lambda row: f": item {quoted(ids[row])} is already in another row", "give one row per item")
    for label in labels:
        refuse_other_labels(
            source,
            label.is_not_null() & ~label.is_in(classes),
            label.__getitem__,
            label.drop_nulls().unique().to_list(),
            classes,
            where=f", column {quoted(label.name)}",
        )


def _by_annotator(
    source: SourceFile, cast: pl.DataFrame, columns: list[str], options: ReadOptions
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Votes (item, annotator, label) with renamed annotators; and what was dropped because an annotator has two columns."""
    rename, policy = annotator_names(options), options.get("duplicates")
    if not rename:
        return cast, {}
    out = cast["its annotator"].is_in([name for name in columns if rename.leaves_out(name)])
    cast, dropped = cast.filter(~out), {LEFT_OUT: int(out.sum())}
    who = pl.col("its annotator").replace_strict(columns, [rename(name) for name in columns], return_dtype=pl.String)
    cast = cast.with_columns(who)
    (item, _), (annotator, _), (label, _) = (codes(column, missing=True) for column in cast)
    with locating(source.name):
        keep, again = settle_duplicates(
            item, annotator, policy, lambda vote: (None, cast["its annotator"][vote], cast[:, 0][vote]), label=label
        )
    return (cast, dropped) if keep is None else (cast.filter(keep), {**dropped, dropped_as(policy): again})


# --- which columns are annotators' ----------------------------------------------------------------------------------------


def _find(labels_by_column: Mapping[str, set[str]], classes: Sequence[str] | None = None) -> list[str]:
    """The columns of annotators, given the labels in each: columns with names like rater_1, or columns that hold the given
    classes; otherwise the largest group that shares a small set of labels, or none if two groups are equally large.

    >>> _find({"id": {"a", "b"}, "anna": {"yes", "no"}, "ben": {"no"}, "gold": {"yes"}, "rater 1": {"yes"}})
    ['anna', 'ben', 'rater 1']
    """
    if len(telling := [name for name in labels_by_column if _named(name)]) > 1:
        return telling
    labels_by_column = {name: labels for name, labels in labels_by_column.items() if labels and _possible(name, labels)}
    if classes is not None:
        return [name for name, labels in labels_by_column.items() if _alike(labels, set(classes))]
    groups: list[list[str]] = []
    for name, labels in labels_by_column.items():
        near = [group for group in groups if any(_alike(labels, labels_by_column[other]) for other in group)]
        groups = [group for group in groups if group not in near] + [[*(one for group in near for one in group), name]]
    largest = max(map(len, groups), default=0)
    found = [group for group in groups if len(group) == largest > 1]
    if len(found) != 1 or len(set[str]().union(*(labels_by_column[name] for name in found[0]))) > _MOST:
        return []
    return [name for name in labels_by_column if name in found[0]]


def _labels_in(cells: Iterable[str | None]) -> set[str]:
    """The different labels in some cells; an empty cell holds none."""
    return {label for cell in cells if cell and (label := cell.strip())}


def _number(column: str, role: str) -> str | None:
    """The number of a column that is named after one of several annotators or labels, None for another name.

    >>> _number("rater_1", "annotator"), _number("rater", "annotator"), _number("Label 2", "label")
    ('1', None, '2')
    """
    name = column_roles.normal(column)
    word = name.rstrip("0123456789")
    return name[len(word) :] if word != name and column_roles.candidates([word], role) else None


def _named(column: str) -> bool:
    """Whether a column is named after one of several annotators.

    >>> _named("rater_1"), _named("Annotator 2"), _named("rater"), _named("class_1")
    (True, True, False, False)
    """
    return _number(column, "annotator") is not None


def _possible(column: str, labels: set[str]) -> bool:
    """Whether a column with these labels may be an annotator's."""
    if _named(column):
        return True
    other = column_roles.companion(column) or column_roles.normal(column) in _NO_ANNOTATOR
    return not other and len(labels) <= _MOST and not any(map(_FRACTION.fullmatch, labels))


def _alike(some: set[str], others: set[str]) -> bool:
    """Whether at least half of the smaller set is in the other set."""
    return 2 * len(some & others) >= min(len(some), len(others))


def _may_be_ratings(numbers: Mapping[str, Sequence[str]]) -> bool:
    """Whether columns of numbers may be ratings of annotators, and not the counts of votes for a class.

    Counts have no gaps, and the items often have equally many votes. Counts of the classes of an item are negatively correlated,
    while ratings of one item are positively correlated, so the sum of ratings varies more than it would if the columns were
    independent. Several classes with one vote each, and columns like q1 and q2, may be either.

    >>> _may_be_ratings({"ann": ["0", "1"], "bob": ["1", "1"]}), _may_be_ratings({"cat": ["0", "1"], "dog": ["1", "0"]})
    (True, False)
    """
    enough = min(map(len, numbers.values()), default=0) >= _ROWS
    if any("" in column for column in numbers.values()):
        return enough
    try:
        table = np.array(list(numbers.values()), dtype=np.float64)
    except ValueError:  # a cell is not a number
        return False
    if not table.size or not np.isfinite(table).all():
        return False
    total = table.sum(axis=0)
    if (table == np.floor(table)).all() and (total != total[0]).any():
        words = {column_roles.normal(name).rstrip("0123456789") for name in numbers}
        numbered = len(words) == 1 and words.isdisjoint(("", *_CLASS_WORDS.split()))
        if numbered or (table.max() == 1 < total.max()):
            return True
    return enough and bool(total.var() > table.var(axis=1).sum())
