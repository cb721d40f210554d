"""Where the data of a study comes from: a dataset with a name, or a person's own inputs and votes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from votewise.datasets import Dataset, load, own
from votewise.errors import VotewiseError


class Source(BaseModel):
    """A name, or inputs and votes with what has to be known to read them."""

    model_config = ConfigDict(frozen=True, extra="forbid", coerce_numbers_to_str=True)  # classes may be 0, 1, 2

    name: str | None = None
    inputs: str | None = None
    votes: str | None = None
    size: int | tuple[int, int] | None = None
    augment: tuple[Literal["crop", "flip"], ...] = ()
    question: str | None = None
    format: str | None = None
    item: str | None = None
    label: str | None = None
    annotator: str | None = None
    weight: str | None = None
    classes: tuple[str, ...] | None = None
    ordinal: bool | None = None
    duplicates: Literal["error", "keep", "last"] | None = None

    @model_validator(mode="after")
    def _one_or_the_other(self) -> Self:
        if (self.name is None) is (self.inputs is None) or (self.inputs is None) is not (self.votes is None):
            raise VotewiseError(
                "it is not clear which data is meant",
                remedy="name a dataset (digits), or give both inputs and votes (--inputs and --votes)",
            )
        return self

    @property
    def title(self) -> str:
        """What readers know it by: its name, or the name of the votes file."""
        return self.name if self.name is not None else Path(str(self.votes)).name

    def below(self, folder: Path) -> Source:
        """The same with paths that no longer depend on the folder they are read from."""
        if self.inputs is None or self.votes is None:
            return self
        paths = {"inputs": self.inputs, "votes": self.votes}
        return self.model_copy(update={key: str((folder / path).resolve()) for key, path in paths.items()})

    def load(self) -> Dataset:
        """The dataset; loaded once in a process."""
        return _load(self)

    def read(self) -> Dataset:
        """The dataset as it is now."""
        if self.name is not None:
            return load(self.name)
        assert self.inputs is not None
        assert self.votes is not None
        return own(self.inputs, self.votes, **self.model_dump(exclude={"name", "inputs", "votes"}))


@cache
def _load(source: Source) -> Dataset:
    return source.read()
