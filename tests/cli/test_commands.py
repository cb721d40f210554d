"""The commands as a person uses them."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import polars.testing
import pytest

import votewise as vw
from votewise.cli import main

VOTEWISE = Path(sys.executable).with_name("votewise")


def votewise(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [VOTEWISE, *arguments], cwd=folder, capture_output=True, text=True, env={"PYTHONUTF8": "1", "COLUMNS": "80"}
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    votes, truth = vw.example_votes(), vw.example_truth()
    vw.write_votes(votes, tmp_path / "votes.csv")
    np.save(tmp_path / "predictions.npy", truth.probability)
    lines = ["item," + ",".join(reversed(votes.classes))]
    for position in range(len(votes) - 1, -1, -1):  # other order of rows and of columns
        shares = truth.probability[position, ::-1]
        lines.append(f"{votes.items[position]}," + ",".join(repr(float(share)) for share in shares))
    (tmp_path / "predictions.csv").write_text("\n".join(lines) + "\n")
    truth = "\n".join(f"{item},{votes.classes[k]}" for item, k in zip(votes.items, truth.majority(), strict=True))
    (tmp_path / "truth.csv").write_text("item,label\n" + truth + "\n")
    return tmp_path


def test_describe_draws_for_people_and_prints_json_for_machines(folder: Path) -> None:
    done = votewise(folder, "describe", "votes.csv")
    assert done.returncode == 0, done.stderr
    assert "Krippendorff" in done.stdout
    assert "█" in done.stdout
    assert "multipass" in done.stdout
    assert "read as" in done.stderr
    found = json.loads(votewise(folder, "describe", "votes.csv", "--json").stdout)
    (profile,) = found["questions"].values()
    assert profile["advice"]["delivery"] == "multipass"
    assert found["reading"]["rows"] == 2797


def test_score_matches_by_id_and_class_name_whatever_the_order(folder: Path) -> None:
    by_place = json.loads(votewise(folder, "score", "predictions.npy", "votes.csv", "--json").stdout)
    by_name = json.loads(
        votewise(folder, "score", "predictions.csv", "votes.csv", "--json", "--truth", "truth.csv").stdout
    )
    card = vw.score(vw.example_truth().probability, vw.example_votes())
    for name, value in by_place["scores"].items():
        assert by_name["scores"][name] == pytest.approx(value, abs=1e-12), name
        assert card.scores[name] == pytest.approx(value, abs=1e-12), name
    assert "accuracy_truth" in by_name["scores"]
    assert by_name["scores"]["accuracy_truth"] == 1.0


def test_score_says_how_it_read_and_matched_the_predictions(folder: Path) -> None:
    done = votewise(folder, "score", "predictions.csv", "votes.csv")
    assert done.returncode == 0, done.stderr
    read = "predictions.csv: 400 predictions read as probabilities (detected by values)"
    assert f"{read}, matched by item id and class name\n" in done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    done = votewise(folder, "score", "predictions.npy", "votes.csv")
    for words in (
        "matched by position\n",
        "no item ids: matched in the order of votes.items (sorted by id), 'message-000'",
        "'anger', 'fear'",
    ):
        assert words in done.stderr
    assert "no item ids" in done.stdout
    notes = json.loads(votewise(folder, "score", "predictions.npy", "votes.csv", "--json").stdout)["notes"]
    assert any("no item ids" in note for note in notes)


def test_score_reads_other_layouts_by_their_options(folder: Path) -> None:
    table = (folder / "predictions.csv").read_text()
    (folder / "other.csv").write_text(table.replace("item,", "message;", 1).replace(",", ";"))
    truth = [line.partition(",")[2] for line in (folder / "truth.csv").read_text().splitlines()[1:]]
    (folder / "truth.txt").write_text("\n".join(truth) + "\n")
    done = votewise(
        folder, "score", "other.csv", "votes.csv", "--prediction-item", "message", "--truth", "truth.txt", "--json"
    )
    found = json.loads(done.stdout)
    assert found["settings"]["matched_by"] == "item id and class name"
    assert found["scores"]["accuracy_truth"] == 1.0
    assert any(note.startswith("true classes have no item ids") for note in found["notes"])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--dialect", "klingon"], "--dialect"),
        (["--kind", "odds"], "--kind"),
        (["--bins", "0"], "--bins"),
        (["--intervals", "1"], "--intervals"),
        (["--intervals", "9", "--level", "95"], "--level"),
        (["--intervals", "9", "--over", "people"], "--over"),
        (["--ceiling", "0"], "--ceiling"),
        (["--level", "0.9"], "--intervals"),
        (["--over", "items"], "--intervals"),
    ],
)
def test_a_wrong_option_is_blamed_on_the_option_not_on_a_file(
    folder: Path, options: list[str], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", ["votewise", "score", "predictions.npy", "votes.csv", *options])
    with pytest.raises(SystemExit, match="2"):
        main()
    told = capsys.readouterr().err
    assert words in told
    assert "votes.csv" not in told
    assert "predictions.npy" not in told


def test_score_says_when_its_arguments_are_swapped(folder: Path) -> None:
    for predictions in ("predictions.csv", "predictions.npy"):
        done = votewise(folder, "score", "votes.csv", predictions)
        assert done.returncode == 2
        assert "the arguments seem to be swapped: votes.csv holds votes" in done.stderr


@pytest.mark.parametrize("dialect", ["paper", "chaosnli", "lewidi2023", "lewidi2025", "kurniawan", "baan"])
def test_every_dialect_names_its_convention(folder: Path, dialect: str) -> None:
    done = votewise(folder, "score", "predictions.npy", "votes.csv", "--dialect", dialect, "--json")
    found = json.loads(done.stdout)["dialect"]
    assert found["name"] == dialect
    assert found["scores"]
    assert set(found["definitions"]) == set(found["scores"])


def test_a_file_with_several_questions_is_described_question_by_question(tmp_path: Path) -> None:
    several = Path(__file__).parents[1] / "fixtures/readers/lewidi2025-several.json"
    found = json.loads(votewise(tmp_path, "describe", str(several), "--json").stdout)["questions"]
    assert len(found) > 1
    one = json.loads(votewise(tmp_path, "describe", str(several), "--json", "--question", next(iter(found))).stdout)[
        "questions"
    ]
    assert one == {next(iter(found)): next(iter(found.values()))}
    done = votewise(tmp_path, "score", "p.npy", str(several))
    assert done.returncode == 2
    assert "--question" in done.stderr


def test_the_tour_goes_the_whole_way_and_is_the_same_every_time(tmp_path: Path) -> None:
    done = votewise(tmp_path, "tour")
    assert done.returncode == 0, done.stderr
    for word in (*vw.DELIVERIES, "soft_nll", "Krippendorff"):
        assert word in done.stdout
    assert done.stdout == votewise(tmp_path, "tour").stdout
    assert list(tmp_path.iterdir()) == []


def test_help_and_version() -> None:
    assert "describe" in votewise(Path(), "--help").stdout
    assert votewise(Path(), "--version").stdout.startswith("votewise ")


def test_a_reader_of_the_output_may_go_away(folder: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{VOTEWISE} describe votes.csv | head -1"], cwd=folder, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr


def test_the_module_is_the_command(folder: Path) -> None:
    command = [sys.executable, "-m", "votewise", "describe", "votes.csv", "--json"]
    module = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert module.stdout == votewise(folder, "describe", "votes.csv", "--json").stdout
    command[4] = "nothing.csv"
    assert subprocess.run(command, cwd=folder, capture_output=True, text=True).returncode == 2


def test_scores_may_be_chosen_and_may_be_of_your_own(folder: Path, monkeypatch, capsys) -> None:
    (folder / "scores_of_the_command.py").write_text(
        "import votewise as vw\n\ndef doubt(b):\n    return 1 - b.model.max(axis=0)\n\n"
        "own = vw.Score.mean_of(doubt, meaning='mean over items of 1 - max q')\n"
    )
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", list(sys.path))
    run(monkeypatch, "score", "predictions.npy", "votes.csv", "--scores", "kl, scores_of_the_command:own", "--json")
    assert list(json.loads(capsys.readouterr().out)["scores"]) == ["kl", "doubt"]


@pytest.mark.parametrize("option", [("--over", "items"), ("--level", "0.9")])
def test_options_of_intervals_need_intervals(folder: Path, monkeypatch, capsys, option: tuple[str, str]) -> None:
    monkeypatch.chdir(folder)
    assert run(monkeypatch, "score", "predictions.npy", "votes.csv", *option) == 2
    assert "--intervals" in capsys.readouterr().err


def run(monkeypatch, *arguments: str) -> object:
    """The exit code of a command."""
    monkeypatch.setattr(sys, "argv", ["votewise", *arguments])
    with pytest.raises(SystemExit) as stopped:
        main()
    return stopped.value.code


def test_describe_writes_a_page_and_tables(folder: Path) -> None:
    plain = votewise(folder, "describe", "votes.csv")
    files = ["--html", "profile.html", "--items", "items.csv", "--top", "7", "--annotator-table", "people.parquet"]
    done = votewise(folder, "describe", "votes.csv", *files)
    assert done.returncode == 0, done.stderr
    assert done.stdout == plain.stdout
    assert [line for line in done.stderr.splitlines() if line.startswith("wrote")] == [
        "wrote items.csv", "wrote people.parquet", "wrote profile.html",
    ]  # fmt: skip
    pl.testing.assert_frame_equal(pl.read_csv(folder / "items.csv"), vw.next_items(vw.example_votes(), 7).to_polars())
    assert pl.read_parquet(folder / "people.parquet").height == len(vw.annotator_table(vw.example_votes()))
    assert "Content-Security-Policy" in (folder / "profile.html").read_text()


def test_describe_says_what_a_budget_buys(folder: Path) -> None:
    done = votewise(folder, "describe", "votes.csv", "--budget", "5000")
    assert str(vw.budget(vw.example_votes(), 5000)) in done.stdout
    assert votewise(folder, "describe", "votes.csv", "--budget", "1").returncode == 2


def test_score_writes_a_row_per_item(folder: Path) -> None:
    done = votewise(folder, "score", "predictions.csv", "votes.csv", "--per-item", "items.csv")
    assert done.returncode == 0, done.stderr
    frame = pl.read_csv(folder / "items.csv")
    card = vw.score(vw.example_truth().probability, vw.example_votes())
    assert frame["kl"].mean() == pytest.approx(card["kl"])
    assert votewise(folder, "score", "predictions.csv", "votes.csv", "--per-item", "items.doc").returncode == 2


def test_a_profile_page_says_where_its_votes_come_from(tmp_path: Path) -> None:
    text = "id,photo,who,answer\n1,a,x,cat\n2,a,y,Cat\n3,b,x,dog\n4,b,y,?\n5,b,z,dog\n"
    (tmp_path / "votes.csv").write_text(text)
    (tmp_path / "clean.toml").write_text('item = "photo"\nmissing = ["?"]\n[map]\nCat = "cat"\n')
    pages = []
    for _ in range(2):
        arguments = ["votes.csv", "--cleaning", "clean.toml", "--html", "page.html"]
        subprocess.run([VOTEWISE, "describe", *arguments], cwd=tmp_path, check=True, capture_output=True)
        pages.append((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    with pytest.warns(vw.DroppedVotes):
        votes = vw.read_votes(tmp_path / "votes.csv", cleaning=tmp_path / "clean.toml")
    source = pages[0].partition('id="source"')[2]
    for said in (
        "votes.csv, 5 rows", hashlib.sha256(text.encode()).hexdigest(), votes.fingerprint, "cleaning=clean.toml", "left out 1: no label",
        "&#x27;?&#x27; -&gt; missing, &#x27;Cat&#x27; -&gt; &#x27;cat&#x27;", f"votewise {vw.__version__}",
    ):  # fmt: skip
        assert said in source, said
    assert str(tmp_path) not in pages[0]
