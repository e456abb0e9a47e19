"""The account of a ply in a full record: the changes that each player sees, and the legal actions after it.

An account is plain data. `observed` holds the action as observed by each player from whom part of it is
secret; `seen` holds the changes since the ply before, under `everybody` those that are the same for all
players; `scores` is there if they changed; `legal` holds the legal actions, or their number if they are too
many to read. The accounts together contain everything that each player observed.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...core.plain_data import to_data
from ..face import State

MOST_LISTED = 1_000
"""Up to this many legal actions are listed; beyond it, their number, a digest and the first ones."""

FIRST_LISTED = 20
MOST_TOLD = 8
"""Maximum number of actions in a message."""

ALL = "everybody"


def account(state: State, before: State | None = None) -> dict[str, Any]:
    """The account of a state as changes since the one before; at the start the whole state."""
    old = _sights(before) if before is not None else {}
    by_player = {player: changes(old.get(player, {}), seen) for player, seen in _sights(state).items()}
    first, *others = by_player.values()
    shared = {k: v for k, v in first.items() if all(k in seen and seen[k] == v for seen in others)}
    own = {str(p): {k: v for k, v in seen.items() if k not in shared} for p, seen in by_player.items()}
    found: dict[str, Any] = {"observed": observed} if (observed := _observations(state, before)) else {}
    found["seen"] = {k: v for k, v in {ALL: shared, **own}.items() if v}
    if state.scores and (before is None or state.scores != before.scores):
        found["scores"] = {str(player): score for player, score in state.scores.items()}
    return {**found, "legal": list_actions([str(action) for action in state.actions()])}


def _sights(state: State) -> dict[Any, dict[str, Any]]:
    return {player: state.seen_by(player) for player in state.game.players}


def _observations(state: State, before: State | None) -> dict[str, str]:
    """The last action as seen by each player from whom part of it is secret, by player."""
    if before is None:
        return {}
    observer, move, ctx = state.game.observer, state.plays[-1].move, before.situation
    return {
        str(to_data(state.game.core.player, player)): observer.text(ctx, move, player)
        for player in state.game.core.player.values
        if observer.move(ctx, move, player).move is None
    }


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The changed entries of a mapping, inner mappings likewise.

    None stands for an entry that was removed or is none.
    """
    found: dict[str, Any] = dict.fromkeys(key for key in before if key not in after)
    for key, value in after.items():
        old = before.get(key)
        if key not in before or old != value:
            inner = isinstance(old, Mapping) and isinstance(value, Mapping)
            found[key] = changes(old or {}, value) if inner else value
    return found


def list_actions(actions: Sequence[str]) -> list[str] | dict[str, Any]:
    """Actions as an account lists them: all, or of a long list the number, digest and first ones."""
    if len(actions) <= MOST_LISTED:
        return list(actions)
    digest = hashlib.sha256("\n".join(sorted(actions)).encode()).hexdigest()
    return {"number": len(actions), "sha256": digest, "first": list(actions[:FIRST_LISTED])}


def differences(said: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """A sentence about each difference between two accounts. The order of actions does not count."""
    if _without_order(said.get("legal")) != _without_order(found["legal"]):
        yield _other_actions(said.get("legal"), found["legal"])
    for key in ("observed", "seen", "scores"):
        yield from _other_values((key,), said.get(key, {}), found.get(key, {}))


def _without_order(legal: Any) -> Any:
    return sorted(legal) if isinstance(legal, list) else {**legal, "first": None} if legal else legal


def _other_actions(said: Any, found: Any) -> str:
    """The difference between the legal actions in a record and the present ones, in words."""
    if not (isinstance(said, list) and isinstance(found, list)):
        numbers = [x["number"] if isinstance(x, dict) else len(x or ()) for x in (said, found)]
        return f"there are {numbers[1]} legal actions, where the record has {numbers[0]}, not all the same"
    parts = {
        "no longer legal: ": Counter(said) - Counter(found),
        "legal now: ": Counter(found) - Counter(said),
    }
    return "; ".join(words + _some(actions.elements()) for words, actions in parts.items() if actions)


def _some(actions: Iterable[str]) -> str:
    """The first actions of a list, and the number of others."""
    every = [f"`{action}`" for action in actions]
    more = f" and {len(every) - MOST_TOLD} more" if len(every) > MOST_TOLD else ""
    return ", ".join(every[:MOST_TOLD]) + more


def _other_values(path: tuple[str, ...], said: Any, found: Any) -> Iterator[str]:
    """The innermost places at which two accounts of changes differ."""
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        for key in dict.fromkeys((*said, *found)):
            if key not in said or key not in found:
                left, right = (side.get(key, "no change") for side in (said, found))
                yield _otherwise((*path, key), left, right)
            else:
                yield from _other_values((*path, key), said[key], found[key])
    elif said != found:
        yield _otherwise(path, said, found)


def _otherwise(path: tuple[str, ...], said: Any, found: Any) -> str:
    """The difference between a value in a record and the present one, in words."""
    what, *where = path
    told = "".join(f"[{key}]" for key in where[2:])
    if what == "scores":
        told = f"the score of player {where[0]}"
    elif what == "observed":
        told = f"player {where[0]} observes"
    else:
        who = where[0] if where[0] == ALL else f"player {where[0]}"
        told = " ".join([f"{who} sees", *where[1:2]]) + told
    return f"{told}: {said} in the record, {found} now"
