"""Reductions: games made of a game such that an answer about the one is an answer about the other.

In: a `Game` and what is asked of it. Out: another game, and what is asked of that. A reduction imports the
core and what `rulespec.solver.formulas` says of dependencies and of one ply; it decides nothing. Each rests
on a theorem, which tests hold against the interpreter for random games:

- `remembering`: each play of either game is one of the other, by the same moves; states are the same but for
  variables that hold what some numbers were before the last ply. So no ply of the game lowers a number if
  and only if in every position of the other it is at least what is remembered.
- `restriction`: each play of the game to the goal on which counters that nothing lowers stay within bounds is
  one of the restricted game, and each play of that is one of the game; `over` may differ.
- `influence`: each play of either game is one of the other, by the same moves; states are the same but for
  variables that bear on no ply, no fault and nothing that is asked. So both reach the same goals.
- `generalisation`: each state of the game is one of the general game, with the numbers that are left open as
  values of further variables, and gives goal and claims the same values there. So a goal that is false in
  all states of the general game in which the claims hold is false in all such states of the game. The
  converse does not hold.
"""
