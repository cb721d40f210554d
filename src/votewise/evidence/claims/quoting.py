"""The published numbers of a claim in words, and the one that stands beside a number of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from votewise.errors import VotewiseError
from votewise.evidence.methods import look
from votewise.evidence.published import Printed, PrintedTable, published
from votewise.evidence.runs import Arm

# Numbers of the text that stand for the mean of an arm, by study, method and score.
IN_TEXT = {
    **{("main", method, "cka"): f"r-cka-{method}" for method in ("sls", "soft")},
    **{("main", method, "gradcam_correlation"): f"r-gradcam-all-{method}" for method in ("sls", "soft")},
    **{("main", method, "gradcam_correlation_high"): f"r-gradcam-high-entropy-{method}" for method in ("sls", "soft")},
    **{("main", method, "smooth_ece"): f"f-smooth-ece-{method}" for method in ("sls", "soft", "majority")},
    ("main", "sls", "barrier"): "g-barrier",
    ("main", "sls", "noise_correlation"): "n-spearman",
    ("resampling", "sls", "soft_nll"): "t-resample-1",
    **{("resampling", f"sls-every-{epochs}", "soft_nll"): f"t-resample-{epochs}" for epochs in (5, 10, 50)},
}


def quote(reference: str) -> str:
    """A number in print: an id, id/field of what is derived, or table/rows/columns.

    >>> quote("table2/sls,soft/soft_nll")
    'Table 2: SLS 0.5052 ± 0.0263; Soft labels 0.5096 ± 0.0233'
    >>> quote("f-p-accuracy"), quote("s-unanimous"), quote("r-cka-sls"), quote("k-kl")
    ('p = 0.6250', '9 of 12', 'SLS 0.920', '32 %')
    """
    name, *rest = reference.split("/")
    if name.startswith("table"):
        return _of_table(published().table(name), *rest)
    if rest:
        return _derived(name, rest[0])
    return _of_number(published().number(name))


def printed(arm: Arm, score: str) -> Printed | None:
    """The published mean of a score of an arm, where a table or the text has it.

    >>> str(printed(Arm("sparse", "sls", 5), "soft_nll")), str(printed(Arm("main", "soft"), "lambda_max_full"))
    ('0.5599', '242.2 ± 36.2')
    """
    if (arm.study, arm.method, score) in IN_TEXT:
        entry = published().number(IN_TEXT[arm.study, arm.method, score])
        return Printed(entry.get("value", entry.get("mean")), None, None, entry.get("n"), entry["decimals"])
    method, k = arm.method, f"k{arm.K}"
    part, _, detector = score.removeprefix("auroc_").partition("_")
    row = {"main": {"sls": "sls-main"}, "ablation": {"sls": "sls-ablation"}}.get(arm.study, {}).get(method, method)
    places = {
        "sparse": [("table1", method, k), ("table6", k, f"{method}_{score.removeprefix('lambda_max_')}")],
        "main": [
            ("table2", method, score),
            ("table5", method, score),
            ("table4", row, score),
            ("table8", detector, method),
        ],
        "ablation": [("table3", method, score), ("table4", row, score), ("table9", detector, method)],
    }
    if part == "far":
        places = {"main": [("table7", detector, method)], "ablation": [("table7", detector, method)]}
    for table, at, column in places.get(arm.study, []):
        cell = published().table(table).cell(at, column)
        if cell is not None and (table != "table1" or score == "soft_nll"):
            return cell
    return None


def _of_table(table: PrintedTable, rows: str, columns: str) -> str:
    at = [_chosen(table.rows, rows, table), _chosen(table.columns, columns, table)]
    said = []
    for row in at[0]:
        cells = [cell for column in at[1] if (cell := table.cell(row, column)) is not None]
        if cells:
            said.append(f"{_row(table, row)} {', '.join(_of_cell(cell, table) for cell in cells)}")
    heads = f" ({', '.join(table.columns[column]['label'] for column in at[1])})" if len(at[1]) > 1 else ""
    return f"{table.source.partition(',')[0]}: {'; '.join(said)}{heads}"


def _row(table: PrintedTable, row: str) -> str:
    label = str(table.rows[row]["label"])
    return f"K={label}" if label.isdigit() else label


def _of_cell(cell: Printed, table: PrintedTable) -> str:
    if cell.mean is None or cell.p is None:
        return str(cell)
    return f"{cell} (p {cell.p:.{table.p_decimals}f})"


def _chosen(headings: Mapping[str, Any], asked: str, table: PrintedTable) -> list[str]:
    chosen = list(headings) if asked == "*" else asked.split(",")
    for name in chosen:
        if name not in headings:
            raise VotewiseError(f"there is no {name!r}", where=table.source, remedy=f"use one of {', '.join(headings)}")
    return chosen


def _of_number(entry: Mapping[str, Any]) -> str:
    places = entry.get("decimals", 0)
    value = entry.get("value", entry.get("mean"))
    if "count" in entry:
        return f"{entry['count']} of {entry['of']}"
    if "relative" in entry:
        return f"{entry['relative']:.0%}".replace("%", " %")
    if "p" in entry:
        return f"p = {entry['p']:.{places}f}"
    if "p_at_least" in entry:
        return f"p at least {entry['p_at_least']:.{places}f}"
    span = f" ({entry['low']:.{places}f} to {entry['high']:.{places}f})" if "low" in entry else ""
    whose = f"{look(entry['method']).name} " if "method" in entry else ""
    whose += _interval(entry["resample_every"]) if "resample_every" in entry else ""
    return f"{whose}{value:.{places}f}{span}" if value is not None else f"{span.strip(' ()')}"


def _interval(epochs: int) -> str:
    return "every epoch " if epochs == 1 else f"every {epochs} epochs "


def _derived(name: str, field: str) -> str:
    for entry in published().data["derived"]:
        if entry["id"] == name and field in entry:
            values = entry[field]
            some = values if isinstance(values, Mapping) else {"": values}
            heads = f" ({', '.join(some)})" if len(some) > 1 else ""
            return f"calculated from print: {field.replace('_', ' ')} {', '.join(f'{x:.4g}' for x in some.values())}{heads}"
    raise VotewiseError(f"nothing derived is called {name}/{field}", where="published.toml", remedy="look into it")
