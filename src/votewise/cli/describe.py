"""`votewise describe VOTES`: how much annotators disagree, what few votes can tell, and which delivery fits."""

from __future__ import annotations

from votewise.cli import options as o
from votewise.cli.groups import grouped


@grouped
def describe(
    votes: o.VotesFile,
    *,
    how: o.HowToRead,
    json: o.Json = False,
) -> None:
    """Profile the votes and recommend a delivery: agreement, entropy, ties, the items with most disagreement, the effect of more votes."""
    from votewise.cli.screen import about, print_json, print_report
    from votewise.profile import describe as profile_of
    from votewise.terminal import show

    reading = how.read(votes)
    names = list(reading.questions) if how.question is None else [how.question]
    with about(votes):
        profiles = {name: profile_of(reading.question(name)) for name in names}
    if json:
        print_json(
            {
                "reading": reading.report.as_dict(),
                "questions": {name: profile.as_dict() for name, profile in profiles.items()},
            }
        )
        return
    print_report(reading.report)
    for name, profile in profiles.items():
        show(profile, title=name if len(reading.questions) > 1 else None)
