"""The types in the signatures of kernels, from which a translation takes the types of machine code.

A type checker sees Python's own types. Tuples of arrays are written out here once, under a name.
"""

from __future__ import annotations

from collections.abc import MutableSequence

Word = int
"""A whole number of 64 bits without a sign; `int` is one with a sign."""
Numbers = MutableSequence[int]
"""Numbers of 64 bits."""
Small = MutableSequence[int]
"""Numbers of 32 bits."""
Words = MutableSequence[int]
"""Words of 64 bits."""
Reals = MutableSequence[float]
"""Floating-point numbers of 64 bits."""

State = tuple[Numbers, Words]
"""The numbers and the words of a state."""
Play = tuple[Numbers, Words, Words, Numbers]
"""A state (s, b), the source of chance c, and the buffer m of legal actions."""
Root = tuple[Numbers, Words, Numbers]
"""A start: its numbers, its words, its legal actions."""
Now = tuple[Numbers, Words, Words, Numbers, Numbers, Words, Numbers]
"""The arrays of plies on the way from row to row: s, b, c, m, the legal actions that are kept, a row, and the
numbers of outcomes of picks."""
Images = tuple[Numbers, Words, Words]
"""The tables of symmetries (chunks of a row, their images), and room for two rows."""
Known = tuple[Small, Words, Small]
"""The states known: the table of their places, their rows, the state from which each was first reached."""
Edges = tuple[Numbers, Numbers, Small, Numbers]
"""The ways of states, the outcomes of ways, and the odds of outcomes; see `exploration.expand`."""
Graph = tuple[Numbers, Numbers, Small]
"""The same without odds."""
Back = tuple[Numbers, Small]
"""Where the predecessors of a state begin, and the predecessors."""
