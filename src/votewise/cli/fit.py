"""`votewise fit DATA`: trains one model, resumes a stopped run, or shows a finished run."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions
from votewise.terminal import Canvas, Page, show
from votewise.wording import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

    from votewise.training import Run

SHOWN = ("soft_nll", "kl", "soft_brier", "accuracy", "ece_equal_mass", "entropy_correlation")


@grouped
def fit(
    *,
    place: o.Place,
    method: Annotated[
        str,
        typer.Option(
            help="soft, multipass, sls, deterministic, shuffled-sls, majority, label-smoothing, mixup,"
            " or the import path package.module:object of a delivery."
        ),
    ] = "multipass",
    resample_every: Annotated[
        int | None, o.option("For sls: number of epochs after which labels are drawn again. Default: 1.")
    ] = None,
    votes_per_item: Annotated[int | None, o.option("Number of votes per item for training. Default: all.")] = None,
    subsample: o.Subsample = "multinomial",
    subsample_seed: o.SubsampleSeed = None,
    selection: o.Selection = 0.0,
    seed: Annotated[
        int, typer.Option(help="Random seed (split, initial weights, data order, augmentation, labels).")
    ] = 0,
    preset: o.Preset = None,
    recipe: o.RecipeFile = None,
    model: o.Model = None,
    epochs: Annotated[int | None, o.option("Number of epochs. Default: set by the preset.")] = None,
    material: o.Material,
    read_options: ReadOptions,
    store: Annotated[Path, typer.Option(help="Folder of runs; the run is saved in STORE/runs.")] = Path(
        "votewise-store"
    ),
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    threads: Annotated[
        int, typer.Option(help="Number of threads; recorded, because it affects the exact results.")
    ] = 1,
    compile: Annotated[bool, typer.Option("--compile", help="Compile the model with torch.compile.")] = False,
    checkpoint_seconds: o.CheckpointSeconds = 60.0,
    json: o.Json = False,
) -> None:
    """Train one model on votes and score it on held-out items at the best and the last epoch.

    A stopped run is resumed; a finished run is shown without training.
    """
    import votewise as vw
    from votewise.cli.screen import epoch_bar, print_json
    from votewise.studies import fewer_votes
    from votewise.toml_files import read_toml
    from votewise.training import method as method_of
    from votewise.validation import checked

    engine = vw.Engine(device=device, threads=threads, compile=compile, checkpoint_seconds=checkpoint_seconds)
    dataset = o.source(place, material, read_options).load()
    changes = ({} if recipe is None else read_toml(recipe)) | {
        key: value for key, value in {"model": model, "epochs": epochs}.items() if value is not None
    }
    chosen = vw.Recipe.for_dataset(dataset, preset, where=recipe, **changes)
    options = {} if resample_every is None else {"resample_every": resample_every}
    for line in [] if votes_per_item is None else fewer_votes(dataset, votes_per_item, subsample):
        print(line, file=sys.stderr)
    for line in dataset.remarks:
        print(line, file=sys.stderr)
    try:
        with epoch_bar(f"{dataset.name} {method}", chosen.epochs) as on_progress:
            run = vw.fit(
                dataset,
                method_of(method, **options),
                chosen,
                seed=seed,
                votes_per_item=votes_per_item,
                subsample=subsample,  # type: ignore[arg-type]  # checked there
                subsample_seed=subsample_seed,
                split=checked(vw.Split, {"selection": selection}),
                store=store,
                engine=engine,
                on_progress=on_progress,
            )
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to resume from the last checkpoint.", file=sys.stderr)
        raise typer.Exit(130) from None
    if json:
        print_json({"folder": str(run.folder), **run.summary, "best_epoch_chosen_apart": run.chosen_apart})
    else:
        show(_page(run, dataset.votes.num_classes))
        print(f"run: {run.folder}")


def _page(run: Run, classes: int) -> Page:
    """A page with the scores at the best and the last epoch, and how closely the model fits its targets."""
    from votewise.profile import meaning, relative_excess
    from votewise.studies import label

    cut, limit = (run.summary["net"].get(key) for key in ("truncated", "max_length"))
    rows = [("", "best", "last")]
    for name in SHOWN:
        values = [checkpoint.scores.get(name) for checkpoint in run.checkpoints]
        rows.append((name, *("–" if value is None else f"{value:.4f}" for value in values)))  # type: ignore[arg-type]  # two checkpoints: three columns, as in the heading
    loss, entropy = run.interpolation.train_loss_last, run.interpolation.target_entropy
    relative = relative_excess(loss - entropy, entropy, classes)

    def draw(canvas: Canvas) -> Iterator[RenderableType]:
        if cut:
            yield from canvas.note(f"{counted(cut, 'text')} longer than the model's limit of {limit} tokens: truncated")
        items = counted(len(run.predictions), "held-out item")
        yield from canvas.note(f"scored on {items}, trained on {len(run.predictions.train_row)}")
        yield from canvas.note(run.choice)
        yield from canvas.table(rows, (1, 2))
        yield from canvas.note(
            f"training loss against the vote shares at the last epoch: {loss:.4f}; its lower bound, the entropy of the shares:"
            f" {entropy:.4f}; excess: {loss - entropy:.4f} nats, {100 * relative:.0f} % of the excess of uniform predictions"
        )
        yield from canvas.note(meaning(label(run.config.method), relative, entropy))

    return Page(draw)
