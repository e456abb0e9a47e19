"""A play in progress, and the knowledge of each seat about it. A table itself knows everything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from ..code import Runner, TooLarge, write
from ..code.execution.tree_search import TreeSearch
from ..core.types import Value
from ..play.face import Game, State
from ..play.observation import ObservedMove, SeatView
from ..play.position import Move, Position
from ..play.wording import Wording
from .comparing import Comparing
from .rules import Quick, Rules


@dataclass(frozen=True)
class View:
    """The knowledge of a seat that is to act: the rules, its observations, and its legal actions.

    `seen` are its sights of every position of the play, the present one last; `observed` its observations of
    the moves between them (its own ones in full). `position` is the position itself, given only in a game in
    which nothing is hidden from anybody. `dealt` means that the play began with the setup, and not with a
    position set up by hand.
    """

    rules: Rules
    tree: Callable[[], TreeSearch | None]
    """The tree search of the game; None if the game has no code."""
    comparing: Comparing
    seat: Value
    moves: tuple[Move, ...]
    seen: tuple[SeatView, ...]
    observed: tuple[ObservedMove, ...]
    dealt: bool
    position: Position | None

    @property
    def is_at_once(self) -> bool:
        """True if others choose at the same time."""
        game = self.rules.machine.game
        return any(game.stage_of(move.action) is not None for move in self.moves)


class Player(Protocol):
    """Chooses an action from the view of a seat, which has at least one move."""

    def choose(self, view: View) -> Move:
        """One of the moves of the view."""
        ...


class Hall:
    """The rules of one game, shared by its tables and players."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.why = ""
        """The reason why the machine does not search, as a clause; empty if it does."""
        hides = any(var.hidden for var in game.core.state.values())
        self.rules = Rules(game.core, Quick(game.core, self._runner) if hides else game.machine)
        self.comparing = Comparing(game.core)

    @cached_property
    def tree(self) -> TreeSearch | None:
        """The tree search of the game; None if the game has no code."""
        return None if self._runner is None else TreeSearch(self._runner)

    @cached_property
    def _runner(self) -> Runner | None:
        """A runner of the game's code; None if the game has none."""
        try:
            return Runner(write(self._game.core))
        except TooLarge as error:
            self.why = str(error)
            return None


class Table:
    """A play: its states so far, each reached from the one before by its last action.

    `states` are those from the first on; a state in the middle of a play brings its history. Tables of one
    game may share a hall.
    """

    def __init__(self, states: list[State], hall: Hall | None = None) -> None:
        self.states = states
        self.hall = hall or Hall(states[0].game)
        self._seen: dict[tuple[int, Value], tuple[State, SeatView]] = {}

    @property
    def state(self) -> State:
        """The present state."""
        return self.states[-1]

    def play(self, move: Move) -> None:
        """Make a move. Raises IllegalAction."""
        self.states.append(self.state.play(move))

    def take_back(self) -> None:
        """Undo the last action; there must be one."""
        self.states.pop()

    def view(self, seat: Value | None = None) -> View:
        """The view of a seat, by default of the player to move."""
        state, rules = self.state, self.hall.rules
        seat = state.values["mover"] if seat is None else seat
        plies = range(len(self.states))
        hides = rules.hides
        return View(
            rules, lambda: self.hall.tree, self.hall.comparing, seat, state.moves,
            tuple(self._seen_at(i, seat) for i in plies) if hides else (),
            tuple(self.observation(i, seat) for i in plies[1:]) if hides else (),
            self.states[0].origin is None and not self.states[0].plays,
            None if hides else state.position,
        )  # fmt: skip

    def observation(self, ply: int, seat: Value) -> ObservedMove:
        """The observation of a seat at the move of a ply, counted from 1."""
        before, move = self.states[ply - 1], self.states[ply].plays[-1].move
        return self.hall.rules.observation(before.position, move, seat)

    def stage(self, ply: int) -> range:
        """The plies of a simultaneous choice that is complete and shown; for any other ply that ply alone."""
        played = self.states[ply].plays[-1].move.action
        stage = self.states[0].game.core.stage_of(played)
        if stage is None or not stage.shown:
            return range(ply, ply + 1)
        first, last = ply, ply
        while first > 1 and self.states[first - 1].values[stage.done.name]:
            first -= 1
        while self.states[last].values[stage.done.name]:
            last += 1
            if last == len(self.states):
                return range(ply, ply + 1)
        return range(first, last + 1)

    def text(self, ply: int, seat: Value) -> str:
        """The action of a ply in notation; simultaneous choices are shown once all have chosen."""
        if len(self.stage(ply)) > 1:
            return str(self.states[ply].plays[-1])
        before, move = self.states[ply - 1], self.states[ply].plays[-1].move
        rules = self.hall.rules
        return rules.observer.text(rules.machine.situation(before.position), move, seat)

    def sentence(self, ply: int, seat: Value) -> str:
        """A sentence about the action of a ply as a seat observed it; without a seat, all of it."""
        before, move = self.states[ply - 1], self.states[ply].plays[-1].move
        wording, ctx = Wording(self.hall.rules.machine), self.hall.rules.machine.situation(before.position)
        if seat is None or len(self.stage(ply)) > 1:
            return wording.sentence(move, ctx)
        observed = self.observation(ply, seat)
        is_open = observed.action is not None and None not in observed.args
        return wording.sentence(move, ctx, self.text(ply, seat), is_open=is_open)

    def _seen_at(self, ply: int, seat: Value) -> SeatView:
        """The view that a seat had after a ply, computed once."""
        state = self.states[ply]
        known = self._seen.get((ply, seat))
        if known is None or known[0] is not state:
            known = self._seen[ply, seat] = (state, self.hall.rules.sight(state.position, seat))
        return known[1]
