"""One page out of the evidence: no network, no second file."""

from votewise.report.explorer import Items, items
from votewise.report.held_out import HeldOut, held_out_predictions
from votewise.report.page import page
from votewise.report.writing import write_evidence, write_report

__all__ = ["HeldOut", "Items", "held_out_predictions", "items", "page", "write_evidence", "write_report"]
