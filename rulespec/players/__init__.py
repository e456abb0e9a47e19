"""Players: whoever chooses actions without being a person.

In comes what one seat knows (a `View`: the rules, what was seen, what may be done), out goes an action.
This room may not know the true position of a game in which anything is hidden from the seat; only
`table` holds it, to make views of it. It knows no game by name. What was seen and what is legal the
interpreter says; plays are tried by generated code.

Modules, each on top of those before it: `comparing` (where two sights differ) -> `rules` (what is true
and seen), `worth` (how good a position is) -> `model` (what plays are tried on) -> `table` (a play and
the views of its seats) -> `worlds` (plays that a seat holds possible) -> `simple` (by chance, greedy),
`tree`, `search` -> `naming` (players by name).
"""
