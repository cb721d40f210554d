"""`votewise fit DATA`: train one model, resume a stopped run, or show a finished one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions

if TYPE_CHECKING:
    from votewise.training import Run

SHOWN = ("soft_nll", "kl", "soft_brier", "accuracy", "ece_equal_mass", "entropy_correlation")


@grouped
def fit(
    data: o.Data = None,
    inputs: o.Inputs = None,
    votes: o.Votes = None,
    method: Annotated[
        str,
        typer.Option(
            help="soft, multipass, sls, deterministic, shuffled-sls, majority, label-smoothing, mixup,"
            " or the import path package.module:object of a delivery."
        ),
    ] = "multipass",
    resample_every: Annotated[
        int | None,
        typer.Option(help="For sls: epochs for which a drawn label is kept. Default: 1.", show_default=False),
    ] = None,
    votes_per_item: Annotated[
        int | None, typer.Option(help="Votes of each item that training sees. Default: all.", show_default=False)
    ] = None,
    subsample: o.Subsample = "multinomial",
    subsample_seed: o.SubsampleSeed = None,
    selection: o.Selection = 0.0,
    seed: Annotated[int, typer.Option(help="One seed for split, weights, order, augmentation and labels.")] = 0,
    preset: Annotated[
        str | None, typer.Option(help="demo, cpu or paper. Default: what suits the data.", show_default=False)
    ] = None,
    recipe: Annotated[
        Path | None, typer.Option(help="A TOML file of values that differ from the preset.", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="resnet18, resnet8, digits, mlp, linear, or the import path package.module:object of a model."
            " Default: the preset's.",
            show_default=False,
        ),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Number of epochs. Default: the preset's.", show_default=False)
    ] = None,
    size: o.Size = None,
    augment: o.Augment = None,
    *,
    read_options: ReadOptions,
    store: Annotated[Path, typer.Option(help="The run is a folder in STORE/runs.")] = Path("votewise-store"),
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    threads: Annotated[int, typer.Option(help="Number of threads; it decides bits, so it is recorded.")] = 1,
    compile: Annotated[bool, typer.Option("--compile", help="Compile the model with torch.compile.")] = False,
    json: o.Json = False,
) -> None:
    """Train one model on votes and score it against all votes of the held-out items, at its best epoch and at the last."""
    import votewise as vw
    from votewise.cli.screen import epoch_bar, print_json
    from votewise.studies import fewer_votes
    from votewise.toml_files import read_toml
    from votewise.training import method as method_of
    from votewise.validation import checked

    engine = vw.Engine(device=device, threads=threads, compile=compile)
    dataset = o.source(data, inputs, votes, size, augment, read_options).load()
    changes = ({} if recipe is None else read_toml(recipe)) | {
        key: value for key, value in {"model": model, "epochs": epochs}.items() if value is not None
    }
    chosen = vw.Recipe.for_dataset(dataset, preset, where=recipe, **changes)
    options = {} if resample_every is None else {"resample_every": resample_every}
    for line in [] if votes_per_item is None else fewer_votes(dataset, votes_per_item, subsample):
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
        print("\nStopped. The same command resumes from the last saved state.", file=sys.stderr)
        raise typer.Exit(130) from None
    if json:
        print_json({"folder": str(run.folder), **run.summary})
    else:
        _show(run, dataset.votes.num_classes)


def _show(run: Run, classes: int) -> None:
    """The scores at both checkpoints, and how closely the model fits its targets."""
    from votewise.profile import meaning, relative_excess
    from votewise.studies import label
    from votewise.wording import counted

    where = "a separate selection split" if run.config.split.selection else "the held-out items it is scored on"
    print(f"scored on {counted(len(run.predictions), 'held-out item')}, trained on {len(run.predictions.train_row)}")
    print(f"best epoch {run.best.epoch + 1} of {run.last.epoch + 1}, chosen by soft NLL on {where}")
    print(f"  {'':22}{'best':>10}{'last':>10}")
    for name in SHOWN:
        values = (checkpoint.scores.get(name) for checkpoint in run.checkpoints)
        print(f"  {name:22}" + "".join(f"{'–':>10}" if value is None else f"{value:10.4f}" for value in values))
    loss, entropy = run.interpolation.train_loss_last, run.interpolation.target_entropy
    relative = relative_excess(loss - entropy, entropy, classes)
    print(
        f"training loss against the vote shares {loss:.4f} at the last epoch, their entropy {entropy:.4f}:"
        f" excess {loss - entropy:.4f} nats, {100 * relative:.0f} % of that of uniform predictions"
    )
    print(meaning(label(run.config.method), relative, entropy))
    print(f"run: {run.folder}")
