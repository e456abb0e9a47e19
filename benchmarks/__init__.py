"""Measurements of speed and memory: `make bench`, or `python -m benchmarks`.

In: the shipped rulesets. Out: tables, on the terminal and as a page of the docs. Every number is
measured in the run that prints it. Nothing here is imported by the library, and no test is timed.

`commands` times the command line, `editing` the wait after an edit, `first_game` the first game of every
setting, `interpreter` the reference meaning with the `shares` of its kinds of work; `puzzles` settles deals,
`proofs` (with the processes of `child`) takes one claim from a cold start against the engines alone; `limits`
holds hand-written C++ as the yardstick of games, search and exploration; `installing` weighs an install;
`report` makes the tables; `release` builds and tries a release, with the `changelog` that it assembles.
"""
