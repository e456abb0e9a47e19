"""The objects of a user of the library: a game and a state of it; `actions` has the actions.

States and actions are immutable. Whatever goes in or comes out is plain data or notation, except
`Action.args` and `State.values`, which are core values.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

from ..core import nodes as n
from ..core.diagnostics import Source, nearest
from ..core.game import Game as CoreGame
from ..core.meter import Meter
from ..core.types import Value
from . import pictures, views
from .actions import Action, Actions
from .chance import Chance
from .data import from_data, to_data
from .effects import Situation, size
from .errors import IllegalAction, PositionError, UnknownAction
from .lists import MoveLists
from .machine import Machine
from .observation import Observer
from .pickling import pickled_game, restored_game, restored_state
from .position import STUCK, Fault, Move, Position
from .refusal import Refusal
from .vectors import ActionSpace, ObservationLayout
from .wording import Wording

if TYPE_CHECKING:
    from ..language.loader import Ruleset
    from .records.files import Record


MOST_OTHERS = 64
"""Of how many other settings a game keeps the games that were made of it."""


def load(
    name: str,
    players: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Game:
    """The game of a shipped ruleset, by name, or of a file, by path.

    `parameters` and `readings` are by id; what is not given has its default. Raises RulesetError
    with every fault of the ruleset.
    """
    from ..language import read

    ruleset = read(str(name))
    game = Game(ruleset.settled(players, parameters, readings), str(name), ruleset.settled)
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
    ) -> None:
        """A game of a core; `settled` gives the core of other settings (default: reads the ruleset again).

        With a `meter`, the interpreter spends its steps and may raise Exhausted; in `seen` it notes what
        happens (see `Machine`).
        """
        self.core = core
        self.name = name or core.id
        """How the ruleset was asked for: its id or its path."""
        self.ruleset: Ruleset | None = None
        """The ruleset; None where the game was not read by `load`."""
        self._settled = settled
        self.machine = Machine(core, meter, seen)
        self.lists = MoveLists(self.machine)
        self.wording = Wording(self.machine)
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
        """The texts that the ruleset was read from; none where it was not read by `load`."""
        return () if self.ruleset is None else tuple(self.ruleset.sources.values())

    @cached_property
    def actions(self) -> ActionSpace:
        """All actions of this setting by number, legal or not. TooManyActions if there are too many to
        number."""
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
        """The same ruleset under other settings, what is not given having its default.

        The games of the last few settings that were asked for are kept.
        """
        key = repr((players, sorted((parameters or {}).items()), sorted((readings or {}).items())))
        if key not in self._others:
            if self._settled is None:
                self._settled = load(self.name)._settled
            assert self._settled is not None
            if len(self._others) >= MOST_OTHERS:
                del self._others[next(iter(self._others))]
            core = self._settled(players, parameters, readings)
            self._others[key] = Game(core, self.name, self._settled, self.machine.meter, self.machine.seen)
            self._others[key].ruleset = self.ruleset
        return self._others[key]

    def start(self, seed: int | str | None = None, chance: Sequence[Any] | None = None) -> State:
        """The state after the setup.

        Chance comes from the outcomes in `chance` (notations, in order) and, after them, from `seed`.
        With neither, a seed is drawn (`state.seed`). Raises ChanceError where an outcome is missing
        or cannot come up.
        """
        if seed is None and chance is None:
            seed = secrets.randbelow(2**32)
        source = _chance(seed, chance)
        ply = self.machine.start(source)
        return State(self, ply.position, source, ply.outcomes)

    def position(
        self,
        data: Mapping[str, Any],
        seed: int | str | None = None,
        chance: Sequence[Any] | None = None,
        then: str = "",
    ) -> State:
        """The state in which these state variables have these values and the others their declared ones.

        Whether it is over follows from the rules (its ends, and whether the mover can act) unless
        `over` is given. Raises PositionError with everything that is wrong with the data. An action that is
        likely to be legal there, `then`, saves looking for one.
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
        """The value of every state variable; PositionError with all that is wrong with the data."""
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
        if problems:
            raise PositionError(problems)
        return values

    def _value(self, var: n.StateVar, given: Any, initial: Value) -> Value:
        if self.machine.meter is not None:
            self.machine.meter.spend(size(initial))
        if pictures.is_picture(var.type, given):
            return pictures.read_picture(self.core, var, given, self.machine.meter)
        return from_data(var.type, given, initial)

    @contextmanager
    def metered(self, meter: Meter) -> Iterator[None]:
        """Let the interpreter spend steps of a meter for states that are made within the block."""
        before, self.machine.meter = self.machine.meter, meter
        try:
            yield
        finally:
            self.machine.meter = before

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    def _repr_html_(self) -> str:
        return views.game_html(self.core)


