"""Workflows in one call: compare methods, reproduce a paper, build the report. The commands call these functions and print the results."""

from votewise.workflows.announcing import announcement
from votewise.workflows.comparing import Comparison, compare, comparison_plan
from votewise.workflows.comparing_predictions import ComparedPredictions, compare_predictions
from votewise.workflows.reporting import report
from votewise.workflows.reproducing import Execution, Reproduction, reproduce, run, stages_of

__all__ = [
    "ComparedPredictions", "Comparison", "Execution", "Reproduction", "announcement", "compare", "compare_predictions", "comparison_plan", "report", "reproduce", "run", "stages_of",
]  # fmt: skip
