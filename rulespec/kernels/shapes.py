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
VastNumbers = MutableSequence[int]
VastSmall = MutableSequence[int]
VastWords = MutableSequence[int]
"""The same for arrays that may take more than 4 GB."""

State = tuple[Numbers, Words]
"""The numbers and the words of a state."""
Play = tuple[Numbers, Words, Words, Numbers]
"""A state (s, b), the source of chance c, and the buffer m of legal actions."""
Root = tuple[Numbers, Words, Numbers]
"""A start: its numbers, its words, its legal actions."""
Now = tuple[Numbers, Words, Words, Numbers, Numbers, Words, Numbers]
"""The arrays of plies on the way from row to row: s, b, c, m, the legal actions that are kept, a row, and the
numbers of outcomes of picks."""
Images = tuple[Numbers, Words, Words, Numbers]
"""The tables of symmetries (chunks of a row, their images), room for two rows, and a merging of values."""
Transpositions = tuple[VastWords, Words]
"""The seats of states, and a Bloom filter of those that were given one: a bit for each kind of hashes, of
which there are twice as many as seats. A filter without words holds nothing back."""
Known = tuple[VastSmall, VastWords, Small]
"""The states known: the table of their numbers, their rows, and for some of them the place of the state from
which it was first reached."""
Batch = tuple[Words, Words, Numbers]
"""Outcomes that wait for their numbers: their rows, their hashes, and the place of the state that each comes
from; behind these, room for as many numbers."""
Edges = tuple[VastNumbers, VastNumbers, VastSmall, VastNumbers]
"""The ways of states, the outcomes of ways, and the odds of outcomes; see `exploration.expand`."""
Growing = tuple[Known, Now, Edges, Images, Batch]
"""The states known, and all that is needed to find more."""
Strategy = tuple[VastSmall, Numbers]
"""The choices of a strategy, and a few numbers; see `strategies`."""
Graph = tuple[VastNumbers, VastNumbers, VastSmall]
"""The same without odds."""
Back = tuple[VastNumbers, VastSmall]
"""Where the predecessors of a state begin, and the predecessors."""
