"""A state in the terminal: the board, the sights beside it, actions, refusals, the end."""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ..core import nodes as n
from ..core.game import Game as CoreGame
from ..core.game import Sight
from ..core.numbers import number_of
from ..core.taint import StateReads
from ..language.elaborate.statements import OVER, TURN_TO
from ..language.phases import DONE
from ..play.actions import Action
from ..play.face import State
from ..play.refusal import Refusal, refusing_rule
from ..play.views import counted_source, is_drawn
from ..play.wording import seat_names, tie_breakers
from ..players.search import Advice
from .output import columns, fill, uses_colours

ROWS_AROUND = 6
"""Rows of the terminal left free when a page of actions is listed."""

MOST_NEAR = 3
"""Maximum number of proposed actions with the words of a refused one in another order."""

_PART = re.compile(r"\w+")

MOST_LISTED = 24
"""With more actions than this, they are counted and not listed except on request."""


def has_hidden(state: State) -> bool:
    """True if the game has anything hidden from a player."""
    return any(var.hidden for var in state.game.core.state.values())


def board(state: State, viewer: Any = None, names: bool = False) -> str:
    """The position as a player sees it, or in full without a viewer.

    With `names`, free squares show theirs, if there is room.
    """
    if not state.game.core.diagram:
        return _variables(state, viewer)
    from ..book.drawing.diagram import text

    values = state.values if viewer is None else state.known_to(viewer)
    sizes = {} if viewer is None else state.sizes_known_to(viewer)
    colour = uses_colours(sys.stdout)
    if names:
        named = text(state.game.core, values, False, True, sizes)
        names = max(map(len, named.splitlines()), default=0) <= columns()
    drawn = text(state.game.core, values, colour, names, sizes)
    return "\n".join([drawn, *(_sights(state, viewer) if viewer is not None else ())])


def _variables(state: State, viewer: Any) -> str:
    seen = state.to_data() if viewer is None else state.seen_by(viewer)
    game, left = state.game.core, {"over", TURN_TO, DONE, *OVER.values(), *_of_stages(state.game.core)}
    words = {sight.text: _words(sight) for sight in game.sights}
    listed = ((words.get(name, name), _plain(value)) for name, value in seen.items() if name not in left)
    return "\n".join(fill(f"{name}: {value}") for name, value in listed)


def _of_stages(game: CoreGame) -> set[str]:
    """The variables of choices made at once, and the sights of them; sentences report these choices."""
    own, reads = {var for stage in game.stages for var in (stage.done, *stage.chosen)}, StateReads()
    return {var.name for var in own} | {s.text for s in game.sights if own & reads(s.value)[0]}


def _sights(state: State, viewer: Any) -> list[str]:
    """The sights that are neither drawn nor empty."""
    seen = state.seen_by(viewer)
    game, left = state.game.core, _of_stages(state.game.core)
    sights = [sight for sight in game.sights if sight.text not in left and not is_drawn(sight, game)]
    told = ((_words(sight), _plain(seen[sight.text])) for sight in sights)
    return [fill(f"{words}: {value}") for words, value in told if value != "-"]


def _words(sight: Sight) -> str:
    """A sight as text, in words if it counts something or is a definition with a name."""
    number_of, own = counted_source(sight.value), sight.viewer
    item = number_of or sight.value
    if isinstance(item, n.Read) and isinstance(item.map, n.Get):
        name, yours = item.map.var.name, isinstance(item.key, n.Local) and item.key.var is own
    elif isinstance(item, n.Get):
        name, yours = item.var.name, False
    elif isinstance(item, n.Call):
        name = item.function.name
        yours = any(isinstance(arg, n.Local) and arg.var is own for arg in item.args)
    else:
        return sight.text
    name = ("your " if yours else "") + name.replace("-", " ").replace("_", " ")
    return f"how many in {name}" if number_of else name


