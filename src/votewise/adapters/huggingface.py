"""A `Trainer` of Hugging Face transformers that trains on a delivery."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from transformers import EvalPrediction, Trainer, TrainerCallback

from votewise.adapters.targets import Targets
from votewise.adapters.torch import cross_entropy, delivered_loss
from votewise.delivery import require_fit
from votewise.errors import StaleLabelsError, VotewiseError
from votewise.scoring import score
from votewise.votes import Answers, require_answers

INDEX = "votewise_index"  # the column with the position of each example
_UNKNOWN = -1  # value in that column for an example of `predict`, whose votes are unknown
_LABELS = (
    "label",
    "labels",
    "label_ids",
)  # columns that are removed, because with labels the model would compute its own loss


class VotesTrainer(Trainer):
    """A `Trainer` whose loss is the cross-entropy against the targets of a delivery.

    The labels of the dataset are removed, so that the model cannot turn distributions into binary cross-entropy. With
    `eval_votes`, `eval_loss` is the soft NLL against all votes, exact also for a smaller last batch, and every score is logged
    (`eval_kl`, `eval_accuracy`, ...), so that `load_best_model_at_end` works as usual. A `compute_metrics` of your own adds to
    the scores; its `label_ids` are the classes with the most votes (a tie: the first one), in the order of `eval_votes`. In
    `predict`, there are no labels, so it is not called.

    Args:
        model: Sequence classifier, or any module whose output has `logits` [n, C].
        args: `TrainingArguments`, used unchanged.
        delivery: Delivery for the training examples.
        train_dataset: Tokenised map-style dataset of dictionaries, in the order of the delivery's votes.
        eval_dataset: Evaluation dataset in the same format. Default: none.
        eval_votes: Votes on the examples of `eval_dataset`, in their order.
        ids: Ids of the training examples [N], compared with the ids of the votes.
        outputs: Number of outputs of the model, compared with the number of classes. Default: `model.config.num_labels`, if present.
        **options: Options of `Trainer`, for example `data_collator` or `processing_class`.

    Raises:
        VotewiseError: If sizes, the order of ids or the number of classes do not fit, or another loss is requested.
    """

    def __init__(
        self,
        model: Any,
        args: Any = None,
        *,
        delivery: Any,
        train_dataset: Any,
        eval_dataset: Any = None,
        eval_votes: Answers | None = None,
        ids: Iterable[object] | None = None,
        outputs: int | None = None,
        **options: Any,
    ) -> None:
        heads = getattr(getattr(model, "config", None), "num_labels", None) if outputs is None else outputs
        self.targets = Targets(delivery, outputs=heads, remedy="start each epoch with the callbacks of the Trainer")
        require_fit(delivery, dataset=train_dataset, ids=ids)
        _require_rows(train_dataset)
        _require_supported(args, options)
        if (eval_dataset is None) != (eval_votes is None):
            raise VotewiseError("eval_dataset and eval_votes must be given together", remedy="give both, or neither")
        if eval_votes is not None:
            require_answers(eval_votes)
            require_fit(eval_votes, dataset=eval_dataset, outputs=delivery.num_classes)
            _require_rows(eval_dataset)
        self.eval_votes, self._more_metrics = eval_votes, options.pop("compute_metrics", None)
        super().__init__(
            model,
            args,
            train_dataset=_Rows(train_dataset),
            eval_dataset=None if eval_dataset is None else _Rows(eval_dataset),
            compute_metrics=self._metrics,
            callbacks=[_Epochs(self.targets), *(options.pop("callbacks", None) or [])],
            **options,
        )
        self.label_names = [INDEX]  # keep the column in every batch, and pass it to compute_metrics
        self._shares = None if eval_votes is None else eval_votes.probabilities()

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, num_items_in_batch: Any = None
    ) -> Any:
        """The mean cross-entropy of a batch: against the epoch's targets in training, against all votes in evaluation."""
        index = inputs[INDEX]
        output = model(**{name: value for name, value in inputs.items() if name != INDEX})
        logits = output["logits"] if isinstance(output, dict) else getattr(output, "logits", output)
        if model.training:
            loss = delivered_loss(logits, self.targets, index)
        elif self._shares is None or int(index[0]) == _UNKNOWN:
            loss = logits.new_full((), math.nan)
        else:
            loss = cross_entropy(logits, logits.new_tensor(self._shares[index.cpu().numpy()]))
        return (loss, {"loss": loss, "logits": logits}) if return_outputs else loss

    def evaluation_loop(self, *args: Any, **options: Any) -> Any:
        """Like `Trainer`, but the loss is the mean over examples; `Trainer` weights a smaller last batch like a full one."""
        output = super().evaluation_loop(*args, **options)
        if output.label_ids is not None and output.predictions is not None:
            loss = f"{options.get('metric_key_prefix', 'eval')}_loss"
            output.metrics.pop(loss, None)
            exact = self._scores((output.predictions, output.label_ids), ["soft_nll"])
            output.metrics.update({loss: exact["soft_nll"]} if exact else {})
        return output

    def get_test_dataloader(self, test_dataset: Any) -> Any:
        """For `predict`: labels are removed, and there are no votes to score against."""
        return super().get_test_dataloader(_Rows(test_dataset, _UNKNOWN))

    def evaluate(self, eval_dataset: Any = None, *args: Any, **options: Any) -> dict[str, float]:
        """Evaluate on the `eval_dataset` given to the constructor, whose votes are known."""
        if eval_dataset is not None:
            raise VotewiseError(
                "evaluate() has no votes for another dataset", remedy="use predict(dataset) and votewise.score"
            )
        metrics: dict[str, float] = super().evaluate(None, *args, **options)
        return metrics

    def _metrics(self, evaluated: Any) -> dict[str, float]:
        """The scores, and the metrics of `compute_metrics` against the majority of the votes."""
        scores = self._scores(evaluated)
        if self._more_metrics is None or self.eval_votes is None or not scores:
            return scores
        logits, index = evaluated.predictions, evaluated.label_ids
        majority = self.eval_votes.majority()[index]
        labelled = EvalPrediction(logits, majority, inputs=evaluated.inputs, losses=evaluated.losses)
        return {**scores, **self._more_metrics(labelled)}

    def _scores(self, evaluated: Any, scores: list[str] | None = None) -> dict[str, float]:
        logits, index = evaluated
        if self.eval_votes is None or (index == _UNKNOWN).any():
            return {}
        return dict(score(logits, self.eval_votes[index], scores=scores, kind="logits", dialect=None).scores)


