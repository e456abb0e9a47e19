"""The typed core language: the form of every ruleset, and the common start of its executable meanings.

In: nothing of ours. Out: types, values and their notation, the closed list of operators (`nodes`), the game
built from them (`game`), the reference meaning of expressions (`evaluate`), and diagnostics with exact
places. It knows no YAML, no grammar, no players at a terminal and no solver. Standard library only.

In order: `diagnostics`, `types` -> `notation`, `plain_data` (values as text and as data), `nodes` ->
`traversal` -> `digest` (of meaning), `book`, `game` -> `meter`, `context`, `evaluate` -> `pictures` (maps as
drawings), `columns` (many values of one expression at once), `taint` (variables that may depend on a choice),
`settled_lists`, `winners`, `symmetry`, `intervals`. Rooms: `storage` (files that the program keeps) and
`verdicts` (decided claims as data).
"""
