"""Trees of formal text to core: names, types, sugar.

`world` holds what a ruleset declares, each declaration elaborated when it is first asked for;
`frame` is one formal text with its local names; `kinds` makes types, `expressions`, `finite` (over
domains), `calls` and `statements` make nodes. A fault is reported where it stands and given up on
there: one message for each text, never a second one for what follows from the first.
"""
