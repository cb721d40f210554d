"""`votewise fit` as a person uses it on their own data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from votewise.cli import main
from votewise.profile.interpolation import meaning
from votewise.studies import Source, Store
from votewise.training import Run

OPTIONS = (
    "format",
    "item",
    "label",
    "annotator",
    "weight",
    "classes",
    "ordinal",
    "duplicates",
    "question",
    "size",
    "augment",
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twenty items with four features, and three people who call each of them 'Hund, groß' or 'Katze'."""
    rng = np.random.default_rng(3)
    np.save(tmp_path / "x.npy", rng.normal(size=(20, 4)))
    names = ('"Hund, groß"', "Katze")
    lines = [f"{item},p{person},{names[rng.integers(2)]}" for item in range(20) for person in range(3)]
    (tmp_path / "votes.csv").write_text("\n".join(["picture,who,what", *lines, ""]), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


NAMED = ["--item", "picture", "--annotator", "who", "--label", "what", "--classes", '"Hund, groß", Katze']


def fit(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    own = ["--inputs", "x.npy", "--votes", "votes.csv", *NAMED, "--epochs", "2"]
    monkeypatch.setattr(sys, "argv", ["votewise", "fit", *own, *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


def test_it_reads_votes_by_the_options_of_compare(folder: Path, monkeypatch, capsys) -> None:
    """The run is one of the dataset that a plan with the same options has, so probes find its data."""
    assert fit(monkeypatch, "--json") == 0
    run = Path(json.loads(capsys.readouterr().out)["folder"])
    source = Source(
        inputs="x.npy",
        votes="votes.csv",
        item="picture",
        annotator="who",
        label="what",
        classes=("Hund, groß", "Katze"),
    )
    dataset = source.load()
    assert dataset.votes.classes == ("Hund, groß", "Katze")
    assert Run(run).config.dataset == dataset.fingerprint
    assert Store("votewise-store").all_runs() == [Run(run)]


def test_fit_and_compare_take_the_same_options(monkeypatch, capsys) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    for command in ("fit", "compare"):
        monkeypatch.setattr(sys, "argv", ["votewise", command, "--help"])
        with pytest.raises(SystemExit, match="0"):
            main()
        told = capsys.readouterr().out
        assert [name for name in OPTIONS if f"--{name}" not in told] == []
        assert "inputs and items" in told


def test_it_says_on_what_it_was_scored_and_counts_epochs_from_1(folder: Path, monkeypatch, capsys) -> None:
    assert fit(monkeypatch) == 0
    out, err = capsys.readouterr()
    assert "scored on 4 held-out items, trained on 16\n" in out
    (run,) = Store("votewise-store").all_runs()
    assert f"best epoch {run.best.epoch + 1} of 2" in out
    assert err == ""


@pytest.mark.parametrize("apart", [False, True])
def test_it_says_on_which_items_the_best_epoch_was_chosen(folder: Path, monkeypatch, capsys, apart: bool) -> None:
    assert fit(monkeypatch, *(["--selection", "0.2"] if apart else [])) == 0
    out = " ".join(capsys.readouterr().out.split())  # lines are wrapped
    (run,) = Store("votewise-store").all_runs()
    assert (run.chosen_apart, "--selection 0.1" in run.choice) == (apart, not apart)
    assert run.choice in out
    assert run.choice in str(run)
    assert fit(monkeypatch, "--json", *(["--selection", "0.2"] if apart else [])) == 0
    assert json.loads(capsys.readouterr().out)["best_epoch_chosen_apart"] is apart


@pytest.mark.parametrize("method", ["soft", "majority"])
def test_it_says_how_far_the_training_loss_ends_from_its_targets(
    folder: Path, monkeypatch, capsys, method: str
) -> None:
    assert fit(monkeypatch, "--method", method) == 0
    out = " ".join(capsys.readouterr().out.split())  # lines are wrapped
    (run,) = Store("votewise-store").all_runs()
    entropy = run.interpolation.target_entropy
    excess = run.interpolation.train_loss_last - entropy
    relative = excess / (np.log(2) - entropy)
    assert f"excess: {excess:.4f} nats, {100 * relative:.0f} % of the excess of uniform predictions" in out
    assert meaning(method, relative, entropy) in out


def test_the_predictions_it_leaves_can_be_scored_again(folder: Path, monkeypatch, capsys) -> None:
    assert fit(monkeypatch, "--json") == 0
    run = json.loads(capsys.readouterr().out)
    arguments = [f"{run['folder']}/predictions.npz", "votes.csv", *NAMED, "--partial", "--json"]
    for checkpoint in ("best", "last"):
        monkeypatch.setattr(
            sys, "argv", ["votewise", "score", *arguments, "--array", f"log_probabilities_{checkpoint}"]
        )
        with pytest.raises(SystemExit, match="0"):
            main()
        card = json.loads(capsys.readouterr().out)
        assert card["settings"]["matched_by"] == "item id and class name"
        assert card["scores"] == pytest.approx(json.loads(Path(run["folder"], "scores.json").read_text())[checkpoint])


def test_stopped_it_says_how_to_go_on(folder: Path) -> None:
    """A real process at a terminal, interrupted as soon as its bar tells of an epoch."""
    own = ["fit", "--inputs", "x.npy", "--votes", "votes.csv", *NAMED, "--epochs", "100000"]
    ours, theirs = os.openpty()
    with subprocess.Popen([sys.executable, "-m", "votewise", *own], stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        seen = b""
        while b"soft NLL" not in seen:
            seen += os.read(ours, 1000)
        running.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is gone when it has ended
            while text := os.read(ours, 1000):
                seen += text
        assert running.communicate()[0] == b""
    assert running.returncode == 130
    assert seen.endswith(b"Stopped. Run the same command again to resume from the last checkpoint.\r\n")


def test_more_votes_than_people_gave_are_told(folder: Path, monkeypatch, capsys) -> None:
    assert fit(monkeypatch, "--votes-per-item", "3") == 0
    assert capsys.readouterr().err == ""
    for subsample, fate in (
        ("multinomial", "get 99 votes drawn with replacement"),
        ("nested", "keep all of them"),
    ):
        assert fit(monkeypatch, "--votes-per-item", "99", "--subsample", subsample) == 0
        assert capsys.readouterr().err == f"20 of 20 items have fewer than 99 votes and {fate}\n"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--votes-per-item", "0"], "votes_per_item must be a whole number of 1 or more, got 0"),
        (["--subsample", "nest"], "unknown subsample 'nest'; choose 'nested' or 'multinomial'"),
        (["--threads", "0"], "threads must be a whole number of 1 or more, got 0"),
        (["--device", "gpu"], "unknown device 'gpu'; use 'cpu' or 'cuda'"),
        (["--seed", "-1"], "seed must be a whole number of 0 or more, got -1"),
        (["--epochs", "-3"], "preset cpu: epochs must be 1 or more, got -3"),
        (
            ["--duplicates", "newest"],
            "the data: duplicates must be 'error', 'keep', 'first', 'last' or 'majority', got 'newest'",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_written(
    folder: Path, monkeypatch, capsys, options: list[str], sentence: str
) -> None:
    assert fit(monkeypatch, *options) == 2
    assert capsys.readouterr() == ("", f"votewise: {sentence}\n")
    assert sorted(path.name for path in folder.iterdir()) == ["votes.csv", "x.npy"]


def test_votes_without_inputs_are_refused(folder: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["votewise", "fit", "--votes", "votes.csv"])
    with pytest.raises(SystemExit, match="2"):
        main()
    assert "votes and inputs (--votes and --inputs)" in capsys.readouterr().err
