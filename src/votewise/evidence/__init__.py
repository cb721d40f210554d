"""What numbers of many seeds can and cannot decide."""

from votewise.evidence.power import seeds_needed, smallest_p

__all__ = ["seeds_needed", "smallest_p"]
