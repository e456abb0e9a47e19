"""Noticing as one call: the doubts about a ruleset, and the settings not reached."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..core import nodes as n
from ..core.diagnostics import Diagnostic, RulesetError, Source
from ..core.game import Game
from ..core.meter import Meter, StepLimitExceeded
from ..core.notation import write
from ..core.traversal import nodes_within
from ..core.types import Map
from ..core.verdicts.properties import PROPERTIES, Form
from ..play.blame import changes
from ..play.position import STUCK
from .omissions import never_set_back
from .parts import (
    ACTION,
    ALWAYS,
    BRANCH,
    CASE,
    END,
    LAW,
    LEAD,
    LOOP,
    MOVER,
    REACTION,
    REQUIREMENT,
    STORE,
    WINNER,
    Part,
    clause_at,
    declarations,
    keys_of_events,
    parts_in_play,
)
from .plays import MOST_PLIES, Plays, Sightings, unchanged_entries
from .prose import broken_runs
from .settings import Setting, Settle, elsewhere, ends_of_parameters
from .setups import short_deals
from .sights import fully_visible, shows_nothing, unseen_choices
from .texts import CODE, doubt, doubts_of_text, settled_conditions

WORK = 3_000_000
"""Maximum interpreter steps for all random plays, under all settings."""
HERE = 0.6
"""The share of them for the default setting."""
PLAYS = 60
"""Maximum number of plays of the default setting."""
PLAYS_ELSEWHERE = 6
"""Maximum number of plays of another setting."""
SHARE = 200_000
"""Minimum steps for another setting, if that many are left."""
FEWEST = 12
"""A part counts as never seen only after this many finished plays."""
FEWEST_BY_CODE = 200
"""The same for plays by generated code, which are fast."""
MANY = 60
"""A reaction counts as done every time only after this many actions."""

MEANT = "if this is intended, an example {} ends the doubt"
HAPPENS, ONLY_SURE = MEANT.format("in which it happens"), "if it is only a safeguard, remove it"
TOO_LATE = "always hold by mistake, for example because a value is stored too late"
AGAIN = f"it may {TOO_LATE}; if it only repeats what others say, leave it out"
ONLY_IN_EXAMPLE = f"an example refuses by it, so it is rare in play, or may {TOO_LATE}; `--deep` finds out"

NEVER = {
    ACTION: ("the action `{0}` was never legal", MEANT.format("that plays the action")),
    END: ("the end `{0}` never came", MEANT.format("that reaches it")),
    REACTION: ("the reaction `{0}` never happened", HAPPENS),
    BRANCH: ("`{0}` never held here, so what follows was never done", HAPPENS),
    CASE: ("`{0}` never held where it mattered", MEANT.format("in which it decides")),
    LOOP: ("`{0}` was always empty here, so nothing was done for its elements", HAPPENS),
    REQUIREMENT: ("the requirement `{0}` never refused anything by itself", AGAIN),
    LAW: ("the law `{0}` never refused anything by itself", AGAIN),
    STORE: ("`{0}` never changed anything", f"perhaps another place or value is meant; {ONLY_SURE}"),
    ALWAYS: ("`{0}` always held here", ONLY_SURE),
    MOVER: ("player {0} was never to move", "`next` under `turn` says who is to move"),
    WINNER: ("player {0} never won", MEANT.format("with `winners`")),
    LEAD: ("the score was the same for all players", "`player` is the player whose score it is"),
}
"""The message for a part of each kind that was never seen, and the help."""

Refine = Callable[[Game, list[Part]], tuple[list[Part], int]]
"""Plays a game more often; returns the given parts that were never seen, and the number of plays."""


@dataclass
class Notices:
    """The doubts about a ruleset, and the settings that were not played."""

    doubts: list[Diagnostic] = field(default_factory=list)
    unseen: list[Part] = field(default_factory=list)
    """The parts that were never seen, each of which has a doubt."""
    unreached: list[str] = field(default_factory=list)
    plays: int = 0


def notice(
    game: Game,
    settle: Settle,
    players: Sequence[int],
    own: Source,
    shown: frozenset[object] = frozenset(),
    *,
    refine: Refine | None = None,
    work: int = WORK,
) -> Notices:
    """Play a ruleset at random and collect doubts about it.

    Args:
        game: the game under its default settings.
        settle: returns the game under other settings.
        players: the allowed numbers of players.
        own: the ruleset's own file; doubts about inherited text belong to its base.
        shown: the events in its examples; see `Machine.seen`.
        refine: plays further games, and removes the parts that occur in them.
        work: the steps that the interpreter may take for all plays.
    """
    notices, meter, done = Notices(), Meter(int(work * HERE)), keys_of_events(game, shown)
    parts = [
        part
        for part in parts_in_play(game)
        if part.is_noted
        and not part.is_settled
        and part.event not in shown
        and part.key not in done
        and (part.kind == MOVER or part.span is None or part.span.source == own)
    ]
    here = Plays(game, meter).run(PLAYS, {part.event for part in parts})
    notices.plays = here.ended
    doubts = [*doubts_of_text(game, own), *_of_plays(here, ""), *_of_course(here, own)]
    doubts += _of_sights(here, Meter(work // 10))
    left, others = work - int(work * HERE) + max(meter.left, 0), list[Sightings]()
    settings = [*elsewhere(game, players), *ends_of_parameters(game)]
    for number, setting in enumerate(settings):
        meter = Meter(min(left, max(SHARE, left // (len(settings) - number))))
        found = _elsewhere(game, setting, settle, meter) if left > 0 else None
        left -= meter.most - max(meter.left, 0)
        if meter.left <= 0 and not (isinstance(found, Sightings) and found.ended):
            notices.unreached.append(str(setting))
        if isinstance(found, Sightings):
            others.append(found)
            doubts += [d for d in _of_plays(found, f"where {setting}, ") if not _is_there(d, doubts)]
        elif found is not None:
            doubts.append(found)
    if not notices.unreached:  # a condition may be settled by the value of a parameter
        doubts += _of_conditions([game, *(found.game for found in others)], own)
    faulty = 2 * sum(count for _, _, count in here.faults.values()) > here.begun
    if faulty or here.over_at_once == here.begun:  # what never happened is no wonder then
        stuck = not faulty and ("end", STUCK) in here.seen
        parts = [part for part in parts if part.kind == ACTION and stuck]
    unseen = _unseen_parts(parts, here, others)
    idle = {part.key for part in parts if (*part.event[:1], "idle store") in here.seen}
    unseen = [part for part in unseen if part.kind != STORE or part.key in idle]
    unseen = [part for part in unseen if part.kind != ALWAYS or (part.event[0], True) in here.seen]
    if refine is None:  # a few plays tell nothing of what is refused
        unseen = [part for part in unseen if part.kind not in (REQUIREMENT, LAW, STORE, ALWAYS)]
    if unseen and refine is not None:
        unseen, more = refine(game, unseen)
        notices.plays += more
        for setting in elsewhere(game, players) if unseen else ():
            unseen = _unseen_there(game, setting, settle, unseen, refine)
    unseen = _without_copies(game, unseen, parts)
    if not unseen or notices.plays >= (FEWEST if refine is None or not unseen else FEWEST_BY_CODE):
        notices.unseen = unseen
        doubts += _of_parts(unseen, here, notices.plays, shown)
    else:
        notices.unreached.insert(0, f"enough plays to the end ({notices.plays} of {FEWEST})")
    notices.doubts = doubts
    return notices


def _of_conditions(games: Sequence[Game], own: Source) -> Iterator[Diagnostic]:
    """Doubts about conditions that types decide, under every setting."""
    settled = [*map(settled_conditions, games)]
    for key, (span, message) in settled[0].items():
        if span.source == own and all(key in other for other in settled[1:]):
            yield doubt("settled", message, span, "", clause_at(games[0], span))


def _elsewhere(game: Game, setting: Setting, settle: Settle, meter: Meter) -> Sightings | Diagnostic | None:
    """The plays under another setting, or a doubt if there is no such game; None if neither is needed."""
    try:
        other = setting.apply(game, settle, meter=meter)
    except RulesetError as error:
        first = error.diagnostics[0]
        if first.code.startswith(("condition.", "parameter.", "size.", "players.")):
            return None
        message = f"where {setting}, this is faulty: {first.message}"
        return Diagnostic(f"{CODE}setting", message, first.labels, first.help, severity="warning")
    except StepLimitExceeded:
        return None
    if other.digest == game.digest:
        return None
    return Plays(other, meter, checks_claims=False).run(PLAYS_ELSEWHERE)


def _is_there(doubt: Diagnostic, doubts: Sequence[Diagnostic]) -> bool:
    """True if a doubt of the same kind about the same place exists."""
    return any((d.code, str(d.span), d.clause) == (doubt.code, str(doubt.span), doubt.clause) for d in doubts)


def _of_plays(found: Sightings, where: str) -> Iterator[Diagnostic]:
    """Doubts about the setup and the events in random plays of one game."""
    game = found.game
    for effect, (wanted, there) in short_deals(game, Meter(WORK // 10)).items():
        inside = [*nodes_within(effect)]
        span = next((game.spans[node] for node in inside if node in game.spans), None)
        name = next(node.var.name for node in inside if isinstance(node, n.Get))
        message = f"{where}the setup moves {wanted} of `{name}` here, which holds only {there}"
        yield doubt(
            "deal", message, span, "deal fewer, or begin with more", clause_at(game, span) if span else ""
        )
    for fault, play, count in found.faults.values():
        often = f"in {count} of {found.begun} random plays " if where == "" else ""
        message = f"{where}{often}{fault}, {play}"
        clause = clause_at(game, fault.span) if fault.span else ""
        help = "widen its type, or add a requirement that prevents this"
        told = doubt("fault", message, fault.span, help, clause)
        back = [] if fault.value.startswith("-") else never_set_back(game, fault.place.partition("[")[0])
        yield replace(told, labels=(*told.labels, *back))
    if found.begun and found.over_at_once == found.begun:
        ended = next((str(name) for kind, name in _pairs(found.seen) if kind == "end"), "")
        rule = next((rule for rule in game.rules if rule.id == ended), None)
        first = next((rule for rule in game.rules if rule.id in game.actions), None)
        how = f"by `{ended}`" if rule else "because nobody can act"
        if rule is not None or not where:
            span = (rule or first or game.rules[0]).span
            yield doubt("start", f"{where}the game is over at the start, {how}", span)
    for action, (one, other, text) in found.namesakes.items():
        rule = next(rule for rule in game.rules if rule.id == action)
        both = f"{_notation_of(game, one)} and {_notation_of(game, other)}"
        message = f"{where}`{text}` is the notation of two legal actions: {both}"
        help = "name each choice under `written`, as in `{…}`, or leave a choice out that changes nothing"
        yield doubt("notation", message, rule.span, help, action)
    for name, (words, action, events) in found.broken.items():
        claim = game.claims[name]
        kind = "measure" if claim.kind in ("terminates", "never_falls") else "claim"
        broken = doubt(kind, f"{where}the claim `{name}` does not hold: {words}", claim.span, "", name)
        assert claim.condition is not None
        yield replace(broken, labels=(*broken.labels, *changes(game, claim.condition, action, events)))


def _of_course(found: Sightings, own: Source) -> Iterator[Diagnostic]:
    """Doubts about the course of plays by default settings, and about variables that never changed."""
    game = found.game
    spans = {rule.id: rule.span for rule in game.rules if rule.span is not None and rule.span.source == own}
    for action, play in found.idle.items():
        if action in spans:
            message = f"`{action}` left everything as it was, so the same player acts again, {play}"
            yield doubt("store", message, spans[action], "does it store, count or end something?", action)
    for reaction in game.reactions if found.plies >= MANY else ():
        happens = (REACTION, reaction.id) in found.seen and ("no reaction", reaction.id) not in found.seen
        if happens and reaction.id in spans and not isinstance(reaction.condition, n.Const):
            message = f"`{reaction.id}` happened after each of {found.plies} actions"
            place = game.spans.get(reaction.condition) or spans[reaction.id]
            yield doubt(REACTION, message, place, "if this is intended, write `true`", reaction.id)
    for kind, span, message, help in broken_runs(game, found.kept):
        if span is not None and span.source == own:
            yield doubt(kind, message, span, help, clause_at(game, span))
    for var, entry in unchanged_entries(found):
        span = declarations(game).get(var.name)
        if span is not None and span.source == own:
            message = f"`{entry}` never changed in {found.ended} random plays, although all others did"
            yield doubt("store", message, span, "does something leave it out?", clause_at(game, span))
    for claim in game.claims.values() if found.stuck else ():
        if claim.kind == "never_stuck":
            message = f"the claim `{claim.id}` does not hold: {found.last_stuck}"
            yield doubt("claim", message, claim.span, "", claim.id)
    end = next((spans[end.id] for end in game.ends if end.id in spans), None)
    told = game.turn.stuck != "end" or any(_CANNOT.search(rule.prose) for rule in game.rules)
    if 0 < found.stuck < found.ended and game.players > 1 and end is not None and not told:
        message = f"no prose says what happens when nobody can act: {found.last_stuck}"
        help = "the game ends then; with `stuck: pass` under `turn` the player passes"
        yield doubt("end", message, end, help)


_CANNOT = re.compile(
    r"\bcan(?:not|'t)|\bcan [^.]*\bno|\bno[^.]* can\b|\bno (?:\w+ )?(?:moves?|actions?)\b"
    r"|\b(?:unable|stuck|blocked)\b",
    re.IGNORECASE,
)
"""Words of prose about players who cannot act."""


def _pairs(seen: set[object]) -> Iterator[tuple[object, object]]:
    """Yield the pairs among seen events."""
    for one in seen:
        if isinstance(one, tuple) and len(one) == 2:
            yield one


def _notation_of(game: Game, move: Any) -> str:
    """A move with its action and its choices by name."""
    choices = game.actions[move.action].choices
    values = (f"{c.var.name} = {write(c.var.type, v)}" for c, v in zip(choices, move.args, strict=True))
    return f"`{move.action}` with {', '.join(values)}" if choices else f"`{move.action}`"


def _of_sights(found: Sightings, meter: Meter) -> Iterator[Diagnostic]:
    """Doubts about the observations of players; stops at the limit of steps."""
    game = found.game
    try:
        if game.sights and shows_nothing(game, found.samples, meter):
            message = "`sees` never shows anything: all of it was always empty"
            yield doubt("sees", message, game.spans.get(game.sights[0].value))
        for var, sight in fully_visible(game, found.samples, meter):
            message = f"`sees` shows every player all of `{var.name}`, which is hidden"
            help = f"show each player what is the player's own, as in `{var.name}[viewer]`"
            help = help if game.players > 1 else "show only what the player sees, or leave `hidden` out"
            yield doubt("sees", message, game.spans.get(sight.value), help)
        unseen = unseen_choices(game, found.samples, meter) if game.players > 1 else ()
        for action, var, shown in {var: (action, var, shown) for action, var, shown in unseen}.values():
            rule = next(rule for rule in game.rules if rule.id == action)
            message = f"`{action}` depends on `{var.name}`, but the player to move sees too little of it"
            span = game.spans.get(shown.value) if shown is not None else rule.span
            own = isinstance(var.type, Map) and var.type.keys is game.player
            part = f"{var.name}[viewer]" if own else f"if viewer = … then {var.name} else none"
            yield doubt("sees", message, span, f"add `sees: {part}`", action)
    except StepLimitExceeded:
        return


def _unseen_there(
    game: Game, setting: Setting, settle: Settle, parts: list[Part], refine: Refine
) -> list[Part]:
    """The parts that do not occur in plays under another setting either."""
    there = setting.of(game, settle) if parts else None
    if there is None or there.digest == game.digest:
        return parts
    keys = {part.key for part in parts}
    same = [part for part in parts_in_play(there) if part.key in keys]
    left = {part.key for part in refine(there, same)[0]}
    shown = {part.key for part in same} - left
    return [part for part in parts if part.key not in shown]


def _unseen_parts(parts: Sequence[Part], here: Sightings, others: Sequence[Sightings]) -> list[Part]:
    """The parts that occur in no play."""
    left = [part for part in parts if part.event not in here.seen]
    if not left:
        return []
    keys = {part.key for one in others for part in parts_in_play(one.game) if part.event in one.seen}
    return [part for part in left if part.key not in keys]


def _without_copies(game: Game, unseen: Sequence[Part], parts: Sequence[Part]) -> list[Part]:
    """Unseen parts of which no copy was seen, each once: a definition has copies wherever it is used.

    Copies in the setup, which runs once, are kept apart from the others.
    """
    setup = {*nodes_within(game.setup)}

    def key(part: Part) -> object:
        return part.key, part.event[0] in setup

    copies, left = Counter(map(key, parts)), Counter(map(key, unseen))
    first = {key(part): part for part in reversed(unseen)}
    same = [part for one, part in first.items() if left[one] == copies[one]]
    return [*{part.key: part for part in same}.values()][::-1]


_GOALS = {Form.REACHABLE, Form.VALUE, Form.RECOVERABLE}
"""Claims of these forms look for winners, however rare."""


def _of_parts(
    parts: Sequence[Part], here: Sightings, plays: int, shown: frozenset[object]
) -> Iterator[Diagnostic]:
    """A doubt about each part that was never seen, or one about the common cause of several."""
    game, stuck = here.game, here.stuck == here.ended >= FEWEST
    asked = {PROPERTIES[claim.kind].form for claim in game.claims.values()}
    lost = any(part.kind == ACTION for part in parts)
    still = {part.name for part in parts if part.kind == MOVER}
    winners = [part for part in parts if part.kind == WINNER]
    dead = {part.clause for part in parts if part.kind in (ACTION, END, REACTION)}
    for part in parts:
        if part.kind in (BRANCH, CASE, LOOP, REQUIREMENT) and part.clause in dead:
            continue
        if part.kind == WINNER and (part.name in still or asked & _GOALS):
            continue
        if part.kind in (MOVER, WINNER) and lost:
            continue
        if part.kind == WINNER and len(winners) == game.players:
            if part is winners[0]:
                message = f"nobody ever won in {plays} random plays"
                yield doubt(WINNER, message, part.span, NEVER[WINNER][1], part.clause)
            continue
        message = NEVER[part.kind][0].format(part.name) + f", in {plays} random plays"
        if part.kind == END and stuck:
            message += f": they ended because nobody could act, one when {here.last_stuck}"
        if part.kind == END and not here.ended and here.plies >= MOST_PLIES:
            message += ": they went on and on"
        span, refusing = part.span, here.refusing.get(part.name, ())
        bound = part.action.requirements if part.kind == ACTION and part.action else ()
        for r in bound if len(refusing) == 1 else ():
            if ("refusal", f"{r.clause}.{r.id}") in refusing:
                message += f": `{r.clause}.{r.id}` always refused it"
                span = game.spans.get(r.condition, span)
        only = ("refused", part.event[1]) in shown and part.event[0] == "refusal"
        help = ONLY_IN_EXAMPLE if only else NEVER[part.kind][1]
        yield doubt(part.kind, message, span, help, part.clause)
