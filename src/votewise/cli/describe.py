"""`votewise describe VOTES`: how much people disagree, what so few votes can say, and which delivery fits."""

from __future__ import annotations

from votewise.cli import options as o


def describe(
    votes: o.VotesFile,
    format: o.Format = None,
    item: o.Item = None,
    label: o.Label = None,
    annotator: o.Annotator = None,
    weight: o.Weight = None,
    classes: o.Classes = None,
    ordinal: o.Ordinal = None,
    duplicates: o.Duplicates = None,
    question: o.Question = None,
    json: o.Json = False,
) -> None:
    """Profile the votes and advise a delivery: agreement, entropy, ties, the hardest items, what more votes would bring."""
    from votewise.cli.screen import about, print_json, print_report, show
    from votewise.profile import describe as profile_of

    found = o.reading(
        votes, format=format, item=item, label=label, annotator=annotator, weight=weight, classes=classes, ordinal=ordinal, duplicates=duplicates
    )  # fmt: skip
    names = list(found.questions) if question is None else [question]
    with about(votes):
        profiles = {name: profile_of(found.question(name)) for name in names}
    if json:
        print_json(
            {
                "reading": found.report.as_dict(),
                "questions": {name: profile.as_dict() for name, profile in profiles.items()},
            }
        )
        return
    print_report(found.report)
    for name, profile in profiles.items():
        show(profile, title=name if len(found.questions) > 1 else None)
