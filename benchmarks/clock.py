"""Time candidates side by side: in turn, for several rounds, with the best time of each."""

from __future__ import annotations

import time
from collections.abc import Callable


def best_of(candidates: dict[str, Callable[[], object]], rounds: int = 5) -> dict[str, float]:
    """The shortest time of each candidate in seconds. Candidates take turns, so that other load affects all of them."""
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best
