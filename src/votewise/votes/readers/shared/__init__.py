"""Code that the readers of several formats share."""

from votewise.read_options import ReadOptions
from votewise.votes.readers.shared.ballots import Ballots
from votewise.votes.readers.shared.record import Record, as_name
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.votes_file import ReadReport, VotesFile

__all__ = ["Ballots", "ReadOptions", "ReadReport", "Record", "SourceFile", "VotesFile", "as_name"]
