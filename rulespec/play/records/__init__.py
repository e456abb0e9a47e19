"""Plays as files, and what happens at each ply of one.

In: the states of a play, or the text of a record. Out: a record as JSON text, the states that a record holds
with every action found legal, the traces of plies. It draws nothing and asks no solver.

In order: `json_places` (JSON text with the place of each entry), `json_lines` (JSON text to read and
compare) -> `accounts` (what each player sees of a ply) -> `files` (records); `traces` (reactions and changes
of a ply).
"""
