"""Options that several commands share."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.errors import VotewiseError
from votewise.wording import quoted

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


@dataclass(frozen=True)
class HowToRead:
    """What a person says about the votes, where they are not recognised."""

    format: Annotated[
        str | None,
        typer.Option(help=f"The format of the votes, if it is not recognised: {FORMATS}.", show_default=False),
    ] = None
    item: Annotated[str | None, typer.Option(help="Column that names the item.", show_default=False)] = None
    label: Annotated[str | None, typer.Option(help="Column that holds the label.", show_default=False)] = None
    annotator: Annotated[str | None, typer.Option(help="Column that names the annotator.", show_default=False)] = None
    weight: Annotated[str | None, typer.Option(help="Column that holds a weight.", show_default=False)] = None
    classes: Annotated[
        str | None,
        typer.Option(
            help="All classes, in their order, with commas between; one that has a comma itself in double quotes.",
            show_default=False,
        ),
    ] = None
    ordinal: Annotated[
        bool | None, typer.Option("--ordinal/--nominal", help="Whether the classes lie on a line.", show_default=False)
    ] = None
    duplicates: Annotated[
        str | None, typer.Option(help="Two votes of one person on one item: error, keep or last.", show_default=False)
    ] = None
    question: Annotated[
        str | None, typer.Option(help="Which question of a file that asks several.", show_default=False)
    ] = None

    @property
    def said(self) -> dict[str, Any]:
        return {**vars(self), "classes": parts(self.classes)}

    def read(self, path: Path) -> Reading:
        """The votes of all questions of a file."""
        from votewise.votes.readers import read

        return read(path, **{name: value for name, value in self.said.items() if name != "question"})


def source(
    data: str | None, inputs: Path | None, votes: Path | None, size: int | None, augment: str | None, how: HowToRead
) -> Source:
    """Where the data is and how it is read, by what the person said."""
    from votewise.studies.source import Source
    from votewise.validation import checked

    paths = {"inputs": inputs and str(inputs), "votes": votes and str(votes)}
    pictures = {"size": size, "augment": parts(augment) or ()}
    return checked(Source, {"name": data, **paths, **pictures, **how.said}, where="the data")


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
