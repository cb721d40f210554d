"""`votewise describe VOTES`: how much people disagree, what so few votes can say, and which delivery fits."""

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
    """Profile the votes and advise a delivery: agreement, entropy, ties, the hardest items, what more votes would bring."""
    from votewise.cli.screen import about, print_json, print_report, show
    from votewise.profile import describe as profile_of

    found = how.read(votes)
    names = list(found.questions) if how.question is None else [how.question]
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
