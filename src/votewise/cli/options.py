"""Options that several commands share."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.errors import VotewiseError
from votewise.read_options import ReadOptions
from votewise.wording import quoted

if TYPE_CHECKING:
    from votewise.studies import Source

VotesPath = Annotated[
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
        " an .npz with the arrays inputs and items, the ids of its rows; or features as CSV or Parquet with a column of ids.",
        show_default=False,
    ),
]
Votes = Annotated[Path | None, typer.Option(help="Your votes, in any known format.", show_default=False)]
Size = Annotated[int | None, typer.Option(help="Side to which images are resized.", show_default=False)]
Augment = Annotated[
    str | None,
    typer.Option(help="What may be done to images: crop,flip. Nothing unless given.", show_default=False),
]
Subsample = Annotated[
    str, typer.Option(help="How fewer votes are drawn: multinomial (with replacement) or nested (without).")
]
SubsampleSeed = Annotated[
    int | None, typer.Option(help="Seed of that draw. Default: the seed of the run.", show_default=False)
]
Selection = Annotated[
    float, typer.Option(help="Share of the items on which the best epoch is chosen. 0: chosen on the held-out items.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


def source(
    data: str | None,
    inputs: Path | None,
    votes: Path | None,
    size: int | None,
    augment: str | None,
    read_options: ReadOptions,
) -> Source:
    """Where the data is and how it is read, by the options of a command."""
    from votewise.studies import Source
    from votewise.validation import checked

    paths = {"inputs": inputs and str(inputs), "votes": votes and str(votes)}
    images = {"size": size, "augment": parts(augment) or ()}
    return checked(Source, {"name": data, **paths, **images, **read_options}, where="the data")


def parts(text: str | None) -> list[str] | None:
    """The parts of a comma-separated option, quoted as in CSV.

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


def pairs(texts: list[str] | None) -> dict[str, str] | None:
    """Options written as old=new, with commas between them.

    >>> pairs(["toxc=toxic,Toxic=toxic", "?="])
    {'toxc': 'toxic', 'Toxic': 'toxic', '?': ''}
    """
    found = dict[str, str]()
    for part in [part for text in texts or () for part in parts(text) or ()]:
        old, equals, new = part.partition("=")
        if not equals or not old.strip():
            raise VotewiseError(f"{quoted(part)} is not written as old=new", remedy="write for example toxc=toxic")
        if found.get(old.strip(), new.strip()) != new.strip():
            raise VotewiseError(f"{quoted(old.strip())} is mapped to two names", remedy="name one of them")
        found[old.strip()] = new.strip()
    return found or None
