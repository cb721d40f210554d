"""The methods side by side: how well each fits the votes of held-out items, and how far it is from the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from votewise.evidence.methods import QUANTITIES, dataset_name, in_words, look, votes_name
from votewise.evidence.results import Results
from votewise.evidence.runs import Arm
from votewise.evidence.tables.definition import Definition, Line, Test
from votewise.evidence.tables.filling import fill
from votewise.evidence.tables.layout import MARK, holes, lay_out
from votewise.evidence.tables.table import Table, Value
from votewise.profile.interpolation import FITS
from votewise.studies import Plan, label

NUMBER = "methods"
TITLE = "The methods side by side"
SCORES = ("soft_nll", "accuracy", "smooth_ece_votes")  # the first is what methods are compared by
EXCESS = "excess_last"
JUDGED_BY = ("excess_last_relative", "target_entropy")  # what the excess is judged by: in the CSV, without a column
_NAMED = 6  # things that are not there


def side_by_side(results: Results) -> Table:
    """A row for each method and number of votes per item, over all studies that hold out the same items.

    Soft NLL is compared with that of the first method that has runs, at the same votes per item and over paired seeds: two-sided
    p of the exact Wilcoxon test after Holm over all rows.
    """
    plans = _alike(results)
    study = " + ".join(dict.fromkeys(plan.name for plan in plans.values()))
    runs = replace(results, members={study: frozenset().union(*(results.members[part] for part in plans))}).runs
    arms = list(_arms(study, plans))
    reference = next((arm.method for arm in arms if runs.seeds(arm)), None)
    if reference is None:
        return Table(NUMBER, TITLE, "", "", (), (), (), "This table needs finished runs.")
    swept = any(arm.K is not None for arm in arms)
    fitted = any(runs.values(arm, EXCESS) for arm in arms)
    columns = [
        Line(score, QUANTITIES[score].head, {"score": score}) for score in (*SCORES, *([EXCESS] if fitted else []))
    ]
    made = Definition(
        NUMBER,
        TITLE,
        "finished runs",
        "Method",
        [
            Line(_id(arm), _name(arm, reference, swept), {"study": study, "method": arm.method, "K": arm.K})
            for arm in arms
        ],
        columns,
        "",
        f"Lower soft NLL is a better fit to what people said; the difference is that to {in_words(reference)} of the same seeds, and below zero"
        " is better.",
        test=Test({"method": reference}, False, "difference", "", family=True),
        beside=frozenset({*SCORES[1:], EXCESS}),
        last="beside",
        bare=frozenset({*SCORES[2:], EXCESS}),
    )  # fmt: skip
    values = fill(made, runs)
    heads, rows = lay_out(made, values)
    caption = _caption(results, next(iter(plans.values())), made, values)
    judged = [Line(score, score, {"score": score}) for score in JUDGED_BY] if fitted else []
    values += fill(replace(made, columns=judged, test=None), runs)
    return Table(NUMBER, TITLE, caption, made.reading, heads, rows, tuple(values))


def by_votes(table: Table, checkpoint: str = "best", score: str = SCORES[0]) -> dict[int | None, list[Value]]:
    """By votes per item (None: all), the soft NLL, or another score, of each method that has it, in the order of the rows."""
    found: dict[int | None, list[Value]] = {}
    for value in table.values:
        if value.score == score and value.checkpoint == checkpoint and value.n:
            found.setdefault(value.K, []).append(value)
    return found


def _alike(results: Results) -> dict[str, Plan]:
    """The studies that hold out the same items as the first, and draw fewer votes as the first that does."""
    plans = dict(results.plans)
    splits = [plan.split for plan in plans.values()]
    draws = [plan.subsample for plan in plans.values() if plan.votes_per_item != ("all",)]
    return {
        study: plan
        for study, plan in plans.items()
        if plan.split == splits[0] and (plan.votes_per_item == ("all",) or plan.subsample == draws[0])
    }


def _arms(study: str, plans: dict[str, Plan]) -> Iterator[Arm]:
    """Each method at each number of votes per item once: all votes first, then from many to few."""
    every = {
        Arm(study, label(method), None if k == "all" else k): None
        for plan in plans.values()
        for k in plan.votes_per_item
        for method in plan.arms
    }
    order = sorted({arm.K for arm in every}, key=lambda k: (k is not None, -(k or 0)))
    return (arm for k in order for arm in every if k == arm.K)


def _id(arm: Arm) -> str:
    return arm.method if arm.K is None else f"{arm.method}-k{arm.K}"


def _name(arm: Arm, reference: str, swept: bool) -> str:
    votes = f", {votes_name(arm.K)} vote{'' if arm.K == 1 else 's'}" if swept else ""
    return f"{look(arm.method).name}{votes}{' (ref.)' if arm.method == reference else ''}"


def _caption(results: Results, plan: Plan, made: Definition, values: list[Value]) -> str:
    where, count = dataset_name(results.dataset), results.evaluated
    family = sum(value.p_holm is not None for value in values if value.checkpoint == "best")
    items = "items" if count is None else f"{count:,} items"
    own = plan.split.seed is None
    split = (
        f"Each seed holds out {items} of its own"
        if own
        else f"All seeds hold out the same {items}, so that nothing is said of others"
    )
    parts = [
        "Mean ± SD across seeds (n − 1), against all votes of the held-out items, at the best epoch of each run. That epoch is picked on these same items;"
        " the last epoch is not picked, and its soft NLL stands beside.",
        f"{split}. Soft NLL is the KL to the votes and their entropy together, so that differences in it are differences in KL.",
        "Accuracy is against the class that most people chose; the calibration error (smooth ECE) against the shares of the votes.",
    ]
    if family:
        parts.append(
            "Difference: mean over paired seeds with its t interval, not corrected."
            f" p: exact Wilcoxon test over paired seeds, two-sided, after Holm over {family} comparison{'' if family == 1 else 's'}."
        )
        parts.append(
            "Chance is that of splits, first weights and orders, not of new items: seeds split the same items anew, and what they hold out overlaps."
            if own
            else "Chance is that of first weights and orders, not of new items."
        )
        if any(value.told for value in values if value.checkpoint == "last"):
            parts.append(f"{MARK} At the last epoch the difference is beyond chance by the same test.")
    if any(column.id == EXCESS for column in made.columns):
        parts.append(
            "Training excess: training loss at the last epoch minus the entropy of the targets, in nats, for methods whose expected target is the vote share;"
            f" a model fits its targets if it is at most {100 * FITS:.0f} % of that of uniform predictions."
        )
    parts.append(f"{where[:1].upper()}{where[1:]}, preset {results.preset}.")
    if gone := holes(made, [value for value in values if value.score != EXCESS]):
        more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
        parts.append(f"Not there: {'; '.join(gone[:_NAMED])}{more}.")
    return " ".join(parts)
