"""Machine players, which choose actions.

In comes the knowledge of one seat (a `View`: the rules, its observations, its legal actions), out goes an
action. This room may not know the true position of a game in which anything is hidden from the seat; only
`table` holds it, to make views of it. It knows no game by name. The interpreter gives observations and legal
actions; a search plays in generated code, and is impossible without it: see `search`.

Modules, each on top of those before it: `comparing` (differences of two sights) -> `rules` (a play and the
sights of its seats), `worth` (the value of a position) -> `table` (a play and the views of its seats) ->
`worlds` (plays consistent with a seat's view) -> `simple` (by chance, greedy), `search` (by the tree search
of `code`) -> `naming` (players by name).
"""
