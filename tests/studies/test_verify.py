"""`votewise verify`: a store of an earlier version is still what it says, and whatever was changed in it is noticed."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from toy_study import toy_plan, write_data
from votewise.cli import main
from votewise.hashing import sealed
from votewise.studies import Store, verify
from votewise.studies.data import Datasets
from votewise.training import Run, complete
from votewise.training.run_files import sha256

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
    another_seed(folder)
    edit(folder / "config.json", lambda config: config.update(id=Run(folder).config.id))
    sign_again(folder)
    folder.rename(folder.with_name(f"own-soft-k2-s1-{Run(folder).config.id}"))


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


def no_predictions(folder: Path) -> None:
    (folder / "predictions.npz").unlink()


def fewer_digests(folder: Path) -> None:
    edit(folder / "scores.json", lambda scores: scores["digests"].pop("predictions.npz"))


def no_json(folder: Path) -> None:
    (folder / "scores.json").write_text("{")


def no_config(folder: Path) -> None:
    (folder / "config.json").write_text("[]")


CHANGES = {
    flip_a_bit: "best.safetensors does not match its digest",
    another_seed: "the configuration has the id",
    another_seed_and_its_id: "the predictions are for other items",
    better_scores: "the scores 'soft_nll' (best) do not match the predictions",
    better_predictions: "(last) do not match the predictions",
    another_tape: "the labels differ from those used in training",
    no_weights: "last.safetensors is missing",
    fewer_digests: "scores.json has digests of",
    no_predictions: "predictions.npz is missing",
    no_json: "scores.json cannot be read",
    no_config: "config.json does not match its digest",
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
    assert "Errno" not in out
    lines = 2 if change is another_seed_and_its_id else 1  # which leaves the study without the run of before
    assert len(out.splitlines()) == lines, out
    assert ": 1 problem found; " in err.splitlines()[-1]


def test_without_the_data_the_rest_is_checked_and_it_says_so(store: Path, monkeypatch, capsys) -> None:
    shutil.rmtree(store.parent / "store-data")
    flip_a_bit(store / SOFT)
    found = verify(store)
    assert found.problems == [f"{Path(SOFT).name}: best.safetensors does not match its digest"]
    assert len([line for line in found.unchecked if "the data is missing" in line]) == 1  # of the run that is whole
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
    assert (found.unfinished, found.unchecked) == (["own-sls-s0-0123456789abcdef: not finished"], [])


def test_a_run_that_is_not_there_is_not_run_yet_and_the_command_runs_it(store: Path, monkeypatch, capsys) -> None:
    shutil.rmtree(store / SOFT)
    command(monkeypatch, store)
    line, conclusion = capsys.readouterr().out.splitlines()
    assert line.startswith(f"study golden: 1 of 2 runs not run yet: {Path(SOFT).name} (not started). To run: votewise ")
    assert conclusion.startswith("1 finished run verified")
    monkeypatch.setattr(sys, "argv", shlex.split(line.partition("To run: ")[2]))
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code
    found = verify(store)
    assert (found.runs, found.problems, found.unfinished) == (2, [], [])


def command(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    monkeypatch.setattr(sys, "argv", ["votewise", "verify", str(store)])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert not stopped.value.code


def test_it_says_what_was_found_in_the_right_number(store: Path, monkeypatch, capsys) -> None:
    command(monkeypatch, store)
    assert capsys.readouterr() == (
        "2 finished runs verified: ids, checksums, labels and scores are correct"
        "; files of an older version, without a checksum: 2 environment.json\n",
        "",
    )
    (store / "runs/own-sls-s0-0123456789abcdef").mkdir()
    command(monkeypatch, store)
    unfinished = "own-sls-s0-0123456789abcdef: not finished\n"
    right = (
        "2 finished runs verified: ids, checksums, labels and scores are correct"
        "; files of an older version, without a checksum: 2 environment.json\n"
    )
    assert capsys.readouterr() == (unfinished + right, "")
    shutil.rmtree(store / "studies")
    for folder in (store / "runs").glob("*-k2-*"):
        shutil.rmtree(folder)
    command(monkeypatch, store)
    assert capsys.readouterr() == (f"{unfinished}no finished runs to verify\n", "")


def test_a_plan_that_was_changed_by_hand_is_noticed_where_the_data_is(store: Path) -> None:
    plan = store / "studies/golden/plan.toml"
    plan.write_text(plan.read_text().replace("seeds = [0]", "seeds = [0, 1]"))
    (problem,) = verify(store).problems
    assert problem.startswith("study golden: the plan requires 4 runs, but runs.json lists 2, and 2 are in both")
    plan.write_text(plan.read_text().replace("seeds = [0, 1]", "seeds = [1]"))
    (problem,) = verify(store).problems
    assert "requires 2 runs, but runs.json lists 2, and 0 are in both" in problem
    shutil.rmtree(store.parent / "store-data")
    assert verify(store).problems == []


def test_data_that_was_changed_is_no_other_plan(store: Path) -> None:
    votes = store.parent / "store-data/votes.csv"
    lines = votes.read_text().splitlines()
    votes.write_text("\n".join(lines[:-1]) + "\n")
    found = verify(store)
    assert found.problems == []
    assert len(found.unchecked) == 2


def test_the_runs_that_a_study_has_yet_to_do_are_one_line_and_no_problem(tmp_path: Path) -> None:
    plan, store = toy_plan(write_data(tmp_path), seeds=[0, 1, 2]), Store(tmp_path / "store")
    configs = plan.configs(plan.dataset.load())
    store.record(plan, configs)
    store.run(configs[0]).note_failure("the loss is nan")
    found = verify(store.path)
    names = [config.folder_name for config in sorted(configs[1:], key=lambda config: config.id)]
    assert (found.problems, found.unchecked) == ([], [])
    (line,) = found.unfinished
    assert line.startswith("study toy: 6 of 6 runs not run yet: ")
    assert f"{configs[0].folder_name} (failed: the loss is nan)" in line
    assert f"{', '.join(names[:3])} and 2 more (not started)" in line


@pytest.mark.parametrize(
    "change",
    [
        lambda scores: scores["best"].update(soft_nll=scores["best"]["soft_nll"] / 2),
        lambda scores: scores.update(best_epoch=0 if scores["best_epoch"] else 1),
        lambda scores: scores["interpolation"].update(target_entropy=0.5),
    ],
    ids=["soft_nll", "best_epoch", "interpolation"],
)
def test_scores_that_were_changed_are_noticed_and_made_right_again(tmp_path: Path, change) -> None:
    plan, store = toy_plan(write_data(tmp_path), methods=["soft"], seeds=[0]), Store(tmp_path / "store")
    dataset = plan.dataset.load()
    (config,) = plan.configs(dataset)
    path = complete(dataset, config, store.path).folder / "scores.json"
    right = path.read_bytes()
    edit(path, lambda _: None)  # written in another way, it is the same content
    assert Run(path.parent).finished
    edit(path, change)
    assert not Run(path.parent).finished
    assert verify(store.path).problems == [f"{path.parent.name}: scores.json does not match its digest"]
    complete(dataset, config, store.path)
    assert path.read_bytes() == right
    assert verify(store.path).problems == []


def test_a_run_of_no_study_is_checked_by_what_it_says_of_its_data(tmp_path: Path) -> None:
    """Data that is elsewhere now is noted when the run is asked for again; data that changed is not taken for what it was."""
    import votewise as vw

    data, store = write_data(tmp_path), tmp_path / "store"
    recipe = vw.Recipe.preset("demo", model="linear", epochs=2)
    run = vw.fit(vw.Dataset.from_files(data / "inputs.npy", data / "votes.csv"), "soft", recipe, store=store)
    assert not list(store.glob("studies/*"))
    assert (verify(store).problems, verify(store).unchecked) == ([], [])
    shutil.move(data / "votes.csv", data / "moved.csv")
    assert len(verify(store).unchecked) == 1
    vw.fit(vw.Dataset.from_files(data / "inputs.npy", data / "moved.csv"), "soft", recipe, store=store)
    assert (verify(store).problems, verify(store).unchecked) == ([], [])
    lines = (data / "moved.csv").read_text().splitlines()
    (data / "moved.csv").write_text("\n".join(lines[:-1]) + "\n")
    (line,) = verify(store).unchecked
    assert line.startswith(f"{run.folder.name}: the data is missing or has changed")
    (run.folder / "data.json").write_text("[1")
    assert len(verify(store).unchecked) == 1


def test_a_run_trained_again_has_the_same_bits(store: Path, tmp_path: Path) -> None:
    run = Run(store / SOFT)
    (found,) = verify(complete_again(run, tmp_path / "again"), retrain=[run.id]).retrained
    assert (found.environment, found.same_labels, found.different, found.change) == ([], True, [], 0.0)
    assert str(found) == f"{run.name}: trained again; all files are identical"


def test_elsewhere_a_run_trained_again_has_the_same_labels(store: Path) -> None:
    run = Run(store / SOFT)  # trained on some other machine: the bits may differ
    edit(run.folder / "environment.json", lambda it: it["segments"][0]["environment"].update(device="another"))
    found = verify(store, retrain=[run.name])
    (again,) = found.retrained
    assert (found.problems, again.same_labels, "device" in again.environment) == ([], True, True)
    assert "in a different environment (device" in str(again)
    assert "'history.jsonl', 'predictions.npz' differ" in str(again)  # which has more fields now
    assert "changed by 0" not in str(again)


def test_other_labels_or_other_bits_of_a_retrained_run_are_a_problem(store: Path, tmp_path: Path) -> None:
    again = complete_again(Run(store / SOFT), tmp_path / "again")
    Run(again / SOFT).archive(tmp_path / "archive")
    folder = tmp_path / "archive" / SOFT
    shutil.copyfile(again / SOFT / "data.json", folder / "data.json")
    edit_sealed(folder, lambda scores: scores["digests"].update({"best.safetensors": "0" * 64}))
    (problem,) = verify(tmp_path / "archive", retrain=[Run(folder).id]).problems
    assert "trained again in the same environment has different files: 'best.safetensors'" in problem
    edit_sealed(folder, lambda scores: scores.update(tape="0" * 64))
    (problem,) = verify(tmp_path / "archive", retrain=[Run(folder).id]).problems
    assert "the run trained again has different labels" in problem


@pytest.mark.parametrize("change", [{"classes": ["dog", "cat"]}, {"mean": [0.0]}])
def test_another_description_of_the_model_is_a_problem(change: dict, store: Path, tmp_path: Path) -> None:
    again = complete_again(Run(store / SOFT), tmp_path / "again")
    assert verify(again).problems == []
    edit_sealed(again / SOFT, lambda scores: scores["net"].update(change))
    (problem,) = verify(again).problems
    assert f"the description of the model ('{min(change)}')" in problem


def test_an_unknown_run_cannot_be_trained_again(store: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["votewise", "verify", str(store), "--retrain", "0123456789abcdef"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "no finished run '0123456789abcdef'" in capsys.readouterr().err


def complete_again(run: Run, path: Path) -> Path:
    """A store with this run alone, trained here."""
    complete(Datasets(Store(run.store)).get(run.config), run.config, path)
    return path


def edit_sealed(folder: Path, change: Callable[[dict], None]) -> None:
    values = json.loads((folder / "scores.json").read_text())
    change(values)
    (folder / "scores.json").write_text(json.dumps(sealed(values)))
