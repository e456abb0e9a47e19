"""A state of a game: an immutable value with its position and its history.

Generated code makes plies once that pays (see `generated_code`). Until then the interpreter makes them;
explanations, notation and faults always come from it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import cached_property
from html import escape
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex

from ..core import nodes as n
from ..core.plain_data import from_data, to_data
from ..core.types import Value
from . import views
from .actions import Action, Actions
from .chance import Chance
from .effects import Situation
from .errors import IllegalAction, UnknownAction
from .history import Chain
from .pickling import pickled_plays, restored_state
from .position import Fault, Move, Position
from .refusal import Refusal
from .vectors import observation_vector
from .wording import counters

if TYPE_CHECKING:
    from ..code.execution.stepper import Key, Snapshot
    from .face import Game
    from .records.files import Record


def initial_state(game: Game, source: Chance) -> State:
    """The state after the setup, with chance from a source."""
    code = game.generated.start(source) if game.by_code else None
    if code is None:
        with game.generated.interpreting():
            ply = game.machine.start(source)
        return State(game, ply.position, source, ply.outcomes)
    drawn = (lambda: game.machine.start(source).outcomes) if code.draws else ()
    return _of_code(game, code, source, Chain(drawn), Chain(()), None)


def _of_code(
    game: Game, code: Snapshot, source: Chance, chance: Chain[str], plays: Chain[Action],
    origin: Mapping[str, Any] | None,
) -> State:  # fmt: skip
    """The state reached by generated code."""
    made = State.__new__(State)
    made.game, made._position, made._code, made._source = game, None, code, source
    made.is_over = code.ended != 0
    made._chance, made._plays, made.origin = chance, plays, origin
    return made


def _number(action: SupportsIndex) -> int:
    """The number of an action. Raises TypeError for anything that is no number."""
    try:
        return index(action)
    except TypeError:
        raise TypeError(f"an action is a text, an Action, a Move or a number, not {action!r}") from None


class State:
    """A state of a game: its position, the player to move, and the plays that led to it."""

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
        self.origin = origin
        """The position the play began from, as given; None after an ordinary start."""
        self.is_over = position.is_over
        """True if the play has ended."""
        self._position: Position | None = position
        self._code: Snapshot | None = None
        self._source = source
        self._chance, self._plays = Chain(tuple(chance)), Chain(tuple(plays))

    @property
    def position(self) -> Position:
        """The values of the variables as core values, and the status of the play."""
        if self._position is None:
            assert self._code is not None
            self._position = self.game.generated.position(self._code)
        return self._position

    def _in_code(self) -> Snapshot | None:
        """The state in generated code, with its legal actions; None if the interpreter has to play."""
        if self._code is None and not self.is_over:
            self._code = self.game.generated.snapshot(self.position)
        return self._code

    # ---- how it came to this

    @property
    def chance(self) -> tuple[str, ...]:
        """Every chance outcome so far, in notation; `game.start(chance=...)` takes them."""
        return self._chance.elements()

    @property
    def plays(self) -> tuple[Action, ...]:
        """The actions that led here from the start or the given position."""
        return self._plays.elements()

    # ---- how it stands

    @property
    def seed(self) -> str | None:
        """The seed of chance after given outcomes are used up; None if there is none."""
        return self._source.seed

    @property
    def values(self) -> dict[str, Value]:
        """The core value of each state variable."""
        return dict(zip(self.game.core.state, self.position.values, strict=True))

    @property
    def to_move(self) -> Any:
        """The player who acts next; None when the game is over."""
        if self.is_over:
            return None
        return to_data(self.game.core.player, self._mover)

    @property
    def _mover(self) -> Value:
        if self._code is not None:
            return self.game.generated.mover(self._code)
        return self.values["mover"]

    @property
    def ended_by(self) -> str | None:
        """The id of the end that was reached, `stuck`, or `fault`; None while the play goes on."""
        if self._code is not None:
            return self.game.generated.ended_by(self._code)
        return "fault" if self.position.fault else self.position.ended

    @property
    def fault(self) -> Fault | None:
        """The value that did not fit its place, if that ended the play."""
        return None if self._code is not None else self.position.fault

    @property
    def scores(self) -> dict[Any, int]:
        """Each player's present score; empty for a game without scores."""
        generated, code = self.game.generated, self._code
        scores = generated.scores(code) if code is not None else self.game.machine.scores(self.position)
        return self._by_player(scores)

    @property
    def winners(self) -> tuple[Any, ...]:
        """The players who have won; empty while the play goes on."""
        generated, code = self.game.generated, self._code
        won = generated.winners(code) if code is not None else self.game.machine.winners(self.position)
        return tuple(to_data(self.game.core.player, p) for p in won)

    @property
    def titles(self) -> dict[Any, str]:
        """The title that each player has earned so far, for those who have one."""
        return self._by_player(self.game.machine.titles(self.position))

    def _by_player(self, found: Mapping[Value, Any]) -> dict[Any, Any]:
        return {to_data(self.game.core.player, p): value for p, value in found.items()}

    def to_data(self) -> dict[str, Any]:
        """Every state variable as plain data; `game.position` accepts it."""
        return {name: to_data(var.type, self.values[name]) for name, var in self.game.core.state.items()}

    def seen_by(self, player: Any) -> dict[str, Any]:
        """The view of a player: the variables that are not hidden, and the values that sights show."""
        return views.seen_by(self.game.core, self.situation, from_data(self.game.core.player, player))

    def plays_seen_by(self, player: Any) -> tuple[str, ...]:
        """The actions that led here, in notation, as a player observed them.

        `?` stands for a choice that is secret from the player; of a secret action only the fact is shown.
        """
        from .records.files import states

        observer, viewer = self.game.observer, from_data(self.game.core.player, player)
        pairs = pairwise(states(self))
        return tuple(observer.text(a.situation, b.plays[-1].move, viewer) for a, b in pairs)

    def known_to(self, player: Any) -> dict[str, Value]:
        """The state variables by name as a player knows them, as `values` for a drawing; hidden values are
        none or empty."""
        return views.known_to(self.game.core, self.situation, from_data(self.game.core.player, player))

    def sizes_known_to(self, player: Any) -> dict[tuple[n.StateVar, Value], int]:
        """Numbers of pieces that a player sees at places whose pieces are hidden."""
        return views.sizes_known_to(self.game.core, self.situation, from_data(self.game.core.player, player))

    @property
    def situation(self) -> Situation:
        """The evaluation context of the position."""
        self.game.machine.ask("a question about one position")
        return self._here.situation

    # ---- what can be done

    @cached_property
    def _here(self) -> Actions:
        return Actions(self.game.machine, self.game.wording, self.position)

    @property
    def moves(self) -> tuple[Move, ...]:
        """The legal actions as moves of the machine, always in the same order."""
        code = self._in_code()
        if code is not None:
            return self.game.generated.moves(code)
        return self._moves_of_interpreter

    @cached_property
    def _moves_of_interpreter(self) -> tuple[Move, ...]:
        with self.game.generated.interpreting():
            return tuple(self.game.machine.moves(self.position))

    def actions(self) -> list[Action]:
        """The legal actions, in the order of `moves`."""
        code = self._in_code()
        if code is not None and self.game.wording.is_fixed and self.game.machine.meter is None:
            return self.game.generated.actions(code)
        self.game.machine.ask("the list of the legal actions of one position")
        return [self._here.action_of(move) for move in self.moves]

    def legal_numbers(self) -> list[int]:
        """The numbers of the legal actions, ascending; see `game.actions`. Raises TooManyActions."""
        space, code = self.game.actions, self._in_code()
        if code is not None:
            return [*code.legal]  # type: ignore[list-item]  # they have numbers
        return sorted(space.number(*move) for move in self.moves)

    def mask(self) -> bytes:
        """A byte for each action of `game.actions`: 1 if it is legal here, else 0. Raises TooManyActions."""
        found = bytearray(len(self.game.actions))
        for number in self.legal_numbers():
            found[number] = 1
        return bytes(found)

    def observation(self, player: Any) -> tuple[int, ...]:
        """A player's observation, as numbers in the fixed layout of `game.observation_layout`."""
        viewer, code = from_data(self.game.core.player, player), self._in_code()
        found = None if code is None else self.game.generated.observation(code, viewer)
        if found is None:
            seen = self.game.observer.position(self.situation, viewer)
            found = observation_vector(self.game.observation_layout, seen)
        return found

    def play(self, action: str | Action | Move | SupportsIndex, by: Any = None, then: str = "") -> State:
        """The state after an action, by player `by` if given; this state does not change.

        Args:
            action: a text, an action of `actions`, a move of `moves`, or the number of an action.
            by: the acting player; by default the player to move.
            then: an action that is likely to follow, which saves a search for a legal one.

        Raises:
            IllegalAction: the action is illegal; the message says why.
            UnknownAction: the text or number denotes no action, or several.
            ChanceError: an outcome of chance is missing or impossible.
            TypeError: `action` is none of these.

        Example:
            >>> import rulespec
            >>> rulespec.load("tic-tac-toe").start().play("put 2.2").play(0).to_move
            1
        """
        if by is None and self.game.by_code and not isinstance(action, str):
            code = self._in_code()
            key = None if code is None else self._key(action)
            if code is not None and key is not None and key in code.legal:
                return self._after(code, key)
        found = self.find(action)
        refusals = self.why_not(found, by)
        if refusals:
            raise IllegalAction(str(found), refusals)
        code = self._in_code() if self.game.by_code else None
        key = None if code is None else self._key(found)
        if code is not None and key is not None and key in code.legal:
            return self._after(code, key)
        return self._interpret(found, then)

    def _key(self, action: Action | Move | SupportsIndex) -> Key | None:
        """The key of an action in generated code; None for an impossible one."""
        if isinstance(action, Move):
            return self.game.generated.key(action)
        if isinstance(action, Action):
            return self.game.generated.key(action.move)
        return self.game.generated.key_of_number(_number(action))

    def _after(self, code: Snapshot, key: Key) -> State:
        """The state after a legal action, reached by generated code if possible."""
        game = self.game
        found = game.generated.play(code, key, self._source)
        fixed = game.wording.is_fixed
        action = game.generated.action(key) if fixed else self._here.action_of(game.generated.move(key))
        if found is None:
            return self._interpret(action)
        drawn, move = self._chance, action.move
        if found.draws != code.draws:
            drawn = Chain(lambda: game.machine.play(self.position, move, self._source).outcomes, drawn)
        return _of_code(game, found, self._source, drawn, Chain((action,), self._plays), self.origin)

    def _interpret(self, action: Action, then: str = "") -> State:
        """The state after a legal action, reached by the interpreter."""
        game, source = self.game, self._source
        with game.generated.interpreting():
            ply = game.machine.play(self.position, action.move, source, game.wording.likely(then))
        made = State(game, ply.position, source, origin=self.origin)
        made._plays = Chain((action,), self._plays)
        made._chance = Chain(ply.outcomes, self._chance) if ply.outcomes else self._chance
        return made

    def why_not(self, action: str | Action | Move | SupportsIndex, by: Any = None) -> tuple[Refusal, ...]:
        """The reasons why an action is illegal, for player `by` if given; empty for a legal action."""
        try:
            found = self.find(action)
        except UnknownAction as unknown:
            return unknown.refusals
        refusals = self._here.refusals(found.move)
        if self.is_over or by in (None, self.to_move):
            return refusals
        return (Refusal("turn", "mover", "", f"it is player {self.to_move}'s turn"), *refusals)

    def find(self, action: str | Action | Move | SupportsIndex) -> Action:
        """The action that a text or number denotes, legal or not; raises UnknownAction if none or several."""
        if not isinstance(action, str | Action | Move):
            number = _number(action)
            if not 0 <= number < len(self.game.actions):
                words = f"actions are numbered from 0 to {len(self.game.actions) - 1}"
                raise UnknownAction(str(number), words)
            action = self.game.actions[number]
        return self._here.find(action)

    def notation(self, action: Action) -> str:
        """The shortest text that `play` reads as exactly this action here."""
        return self._here.notation(action)

    # ---- the rest

    def with_seed(self, seed: int | str | None = None) -> State:
        """This state, with another source of the chance that is still to come.

        From one state the same actions always meet the same dice. A program that looks ahead must not know
        them: it plays on from `state.with_seed()`, once for each playout.

        Args:
            seed: the seed of later chance; drawn if it is None.

        Returns:
            An equal state with the same plays and outcomes so far.

        Example:
            >>> import rulespec
            >>> state = rulespec.load("stout").start(seed=1)
            >>> state.with_seed(2) == state, state.with_seed(2).seed
            (True, '2')
        """
        source = Chance(str(secrets.randbelow(2**32) if seed is None else seed))
        made = State.__new__(State)
        made.game, made.origin, made.is_over = self.game, self.origin, self.is_over
        made._position, made._code, made._source = self._position, self._code, source
        made._chance, made._plays = self._chance, self._plays
        return made

    def record(self, full: bool = False) -> Record:
        """The record of the play that led here; a full one also has the observations and legal actions at
        every ply."""
        from .records.files import record

        return record(self, full)

    def __reduce__(self) -> tuple[Any, ...]:
        held = self.position
        position = held.values, held.draws, held.ended, held.fault
        plays = pickled_plays(self.game, self._plays)
        return restored_state, (self.game, position, self._source, self.chance, plays, self.origin)

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: Any) -> State:
        return self

    def __eq__(self, other: object) -> bool:
        """True for the same position of the same rules, whatever led to it and whatever chance will bring."""
        if not isinstance(other, State):
            return NotImplemented
        if self.game is other.game and self._code is not None and other._code is not None:
            return self.game.generated.same(self._code, other._code)
        return self._comparison_key == other._comparison_key

    def __hash__(self) -> int:
        return hash(self._comparison_key)

    @property
    def _comparison_key(self) -> tuple[object, ...]:
        """The key by which states are compared."""
        position = self.position
        return self.game.core.digest, position.values, position.ended, position.fault

    def __repr__(self) -> str:
        how = f"ended by {self.ended_by}" if self.is_over else f"{self.to_move} to move"
        return f"<State of {self.game.id}: {len(self.plays)} plays, {how}>"

    def _repr_svg_(self) -> str | None:
        return views.svg(self.game.core, self.values)

    def _repr_html_(self) -> str:
        drawing = self._repr_svg_()
        if drawing is None:
            cells = ((escape(name), escape(str(value))) for name, value in self.to_data().items())
            drawing = "<table>" + "".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in cells) + "</table>"
        how = f"over: {self.ended_by}" if self.is_over else f"{self.to_move} to move"
        found = counters(self.game.core, self.game.machine.situation(self.position))
        return f"<figure>{drawing}<figcaption>{escape('; '.join([how, *found]))}</figcaption></figure>"
