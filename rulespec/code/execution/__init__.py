"""Generated code at work: instances in the machine, positions in and out, counts of plays.

In comes the code of a game, out come positions, legal actions and counts. `TooLarge` is raised if the machine
is missing or its memory does not suffice.

Order of files: `pacing` (work between two readings of the clock), `kernel_names` (constants and functions
that kernels need), `instance`, `runner`, `numbers` (tables by which kernels number actions), `stepper` (plies
from Python by number), `environments` (many games side by side), `sequence_counting`, `tree_search`.
"""
