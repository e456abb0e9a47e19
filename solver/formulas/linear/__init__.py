"""Conditions and numbers in other forms: equivalent conditions, linear sums, decreasing measures.

In: expressions of a game. Out: expressions and sums with the same meaning in every state, and the changes
that one ply makes to a number. Only `ranking_functions` uses an engine.

In order: `equivalences` (equivalent conditions) -> `linear_forms` (a number as a weighted sum of facts) ->
`linear_cases` (conditions as cases of linear inequalities), `ranking_functions` (numbers that plies lower).
"""
