"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from votewise.votes.readers import Reading

FORMATS = (  # the keys of votewise.votes.readers.READERS, which take too long to import for a help text
    "long-table, wide-table, annotator-columns, array, votewise, cifar10h-raw, chaosnli, popquorn, lewidi-2023, lewidi-2025, "
    "label-studio, prodigy, argilla, doccano, potato, mturk"
)

VotesFile = Annotated[
    Path, typer.Argument(metavar="VOTES", help="A file of votes, in any known format.", show_default=False)
]
Format = Annotated[
    str | None, typer.Option(help=f"The format of the votes, if it is not recognised: {FORMATS}.", show_default=False)
]
Item = Annotated[str | None, typer.Option(help="Column that names the item.", show_default=False)]
Label = Annotated[str | None, typer.Option(help="Column that holds the label.", show_default=False)]
Annotator = Annotated[str | None, typer.Option(help="Column that names the annotator.", show_default=False)]
Weight = Annotated[str | None, typer.Option(help="Column that holds a weight.", show_default=False)]
Classes = Annotated[
    str | None, typer.Option(help="All classes, in their order, with commas between.", show_default=False)
]
Ordinal = Annotated[
    bool | None, typer.Option("--ordinal/--nominal", help="Whether the classes lie on a line.", show_default=False)
]
Duplicates = Annotated[
    str | None, typer.Option(help="Two votes of one person on one item: error, keep or last.", show_default=False)
]
Question = Annotated[str | None, typer.Option(help="Which question of a file that asks several.", show_default=False)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def reading(
    path: Path,
    *,
    format: str | None,
    item: str | None,
    label: str | None,
    annotator: str | None,
    weight: str | None,
    classes: str | None,
    ordinal: bool | None,
    duplicates: str | None,
) -> Reading:
    """Read the votes with what the person said about them."""
    from votewise.votes.readers import read

    names = None if classes is None else [name.strip() for name in classes.split(",")]
    return read(
        path, format=format, item=item, label=label, annotator=annotator, weight=weight, classes=names, ordinal=ordinal, duplicates=duplicates  # type: ignore[arg-type]  # checked by Options, with a sentence
    )  # fmt: skip
