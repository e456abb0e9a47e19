"""Random plays that note which actions are legal and which conditions hold at some ply."""

from __future__ import annotations

from .game import OWN_ACTIONS, WIDTH, listing, note_shown, play
from .kit import FAULT, ONE, as_word, choose, fast, mix
from .shapes import Numbers, Play, State
from .starts import set_out


@fast
def wander(first: State, now: Play, plays: int, most: int, seen: Numbers, found: Numbers) -> int:
    """Continue plays until there are `plays`; `found` has the numbers of plays and plies."""
    s, b, c, m = now
    while found[0] < plays:
        n = set_out(first, now, mix(mix(ONE) ^ as_word(found[0])))
        if n > 0:
            n = listing(s, b, m)
        plies = 0
        while plies <= most:
            if n < FAULT:
                return n
            if n == FAULT:
                break
            plies += 1
            note_shown(seen, s, b)
            legal = 0
            for i in range(n):
                seen[m[i * WIDTH]] = 1
                if m[i * WIDTH] < OWN_ACTIONS:
                    legal += 1
            if legal == 0:
                break
            left = choose(c, legal)
            k = 0
            while left > 0 or m[k] >= OWN_ACTIONS:
                if m[k] < OWN_ACTIONS:
                    left -= 1
                k += WIDTH
            n = play(s, b, c, m, k)
        found[0] += 1
        found[1] += plies
    return 0
