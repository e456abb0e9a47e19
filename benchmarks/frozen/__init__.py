"""A frozen table of the stored verdicts and a frozen benchmark of claims, to compare later revisions with.

`verdicts` compares the stores beside the rulesets with `verdicts.jsonl.gz`; `claims` measures the claims of
`claims.yaml`, each in a process of its own, at one revision or at two. Both use the command line, the core
and the stores only, so they survive changes inside the solver.
"""
