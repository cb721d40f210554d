"""The computed parts of `docs/speed.md`, from `benchmarks/results.json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.page_tables import markdown

FILE = Path(__file__).with_name("results.json")
GROWING = {
    "read_votes, integers": "votes, integers: read",
    "read_votes, strings": "votes, texts: read",
    "describe": "votes: describe",
    "score": "predictions: score",
    "fit": "examples: one epoch of `fit`",
    "report": "runs: all pages of a store",
}


def _results(subject: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))[subject]
    return found


def reading() -> str:
    """Reading a long CSV beside its limits and pandas."""
    found = _results("reading")
    cases = {name: case for name, case in found.items() if isinstance(case, dict) and "limits" in case}
    limits = dict.fromkeys(limit for case in cases.values() for limit in case["limits"])
    rows: list[tuple[object, ...]] = [
        (what, *(case["seconds"][key] for case in cases.values()))
        for key, what in (("votewise", "**votewise**"), ("pandas", "pandas"))
    ]
    rows += [(limit, *(case["limits"][limit] for case in cases.values())) for limit in limits]
    rows += [
        (f"memory of {library}, MB", *(f"{case['peak_mb'][library]:.0f}" for case in cases.values()))
        for library in ("votewise", "pandas")
    ]
    least, most = (f(case["pandas_over_parsing"] for case in cases.values()) for f in (min, max))
    factors = ", ".join(f"{case['times_faster']:.2g} times ({name})" for name, case in cases.items())
    table = markdown((f"seconds for {found['rows']:,} rows", *cases), rows)
    return (
        f"{table}\n\n"
        f"pandas needs {factors} the time of votewise, although it drops the annotators. It needs {least:.2g} to {most:.2g} times the time of parsing alone, which is what polars\n"
        "needs without looking at a value. Coding the names, finding second votes and sorting come after it."
    )


def growth() -> str:
    """Time and memory by size."""
    found = _results("growth")
    rows = [
        (
            what,
            ", ".join(f"{size:,}" for size in case["sizes"]),
            ", ".join(f"{seconds:.3g}" for seconds in case["seconds"]),
            ", ".join(f"{mb:,.0f}" for mb in case["mb"]),
            f"{case['seconds_exponent']:.2f}",
            f"{case['mb_exponent']:.2f}",
        )
        for key, what in GROWING.items()
        for case in [found[key]]
    ]
    return markdown(("what", "sizes", "seconds", "MB", "exponent of time", "exponent of memory"), rows)


def others() -> str:
    """Labels, adapters, scores, training, texts and curvature, each beside a usual way to do the same."""
    labels, adapters, scoring = _results("delivery"), _results("adapters"), _results("scoring")
    training, text, curvature = _results("training"), _results("text"), _results("curvature")
    times, accuracy = labels["times_faster_than_torch_multinomial"], curvature["to_the_same_accuracy"]
    epochs = training["times_faster_than_the_usual_loop"]
    rows = [
        (
            "the labels of an epoch, 1,000,000 examples",
            f"{1000 * labels['seconds']['sls']:.0f} ms (SLS), {1000 * labels['seconds']['multipass']:.0f} ms (multipass)",
            f"{times['sls']:.0f} and {times['multipass']:.0f} times as fast as `torch.multinomial`",
        ),
        (
            "looking up a batch of 128 targets in an adapter",
            f"{1e6 * max(adapters['seconds_per_batch'].values()):.0f} µs at most",
            f"{max(adapters['share_of_step'].values()):.1%} of a step of 5 ms",
        ),
        (
            f"all scores of {scoring['items']:,} items",
            f"{scoring['seconds']['score']:.2g} s",
            f"{scoring['score_over_three_logarithms_and_sorts']:.2g} times three logarithms and sorts of the same array",
        ),
        (
            "training `resnet8` on one core, batches of 128",
            f"{training['gflops_of_training']:.0f} GFLOP/s",
            f"{epochs['batch 128']:.2g} times as fast as the usual loop; {training['share_of_matmul_peak']:.0%} of a large matrix product",
        ),
        (
            "fine-tuning on texts of mixed length",
            f"{text['bucketed']['texts_per_second']:.0f} texts a second",
            f"{text['times_as_fast']:.2g} times as fast as padding to the longest text",
        ),
        (
            "largest eigenvalue and trace of the Hessian",
            f"{accuracy['seconds']['ours'] / 60:.0f} minutes on one core",
            f"{accuracy['times_faster_than_pyhessian']:.0f} times as fast as PyHessian at the same accuracy",
        ),
    ]
    return markdown(("what", "time", "compared with"), rows)


PARTS: dict[str, Callable[[], str]] = {"reading": reading, "growth": growth, "speed-others": others}