class _Rows:
    """A dataset of dictionaries without labels and with the position of each example."""

    def __init__(self, dataset: Any, position: int | None = None) -> None:
        self.dataset, self.position = dataset, position

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, index: int) -> dict[str, Any]:
        row = {name: value for name, value in self.dataset[index].items() if name not in _LABELS}
        return {**row, INDEX: int(index) if self.position is None else self.position}


class _Epochs(TrainerCallback):
    """Starts the epochs of the targets, and checks them against the epoch of the Trainer."""

    def __init__(self, targets: Targets) -> None:
        self.targets = targets

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.targets.start(int(state.epoch or 0))  # a fraction after resuming inside an epoch

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if (epoch := math.ceil(state.epoch) - 1) != self.targets.epoch:
            raise StaleLabelsError(
                f"the Trainer is in epoch {epoch}, but the labels are for epoch {self.targets.epoch}",
                remedy="resume with the same batch size and number of processes as the checkpoint",
            )


def _require_rows(dataset: Any) -> None:
    if not isinstance(dataset[0], Mapping):
        raise VotewiseError(
            f"the rows of the dataset must be dictionaries, got {type(dataset[0]).__name__}",
            remedy="give rows, e.g. {'input_ids': [...]}",
        )


def _require_supported(args: Any, options: Mapping[str, Any]) -> None:
    if getattr(args, "batch_eval_metrics", False):
        raise VotewiseError(
            "batch_eval_metrics would score single batches, and scores are not means over batches",
            remedy="leave it out",
        )
    if getattr(args, "label_smoothing_factor", 0):
        raise VotewiseError(
            "label_smoothing_factor has no effect on the loss of a delivery",
            remedy="use votewise.LabelSmoothing(votes)",
        )
    if options.get("compute_loss_func") is not None:
        raise VotewiseError(
            "compute_loss_func would replace the loss of the delivery", remedy="leave it out, or override compute_loss"
        )
