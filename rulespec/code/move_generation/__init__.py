"""Move generation: the legal actions of a position, as rows of numbers or blocks of bit sets.

In come actions with their choices and requirements, out go statements that list, count and pick legal ones.
Nothing here knows plies or how actions change the state.

Order of files: `filtering` (the elements of a set that fulfil conditions), `distance_pairs` and `products`
(all pairs of two choices at once), `action_rows` (how actions lie in a buffer), `legal_actions` (loops over
choices).
"""
