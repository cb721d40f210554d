"""Several models, each compared with the same methods, seeds and splits: which model to use with which method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from votewise.comparison.methods import Methods
from votewise.comparison.quantities import head
from votewise.comparison.recommendation import Recommendation, recommend
from votewise.comparison.side_by_side import COMPARED
from votewise.comparison.statistics.intervals import interval
from votewise.comparison.tables import Definition, Line, Table, make_table
from votewise.comparison.tables.filling import LEVEL
from votewise.comparison.uniform import uniform_words
from votewise.comparison.weighing import Difference, weigh
from votewise.comparison.wording import fixed, inside, listed, sentence, votes_name
from votewise.studies import Needs, Paired, Results
from votewise.wording import counted

KEY = "models"


@dataclass(frozen=True)
class ModelRecommendation:
    """Which model to use, and with which method.

    Attributes:
        model: the model to use, with early stopping; the first model if none learned the votes.
        without: the model to use without it.
        votes: the number of votes per item in training for which models are compared; None: all votes.
        differences: for each other model that learned the votes, its soft NLL minus that of the recommended model at the best and at the last epoch, with 95 % intervals, with Bonferroni's
            correction over these models. Each model uses the method that is recommended for it at that epoch.
        advised: for each model, the recommendation of a method.
        unlearned: the models that did not learn the votes, which are not compared.
    """

    model: str
    without: str
    votes: int | None
    differences: Mapping[str, Mapping[str, tuple[float, float, float]]]
    advised: Mapping[str, Recommendation]
    unlearned: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """The method to use with the model, with early stopping."""
        return _methods(self.advised[self.model])["best"]

    @property
    def headline(self) -> str:
        """The advice, and whether the models are significantly different."""
        if not self.unlearned:
            return self._verdict
        none = f"No verdict between the models: {listed(self.unlearned)} did not learn the votes."
        if self.differences:
            return f"{none} Of the other models: {self._verdict[0].lower()}{self._verdict[1:]}"
        own = self.advised[self.model].headline
        return none if self.model in self.unlearned else f"{none} With {self.model}, {own[0].lower()}{own[1:]}"

    @property
    def _verdict(self) -> str:
        """The advice on the compared models."""
        own = self.advised[self.model]
        if not own.decided and self.model == self.without:
            return " ".join(filter(None, [f"Use the {self.model} model.", self._draw, own.headline]))
        early, late = f"the {self.with_method(self.model, 'best')}", f"the {self.with_method(self.without, 'last')}"
        use = f"Use {early}." if early == late else f"With early stopping, use {early}; without, use {late}."
        return " ".join(filter(None, [use, self._draw]))

    @property
    def _draw(self) -> str:
        """The models that are not significantly different from the recommended one, and which of them has the lowest soft NLL; empty if there are none."""
        same = [
            model
            for model, by_epoch in self.differences.items()
            if not any(_gap(*ends).significant for ends in by_epoch.values())
        ]
        if not same or self.model != self.without:
            return ""
        every = len(same) == len(self.differences) and not self.unlearned
        what = "between the models" if every else f"between {self.model} and {listed(same)}"
        means = {self.model: 0.0} | {model: gap[0] for model in same if (gap := self.differences[model].get("best"))}
        lowest = f"; the {min(means, key=means.__getitem__)} model has the {'lower' if len(means) == 2 else 'lowest'} mean soft NLL at the best epoch"
        return f"No significant difference {what} was found{lowest if len(means) > 1 else ''}."

    def with_method(self, model: str, epoch: str) -> str:
        """A model with the method that it is compared with at the best or at the last epoch, inside a sentence."""
        own = self.advised[model]
        return f"{model} model with {own.methods.in_sentence(_methods(own)[epoch])}"

    @property
    def paragraphs(self) -> list[str]:
        """The reasons for the model, and those for the method."""
        own = self.advised[self.model]
        return [*self.reasons, *(text for text in own.paragraphs if text != own.learning)]

    @property
    def reasons(self) -> list[str]:
        """The models that are worse than uniform predictions, and how much the model matters."""
        votes = "" if self.votes is None else f" with {votes_name(self.votes)} votes per item"
        lines = []
        for model, by_epoch in self.differences.items():
            if not by_epoch:  # fewer than two shared seeds
                continue
            sizes = listed(
                f"{fixed(mean, 3)} ({fixed(low, 3)} to {fixed(high, 3)}) at the {epoch} epoch ({self._pair(model, epoch)})"
                for epoch, (mean, low, high) in by_epoch.items()
            )
            lines.append(
                f"the soft NLL of {model}{votes} minus that of {self.model}: {sizes}, over paired seeds ({self.intervals})"
            )
        unlearned = [advised.learning for advised in self.advised.values() if advised.learning]
        return [*unlearned, *([" ".join(map(sentence, lines))] if lines else [])]

    @property
    def intervals(self) -> str:
        """The kind of the intervals of differences, inside a sentence."""
        others = len(self.differences)
        return "95 % intervals" + (f", with Bonferroni's correction over {others} comparisons" if others > 1 else "")

    def _pair(self, model: str, epoch: str) -> str:
        """The methods of a model and of the recommended one at an epoch."""
        names = [
            own.methods.in_sentence(_methods(own)[epoch]) for own in (self.advised[model], self.advised[self.model])
        ]
        return f"both with {names[0]}" if names[0] == names[1] else f"with {names[0]}; {self.model} with {names[1]}"

    def __str__(self) -> str:
        return "\n\n".join([self.headline, *self.paragraphs])

    def _repr_markdown_(self) -> str:
        return "\n\n".join([f"**{self.headline}**", *self.paragraphs])


def by_model(results: Results) -> dict[str, Results]:
    """The results of each model, in the order of the plans."""
    studies = dict[str, list[str]]()
    for study, plan in results.plans.items():
        studies.setdefault(Path(plan.trained_with.model).name, []).append(study)
    return {model: results.select(studies=some) for model, some in studies.items()}


def recommend_model(results: Results) -> ModelRecommendation:
    """The model to use, with its method, from results that differ in it: models are compared at each epoch with the recommended method, by 95 % intervals over paired seeds, with Bonferroni's correction over the other models.

    A model that is worse than uniform predictions with some method is not compared, because a difference may only be due to its learning rate.
    """
    parts = by_model(results)
    advised = {model: found for model, part in parts.items() if (found := recommend(part)).choices}
    parts = {model: parts[model] for model in advised}  # models with finished runs
    first = next(iter(parts))
    votes = advised[first].choices[0].K
    unlearned = tuple(
        model for model, own in advised.items() if own.unlearned and any(votes == K for _, K in own.unlearned.losses)
    )
    learned = [model for model in parts if model not in unlearned]
    first = next(iter(learned), first)
    losses = {
        model: {
            epoch: parts[model].values(_methods(advised[model])[epoch], COMPARED, K=votes, checkpoint=epoch)
            for epoch in ("best", "last")
        }
        for model in learned
    }
    level = 1 - LEVEL / max(len(learned) - 1, 1)
    gaps = {model: _gaps(losses[model], losses[first], level) for model in learned if model != first}
    kinds = {model: [_gap(*ends) for ends in by_epoch.values()] for model, by_epoch in gaps.items()}
    model, without = weigh(first, kinds)
    differences = {other: _gaps(losses[other], losses[model], level) for other in learned if other != model}
    return ModelRecommendation(model, without, votes, differences, advised, unlearned)


def models_side_by_side(results: Results) -> Table:
    """One row per model, method and number of votes per item; the best value of each column is marked."""
    import polars as pl

    parts, methods = by_model(results), Methods.of(results)
    model_of = {study: model for model, part in parts.items() for study in part.plans}
    model = pl.col("study").replace_strict(model_of)
    merged = replace(results, table=results.table.with_columns(method=_label(model, pl.col("method"))))
    rows = [
        Line(f"{model}-{method}-{votes_name(K)}", _name(methods.name(method), model, K), {"method": _label(model, method), "K": K})
        for model, part in parts.items()
        for K in (None, *reversed(part.votes_per_item()))
        for method in part.methods()
        if part.values(method, COMPARED, K=K)
    ]  # fmt: skip
    definition = Definition(
        key=KEY,
        title="The models side by side",
        head="Model and method",
        rows=rows,
        columns=[
            Line(COMPARED, head(COMPARED), {"quantity": COMPARED}),
            Line("last", "Soft NLL, last epoch ↓", {"quantity": COMPARED, "checkpoint": "last"}),
            Line("accuracy", head("accuracy"), {"quantity": "accuracy"}),
        ],
        caption=f"Mean ± SD across seeds (n − 1). All models use the same seeds and splits. {_rates(parts)}{uniform_words(results)}".rstrip(),
        reading="A lower soft NLL is a better fit to the votes. The best value of each column is bold.",
        needs=(Needs(results.methods()),),
        last_below=False,
        bold=True,
    )
    return make_table(definition, merged)


def _rates(parts: Mapping[str, Results]) -> str:
    """The learning rate of each model as a sentence, if they differ."""
    rates = {model: next(iter(part.plans.values())).trained_with.lr for model, part in parts.items()}
    words = listed(f"{rate:g} for {model}" for model, rate in rates.items())
    return f"Learning rate: {words}. " if len({*rates.values()}) > 1 else ""


def _label(model: Any, method: Any) -> Any:
    """A method of a model, as a label or as a column of labels."""
    return model + ": " + method


def _name(method: str, model: str, K: int | None) -> str:
    return f"{model}, {inside(method)}" + ("" if K is None else f", {counted(K, 'vote')}")


def _methods(advised: Recommendation) -> dict[str, str]:
    """By epoch, the method of a model: the recommended one, or the reference if the seeds are too few to recommend one."""
    choice = advised.choices[0]
    use, without = choice.weighed if advised.decided else (choice.reference, choice.reference)
    return {"best": use, "last": without}


def _gap(mean: float, low: float, high: float) -> Difference:
    """A mean difference, which is significant if its interval excludes zero."""
    return Difference(mean, low > 0 or high < 0)


def _gaps(
    losses: Mapping[str, Mapping[int, float]], others: Mapping[str, Mapping[int, float]], level: float
) -> dict[str, tuple[float, float, float]]:
    """The mean difference of losses over shared seeds at each epoch, with its interval (t) if there are at least two seeds."""
    gaps = {}
    for epoch, by_seed in losses.items():
        difference = Paired.of(by_seed, others[epoch]).difference
        if len(difference) > 1:
            gaps[epoch] = (float(difference.mean()), *interval(difference, level))
    return gaps
