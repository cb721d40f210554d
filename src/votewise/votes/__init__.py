"""Votes as they were cast, distributions for data without individual votes, and the files that hold either."""

from votewise.read_options import FORMATS, Duplicates, ReadOptions, TableOptions
from votewise.votes.answers import Answers, Index, positions_of, require_answers
from votewise.votes.cleaning import with_cleaning_file
from votewise.votes.coding import codes, in_order, names_in
from votewise.votes.distributions import TOLERANCE, Distributions
from votewise.votes.drawing import shuffle, spans
from votewise.votes.example import example_truth, example_votes
from votewise.votes.frame_columns import INDEX, ids_of, is_frame
from votewise.votes.ids import locate_ids, match_ids, repeated
from votewise.votes.item_fields import carried_texts, has_items, item_texts, read_item_fields
from votewise.votes.merging import merged
from votewise.votes.proposal import CleaningProposal, propose_cleaning
from votewise.votes.readers import (
    READERS,
    DoubtfulClasses,
    DroppedVotes,
    ReadReport,
    VotesFile,
    detect,
    inspect_votes,
    read_votes,
)
from votewise.votes.readers.numpy_file import CIFAR10_CLASSES, CLASS_ARRAYS, ITEM_ARRAYS
from votewise.votes.readers.shared import column_roles as column_roles
from votewise.votes.readers.shared.source_file import SourceFile
from votewise.votes.readers.shared.source_table import Frame, is_number, mostly_numbers
from votewise.votes.scale import NOMINAL, Scale
from votewise.votes.tally import Ties, entropy
from votewise.votes.votes import Votes
from votewise.votes.writing import write_votes

__all__ = [  # noqa: RUF022  # by subject
    # votes
    "Answers", "Distributions", "Index", "NOMINAL", "Scale", "TOLERANCE", "Ties", "Votes", "example_truth", "example_votes",
    # files
    "CleaningProposal", "DoubtfulClasses", "DroppedVotes", "Duplicates", "FORMATS", "READERS", "ReadOptions", "ReadReport", "TableOptions",
    "VotesFile", "inspect_votes", "propose_cleaning", "read_votes", "write_votes",
    # for the other packages
    "CIFAR10_CLASSES", "CLASS_ARRAYS", "Frame", "INDEX", "ITEM_ARRAYS", "SourceFile", "carried_texts", "codes", "detect", "entropy", "has_items", "ids_of", "in_order", "is_frame", "is_number",
    "item_texts", "locate_ids", "match_ids", "merged", "mostly_numbers", "names_in", "positions_of", "read_item_fields", "repeated", "require_answers",
    "shuffle", "spans", "with_cleaning_file",  # and the module column_roles
]  # fmt: skip
