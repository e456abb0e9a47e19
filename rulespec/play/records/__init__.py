"""Plays as files, and the events of each of their plies.

In: the states of a play, or the text of a record. Out: a record as JSON text, the states that a record holds
with every action found legal, the traces of plies. It draws nothing and uses no solver.

In order: `json_places` (JSON text with the place of each entry), `json_lines` (JSON text to read and compare)
-> `accounts` (each player's view of a ply) -> `files` (records); `traces` (reactions and changes of a ply).
"""
