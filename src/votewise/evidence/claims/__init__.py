"""The claims of the papers, and what decides each of them.

rows         the claims as data (`claims.toml`), and a claim decided
runs         the numbers of runs by seed
measures     from a part of a claim to its comparisons, and to a value per seed in each
lacking      what a part needs and the results do not have
rules        the closed set of rules; verdict, what they say
applying     the rules on the cells of a part
special      rules of single claims
arithmetic   what follows from the numbers in print alone
identities   what follows from algebra; procedures, what deliveries must do
quoting      the published numbers of a claim in words
deciding     a verdict on every claim
"""
