"""What the site makes of pages that GitHub shows as they are: pictures that follow its switch of colours, scripts in tabs.

It also has two files of the repository as pages, and links to files that the site does not have.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
FROM_ROOT = {"contributing.md": "CONTRIBUTING.md", "changelog.md": "CHANGELOG.md"}
# a code block, or a link with its text and target, or code in a line
PARTS = re.compile(r"^```.*?^```$|(?<!!)\[([^\]]+)\]\(([^)\s]+)\)|`[^`\n]+`", flags=re.DOTALL | re.MULTILINE)
# a picture with a dark and a light version, for GitHub, and a list of scripts
PICTURE = re.compile(
    r'<picture>\s*<source media="[^"]*dark\)" srcset="([^"]+)">\s*<img src="([^"]+)" alt="([^"]+)">\s*</picture>'
)
SCRIPTS = re.compile(r"^<!-- scripts -->\n(.*?)^<!-- /scripts -->$", flags=re.DOTALL | re.MULTILINE)
SCRIPT = re.compile(r"^- (.+): \[(\S+)\]\(\S+\)$", flags=re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The contribution guide and the changelog stand at the root of the repository and are pages too."""
    for uri, name in FROM_ROOT.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Pictures as two images, of which the theme shows one, and listed scripts as tabs.

    Links that leave the site: to the repository if its address is known (`repo_url`), else the text alone. A file has to exist.
    """
    uri = page.file.src_uri
    source = FROM_ROOT.get(uri, f"docs/{uri}")
    pages = {f"docs/{file.src_uri}": file.src_uri for file in files}
    pages |= {name: uri for uri, name in FROM_ROOT.items()}

    def link(match: re.Match[str]) -> str:
        text, target = match.groups()
        path, hash, anchor = (target or "").partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return match[0]
        place = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        if place in pages:
            return f"[{text}]({posixpath.relpath(pages[place], posixpath.dirname(uri))}{hash}{anchor})"
        if place.startswith("docs/"):
            return match[0]  # MkDocs reports it
        if not (ROOT / place).exists():
            raise PluginError(f"{source}: the link to {target} leads nowhere")
        return f"[{text}]({config.repo_url.rstrip('/')}/blob/HEAD/{place})" if config.repo_url else text

    markdown = PICTURE.sub(r"![\3](\2#only-light)\n![\3](\1#only-dark)", markdown)
    tab = '=== "\\1"\n\n    ```python\n    --8<-- "\\2"\n    ```\n'
    markdown = SCRIPTS.sub(lambda match: SCRIPT.sub(tab, match[1]), markdown)
    return PARTS.sub(link, markdown)
