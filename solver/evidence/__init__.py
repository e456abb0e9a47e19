"""The judge: it alone says what evidence shows about a claim.

In: a problem (a claim about a game, with limits) and evidence, whether just found or from a store. Out: an
answer. The searchers for evidence are in `rulespec.solver.methods`, and heuristics in
`rulespec.solver.analyses`.
"""
