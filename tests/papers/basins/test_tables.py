"""Tables 1 to 9: our numbers by other means, the published ones as printed, and three file formats."""

from __future__ import annotations

import csv
import io
import re
import statistics
from dataclasses import replace
from functools import cache

import polars as pl
import pytest
from scipy import stats

from made_up import made_up, only, renamed, without
from votewise.comparison import Table
from votewise.errors import VotewiseError
from votewise.papers.basins.tables import TABLES, table
from votewise.studies.results import Results

PRESETS = ("demo", "paper")
EVIL = "a_b & 100% #1 {x} \\input{y} ~^ $z$ | <script>alert(1)</script> *c* `d`\nnext"


@cache
def cells(preset: str) -> dict[tuple, dict[int, float]]:
    """The plain way: one look at every row of the long table."""
    values: dict[tuple, dict[int, float]] = {}
    for row in made_up(preset).table.iter_rows(named=True):
        place = row["method"], row["K"], row["quantity"], row["checkpoint"]
        values.setdefault(place, {})[row["seed"]] = row["value"]
    return values


def by_seed(preset: str, line: dict[str, str], method: str | None = None) -> dict[int, float]:
    k = None if line["votes_per_item"] == "all" else int(line["votes_per_item"])
    return cells(preset)[method or line["method"], k, line["quantity"], line["checkpoint"]]


def lines(made: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made.csv())))


def shown(made: Table, *names: str) -> list[str]:
    """The texts of the row with this name, or of the row below it with the second."""
    place = next(place for place, row in enumerate(made.rows) if str(row[0]) == names[0])
    for name in names[1:]:
        place = next(later for later in range(place + 1, len(made.rows)) if str(made.rows[later][0]) == name)
    return [str(cell) for cell in made.rows[place]]


def restricted(line: dict[str, str], number: int) -> bool:
    """Whether a cell has the seeds of the ablation or of the sweep only."""
    ids = {line["row"], line["column"]}
    return bool(ids & {"soft-same-seeds", "sls-ablation", "kall"}) or (number in (3, 7, 9) and "sls" in ids)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", TABLES)
def test_means_and_spreads_are_those_of_the_runs(number, preset):
    rows = lines(table(number, made_up(preset)))
    assert {line["checkpoint"] for line in rows} == {"best", "last"}
    few = cells(preset)["multipass", None, "soft_nll", "best"]
    for line in rows:
        values = by_seed(preset, line)
        if restricted(line, number):
            values = {seed: value for seed, value in values.items() if seed in few}
        assert int(line["n"]) == len(values)
        assert float(line["mean"]) == pytest.approx(statistics.fmean(values.values()), rel=1e-12)
        assert float(line["sd"]) == pytest.approx(statistics.stdev(values.values()), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("number", "against", "alternative"),
    [(1, "soft", "less"), (2, "soft", "two-sided"), (3, "sls", "two-sided"), (8, "soft", "greater")],
)
def test_p_values_are_those_of_scipy(number, against, alternative, preset):
    tested = [line for line in lines(table(number, made_up(preset))) if line["p"] and line["quantity"] != "accuracy"]
    assert tested
    for line in tested:
        ours, others = by_seed(preset, line), by_seed(preset, line, against)
        seeds = sorted(ours.keys() & others.keys())
        if restricted(line, number):
            seeds = [seed for seed in seeds if seed in cells(preset)["multipass", None, "soft_nll", "best"]]
        differences = [ours[seed] - others[seed] for seed in seeds]
        assert int(line["pairs"]) == len(seeds)
        exact = {side: stats.wilcoxon(differences, alternative=side, method="exact").pvalue for side in (alternative, "two-sided")}  # fmt: skip
        assert float(line["p"]) == pytest.approx(exact[alternative])
        assert float(line["p_two_sided"]) == pytest.approx(exact["two-sided"])


def test_which_cells_are_tested():
    tested = {
        number: {(line["row"], line["column"]) for line in lines(table(number, made_up("paper"))) if line["p"]}
        for number in TABLES
    }
    assert {number for number, places in tested.items() if places} == {1, 2, 3, 8}
    assert {row for row, _ in tested[1]} == {"sls", "multipass", "deterministic"}
    assert {row for row, _ in tested[2]} == {"sls"}
    assert {row for row, _ in tested[3]} == {"soft-same-seeds", "deterministic", "multipass", "shuffled-sls"}
    assert {column for _, column in tested[8]} == {"sls"}


