"""Tables 1 to 9: our numbers by other means, the paper's as printed, and three ways to write them down."""

from __future__ import annotations

import csv
import io
import re
import statistics
from dataclasses import replace
from functools import cache

import polars as pl
import pytest
from made_up import made_up
from scipy import stats

from votewise.errors import VotewiseError
from votewise.evidence.tables import TABLES, table

PRESETS = ("demo", "paper")
EVIL = "a_b & 100% #1 {x} \\input{y} ~^ $z$ | <script>alert(1)</script> *c* `d`\nnext"


def lines(made) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(made.csv())))


@cache
def runs(preset: str) -> list[dict]:
    return made_up(preset).table.to_dicts()


def by_seed(results, study, method, score, k, checkpoint) -> dict[int, float]:
    """The plain way: one look at every row of the table."""
    return {
        row["seed"]: row[score]
        for row in runs(results.preset)
        if row["id"] in results.members[study]
        and (row["method"], row["K"], row["checkpoint"]) == (method, k, checkpoint)
        and row[score] is not None
    }


def shown(made, *names: str) -> list[str]:
    """The texts of the row with this name, or of the row below it with the second."""
    place = next(place for place, row in enumerate(made.rows) if str(row[0]) == names[0])
    for name in names[1:]:
        place = next(later for later in range(place + 1, len(made.rows)) if str(made.rows[later][0]) == name)
    return [str(cell) for cell in made.rows[place]]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", TABLES)
def test_means_and_spreads_are_those_of_the_runs(number, preset):
    results = made_up(preset)
    found = lines(table(number, results))
    assert {line["checkpoint"] for line in found} == {"best", "last"}
    for line in found:
        k = None if line["votes_per_item"] == "all" else int(line["votes_per_item"])
        values = by_seed(results, line["study"], line["method"], line["score"], k, line["checkpoint"])
        if line["row"] == "soft-same-seeds" or line["column"] == "soft-same-seeds":
            ablation = by_seed(results, "ablation", "sls", "soft_nll", None, "best")
            values = {seed: value for seed, value in values.items() if seed in ablation}
        assert int(line["n"]) == len(values)
        assert float(line["mean"]) == pytest.approx(statistics.fmean(values.values()), rel=1e-12)
        assert float(line["sd"]) == pytest.approx(statistics.stdev(values.values()), rel=1e-7, abs=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize(
    ("number", "against", "alternative"),
    [
        (1, ("sparse", "soft"), "less"),
        (2, ("main", "soft"), "two-sided"),
        (3, ("ablation", "sls"), "two-sided"),
        (8, ("main", "soft"), "greater"),
    ],
)
def test_p_values_are_those_of_scipy(number, against, alternative, preset):
    results = made_up(preset)
    tested = [line for line in lines(table(number, results)) if line["p"] and line["score"] != "accuracy"]
    assert tested
    for line in tested:
        k = None if line["votes_per_item"] == "all" else int(line["votes_per_item"])
        ours, others = (
            by_seed(results, *arm, line["score"], k, line["checkpoint"])
            for arm in ((line["study"], line["method"]), against)
        )
        seeds = sorted(ours.keys() & others.keys())
        differences = [ours[seed] - others[seed] for seed in seeds]
        if len({round(abs(d), 9) for d in differences}) < len(seeds):
            continue  # scipy's exact test takes no ties
        assert int(line["pairs"]) == len(seeds)
        assert float(line["p"]) == pytest.approx(
            stats.wilcoxon(differences, alternative=alternative, method="exact").pvalue
        )
        assert float(line["p_two_sided"]) == pytest.approx(stats.wilcoxon(differences, method="exact").pvalue)


def test_which_cells_are_tested():
    tested = {
        number: {(line["row"], line["column"]) for line in lines(table(number, made_up("paper"))) if line["p"]}
        for number in TABLES
    }
    assert {number for number, cells in tested.items() if cells} == {1, 2, 3, 8}
    assert {row for row, _ in tested[1]} == {"sls", "multipass", "deterministic"}
    assert {row for row, _ in tested[2]} == {"sls"}
    assert {row for row, _ in tested[3]} == {"soft-same-seeds", "deterministic", "multipass", "shuffled-sls"}
    assert {column for _, column in tested[8]} == {"sls"}


def test_holm_is_over_the_sweep_alone():
    found = [line for line in lines(table(1, made_up("paper"))) if line["checkpoint"] == "best"]
    corrected = [line for line in found if line["p_holm"]]
    assert len(corrected) == 12
    assert {line["votes_per_item"] for line in corrected} == {"5", "10", "25", "50"}
    assert all(
        float(line["p_holm"]) == 12 / 32 for line in corrected if line["p"] == "0.03125"
    )  # 5 seeds: none survives
    assert {line["votes_per_item"] for line in found if line["p"] and not line["p_holm"]} == {"all"}
    assert "Holm over 12 cells" in table(1, made_up("paper")).caption


def test_columns_follow_the_sweep():
    assert table(1, made_up("demo")).columns == ("Method", "n", "K = 3", "K = 5", "K = 10", "K = all")
    assert table(1, made_up("paper")).columns == ("Method", "n", "K = 5", "K = 10", "K = 25", "K = 50", "K = all")
    names = [str(row[0]) for row in table(6, made_up("demo")).rows if row[0].kind == "best"]
    assert names == ["3", "5", "10", "all"]


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
def test_what_the_paper_has_stands_below_ours(number, row, expected):
    assert shown(table(number, made_up("paper")), row, "published") == expected


def test_ten_seeds_of_soft_labels_are_shown_beside_the_same_five():
    made = table(3, made_up("paper"))
    assert shown(made, "Soft labels (ref.)")[1] == "10"
    assert shown(made, "Soft labels (same seeds)")[1] == "5"
    assert table(7, made_up("paper")).columns[1:3] == ("Soft labels (n = 10)", "Soft labels (same seeds, n = 5)")
    assert not any("same seeds" in str(row[0]) for row in table(3, made_up("demo")).rows)  # six seeds, the same in both


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
        printed = value.printed
        assert (float(line["published_mean"]) if line["published_mean"] else None) == (
            printed.mean if printed else None
        )


@pytest.mark.parametrize("number", TABLES)
@pytest.mark.parametrize("name", ["digits", EVIL], ids=["plain", "odd"])
def test_latex_is_balanced_and_escaped(number, name):
    text = table(number, replace(made_up("demo"), dataset=name)).latex()
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
    text = table(number, replace(made_up("demo"), dataset=EVIL)).markdown()
    grid = [line for line in text.splitlines() if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in grid}) == 1
    assert "<" not in text
    assert "\nnext" not in text


