"""Players: whoever chooses actions without being a person.

In comes what one seat knows (a `View`: the rules, what was seen, what may be done), out goes an action.
This room may not know the true position of a game in which anything is hidden from the seat; only
`table` holds it, to make views of it. It knows no game by name and not how the rules are run: players
ask `Rules`, which the interpreter answers today.

Modules, each on top of those before it: `sight` (what a seat sees), `worth` (how good a position is) ->
`rules` (what players ask of a game) -> `table` (a play and the views of its seats) -> `worlds` (plays that
a seat holds possible) -> `simple` (by chance, greedy), `tree`, `search` -> `naming` (players by name).
"""
