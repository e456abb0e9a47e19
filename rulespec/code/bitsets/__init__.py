"""Bit-parallel evaluation: conditions for all values of a type at once, one bit for each value.

In come conditions of the core with names that stand for each value of a type, out go words in the form.
A condition that cannot be answered in this way is left to loops: None for others, `NotExpressible` in here.
Nothing here knows actions.

Order of files: `algebra` (words joined and counted), `state_maps` (maps of the state as words),
`nonempty_sets`, `rays` (first steps along lines, for all values), `conditions`, `ray_search` (the first step
along one line).
"""
