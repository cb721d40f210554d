"""The data source of a study: a named dataset, or the user's inputs and votes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self, get_type_hints

from pydantic import ConfigDict, create_model, field_validator, model_validator

from votewise.datasets import OFFICIAL_SPLITS, Dataset, data_folder, load_dataset
from votewise.errors import VotewiseError
from votewise.validation import Checked
from votewise.votes import ReadOptions
from votewise.wording import quoted

_FIELDS: Any = {name: (hint, None) for name, hint in get_type_hints(ReadOptions).items()}
_Options: Any = create_model("_Options", **_FIELDS)


class Source(_Options, Checked):  # type: ignore[misc]  # with a field for each of `ReadOptions`
    """A dataset name, or inputs and votes with the options to read them."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)  # classes may be 0, 1, 2

    name: str | None = None
    inputs: str | None = None
    votes: str | None = None
    text: tuple[str, ...] = ()  # text columns: one, or two for pairs
    validation: str | None = None
    test: str | None = None
    split: str | None = None  # the column with the part of each item
    encoder: str | None = None  # a frozen text model that embeds the texts
    size: int | tuple[int, int] | None = None
    augment: tuple[Literal["crop", "flip"], ...] = ()

    @field_validator("classes")
    @classmethod
    def _hashable(cls, classes: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if classes is None else tuple(classes)

    @field_validator("text", mode="before")
    @classmethod
    def _columns(cls, text: Any) -> Any:
        return (text,) if isinstance(text, str) else text

    @field_validator("name", "inputs", "votes", "validation", "test", "encoder", "cleaning", mode="after")
    @classmethod
    def _of_the_system(cls, path: Any) -> Any:
        if "\0" in str(path):
            raise VotewiseError(f"the path {quoted(path)} contains a null character", remedy="check the path")
        return path

    @field_validator("cleaning")
    @classmethod
    def _path(cls, path: Any) -> str | None:
        return None if path is None else str(path)

    def __hash__(self) -> int:
        return hash(self.model_dump_json())  # because a mapping of labels has no hash

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        own = any((self.inputs, self.votes, self.text, self.validation, self.test, self.split))
        if (self.name is not None) is own or (own and (self.votes is None or not (self.inputs or self.text))):
            raise VotewiseError(
                "the data must be either a named dataset or votes with inputs or text",
                remedy="give a dataset name (digits), votes and inputs (--votes and --inputs), or votes and the text column (--votes and --text)",
            )
        return self

    @property
    def title(self) -> str:
        """The display name: the name of the dataset or of the votes file."""
        return self.name if self.name is not None else Path(str(self.votes)).name

    @property
    def predefined_split(self) -> bool:
        """Whether the data have a predefined split."""
        return bool(self.split or self.validation or self.test) or self.name in OFFICIAL_SPLITS

    def below(self, folder: Path) -> Source:
        """The same source with paths relative to `folder` made absolute."""
        names = ("inputs", "votes", "validation", "test", "cleaning")
        paths = {name: path for name in names if (path := getattr(self, name))}
        if self.encoder is not None and (folder / self.encoder).is_dir():
            paths["encoder"] = self.encoder
        return self.model_copy(update={key: str((folder / path).resolve()) for key, path in paths.items()})

    def load(self) -> Dataset:
        """The dataset, loaded once per process and data folder."""
        return _load(self, data_folder())

    def read(self) -> Dataset:
        """The dataset as it is now, read again from its files."""
        if self.name is not None:
            dataset = load_dataset(self.name)
        else:
            dataset = Dataset.from_files(**self.model_dump(exclude={"name", "encoder"}))
        return dataset if self.encoder is None else dataset.embed(self.encoder)


@cache
def _load(source: Source, folder: Path) -> Dataset:
    return source.read()
