"""The typed core language: what every ruleset becomes, and what every meaning starts from.

In: nothing of ours. Out: types, values and their notation, the closed list of operators
(`nodes`), the game that is built of them (`game`), the reference meaning of expressions
(`evaluate`), and diagnostics with exact places (`diagnostics`).
It knows no YAML, no grammar, no players at a terminal and no solver. Standard library only.
"""
