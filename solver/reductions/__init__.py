"""Reductions: transformed games such that an answer about one is an answer about the original.

In: a `Game` and a question about it. Out: another game, and a question about that. A reduction imports the
core, the dependencies and single plies of `rulespec.solver.formulas`, and what all deals have in common from
`rulespec.solver.analyses`; it decides nothing. Each rests on a
theorem, which tests compare with the interpreter on random games:

- `remembering`: each play of either game is one of the other, by the same moves; states are the same except
for variables that hold the values of some numbers before the last ply. So no ply of the game lowers a number
if and only if in every position of the other it is at least the remembered value. - `restriction`: each play
of the game to the goal on which monotone counters stay within bounds is one of the restricted game, and each
play of that is one of the game; `over` may differ. - `influence`: each play of either game is one of the
other, by the same moves; states are the same except for variables without influence on plies, faults and the
question. So both reach the same goals. - `generalisation`: each state of the game is one of the general game,
with the numbers left open as values of further variables, and gives goal and claims the same values there. So
a goal that is false in all states of the general game in which the claims hold is false in all such states of
the game. The converse does not hold. - `beginning`: each play of the game that begins in a position continues
a play of the game that has reached it, by the same moves, and the other way round; with all requirements in
force, each play of the game with waivers is one of the game.
- `counter_abstraction`: each play of the game is one of the abstraction, which has the sizes of the sets of
shuffled things in place of the sets, and no choice of things; what is asked of a position of the game lies
between its bounds in that of the abstraction. So a goal that no position there may fulfil is out of reach.
The converse does not hold.
"""