@pytest.mark.parametrize(("preset", "family"), [("demo", 6), ("paper", 12)])
def test_all_votes_are_not_in_the_family_of_any_sweep(preset, family):
    best = [line for line in lines(table(1, made_up(preset))) if line["checkpoint"] == "best"]
    corrected = [line for line in best if line["p_holm"]]
    assert len(corrected) == family
    assert "all" not in {line["votes_per_item"] for line in corrected}
    assert {line["votes_per_item"] for line in best if line["p"] and not line["p_holm"]} == {"all"}
    assert f"over {family} comparisons" in table(1, made_up(preset)).caption
    if preset == "paper":  # five seeds: none survives
        assert all(float(line["p_holm"]) == 12 / 32 for line in corrected if line["p"] == "0.03125")


def test_columns_follow_the_sweep():
    assert table(1, made_up("demo")).columns == ("Method", "n", "K = 3", "K = 10", "K = all")
    assert table(1, made_up("paper")).columns == ("Method", "n", "K = 5", "K = 10", "K = 25", "K = 50", "K = all")
    names = [str(row[0]) for row in table(6, made_up("demo")).rows if row[0].kind == "best"]
    assert names == ["3", "10", "all"]


@pytest.mark.parametrize(
    ("number", "row", "expected"),
    [
        (1, "Soft labels", ["published", "5", "0.5860", "0.5785", "0.5388", "0.5628", "–"]),
        (1, "SLS", ["published", "5", "0.5599 (0.031)", "0.5485 (0.031)", "0.5169 (0.063)", "0.5291 (0.094)", "–"]),
        (2, "Mixup", ["published", "10", "0.5526 ± 0.0129", "0.8824 ± 0.0046", "0.0977 ± 0.0063", "0.2499 ± 0.0145"]),
        (2, "p, SLS against soft labels", ["published", "10", "0.6953", "0.6250", "0.9219", "0.3750"]),
        (3, "Shuffled SLS", ["published", "5", "2.2973 ± 0.0024", "0.1199 ± 0.0128", "0.0293 ± 0.0099", "−0.0058 ± 0.0556"]),
        (3, "Multipass", ["published", "5", "0.4942 ± 0.0123 (0.438)", "0.8714 ± 0.0063", "0.0191 ± 0.0044", "0.4000 ± 0.0287"]),
        (4, "SLS (main)", ["published", "10", "104.9 ± 8.8", "1633.9 ± 50.6", "314.0 ± 57.3", "3496.8 ± 360.3"]),
        (5, "Soft labels", ["published", "10", "0.3558 ± 0.0228", "0.1548 ± 0.0096"]),
        (6, "5", ["published", "5", "114.0 ± 4.5", "241.4 ± 36.6", "478.7 ± 76.6", "1203.1 ± 158.2"]),
        (7, "KNN", ["published", "0.7974 ± 0.0284", "–", "0.7836 ± 0.0250", "0.7788 ± 0.0354", "0.7741 ± 0.0295"]),
        (8, "MSP", ["published", "0.8029", "0.7972", "0.0654", "–", "–"]),
        (9, "Energy", ["published", "0.8096", "–", "0.8185", "0.8183", "0.8163"]),
    ],
)  # fmt: skip
def test_published_numbers_stand_below_ours(number, row, expected):
    assert shown(table(number, made_up("paper")), row, "published") == expected


def test_ten_seeds_of_soft_labels_are_shown_beside_the_same_five():
    made = table(3, made_up("paper"))
    assert shown(made, "Soft labels (ref.)")[1] == "10"
    assert shown(made, "Soft labels (same seeds)")[1] == "5"
    assert table(7, made_up("paper")).columns[1:3] == ("Soft labels (n = 10)", "Soft labels (same seeds, n = 5)")


def test_the_best_of_a_column_is_strong():
    made = table(1, made_up("demo"))
    ours = [row for row in made.rows if row[0].kind == "best"]
    for place in range(2, len(made.columns)):
        lowest = min(row[place].value.mean for row in ours)
        assert [row[place].value.mean for row in ours if row[place].strong] == [lowest]


@pytest.mark.parametrize("number", TABLES)
def test_csv_reads_back_to_the_last_bit(number):
    made = table(number, made_up("demo"))
    for line, value in zip(lines(made), made.values, strict=True):
        for name in ("mean", "sd", "p", "p_two_sided", "p_holm"):
            assert (float(line[name]) if line[name] else None) == getattr(value, name)
        quoted = made.definition.quoted.get((value.row, value.column))
        assert (float(line["published_mean"]) if line["published_mean"] else None) == (quoted.mean if quoted else None)


