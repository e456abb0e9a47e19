"""Players: whoever chooses actions without being a person.

In comes what one seat knows (a `View`: the rules, what was seen, what may be done), out goes an action.
This room may not know the true position of a game in which anything is hidden from the seat; only
`table` holds it, to make views of it. It knows no game by name. The interpreter says what was seen and what
is legal; a search tries plays in generated code, and without that nobody searches: see `search`.

Modules, each on top of those before it: `comparing` (where two sights differ) -> `rules` (a play and the
sights of its seats), `worth` (how good a position is) -> `table` (a play and the views of its seats) ->
`worlds` (plays that a seat holds possible) -> `simple` (by chance, greedy), `search` (by the tree search of
`code`) -> `naming` (players by name).
"""
