"""Papers as users of the library: plans, published numbers, claims, tables and figures, a folder each.

claims      what all papers share: a claim, its verdict, and the rules that decide it
basins      "Same Target, Different Basins" (Gheibi and Ghazizadeh 2026)
companion   "Soft-Label Training Preserves Epistemic Uncertainty" (Singh et al.)
"""
