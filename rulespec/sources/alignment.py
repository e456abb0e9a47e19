"""Two texts beside each other, sentence by sentence: what stayed, was changed, is gone or is new.

Sentences that each text has once are matched first, as many of them as stand in the same order (patience
diff); then those that are repeated, between them. So the work grows with the texts, however often they say
one thing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

Places = Mapping[Hashable, int]
"""Where in a stretch of a text each of some sentences stands."""
Match = tuple[int, int]


def aligned(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int | None, int | None]]:
    """The places of two texts as pairs, in order.

    A pair with unequal sentences is one that was changed; a place of the old text alone holds one that is
    gone, a place of the new text alone one that is new.
    """
    pairs: list[tuple[int | None, int | None]] = []
    i = j = 0
    for x, y in [*_matches(old, new, (0, len(old)), (0, len(new)), (_once, _counted)), (len(old), len(new))]:
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
    """The places of equal sentences in a stretch of the old text and one of the new, both rising.

    What both stretches begin and end with is matched at once; each round says which sentences are matched in
    what lies between.
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
        for x, y in _rising(sorted(both)):
            yield from _matches(old, new, (i, x), (j, y), rounds[1:])
            yield x, y
            i, j = x + 1, y + 1
        yield from _matches(old, new, (i, i_end), (j, j_end), rounds[1:])
    yield from ((i_end + k, j_end + k) for k in range(tail))


def _once(text: Sequence[Hashable], start: int, end: int) -> Places:
    """The sentences that a stretch has once."""
    places: dict[Hashable, int] = {}
    for place in range(start, end):
        places[text[place]] = -1 if text[place] in places else place
    return {what: place for what, place in places.items() if place >= 0}


def _counted(text: Sequence[Hashable], start: int, end: int) -> Places:
    """All sentences of a stretch, each with how often it stood there before."""
    counts: dict[Hashable, int] = {}
    places: dict[Hashable, int] = {}
    for place in range(start, end):
        counts[text[place]] = count = counts.get(text[place], -1) + 1
        places[text[place], count] = place
    return places


def _rising(matches: Iterable[Match]) -> list[Match]:
    """Of matches in the order of the old text as many as possible that are in that of the new one, too."""
    least: list[int] = []
    """Of the rising runs of each length, from 1 on, the least place in the new text at which one ends."""
    last: list[int] = []
    """The numbers of the matches at which these runs end."""
    runs: list[tuple[Match, int]] = []
    """Each match, with the number of the one before it in the longest run that ends with it."""
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