@pytest.mark.parametrize("number", TABLES)
@pytest.mark.parametrize("name", ["digits", EVIL], ids=["plain", "odd"])
def test_latex_is_balanced_and_escaped(number, name):
    text = table(number, renamed(made_up("demo"), name)).latex()
    bare = re.sub(r"\\[\\&%$#_{}]", "", text.partition("\n")[2])  # without the comment and what is escaped
    assert bare.count("{") == bare.count("}")
    assert bare.count("$") % 2 == 0
    assert not set("#%~\x00") & set(bare)
    assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1]
    assert "_" not in re.sub(r"\$[^$]*\$|\\label\{[^}]*\}", "", bare)
    body = text.partition(r"\toprule")[2].partition(r"\bottomrule")[0]
    rows = [line for line in body.splitlines() if line.endswith(r"\\")]
    assert len({len(re.findall(r"(?<!\\)&", line)) for line in rows}) == 1
    commands = set(re.findall(r"\\([a-zA-Z]+)", text))
    known = "usepackage begin end centering small caption textbf label toprule midrule bottomrule addlinespace quad pm lambda max downarrow uparrow"
    odd = "textbackslash textasciitilde textasciicircum textbar textless textgreater"
    assert commands <= set(f"{known} {odd}".split())


@pytest.mark.parametrize("number", TABLES)
def test_markdown_has_one_grid_and_no_tags(number):
    text = table(number, renamed(made_up("demo"), EVIL)).markdown()
    grid = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in grid}) == 1
    assert "<" not in text
    assert "\nnext" not in text


@pytest.mark.parametrize("number", TABLES)
def test_a_table_without_runs_says_what_it_needs(number):
    made = table(number, replace(made_up("demo"), table=made_up("demo").table.clear()))
    assert made.rows == made.values == ()
    assert all(needs.study in ("main", "sparse", "ablation") for needs in made.missing)
    assert str(made.missing[0]) in made.markdown().replace("\\", "")
    assert made.latex().startswith("%")


def test_a_table_of_a_probe_names_it():
    results = made_up("demo")
    bare = replace(results, table=results.table.filter(~pl.col("quantity").str.contains("^(lambda|trace)")))
    assert {needs.probe for needs in table(4, bare).missing} == {"curvature"}
    assert table(1, bare).missing == ()


def test_missing_runs_are_shown_and_named():
    made = table(1, without(made_up("demo"), method="multipass", K=10))
    assert shown(made, "Multipass")[3] == "–"
    assert "Missing: Multipass at K = 10." in made.caption
    assert "over 5 comparisons" in made.caption


def test_sizes_are_compared_only_under_the_papers_protocol():
    assert "not comparable" in table(4, made_up("demo")).caption
    assert "not comparable" not in table(4, made_up("paper")).caption


def test_small_curvature_keeps_its_digits():
    results = made_up("demo")
    curved = pl.col("quantity").str.contains("^(lambda|trace)")
    flat = results.table.with_columns(
        pl.when(curved).then(pl.col("value") / 1e4).otherwise(pl.col("value")).alias("value")
    )
    text = shown(table(4, replace(results, table=flat)), "Shuffled SLS")[2]
    expected = statistics.fmean(cells("demo")["shuffled-sls", None, "lambda_max_full", "best"].values()) / 1e4
    assert float(text.split(" ± ")[0]) == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("number", [0, 10, "1"])
def test_unknown_tables_are_refused(number):
    with pytest.raises(VotewiseError, match="unknown table"):
        table(number, made_up("demo"))


def mine(*methods: str) -> Results:
    return only(made_up("demo"), *methods)


def test_a_users_comparison_fills_the_rows_of_its_methods():
    made = table(2, mine("soft", "sls", "majority"))
    filled = {str(row[0]) for row in made.rows if row[0].kind == "best" and str(row[2]) != "–"}
    assert filled == {"Soft labels", "SLS", "Majority vote", "p, SLS against soft labels"}
    assert "Missing: Label smoothing; Mixup." in made.caption


def test_results_without_fewer_votes_have_no_sweep():
    all_votes = mine("soft", "sls")
    all_votes = replace(all_votes, table=all_votes.table.filter(pl.col("K").is_null()))
    assert table(1, all_votes).missing
    assert not table(3, all_votes).missing
