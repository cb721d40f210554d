"""TOML plans: every key with valid and invalid values, unknown keys, and damaged text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fuzz import samples
from fuzz.cases import Target
from fuzz.draws import Draws
from fuzz.mutation import CELLS, damaged_bytes, damaged_value
from fuzz.promises import hold
from votewise.datasets import Dataset
from votewise.probes import SUMMARIES
from votewise.studies import read_plan
from votewise.toml_files import toml_key, toml_value
from votewise.votes import Votes

_METHODS = ("soft", "sls", "multipass", "majority", "label-smoothing", "deterministic", "shuffled-sls", "mixup")
_OPTIONED = ({"name": "sls", "resample_every": 3}, {"name": "label-smoothing", "epsilon": 0.2}, {"name": "x"}, {"name": "soft", "epsilon": 1})  # fmt: skip
_RECIPE: dict[str, tuple[Any, ...]] = {
    "model": ("linear", "mlp", "digits", "resnet8", "x", 3), "epochs": (1, 3, 0, 10**9, 2.5), "batch_size": (1, 16, -1, 10**12), "lr": (0.1, 0, -1, 1e300, "x"),
    "optimiser": ("sgd", "adamw", "x"), "schedule": ("cosine", "linear", "constant", "x"), "weight_decay": (0.0, 0.01, -1), "momentum": (0.9, 1.5), "warmup": (0, 0.5, 2),
    "augment": ([], ["crop"], ["x"]), "precision": ("float32", "bfloat16", "x"), "size": (8, [8, 8], [8], "x"), "x": (1,),
}  # fmt: skip


def make(draws: Draws, folder: Path) -> dict[str, Any]:
    plan = _plan(draws)
    if draws.chance(0.35):
        plan = damaged_value(draws, plan, 2)
    content = _text(draws, plan).encode("utf-8", "replace")
    if draws.chance(0.15):
        content = damaged_bytes(draws, content, 2)
    if draws.chance(0.01):
        content = _extreme(draws)
    (folder / "plan.toml").write_bytes(content)
    return {}


def _plan(draws: Draws) -> dict[str, Any]:
    odd = draws.chance(0.3)
    plan: dict[str, Any] = {
        "name": "study" if not odd else draws.pick(("study", "a.b", "", "../x", "a/b", "é")),
        "dataset": _dataset(draws) if odd else "digits" if draws.chance(0.5) else {"inputs": "x.npy", "votes": "v.csv"},
        "methods": draws.shuffled(draws.some(_METHODS, 0.4)) or ["soft"],
        "seeds": list(range(draws.between(1, 4)))
        if not odd
        else draws.pick(([0], [], [0, 0], [-1], [10**18], [10**19], [0.5], "0-4")),
    }
    if draws.chance(0.1):
        plan["methods"].append(draws.pick(_OPTIONED))
    if draws.chance(0.3):
        plan["votes_per_item"] = draws.pick(([1, 2, "all"], ["all"], [5], [0], ["x"], [], [10**15]))
    if draws.chance(0.2):
        plan["subsample"] = draws.pick(("nested", "multinomial", "x"))
    if draws.chance(0.15):
        plan["resample_every"] = draws.pick(([1], [1, 5], [0], [7]))
    if draws.chance(0.15):
        plan["twins"] = draws.pick((1, 2, 0, 10**9))
    if draws.chance(0.5):
        plan["preset"] = draws.pick(("demo", "cpu", "paper", "text", "x"))
    if draws.chance(0.5):
        chosen = draws.some(tuple(_RECIPE), 0.15)
        plan["recipe"] = {key: _RECIPE[key][0] if draws.chance(0.7) else draws.pick(_RECIPE[key]) for key in chosen}
    if draws.chance(0.2):
        plan["split"] = draws.pick(({"fraction": 0.5}, {"selection": 0.2}, {"fraction": 2}, {"x": 1}, {"seed": 3}))
    if draws.chance(0.3):
        plan["probes"] = [_probe(draws, plan["methods"]) for _ in range(draws.between(1, 2))]
    return plan


def _dataset(draws: Draws) -> Any:
    named = (
        "digits",
        "cifar10h",
        "x",
        "",
        3,
        {"name": "digits"},
        {"name": "digits", "size": draws.pick((8, [4, 4], [8], 0, -1, "x"))},
    )
    if draws.chance(0.4):
        return draws.pick(named)
    source = {"inputs": draws.pick(("x.npy", "x", "\0", "/")), "votes": draws.pick(("v.csv", "", "."))}
    return (
        source
        | samples.options(draws, 0.6)
        | draws.pick(({}, {}, {"text": "t"}, {"augment": ["flip"]}, {"split": "s"}))
    )


def _probe(draws: Draws, methods: list[Any]) -> dict[str, Any]:
    names = [method for method in methods if isinstance(method, str)] or ["soft"]
    probe: dict[str, Any] = {"name": draws.pick((*SUMMARIES, "x")), "methods": draws.some(names, 0.6) or [names[0]]}
    if draws.chance(0.4):
        probe["against"] = draws.pick(("soft", "sls", "twin", "x"))
    if draws.chance(0.2):
        probe |= draws.pick(({"seeds": [0]}, {"votes_per_item": ["all"]}, {"checkpoint": "last"}, {"x": 1}))
    return probe


def _text(draws: Draws, plan: Any) -> str:
    """A plan as TOML: the same keys as values, as tables and as rows."""
    if not isinstance(plan, dict):
        return str(plan)
    lines, tables = list[str](), list[str]()
    for key, value in plan.items():
        if isinstance(value, dict) and value and draws.chance(0.7):
            tables += ["", f"[{_key(key)}]", *(f"{_key(name)} = {_value(one)}" for name, one in value.items())]
        elif value and isinstance(value, list) and all(isinstance(row, dict) for row in value):
            for row in value:
                tables += ["", f"[[{_key(key)}]]", *(f"{_key(name)} = {_value(one)}" for name, one in row.items())]
        else:
            lines.append(f"{_key(key)} = {_value(value)}")
    return "\n".join(lines + tables) + "\n"


def _key(key: str) -> str:
    return toml_key(key)


def _value(value: Any) -> str:
    return toml_value(value).replace("null", '""').replace("NaN", "nan").replace("Infinity", "inf")


def _extreme(draws: Draws) -> bytes:
    size = draws.pick((100, 5_000, 100_000))
    return draws.pick(
        (
            b"x = " + b"[" * size,
            b"x = " + b"9" * size,
            b"a." * size + b"b = 1",
            b'name = "' + draws.pick(CELLS).encode() * size + b'"',
            b"[[probes]]\n" * size,
        )
    )


def check(folder: Path, used: dict[str, Any]) -> None:
    plan = read_plan(folder / "plan.toml")
    (folder / "again.toml").write_text(plan.toml(), encoding="utf-8")
    hold(read_plan(folder / "again.toml") == plan, "a plan that is written is read back")
    if len(plan.seeds) * plan.twins <= 100:
        configs = plan.configs(_small())
        hold(len({config.id for config in configs}) == len(configs) > 0, "runs have ids of their own")


def _small() -> Dataset:
    import numpy as np

    votes = Votes.from_counts([[2, 1, 0], [0, 3, 0], [1, 1, 1], [0, 0, 3]] * 3)
    return Dataset(name="own", inputs=np.zeros((12, 8, 8, 1), np.uint8), votes=votes, mean=(0.5,), std=(0.25,))


TARGET = Target(make, check)
