"""The typed core language: what every ruleset becomes, and what every meaning starts from.

In: nothing of ours. Out: types, values and their notation, the closed list of operators
(`nodes`), the game that is built of them (`game`), the reference meaning of expressions
(`evaluate`), and diagnostics with exact places (`diagnostics`).
It knows no YAML, no grammar, no players at a terminal and no solver. Standard library only.

From the inside out: `types` and `notation` (values as text) -> `nodes`, `walk` -> `digest` (of meaning)
and `game` -> `flow` (which variables an effect makes depend on others) -> `context`, `evaluate`, `columns`
(many values of one expression at once) and `symmetry` -> `verdicts` (decided claims as data); beside them
`diagnostics` and `cache` (files that can be computed again, among them `cached_code`).
"""
