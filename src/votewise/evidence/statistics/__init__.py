"""What numbers of many seeds can and cannot decide.

power        what so many seeds can decide, before and after they are run
wilcoxon     exact paired tests, Holm's correction, how many seeds agree
trend        Page's test over ordered arms
intervals    t and bootstrap intervals of a mean difference, effect sizes
equivalence  two one-sided tests against a margin
"""
