"""Random plays by the interpreter, and the events in them.

Seeds are fixed and the work is counted in steps, so the same ruleset always gets the same plays.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from functools import partial

from ..core.context import Env
from ..core.evaluate import evaluate
from ..core.game import Claim, Game
from ..core.meter import Meter, StepLimitExceeded
from ..core.nodes import StateVar
from ..core.notation import write
from ..core.types import Int, Map, Value
from ..play.blame import events_of
from ..play.chance import Chance
from ..play.explain import MOST_REASONS, Explainer
from ..play.legal import candidates
from ..play.machine import Machine, Ply
from ..play.position import STUCK, Fault, Move, Position
from ..play.wording import Wording
from .parts import LEAD

ENOUGH = 40
"""This many plays are enough if they have shown everything."""
NOTHING_WANTED: Set[object] = frozenset()
PLY = 500
"""The steps of a ply besides those that the interpreter counts."""
MOST_PLIES = 1_000
"""A play is abandoned after this many plies."""
MOST_LISTED = 100
"""Maximum number of legal actions of one position whose notations are compared."""
LOOKS = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89)
"""The plies of a play after which a position is examined closely."""
MOST_SAMPLES = 40
"""Maximum number of stored positions, from plays in turn."""
MOST_TRIED = 20
"""Maximum number of actions of each kind that are tried in a position, to see what refuses them."""
MOST_SHOWN = 6
"""Maximum number of actions of a play in a message."""


@dataclass
class Sightings:
    """The observations of the random plays of one game."""

    game: Game
    seen: set[object] = field(default_factory=set)
    """See `Machine.seen`."""
    begun: int = 0
    ended: int = 0
    plies: int = 0
    decided: int = 0
    """The plays that ended with a winner."""
    over_at_once: int = 0
    """The plays that were over after the setup."""
    stuck: int = 0
    """The plays that ended because nobody could act."""
    last_stuck: str = ""
    """The end of one of them, in words: who could not act, and the actions before."""
    faults: dict[str, tuple[Fault, str, int]] = field(default_factory=dict)
    """By place and type: a fault, a play that led to it, and the number of such plays."""
    namesakes: dict[str, tuple[Move, Move, str]] = field(default_factory=dict)
    """By action: two legal moves of one position with the same notation, and that notation."""
    refusing: dict[str, set[object]] = field(default_factory=dict)
    """By action: the events of the requirements that refused it whenever it was tried."""
    idle: dict[str, str] = field(default_factory=dict)
    """By action without chance: a play after which it left the position as it was."""
    kept: set[tuple[str, StateVar]] = field(default_factory=set)
    """The actions after which the next player acted, with the numbers that they left, not as at first."""
    broken: dict[str, tuple[str, str, Set[object]]] = field(default_factory=dict)
    """By the id of a claim: how a play refutes it, the last action (empty at the start) and its events."""
    samples: list[Position] = field(default_factory=list)
    finals: list[Position] = field(default_factory=list)


class Plays:
    """Plays one game at random."""

    def __init__(self, game: Game, meter: Meter, *, checks_claims: bool = True) -> None:
        self.found = Sightings(game)
        self._meter, self._seed = meter, ""
        self._machine = Machine(game, meter, self.found.seen)
        self._wording = Wording(self._machine)
        variables = self._machine.variables
        self._mover, self._first = variables.index(game.mover), self._machine.initial().values
        self._numbers = [(place, var) for place, var in enumerate(variables) if isinstance(var.type, Int)]
        claims = game.claims.values() if checks_claims else ()
        self._claims = [c for c in claims if c.condition is not None and c.kind in REFUTATIONS]

    def run(self, plays: int, wanted: Set[object] = NOTHING_WANTED) -> Sightings:
        """Play `plays` times, or until the steps of the meter are spent.

        With `wanted` events, fewer plays suffice once all have been seen.
        """
        try:
            for number in range(plays):
                if number >= ENOUGH and wanted and self.found.seen >= wanted:
                    break
                self._play(number)
        except StepLimitExceeded:
            pass
        return self.found

    def _play(self, number: int) -> None:
        found, machine = self.found, self._machine
        self._seed = seed = f"notice {number}"
        rng, chance = random.Random(seed), Chance(seed)
        last: Callable[[], Ply] = partial(machine.start, chance)
        position, action = last().position, ""
        found.begun += 1
        found.over_at_once += position.ended is not None
        moves: list[str] = []
        measures: dict[str, int] = {}
        while True:
            self._look(position, moves, action, last, measures, closely=len(moves) in LOOKS)
            if position.is_over or len(moves) == MOST_PLIES:
                break
            self._meter.spend(PLY)
            move = machine.draw(position, rng)
            action = move.action
            moves.append(self._wording.write(move, machine.situation(position)))
            last = partial(machine.play, position, move, chance)
            before, position = position, last().position
            if position.values == before.values and position.draws == before.draws and not position.is_over:
                found.idle.setdefault(move.action, self._in_words(moves, position))
            if before.values[self._mover] != position.values[self._mover]:
                for place, var in self._numbers:
                    value = position.values[place]
                    if value == before.values[place] and value != self._first[place]:
                        found.kept.add((move.action, var))
            found.plies += 1
        if position.fault is not None:
            self._note_fault(position.fault, moves, position)
        elif position.ended is not None:
            found.ended += 1
            found.finals.append(position)
            found.decided += bool(machine.winners(position))
            if len({*machine.scores(position).values()}) > 1:
                found.seen.add((LEAD, ""))
            if position.ended == STUCK:
                found.stuck += 1
                mover = position.values[machine.variables.index(machine.game.mover)]
                player = write(machine.game.player, mover)
                found.last_stuck = f"player {player} could not act {self._in_words(moves, position)}"

    def _in_words(self, moves: list[str], position: Position) -> str:
        """The last actions of a play in words; with all of them, the seed of its chance, for an example."""
        shown = "; ".join(f"`{text}`" for text in moves[-MOST_SHOWN:])
        if len(moves) > MOST_SHOWN:
            return f"after {len(moves)} actions, ending with {shown}"
        seed = f", with `seed: {self._seed}`" if position.draws else ""
        return f"after {shown}{seed}" if moves else f"at the start{seed}"

    def _note_fault(self, fault: Fault, moves: list[str], position: Position) -> None:
        """Record a fault, with the first play that led to it and a count."""
        key = f"{fault.place.partition('[')[0]} {fault.span}"
        first, play, count = self.found.faults.get(key, (fault, self._in_words(moves, position), 0))
        self.found.faults[key] = first, play, count + 1

    def _look(
        self,
        position: Position,
        moves: list[str],
        action: str,
        last: Callable[[], Ply],
        measures: dict[str, int],
        *,
        closely: bool,
    ) -> None:
        found, machine = self.found, self._machine
        if position.fault is not None:
            return
        for claim in self._claims:
            if claim.id not in found.broken:
                words = REFUTATIONS[claim.kind](machine, claim, position, measures)
                if words:
                    told = f"{words} {self._in_words(moves, position)}{self._deciding(claim, position)}"
                    found.broken[claim.id] = told, action, events_of(machine, last)
        if not closely:
            return
        if len(found.samples) < MOST_SAMPLES:
            found.samples.append(position)
        if not position.is_over:
            self._compare_notations(position)
            self._try_refusals(position)

    def _deciding(self, claim: Claim, position: Position) -> str:
        """The parts of a condition that refute a claim, with their values, as the end of a sentence."""
        if claim.kind not in ("invariant", "unreachable"):
            return ""
        condition = claim.always if claim.kind == "invariant" else claim.condition
        assert condition is not None
        explainer = Explainer(self._machine.game, self._machine.situation(position))
        reasons = [*map(str, explainer.reasons(condition, {}))][:MOST_REASONS]
        return f": {'; '.join(reasons)}"

    def _try_refusals(self, position: Position) -> None:
        """Record the requirements that alone refuse some action, for a few random actions."""
        rng = random.Random(self.found.plies)
        situation = self._machine.situation(position)
        for action in self._machine.game.actions.values():
            own = [(r, ("refusal", f"{r.clause}.{r.id}")) for r in action.requirements]
            first: tuple[Value, ...] | None = None
            for _ in range(MOST_TRIED if any(event not in self.found.seen for _, event in own) else 0):
                env: Env = {}
                for choice in action.choices:
                    there = first if not env and first is not None else candidates(choice, env, situation)
                    first = there if not env else first
                    if not there:
                        break
                    env[choice.var] = rng.choice(there)
                    if choice.where is not None and not evaluate(choice.where, env, situation):
                        break
                else:
                    situation.spend_on(1, *(r.condition for r, _ in own))
                    broken = [event for r, event in own if not evaluate(r.condition, env, situation)]
                    self.found.seen.update(broken if len(broken) == 1 else ())
                    self.found.refusing.setdefault(action.id, {*broken}).intersection_update(broken)

    def _compare_notations(self, position: Position) -> None:
        """Record legal moves with the same notation."""
        situation, by_text = self._machine.situation(position), dict[str, Move]()
        for move, _ in zip(self._machine.moves(position), range(MOST_LISTED), strict=False):
            text = self._wording.write(move, situation)
            self.found.seen.add(("action", move.action))
            other = by_text.setdefault(text, move)
            if other != move:
                self.found.namesakes.setdefault(move.action, (other, move, text))


MOST_ENTRIES = 40
"""Maximum number of entries of a variable that are compared."""


def unchanged_entries(found: Sightings) -> Iterator[tuple[StateVar, str]]:
    """The maps whose entries begin equal and of which all but one change, with the name of that one."""
    positions = [*found.samples, *found.finals]
    for place, var in enumerate(found.game.state.values() if found.ended >= ENOUGH else ()):
        of = var.type
        if isinstance(of, Map) and of.keys != found.game.player and 4 <= len(of.keys.values) <= MOST_ENTRIES:
            columns = [*zip(*(position.values[place] for position in positions), strict=True)]
            same = [key for key, column in zip(of.keys.values, columns, strict=True) if len({*column}) == 1]
            if len(same) == 1 and len({column[0] for column in columns}) == 1:
                yield var, f"{var.name}[{write(of.keys, same[0])}]"


# ---- what plays refute of claims


def _invariant(machine: Machine, claim: Claim, position: Position, measures: dict[str, int]) -> str:
    return "" if machine.holds(claim.always, machine.situation(position)) else "it fails"


def _unreachable(machine: Machine, claim: Claim, position: Position, measures: dict[str, int]) -> str:
    assert claim.condition is not None
    return "it is reached" if machine.holds(claim.condition, machine.situation(position)) else ""


def _compare(
    machine: Machine, claim: Claim, position: Position, measures: dict[str, int], *, falls: bool
) -> str:
    """Words for a claim about falling numbers that the last ply broke, else empty; records the number."""
    assert claim.condition is not None
    if not isinstance(claim.condition.type, Int):
        return ""
    now = evaluate(claim.condition, {}, machine.situation(position))
    before = measures.get(claim.id)
    if now is None:
        return ""
    measures[claim.id] = now
    if falls and now < 0:
        return f"the measure, which is never to be negative, is {now}"
    if before is None or (now < before) == falls:
        return ""
    if falls and now == before:
        return f"the measure stays {now}"
    return f"{'the measure rises' if falls else 'it falls'} from {before} to {now}"


_Check = Callable[[Machine, Claim, Position, dict[str, int]], str]
REFUTATIONS: dict[str, _Check] = {
    "invariant": _invariant,
    "unreachable": _unreachable,
    "terminates": partial(_compare, falls=True),
    "never_falls": partial(_compare, falls=False),
}
"""By kind of claim: words for how a position of a play refutes it, empty if it does not."""
