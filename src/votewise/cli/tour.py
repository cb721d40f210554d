"""`votewise tour`: the whole pipeline on the embedded example votes, in a few seconds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from votewise.terminal import Canvas, Page, show

if TYPE_CHECKING:
    from rich.console import RenderableType

    from votewise.votes import Distributions, Votes

EPOCHS = 6
SHOWN = ("soft_nll", "kl", "soft_brier", "accuracy", "ece_equal_mass", "ece_equal_mass_votes", "entropy_correlation")


def tour() -> None:
    """Describe the embedded example votes, show the targets of each delivery over the epochs, and score simple predictions."""
    from votewise.profile import describe
    from votewise.votes import example_truth, example_votes

    votes = example_votes()
    show(describe(votes), title="1  The votes: simulated annotators label the emotion in 400 short messages")
    print()
    show(_deliveries(votes), title="2  The targets of each delivery for one message")
    print()
    show(_scores(votes, example_truth()), title="3  Simple predictions against the votes")
    print("\nNext, with your own votes (item, annotator, label): votewise describe votes.csv")


def _deliveries(votes: Votes) -> Page:
    """The votes on the message with the largest disagreement, and its target in each epoch under each delivery."""
    from votewise.delivery import DELIVERIES, deliver

    item = int(votes.entropy().argmax())
    cast = ", ".join(
        f"{count} {name}" for name, count in zip(votes.classes, votes.counts([item])[0], strict=True) if count
    )
    rows, always = [("delivery", *(f"epoch {epoch + 1}" for epoch in range(EPOCHS)))], list[str]()
    for name, kind in DELIVERIES.items():
        targets = [deliver(name, votes, seed=0).targets(item, epoch) for epoch in range(EPOCHS)]
        if kind.kind == "hard":
            rows.append((name, *(str(votes.classes[target]) for target in targets)))
        else:
            shares = ", ".join(f"{share:.2f} {label}" for label, share in zip(votes.classes, targets[0], strict=True))
            always.append(f"{name}, in every epoch: {shares}")

    def draw(canvas: Canvas) -> Iterator[RenderableType]:
        yield from canvas.note(f"{votes.name_of(item)}, votes: {cast}")
        yield from canvas.table(rows)
        for line in always:
            yield from canvas.note(line)

    return Page(draw)


def _scores(votes: Votes, truth: Distributions) -> Page:
    """The scores of three simple predictions, side by side."""
    from votewise.scoring import SCORES, score

    share = votes.counts().sum(axis=0) / len(votes.label)
    cards = {
        "same for all": score([share] * len(votes), votes).scores,
        "90 % on majority": score(
            0.875 * (votes.majority()[:, None] == range(votes.num_classes)) + 0.025, votes
        ).scores,
        "the true shares": score(truth.probability, votes).scores,
    }
    rows = [("score", "", *cards)]
    for name in SHOWN:
        values = (f"{scores[name]:.3f}" if name in scores else "–" for scores in cards.values())
        rows.append((name, SCORES[name].arrow, *values))

    def draw(canvas: Canvas) -> Iterator[RenderableType]:
        yield from canvas.table(rows, (2, 3, 4))
        yield from canvas.note(
            f"No prediction can have a soft NLL below {votes.entropy().mean():.3f}, the entropy of the votes. Even the true shares have a KL"
            " above zero, because the shares of a few votes differ from them by chance. Predicting the majority gives the best accuracy"
            " and a worse soft NLL than the true shares. Its calibration error is lower than theirs if the outcome is the majority, and higher"
            " if the outcome is the votes. The entropy correlation is undefined (–) if all predictions have the same entropy.",
            rest="",
        )

    return Page(draw)
