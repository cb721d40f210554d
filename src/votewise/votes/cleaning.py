"""Cleaning of names: folds case and spaces, renames labels and annotators, and recognises missing values."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast, get_type_hints

from votewise.errors import VotewiseError
from votewise.read_options import ReadOptions, TableOptions, check_options
from votewise.votes.coding import Codes, in_order, renamed
from votewise.wording import listing, quoted


@dataclass(frozen=True, slots=True)
class Renaming:
    """How the labels or the annotators of a file are renamed.

    Attributes:
        option: the option that `names` come from, as notes and errors call it.
        names: name -> its new name, '' for missing.
        missing: names that mean missing.
        fold: whether case and repeated spaces are ignored.
        spelling: folded name -> the spelling to use instead of the folded one.
        without: names whose votes are excluded.
    """

    option: str
    names: Mapping[str, str] = field(default_factory=dict)
    missing: frozenset[str] = frozenset()
    fold: bool = False
    spelling: Mapping[str, str] = field(default_factory=dict)
    without: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.names or self.missing or self.fold or self.without)

    def leaves_out(self, name: str) -> bool:
        """Whether this name, or its new name, is excluded."""
        return bool(self.without) and not self.without.isdisjoint((_plain(name, self.fold), self(name)))

    def __call__(self, name: str) -> str | None:
        """The new name of a name; None for missing."""
        if self.fold:
            name = folded(name)
        if name in self.missing:
            return None
        name = self.names.get(name, name)
        if self.fold:
            name = self.spelling.get(folded(name), folded(name))
        return name or None

    def codes(self, code: Codes, names: Sequence[str]) -> tuple[Codes, Sequence[str]]:
        """Codes [V] and the names they stand for, after renaming; -1 is missing."""
        new = [self(name) for name in names]
        if new == list(names):
            return code, names
        kept = in_order({name for name in new if name is not None})
        return renamed(code, cast(list[str], new), kept), kept

    def notes(self, names: Iterable[str]) -> list[str]:
        """Notes on the names that were changed, and on names in the options that do not occur."""
        if not self:
            return []
        names, thing = list(names), "labels" if self.option == "map" else "annotators"
        changed = [(name, new) for name in names if (new := self(name)) != name]
        shown = [f"{quoted(name)} -> {'missing' if new is None else quoted(new)}" for name, new in changed[:_SHOWN]]
        more = f" and {len(changed) - _SHOWN} more" if len(changed) > _SHOWN else ""
        found = [f"{thing} renamed: {', '.join(shown)}{more}"] if changed else []
        there = {folded(name) if self.fold else name for name in names}
        if unused := [name for name in self.names if name not in there]:
            found.append(f"{thing} in {self.option}= that do not occur: {listing(unused)}")
        if unused := in_order(self.without.difference(there, map(self, names))):
            found.append(f"{thing} in without_annotators= that do not occur: {listing(unused)}")
        return found


_SHOWN = 20
LEFT_OUT = "a vote of an excluded annotator"  # the reason in reports


def label_names(options: TableOptions) -> Renaming:
    """How labels are renamed. If case is ignored, a label gets the spelling of the given class."""
    return _renaming("map", options, options.get("map"), options.get("classes") or ())


def annotator_names(options: TableOptions) -> Renaming:
    """How annotators are renamed, and which are excluded."""
    rename = _renaming("map_annotators", options, options.get("map_annotators"), ())
    return replace(rename, without=frozenset(_plain(n, rename.fold) for n in options.get("without_annotators") or ()))


def missing_notes(options: TableOptions, names: Iterable[str | None]) -> list[str]:
    """A note on the values in `missing` that are not among the names in a file: its labels, annotators and carried values.

    >>> missing_notes({"missing": ["?", "NA"]}, ["yes", " NA"])
    ["values in missing= that do not occur: '?'"]
    """
    fold = bool(options.get("fold"))
    missing = {_plain(value, fold): value for value in options.get("missing") or ()}
    there = {_plain(name, fold) for name in names if name is not None} if missing else set()
    unused = [value for name, value in missing.items() if name not in there]
    return [f"values in missing= that do not occur: {listing(unused)}"] if unused else []


def _renaming(option: str, options: TableOptions, given: Mapping[str, str] | None, classes: Sequence[str]) -> Renaming:
    fold = bool(options.get("fold"))
    names = dict[str, str]()
    for old, new in (given or {}).items():
        key, value = _plain(old, fold), str(new).strip()
        if names.get(key, value) != value:
            raise VotewiseError(
                f"{option}= renames {quoted(key)} to both {quoted(names[key])} and {quoted(value)}",
                remedy="keep one of them",
            )
        names[key] = value
    missing = frozenset(_plain(value, fold) for value in options.get("missing") or ())
    return Renaming(option, names, missing, fold, {folded(name): name for name in classes})


def _plain(name: object, fold: bool) -> str:
    return folded(str(name)) if fold else str(name).strip()


def folded(name: str) -> str:
    """A name in lower case, with single spaces.

    >>> folded(" Not  SURE ")
    'not sure'
    """
    return " ".join(unicodedata.normalize("NFC", name).lower().split())


def with_cleaning_file(options: ReadOptions, known: type = ReadOptions) -> ReadOptions:
    """The options merged with those of the cleaning file, if given, with names of classes as text. Explicit options take
    precedence; mappings and lists of names are merged.

    Raises:
        VotewiseError: an option is unknown or has a wrong value, or the file cannot be read.
    """
    check_options(options, known)
    if (classes := options.get("classes")) is not None:
        options = {**options, "classes": tuple(map(str, classes))}
    if (path := options.get("cleaning")) is None:
        return options
    from votewise.toml_files import read_toml

    inside = _checked(read_toml(path), path)
    given: dict[str, Any] = {name: value for name, value in options.items() if value is not None}
    for name in ("map", "map_annotators"):
        if name in inside and name in given:
            given[name] = {**inside[name], **given[name]}
    for name in ("missing", "without_annotators"):
        if name in inside and name in given:
            given[name] = list(dict.fromkeys([*inside[name], *given[name]]))
    merged = cast(ReadOptions, {**inside, **given})
    check_options(merged, known)
    return merged


def _checked(values: Mapping[str, Any], where: object) -> dict[str, Any]:
    """The options in a cleaning file: all options of the readers except the cleaning file itself."""
    from pydantic import ConfigDict, create_model

    from votewise.validation import checked

    fields: Any = {name: (hint, None) for name, hint in get_type_hints(ReadOptions).items() if name != "cleaning"}
    model: Any = create_model("Cleaning", __config__=ConfigDict(extra="forbid", coerce_numbers_to_str=True), **fields)
    return dict(checked(model, values, where=where).model_dump(exclude_unset=True))
