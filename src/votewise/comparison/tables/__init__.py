"""Tables of numbers over seeds: what a table shows, its numbers, and how it is written."""

from votewise.comparison.tables.definition import Definition, Line, Quoted, Show, Test
from votewise.comparison.tables.filling import Value
from votewise.comparison.tables.table import Cell, Table, make_table

__all__ = ["Cell", "Definition", "Line", "Quoted", "Show", "Table", "Test", "Value", "make_table"]
