"""The methods of any results compared: tables as data, the methods side by side, and the recommendation.

methods         how methods are named and ordered
quantities      the facts about a number: label, unit, which way is better
tables          rows and columns of numbers over seeds; text, CSV, Markdown and LaTeX made from them
side_by_side    one table of all methods and numbers of votes per item
recommendation  which method to use, as far as the number of seeds supports it
"""

from votewise.comparison.methods import Methods, name
from votewise.comparison.quantities import quantity
from votewise.comparison.recommendation import Recommendation, recommend
from votewise.comparison.side_by_side import side_by_side
from votewise.comparison.tables import Cell, Table, Value

__all__ = ["Cell", "Methods", "Recommendation", "Table", "Value", "name", "quantity", "recommend", "side_by_side"]
