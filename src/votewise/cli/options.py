"""Options that several commands share."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.errors import VotewiseError, quoted

if TYPE_CHECKING:
    from votewise.studies.source import Source
    from votewise.votes.readers import Reading

FORMATS = (  # the keys of votewise.votes.readers.READERS, which take too long to import for a help text
    "long-table, wide-table, annotator-columns, array, votewise, cifar10h-raw, chaosnli, popquorn, lewidi-2023, lewidi-2025, "
    "label-studio, prodigy, argilla, doccano, potato, mturk"
)

VotesFile = Annotated[
    Path, typer.Argument(metavar="VOTES", help="A file of votes, in any known format.", show_default=False)
]
Data = Annotated[
    str | None,
    typer.Argument(metavar="DATA", help="digits or cifar10h; or give --inputs and --votes.", show_default=False),
]
Inputs = Annotated[
    Path | None,
    typer.Option(
        help="Your inputs: a folder of images, which are items by their names; an .npy, whose rows are the items 0, 1, 2 ...;"
        " or an .npz with the arrays inputs and items, the ids of its rows.",
        show_default=False,
    ),
]
Votes = Annotated[Path | None, typer.Option(help="Your votes, in any known format.", show_default=False)]
Size = Annotated[int | None, typer.Option(help="Side to which images are resized.", show_default=False)]
Augment = Annotated[
    str | None,
    typer.Option(help="What may be done to images: crop,flip. Nothing unless given.", show_default=False),
]
Format = Annotated[
    str | None, typer.Option(help=f"The format of the votes, if it is not recognised: {FORMATS}.", show_default=False)
]
Item = Annotated[str | None, typer.Option(help="Column that names the item.", show_default=False)]
Label = Annotated[str | None, typer.Option(help="Column that holds the label.", show_default=False)]
Annotator = Annotated[str | None, typer.Option(help="Column that names the annotator.", show_default=False)]
Weight = Annotated[str | None, typer.Option(help="Column that holds a weight.", show_default=False)]
Classes = Annotated[
    str | None,
    typer.Option(
        help="All classes, in their order, with commas between; one that has a comma itself in double quotes.",
        show_default=False,
    ),
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

    return read(
        path, format=format, item=item, label=label, annotator=annotator, weight=weight, classes=parts(classes), ordinal=ordinal, duplicates=duplicates  # type: ignore[arg-type]  # checked by Options, with a sentence
    )  # fmt: skip


def source(
    data: str | None,
    inputs: Path | None,
    votes: Path | None,
    *,
    augment: str | None,
    classes: str | None,
    **said: Any,
) -> Source:
    """Where the data is and how it is read, by what the person said."""
    from votewise.studies.source import Source
    from votewise.training.recipe import checked

    paths = {"inputs": inputs and str(inputs), "votes": votes and str(votes)}
    return checked(
        Source,
        {"name": data, **paths, "augment": parts(augment) or (), "classes": parts(classes), **said},
        where="the data",
    )


def parts(text: str | None) -> list[str] | None:
    """What a person wrote with commas between: a line of CSV.

    >>> parts('"Hund, groß", Katze')
    ['Hund, groß', 'Katze']
    """
    if text is None:
        return None
    try:
        (line,) = csv.reader([text], skipinitialspace=True)
    except csv.Error as error:
        raise VotewiseError(
            f"{quoted(text)} cannot be read ({error})", remedy="write a,b,c or 'a,\"b, with a comma\"'"
        ) from None
    return [part.strip() for part in line]
