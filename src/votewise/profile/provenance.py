"""Where the votes of a page come from: the file, how it was read, what was changed or left out, and digests to compare."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from votewise.cards import Markup, element, join, paragraph
from votewise.files import open_regular
from votewise.votes import VotesFile
from votewise.wording import counted, listing


def provenance(file: VotesFile, path: Path, options: Mapping[str, Any]) -> tuple[str, str, Markup]:
    """The part of a page on a file: anchor, title, content. It has no date and no folder: equal input gives equal bytes.

    Args:
        file: the votes and the report of reading them.
        path: the file.
        options: the options that it was read with; those that are None were not given.
    """
    report = file.report
    with open_regular(path) as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    given = [f"{name}={_shown(name, value)}" for name, value in options.items() if value is not None]
    several = len(file.questions) > 1
    rows = [
        ("file", f"{path.name}, {counted(report.rows, 'row')}"),
        ("SHA-256 of the file", digest),
        ("read as", f"{report.format} ({report.why})"),
        ("options", "; ".join(given) or "none"),
        *(
            (f"fingerprint of the votes{f' on {name}' if several else ''}", answers.fingerprint)
            for name, answers in file.questions.items()
        ),
        ("written by", f"votewise {version('votewise')}"),
    ]
    changes = [f"left out {count:,}: {reason}" for reason, count in report.dropped.items()]
    changes += [*report.notes, *report.doubts]
    said = element("ul", *(element("li", line) for line in changes)) if changes else paragraph("Nothing was left out.")
    facts = element("dl", *(join((element("dt", name), element("dd", value))) for name, value in rows))
    note = "The fingerprint is of the votes as they were read: it does not depend on the order of the file."
    return "source", "The file and how it was read", join((facts, said, paragraph(note, "note")))


def _shown(name: str, value: Any) -> str:
    """The value of an option, of a file without its folder."""
    if name == "cleaning":
        return Path(value).name
    if isinstance(value, Mapping):
        return listing((f"{old}={new}" for old, new in value.items()), 20)
    return str(value) if isinstance(value, str | bool) else listing(value, 20)
