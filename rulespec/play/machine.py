"""The reference machine: positions, legal moves and plies of one game.

One ply, in the words of `core.game`: the effect of a legal action, reactions, ends, and unless the turn goes
on the next mover, who begins a turn; then, if the mover has no legal action, `stuck`. With `pass` the next
player begins a turn, until one can act; if all players have passed in vain the game is over, and the mover is
the last of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..budgets import watchdog
from ..core import nodes as n
from ..core.context import Context, Env
from ..core.evaluate import evaluate
from ..core.game import Game
from ..core.meter import Meter
from ..core.traversal import FreeVariables
from ..core.types import Set, Value
from .chance import Chance
from .effects import FaultFound, Run, Situation
from .legal import LISTED, Listing, cost, plan
from .position import STUCK, Move, Position


class Ply(NamedTuple):
    """The result of a ply: the position after it and the chance outcomes in it, in notation."""

    position: Position
    outcomes: tuple[str, ...]


QUICK = 1_000
"""Actions of a lower cost are listed in less time than reading a text takes."""

Likely = Callable[[Situation], Iterable[Move]]
"""Gives moves that are likely to be legal in a position, which saves listing moves if one is."""


def nothing_likely(situation: Situation) -> Iterable[Move]:
    """No move."""
    return ()


class Machine:
    """Runs a game. Between calls it keeps only tables derived from the rules."""

    def __init__(self, game: Game, meter: Meter | None = None, seen: set[object] | None = None) -> None:
        """The machine of a game; with a `meter` it spends steps and may raise StepLimitExceeded.

        `seen` collects events: branches and disjuncts (see `Context.seen`), and pairs of a kind and a name:
        actions, reactions and ends by their ids, movers and winners.
        """
        self.game = game
        self.meter = meter
        self.seen = seen
        self.variables = tuple(game.state.values())
        self.free = FreeVariables()
        known: dict[n.Function, int] = {}
        self._plans = {action.id: plan(action, self.free, known) for action in game.actions.values()}
        costs = {action: cost(listed) for action, listed in self._plans.items()}
        ascending = sorted(costs, key=lambda action: costs[action])
        quick = [action for action in ascending if costs[action] < QUICK]
        self._by_cost = quick, ascending[len(quick) :]
        self._over = game.state["over"]

    # ---- positions

    def initial(self) -> Position:
        """The position before the setup, with each variable at its declared value."""
        self.ask("the setup")
        empty = self.situation_of({})
        empty.spend_on(1, *(var.initial for var in self.variables))
        return Position(tuple(evaluate(var.initial, {}, empty) for var in self.variables))

    def start(self, chance: Chance) -> Ply:
        """The position after the setup, and the chance outcomes in it."""

        def setup(run: Run) -> str | None:
            run.situation.spend_on(1, self.game.setup)
            run.perform(self.game.setup, {})
            return self._settle(run, lambda: self._begin(run))

        return self._ply(self.initial(), chance, setup, "the setup")

    def settle(self, position: Position, chance: Chance, likely: Likely = nothing_likely) -> Ply:
        """The ply for a position set up by hand: ends and `stuck` are tested, but no turn begins."""

        def steps(run: Run) -> str | None:
            return self._settle(run, lambda: None, likely)

        return self._ply(position, chance, steps, "a given position")

    def play(self, position: Position, move: Move, chance: Chance, likely: Likely = nothing_likely) -> Ply:
        """The position after a ply. The move must be legal (not checked here)."""

        def act(run: Run) -> str | None:
            action = self.game.actions[move.action]
            self._note("action", move.action)
            run.situation.spend_on(1, action.effect)
            run.perform(action.effect, self.bind(move))
            for reaction in self.game.reactions:
                run.situation.spend_on(1, reaction.effect)
                happens = self.holds(reaction.condition, run.situation)
                self._note("reaction" if happens else "no reaction", reaction.id)
                if happens:
                    run.perform(reaction.effect, {})
            return self._settle(run, lambda: self._turn(run), likely)

        return self._ply(position, chance, act, f"one ply, by `{move.action}`,")

    def _ply(
        self, before: Position, chance: Chance, steps: Callable[[Run], str | None], question: str
    ) -> Ply:
        """Run the steps of a ply on a copy of a position; the ply ends early at a fault."""
        if self.meter is not None:
            self.meter.spend(len(self.variables))
        situation = self.situation(before)
        self.ask(question)
        run = Run(situation, chance, before.draws, self.game.spans.get)
        try:
            ended = steps(run)
        except FaultFound as found:
            return Ply(Position(before.values, run.draws, None, found.fault), tuple(run.outcomes))
        values = tuple(run.situation.values[var] for var in self.variables)
        return Ply(Position(values, run.draws, ended), tuple(run.outcomes))

    def _settle(self, run: Run, turn: Callable[[], None], likely: Likely = nothing_likely) -> str | None:
        """Test the ends, change the turn, look for a legal action; returns how play ended, or None."""
        ended = self.end_reached(run.situation)
        if ended is None:
            turn()
            ended = self._stuck(run, likely)
        if ended is not None:
            self._note("end", ended)
            run.store(self._over, True)
        else:
            self._note("mover", run.situation.values[self.game.mover])
        return ended

    def _note(self, kind: str, name: object) -> None:
        """Record an event, if `seen` is given."""
        if self.seen is not None:
            self.seen.add((kind, name))

    def _turn(self, run: Run) -> None:
        if self.holds(self.game.turn.over, run.situation):
            self._next(run)

    def _next(self, run: Run) -> None:
        run.store(self.game.mover, evaluate(self.game.turn.next, {}, run.situation))
        self._begin(run)

    def _begin(self, run: Run) -> None:
        run.situation.spend_on(1, self.game.turn.begin)
        run.perform(self.game.turn.begin, {})

    def _stuck(self, run: Run, likely: Likely) -> str | None:
        """Pass the turn until somebody can act; STUCK if nobody can, or a stuck player ends the game."""
        asked = 1
        while not self.can_act(run.situation, likely):
            if self.game.turn.stuck == "end" or asked == self.game.players:
                return STUCK
            self._next(run)
            asked += 1
        return None

    # ---- questions about a position

    def situation(self, position: Position) -> Situation:
        """The context in which expressions are evaluated in a position."""
        self.ask("a question about one position")
        return self.situation_of(dict(zip(self.variables, position.values, strict=True)))

    def ask(self, question: str) -> None:
        """Note the beginning of a question in words, for the meter and the watchdog."""
        watchdog.step()
        if self.meter is not None:
            self.meter.ask(question)

    def situation_of(self, values: dict[n.StateVar, Value]) -> Situation:
        """The context of a state given by its variables."""

        def can(action: str, args: tuple[Value, ...]) -> bool:
            key = (action, args)
            if key not in made.answers:
                made.answers[key] = any(True for _ in self.listing(action, made).all(args))
            return made.answers[key]

        made = Situation(values, can, self.meter, self.situation_of)
        made.seen = self.seen
        return made

    def end_reached(self, situation: Situation) -> str | None:
        """The first end whose condition holds."""
        for number, end in enumerate(self.game.ends):
            if self.holds(end.condition, situation):
                self._note("end-number", number)
                return end.id
        return None

    def holds(self, condition: n.Expr, situation: Situation) -> bool:
        """True if a condition without free locals holds."""
        situation.spend_on(1, condition)
        return bool(evaluate(condition, {}, situation))

    def can_act(self, situation: Situation, likely: Likely = nothing_likely) -> bool:
        """True if the mover has a legal action; cheaply listed actions are tried first."""
        quick, others = self._by_cost
        return (
            any(situation.can(action, ()) for action in quick)
            or any(situation.can(*move) for move in likely(situation))
            or any(situation.can(action, ()) for action in others)
        )

    def moves(self, position: Position) -> Iterator[Move]:
        """The legal moves: in the order of the actions, then of their choices' values."""
        if position.is_over:
            return
        situation = self.situation(position)
        self.ask("the list of the legal actions of one position")
        for action in self.game.actions:
            for args in self.listing(action, situation).all():
                situation.spend(LISTED + len(args))
                yield Move(action, args)

    def draw(self, position: Position, rng: random.Random) -> Move:
        """A random legal move, drawn without listing all; see `Listing.draw`. Raises LookupError without
        any."""
        situation = self.situation(position)
        for action in rng.sample([*self.game.actions], len(self.game.actions)):
            args = None if position.is_over else self.listing(action, situation).draw(rng)
            if args is not None:
                return Move(action, args)
        raise LookupError("no move is legal")

    def listing(self, action: str, ctx: Context) -> Listing:
        """A listing of the legal arguments of an action in a state."""
        return Listing(self._plans[action], ctx)

    def is_legal(self, position: Position, move: Move) -> bool:
        """True if a move is legal in a position."""
        return not position.is_over and self.situation(position).can(*move)

    def bind(self, move: Move) -> Env:
        """The choices of a move by variable."""
        choices = self.game.actions[move.action].choices
        return dict(zip((choice.var for choice in choices), move.args, strict=True))

    # ---- how a play is judged

    def scores(self, position: Position) -> dict[Value, int]:
        """Each player's score in the position; empty for a game without scores."""
        outcome, situation = self.game.outcome, self.situation(position)
        if outcome.score is None:
            return {}
        players = self.game.player.values
        situation.spend_on(len(players), outcome.score)
        return {p: evaluate(outcome.score, {outcome.player: p}, situation) or 0 for p in players}

    def winners(self, position: Position) -> tuple[Value, ...]:
        """The winners, ascending; empty during a play and after a fault."""
        won = self._winners(position)
        for player in won:
            self._note("winner", player)
        return won

    def _winners(self, position: Position) -> tuple[Value, ...]:
        """The winners of a finished play, ties broken by the rules."""
        outcome, situation = self.game.outcome, self.situation(position)
        if position.ended is None:
            return ()
        players = self.game.player.values
        winners = () if outcome.winners is None else (outcome.winners,)
        judged = (*winners, *(wish for _, wish in outcome.ties))
        situation.spend_on(len(players), *judged)
        if outcome.winners is not None and isinstance(outcome.winners.type, Set):
            return tuple(sorted(evaluate(outcome.winners, {}, situation)))
        if outcome.winners is not None:
            return tuple(p for p in players if evaluate(outcome.winners, {outcome.player: p}, situation))
        scores = self.scores(position)
        if not scores:
            return ()
        ranks = {p: (scores[p], *self._ties(p, situation)) for p in players}
        return tuple(p for p in players if ranks[p] == max(ranks.values()))

    def _ties(self, player: Value, situation: Situation) -> Iterator[int]:
        """Yield a player's numbers that break ties; more is better."""
        for most, value in self.game.outcome.ties:
            found = evaluate(value, {self.game.outcome.player: player}, situation) or 0
            yield found if most else -found

    def titles(self, position: Position) -> Mapping[Value, str]:
        """The first title of each player whose condition holds."""
        outcome, situation = self.game.outcome, self.situation(position)
        found: dict[Value, str] = {}
        for player in self.game.player.values:
            for condition, title in outcome.titles:
                if player not in found and evaluate(condition, {outcome.player: player}, situation):
                    found[player] = title
        return found


class LazySituation(Context):
    """The context of a state that creates a machine only if legal actions, or a condition after one, are
    needed."""

    __slots__ = ("_game", "_made")

    def __init__(self, game: Game, values: Mapping[n.StateVar, Value], meter: Meter | None = None) -> None:
        super().__init__(values, self._can, meter)
        self._game = game
        self._made: Situation | None = None

    @property
    def _situation(self) -> Situation:
        if self._made is None:
            self._made = Machine(self._game, self.meter).situation_of(dict(self.state))
        return self._made

    def _can(self, action: str, args: tuple[Value, ...]) -> bool:
        return self._situation.can(action, args)

    def after(self, effect: n.Effect, env: Env) -> Context:
        """The context in the state after an effect."""
        return self._situation.after(effect, env)
