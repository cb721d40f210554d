"""The first hour of a new user, with the real commands and a notebook: from a messy export to a recommendation, and its pages in a browser."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient
from selenium import webdriver
from tests.reporting.test_browser import browser, drawn, emulate, opened  # noqa: F401  # a fixture, and what uses it

VOTEWISE = Path(sys.executable).with_name("votewise")
SPELT = {"toxic": ["Toxic ", "toxc"], "neutral": ["NEUTRAL"], "kind": ["Kind"]}
COMPARE = ["--methods", "soft,multipass", "--seeds", "0-5", "--epochs", "4", "--workers", "2", "--store", "store"]
VOTES = ["votes.csv", "--cleaning", "votes.cleaning.toml"]

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:(jupyter|zmq|nbclient|tornado)")


def write_export(folder: Path, items: int = 120) -> None:
    """votes.csv with ids of rows, misspelt labels and annotators and values that mean missing; features.npz, which decide the votes."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(items, 6)).astype(np.float32)
    share = np.exp(features @ rng.normal(size=(6, 3)))
    ids = [f"c{number}" for number in range(items)]
    rows = []
    for name, text, weights in zip(
        ids, map("comment {}".format, ids), share / share.sum(1, keepdims=True), strict=True
    ):
        for annotator in rng.choice(8, 5, replace=False):
            label = str(rng.choice(list(SPELT), p=weights))
            label = str(rng.choice(SPELT[label])) if rng.random() < 0.08 else "N/A" if rng.random() < 0.02 else label
            who = f"ANN_{annotator} " if rng.random() < 0.04 else f"ann_{annotator}"
            rows.append([f"r{len(rows)}", name, who, label, int(rng.integers(2, 60)), text])
    with (folder / "votes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "comment", "worker", "answer", "seconds", "text"], *rows])
    np.savez(folder / "features.npz", inputs=features, items=np.array(ids))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hour")
    write_export(folder)
    return folder


@pytest.fixture(scope="module")
def hour(folder: Path) -> dict[str, subprocess.CompletedProcess[str]]:
    """What each command of the hour printed."""

    def votewise(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([VOTEWISE, *arguments], cwd=folder, capture_output=True, text=True)

    return {
        "first try": votewise("describe", "votes.csv"),
        "clean": votewise("clean", "votes.csv", "--item", "comment"),
        "describe": votewise("describe", *VOTES, "--json"),
        "html": votewise("describe", *VOTES, "--html", "profile.html", "--items", "next.csv", "--top", "5"),
        "compare": votewise("compare", "--votes", *VOTES, "--inputs", "features.npz", *COMPARE),
    }


def test_the_commands_lead_to_a_recommendation(hour: dict[str, subprocess.CompletedProcess[str]], folder: Path) -> None:
    asked = hour.pop("first try")
    assert (asked.returncode, "--item comment" in asked.stderr) == (2, True)  # ids of rows are not items
    for name, done in hour.items():
        assert done.returncode == 0, f"{name}: {done.stderr}"
    (profile,) = json.loads(hour["describe"].stdout)["questions"].values()
    assert (profile["items"], len(profile["class_share"]), profile["annotators"]) == (120, 3, 8)
    with (folder / "next.csv").open(newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] != [""] * 5  # what to send to annotators
    table, _, end = hour["compare"].stdout.partition("recommendation ─")
    assert "soft NLL, last" in table
    assert "store/studies/compare" in table
    assert end.splitlines()[1].startswith("Use ")
    assert "chosen on validation items" in " ".join(end.split())
    assert end.splitlines()[-1] == "page: store/report.html"
    assert (folder / "store/report.html").exists()


NOTEBOOK = [
    "import votewise as vw",
    "proposal = vw.propose_cleaning('votes.csv', item='comment')\nproposal",
    "votes = vw.read_votes('votes.csv', cleaning='votes.cleaning.toml')\nvw.describe(votes)",
    "data = vw.Dataset.from_files('features.npz', 'votes.csv', cleaning='votes.cleaning.toml')",
    "recipe = vw.Recipe.for_dataset(data, epochs=4)",
    "done = vw.compare(data, ['soft', 'multipass'], seeds=6, recipe=recipe, store='store')",
    "print(len(done.store.all_runs()), done.reproduction.failures)\ndone.recommendation",
]


def test_a_notebook_leads_to_the_same_recommendation(hour: object, folder: Path) -> None:
    cells = [nbformat.v4.new_code_cell(source) for source in NOTEBOOK]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}}).execute()
    assert "text/html" in cells[2].outputs[-1]["data"]  # the profile as a card
    count, advice = cells[-1].outputs
    assert count["text"].startswith("12 ")  # the runs of the command: the same data and plan are the same runs
    assert advice["data"]["text/markdown"].startswith("**Use ")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 1920, 375])
def test_its_pages_fit_the_screen(
    hour: object,
    folder: Path,
    browser: webdriver.Chrome,  # noqa: F811
    width: int,
    scheme: str,
) -> None:
    emulate(browser, width, scheme)
    opened(browser, (folder / "profile.html").as_uri())
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    page = drawn(opened(browser, (folder / "store/report.html").as_uri()))
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    script = "const box = document.querySelector('.answer strong').getBoundingClientRect(); return [box.top, box.right]"
    top, right = page.execute_script(script)
    assert (0 < top < 800, right <= width) == (True, True)  # the recommendation is on the first screen
    assert page.execute_script("return document.querySelectorAll('#chart-paired-differences svg path').length") > 4
    colour = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")[:3]))
    assert (brightness < 200) is (scheme == "dark")
    emulate(browser)
