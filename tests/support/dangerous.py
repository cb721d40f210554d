"""A fuzzing target that tests the fuzzer: each of its first cases ends in a different way, which the fuzzer must detect."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any

from fuzz.cases import BrokenPromiseError, Target
from fuzz.draws import Draws

from votewise.errors import VotewiseError

ENDS = ("success", "refused", "died", "raised", "hung", "warning", "memory", "broken", "sentence", "success", "died")


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    (folder / "draws.txt").write_text(" ".join(str(draws.below(100)) for _ in range(100)))
    return {}


def check(folder: Path, used: dict[str, Any]) -> None:
    match ENDS[used["case"]]:
        case "refused":
            raise VotewiseError("this is refused")
        case "died":
            os.abort()
        case "raised":
            raise KeyError("x")
        case "hung":
            while True:
                pass
        case "warning":
            warnings.warn("x", RuntimeWarning, stacklevel=1)
        case "memory":
            bytearray(1 << 40)
        case "broken":
            raise BrokenPromiseError("two is two")
        case "sentence":
            raise VotewiseError("x" * 10_000, remedy="y" * 10_000)


TARGET = Target(make, check, seconds=0.2)
