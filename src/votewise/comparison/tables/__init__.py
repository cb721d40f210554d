"""Tables of numbers over seeds: the definition of a table (outline), its numbers (filling), their text (layout), and the filled table."""

from votewise.comparison.tables.filled import Table, make_table
from votewise.comparison.tables.filling import Value
from votewise.comparison.tables.layout import Cell
from votewise.comparison.tables.outline import Definition, Line, Quoted, Show, Test

__all__ = ["Cell", "Definition", "Line", "Quoted", "Show", "Table", "Test", "Value", "make_table"]
