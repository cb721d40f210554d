"""The sources of the datasets: official addresses, sizes and published checksums."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from votewise.datasets import conversion
from votewise.datasets.cifar10h import COUNTS, IMAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """One download and the file that is created from it.

    Attributes:
        url: its address.
        size: its size in bytes.
        checksums: kind -> published checksum in hexadecimal digits; if empty, the user must give one.
        file: path of the file in the data folder.
        make: downloaded file -> content of `file`.
    """

    url: str
    size: int
    checksums: Mapping[str, str] = field(default_factory=dict)
    file: str
    make: Callable[[Path], bytes] = conversion.as_it_is

    @property
    def name(self) -> str:
        """The name of the downloaded file."""
        return self.url.rpartition("/")[2]


def _cifar(classes: int, size: int, md5: str, sha256: str, file: str, make: Callable[[Path], bytes]) -> Download:
    """CIFAR-10 or CIFAR-100; the MD5 is on the page of the dataset, the SHA-256 in Keras."""
    url = f"https://www.cs.toronto.edu/~kriz/cifar-{classes}-python.tar.gz"
    return Download(url=url, size=size, checksums={"md5": md5, "sha256": sha256}, file=file, make=make)


_CHAOSNLI = "https://huggingface.co/datasets/earino/chaosnli/resolve/eb7cc18dbfa0f161d93a2b22c7856ca0faafcf2b/raw"

DOWNLOADS: dict[str, tuple[Download, ...]] = {
    "cifar10h": (
        _cifar(
            10,
            size=170_498_071,
            md5="c58f30108f718f92721af3b95e74349a",
            sha256="6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
            file=IMAGES,
            make=conversion.cifar10_test,
        ),
        # No checksum of the counts is published. torch-uncertainty has one of cifar10h-probs.npy, whose bytes
        # are the counts divided by their row sums.
        Download(
            url="https://raw.githubusercontent.com/jcpeterson/cifar-10h/597cbc5f07266c9405b830ee4a53463539124c4f/data/cifar10h-counts.npy",
            size=800_128,
            checksums={"md5 of the shares": "7b41f73eee90fdefc73bfc820ab29ba8"},
            file=COUNTS,
        ),
    ),
    "cifar100": (
        _cifar(
            100,
            size=169_001_437,
            md5="eb9058c3a382ffc7106e4002c42a8d85",
            sha256="85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7",
            file="cifar100/cifar100-test.npz",
            make=conversion.cifar100_test,
        ),
    ),
    "svhn": (
        Download(
            url="http://ufldl.stanford.edu/housenumbers/test_32x32.mat",
            size=64_275_384,
            checksums={
                "md5": "eb5a983be6a315427106f1b164d9cef3",  # in torchvision
                "sha256": "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b",  # in TensorFlow Datasets
            },
            file="svhn/svhn-test.npz",
            make=conversion.svhn_test,
        ),
    ),
    # The authors' archive (www.dropbox.com/s/h4j7dqszmpt2679/chaosNLI_v1.0.zip) was deleted in 2026. These are two of its files
    # from a mirror, with checksums that several users of the archive published. No checksum of the third, αNLI, is published.
    "chaosnli": (
        Download(
            url=f"{_CHAOSNLI}/chaosNLI_snli.jsonl",
            size=768_107,
            checksums={"sha256": "99f9015ddda7d85f66a087452bc30d53974314fe27e7d589e2f41ad44bd509c1"},
            file="chaosnli/chaosNLI_snli.jsonl",
        ),
        Download(
            url=f"{_CHAOSNLI}/chaosNLI_mnli_m.jsonl",
            size=871_731,
            checksums={"sha256": "8eb49b589488e7b1a9ec95fb8a864bd50f0509b4f808eed0aed3f8167617664d"},
            file="chaosnli/chaosNLI_mnli_m.jsonl",
        ),
    ),
    # No checksum is published.
    "popquorn": (
        Download(
            url="https://raw.githubusercontent.com/Jiaxin-Pei/Potato-Prolific-Dataset/c329119e878037654f6aa59b319aae6e996585bb/dataset/offensiveness/raw_data.csv",
            size=3_062_770,
            file="popquorn/offensiveness.csv",
        ),
    ),
}

TERMS: dict[str, str] = {
    "cifar10h": "CIFAR-10: Krizhevsky 2009; CIFAR-10H: Peterson et al. 2019, CC BY-NC-SA 4.0",
    "cifar100": "CIFAR-100: Krizhevsky 2009",
    "svhn": "SVHN: Netzer et al. 2011, for non-commercial use",
    "chaosnli": "ChaosNLI: Nie, Zhou and Bansal 2020, CC BY-NC 4.0",
    "popquorn": "POPQUORN: Pei and Jurgens 2023, no licence stated; the texts contain offensive language",
}
