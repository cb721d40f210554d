"""Long tables: one row per vote, as CSV, TSV, Parquet or JSON records; the columns are found by their usual names."""

from __future__ import annotations

from votewise.votes.readers.shared import ReadOptions, SourceFile, VotesFile, column_roles
from votewise.votes.readers.shared.long_rows import read_rows


def recognise(source: SourceFile) -> tuple[float, str] | None:
    """Columns for the item and the label by their usual names; any other table gets a low score, so that the error names what is missing."""
    if source.kind not in ("delimited", "parquet", "json", "frame"):
        return None
    item, annotator, label = (column_roles.candidates(source.columns, role) for role in ("item", "annotator", "label"))
    record = source.first_record if source.kind == "json" else {}
    if any(isinstance(record[name], list | dict) for name in record.keys() & {*item, *label} or record):
        return None
    why = f"columns {', '.join((*item, *annotator, *label))}"
    if len(item) == len(label) == 1:
        return (0.75 if annotator else 0.7), why
    return (0.5, why) if item and label else (0.2, f"a table of {len(source.columns)} columns")


def read(source: SourceFile, options: ReadOptions) -> VotesFile:
    """The votes of all rows with a label; the report names the columns that are not read."""
    if not source.columns:
        source.load(())  # raises an error with the reason
        raise source.error("the table has no columns", "give a table with a header")
    return read_rows(source, options)
