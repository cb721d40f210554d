"""`votewise compare`: deliveries × seeds (× votes per item) on your own data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from votewise.cli import options as o
from votewise.cli import study as s


def compare(
    data: Annotated[
        str | None,
        typer.Argument(metavar="DATA", help="digits or cifar10h; or give --inputs and --votes.", show_default=False),
    ] = None,
    inputs: Annotated[
        Path | None, typer.Option(help="Your inputs: a folder of images, or an .npy or .npz.", show_default=False)
    ] = None,
    votes: Annotated[Path | None, typer.Option(help="Your votes, in any known format.", show_default=False)] = None,
    methods: Annotated[
        str, typer.Option(help="Methods; the others are compared with the first.")
    ] = "soft,multipass,sls,majority",
    seeds: s.Seeds = "0-6",
    votes_per_item: Annotated[str, typer.Option(help="How many votes training sees, as 3,5,all.")] = "all",
    subsample: Annotated[
        str, typer.Option(help="How fewer votes are drawn: nested, or multinomial as in the paper.")
    ] = "nested",
    name: Annotated[str, typer.Option(help="Name of the study in the store.")] = "compare",
    preset: Annotated[
        str | None, typer.Option(help="demo, cpu or paper; what fits the data unless given.", show_default=False)
    ] = None,
    epochs: s.Epochs = None,
    size: Annotated[int | None, typer.Option(help="Side to which images are resized.", show_default=False)] = None,
    augment: Annotated[
        str | None,
        typer.Option(help="What may be done to images: crop,flip. Nothing unless given.", show_default=False),
    ] = None,
    format: o.Format = None,
    item: o.Item = None,
    label: o.Label = None,
    annotator: o.Annotator = None,
    weight: o.Weight = None,
    classes: o.Classes = None,
    ordinal: o.Ordinal = None,
    duplicates: o.Duplicates = None,
    question: o.Question = None,
    store: s.StoreFolder = Path("votewise-store"),
    workers: s.Workers = None,
    threads: s.Threads = 1,
    device: s.Device = "cpu",
    shard: s.Shard = None,
    on: s.On = "local",
    evidence: s.Evidence = None,
    yes: s.Yes = False,
    json: o.Json = False,
) -> None:
    """Compare ways of training on your votes. The plan is kept in the store: edit it, and run it with `votewise reproduce PLAN.toml`."""
    from votewise.studies.plan import make_plan
    from votewise.studies.source import Source
    from votewise.training.fitting import PRESETS
    from votewise.training.recipe import checked

    said = {
        "name": data, "inputs": inputs and str(inputs), "votes": votes and str(votes), "size": size, "augment": _parts(augment) or (),
        "question": question, "format": format, "item": item, "label": label, "annotator": annotator, "weight": weight,
        "classes": _parts(classes), "ordinal": ordinal, "duplicates": duplicates,
    }  # fmt: skip
    source = checked(Source, said, where="the data to compare on").below(Path())
    dataset = source.load()
    recipe: dict[str, Any] = {} if dataset.images else {"model": "mlp"}
    if epochs is not None:
        recipe["epochs"] = epochs
    values = {
        "name": name,
        "dataset": source.model_dump(exclude_defaults=True),
        "methods": _parts(methods),
        "seeds": s.numbers(seeds),
        "votes_per_item": _parts(votes_per_item),
        "subsample": subsample,
        "preset": preset or PRESETS.get(dataset.name, "cpu"),
        "recipe": recipe,
        "probes": _probes(_parts(methods) or []),
    }
    s.run_plans(
        [make_plan(values, where="the comparison")], store, workers=workers, threads=threads, device=device, shard=shard, on=on, yes=yes, json=json,
        evidence=evidence is not False,
    )  # fmt: skip


def _probes(methods: list[str]) -> list[dict[str, Any]]:
    """What is quickly looked at in every run; more is a [[probes]] row in the plan."""
    every = [{"name": name, "methods": methods} for name in ("dynamics", "reliability", "spread")]
    hard = [name for name in methods if name != "soft"]
    diagnosis = [{"name": "diagnosis", "methods": hard, "against": "soft"}] if hard and "soft" in methods else []
    return [*every, *diagnosis]


def _parts(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",")]
