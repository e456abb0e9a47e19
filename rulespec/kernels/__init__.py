"""Loops that run fast for every game: exploration, search, samples, counts, in a small typed subset of
Python.

A kernel is an ordinary module: linters, type checkers, coverage and debuggers see it. `game` declares the
parts of a game that kernels use, `shapes` the types in signatures, `kit` the few functions that all of them
call; `units` combines a kernel with the code of a game. Kernels know no ruleset and nothing else of the
project.

From the inside out: `packed_rows` (states as rows of words) -> `chance` (actions, outcomes) -> `symmetries`
-> `exploration` -> `alphabeta` (over `transpositions`), `strategies` (plays in which one player follows a
strategy); `starts` (of plays) -> `samples`, `showing`, `batches` (random plays), `sequences` (perft) and
`probing`, `climbing` (search for a goal or a best number); `numbering` (actions and observations as numbers)
-> `stepping` (single plies), `environments` (many games side by side); besides, `graphs` (retrograde
analysis).

The subset: functions marked `fast` (called from outside), `part` or `apart` (never inlined); numbers, words,
reals, truth values; arrays and tuples of arrays as parameters; `for` over `range`, `while`, `if`, `return`;
several results as a tuple; no exceptions, no closures, no allocation. Numbers and words are never mixed:
`as_word` and `as_number` convert.
"""
