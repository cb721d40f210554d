"""`votewise fit DATA`: train one model; the same command goes on with a run that was stopped, and gives back a finished one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from votewise.cli import options as o

if TYPE_CHECKING:
    from votewise.datasets import Dataset
    from votewise.training import Recipe

# The preset that a dataset is trained with unless another is asked for; people's own features get the small net for vectors.


def fit(
    data: Annotated[
        str | None,
        typer.Argument(metavar="DATA", help="digits or cifar10h; or give --inputs and --votes.", show_default=False),
    ] = None,
    inputs: Annotated[
        Path | None, typer.Option(help="Your inputs: a folder of images, or an .npy or .npz.", show_default=False)
    ] = None,
    votes: Annotated[Path | None, typer.Option(help="Your votes, in any known format.", show_default=False)] = None,
    delivery: Annotated[
        str,
        typer.Option(
            help="The method: soft, multipass, sls, deterministic, shuffled-sls, majority, label-smoothing, mixup."
        ),
    ] = "multipass",
    resample_every: Annotated[int, typer.Option(help="For sls: epochs for which a drawn label is kept.")] = 1,
    votes_per_item: Annotated[
        int | None, typer.Option(help="Train on so many votes per item only.", show_default=False)
    ] = None,
    subsample: Annotated[
        str, typer.Option(help="How they are drawn: multinomial, as in the paper, or nested.")
    ] = "multinomial",
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
    out: Annotated[Path, typer.Option(help="The store: the run becomes a folder in OUT/runs.")] = Path(
        "votewise-store"
    ),
    device: Annotated[str, typer.Option(help="cpu or cuda.")] = "cpu",
    threads: Annotated[int, typer.Option(help="Number of threads; it decides bits, so it is recorded.")] = 1,
    compile: Annotated[bool, typer.Option("--compile", help="Compile the model with torch.compile.")] = False,
    json: o.Json = False,
) -> None:
    """Train one model on votes and score it against all of them, at its best epoch and at the last."""
    from votewise.cli.screen import epoch_bar, print_json
    from votewise.training import Engine, complete, configure, method
    from votewise.training.environment import keep_memory

    dataset = _dataset(data, inputs, votes)
    chosen = _recipe(dataset, preset, recipe, epochs)
    config = configure(
        dataset, method(delivery, resample_every=resample_every), chosen, seed=seed, votes_per_item=votes_per_item, subsample=subsample
    )  # fmt: skip
    keep_memory()
    with epoch_bar(config.folder_name, chosen.epochs) as tell:
        run = complete(dataset, config, out, Engine(device=device, threads=threads, compile=compile), tell)
    if json:
        print_json({"folder": str(run.folder), **run.scores})
        return
    print(
        f"best epoch {run.scores['best_epoch']} of {run.scores['epochs']}, chosen by evaluation soft NLL on the split it is reported on"
    )
    print(f"  {'':22}{'best':>10}{'last':>10}")
    for name in ("soft_nll", "kl", "soft_brier", "accuracy", "ece_equal_mass", "entropy_correlation"):
        best, last = (run.scores[checkpoint].get(name) for checkpoint in ("best", "last"))
        print(
            f"  {name:22}" + "".join(f"{'–' if value is None else format(value, '.4f'):>10}" for value in (best, last))
        )
    found = run.scores["interpolation"]
    print(
        f"training loss {found['train_loss_last']:.4f} at the end, entropy of its targets {found['target_entropy']:.4f}"
    )
    print(f"run: {run.folder}")


def _dataset(data: str | None, inputs: Path | None, votes: Path | None) -> Dataset:
    from votewise.datasets import load, own
    from votewise.errors import VotewiseError

    if data is not None and inputs is None and votes is None:
        return load(data)
    if data is None and inputs is not None and votes is not None:
        return own(inputs, votes)
    raise VotewiseError(
        "it is not clear what to train on", remedy="name a dataset (digits), or give both --inputs and --votes"
    )


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
