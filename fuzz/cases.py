"""A case: files that a target generates from its draws, and the outcome when votewise reads them."""

from __future__ import annotations

import json
import linecache
import traceback
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from fuzz.draws import Draws
from votewise.errors import VotewiseError
from votewise.votes import DoubtfulClasses, DroppedVotes

GOALS = {  # of a million cases; a case of the last two takes as long as about a hundred others
    "votes": 300_000,
    "arrays": 200_000,
    "parquet": 150_000,
    "predictions": 150_000,
    "plans": 130_000,
    "stores": 40_000,
    "command": 30_000,
}
SUCCESS, REFUSED, UNMADE = "success", "refused", "unmade"  # outcomes that are not findings
FINE = (SUCCESS, REFUSED, UNMADE)
LONGEST = 1000  # maximum characters of an error message
PLAN = "case.json"  # describes how the files of a case are used
_SOURCE = str(Path(__file__).parents[1] / "src")


class BrokenPromiseError(Exception):
    """A guarantee of votewise does not hold."""


class Outcome(NamedTuple):
    """The outcome of a case: success, refused, or a kind of finding with a signature that identifies its cause."""

    kind: str
    signature: str = ""


@dataclass(frozen=True)
class Target:
    """A test target: `make` writes the files of a case and returns how to use them; `check` uses them.

    `check` returns on success, raises VotewiseError if the input is rejected, and BrokenPromiseError if a guarantee is broken.
    """

    make: Callable[[Draws, Path], dict[str, Any]]
    check: Callable[[Path, dict[str, Any]], None]
    seconds: float = 20.0  # CPU time


def target(name: str) -> Target:
    """The target with this name; a name with a dot is an import path."""
    found: Target = import_module(name if "." in name else f"fuzz.targets.{name}").TARGET
    return found


def make(name: str, case: int, folder: Path) -> None:
    """Write the files of a case."""
    used = target(name).make(Draws(name, case), folder)
    (folder / PLAN).write_text(json.dumps({"target": name, "case": case, **used}))


def outcome(folder: Path, show: bool = False) -> Outcome:
    """The outcome of the files of a case; with `show`, errors are printed."""
    used = json.loads((folder / PLAN).read_text())
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            target(used["target"]).check(folder, used)
        except VotewiseError as error:
            if show:
                print(error)
            found = _sentence(str(error)) or Outcome(REFUSED)
        except BrokenPromiseError as error:
            found = Outcome("broken", str(error))
        except MemoryError as error:
            found = Outcome("memory", _place(error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a panic of polars is not an Exception
            if show:
                traceback.print_exc()
            found = Outcome("raised", f"{type(error).__name__} {_place(error)}")
        else:
            found = Outcome(SUCCESS)
    other = [one for one in caught if not issubclass(one.category, DroppedVotes | DoubtfulClasses)]
    if other and found.kind in (SUCCESS, REFUSED):
        code = linecache.getline(other[0].filename, other[0].lineno).strip()
        return Outcome("warning", f"{other[0].category.__name__} {_short(other[0].filename)}: {code[:60]}")
    return found


def _sentence(text: str) -> Outcome | None:
    """The problem with an error message, if any."""
    if len(text) > LONGEST:
        return Outcome("sentence", "too long: " + "".join(c for c in text[-300:] if c.isalpha() or c == " ")[-60:])
    return None


def _place(error: BaseException) -> str:
    """The innermost function of votewise on the way to an error."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_SOURCE)]
    return f"{_short(frames[-1].filename)}:{frames[-1].name}" if frames else "outside votewise"


def _short(filename: str) -> str:
    return filename.removeprefix(_SOURCE + "/votewise/").rpartition("site-packages/")[2]


def keep(folder: Path, path: Path) -> None:
    """Store the files of a case as one archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not file.is_symlink():
                archive.write(file, file.relative_to(folder))


def unpack(path: Path, folder: Path) -> None:
    """Extract the files that `keep` stored."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
