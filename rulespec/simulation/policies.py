"""Policies of the seats by name: random, greedy, or a search with a number of plays for an action."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..core.diagnostics import nearest
from ..core.numbers import whole_number
from ..players.levels import LEVELS
from ..players.search import SearchPlayer
from ..players.simple import GreedyPlayer, RandomPlayer
from ..players.table import Player

RANDOM, GREEDY, SEARCH = "random", "greedy", "search"
NAMES = (RANDOM, GREEDY, *LEVELS, SEARCH)
PLAYS = 100
"""The default number of plays of a search for an action; a time limit would not give reproducible games."""
MOST_PLAYS = 1_000_000


class BadPolicy(ValueError):
    """Raised for an unknown policy, or one for an unknown player; the message lists the known ones."""


def full_policy_name(name: str) -> str:
    """The full name of a policy: `random`, `greedy`, a level or `search:PLAYS`.

    BadPolicy says what is wrong.
    """
    word, colon, rest = name.partition(":")
    if word not in NAMES or (colon and word != SEARCH):
        advice = nearest(word, NAMES) or "there are " + ", ".join(NAMES)
        raise BadPolicy(f"no policy is called `{name}`; {advice}")
    if word != SEARCH:
        return word
    plays = whole_number(rest) if colon else PLAYS
    if plays is None or not 0 < plays <= MOST_PLAYS:
        raise BadPolicy(f"`{name}`: the number of plays that a search tries is from 1 to {MOST_PLAYS:,}")
    return f"{SEARCH}:{plays}"


def policies_of_players(players: Sequence[object], named: Iterable[str]) -> tuple[str, ...]:
    """The policy of each player, in order, from texts `PLAYER=POLICY`, or `POLICY` for all others.

    Players without a policy play at random. BadPolicy says what is wrong.
    """
    seats: dict[str, str] = {}
    rest: str | None = None
    known = [str(player) for player in players]
    for text in named:
        seat, sign, name = text.rpartition("=")
        found = full_policy_name(name)
        if sign and seat not in known:
            raise BadPolicy(f"`{text}`: there is no player `{seat}`; there are {', '.join(known)}")
        if (seat in seats) if sign else (rest is not None):
            raise BadPolicy(f"`{text}` is a second policy for {f'player {seat}' if sign else 'the others'}")
        if sign:
            seats[seat] = found
        else:
            rest = found
    return tuple(seats.get(seat, rest or RANDOM) for seat in known)


def describe_policies(players: Sequence[object], policies: Sequence[str]) -> str:
    """The policies of the players, in words."""
    if len(set(policies)) == 1:
        return f"played {_manner(policies[0])}"
    each = zip(players, policies, strict=True)
    return "played " + ", ".join(f"by {player} {_manner(name)}" for player, name in each)


def _manner(name: str) -> str:
    """A policy in words, as they follow `played`."""
    word, _, plays = name.partition(":")
    if word in LEVELS:
        return f"at the level {word}"
    return {RANDOM: "at random", GREEDY: "greedily"}.get(word, f"by a search of {plays} plays an action")


def player_for(name: str, seed: str) -> Player:
    """A player that follows a policy, given by its full name."""
    word, _, rest = name.partition(":")
    if word == RANDOM:
        return RandomPlayer(seed)
    if word in LEVELS:
        return SearchPlayer.of_level(word, seed)
    return GreedyPlayer(seed) if word == GREEDY else SearchPlayer(seed, plays=int(rest))


def players_for(seats: Sequence[object], policies: Sequence[str], seed: str) -> Mapping[object, Player]:
    """The players of one game, each with its own seed."""
    named = zip(seats, policies, strict=True)
    return {seat: player_for(name, f"{seed}/{seat}") for seat, name in named}
