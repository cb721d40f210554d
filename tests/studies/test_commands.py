"""`votewise reproduce` and `votewise compare` as a person uses them: stopped, continued, sharded, given wrong things."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from processes import unmeasured
from toy_study import bits, toy_plan, write_data
from votewise.cli import COMMANDS, app, main
from votewise.cli.screen import progress_bars, telling_once
from votewise.cli.study import numbers
from votewise.datasets import load_dataset
from votewise.errors import VotewiseError
from votewise.papers import paper as paper_called
from votewise.studies import Agenda, Estimate, Event, Plan, Store, read_plan, remarks
from votewise.training import complete
from votewise.votes import DoubtfulClasses
from votewise.workflows import announcement
from votewise.workflows.announcing import comparisons, too_few_seeds

study = paper_called("basins").plan
VOTEWISE = Path(sys.executable).with_name("votewise")


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["votewise", *map(str, arguments)])
    with pytest.raises(SystemExit) as stopped:
        main()
    return int(stopped.value.code or 0)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write_data(tmp_path)
    (tmp_path / "plan.toml").write_text(toy_plan(tmp_path).toml())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


def test_a_study_is_trained_once_and_two_shards_make_a_whole(folder: Path, monkeypatch, capsys) -> None:
    assert run(monkeypatch, "reproduce", "plan.toml", "--store", "s", "--shard", "0/2", "--workers", "1") == 0
    half = capsys.readouterr()
    assert "2 runs; already finished: 0" in half.err
    assert half.out.count("missing: ") == 2
    dataset = read_plan("plan.toml").dataset.load()
    for config in read_plan("plan.toml").configs(dataset):
        complete(dataset, config, Path("s"))  # somebody else's shard
    before = bits(Path("s"))
    assert run(monkeypatch, "reproduce", "plan.toml", "--store", "s") == 0
    whole = capsys.readouterr()
    assert "4 runs; already finished: 4" in whole.err
    assert "soft" in whole.out
    assert "±" in whole.out
    assert "missing" not in whole.out
    assert run(monkeypatch, "reproduce", "plan.toml", "--store", "s", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["studies"]["toy"]["missing"] == []
    assert [row["n"] for row in found["studies"]["toy"]["means"]] == [2, 2]
    assert bits(Path("s")) == before


def test_a_comparison_leaves_a_plan_that_can_be_run_again(folder: Path, monkeypatch, capsys) -> None:
    arguments = ["--inputs", "inputs.npy", "--votes", "votes.csv", "--methods", "soft,multipass", "--seeds", "0-1"]
    arguments += ["--votes-per-item", "2,all", "--epochs", "2", "--store", "s", "--workers", "1", "--json"]
    assert run(monkeypatch, "compare", *arguments) == 0
    first = capsys.readouterr()
    assert "compare: 2 methods × K = 2, all × 2 seeds = 8 runs on votes.csv" in first.err
    monkeypatch.chdir("/")
    again = ["reproduce", folder / "s/studies/compare/plan.toml", "--store", folder / "s", "--json"]
    assert run(monkeypatch, *again) == 0
    second = capsys.readouterr()
    assert "8 runs; already finished: 8" in second.err
    assert json.loads(second.out)["studies"] == json.loads(first.out)["studies"]


def test_an_unsupported_probe_is_reported_first_and_skipped(folder: Path, monkeypatch, capsys) -> None:
    rows = "".join(f'\n[[probes]]\nname = "{name}"\nmethods = ["soft"]\n' for name in ("ood", "dynamics"))
    (folder / "unusual.toml").write_text((folder / "plan.toml").read_text() + rows)
    assert run(monkeypatch, "reproduce", "unusual.toml", "--store", "s", "--workers", "1") == 0
    err = capsys.readouterr().err
    assert err.index("skipped: ood, because own has no out-of-distribution inputs") < err.index("1/4 ")
    assert {path.name.split("-")[0] for path in Path("s").glob("runs/*/probes/*.json")} == {"dynamics"}


def test_a_warning_is_one_line_once_whoever_reads_the_votes(folder: Path) -> None:
    """The command and its worker both read the file with a vote that has no label."""
    with open("votes.csv", "a") as file:
        file.write("0,p9,\n")
    line = f"{folder}/votes.csv: read as long-table (columns item, annotator, label), 301 rows; dropped 1: no label"
    command = [VOTEWISE, "reproduce", "plan.toml", "--store", "s", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines().count(line) == 1
    assert done.stderr.count("DroppedVotes") + done.stderr.count(".py") + done.stderr.count("dropped") == 1


def test_a_warning_of_several_lines_becomes_one(capsys) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = telling_once()
        for _ in range(3):
            warnings.warn("votes.csv:\n  class 'dgo' looks like 'dog'", DoubtfulClasses, stacklevel=1)
        warnings.warn("something else", UserWarning, stacklevel=1)
    assert capsys.readouterr().err == "votes.csv; class 'dgo' looks like 'dog'\nsomething else\n"


def test_away_from_a_terminal_progress_is_a_line_for_each_tenth(capsys) -> None:
    for jobs, lines in ((3, 3), (63, 10)):
        with progress_bars() as on_progress:
            for job in range(jobs):
                on_progress(Event("probes", job + 1, jobs, jobs, f"job {job}"))
        told = capsys.readouterr().err.splitlines()
        assert len(told) == lines
        assert told[-1].startswith(f"{jobs}/{jobs} ")


def test_studies_of_a_later_page_are_counted_from_the_start(capsys) -> None:
    with progress_bars() as on_progress:
        for jobs in (2, 3):
            for job in range(jobs):
                on_progress(Event("training", job + 1, jobs, jobs, f"job {job}"))
    assert [line.split()[0] for line in capsys.readouterr().err.splitlines()] == ["1/2", "2/2", "1/3", "2/3", "3/3"]


def test_the_time_left_counts_all_epochs_of_slow_runs(monkeypatch, capsys) -> None:
    """Two workers, one epoch of each a minute: the time left is not that of the last two epochs, which end together."""
    now = [0.0]
    monkeypatch.setattr("rich.console.monotonic", lambda: now[0])
    with progress_bars() as on_progress:
        for epoch in range(1, 41):
            now[0] += 59
            on_progress(Event("training", 2 * epoch - 1, 400, 10))
            now[0] += 1
            on_progress(Event("training", 2 * epoch, 400, 10, "a run" if epoch == 40 else None))
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "1/10 a run, about 2 h 38 min left"  # 320 epochs, two a minute, from the first one that ended


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(folder: Path, monkeypatch, capsys) -> None:
    plan = toy_plan(folder, methods=["soft"], epochs=150)
    Path("plan.toml").write_text(plan.toml())
    command = [VOTEWISE, "reproduce", "plan.toml", "--store", "s", "--workers", "1"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        while not process.stderr.readline().startswith("1/2 "):
            pass
        os.killpg(process.pid, signal.SIGINT)  # to all of them, as a terminal does
        err = process.communicate()[1]  # which ends when the last of them has closed its streams
    assert process.returncode == 130
    assert err.strip() == (
        "Stopped. Run the same command again to resume: finished runs are kept, and the others continue from their last"
        " checkpoint (at most 60 s old)."
    )
    dataset = plan.dataset.load()
    assert [Store("s").run(config).finished for config in plan.configs(dataset)] == [True, False]
    assert run(monkeypatch, *command[1:]) == 0
    assert "2 runs; already finished: 1" in capsys.readouterr().err
    for config in plan.configs(dataset):
        complete(dataset, config, Path("here"))
    assert bits(Path("s")) == bits(Path("here"))


def test_a_failed_run_is_exit_code_3_at_the_end(folder: Path, monkeypatch, capsys) -> None:
    plan = toy_plan(folder, methods=["soft"], recipe={"model": "linear", "epochs": 3, "batch_size": 16, "lr": 1e38})
    Path("plan.toml").write_text(plan.toml())
    assert run(monkeypatch, "reproduce", "plan.toml", "--store", "s", "--workers", "1") == 3
    out, err = capsys.readouterr()
    assert err.splitlines()[-1].startswith("votewise: 2 runs failed: own-soft-s0-")
    assert "learning rate" in err
    assert out.count("missing: ") == 2


def test_a_full_disk_is_one_sentence_and_nothing_finished_is_lost(folder: Path) -> None:
    """A limit on the size of files is the disk that a test can fill: small runs fit it, large ones do not."""
    plan = toy_plan(folder, methods=["soft"])
    dataset = plan.dataset.load()
    small = plan.configs(dataset)[0]
    complete(dataset, small, folder / "s")
    before = bits(folder / "s")
    Path("plan.toml").write_text(
        toy_plan(folder, methods=["soft"], epochs=300, recipe={**plan.recipe, "model": "mlp"}).toml()
    )
    command = [VOTEWISE, "reproduce", "plan.toml", "--store", "s", "--workers", "1"]
    limited = ["bash", "-c", 'ulimit -f 49 && exec "$0" "$@"', *command]  # blocks of 1,024 bytes
    done = subprocess.run(limited, env=unmeasured(), capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    sentence = done.stderr.splitlines()[-1]
    assert sentence.startswith("votewise: ")
    assert "cannot be written (File too large); check the space" in sentence
    assert "Traceback" not in done.stderr
    assert bits(folder / "s").items() >= before.items()
    assert Store(folder / "s").run(small).finished


def test_a_read_only_folder_is_one_sentence(folder: Path) -> None:
    """Root may write everywhere, so the process gives its rights up once it has imported what it needs."""
    (folder / "locked").mkdir()
    (folder / "locked").chmod(0o555)
    program = """
