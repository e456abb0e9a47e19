"""The judge: what evidence shows about a claim, and nothing else says that.

In: a problem (a claim about a game, with limits) and evidence, found just now or from a store alike. Out: an
answer. Whoever looks for evidence is in `rulespec.solver.methods`, and what only suggests it in
`rulespec.solver.analyses`.
"""
