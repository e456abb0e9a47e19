"""The types in the signatures of kernels, which the translation turns into types of machine code.

A type checker sees Python's own types. Tuples of arrays are written out once here, under a name.
"""

from __future__ import annotations

from collections.abc import MutableSequence

Word = int
"""An unsigned whole number of 64 bits; `int` is a signed one."""
Numbers = MutableSequence[int]
"""Numbers of 64 bits."""
Small = MutableSequence[int]
"""Numbers of 32 bits."""
Words = MutableSequence[int]
"""Words of 64 bits."""
Reals = MutableSequence[float]
"""Floating-point numbers of 64 bits."""
VastNumbers = MutableSequence[int]
VastSmall = MutableSequence[int]
VastWords = MutableSequence[int]
"""Like `Words`, for arrays that may take more than 4 GB."""

State = tuple[Numbers, Words]
"""The numbers and the words of a state."""
Play = tuple[Numbers, Words, Words, Numbers]
"""A state (s, b), the source of chance c, and the buffer m of legal actions."""
Root = tuple[Numbers, Words, Numbers]
"""A start: its numbers, its words, its legal actions."""
Now = tuple[Numbers, Words, Words, Numbers, Numbers, Words, Numbers]
"""The arrays of plies from row to row: s, b, c, m, the stored legal actions, a row, and the numbers of
outcomes of picks."""
Images = tuple[Numbers, Words, Words]
"""The tables of symmetries (chunks of a row, their images), and scratch for two rows."""
Transpositions = tuple[VastWords, Words]
"""The seats of states, and a Bloom filter of the states with seats: a bit for each class of hashes, twice
as many as seats. An empty filter rules out nothing."""
Known = tuple[VastSmall, VastWords, Small]
"""The known states: the table of their numbers, their rows, and for some of them the predecessor that
first reached them."""
Batch = tuple[Words, Words, Numbers]
"""Outcomes waiting for their numbers: rows, hashes, and the place of each one's predecessor; then room for
as many numbers."""
Edges = tuple[VastNumbers, VastNumbers, VastSmall, VastNumbers]
"""The ways of states, the outcomes of ways, and the odds of outcomes; see `exploration.expand`."""
Growing = tuple[Known, Now, Edges, Images, Batch]
"""The known states, and all that is needed to find more."""
Strategy = tuple[VastSmall, Numbers]
"""The choices of a strategy, and its settings; see `strategies`."""
Graph = tuple[VastNumbers, VastNumbers, VastSmall]
"""The same without odds."""
Back = tuple[VastNumbers, VastSmall]
"""The index of the first predecessor of each state, and the predecessors."""
