"""The methods of any results compared: tables as data, the methods side by side, and the recommendation.

methods         how methods are named and ordered
quantities      the facts about a number: label, unit, which way is better
tables          rows and columns of numbers over seeds; text, CSV, Markdown and LaTeX made from them
side_by_side    one table of all methods and numbers of votes per item
recommendation  which method to use, as far as the number of seeds supports it
"""

from votewise.comparison.methods import Methods, name
from votewise.comparison.quantities import axis, head, quantity
from votewise.comparison.recommendation import Recommendation, recommend
from votewise.comparison.setting import setting
from votewise.comparison.side_by_side import comparable, reference_of, side_by_side
from votewise.comparison.tables import Cell, Definition, Line, Quoted, Table, Test, Value, make_table
from votewise.comparison.wording import fixed, inside, listed, sentence, votes_name

__all__ = [
    "Cell", "Definition", "Line", "Methods", "Quoted", "Recommendation", "Table", "Test", "Value",
    "axis", "comparable", "fixed", "head", "inside", "listed", "make_table", "name", "quantity", "recommend", "reference_of", "sentence", "setting", "side_by_side",
    "votes_name",
]  # fmt: skip