def _plain(value: Any) -> str:
    """A value of JSON in one line."""
    if isinstance(value, dict):
        parts = (f"{key}: {_plain(item)}" for key, item in value.items() if item not in (None, []))
        return ", ".join(parts) or "-"
    if isinstance(value, list):
        return " ".join(_plain(item) for item in value) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def action_columns(numbered: Sequence[tuple[int, Action]]) -> str:
    """Actions with their numbers, in as many columns as fit."""
    if not numbered:
        return "none"
    digits = max(len(str(number)) for number, _ in numbered)
    cells = [f"{number:{digits}}  {action}" for number, action in numbered]
    wide = max(map(len, cells)) + 3
    across = max(1, columns() // wide)
    down = -(-len(cells) // across)
    rows = [cells[i::down] for i in range(down)]
    return "\n".join("".join(cell.ljust(wide) for cell in row).rstrip() for row in rows)


def pages(numbered: Sequence[tuple[int, Action]]) -> list[str]:
    """Actions with their numbers in columns, cut into pieces that fit a terminal."""
    lines = action_columns(numbered).splitlines()
    rows = max(shutil.get_terminal_size((80, 24)).lines - ROWS_AROUND, 5)
    return ["\n".join(lines[i : i + rows]) for i in range(0, len(lines), rows)]


def choices(state: State) -> str:
    """The legal actions: all of them if they are few, else the number of each kind."""
    actions = state.actions()
    if len(actions) <= MOST_LISTED:
        return action_columns([*enumerate(actions, 1)])
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(a.id for a in actions).items())
    return fill(
        f"{len(actions)} actions are legal ({kinds}), such as `{actions[0]}`; `actions` lists them, "
        "`actions WORDS` only those with these words"
    )


def refusal_text(state: State, text: str, refusals: Iterable[Refusal], exact: bool = True) -> str:
    """The reasons why an action cannot be played: each rule in its own words first, then its false
    condition if they are to be `exact`."""
    lines = [f"`{text}` cannot be played"]
    for refusal in refusals:
        reasons = [str(reason) for reason in refusal.reasons if exact and (reason.text or reason.fact)]
        if refusal.kind not in ("requirement", "choice"):
            lines.append(fill(str(refusal), "  "))
            continue
        clause, words = refusing_rule(state.game.core, refusal)
        if refusal.kind == "choice":
            reasons = ["; ".join([refusal.prose, *reasons])]
        name = clause if refusal.kind == "choice" else refusal.name
        lines.append(fill(f"illegal by `{name}`. {words}", "  "))
        lines += [fill(reason, "      ") for reason in reasons]
    near = [f"`{action}`" for action in state.actions() if _parts(str(action)) == _parts(text)]
    if near:
        lines.append(fill(f"did you mean {' or '.join(near[:MOST_NEAR])}?", "  "))
    return "\n".join(lines)


def _parts(text: str) -> list[str]:
    """The words and numbers of an action, sorted."""
    return sorted(_PART.findall(text.lower()))


def advice_text(advice: Advice, scored: bool, players: int) -> str:
    """A description of the search behind a proposed action."""
    if advice.blind:
        return "chosen at random: no hidden state was found that fits everything you have seen"
    if advice.greedy:
        return "the greedy choice: without code for this game, or without `wasmtime`, nothing is searched"
    if not advice.plays:
        return "nothing else is worth trying"
    if advice.even:
        return f"no better than any other: {advice.tried} trial plays made no difference"
    told = f"{advice.plays} of {advice.tried} trial plays begin with it"
    if players > 1:
        told += f", worth {advice.wins:.0%} of a win on average"
    if scored:
        where = "in the end" if players == 1 else "ahead" if advice.points >= 0 else "behind"
        told += f", {advice.points if players == 1 else abs(advice.points):.1f} points {where}"
    cut = advice.tried - advice.ended
    many = "all" if not advice.ended else f"{cut} of them"
    return told + (f"; {many} were cut short and judged as they stood" if cut > 1 else "")


def outcome(state: State) -> dict[str, Any]:
    """The result of a play so far, as data."""
    return {
        "over": state.is_over,
        "ended_by": state.ended_by,
        "scores": {str(k): v for k, v in state.scores.items()},
        "winners": [str(w) for w in state.winners],
        "titles": {str(k): v for k, v in state.titles.items()},
    }


def ending_text(state: State) -> str:
    """The result of a play in sentences, which at its end are those of its page."""
    length = number_of(len(state.plays), "action")
    if not state.is_over:
        return f"Not over yet, after {length}."
    core = state.game.core
    names = dict(zip(state.game.players, seat_names(core), strict=True))
    how = {end.id: end.prose or end.id for end in core.ends}.get(state.ended_by or "", "no action was legal")
    if state.fault is not None:
        how = f"the play has ended in a fault: {state.fault}"
    lines = [f"Over after {length}: {how.removesuffix('.')}."]
    if len(names) == 1:
        lines += [f"Score: {score}." for score in state.scores.values()]
        return "\n".join([*lines, *(f"{title}." for title in state.titles.values() if title)])
    if state.scores:
        lines.append(f"Scores: {', '.join(f'{names[p]} has {score}' for p, score in state.scores.items())}.")
    lines += tie_breakers(core, state.situation)
    *others, last = [names[winner] for winner in state.winners] or ["Nobody"]
    lines.append(f"{', '.join(others)} and {last} win." if others else f"{last} wins.")
    lines += [f"{names[player]}: {title}." for player, title in state.titles.items() if title]
    return "\n".join(lines)