class State:
    """A state of a game: what lies where, who is to move, and how it came to this."""

    def __init__(
        self,
        game: Game,
        position: Position,
        source: Chance,
        chance: tuple[str, ...] = (),
        plays: tuple[Action, ...] = (),
        *,
        origin: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self.position = position
        self.chance = chance
        """Every chance outcome so far, in notation; `game.start(chance=...)` takes them."""
        self.plays = plays
        """The actions that led here from the start or the given position."""
        self.origin = origin
        """The position the play began from, as given; None after an ordinary start."""
        self._source = source

    # ---- how it stands

    @property
    def seed(self) -> str | None:
        """The seed from which chance comes once given outcomes are used up; None if there is none."""
        return self._source.seed

    @property
    def values(self) -> dict[str, Value]:
        """The core value of each state variable."""
        return dict(zip(self.game.core.state, self.position.values, strict=True))

    @property
    def to_move(self) -> Any:
        """The player who acts next; None when the game is over."""
        return None if self.is_over else to_data(self.game.core.player, self.values["mover"])

    @property
    def is_over(self) -> bool:
        """True if no action can follow."""
        return self.position.is_over

    @property
    def ended_by(self) -> str | None:
        """The id of the end that was reached, `stuck`, or `fault`; None while the play goes on."""
        return "fault" if self.position.fault else self.position.ended

    @property
    def fault(self) -> Fault | None:
        """The value that could not be stored, if that is how the play ended."""
        return self.position.fault

    @property
    def scores(self) -> dict[Any, int]:
        """Each player's score as things stand; empty for a game without scores."""
        return self._by_player(self.game.machine.scores(self.position))

    @property
    def winners(self) -> tuple[Any, ...]:
        """The players who have won; empty while the play goes on."""
        return tuple(to_data(self.game.core.player, p) for p in self.game.machine.winners(self.position))

    @property
    def titles(self) -> dict[Any, str]:
        """The title that each player has earned as things stand, for those who have one."""
        return self._by_player(self.game.machine.titles(self.position))

    def _by_player(self, found: Mapping[Value, Any]) -> dict[Any, Any]:
        return {to_data(self.game.core.player, p): value for p, value in found.items()}

    def to_data(self) -> dict[str, Any]:
        """Every state variable as plain data; `game.position` takes it back."""
        return {name: to_data(var.type, self.values[name]) for name, var in self.game.core.state.items()}

    def seen_by(self, player: Any) -> dict[str, Any]:
        """The view of a player: the variables that are not hidden, and what the rules show of the others."""
        return views.seen_by(self.game.core, self.situation, from_data(self.game.core.player, player))

    def plays_seen_by(self, player: Any) -> tuple[str, ...]:
        """The actions that led here, in notation, as a player observed them.

        `?` stands for a choice that is secret from the player; an action that is secret itself is only said
        to have been taken.
        """
        from .records.files import states

        observer, viewer = self.game.observer, from_data(self.game.core.player, player)
        return tuple(
            observer.text(before.situation, after.plays[-1].move, viewer)
            for before, after in pairwise(states(self))
        )

    def known_to(self, player: Any) -> dict[str, Value]:
        """The state variables by name as a player knows them, as `values` for a drawing: what is hidden
        from the player is none or empty."""
        return views.known_to(self.game.core, self.situation, from_data(self.game.core.player, player))

    def sizes_known_to(self, player: Any) -> dict[tuple[n.StateVar, Value], int]:
        """Numbers of pieces that a player sees at places whose pieces are hidden."""
        return views.sizes_known_to(self.game.core, self.situation, from_data(self.game.core.player, player))

    @property
    def situation(self) -> Situation:
        """The position as the interpreter reads it."""
        self.game.machine.ask("a question about one position")
        return self._here.situation

    # ---- what can be done

    @cached_property
    def _here(self) -> Actions:
        game = self.game
        return Actions(game.machine, game.lists, game.wording, self.position)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal actions as the machine takes them, always in the same order."""
        return self._here.moves

    def actions(self) -> list[Action]:
        """The legal actions, in the order of `moves`."""
        return list(self._here.legal)

    def mask(self) -> bytes:
        """A byte for each action of `game.actions`: 1 if it is legal here, else 0. Raises TooManyActions."""
        space = self.game.actions
        found = bytearray(len(space))
        for move in self.moves:
            found[space.number(*move)] = 1
        return bytes(found)

    def observation(self, player: Any) -> tuple[int, ...]:
        """All that a player sees, as numbers in the fixed layout of `game.observation_layout`."""
        viewer = from_data(self.game.core.player, player)
        return self.game.observation_layout.vector(self.game.observer.position(self.situation, viewer))

    def play(self, action: str | Action | Move, by: Any = None, then: str = "") -> State:
        """The state after an action, of player `by` if that is said.

        IllegalAction says why not; a text that means no action is an UnknownAction. An action that is likely
        to follow, `then`, saves looking for one that can.
        """
        found = self.find(action)
        refusals = self.why_not(found, by)
        if refusals:
            raise IllegalAction(str(found), refusals)
        chance = self._source
        likely = self.game.wording.likely(then)
        ply = self.game.machine.play(self.position, found.move, chance, likely)
        plays = (*self.plays, found)
        return State(self.game, ply.position, chance, self.chance + ply.outcomes, plays, origin=self.origin)

    def why_not(self, action: str | Action | Move, by: Any = None) -> tuple[Refusal, ...]:
        """Everything that makes an action illegal, for player `by` if that is said; empty for a legal one."""
        try:
            found = self.find(action)
        except UnknownAction as unknown:
            return unknown.refusals
        refusals = self._here.refusals(found.move)
        if self.is_over or by in (None, self.to_move):
            return refusals
        return (Refusal("turn", "mover", "", f"it is the turn of player {self.to_move}"), *refusals)

    def find(self, action: str | Action | Move) -> Action:
        """The action that a text means, legal or not; UnknownAction if it means none, or several."""
        return self._here.find(action)

    def notation(self, action: Action) -> str:
        """The shortest text that `play` takes as just this action here."""
        return self._here.notation(action)

    # ---- the rest

    def record(self, full: bool = False) -> Record:
        """The record of the play that led here; in full, with what was seen and legal at every ply."""
        from .records.files import record

        return record(self, full)

    def __reduce__(self) -> tuple[Any, ...]:
        plays = tuple(tuple(vars(action).values()) for action in self.plays)
        given = self.game, self.position, self._source, self.chance, plays, self.origin
        return restored_state, given

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: Any) -> State:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.core.digest == other.game.core.digest and self.position == other.position

    def __hash__(self) -> int:
        return hash((self.game.core.digest, self.position))

    def __repr__(self) -> str:
        how = f"ended by {self.ended_by}" if self.is_over else f"{self.to_move} to move"
        return f"<State of {self.game.id}: {len(self.plays)} plays, {how}>"

    def _repr_svg_(self) -> str | None:
        return views.svg(self.game.core, self.values)

    def _repr_html_(self) -> str:
        return views.state_html(self)


def _chance(seed: int | str | None, given: Sequence[Any] | None) -> Chance:
    return Chance(None if seed is None else str(seed), tuple(views.outcome(item) for item in given or ()))
