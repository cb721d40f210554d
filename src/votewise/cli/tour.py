"""`votewise tour`: the whole way through on the embedded example votes, in a few seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table

    from votewise.votes import Distributions, Votes

EPOCHS = 6
SHOWN = ("soft_nll", "kl", "soft_brier", "accuracy", "ece_equal_mass", "ece_equal_mass_votes", "entropy_correlation")


def tour() -> None:
    """Describe the embedded example votes, show what each delivery hands out over the epochs, score simple predictions."""
    from rich.console import Console

    from votewise.profile import describe
    from votewise.terminal import show
    from votewise.votes import example_truth, example_votes

    console, votes = Console(highlight=False), example_votes()
    show(describe(votes), title="1  The votes: simulated annotators name the feeling in 400 short messages")

    console.print()
    console.rule("2  What each delivery hands out for one message", align="left", style="bold")
    console.print(*_handed_out(votes), sep="\n")

    console.print()
    console.rule("3  Simple predictions against the votes", align="left", style="bold")
    floor = votes.entropy().mean()
    console.print(
        _scores(votes, example_truth()),
        f"\nNo prediction can have a soft NLL below {floor:.3f}, the entropy of the votes. The true shares still have a KL above"
        " zero: so few votes differ from them by chance. The majority wins on accuracy and loses on soft NLL; calibration against the"
        " majority even prefers it to the truth, calibration against the votes does not. A prediction that is equally sure of all"
        " items has no entropy correlation (–).\n",
    )
    console.print("Next, with your own votes (item, annotator, label): votewise describe votes.csv", soft_wrap=True)


def _handed_out(votes: Votes) -> list[str | Table]:
    """The message people disagree on most: its votes, then its target in each epoch."""
    from rich.table import Table

    from votewise.delivery import DELIVERIES, deliver

    item = int(votes.entropy().argmax())
    cast = ", ".join(
        f"{count} {name}" for name, count in zip(votes.classes, votes.counts([item])[0], strict=True) if count
    )
    table = Table("delivery", *(f"epoch {epoch + 1}" for epoch in range(EPOCHS)), box=None, pad_edge=False)
    always = []
    for name, kind in DELIVERIES.items():
        targets = [deliver(name, votes, seed=0).targets(item, epoch) for epoch in range(EPOCHS)]
        if kind.kind == "hard":
            table.add_row(name, *(votes.classes[target] for target in targets))
        else:
            shares = ", ".join(f"{share:.2f} {label}" for label, share in zip(votes.classes, targets[0], strict=True))
            always.append(f"{name}, in every epoch: {shares}")
    return [f"{votes.name_of(item)}, votes: {cast}\n", table, "", *always]


def _scores(votes: Votes, truth: Distributions) -> Table:
    """Three predictions that need no model, side by side."""
    import numpy as np
    from rich.table import Table

    from votewise.scoring import SCORES, score

    share = votes.counts().sum(axis=0) / len(votes.label)
    cards = {
        "same for all": score(np.tile(share, (len(votes), 1)), votes),
        "90 % on majority": score(0.875 * np.eye(votes.num_classes)[votes.majority()] + 0.025, votes),
        "the true shares": score(truth.probability, votes),
    }
    table = Table("score", "", *cards, box=None, pad_edge=False)
    for column in table.columns[2:]:
        column.justify = "right"
    for name in SHOWN:
        table.add_row(
            name, SCORES[name].arrow, *(f"{c.scores[name]:.3f}" if name in c.scores else "–" for c in cards.values())
        )
    return table
