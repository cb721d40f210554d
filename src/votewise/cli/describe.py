"""`votewise describe VOTES`: how much annotators disagree, and which delivery suits the votes."""

from __future__ import annotations

from votewise.cli import options as o
from votewise.cli.groups import grouped
from votewise.read_options import ReadOptions


@grouped
def describe(
    votes: o.VotesPath,
    *,
    read_options: ReadOptions,
    json: o.Json = False,
) -> None:
    """Profile the votes and advise a delivery: agreement, entropy, ties, the hardest items, what more votes would bring."""
    from votewise.cli.screen import print_json, print_report
    from votewise.errors import locating
    from votewise.profile import describe as profile_of
    from votewise.terminal import show
    from votewise.votes import inspect_votes

    file = inspect_votes(votes, **read_options)
    with locating(votes):
        profiles = {name: profile_of(answers) for name, answers in file.questions.items()}
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
