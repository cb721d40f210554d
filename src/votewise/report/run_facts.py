"""What the page is about and what was run, in words: the dataset, the studies, the machine, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from votewise.evidence.methods import dataset_name
from votewise.votes import Votes
from votewise.wording import counted

if TYPE_CHECKING:
    from votewise.datasets import Dataset
    from votewise.evidence.claims.deciding import Decision
    from votewise.evidence.results import Results
    from votewise.studies import Plan


def title(results: Results) -> str:
    """What the page is about."""
    if not results.own:
        return f"Same Target, Different Basins: what holds on {dataset_name(results.dataset)}"
    plan = next(iter(results.plans.values()))
    where = Path(plan.dataset.votes).name if plan.dataset.votes else results.dataset
    return f"Training on the votes in {where}: {counted(len(plan.arms), 'method')} compared"


def lead(results: Results) -> str:
    """What the page is, in a sentence."""
    runs = counted(len(_finished(results)), "finished run")
    if results.own:
        return (
            f"Which way of training on the votes fits what people said best: the answer of {runs} on your data,"
            " then the tables, figures and claims of the papers that the same runs can speak to."
        )
    return (
        f"Every table, figure and claim of the paper, made again from {runs} on {dataset_name(results.dataset)},"
        " each with the numbers that decide it."
    )


def caution(results: Results) -> str:
    """What verdicts from the embedded digits are worth."""
    if results.dataset != "digits":
        return ""
    return (
        "The digits illustrate how the mechanism works and prove nothing: verdicts on this page say what holds for a small net on small"
        " pictures with simulated votes, not on CIFAR-10H."
    )


def missing_runs(results: Results, decisions: Sequence[Decision]) -> dict[str, Any] | None:
    """The runs that are not there, and what that leaves undecided."""
    if not results.missing:
        return None
    open_ = [decision.id for decision in decisions if decision.left_out and decision.outcome == "undecided"]
    fewer = [decision.id for decision in decisions if decision.left_out and decision.outcome != "undecided"]
    leaves = [f"Undecided, and without seeds of theirs: {', '.join(open_)}."] if open_ else []
    leaves += [f"Decided on fewer seeds than were planned: {', '.join(fewer)}."] if fewer else []
    return {
        "title": f"{counted(len(results.missing), 'run')} {'is' if len(results.missing) == 1 else 'are'} missing",
        "leaves": " ".join(leaves) or "No verdict rests on them.",
        "runs": list(map(str, results.missing)),
    }


def run_facts(results: Results, dataset: Dataset | None) -> list[tuple[str, list[str]]]:
    """Terms and what is said of each, a line or several."""
    facts = [("dataset", [_dataset(results, dataset)]), ("preset", [_preset(results)])]
    finished = _finished(results)
    facts.append(
        (
            "studies",
            [
                _study(name, plan, results.members.get(study, ()), finished)
                for name, (study, plan) in {plan.name: (study, plan) for study, plan in results.plans.items()}.items()
            ],
        )
    )
    if results.left_out:
        facts.append(("not on this page", [f"{', '.join(results.left_out)}: on other data, or trained in another way"]))
    machine = dict(results.environment)
    versions = machine.pop("versions", {})
    place = [str(machine[key]) for key in ("device", "system") if machine.get(key)]
    if machine.get("threads"):
        place.append(counted(int(machine["threads"]), "thread") + " for each run")
    if place:
        facts.append(("machine", [", ".join(place)]))
    python = [f"Python {machine['python']}"] if machine.get("python") else []
    facts.append(("versions", [", ".join([*(f"{name} {number}" for name, number in versions.items()), *python])]))
    facts.append(("page made by", [f"votewise {version('votewise')}"]))
    return [(term, values) for term, values in facts if any(values)]


def _finished(results: Results) -> set[str]:
    """The ids of the runs that are there, twins among them."""
    return set().union(*results.members.values()) - {run.id for run in results.missing}


def _dataset(results: Results, dataset: Dataset | None) -> str:
    name = dataset_name(results.dataset)
    if dataset is None:
        return name
    kind = "images" if dataset.images else "feature vectors"
    shape = " × ".join(map(str, dataset.inputs.shape[1:]))
    votes = dataset.votes
    said = f"{len(votes.label):,} votes" if isinstance(votes, Votes) else "a distribution of votes for each"
    return f"{name}: {len(dataset):,} {kind} of {shape}, {said} on {votes.num_classes} classes"


def _preset(results: Results) -> str:
    plan = next(iter(results.plans.values()), None)
    if plan is None:
        return results.preset
    recipe = plan.trained_with
    return (
        f"{results.preset}: {recipe.model} with {recipe.init} initialisation, {recipe.epochs} epochs, batches of {recipe.batch_size}, learning rate {recipe.lr:g},"
        f" {recipe.schedule} schedule, weight decay {recipe.weight_decay:g}"
    )


def _study(name: str, plan: Plan, members: Iterable[str], finished: set[str]) -> str:
    needed = set(members)
    parts = [counted(len(plan.arms), "method")]
    if plan.votes_per_item != ("all",):
        parts.append(f"{', '.join(map(str, plan.votes_per_item))} votes per item")
    parts.append(f"seeds {spans(plan.seeds)}")
    done = len(needed & finished)
    parts.append(f"{done} of {counted(len(needed), 'run')} finished" if done < len(needed) else counted(done, "run"))
    return f"{name}: {', '.join(parts)}"


def spans(numbers: Sequence[int]) -> str:
    """Whole numbers, neighbours drawn together.

    >>> spans([20, 21, 22, 25]), spans([3])
    ('20–22, 25', '3')
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
