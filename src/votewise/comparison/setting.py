"""Where numbers come from, as the sentence that ends a caption."""

from __future__ import annotations

from votewise.studies import Results


def setting(results: Results, *facts: str) -> str:
    """The dataset and the preset of the runs, and further facts.

    Names of datasets are left unchanged: users choose them.
    """
    presets = dict.fromkeys(plan.preset for plan in results.plans.values())
    parts = [f"dataset {', '.join(results.datasets)}"] if results.datasets else []
    parts += [f"preset {', '.join(presets)}"] if presets else []
    text = ", ".join([*parts, *facts])
    return f"{text[:1].upper()}{text[1:]}." if text else ""
