"""What methods are called in the names of cells."""

from __future__ import annotations

METHODS = {
    "soft": "Soft labels", "sls": "SLS", "multipass": "Multipass", "deterministic": "Deterministic control",
    "shuffled-sls": "Shuffled SLS", "majority": "Majority vote", "label-smoothing": "Label smoothing", "mixup": "Mixup",
}  # fmt: skip


def method_name(method: str) -> str:
    """What readers call a method.

    >>> method_name("soft"), method_name("mine")
    ('Soft labels', 'mine')
    """
    return METHODS.get(method, method)
