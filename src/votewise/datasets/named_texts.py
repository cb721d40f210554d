"""Named datasets of texts: ChaosNLI, POPQUORN and LeWiDi, as files in the data folder.

The texts are in the files of votes. A dataset with an official split uses that split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from votewise.datasets.dataset import Dataset
from votewise.datasets.folder import needed
from votewise.datasets.texts import as_texts
from votewise.errors import VotewiseError
from votewise.votes import ReadOptions, read_item_fields, read_votes

_PAIR = ("example.premise", "example.hypothesis")


@dataclass(frozen=True)
class NamedTexts:
    """The files of a dataset and how to read them.

    Attributes:
        fetched: its name for `votewise fetch`; None if it cannot be fetched.
        votes: the file of all votes, or of the votes for training.
        text: one column, or two for pairs.
        validation, test: the files of the official split.
        question: the question to read, if the file has several.
    """

    fetched: str | None
    votes: str
    text: tuple[str, ...]
    validation: str | None = None
    test: str | None = None
    question: str | None = None

    def load(self, name: str, folder: Path) -> Dataset:
        """The dataset from the files in a folder."""
        paths = {part: self._path(folder, file) for part, file in self._files()}
        options: ReadOptions = {} if self.question is None else {"question": self.question}
        found = Dataset.from_files(**paths, text=self.text, **options)  # type: ignore[arg-type]  # mypy checks a mapping of paths against every keyword
        return replace(found, name=name, origin={"name": name})

    def _files(self) -> Iterator[tuple[str, str]]:
        files = {"votes": self.votes, "validation": self.validation, "test": self.test}
        return ((part, file) for part, file in files.items() if file is not None)

    def _path(self, folder: Path, file: str) -> Path:
        path = folder / file
        if self.fetched is not None:
            return needed(path, self.fetched)
        if not path.exists():
            raise VotewiseError(
                "this file does not exist",
                where=path,
                remedy="put the file of the LeWiDi shared task there, or set VOTEWISE_DATA to the data folder that contains it",
            )
        return path


def _alphanli(name: str, folder: Path) -> Dataset:
    """αNLI: an item is a pair of stories, made of two observations with one of two hypotheses between them."""
    path, columns = needed(folder / "chaosnli/chaosNLI_alphanli.jsonl", "chaosnli"), ("obs1", "hyp1", "hyp2", "obs2")
    votes = read_votes(path)
    fields = read_item_fields(path, [f"example.{column}" for column in columns])
    pairs = []
    for item in votes.names():
        before, first, second, after = fields[str(item)]
        pairs.append((f"{before} {first} {after}", f"{before} {second} {after}"))
    return Dataset(as_texts(pairs), votes, name=name, origin={"name": name})


def _lewidi2025(name: str, question: str | None = None) -> NamedTexts:
    columns = {
        "Paraphrase": ("text.Question1", "text.Question2"),
        "VariErrNLI": ("text.context", "text.statement"),
        "CSC": ("text.context", "text.response"),
        "MP": ("text.post", "text.reply"),
    }
    train, dev, test = (f"lewidi/{name}_{part}.json" for part in ("train", "dev", "test"))
    return NamedTexts(None, train, columns[name], dev, test, question)


def _lewidi2023(name: str) -> NamedTexts:
    train, dev, test = (f"lewidi/{name}_{part}.json" for part in ("train", "dev", "test"))
    return NamedTexts(None, train, ("text",), dev, test)


_FILES = {
    "chaosnli-snli": NamedTexts("chaosnli", "chaosnli/chaosNLI_snli.jsonl", _PAIR),
    "chaosnli-mnli": NamedTexts("chaosnli", "chaosnli/chaosNLI_mnli_m.jsonl", _PAIR),
    "popquorn-offensiveness": NamedTexts("popquorn", "popquorn/offensiveness.csv", ("text",)),
    "lewidi2023-convabuse": _lewidi2023("ConvAbuse"),
    "lewidi2023-hs-brexit": _lewidi2023("HS-Brexit"),
    "lewidi2023-md-agreement": _lewidi2023("MD-Agreement"),
    "lewidi2023-armis": _lewidi2023("ArMIS"),
    "lewidi2025-paraphrase": _lewidi2025("Paraphrase"),
    "lewidi2025-csc": _lewidi2025("CSC"),
    "lewidi2025-mp": _lewidi2025("MP"),
    **{
        f"lewidi2025-varierrnli-{label}": _lewidi2025("VariErrNLI", label)
        for label in ("entailment", "neutral", "contradiction")
    },
}

OFFICIAL_SPLITS = frozenset(name for name, files in _FILES.items() if files.test is not None)

NAMED_TEXTS: dict[str, Callable[[Path], Dataset]] = {
    **{name: partial(files.load, name) for name, files in _FILES.items()},
    "chaosnli-alphanli": partial(_alphanli, "chaosnli-alphanli"),
}
