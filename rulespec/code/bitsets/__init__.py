"""Bit-parallel evaluation: conditions for all values of a type at once, one bit for each value.

In come conditions of the core with names that range over the values of a type, out go words in the form. A
condition that bit sets cannot answer is left to loops: the room's functions return None for it, and its own
code raises `NotExpressible`. Nothing here knows actions.

Order of files: `algebra` (words joined and counted), `state_maps` (maps of the state as words),
`nonempty_sets`, `rays` (first steps along lines, for all values), `conditions`, `ray_search` (the first step
along one line), `growing_sets` (comparisons that a closure decides before it is whole).
"""
