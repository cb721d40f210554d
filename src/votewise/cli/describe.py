"""`votewise describe VOTES`: annotator disagreement, the effect of few votes, the recommended delivery, and which votes to collect next."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions

ROWS = 100  # rows of the tables of the page


@grouped
def describe(
    votes: o.VotesPath,
    *,
    read_options: ReadOptions,
    html: Annotated[Path | None, o.option("Write the profile as one self-contained page.")] = None,
    items: Annotated[
        Path | None,
        o.option("Write the items ranked by how much they need more votes: .csv, .tsv, .parquet or .json."),
    ] = None,
    top: Annotated[int | None, o.option("Number of items to list. Default: all.")] = None,
    annotator_table: Annotated[Path | None, o.option("Write a table with one row per annotator.")] = None,
    budget: Annotated[
        int | None,
        o.option("Budget: print how to spend this number of votes, on more votes per item or on more items."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Profile the votes and recommend a delivery: agreement, entropy, ties, the hardest items, and the value of more votes."""
    from votewise.cards import stacked
    from votewise.cli.screen import print_json, print_report, print_written, printable
    from votewise.errors import locating
    from votewise.files import write_atomic
    from votewise.profile import annotator_table as annotators_of
    from votewise.profile import budget as budget_of
    from votewise.profile import describe as profile_of
    from votewise.profile import next_items, page_parts, provenance
    from votewise.reporting import cards_page
    from votewise.terminal import show
    from votewise.votes import inspect_votes, item_texts

    file = inspect_votes(votes, **read_options)
    texts = item_texts(votes, read_options) if items is not None or html is not None else {}
    with locating(votes):
        profiles = {name: profile_of(answers) for name, answers in file.questions.items()}
        if items is not None:
            ranked = {name: next_items(answers, top, texts=texts) for name, answers in file.questions.items()}
            print_written(stacked(ranked, "question").write(items))
        if annotator_table is not None:
            people = {name: annotators_of(answers) for name, answers in file.questions.items()}  # type: ignore[arg-type]  # refused there
            print_written(stacked(people, "question").write(annotator_table))
        if html is not None:
            lead, parts = page_parts(profiles, rows=top or ROWS, total=budget, texts=texts)
            page = cards_page(f"Votes in {votes.name}", lead, [*parts, provenance(file, votes, read_options)])
            write_atomic(html, page.encode())
            print_written(html)
    if json:
        print_json(
            {
                "reading": file.report.as_dict(),
                "questions": {name: profile.as_dict() for name, profile in profiles.items()},
            }
        )
        return
    print_report(file.report)
    for name, profile in profiles.items():
        show(profile, title=name if len(profiles) > 1 else read_options.get("question"))
        if budget is not None and html is None:
            with locating(votes):
                print(printable(f"\n{budget_of(file.questions[name], budget)}"))
