"""The command line in one process: every command that needs no network, with valid and invalid options."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import typer.main
import vl_convert

import votewise as vw
from fuzz import samples
from fuzz.cases import REFUSED, Target
from fuzz.draws import Draws
from fuzz.mutation import CELLS
from fuzz.promises import hold
from fuzz.targets import predictions, stores, votes
from votewise.cli import main
from votewise.errors import VotewiseError

_NUMBERS = ("0", "1", "2", "3", "10", "-1", "1.5", "x", "", "nan", "99999999999999999999")
_TEXTS = (
    "soft",
    "sls",
    "x",
    "",
    "item",
    "label",
    "i0,i1",
    "kl,soft_nll",
    "a=b",
    "=",
    "../x",
    "é",
    "\x1b[31m",
    "-",
    "--json",
)
_FILES = ("out.csv", "out.json", "out.parquet", "out.html", "out.x", "nowhere/out.csv", ".", "votes.csv", "pipe")
_READING = ("--item", "--label", "--annotator", "--weight", "--classes", "--duplicates", "--map", "--missing", "--format", "--question", "--cleaning", "--carry", "--time")  # fmt: skip
_COMMANDS: dict[str, tuple[int, dict[str, tuple[str, ...]]]] = {  # frequency, and its options with values
    "describe": (6, {"--html": _FILES, "--items": _FILES, "--top": _NUMBERS, "--annotator-table": _FILES, "--budget": ("0", "10", "x", "-1"), "--json": ()}),
    "score": (6, {"--kind": ("auto", "logits", "x"), "--intervals": ("0", "5", "x"), "--level": _NUMBERS, "--bins": ("0", "1", "15", "x"), "--scores": _TEXTS,
                  "--dialect": ("paper", "baan", "lewidi2025", "x"), "--ceiling": ("0", "2", "x"), "--per-item": _FILES, "--truth": ("truth.csv", "x"), "--partial": (),
                  "--over": ("items", "items+votes", "x"), "--seed": _NUMBERS, "--json": ()}),
    "clean": (3, {"--output": _FILES, "--force": ()}),
    "fit": (2, {"--method": ("soft", "sls", "multipass", "majority", "mixup", "label-smoothing", "x"), "--epochs": ("0", "1", "x"), "--seed": _NUMBERS,
                "--votes-per-item": ("0", "1", "2", "x"), "--subsample": ("nested", "x"), "--selection": ("0.2", "1", "x"), "--device": ("cpu", "x"), "--threads": ("1", "0"),
                "--resample-every": ("0", "2"), "--preset": ("demo", "x"), "--size": ("4", "0", "x"), "--augment": ("flip", "x"), "--json": ()}),
    "verify": (1, {"--retrain": _TEXTS, "--json": ()}),
    "report": (1, {"--study": _TEXTS, "--json": ()}),
    "archive": (1, {}),
    "probe": (1, {"--only": ("dynamics", "x", ""), "--checkpoint": ("best", "x"), "--chunk": ("1", "0", "x")}),
    "reproduce": (1, {"--seeds": ("x", "5-1", "", "-"), "--epochs": ("0", "x"), "--shard": ("2/2", "x", "1")}),
    "tour": (1, {}),
}  # fmt: skip


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    name = draws.pick([name for name, (often, _) in _COMMANDS.items() for _ in range(often)])
    arguments = [name, *_files(draws, name, folder)]
    for option in draws.some(tuple(_COMMANDS[name][1]), 0.15):
        values = _COMMANDS[name][1][option]
        arguments += [option, draws.pick(values)] if values else [option]
    if name in ("describe", "score", "clean", "fit") and draws.chance(0.25):
        option = draws.pick(_READING)
        arguments += [option, draws.pick((*_TEXTS, *samples.WORDS[0]))]
    if draws.chance(0.05):
        arguments.insert(
            draws.below(len(arguments) + 1), draws.pick((*CELLS, "--help", "--x", "-h", "--version")).replace("\0", "0")
        )
    if draws.chance(0.05) and len(arguments) > 1:
        del arguments[draws.between(1, len(arguments) - 1)]
    return {"arguments": arguments}


def _files(draws: Draws, name: str, folder: Path) -> list[str]:
    """Write the input files of a command, and return their names."""
    os.mkfifo(folder / "pipe")
    if name in ("verify", "report", "archive", "probe") and draws.chance(0.6):
        stores.make(draws, folder)
        return ["store", "copy"] if name == "archive" else ["store"]
    if name in ("verify", "report", "archive", "probe", "reproduce"):
        (folder / "empty").mkdir()
        (folder / "plan.toml").write_text(
            draws.pick(('name = "x"\n', "x", 'name = "x"\nmethods = ["soft"]\nseeds = []\ndataset = "digits"\n'))
        )
        named = draws.pick(("empty", "nowhere", "plan.toml", "pipe", "", ".", "mian"))
        return [named, "copy"] if name == "archive" else [named]
    if name == "tour":
        return []
    if name in ("describe", "clean") and draws.chance(0.02):
        return ["pipe"]
    some = samples.votes(draws)
    if name == "fit":
        vw.write_votes(some, folder / "votes.csv")
        np.save(folder / "inputs.npy", samples.shares(draws, len(some), 3).astype(np.float32))
        names = [draws.pick([name] * 40 + ["pipe"]) for name in ("inputs.npy", "votes.csv", "store")]
        return ["--inputs", names[0], "--votes", names[1], "--model", "linear", "--store", names[2]]
    if name == "score":
        vw.write_votes(some, folder / "votes.csv")
        file, content = predictions.written(draws, some)
        (folder / file).write_bytes(content)
        (folder / "truth.csv").write_text(
            "item,label\n" + "".join(f"{item},{some.classes[0]}\n" for item in some.names())
        )
        return [draws.pick([file] * 40 + ["pipe"]), draws.pick(["votes.csv"] * 40 + ["pipe"])]
    file, content = votes.written(draws)
    (folder / file).write_bytes(content)
    return [file]


_made_once = cache(typer.main.get_command)  # the commands and their options, which are the same in every case
_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'  # in place of charts, for which V8 reserves more memory than the limit


def check(folder: Path, used: dict[str, Any]) -> None:
    out, err, code = io.StringIO(), io.StringIO(), None
    before = Path.cwd()
    try:
        os.chdir(folder)
        with (
            patch.object(sys, "argv", ["votewise", *used["arguments"]]),
            patch.object(typer.main, "get_command", _made_once),
            patch.object(vl_convert, "vegalite_to_svg", lambda *_, **__: _PICTURE),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                main()
            except SystemExit as stopped:
                code = stopped.code or 0
    finally:
        os.chdir(before)
    said = out.getvalue() + err.getvalue()
    hold(code in (0, 2, 3), f"the exit code is 0, 2 or 3, not {code}")
    hold("Traceback" not in said, "a user sees no traceback")
    hold(all(c.isprintable() or c in "\n\t" for c in said), "the output has no terminal commands")
    if code:
        last = err.getvalue().rstrip().splitlines()[-1:]
        hold(last or out.getvalue().lstrip().startswith("Usage: "), "an error is a sentence, or shows the usage")
        raise VotewiseError(last[0] if last and last[0].startswith("votewise: ") else REFUSED)


TARGET = Target(make, check)
