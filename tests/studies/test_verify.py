"""`votewise verify`: a store of an earlier version is still what it says, and whatever was changed in it is noticed."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from votewise.cli import main
from votewise.studies import verify
from votewise.training.run import sha256

GOLDEN = Path(__file__).parents[1] / "golden"
SOFT = "runs/own-soft-k2-s0-810daa5b29680df5"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A copy of the golden store, with its data beside it."""
    for name in ("store", "store-data"):
        shutil.copytree(GOLDEN / name, tmp_path / name)
    return tmp_path / "store"


def edit(path: Path, change: Callable[[dict], None]) -> None:
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(values))


def sign_again(folder: Path) -> None:
    """What somebody would do who wants it not to be noticed: write the digests of the changed files."""
    edit(
        folder / "scores.json",
        lambda scores: scores["digests"].update({n: sha256(folder / n) for n in scores["digests"]}),
    )


def test_a_store_of_an_earlier_version_is_what_it_says() -> None:
    found = verify(GOLDEN / "store")
    assert (found.runs, found.problems, found.unchecked) == (2, [], [])


def flip_a_bit(folder: Path) -> None:
    content = bytearray((folder / "best.safetensors").read_bytes())
    content[-1] ^= 1
    (folder / "best.safetensors").write_bytes(bytes(content))


def another_seed(folder: Path) -> None:
    edit(folder / "config.json", lambda config: config.update(seed=1))
    sign_again(folder)


def another_seed_and_its_id(folder: Path) -> None:
    from votewise.studies.store import read_config

    another_seed(folder)
    edit(folder / "config.json", lambda config: config.update(id=read_config(folder).id))
    sign_again(folder)
    folder.rename(folder.with_name(f"own-soft-k2-s1-{read_config(folder).id}"))


def better_scores(folder: Path) -> None:
    edit(folder / "scores.json", lambda scores: scores["best"].update(soft_nll=0.5))


def better_predictions(folder: Path) -> None:
    arrays = dict(np.load(folder / "predictions.npz"))
    arrays["log_probabilities_last"] = arrays["log_probabilities_last"][:, ::-1]
    np.savez(folder / "predictions.npz", **arrays)
    sign_again(folder)


def another_tape(folder: Path) -> None:
    edit(folder / "scores.json", lambda scores: scores.update(tape="0" * 64))


def no_weights(folder: Path) -> None:
    (folder / "last.safetensors").unlink()


def fewer_digests(folder: Path) -> None:
    edit(folder / "scores.json", lambda scores: scores["digests"].pop("predictions.npz"))


def no_json(folder: Path) -> None:
    (folder / "scores.json").write_text("{")


def no_config(folder: Path) -> None:
    (folder / "config.json").write_text("[]")


def gone(folder: Path) -> None:
    shutil.rmtree(folder)


CHANGES = {
    flip_a_bit: "best.safetensors does not match its digest",
    another_seed: "its configuration has the id",
    another_seed_and_its_id: "its predictions are of other items",
    better_scores: "the scores 'soft_nll' (best) are not those of its predictions",
    better_predictions: "(last) are not those of its predictions",
    another_tape: "its label tape is another one",
    no_weights: "last.safetensors is not there",
    fewer_digests: "digests are given for",
    no_json: "cannot be read",
    no_config: "config.json: cannot be read",
    gone: "study golden: 1 of 2 runs are not finished: 'own-soft-k2-s0-810daa5b29680df5: not started'",
}


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_was_changed_is_noticed(change, store: Path, monkeypatch, capsys) -> None:
    change(store / SOFT)
    monkeypatch.setattr(sys, "argv", ["votewise", "verify", str(store)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    out, err = capsys.readouterr()
    assert any(CHANGES[change] in line for line in out.splitlines()), out
    assert not any(line.startswith("own-multipass") for line in out.splitlines())
    assert err.splitlines()[-1].startswith("votewise: ")


def test_without_the_data_the_rest_is_checked_and_it_says_so(store: Path, monkeypatch, capsys) -> None:
    shutil.rmtree(store.parent / "store-data")
    flip_a_bit(store / SOFT)
    found = verify(store)
    assert len(found.problems) == 2  # the file, and the study that misses a whole run
    assert len([line for line in found.unchecked if "the data is not here" in line]) == 2
    shutil.copy(GOLDEN / "store" / SOFT / "best.safetensors", store / SOFT)
    monkeypatch.setattr(sys, "argv", ["votewise", "verify", str(store), "--json"])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code
    assert json.loads(capsys.readouterr().out)["runs"] == 2


def test_an_unfinished_run_is_named_and_is_no_problem(store: Path) -> None:
    (store / "runs/own-sls-s0-0123456789abcdef").mkdir()
    found = verify(store)
    assert not found.problems
    assert found.unchecked == ["own-sls-s0-0123456789abcdef: not finished"]
