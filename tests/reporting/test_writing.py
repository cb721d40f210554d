"""The page of a store: what was run, what is missing, and the files beside the studies."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from made_up import long_table, results_of
from toy_items import SCRIPT, predictions
from toy_study import toy_plan, write_data
from votewise.comparison import side_by_side
from votewise.datasets import Dataset
from votewise.papers import paper
from votewise.reporting import Page, build, choose_items, methods_section, run_section
from votewise.studies import Results, Store
from votewise.training import complete
from votewise.workflows import report


@pytest.fixture(scope="module")
def page(store_of_runs) -> str:
    store, _, _ = store_of_runs
    (page,) = report(store)
    return page.read_text(encoding="utf-8")


def test_a_damaged_and_a_missing_run_are_named(page: str, store_of_runs) -> None:
    _, results, _ = store_of_runs
    assert "2 runs are missing" in page
    assert len(results.missing) == 2
    for run in results.missing:
        assert f"<li>{run}</li>" in page


def test_every_claim_is_on_the_page_of_the_paper_once(made_up_page: Path) -> None:
    page = made_up_page.read_text(encoding="utf-8")
    for claim in paper("basins").claims:
        assert page.count(f'id="claim-{claim.id}"') == 1, claim.id


def test_a_comparison_shows_no_table_or_figure_of_a_paper(page: str) -> None:
    assert "Table 4" not in page
    assert "Figure 12" not in page
    assert "In the paper" not in page
    assert "claim-" not in page
    assert page.count("votewise reproduce") == 1  # where the published studies are


def test_the_papers_data_keeps_every_table_and_figure_in_its_place(made_up_page: Path) -> None:
    page = made_up_page.read_text(encoding="utf-8")
    for name in (*(f"table-{number}" for number in range(1, 10)), *(f"figure-{number}" for number in range(1, 13))):
        assert f'id="{name}"' in page


def test_a_comparison_opens_with_its_answer(page: str) -> None:
    places = [page.index(part) for part in ("<h1>", "The methods side by side</h2>", "What was run</h2>")]
    assert places == sorted(places)
    assert "<h1>Training on the votes in votes.csv</h1>" in page
    answer = page[places[1] : places[2]]
    assert (
        '<p class="answer"><strong>Train at least 6 seeds: with 1 seed, an exact test of 1 comparison cannot' in answer
    )  # that both methods have
    assert answer.index("<strong>") < answer.index('id="chart-paired-differences"') < answer.index("<table")
    assert "Soft labels (ref.)" in answer


def test_options_in_the_advice_are_code() -> None:
    table = side_by_side(results_of({("soft", None): [0.9], ("sls", None): [0.8]}))
    page = build(Page("title", "lead", [methods_section(table, "Use SLS.", ["fewer epochs (52 < 60; --epochs)"])]))
    assert '<p class="answer">fewer epochs (52 &lt; 60; <code>--epochs</code>)</p>' in page


def test_the_page_of_a_paper_opens_with_its_claims(made_up_page: Path) -> None:
    page = made_up_page.read_text(encoding="utf-8")
    order = [
        "<h1>Same Target",
        "Claims and verdicts</h2>",
        'class="tally"',
        "The methods side by side</h2>",
        'id="each"',
    ]
    places = [page.index(part) for part in order]
    assert places == sorted(places)


def test_both_pages_say_whether_models_fit_their_targets(page: str, made_up_page: Path) -> None:
    for text in (page, made_up_page.read_text(encoding="utf-8")):
        section = re.search(r'<h2 id="methods">(.*?)</section>', text, re.S)[1]
        assert '<th scope="col" class="number">Training excess</th>' in section
        assert re.search(r"training loss of soft labels at the last epoch is .{1,30} nats above", section, re.I)


def test_the_items_are_there(page: str, store_of_runs) -> None:
    _, _, dataset = store_of_runs
    data = json.loads(re.search(r'id="explorer-data">(.*?)</script>', page, re.S)[1])
    assert data["methods"] == ["soft", "sls"]
    assert data["classes"] == list(dataset.votes.classes)
    assert data["sprite"] is None  # features cannot be looked at


def test_texts_of_the_votes_file_and_what_reading_dropped_are_there(tmp_path: Path) -> None:
    folder = write_data(tmp_path)
    first, *rows = (folder / "votes.csv").read_text().splitlines()
    texts = [f"{row},text of {row.split(',')[0]}" for row in rows]
    texts.append(f"{rows[0].split(',')[0]},nobody,,text of {rows[0].split(',')[0]}")  # without a label
    (folder / "votes.csv").write_text("\n".join([f"{first},text", *texts]) + "\n")
    with pytest.warns(UserWarning, match="dropped 1"):
        dataset = Dataset.from_files(folder / "inputs.npy", folder / "votes.csv")
    held_out = {"soft": predictions(dataset, "soft")}
    entries = choose_items(dataset, held_out).data()["items"]
    assert all(entry["x"] == f"text of {entry['id']}" for entry in entries)
    facts = dict(run_section(Results(long_table([])), [dataset]).context["facts"])
    assert len(facts["reading"]) == 1
    assert re.match(r"votes.csv: \d+ rows; dropped 1: ", facts["reading"][0])


@pytest.mark.parametrize("happened", ["gone", "changed"])
def test_a_dataset_that_is_gone_or_changed_is_told_before_any_number(tmp_path: Path, happened: str) -> None:
    folder = write_data(tmp_path)
    plan = toy_plan(folder, seeds=[0], methods=["soft"])
    store, dataset = Store(folder / "store"), plan.dataset.load()
    configs = plan.configs(dataset)
    store.record(plan, configs)
    complete(dataset, configs[0], store.path)
    from votewise.studies import source

    source._load.cache_clear()
    if happened == "gone":
        (folder / "votes.csv").unlink()
    else:
        text = (folder / "votes.csv").read_text()
        (folder / "votes.csv").write_text(text.replace("0,p0,a", "0,p0,b").replace("1,p0,b", "1,p0,a"))
    (page,) = report(store, path=tmp_path / "elsewhere.html", formats=())
    page = page.read_text(encoding="utf-8")
    words = {
        "gone": "The dataset votes.csv could not be loaded",
        "changed": "The dataset votes.csv has changed since these runs were trained",
    }
    assert f'<p class="caution">{words[happened]}' in page[: page.index("</header>")]
    assert "Items are not shown" in page
    assert 'id="explorer-data"' not in page


def test_tables_and_figures_stand_beside_the_study_and_are_drawn_once(store_of_runs) -> None:
    store, _, _ = store_of_runs
    report(store, formats=(".svg", ".pdf"))
    study = store.path / "studies" / "toy"
    assert not (study / "claims.json").exists()  # that is for a paper
    (table,) = (study / "tables").glob("*.csv")
    assert table.with_suffix(".tex").exists()
    drawn = sorted((study / "figures").glob("*.svg"))
    assert drawn
    assert drawn[0].with_suffix(".pdf").read_bytes().startswith(b"%PDF")
    before = drawn[0].stat().st_mtime_ns
    report(store, formats=(".svg", ".pdf"))
    assert drawn[0].stat().st_mtime_ns == before


def test_a_page_loads_and_sends_nothing(made_up_page: Path) -> None:
    page = made_up_page.read_text(encoding="utf-8")
    head = html.unescape(page[: page.index("</head>")])
    assert "default-src 'none'" in head
    assert "unsafe-eval" not in head
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    assert not re.search(r"<(script|img|iframe|link|object|embed)\b[^>]*\b(src|href)=[\"'](?!data:)", markup)
    assert "<script src" not in page
    assert not re.search(r"@import|url\((?!data:)", head)
    assert len(page) < 15_000_000


def test_a_label_is_never_markup(made_up_page: Path) -> None:
    page = made_up_page.read_text(encoding="utf-8")
    assert SCRIPT not in page
    assert "alert(1)" in page
