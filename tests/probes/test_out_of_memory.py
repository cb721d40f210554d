"""Too little memory is a sentence, and before it is taken."""

from __future__ import annotations

import os

import pytest
import torch

from votewise.errors import VotewiseError
from votewise.probes.density import spectral_density
from votewise.probes.lanczos import lanczos
from votewise.probes.out_of_memory import available, enough_for_vectors, enough_memory


class Huge:
    """An operator of which not one vector fits, and which nobody may multiply."""

    shape = (10**15, 10**15)
    dtype, device = torch.float32, torch.device("cpu")


def test_lanczos_asks_before_it_begins() -> None:
    sentence = r"not enough memory for 61 vectors of 1,000,000,000,000,000 weights, which take 244000000.0 GB: .* free; pass fewer steps"
    with pytest.raises(VotewiseError, match=sentence):
        lanczos(Huge())  # type: ignore[arg-type]
    with pytest.raises(VotewiseError, match=r"memory for 20 vectors of .*; pass fewer probes or steps"):
        spectral_density(Huge(), steps=9, probes=2)  # type: ignore[arg-type]


def test_what_cannot_be_had_is_told() -> None:
    with (
        pytest.raises(VotewiseError, match=r"memory for 2 vectors of 3 weights, .*; lower it"),
        enough_for_vectors(torch.eye(3), 2, "lower it"),
    ):
        torch.empty(1 << 60, dtype=torch.uint8)
    with (
        pytest.raises(VotewiseError, match="not enough memory for 512 items at a time; pass a smaller chunk"),
        enough_memory(512),
    ):
        torch.empty(1 << 60, dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="another"), enough_memory(512):
        raise RuntimeError("another")


@pytest.mark.skipif(not os.path.exists("/proc/meminfo"), reason="no /proc/meminfo here")
def test_no_more_is_free_than_there_is() -> None:
    assert 0 < available(torch.device("cpu")) <= os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
