"""Pictures of the product for the site and the README: `make pictures`, or `python docs/make_pictures.py NAME…`.

Each is a screenshot of a page that votewise writes, in light and dark. Needs chromium and chromedriver; for `report`, VOTEWISE_DATA with CIFAR-10H.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

import votewise as vw

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
VOTEWISE = str(Path(sys.executable).with_name("votewise"))


def run(folder: Path, *commands: list[str]) -> None:
    """Run commands in a folder."""
    for command in commands:
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


def report(folder: Path) -> Path:
    """The page of the committed runs on CIFAR-10H."""
    shutil.copytree(ROOT / "results/cifar10h-cpu", folder / "cifar10h-cpu")
    run(folder, [VOTEWISE, "report", "cifar10h-cpu"])
    return folder / "cifar10h-cpu/studies/main/report.html"


def profile(folder: Path) -> Path:
    """The profile of the example votes."""
    vw.write_votes(vw.example_votes(), folder / "example.csv")
    run(folder, [VOTEWISE, "describe", "example.csv", "--html", "profile.html"])
    return folder / "profile.html"


def scorecard(folder: Path) -> Path:
    """The card of a notebook."""
    card = vw.score(vw.example_truth().probability, vw.example_votes(), intervals=200)
    (folder / "card.html").write_text(f"<!doctype html><meta charset=utf-8>{card._repr_html_()}", encoding="utf-8")
    return folder / "card.html"


def comparison(folder: Path) -> Path:
    """The comparison of the page "Get started"."""
    sys.path.insert(0, str(ROOT / "tests/support"))
    from page import blocks

    steps = blocks((ROOT / "docs/get-started.md").read_text(encoding="utf-8"))
    (folder / "make_files.py").write_text(next(step.code for step in steps if step.title == "make_files.py"))
    compare = next(step.code for step in steps if "votewise compare" in step.code)
    run(
        folder,
        [sys.executable, "make_files.py"],
        [VOTEWISE, "clean", "votes.csv", "--item", "comment"],
        [VOTEWISE, *compare.split()[1:]],
    )
    return folder / "votewise-store/report.html"


# the page, the first pixel, and the height; a card has one look
SHOWN: dict[str, tuple[Callable[[Path], Path], int, int, tuple[str, ...]]] = {
    "report": (report, 0, 900, ("light", "dark")),
    "profile": (profile, 640, 900, ("light", "dark")),
    "comparison": (comparison, 0, 900, ("light", "dark")),
    "scorecard": (scorecard, 0, 700, ("light",)),
}


def browser() -> webdriver.Chrome:
    """A browser without a window."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
        options.add_argument(argument)
    return webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))


def take(window: webdriver.Chrome, page: Path, to: Path, scheme: str, top: int, height: int) -> None:
    """A screenshot of a part of a page, with a palette so that the file stays small."""
    metrics = {"width": 1200, "height": height, "deviceScaleFactor": 1, "mobile": False}
    window.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    window.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    window.get(page.as_uri())
    window.execute_async_script("scrollTo(0, arguments[0]); setTimeout(arguments[1], 2000)", top)
    picture = b64decode(window.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"])
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(to, optimize=True)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    window = browser()
    try:
        for name in sys.argv[1:] or SHOWN:
            make, top, height, schemes = SHOWN[name]
            with tempfile.TemporaryDirectory() as folder:
                page = make(Path(folder))
                for scheme in schemes:
                    take(window, page, PICTURES / f"{name}-{scheme}.png", scheme, top, height)
    finally:
        window.quit()
