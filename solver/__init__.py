"""Consequences of the rules of a game: claims are decided, with evidence that can be checked independently.

In: core games, and deals of them. Out: verdicts, plays that the interpreter replays, and proofs. It imports
no YAML, no pages and no terminal.

From the inside out (tests/test_layering.py enforces the order of the folders): `certificates` (a proof
checker that imports nothing of ours) -> `engines` (SAT solvers); `formulas` (rules as clauses) and `explore`
(all states) -> `pairs` (product constructions), `search` (heuristic search for plays), `certify` (recorded
answers of engines) -> `claims` (decides, and rechecks evidence) -> `dead_rules`, `mutation_testing`,
`surveys`.
"""
