"""Options for reading votes: declared once, for the command line, `read_votes`, `Dataset.from_files` and the readers.

This module imports nothing heavy, so that `votewise --help` is quick.
"""

from __future__ import annotations

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

Duplicates = Literal["error", "keep", "last"]


class TableOptions(TypedDict, total=False):
    """Options for a table with one row per vote. The text beside an option is also its help on the command line.

    An option that is left out or None is detected: columns by their usual names, classes by the labels that occur.
    """

    item: Annotated[str | None, "Column with the item id."]
    label: Annotated[str | None, "Column with the label."]
    annotator: Annotated[str | None, "Column with the annotator."]
    weight: Annotated[str | None, "Column with the weight of a vote."]
    classes: Annotated[Sequence[str] | None, "Names of all classes in order. Default: the labels that occur, sorted."]
    ordinal: Annotated[bool | None, "Whether the classes are ordered. Default: nominal, unless the format has a scale."]
    duplicates: Annotated[
        Duplicates | None, "What to do with a second vote of an annotator on an item: error, keep or last."
    ]


class ReadOptions(TableOptions, total=False):
    """Options for a file of votes: those of a table, and two more."""

    format: Annotated[str | None, f"Format of the votes. Default: detected. One of {', '.join(FORMATS)}."]
    question: Annotated[str | None, "Question to read, if the file has several."]


def check_options(options: Mapping[str, Any], known: type = ReadOptions) -> None:
    """Refuse unknown options, formats and policies.

    Raises:
        VotewiseError: an option or its value is unknown.
    """
    for name in options:
        if name not in known.__annotations__:
            raise VotewiseError(
                f"unknown option {quoted(name)}", remedy=f"choose one of {listing(known.__annotations__, 9)}"
            )
    for name, values in {"format": tuple(FORMATS), "duplicates": get_args(Duplicates)}.items():
        if options.get(name) not in (None, *values):
            raise VotewiseError(
                f"unknown {name} {quoted(options[name])}", remedy=f"choose one of {listing(values, len(values))}"
            )
