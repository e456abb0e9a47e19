"""From core to a game you can play: the interpreter, its explanations, records, examples, counts.

In: a `core.game.Game` and, if a game is loaded by name, the language. Out: positions, legal actions,
successors, refusals that name their clauses, records that replay, numbers of plays. It knows no YAML, no
solver and no pages; the book draws pictures, if it is installed.

From the inside out: `position` and `chance` with `replayed_chance` (values) -> `legal` and `effects` (the
meaning of actions) -> `machine` (plies), `observation` (of positions and moves, by each seat) -> `refusal`,
`explain` and `wording` (messages, typed actions) -> `actions`, `vectors` (numbered actions, observations as
numbers), `generated_code` (fast plies), `history`, `state`, `face` and `batch` with `views`, `errors` and
`pickling` (what a user imports) -> the room `records`, `plays`, `examples`, `contrasts` and `consequences`
(of readings), `perft`.
"""
