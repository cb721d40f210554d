"""The numbers of a table out of results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from votewise.comparison.statistics.intervals import interval
from votewise.comparison.statistics.wilcoxon import holm, wilcoxon
from votewise.evidence.methods import QUANTITIES
from votewise.evidence.published import Printed, published
from votewise.evidence.runs import Arm, Runs
from votewise.evidence.tables.definition import Definition, Line
from votewise.evidence.tables.table import Value

# p-values that the paper has in its text: table, row, column -> their id in published.toml
IN_THE_TEXT = {
    (2, "sls", "soft_nll"): "f-p-soft-nll",
    (2, "sls", "accuracy"): "f-p-accuracy",
    (2, "sls", "ece_equal_mass"): "f-p-ece-equal-mass",
    (2, "sls", "entropy_correlation"): "f-p-entropy-correlation",
    (3, "multipass", "soft_nll"): "h-p-multipass-soft-nll",
}


def fill(definition: Definition, runs: Runs) -> list[Value]:
    """Every cell at the best checkpoint, then every cell that has numbers at the last, then those of other estimators."""
    best = _at(definition, runs.at("best"))
    last = [value for value in _at(definition, runs.at("last")) if value.n]
    others = list(_others(definition, runs.at("best")))
    return [*best, *last, *others]


def _at(definition: Definition, runs: Runs) -> list[Value]:
    values = [_value(definition, row, column, runs) for row in definition.rows for column in definition.columns]
    tested = [
        place
        for place, value in enumerate(values)
        if value.p is not None and not {value.row, value.column} & definition.beside
    ]
    if definition.test and definition.test.family and tested:
        for place, p in zip(tested, holm([values[place].p or 0.0 for place in tested]), strict=True):
            values[place] = replace(values[place], p_holm=float(p))
    return values


def _others(definition: Definition, runs: Runs) -> Iterator[Value]:
    for row in definition.rows:
        for column in definition.columns:
            of = {**definition.of, **row.of, **column.of}
            other = definition.others.get(of["score"])
            if other:
                found = _value(definition, row, column, runs, score=other)
                if found.n:
                    yield replace(found, printed=None)


def _value(definition: Definition, row: Line, column: Line, runs: Runs, score: str | None = None) -> Value:
    of = {**definition.of, **row.of, **column.of} | ({"score": score} if score else {})
    by_seed = _by_seed(of, runs)
    found = np.array(list(by_seed.values()))
    value = Value(
        row=row.id,
        column=column.id,
        study=of["study"],
        method=of["method"],
        K=of.get("K"),
        score=of["score"],
        checkpoint=runs.checkpoint,
        n=len(found),
        mean=float(found.mean()) if len(found) else None,
        sd=float(found.std(ddof=1)) if len(found) > 1 else None,
        printed=_printed(definition.number, row.id, column.id),
    )
    return replace(value, **_tested(definition, row, of, by_seed, runs))


def _by_seed(of: Mapping[str, Any], runs: Runs) -> dict[int, float]:
    by_seed = runs.values(Arm(of["study"], of["method"], of.get("K")), of["score"])
    if "seeds_of" in of:
        wanted = set(runs.seeds(Arm(of["seeds_of"], "sls")))
        by_seed = {seed: value for seed, value in by_seed.items() if seed in wanted}
    return by_seed


def _tested(
    definition: Definition, row: Line, of: Mapping[str, Any], by_seed: Mapping[int, float], runs: Runs
) -> dict[str, Any]:
    """The difference of a cell to what it is tested against, and its p-values: of the table's own side, and two-sided."""
    test = definition.test
    if test is None or (test.only is not None and of["method"] not in test.only):
        return {}
    other = {**of, **test.against}
    other.pop("seeds_of", None)
    again = row.id == "soft" and any(line.id == "soft-same-seeds" for line in definition.rows)
    if other == of or again:  # the tested version stands in the row of the same seeds
        return {}
    reference = _by_seed(other, runs)
    seeds = sorted(by_seed.keys() & reference.keys())
    if not seeds:
        return {}
    difference = np.array([by_seed[seed] - reference[seed] for seed in seeds])
    low, high = interval(difference) if len(seeds) > 1 else (None, None)
    found = {"pairs": len(seeds), "difference": float(difference.mean()), "low": low, "high": high}
    two_sided = wilcoxon(difference)
    if not test.improves:
        return found | {"p": two_sided, "p_two_sided": two_sided}
    better = QUANTITIES[of["score"]].better if of["score"] in QUANTITIES else definition.better
    p = wilcoxon(difference, "less" if better == "lower" else "greater")
    return found | {"p": p, "p_two_sided": two_sided}


def _printed(number: int | str, row: str, column: str) -> Printed | None:
    """What the paper has in this cell, with the p-value that stands beside it or in the text."""
    if isinstance(number, str):
        return None
    table = published().table(number)
    cell = table.cell(row, column)
    if cell is None:
        return None
    if (number, row, column) in IN_THE_TEXT:
        return replace(cell, p=published().number(IN_THE_TEXT[number, row, column])["p"])
    beside = table.cell(row, "sls-vs-soft") if column == "sls" else None
    return replace(cell, p=beside.p) if beside else cell