import os, sys
import votewise.workflows
from votewise import studies
from votewise.cli import main
from votewise.training import Engine
plan = studies.read_plan("plan.toml")
studies.agenda([plan], studies.Store("locked/s"))
Engine().prepare()
os.getuid() or os.seteuid(65534)
sys.argv = ["votewise", "reproduce", "plan.toml", "--store", "locked/s"]
main()
"""
    os.chmod(folder, 0o755)
    done = subprocess.run([sys.executable, "-c", program], env=unmeasured(), capture_output=True, text=True)
    assert done.returncode == 2, done.stderr
    assert "locked/s" in done.stderr.splitlines()[-1]
    assert "cannot be created (Permission denied); use a --store that is writable" in done.stderr.splitlines()[-1]
    assert not list((folder / "locked").iterdir())


BAD: dict[str, tuple[list[str], list[str]]] = {
    "an unknown study": (["reproduce", "mian"], ["mian", "main", ".toml"]),
    "a plan that is not there": (["reproduce", "other.toml"], ["other.toml", "this file does not exist"]),
    "an unknown preset": (["reproduce", "main", "--preset", "quick"], ["quick", "demo"]),
    "an unknown key": (["reproduce", "typo.toml"], ["typo.toml", "sedes", "seeds"]),
    "an unknown probe": (["reproduce", "probed.toml"], ["curvatur", "'curvature'"]),
    "seeds that are none": (["reproduce", "main", "--seeds", "one"], ["one", "0-4"]),
    "seeds from high to low": (["reproduce", "main", "--seeds", "4-1"], ["4-1", "0-4"]),
    "no epochs": (["reproduce", "main", "--epochs", "0"], ["epochs", "0"]),
    "a shard that is none": (["reproduce", "plan.toml", "--shard", "2/2"], ["2/2", "0/4"]),
    "no workers": (["reproduce", "plan.toml", "--workers", "0"], ["workers (--workers) must be a whole number of 1 or more"]),
    "an unknown executor": (["reproduce", "plan.toml", "--on", "slurm"], ["slurm", "ray"]),
    "a device that is not there": (["reproduce", "plan.toml", "--device", "cuda"], ["cuda", "use cpu"]),
    "data that is not there": (
        ["reproduce", "main", "--preset", "cpu"],
        ["nowhere/cifar10h/cifar10-test.npz", "votewise fetch cifar10h"],
    ),
    "votes without inputs": (["compare", "--votes", "votes.csv"], ["votes with inputs"]),
    "inputs without votes": (["compare", "--inputs", "inputs.npy"], ["votes with inputs"]),
    "two kinds of data": (["compare", "digits", "--inputs", "inputs.npy", "--votes", "votes.csv"], ["either a named dataset or votes"]),
    "an unknown method": (
        ["compare", "--inputs", "inputs.npy", "--votes", "votes.csv", "--methods", "soft,hard"],
        ["hard", "multipass"],
    ),
    "no votes at all": (
        ["compare", "--inputs", "inputs.npy", "--votes", "votes.csv", "--votes-per-item", "0"],
        ["the comparison: votes_per_item must be 1 or more, or 'all', got 0"],
    ),
    "a name that leads elsewhere": (
        ["compare", "--inputs", "inputs.npy", "--votes", "votes.csv", "--name", "../x"],
        ["name must be letters, digits", "got '../x'"],
    ),
    "a method named twice": (
        ["compare", "--inputs", "inputs.npy", "--votes", "votes.csv", "--methods", "soft,sls,soft"],
        ["the comparison: the method 'soft' is listed twice"],
    ),
    "methods that have no name": (
        ["compare", "--inputs", "inputs.npy", "--votes", "votes.csv", "--methods", ","],
        ["the comparison: a method is missing"],
    ),
    "a probe of two runs with one": (
        ["reproduce", "alone.toml", "--store", "s"],
        ["alone.toml [[probes]] 1: the probe diagnosis compares two runs", 'against = "soft"'],
    ),
    "no threads": (["reproduce", "plan.toml", "--threads", "0"], ["threads must be", "got 0"]),
    "a time below zero": (["reproduce", "plan.toml", "--checkpoint-seconds", "-1"], ["checkpoint_seconds must be", "-1.0"]),
    "a device nobody knows": (["probe", ".", "--device", "gpu"], ["'gpu'", "use 'cpu' or 'cuda'"]),
    "a page of a file": (["report", "plan.toml"], ["plan.toml: this is a file"]),
    "a page of nothing": (["report", "elsewhere"], ["elsewhere: no such folder"]),
    "weights that multipass cannot use": (
        ["compare", "--inputs", "inputs.npy", "--votes", "weighted.csv", "--methods", "soft,multipass"],
        ["weights", "multipass"],
    ),
    "a store that is none": (["verify", "plan.toml"], ["plan.toml", "no runs"]),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_sentence_and_nothing_is_written(case: str, folder: Path, monkeypatch, capsys) -> None:
    if case == "a device that is not there":
        import torch

        if torch.cuda.is_available():
            pytest.skip("there is a CUDA device here")
    monkeypatch.setenv("VOTEWISE_DATA", "nowhere")
    (folder / "typo.toml").write_text((folder / "plan.toml").read_text().replace("seeds", "sedes"))
    for file, name in (("probed", "curvatur"), ("alone", "diagnosis")):
        probed = f'[[probes]]\nname = "{name}"\nmethods = ["soft"]\n'
        (folder / f"{file}.toml").write_text(f"{(folder / 'plan.toml').read_text()}\n{probed}")
    lines = (folder / "votes.csv").read_text().splitlines()
    weighted = [f"{line},{1 + number % 2}" for number, line in enumerate(lines[1:])]
    (folder / "weighted.csv").write_text("\n".join([lines[0] + ",weight", *weighted]) + "\n")
    before = sorted(path.name for path in folder.rglob("*"))
    arguments, words = BAD[case]
    assert run(monkeypatch, *arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    sentence = err.splitlines()[-1]
    assert sentence.startswith("votewise: ")
    assert "; " in sentence or " must be " in sentence
    assert "Traceback" not in err
    for word in words:
        assert word in sentence
    assert sorted(path.name for path in folder.rglob("*")) == before


def test_the_announcement_says_what_the_seeds_can_decide() -> None:
    """Five seeds can never survive Holm over the twelve cells of the sweep: that takes eight one-sided, nine two-sided."""
    digits = load_dataset("digits")
    paper = study("sparse", "paper").model_copy(update={"dataset": study("main").dataset})
    assert comparisons(paper) == 12
    assert (
        comparisons(paper.model_copy(update={"paper": None})) == 15
    )  # a user's comparison tests the rows with all votes too

    def lines(plans: list[Plan], finished: int, expected: Estimate | None) -> list[str]:
        configs = {plan.name: plan.configs(digits) for plan in plans}
        runs = [config for group in configs.values() for config in group]
        work = Agenda(tuple(plans), digits, configs, runs, runs[finished:], [], [], [])
        return list(announcement(work, Store("."), 2, expected))

    text = "\n".join(lines([paper], 7, Estimate(9000, 2_500_000_000)))
    assert "sparse: 4 methods × K = 5, 10, 25, 50, all × 5 seeds = 100 runs on digits" in text
    assert "100 runs; already finished: 7" in text
    assert (
        "training takes about 2 h 30 min on 2 workers and needs 2 GB in . (estimated from similar finished runs)"
        in text
    )
    assert "Wilcoxon test is 0.031 (one-sided) or 0.062 (two-sided)" in text
    assert (
        "over 12 comparisons needs at least 8 seeds (one-sided) or 9 (two-sided); with 5, no difference can be significant"
        in text
    )
    test = "two-sided exact Wilcoxon test at level 0.05 and Holm's correction over 15 comparisons"
    own = paper.model_copy(update={"paper": None, "seeds": tuple(range(8))})
    assert too_few_seeds(own) == (
        f"with 8 seeds, no difference between methods can be significant; use at least 10 seeds ({test})"
    )
    enough = own.model_copy(update={"seeds": tuple(range(10))})
    assert too_few_seeds(enough) == too_few_seeds(paper) == ""
    assert f"sparse: 10 seeds can show a difference between methods ({test})" in lines([enough], 0, None)
    demo = lines([study("resampling"), study("ablation")], 0, None)
    assert any("sls-every-22 draws labels only once" in line for line in demo)
    assert any("in 22 epochs an item delivers 44% of its 50 votes" in line for line in demo)
    assert "training uses 2 workers; the remaining time is shown with the progress" in demo
    alone = paper.model_copy(update={"seeds": (3,), "methods": paper.methods[:1], "paper": None})
    _, number, method, *_ = lines([alone], 0, None)
    assert number == "sparse: the seed has the number 3; --seeds 0-2 trains 3 seeds"
    assert "with one method, nothing is compared" in method
    basins = study("twins").model_copy(update={"twins": 3})
    (line, *_) = lines([basins], 0, None)
    assert line == "twins: 2 methods × 6 seeds × 3 twins = 36 runs on digits"


@pytest.mark.parametrize("text", ["0-", "5-0", "-3", "1,,2", ""])
def test_seeds_that_are_not_a_list_are_refused(text: str) -> None:
    with pytest.raises(VotewiseError, match=r"^seeds must be"):
        numbers(text)


def test_more_votes_than_items_have_are_told(folder: Path) -> None:
    """Sixty items with five votes each: nested draws keep them, multinomial ones repeat them."""
    for subsample, fate in (
        ("nested", "keep all of them"),
        ("multinomial", "get 9 votes drawn with replacement"),
    ):
        plan = toy_plan(folder, methods=["multipass"], votes_per_item=[2, 5, 9], subsample=subsample, epochs=4)
        cycle, fewer = remarks(plan, plan.dataset.load())
        assert fewer == f"60 of 60 items have fewer than 9 votes and {fate}"
        assert cycle.startswith(
            f"in 4 epochs an item delivers {'80% of its 5' if subsample == 'nested' else '44% of its 9'} votes"
        )
        assert cycle.endswith("no cycle of multipass is complete with K = 5, 9")  # with K = 2, two are


def test_help_says_what_can_be_done() -> None:
    for command, examples in COMMANDS.items():
        found = CliRunner(env={"COLUMNS": "200"}).invoke(app, [command.__name__, "--help"])
        assert found.exit_code == 0
        for example in examples:
            assert example in found.stdout


def test_images_of_a_folder_are_compared_too(tmp_path: Path) -> None:
    """The plan of a folder of images keeps what is needed to read it again."""
    from PIL import Image

    (tmp_path / "pictures").mkdir()
    rng = np.random.default_rng(0)
    for item in range(12):
        picture = rng.integers(0, 255, (9, 11, 3)).astype(np.uint8)
        Image.fromarray(picture).save(tmp_path / f"pictures/{item}.png")
    write_data(tmp_path, items=12)
    plan = toy_plan(
        tmp_path,
        dataset={
            "inputs": str(tmp_path / "pictures"),
            "votes": str(tmp_path / "votes.csv"),
            "size": 8,
            "augment": ["flip"],
        },
    )
    (tmp_path / "plan.toml").write_text(plan.toml())
    dataset = read_plan(tmp_path / "plan.toml").dataset.load()
    assert dataset.inputs.shape == (12, 8, 8, 3)
    assert dataset.augment == ("flip",)
