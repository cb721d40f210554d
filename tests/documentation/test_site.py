"""The documentation site builds without a warning, its links lead somewhere, it has every public name, and it needs no network."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import votewise as vw

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")([^)\"\s]+)")


class Links(HTMLParser):
    """The targets of a page, what it loads, and its anchors."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.anchors |= {value for name in ("id", "name") if (value := values.get(name))}
        if tag == "a" and values.get("href"):
            self.targets.append(str(values["href"]))
        elif tag in ("link", "img", "script", "source", "iframe"):
            self.loaded += [value for name in ("href", "src", "srcset") if (value := values.get(name))]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it: a warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_link_and_anchor_leads_somewhere(site: Path) -> None:
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert len(pages) > 20
    broken = []
    for page, links in pages.items():
        for target in (*links.targets, *links.loaded):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc or page.name == "404.html":
                continue
            file = page if not parts.path else (page.parent / unquote(parts.path)).resolve()
            file = file / "index.html" if file.is_dir() else file
            if not file.exists() or (
                parts.fragment and file in pages and unquote(parts.fragment) not in pages[file].anchors
            ):
                broken.append(f"{page.relative_to(site)}: {target}")
    assert broken == []


def test_nothing_is_loaded_from_the_network(site: Path) -> None:
    loaded = [target for page in site.rglob("*.html") for target in Links(page).loaded]
    assert [target for target in loaded if urlsplit(target).scheme not in ("", "data") or target.startswith("//")] == []
    for style in site.rglob("*.css"):
        text = style.read_text(encoding="utf-8")
        assert "url(http" not in text
        assert "@import" not in text


def test_the_reference_has_every_public_name(site: Path) -> None:
    data = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    known = {line.split(" ", 1)[0] for line in zlib.decompress(data).decode().splitlines()}
    public = {f"votewise.{name}" for name in vw.__all__}
    for package in ("votewise.probes", "votewise.adapters"):
        public |= {f"{package}.{name}" for name in importlib.import_module(package).__all__}
    assert sorted(public - known) == []


def test_pictures_and_scripts_of_a_page_are_those_of_its_source(site: Path) -> None:
    page = (site / "get-started.html").read_text(encoding="utf-8")
    assert page.count('-light.png#only-light"') == page.count('-dark.png#only-dark"') == 2
    assert "<picture>" not in page
    tabs = (site / "guides/frameworks.html").read_text(encoding="utf-8")
    assert tabs.count('<div class="tabbed-block">') == 9
    assert "VotesTrainer(" in re.sub(r"<[^>]+>", "", tabs)  # of a script


SOURCES = [
    *("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
    *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md")) if path.parent.name != "reference"),
]


@pytest.mark.parametrize("file", SOURCES)
def test_a_page_has_nothing_that_only_the_site_understands(file: str) -> None:
    from page import FENCE

    text = FENCE.sub("", (ROOT / file).read_text(encoding="utf-8"))
    text = re.sub(r"`[^`\n]+`", "", text)
    assert (
        re.findall(r"^ *(?:!!!|\?\?\?|===|--8<--|:::) .*|\{ ?[.#:][^}\n]*\}|#only-\w+|:material-\w+:", text, re.M) == []
    )


@pytest.mark.parametrize("file", SOURCES)
def test_the_links_of_a_file_lead_somewhere(file: str) -> None:
    from page import FENCE

    text = FENCE.sub("", (ROOT / file).read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        if urlsplit(target).scheme:
            continue
        place = (ROOT / file).parent / path if path else ROOT / file
        assert place.exists(), target
        if anchor and place.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", place.read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert anchor in {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}
