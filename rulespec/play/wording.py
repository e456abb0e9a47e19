"""Actions as people write them, and back.

The notation of an action is its `written` template filled in. Typed text is matched against the templates:
holes that are plain choices are read in their type's notation, the others are found by trial. Case and
spacing are ignored if that leaves one meaning. Every action can also be written as `name(first, second)`,
whatever its template leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, product

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.evaluate import evaluate
from ..core.game import Action, Game
from ..core.notation import elements, read, split, write
from ..core.traversal import reads_state
from ..core.types import Enum, Int, List, Rows, Scalar, Set, Type, Value, holds
from .effects import Situation
from .machine import Likely, Machine, nothing_likely
from .position import Move

MOST_TRIED = 20_000
"""Maximum number of combinations tried for the choices that a template leaves open, for one text."""
MOST_STEPS = 200_000
"""Maximum number of positions, cuts and combinations tried for one text in total."""
FEWEST = 10
"""The steps of matching a text against a template that fails at once."""
LONGEST = 10_000
"""Maximum length of a text that is read as the notation of an action."""

Bound = dict[n.Var, Value]
Captured = tuple[tuple[n.Expr, str], ...]
Part = re.Pattern[str] | n.Var | n.Expr
Parts = tuple[Part, ...]


class TooManyReadings(Exception):
    """Raised for a text with too many possible readings."""


@dataclass(frozen=True, eq=False, slots=True)
class Template:
    """A `written` template: fixed text as a pattern, plain choices as variables, the rest as expressions."""

    action: Action
    parts: Parts


def write_action(action: Action, env: Env, ctx: Context) -> str:
    """The notation of an action with its choices bound, with single spaces."""
    return _fill(action.written, env, ctx)


def _fill(template: Iterable[str | n.Expr], env: Env, ctx: Context) -> str:
    return _tidy("".join(p if isinstance(p, str) else write(p.type, evaluate(p, env, ctx)) for p in template))


def seat_names(game: Game) -> list[str]:
    """The name of each player: as declared, else the notation as a word, else `Player 1`."""
    player = game.player
    words = [write(player, seat) for seat in player.values]
    is_named = isinstance(player, Enum)
    return [*game.presentation.seats] or [w[:1].upper() + w[1:] if is_named else f"Player {w}" for w in words]


def counters(game: Game, ctx: Context) -> list[str]:
    """The texts that are always in view in the state of `ctx`: `Yellow: 3 points`, `9 cards in the pile`."""
    names, found = seat_names(game), []
    for counter in game.counters:
        if counter.player is None:
            found.append(_fill(counter.parts, {}, ctx))
        else:
            each = zip(names, game.player.values, strict=True)
            found += [f"{name}: {_fill(counter.parts, {counter.player: v}, ctx)}" for name, v in each]
    return found


def tie_breakers(game: Game, ctx: Context) -> list[str]:
    """Sentences about the tie-breaks between equal scores in the final state of `ctx`."""
    outcome, names = game.outcome, seat_names(game)
    if outcome.winners is not None or outcome.score is None or not outcome.ties:
        return []
    left, found = [*zip(names, game.player.values, strict=True)], list[str]()
    for (most, wish), text in zip(
        [(True, outcome.score), *outcome.ties], ["", *outcome.tie_texts], strict=True
    ):
        numbers = [evaluate(wish, {outcome.player: player}, ctx) or 0 for _, player in left]
        best = max(numbers) if most else min(numbers)
        if text and {*numbers} != {best}:
            listed = ", ".join(
                f"{name} has {number}" for (name, _), number in zip(left, numbers, strict=True)
            )
            found.append(f"{text.rstrip('.')}: {listed}.")
        left = [seat for seat, number in zip(left, numbers, strict=True) if number == best]
    if found:
        found.insert(0, "The scores are equal, so the tie-break decides.")
    return [*found, "Their scores and tie-breaks are equal."] if len(left) > 1 else found


class Wording:
    """Writes and reads the moves of one game."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._templates = [_template(action) for action in machine.game.actions.values()]

    @property
    def game(self) -> Game:
        """The game of the moves."""
        return self._machine.game

    @cached_property
    def is_fixed(self) -> bool:
        """True if a move has the same notation in all states."""
        parts = (part for action in self.game.actions.values() for part in action.written)
        return not any(isinstance(part, n.Expression) and reads_state(part) for part in parts)

    def write(self, move: Move, ctx: Context) -> str:
        """The notation of a move, with single spaces."""
        return write_action(self._machine.game.actions[move.action], self._machine.bind(move), ctx)

    def sentence(self, move: Move, ctx: Context, observed: str = "", *, is_open: bool = True) -> str:
        """A sentence about a move that the mover of `ctx` makes, `Yellow lays the 2-4.`

        If the ruleset has no sentence for the action, or the reader may not see the move, it is the player's
        name with the notation, or the notation as `observed`: `Yellow: 2-4.` The only player of a game is not
        named: `Lays the 2-4.` For a simultaneous choice that is still secret: `Yellow has chosen.`
        """
        game = self.game
        template = game.presentation.sentences.get(move.action) if is_open else None
        told = _fill(template, self._machine.bind(move), ctx) if template is not None else ""
        if not is_open and game.stage_of(move.action) is not None:
            told = "has chosen"
        text = told or observed or self.write(move, ctx)
        if len(game.player.values) == 1:
            return f"{told[:1].upper()}{told[1:] or text}."
        name = seat_names(game)[[*game.player.values].index(ctx.state[game.mover])]
        return f"{name}{'' if told else ':'} {text}."

    def full(self, move: Move) -> str:
        """The move as `name(first, second)`, which is complete."""
        choices = self._machine.game.actions[move.action].choices
        args = [write(c.var.type, v) for c, v in zip(choices, move.args, strict=True)]
        return f"{move.action}({', '.join(args)})" if args else move.action

    def readings(self, text: str, ctx: Context) -> list[Move]:
        """The moves that a text may denote; only those with exactly this notation if there are any.

        Raises TooManyReadings if more than `MOST_STEPS` would be tried.
        """
        tidy = _tidy(text)
        found: dict[Move, None] = dict.fromkeys(self._full_readings(tidy))
        whole = [move for move in found if tidy == self.full(move)]
        if len(tidy) > LONGEST:
            return whole
        allowed = MOST_STEPS

        def work(steps: int) -> None:
            nonlocal allowed
            allowed -= steps
            ctx.spend(steps)
            if allowed < 0:
                raise TooManyReadings

        try:
            for template in self._templates:
                work(FEWEST)
                for bound, captured in _Matcher(template.parts, tidy, work).matches():
                    found.update(dict.fromkeys(self._complete(template, bound, captured, ctx, work)))
            exact = [move for move in found if tidy in (self.write(move, ctx), self.full(move))]
        except TooManyReadings:
            if not whole:
                raise
            return whole
        return exact or list(found)

    def likely(self, text: str) -> Likely:
        """The moves that a text may denote in a position, for `Machine.play`; empty for an empty text."""

        def read(situation: Situation) -> list[Move]:
            try:
                return self.readings(text, situation)
            except TooManyReadings:
                return []

        return read if text else nothing_likely

    def _full_readings(self, text: str) -> Iterator[Move]:
        """Yield the actions that a text names in full, as `name(choice, …)`."""
        name, bracket, rest = text.partition("(")
        action = self._machine.game.actions.get(name.strip())
        if action is None or (bracket and not rest.endswith(")")):
            return
        args = split(rest[:-1]) if bracket else []
        if len(args) != len(action.choices):
            return
        values = [_any_case(c.var.type, arg) for c, arg in zip(action.choices, args, strict=True)]
        for combination in product(*values):
            yield Move(action.id, combination)

    def _complete(
        self, template: Template, bound: Bound, captured: Captured, ctx: Context, work: Callable[[int], None]
    ) -> Iterator[Move]:
        """Yield the moves that agree with the choices and computed texts in a match."""
        for move in self._fillings(template.action, bound, ctx):
            work(1)
            env = self._machine.bind(move)
            if all(_alike(write(e.type, evaluate(e, env, ctx)), said) for e, said in captured):
                yield move

    def _fillings(self, action: Action, bound: Bound, ctx: Context) -> Iterator[Move]:
        """Moves that agree with `bound`: all of them if there are few, else the legal ones."""
        domains: list[tuple[Value, ...]] = []
        size = 1
        for choice in action.choices:
            t = choice.var.type
            if choice.var in bound:
                domains.append((bound[choice.var],))
            elif isinstance(t, Scalar) and (size := size * len(t.values)) <= MOST_TRIED:
                domains.append(tuple(t.values))
            else:
                break
        else:
            yield from (Move(action.id, args) for args in product(*domains))
            return
        for args in self._machine.listing(action.id, ctx).all():
            if all(bound.get(c.var, v) == v for c, v in zip(action.choices, args, strict=True)):
                yield Move(action.id, args)


