"""Options that several commands share."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from votewise.errors import VotewiseError
from votewise.read_options import ReadOptions
from votewise.wording import quoted

if TYPE_CHECKING:
    from votewise.studies import Source


def option(help: str, *names: str, **settings: Any) -> Any:
    """An option without a displayed default: its help describes the default."""
    return typer.Option(*names, help=help, show_default=False, **settings)


def argument(name: str, help: str) -> Any:
    """An argument of a command."""
    return typer.Argument(metavar=name, help=help, show_default=False)


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


VotesPath = Annotated[Path, argument("VOTES", "A file of votes, in any known format.")]


@dataclass(frozen=True)
class Place:
    """The name of a dataset, or the location of inputs and votes."""

    data: Annotated[
        str | None, argument("DATA", "digits, cifar10h, chaosnli-snli ...; or give --votes with --inputs or --text.")
    ] = None
    inputs: Annotated[
        Path | None,
        option(
            "Inputs: a folder of images named after the item ids; an .npy file, whose rows are items 0, 1, 2 ...;"
            " an .npz file with the arrays inputs and items (the ids of the rows); or features as CSV or Parquet with a column of ids."
        ),
    ] = None
    votes: Annotated[Path | None, option("Votes, in any known format.")] = None


@dataclass(frozen=True)
class Material:
    """How images are changed, and the location of texts and of a given split."""

    size: Annotated[int | None, option("Side length to which images are resized.")] = None
    augment: Annotated[str | None, option("Augmentation of images, e.g. crop,flip. Default: none.")] = None
    text: Annotated[
        str | None,
        option(
            "Column with the text, or two comma-separated columns for pairs; in JSON a dot separates nested keys, e.g. example.premise.",
            parser=parts,
            metavar="NAMES",
        ),
    ] = None
    encoder: Annotated[
        str | None,
        option(
            "Embed the texts with this frozen model (minilm, a folder, a hub name), and train an MLP on the embeddings."
            " Default: fine-tune the text model."
        ),
    ] = None
    validation: Annotated[
        str | None, option("Votes for choosing the best epoch; --votes is then only used for training.")
    ] = None
    test: Annotated[str | None, option("Votes for reporting the result.")] = None
    split: Annotated[str | None, option("Column with the part of each item: train, validation (dev) or test.")] = None


Subsample = Annotated[
    str, typer.Option(help="How fewer votes are drawn: multinomial (with replacement) or nested (without).")
]
SubsampleSeed = Annotated[int | None, option("Seed of this draw. Default: the seed of the run.")]
Selection = Annotated[
    float, typer.Option(help="Share of the items on which the best epoch is chosen. 0: chosen on the held-out items.")
]
Model = Annotated[
    str | None,
    option(
        "resnet18, resnet8, digits, mlp, linear; for texts minilm, or the folder or hub name of a Hugging Face model;"
        " or the import path package.module:object of a model. Default: the preset's."
    ),
]
RecipeFile = Annotated[Path | None, option("A TOML file with values that override the preset, e.g. weight_decay.")]
Preset = Annotated[str | None, option("demo, cpu, paper or text. Default: the one that suits the data.")]
CheckpointSeconds = Annotated[
    float, typer.Option(help="Seconds between checkpoints of a run; a stop loses at most this much training.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def source(place: Place, material: Material, read_options: ReadOptions) -> Source:
    """The location and the reading options of the data, from the options of a command."""
    from votewise.studies import Source
    from votewise.validation import checked

    paths = {"inputs": place.inputs and str(place.inputs), "votes": place.votes and str(place.votes)}
    lists = {"augment": parts(material.augment) or (), "text": material.text or ()}
    return checked(Source, {"name": place.data, **paths, **asdict(material), **lists, **read_options}, where="the data")


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
