"""The objects of a user of the library: a game; `state` has its states, and `actions` the actions.

They are immutable. Inputs and results are plain data or notation, except `Action.args` and `State.values`,
which are core values.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

from ..core import nodes as n
from ..core import pictures
from ..core.diagnostics import Source, nearest
from ..core.evaluate import evaluate
from ..core.game import Game as CoreGame
from ..core.meter import Meter
from ..core.notation import write
from ..core.observation_layout import ObservationLayout
from ..core.plain_data import from_data, to_data
from ..core.types import Value
from . import views
from .chance import Chance
from .effects import size
from .errors import PositionError
from .generated_code import GeneratedCode
from .machine import Machine
from .observation import Observer
from .pickling import pickled_game, restored_game
from .position import STUCK, Position
from .state import State as State
from .state import initial_state
from .vectors import ActionSpace
from .wording import Wording

if TYPE_CHECKING:
    from ..language.loader import Ruleset


MOST_OTHERS = 64
"""Maximum number of games of other settings that a game caches."""


def load(
    name: str,
    players: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Game:
    """The game of a shipped ruleset, by name, or of a ruleset file, by path.

    `parameters` and `readings` are by id; missing ones have their defaults. Raises RulesetError with every
    fault of the ruleset.
    """
    from ..language import read

    ruleset = read(str(name))
    set_anew = ruleset.with_settings
    game = Game(set_anew(players, parameters, readings), str(name), set_anew, by_code=True)
    game.ruleset = ruleset
    return game


class Settler(Protocol):
    """Makes the core of a ruleset under some settings."""

    def __call__(
        self,
        players: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> CoreGame: ...


class Game:
    """A game to play: a ruleset with its parameters and readings settled."""

    def __init__(
        self,
        core: CoreGame,
        name: str = "",
        settled: Settler | None = None,
        meter: Meter | None = None,
        seen: set[object] | None = None,
        *,
        by_code: bool = False,
    ) -> None:
        """A game of a core; `settled` gives the core of other settings (default: reads the ruleset again).

        With a `meter`, the interpreter spends its steps and may raise StepLimitExceeded; in `seen` it records
        events (see `Machine`). With `by_code`, generated code makes plies once that pays, unless steps or
        events are recorded; otherwise the interpreter makes them all.
        """
        self.core = core
        self.name = name or core.id
        """The name under which the ruleset was requested: its id or its path."""
        self.ruleset: Ruleset | None = None
        """The ruleset; None unless the game was read by `load`."""
        self._settled = settled
        self.machine = Machine(core, meter, seen)
        self.wording = Wording(self.machine)
        self.generated = GeneratedCode(self.machine, self.wording, lambda: self.actions)
        self.by_code = by_code
        self.observer = Observer(core)
        self._others: dict[str, Game] = {}

    @property
    def id(self) -> str:
        """The ruleset's id."""
        return self.core.id

    @property
    def title(self) -> str:
        """The game's title."""
        return self.core.title

    @property
    def sources(self) -> tuple[Source, ...]:
        """The texts that the ruleset was read from; none unless the game was read by `load`."""
        return () if self.ruleset is None else tuple(self.ruleset.sources.values())

    @cached_property
    def actions(self) -> ActionSpace:
        """All actions of this setting by number, legal or not. Raises TooManyActions."""
        return ActionSpace(self.core)

    @cached_property
    def observation_layout(self) -> ObservationLayout:
        """The layout of `State.observation`."""
        return ObservationLayout(self.core)

    def __reduce__(self) -> tuple[Any, ...]:
        return restored_game, pickled_game(self)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: Any) -> Game:
        return self

    @property
    def players(self) -> tuple[Any, ...]:
        """The players, as they appear in `to_move`, `scores` and `winners`."""
        return tuple(to_data(self.core.player, p) for p in self.core.player.values)

    @property
    def parameters(self) -> dict[str, Any]:
        """The value of each parameter, as plain data."""
        return {p.id: to_data(p.type, p.value) for p in self.core.parameters.values()}

    @property
    def readings(self) -> dict[str, str]:
        """The chosen reading of each ruling."""
        return {r.id: r.chosen for r in self.core.rulings.values()}

    def under(
        self,
        players: int | None = None,
        parameters: Mapping[str, Any] | None = None,
        readings: Mapping[str, str] | None = None,
    ) -> Game:
        """The game of this ruleset under other settings; missing ones have their defaults.

        The last few of these games are cached.
        """
        key = repr((players, sorted((parameters or {}).items()), sorted((readings or {}).items())))
        if key not in self._others:
            if self._settled is None:
                self._settled = load(self.name)._settled
            assert self._settled is not None
            if len(self._others) >= MOST_OTHERS:
                del self._others[next(iter(self._others))]
            core = self._settled(players, parameters, readings)
            machine = self.machine
            self._others[key] = Game(
                core, self.name, self._settled, machine.meter, machine.seen, by_code=self.by_code
            )
            self._others[key].ruleset = self.ruleset
        return self._others[key]

    def start(self, seed: int | str | None = None, chance: Sequence[Any] | None = None) -> State:
        """The state after the setup.

        Chance comes from the outcomes in `chance` (notations, in order) and, after them, from `seed`. With
        neither, a seed is drawn (`state.seed`). Raises ChanceError if an outcome is missing or impossible.
        """
        if seed is None and chance is None:
            seed = secrets.randbelow(2**32)
        return initial_state(self, _chance(seed, chance))

    def position(
        self,
        data: Mapping[str, Any],
        seed: int | str | None = None,
        chance: Sequence[Any] | None = None,
        then: str = "",
    ) -> State:
        """The state in which these state variables have these values and the others their declared ones.

        The rules determine whether it is over (its ends, and whether the mover can act) unless `over` is
        given. Raises PositionError with everything that is wrong with the data. An action `then` that is
        likely to be legal there saves a search for one.
        """
        values = self.read_position(data)
        source = _chance(seed, chance)
        position = Position(tuple(values[var] for var in self.machine.variables))
        origin = dict(data)
        if "over" not in data:
            ply = self.machine.settle(position, source, self.wording.likely(then))
            return State(self, ply.position, source, ply.outcomes, origin=origin)
        ended = None
        if values[self.core.state["over"]]:
            situation = self.machine.situation(position)
            ended = self.machine.end_reached(situation) or STUCK
        return State(self, Position(position.values, 0, ended), source, origin=origin)

    def read_position(self, data: Mapping[str, Any]) -> dict[n.StateVar, Value]:
        """The value of every state variable; PositionError with everything that is wrong with the data."""
        if not isinstance(data, Mapping):
            raise PositionError({"": f"a position is state variables with their values, not `{data}`"})
        initial = self.machine.initial().values
        values: dict[n.StateVar, Value] = dict(zip(self.machine.variables, initial, strict=True))
        problems: dict[str, str] = {}
        for name, given in data.items():
            var = self.core.state.get(name)
            if var is None:
                advice = nearest(name, self.core.state)
                problems[name] = f"no state variable `{name}`" + (f"; {advice}" if advice else "")
                continue
            try:
                values[var] = self._value(var, given, values[var])
            except ValueError as error:
                problems[name] = f"`{name}`: {error}"
        problems |= self._derive(values, {self.core.state[name] for name in data if name in self.core.state})
        if problems:
            raise PositionError(problems)
        return values

    def _derive(self, values: dict[n.StateVar, Value], named: set[n.StateVar]) -> dict[str, str]:
        """Compute the derived variables that are not named; returns the faults of those that are."""
        derived = [var for var in self.machine.variables if var.always is not None]
        problems: dict[str, str] = {}
        for _ in derived:  # one may follow from another
            for var in derived:
                assert var.always is not None
                situation = self.machine.situation_of(dict(values))
                situation.spend_on(1, var.always)
                follows = evaluate(var.always, {}, situation)
                if var not in named:
                    values[var] = follows
                elif values[var] != follows:
                    there = write(var.type, follows)
                    problems[var.name] = f"`{var.name}`: from the rest of the position it is {there}"
        return problems

    def _value(self, var: n.StateVar, given: Any, initial: Value) -> Value:
        """The value of a variable from data or from its picture; missing entries keep the initial value."""
        if self.machine.meter is not None:
            self.machine.meter.spend(size(initial))
        if pictures.is_picture(var.type, given):
            return pictures.read_picture(self.core.diagram, var, given, self.machine.meter)
        return from_data(var.type, given, initial)

    @contextmanager
    def use_meter(self, meter: Meter) -> Iterator[None]:
        """Let the interpreter spend steps of a meter for states created within the block."""
        before, self.machine.meter = self.machine.meter, meter
        try:
            yield
        finally:
            self.machine.meter = before

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def _repr_html_(self) -> str:
        return views.game_html(self.core)


def _chance(seed: int | str | None, given: Sequence[Any] | None) -> Chance:
    return Chance(None if seed is None else str(seed), tuple(views.outcome(item) for item in given or ()))