def _template(action: Action) -> Template:
    """The parts of an action's notation: literal texts, choices and computed values."""
    choices = {choice.var for choice in action.choices}
    parts: list[Part] = []
    for part in action.written:
        if isinstance(part, str):
            parts.append(_literal(part))
        elif isinstance(part, n.Local) and part.var in choices:
            parts.append(part.var)
        else:
            parts.append(part)
    return Template(action, tuple(parts))


def _literal(text: str) -> re.Pattern[str]:
    pieces = re.split(r"(\s+)", text)
    return re.compile("".join(r"\s*" if p.isspace() else re.escape(p) for p in pieces), re.IGNORECASE)


class _Matcher:
    """All ways to cut a text into the parts of a template.

    For each part and position, the possible ends and the existence of a continuation are computed once, so
    a text that fits in no way is refused in polynomial time.
    """

    def __init__(self, parts: Parts, text: str, work: Callable[[int], None]) -> None:
        self._parts, self._text, self._work = parts, text, work
        self._ends_at: dict[tuple[int, int], list[tuple[int, tuple[Value, ...]]]] = {}
        self._fits_at: dict[tuple[int, int], bool] = {}

    def matches(self) -> Iterator[tuple[Bound, Captured]]:
        """For each match, the values of plain choices and the texts of the other holes."""
        return self._cut(0, 0, {}, ())

    def _cut(self, k: int, at: int, bound: Bound, captured: Captured) -> Iterator[tuple[Bound, Captured]]:
        """Yield the ways to match the text from position `at` with the parts from `k` on."""
        if not self._fits(k, at):
            return
        if k == len(self._parts):
            yield bound, captured
            return
        part = self._parts[k]
        for end, values in self._ends(k, at):
            self._work(1)
            if isinstance(part, re.Pattern):
                yield from self._cut(k + 1, end, bound, captured)
            elif isinstance(part, n.Expression):
                yield from self._cut(k + 1, end, bound, (*captured, (part, self._text[at:end])))
            else:
                for value in values:
                    if bound.get(part, value) == value:
                        yield from self._cut(k + 1, end, {**bound, part: value}, captured)

    def _fits(self, k: int, at: int) -> bool:
        """True if the parts from `k` on match the text from `at` on; a repeated choice may differ."""
        if k == len(self._parts):
            return not self._text[at:].strip()
        if (k, at) not in self._fits_at:
            self._fits_at[k, at] = any(self._fits(k + 1, end) for end, _ in self._ends(k, at))
        return self._fits_at[k, at]

    def _ends(self, k: int, at: int) -> list[tuple[int, tuple[Value, ...]]]:
        """The possible ends of part `k` if it begins at `at`, farthest first, with the values of a choice."""
        if (k, at) not in self._ends_at:
            self._ends_at[k, at] = [*self._ends_of(self._parts[k], at)]
        return self._ends_at[k, at]

    def _ends_of(self, part: Part, at: int) -> Iterator[tuple[int, tuple[Value, ...]]]:
        """Yield the places where a part that begins at `at` may end, with the values it may stand for."""
        text = self._text
        if isinstance(part, re.Pattern):
            found = part.match(text, at)
            if found:
                yield found.end(), ()
            return
        farthest = len(text) if isinstance(part, n.Expression) else min(len(text), at + _longest(part.type))
        self._work(farthest - at + 1)
        for end in range(farthest, at - 1, -1):
            if isinstance(part, n.Expression):
                yield end, ()
            elif text[end - 1 : end] != " " or end == at:
                values = tuple(_any_case(part.type, text[at:end].lstrip()))
                if values:
                    yield end, values


