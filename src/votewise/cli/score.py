"""`votewise score PREDICTIONS VOTES`: scores the predictions of any model against the votes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions


@grouped
def score(
    predictions: Annotated[
        Path, o.argument("PREDICTIONS", "A .npy, .npz, .csv, .tsv or .parquet file of predictions.")
    ],
    votes: o.VotesPath,
    kind: Annotated[
        str, typer.Option(help="Type of the predictions: auto, probabilities, log-probabilities or logits.")
    ] = "auto",
    prediction_item: Annotated[str | None, o.option("Column with the item ids, in the file of predictions.")] = None,
    array: Annotated[str | None, o.option("Array with the predictions, in an .npz file.")] = None,
    partial: Annotated[bool, typer.Option("--partial", help="Score only the items that have a prediction.")] = False,
    scores: Annotated[
        str | None,
        o.option("Comma-separated scores; package.module:score for a custom score. Default: all built-in scores."),
    ] = None,
    dialect: Annotated[
        str,
        typer.Option(
            help="Also report the scores as defined in paper, chaosnli, lewidi2023, lewidi2025, kurniawan or baan."
        ),
    ] = "paper",
    truth: Annotated[
        Path | None, o.option("File of true labels: a table of items and labels, or one label per line.")
    ] = None,
    truth_item: Annotated[str | None, o.option("Column with the item ids, in the file of true labels.")] = None,
    truth_label: Annotated[str | None, o.option("Column with the true labels, in that file.")] = None,
    intervals: Annotated[int | None, o.option("Number of bootstrap samples for intervals, e.g. 1000.")] = None,
    over: Annotated[str | None, o.option("What the bootstrap resamples: items or items+votes. Default: items.")] = None,
    level: Annotated[float | None, o.option("Level of the intervals. Default: 0.95.")] = None,
    ceiling: Annotated[
        int | None,
        o.option("Score one half of the votes against the other, as a reference: number of random splits, e.g. 5."),
    ] = None,
    bins: Annotated[int, typer.Option(help="Number of bins of the calibration errors.")] = 15,
    seed: Annotated[int, typer.Option(help="Seed of all random draws.")] = 0,
    per_item: Annotated[
        Path | None,
        o.option("Write one row per item with every score that is a mean over items: .csv, .tsv, .parquet or .json."),
    ] = None,
    *,
    read_options: ReadOptions,
    json: o.Json = False,
) -> None:
    """Score predictions against the votes: proper scores, calibration, entropy agreement, distances."""
    from votewise.cli.screen import print_json, print_report, print_written, printable
    from votewise.errors import VotewiseError
    from votewise.scoring import Intervals, read_predictions, read_truth, refuse_swapped
    from votewise.scoring import score as score_against
    from votewise.terminal import show
    from votewise.votes import inspect_votes

    if intervals is None and (over, level) != (None, None):
        name, value = ("over", over) if over is not None else ("level", level)
        raise VotewiseError(
            f"--{name} is {value}, but no intervals are requested",
            remedy="give the number of bootstrap samples, e.g. --intervals 1000",
        )
    try:
        file = inspect_votes(votes, **read_options)
        answers = file.votes()
        card = score_against(
            read_predictions(predictions, kind, item=prediction_item, array=array),  # type: ignore[arg-type]  # checked there
            answers,
            truth=None if truth is None else read_truth(truth, answers, item=truth_item, label=truth_label),
            scores=o.parts(scores),
            dialect=dialect,
            partial=partial,
            intervals=None
            if intervals is None
            else Intervals(intervals, over or "items", 0.95 if level is None else level),  # type: ignore[arg-type]  # checked there
            ceiling=ceiling,
            bins=bins,
            seed=seed,
        )
    except VotewiseError:
        refuse_swapped(predictions, votes)
        raise
    if per_item is not None:
        print_written(card.items.write(per_item))
    if json:
        print_json(card.as_dict() | {"reading": file.report.as_dict()})
        return
    print_report(file.report)
    print(printable("\n  ".join(card.matching)), file=sys.stderr)
    show(card)
