"""Alignment of two texts, sentence by sentence: sentences that are equal, changed, removed or new.

Sentences that occur once in each text are matched first, in the longest common order (patience diff); then
repeated ones, between them. So the work is nearly linear in the texts, also if sentences repeat often.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

Places = Mapping[Hashable, int]
"""The places of some sentences in a stretch of a text."""
Match = tuple[int, int]


def align(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int | None, int | None]]:
    """The places of two texts as pairs, in order.

    A pair with unequal sentences is a changed one; a place of the old text alone is a removed one,
    a place of the new text alone a new one.
    """
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    same = _matches(old, new, (0, len(old)), (0, len(new)), (_unique, _numbered_occurrences))
    for x, y in [*same, (len(old), len(new))]:
        both = min(x - i, y - j)
        pairs += zip(range(i, i + both), range(j, j + both), strict=True)
        pairs += ((k, None) for k in range(i + both, x))
        pairs += ((None, k) for k in range(j + both, y))
        pairs.append((x, y))
        i, j = x + 1, y + 1
    return pairs[:-1]


def _matches(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    at: tuple[int, int],
    beside: tuple[int, int],
    rounds: Sequence[Callable[[Sequence[Hashable], int, int], Places]],
) -> Iterator[Match]:
    """The places of equal sentences in a stretch of each text, ascending in both.

    Equal beginnings and ends of the stretches are matched at once; each round selects the sentences to match
    between them.
    """
    (i, i_end), (j, j_end) = at, beside
    while i < i_end and j < j_end and old[i] == new[j]:
        yield i, j
        i, j = i + 1, j + 1
    tail = 0
    while i < i_end - tail and j < j_end - tail and old[i_end - tail - 1] == new[j_end - tail - 1]:
        tail += 1
    i_end, j_end = i_end - tail, j_end - tail
    if rounds and i < i_end and j < j_end:
        places, others = rounds[0](old, i, i_end), rounds[0](new, j, j_end)
        both = ((place, others[what]) for what, place in places.items() if what in others)
        for x, y in _longest_rising(sorted(both)):
            yield from _matches(old, new, (i, x), (j, y), rounds[1:])
            yield x, y
            i, j = x + 1, y + 1
        yield from _matches(old, new, (i, i_end), (j, j_end), rounds[1:])
    yield from ((i_end + k, j_end + k) for k in range(tail))


def _unique(text: Sequence[Hashable], start: int, end: int) -> Places:
    """The sentences that occur once in a stretch."""
    places: dict[Hashable, int] = {}
    for place in range(start, end):
        places[text[place]] = -1 if text[place] in places else place
    return {what: place for what, place in places.items() if place >= 0}


def _numbered_occurrences(text: Sequence[Hashable], start: int, end: int) -> Places:
    """All sentences of a stretch, each with the number of earlier occurrences."""
    counts: dict[Hashable, int] = {}
    places: dict[Hashable, int] = {}
    for place in range(start, end):
        counts[text[place]] = count = counts.get(text[place], -1) + 1
        places[text[place], count] = place
    return places


def _longest_rising(matches: Iterable[Match]) -> list[Match]:
    """The longest subsequence of matches, given in the order of the old text, that ascends in the new one."""
    least: list[int] = []
    """For each length from 1 on, the least place in the new text at which an ascending run ends."""
    last: list[int] = []
    """The number of the last match of each of these runs."""
    runs: list[tuple[Match, int]] = []
    """Each match, with the number of its predecessor in the longest run that ends with it."""
    for match in matches:
        length = bisect_left(least, match[1])
        least[length : length + 1] = [match[1]]
        last[length : length + 1] = [len(runs)]
        runs.append((match, last[length - 1] if length else -1))
    found: list[Match] = []
    at = last[-1] if last else -1
    while at >= 0:
        match, at = runs[at]
        found.append(match)
    return found[::-1]