def _longest(t: Type) -> int:
    """The greatest length of a value's text without double spaces; `LONGEST` for a list."""
    if not isinstance(t, Scalar):
        return LONGEST
    if isinstance(t, Int) and not t.letters:
        return 2 * max(len(str(t.lo)), len(str(t.hi))) + 2
    return 2 * max(map(len, _loose_table(t))) + 2


def _any_case(t: Type, text: str) -> list[Value]:
    """The values that a text denotes: exactly, or else ignoring case and spacing."""
    if isinstance(t, List):
        words = elements(t, text)
        if t.of is None or words is None:
            return []
        items = [_any_case(t.of, word) for word in words]
        found = [value for value in islice(product(*items), MOST_TRIED) if holds(t, value)]
        return [tuple(sorted(value)) for value in found] if t.ascending else [*found]
    if not isinstance(t, Scalar):
        return []
    value = read(t, text)
    if value is not None:
        return [value]
    if isinstance(t, Int) and not t.letters:
        value = read(t, _squeeze(text))
        return [] if value is None else [value]
    found = _loose_table(t).get(_squeeze(text), [])
    return _sets(t, t.of.of, text) if not found and isinstance(t, Rows) and isinstance(t.of, Set) else found


def _sets(t: Rows, of: Scalar | None, text: str) -> list[Value]:
    """The sets whose elements a text has in any order."""
    if of is None or not (t.joint or (text[:1], text[-1:]) == ("{", "}")):
        return []
    words = elements(List(of, 0, t.joint), text if t.joint else f"[{text[1:-1]}]") or []
    items = [_any_case(of, word) for word in words]
    found = [frozenset(value) for value in islice(product(*items), MOST_TRIED)]
    return [t.by_row[value] for value in found if value in t.by_row and len(value) == len(words)]


@lru_cache(maxsize=256)
def _table(key: int, t: Scalar) -> dict[str, list[Value]]:
    """The values of each notation of a type, blanks and case left out."""
    words: dict[str, list[Value]] = {}
    for value in t.values:
        names = {write(t, value), t.members[value]} if isinstance(t, Enum) else {write(t, value)}
        for name in {_squeeze(name) for name in names}:
            words.setdefault(name, []).append(value)
    return words


def _loose_table(t: Scalar) -> dict[str, list[Value]]:
    return _table(id(t), t)


def _alike(a: str, b: str) -> bool:
    return _squeeze(a) == _squeeze(b)


def _squeeze(text: str) -> str:
    """The text in lower case, with spaces only between words or numbers."""
    return re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", text.casefold().strip())


def _tidy(text: str) -> str:
    return " ".join(text.split())
