"""From what a store holds to tables, figures and verdicts.

results     one table of runs with their scores and probes; gathering, how it comes out of a store
published   the numbers in print, as data with their source
claims      the claims of the papers as data, the rules that decide them, and their verdicts
tables      tables 1 to 9, and the methods side by side
figures     figures 1 to 12
methods     how methods, scores and detectors are called and drawn
"""

from votewise.evidence.claims.arithmetic import arithmetic
from votewise.evidence.claims.identities import identities
from votewise.evidence.claims.verdict import Cell, Finding, Verdict
from votewise.evidence.published import Published, published

__all__ = ["Cell", "Finding", "Published", "Verdict", "arithmetic", "identities", "published"]
