"""Options for reading votes, declared once for the command line, `read_votes`, `Dataset.from_files` and the readers.

This module has no heavy imports, so that `votewise --help` is fast.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict, get_args

from votewise.errors import VotewiseError
from votewise.wording import listing, quoted

FORMATS = {  # name of a format -> module in votewise.votes.readers
    "long-table": "long_table",
    "wide-table": "wide_table",
    "annotator-columns": "annotator_columns",
    "array": "numpy_file",
    "votewise": "votewise_parquet",
    "cifar10h-raw": "cifar10h",
    "chaosnli": "chaosnli",
    "popquorn": "popquorn",
    "lewidi-2023": "lewidi2023",
    "lewidi-2025": "lewidi2025",
    "label-studio": "label_studio",
    "prodigy": "prodigy",
    "argilla": "argilla",
    "doccano": "doccano",
    "potato": "potato",
    "mturk": "mturk",
}

Duplicates = Literal["error", "keep", "first", "last", "majority"]


class TableOptions(TypedDict, total=False):
    """Options for a table with one row per vote. The text beside an option is also its help on the command line.

    Options that are left out or None are detected: columns by their usual names, classes by the labels that occur.
    """

    item: Annotated[str | None, "Column with the item id; in an export, the field or its path, e.g. data.review_id."]
    label: Annotated[str | None, "Column with the label."]
    annotator: Annotated[str | None, "Column with the annotator."]
    weight: Annotated[str | None, "Column with the weight of a vote."]
    count: Annotated[
        str | None, "Column with the number of votes of a row, in a table with one row per item and label."
    ]
    time: Annotated[
        str | None, "Column with the time of a vote, for --duplicates first and last. Default: the order of the rows."
    ]
    carry: Annotated[
        Sequence[str] | None,
        "Further columns to carry along with the votes, e.g. confidence,text. Default: numeric columns about the vote, e.g. time.",
    ]
    classes: Annotated[Sequence[str] | None, "Names of all classes in order. Default: the labels that occur, sorted."]
    ordinal: Annotated[bool | None, "Whether the classes are ordered. Default: nominal, unless the format has a scale."]
    duplicates: Annotated[
        Duplicates | None,
        "Which vote counts if an annotator votes on an item again: first, last, majority or keep (all). Default: error.",
    ]
    fold: Annotated[bool | None, "Ignore case and repeated spaces in labels and annotators."]
    map: Annotated[Mapping[str, str] | None, "Labels to rename; an empty name means missing."]
    map_annotators: Annotated[Mapping[str, str] | None, "Annotators to rename."]
    without_annotators: Annotated[Sequence[str] | None, "Annotators to exclude, under any of their names."]
    missing: Annotated[Sequence[str] | None, "Values that mean missing, in labels, annotators and carried columns."]
    cleaning: Annotated[
        str | os.PathLike[str] | None,
        "TOML file with these options, for example from votewise clean; options on the command line take precedence.",
    ]


class ReadOptions(TableOptions, total=False):
    """Options for a file of votes: those of a table, the format and the question."""

    format: Annotated[str | None, f"Format of the votes. Default: detected. One of {', '.join(FORMATS)}."]
    question: Annotated[str | None, "Question to read, if the file has several."]


def check_options(options: Mapping[str, Any], known: type = ReadOptions) -> None:
    """Refuse unknown options, formats and policies.

    Raises:
        VotewiseError: an option or its value is unknown, or text is given instead of a list or a mapping.
    """
    for name in options:
        if name not in known.__annotations__:
            raise VotewiseError(
                f"unknown option {quoted(name)}", remedy=f"choose one of {listing(known.__annotations__, 20)}"
            )
    for name, values in {"format": tuple(FORMATS), "duplicates": get_args(Duplicates)}.items():
        if options.get(name) not in (None, *values):
            raise VotewiseError(
                f"unknown {name} {quoted(options[name])}", remedy=f"choose one of {listing(values, len(values))}"
            )
    for name in ("carry", "classes", "missing", "without_annotators"):
        if isinstance(options.get(name), str):
            raise VotewiseError(
                f"{name}={quoted(options[name])} is not a list", remedy=f"give {name}=[{quoted(options[name])}]"
            )
    for name in ("map", "map_annotators"):
        if not isinstance(options.get(name) or {}, Mapping):
            raise VotewiseError(
                f"{name}={quoted(options[name])} is not a mapping", remedy=f"give {name}={{'old': 'new'}}"
            )
