"""`votewise fit DATA`: train one model; the same command goes on with a run that was stopped, and gives back a finished one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions

if TYPE_CHECKING:
    from votewise.datasets import Dataset
    from votewise.training import Interpolation, Recipe


@grouped
def fit(
    data: o.Data = None,
    inputs: o.Inputs = None,
    votes: o.Votes = None,
    delivery: Annotated[
        str,
        typer.Option(
            help="The method: soft, multipass, sls, deterministic, shuffled-sls, majority, label-smoothing, mixup."
        ),
    ] = "multipass",
    resample_every: Annotated[
        int | None,
        typer.Option(help="For sls: epochs for which a drawn label is kept; 1 unless given.", show_default=False),
    ] = None,
    votes_per_item: Annotated[
        int | None,
        typer.Option(help="Train on so many votes per item; on all of them unless given.", show_default=False),
    ] = None,
    subsample: Annotated[
        str,
        typer.Option(help="How they are drawn: multinomial, with replacement as in the paper; or nested, without."),
    ] = "multinomial",
    subsample_seed: o.SubsampleSeed = None,
    selection: o.Selection = 0.0,
    seed: Annotated[int, typer.Option(help="One seed for split, weights, order, augmentation and labels.")] = 0,
    preset: Annotated[
        str | None, typer.Option(help="demo, cpu or paper; what fits the data unless given.", show_default=False)
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="A TOML file of values that differ from the preset.", show_default=False)
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Number of epochs, if not the preset's.", show_default=False)
    ] = None,
    size: o.Size = None,
    augment: o.Augment = None,
    *,
    read_options: ReadOptions,
    out: Annotated[Path, typer.Option(help="The store: the run becomes a folder in OUT/runs.")] = Path(
        "votewise-store"
    ),
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    threads: Annotated[int, typer.Option(help="Number of threads; it decides bits, so it is recorded.")] = 1,
    compile: Annotated[bool, typer.Option("--compile", help="Compile the model with torch.compile.")] = False,
    json: o.Json = False,
) -> None:
    """Train one model on votes and score it against all votes of the held-out items, at its best epoch and at the last."""
    from votewise.cli.screen import epoch_bar, print_json
    from votewise.studies import label
    from votewise.studies.remarks import fewer_votes
    from votewise.training import Engine, Split, complete, configure, method
    from votewise.training.environment import keep_memory
    from votewise.validation import checked
    from votewise.wording import counted

    engine = Engine(device=device, threads=threads, compile=compile)
    engine.prepare()
    dataset = o.source(data, inputs, votes, size, augment, read_options).load()
    chosen = _recipe(dataset, preset, recipe, epochs)
    options = {} if resample_every is None else {"resample_every": resample_every}
    config = configure(
        dataset,
        method(delivery, **options),
        chosen,
        seed=seed,
        votes_per_item=votes_per_item,
        subsample=subsample,
        subsample_seed=subsample_seed,
        split=checked(Split, {"selection": selection}),
    )
    for line in [] if votes_per_item is None else fewer_votes(dataset, votes_per_item, subsample):
        print(line, file=sys.stderr)
    keep_memory()
    try:
        with epoch_bar(config.folder_name, chosen.epochs) as tell:
            run = complete(dataset, config, out, engine, tell)
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from the last saved state.", file=sys.stderr)
        raise typer.Exit(130) from None
    if json:
        print_json({"folder": str(run.folder), **run.summary})
        return
    print(f"scored on {counted(len(run.predictions), 'held-out item')}, trained on {len(run.predictions.train_row)}")
    print(
        f"best epoch {run.best.epoch + 1} of {run.last.epoch + 1}, chosen by soft NLL on "
        + ("a selection part of its own" if selection else "the items that it is reported on")
    )
    print(f"  {'':22}{'best':>10}{'last':>10}")
    for name in ("soft_nll", "kl", "soft_brier", "accuracy", "ece_equal_mass", "entropy_correlation"):
        values = (checkpoint.scores.get(name) for checkpoint in run.checkpoints)
        print(f"  {name:22}" + "".join(f"{'–':>10}" if value is None else f"{value:10.4f}" for value in values))
    for line in _training_fit(run.interpolation, label(config.method), dataset.votes.num_classes):
        print(line)
    print(f"run: {run.folder}")


def _training_fit(found: Interpolation, method: str, classes: int) -> list[str]:
    """How near the run ended to its targets, and what that means."""
    from votewise.profile.interpolation import meaning, relative_excess

    loss, entropy = found.train_loss_last, found.target_entropy
    relative = relative_excess(loss - entropy, entropy, classes)
    return [
        f"training loss against the vote shares {loss:.4f} at the last epoch, their entropy {entropy:.4f}:"
        f" excess {loss - entropy:.4f} nats, {100 * relative:.0f} % of that of uniform predictions",
        meaning(method, relative, entropy),
    ]


def _recipe(dataset: Dataset, name: str | None, file: Path | None, epochs: int | None) -> Recipe:
    import tomllib

    from votewise.errors import VotewiseError
    from votewise.files import existing_file
    from votewise.training import suited

    changes: dict[str, object] = {}
    if file is not None:
        try:
            changes |= tomllib.loads(existing_file(file).read_text())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise VotewiseError(f"this is no TOML ({error})", where=file, remedy="write key = value") from None
    if epochs is not None:
        changes["epochs"] = epochs
    return suited(dataset, name, where=file, **changes)
