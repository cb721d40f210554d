"""The commands on texts: fit, compare and its page, probe, and bad input with exit code 2."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import votewise as vw
from tiny_bert import rated, tiny_bert
from votewise.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model, a file of comments with votes in it, and a cache."""
    data = rated(60)
    rows = ["item,comment,label"]
    for item, (text, counts) in enumerate(zip(data.inputs.ravel().tolist(), data.votes.counts().tolist(), strict=True)):
        shown = f"{text} <b>&amp;" if item == 0 else text
        rows += [f"{item},{shown},{label}" for label, n in zip(("no", "yes"), counts, strict=True) for _ in range(n)]
    (tmp_path / "comments.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "bert.toml").write_text(f'model = "{tiny_bert(tmp_path / "bert")}"\nlr = 0.005\n')
    monkeypatch.setenv("VOTEWISE_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def votewise(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["votewise", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


COMMENTS = ("--votes", "comments.csv", "--text", "comment")


def test_fit_fine_tunes_and_probes_run_on_it(folder: Path, monkeypatch, capsys) -> None:
    assert votewise(monkeypatch, "fit", *COMMENTS, "--recipe", "bert.toml", "--epochs", "1", "--json") == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["net"]["truncated"] == 0
    assert votewise(monkeypatch, "probe", summary["folder"], "--only", "noise,reliability,spread,dynamics") == 0
    readings = {path.name.partition("-")[0] for path in Path(summary["folder"], "probes").iterdir()}
    assert readings == {"noise", "reliability", "spread", "dynamics"}
    assert votewise(monkeypatch, "verify", "votewise-store") == 0


def test_fit_trains_a_head_on_embeddings(folder: Path, monkeypatch, capsys) -> None:
    assert votewise(monkeypatch, "fit", *COMMENTS, "--encoder", "bert", "--model", "linear", "--epochs", "2") == 0
    assert "held-out" in capsys.readouterr().out
    (run,) = vw.Store("votewise-store").all_runs()
    assert run.origin is not None
    assert run.origin["encoder"] == str(folder / "bert")
    assert votewise(monkeypatch, "probe", str(run.folder), "--only", "curvature") == 0


def test_a_comparison_shows_its_texts(folder: Path, monkeypatch, capsys) -> None:
    words = (
        "--encoder",
        "bert",
        "--methods",
        "soft,majority",
        "--seeds",
        "0,1",
        "--epochs",
        "2",
        "--yes",
        "--workers",
        "1",
    )
    assert votewise(monkeypatch, "compare", *COMMENTS, *words) == 0
    page = (folder / "votewise-store/report.html").read_text()
    shown = [text for text in rated(60).inputs.ravel().tolist()[1:] if text in page]
    assert len(shown) > 5
    assert "<b>&amp;" not in page  # it is data, not part of the page


@pytest.mark.parametrize("embedded", [False, True])
def test_texts_in_memory_can_be_compared(folder: Path, embedded: bool) -> None:
    data = rated(40)
    parts = ["train"] * 24 + ["validation"] * 8 + ["test"] * 8
    data = vw.Dataset(data.inputs, data.votes, parts=parts)
    if embedded:
        data = data.embed("bert")
        recipe = vw.Recipe.for_dataset(data, epochs=2)
    else:
        recipe = vw.Recipe.for_dataset(data, model="./bert", epochs=1)
    result = vw.compare(data, ["soft", "majority"], seeds=2, recipe=recipe, store=folder / "store", evidence=False)
    assert result.results.table["seed"].unique().sort().to_list() == [0, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--votes", "comments.csv", "--text", "body"), "unknown column 'body'"),
        (("--votes", "comments.csv", "--text", "comment,label"), "two different values of 'label'"),
        ((*COMMENTS, "--model", "./nowhere"), "does not exist"),
        ((*COMMENTS, "--model", "mlp"), "--encoder"),
        ((*COMMENTS, "--encoder", "./nowhere"), "does not exist"),
        ((*COMMENTS, "--split", "part"), "unknown column 'part'"),
        ((*COMMENTS, "--test", "missing.csv"), "this file does not exist"),
        (("digits", "--encoder", "bert"), "only texts can be embedded"),
        (("digits", "--text", "comment"), "either a named dataset or votes with inputs or text"),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], said: str, folder: Path, monkeypatch, capsys) -> None:
    assert votewise(monkeypatch, "fit", *words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error
