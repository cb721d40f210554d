"""The numbers that the paper prints, and where the mean and the SD of a method's quantity stand among them."""

from __future__ import annotations

from functools import cache

from votewise.papers.published import Printed, Published, quotes

HARD = ("sls", "multipass", "deterministic")  # the hard family


@cache
def published() -> Published:
    """The numbers that the paper prints.

    >>> published().table(2).cell("soft", "soft_nll").mean
    0.5096
    >>> str(published().table(2).cell("soft", "ece_equal_mass")), published().number("g-barrier")["mean"]
    ('0.0185 ± 0.0040', 2.05)
    """
    return Published.of("votewise.papers.basins")


cells, number = quotes(published)

# Numbers of the text that are the mean of a method's quantity.
_IN_TEXT = {
    **{(method, "cka"): f"r-cka-{method}" for method in ("sls", "soft")},
    **{(method, "gradcam_correlation"): f"r-gradcam-all-{method}" for method in ("sls", "soft")},
    **{(method, "gradcam_correlation_high"): f"r-gradcam-high-entropy-{method}" for method in ("sls", "soft")},
    **{(method, "smooth_ece"): f"f-smooth-ece-{method}" for method in ("sls", "soft", "majority")},
    ("sls", "barrier"): "g-barrier",
    ("sls", "noise_correlation"): "n-spearman",
    **{(f"sls-every-{epochs}", "soft_nll"): f"t-resample-{epochs}" for epochs in (5, 10, 50)},
}


def printed(method: str, K: int | None, quantity: str) -> tuple[float, float | None] | None:
    """The published mean and SD of a method's quantity with K votes per item; None if it is not printed.

    If no SD is printed beside the mean, it is the one printed for the method and the quantity with all votes. The paper does not say
    which outcome its calibration errors have, so that it stands for both.

    >>> printed("sls", 5, "soft_nll"), printed("soft", None, "lambda_max_full"), printed("mixup", 5, "kl")
    ((0.5599, 0.0263), (242.2, 36.2), None)
    """
    quantity = quantity.removesuffix("_votes")
    cell = _cell(method, K, quantity)
    if cell is None or cell.mean is None:
        return None
    every = _cell("sls" if method.startswith("sls-every-") else method, None, quantity)
    return cell.mean, cell.sd if cell.sd is not None else every.sd if every else None


def _cell(method: str, K: int | None, quantity: str) -> Printed | None:
    if K is not None:
        slice_ = quantity.removeprefix("lambda_max_")
        at = (1, method, f"k{K}") if quantity == "soft_nll" else (6, f"k{K}", f"{method}_{slice_}")
        return published().table(at[0]).cell(*at[1:])
    if (method, quantity) in _IN_TEXT:
        entry = published().number(_IN_TEXT[method, quantity])
        return Printed(entry.get("value", entry.get("mean")), None, None, entry.get("n"), entry["decimals"])
    if quantity.startswith("auroc_"):
        _, part, detector = quantity.split("_")
        places = [(7, detector, method)] if part == "far" else [(8, detector, method), (9, detector, method)]
    else:
        row = "sls-main" if method == "sls" else method
        places = [(2, method, quantity), (5, method, quantity), (3, method, quantity), (4, row, quantity)]
    for table, row, column in places:
        if (cell := published().table(table).cell(row, column)) is not None:
            return cell
    return None