def test_a_table_without_its_runs_says_what_it_needs():
    results = made_up("demo")
    for number in TABLES:
        made = table(number, replace(results, table=results.table.clear(), plans={}, members={}))
        assert made.rows == ()
        assert made.missing is not None
        assert "the study" in made.missing or "the studies" in made.missing
        assert made.missing.split("needs ")[1] in made.markdown().replace("\\", "")
        assert made.latex().startswith("%")
    bare = replace(
        results,
        table=results.table.drop([name for name in results.table.columns if name.startswith(("lambda", "trace"))]),
    )
    assert "the probe 'curvature'" in table(4, bare).missing
    assert table(1, bare).missing is None


def test_a_hole_is_shown_and_named():
    results = made_up("demo")
    gone = (pl.col("method") == "multipass") & (pl.col("K") == 5)
    made = table(1, replace(results, table=results.table.filter(~gone.fill_null(False))))
    assert shown(made, "Multipass")[3] == "–"
    assert "Not there: Multipass at K = 5." in made.caption
    assert "Holm over 11 cells" in made.caption


def test_sizes_are_compared_only_where_they_can_be():
    assert "only at preset paper on CIFAR-10H" in table(4, made_up("demo")).caption
    assert "only at preset paper" not in table(4, made_up("paper")).caption


def test_small_curvature_keeps_its_digits():
    results = made_up("demo")
    flat = results.table.with_columns(pl.col("^(lambda|trace).*$") / 1e4)
    text = shown(table(4, replace(results, table=flat)), "Shuffled SLS")[2]
    expected = (
        statistics.fmean(by_seed(results, "ablation", "shuffled-sls", "lambda_max_full", None, "best").values()) / 1e4
    )
    assert float(text.split(" ± ")[0]) == pytest.approx(expected, rel=0.005)


@pytest.mark.parametrize("number", [0, 10, "1"])
def test_there_are_nine(number):
    with pytest.raises(VotewiseError, match="there is no table"):
        table(number, made_up("demo"))


def own(*methods: str):
    """The same runs as if they were a person's comparison of some methods."""
    results = made_up("demo")
    plan = results.plans["main"].model_copy(update={"name": "mine", "methods": methods})
    return replace(results, dataset="your data", plans=dict.fromkeys(("main", "ablation"), plan))


@pytest.mark.parametrize("number", [2, 5])
def test_a_comparison_of_ones_own_has_a_row_for_each_of_its_methods(number):
    made = table(number, own("soft", "majority", "mixup"))
    assert [str(row[0]) for row in made.rows if row[0].kind == "best"] == ["Soft labels", "Majority vote", "Mixup"]
    assert "SLS" not in made.caption + made.reading
    with_sls = table(2, own("soft", "sls"))
    assert [str(row[0]) for row in with_sls.rows if row[0].kind == "best"][2:] == ["p, SLS against soft labels"]


def test_a_table_about_sls_or_fewer_votes_is_empty_without_them():
    assert table(3, own("soft", "majority")).missing
    assert table(1, own("soft", "sls")).missing
    assert not table(3, own("soft", "sls")).missing
