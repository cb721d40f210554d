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
    """An option whose default is described in its help and not displayed by typer."""
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
            f"{quoted(text)} is not a comma-separated list ({error})", remedy="write a,b,c or 'a,\"b, with a comma\"'"
        ) from None
    return [part.strip() for part in line]


VotesPath = Annotated[Path, argument("VOTES", "A file of votes, in any known format.")]


@dataclass(frozen=True)
class Place:
    """The name of a dataset, or the location of inputs and votes."""

    data: Annotated[
        str | None,
        argument(
            "DATA",
            "A named dataset, e.g. digits, cifar10h or chaosnli-snli; or give --votes with --inputs or --text instead.",
        ),
    ] = None
    inputs: Annotated[
        Path | None,
        option(
            "Inputs: a folder of images named after the item ids; an .npy file, whose rows are items 0, 1, 2 ...;"
            " an .npz file with the arrays inputs and items (the ids of the rows); or features as CSV or Parquet with a column of ids."
        ),
    ] = None
    votes: Annotated[Path | None, option("File of votes, in any known format.")] = None


@dataclass(frozen=True)
class Material:
    """Options for images, for texts and for a predefined split."""

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
        str | None, option("File of votes for choosing the best epoch; --votes is then only used for training.")
    ] = None
    test: Annotated[str | None, option("File of votes for reporting the result.")] = None
    split: Annotated[
        str | None, option("Column with a predefined split: train, validation (dev) or test for each item.")
    ] = None


Subsample = Annotated[
    str, typer.Option(help="How --votes-per-item draws votes: multinomial (with replacement) or nested (without).")
]
SubsampleSeed = Annotated[int | None, option("Seed for drawing these votes. Default: the seed of the run.")]
Selection = Annotated[
    float,
    typer.Option(help="Share of the items that are set aside for choosing the best epoch; 0: use the held-out items."),
]
Model = Annotated[
    str | None,
    option(
        "Model: resnet18, resnet8, digits, mlp or linear; for texts minilm, or the folder or hub name of a Hugging Face model;"
        " or the import path package.module:object of a model. Default: set by the preset."
    ),
]
RecipeFile = Annotated[Path | None, option("TOML file with values that override the preset, e.g. weight_decay.")]
Preset = Annotated[
    str | None, option("Preset of the recipe: demo, cpu, paper or text. Default: chosen by the type of the data.")
]
CheckpointSeconds = Annotated[
    float, typer.Option(help="Seconds between checkpoints of a run; a stop loses at most this much training.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def source(place: Place, material: Material, read_options: ReadOptions) -> Source:
    """The data source that the options of a command describe."""
    from votewise.studies import Source
    from votewise.validation import checked

    paths = {"inputs": place.inputs and str(place.inputs), "votes": place.votes and str(place.votes)}
    lists = {"augment": parts(material.augment) or (), "text": material.text or ()}
    return checked(Source, {"name": place.data, **paths, **asdict(material), **lists, **read_options}, where="the data")


def pairs(texts: list[str] | None) -> dict[str, str] | None:
    """The mapping in comma-separated options of the form old=new.

    >>> pairs(["toxc=toxic,Toxic=toxic", "?="])
    {'toxc': 'toxic', 'Toxic': 'toxic', '?': ''}
    """
    found = dict[str, str]()
    for part in [part for text in texts or () for part in parts(text) or ()]:
        old, equals, new = part.partition("=")
        if not equals or not old.strip():
            raise VotewiseError(f"{quoted(part)} is not written as old=new", remedy="write for example toxc=toxic")
        if found.get(old.strip(), new.strip()) != new.strip():
            raise VotewiseError(f"{quoted(old.strip())} is mapped to two names", remedy="keep one of them")
        found[old.strip()] = new.strip()
    return found or None
