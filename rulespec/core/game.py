"""The game: a ruleset with its parameters and readings settled.

A game is plain data over the operators of `nodes`. It does not say how it is run.

One ply: the mover takes a legal action -> its effect -> reactions, in order, each whose condition holds ->
ends, in order (the first that holds ends the game, and the mover stays who acted) -> unless the turn goes on,
the next mover begins a turn (which may roll dice) -> where that mover has no legal action, `stuck` says what
happens. The same (ends, begin, stuck) follows the setup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from . import nodes
from .book import Book, Bound
from .canonical_form import CanonicalWriter
from .diagnostics import Span
from .examples import Example
from .nodes import All, Const, Domain, Draw, Effect, Expr, Function, Not, Or, Shuffle, StateVar, Var
from .traversal import nodes_within, variables_read
from .types import BOOL, List, Scalar, Type, Value


@dataclass(frozen=True, eq=False)
class Requirement:
    """A named condition of an action. `clause` is the rule it belongs to: the action's own, or a law's.

    `id` is the requirement's name within that rule; for a law it is the law's id.
    """

    id: str
    clause: str
    prose: str
    condition: Expr


@dataclass(frozen=True, eq=False)
class Choice:
    """A parameter of an action: one element of `source` for which `where` holds.

    Both may read the state and the choices before it. `chain` marks a list grown element by element.
    """

    var: Var
    source: Expr
    where: Expr | None = None
    chain: Chain | None = None

    @property
    def conditions(self) -> list[Expr]:
        """The source of the choice and its conditions."""
        chain = self.chain.where if self.chain is not None else None
        return [e for e in (self.source, self.where, chain) if e is not None]


@dataclass(frozen=True, eq=False)
class Chain:
    """Growth of a list parameter: `step`, an element of the choice's `source`, may follow the list so far
    (the choice's own `var`, of at most `type.cap` elements) if `where` holds."""

    step: Var
    where: Expr
    type: List


@dataclass(frozen=True, eq=False)
class Secret:
    """Part of an action that only the mover and the players of `shown` observe.

    `choice` is the secret choice. None stands for the action itself: a player who does not observe the action
    observes none of its choices. `shown` is a set of players, evaluated in the state before the action with
    all its choices bound; None stands for nobody.
    """

    choice: Var | None
    shown: Expr | None = None


@dataclass(frozen=True, eq=False)
class Action:
    """An action of a player. `written` is its notation: texts and expressions over the choices in turn.

    The other players observe the action and its choices except for `secrets`.
    """

    id: str
    prose: str
    choices: tuple[Choice, ...]
    written: tuple[str | Expr, ...]
    requirements: tuple[Requirement, ...]
    effect: Effect
    secrets: tuple[Secret, ...] = ()
    """First the action itself, then choices in their order. Choices that a secret action hides anyway are
    left out; in a game for one player there are no secrets."""


@dataclass(frozen=True, eq=False)
class Stage:
    """An action that several players choose at once: they do so in turn, unseen, before it is resolved.

    `who` are the players who choose, `done` those who have chosen (empty outside of the stage); `chosen` hold
    the choices, a map from players for each. `shown`: everybody sees the choices once the stage is over.
    """

    action: str
    who: Expr
    done: StateVar
    chosen: tuple[StateVar, ...]
    shown: bool

    @cached_property
    def is_open(self) -> Expr:
        """The condition that some but not all have chosen."""
        nobody = nodes.Const(self.done.type, frozenset())
        return Not(BOOL, nodes.Equal(BOOL, nodes.Get(self.done.type, self.done), nobody))


@dataclass(frozen=True, eq=False)
class Reaction:
    """An automatic consequence of an action, at most once after it."""

    id: str
    condition: Expr
    effect: Effect


@dataclass(frozen=True, eq=False)
class End:
    """A way the game ends."""

    id: str
    prose: str
    condition: Expr


@dataclass(frozen=True, eq=False)
class Turn:
    """The order of turns. `over` is evaluated after each action; `next` gives the next mover.

    `stuck`: with no legal action the game is over (`end`), or the next player is asked (`pass`; the
    game is over when nobody can act).
    """

    begin: Effect
    over: Expr
    next: Expr
    stuck: str


@dataclass(frozen=True, eq=False)
class Sight:
    """A value that the viewer sees, for each value of the binders."""

    viewer: Var
    binders: tuple[tuple[Var, Expr], ...]
    value: Expr
    text: str


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a finished game.

    `score` is each player's number; `winners` the set of players who win. If `winners` is absent the players
    with the highest score win, ties decided by `ties` in order (`most` or `least` of an expression). Players
    of equal `side` win and lose together, as `winners` says then; without it each is alone. All of them have
    `player` bound.
    """

    player: Var
    score: Expr | None
    winners: Expr | None
    ties: tuple[tuple[bool, Expr], ...]
    titles: tuple[tuple[Expr, str], ...]
    side: Expr | None = None
    gains: bool = False
    """True if the score is a payoff, of which players want the most, and not to be ahead."""
    tie_texts: tuple[str, ...] = ()
    """The words for each of `ties`."""


@dataclass(frozen=True)
class Reading:
    """One way to read an ambiguous rule."""

    id: str
    prose: str
    modelled: bool = True


OPEN = "*"
"""Stands for the chosen reading of a ruling that is left open: the setup draws one of its readings."""


@dataclass(frozen=True)
class Ruling:
    """An ambiguity: a question and its readings, the first being the default. `asked` are the rules whose
    formal text refers to it. A settled ruling has one reading; one that is left open has chosen `OPEN`."""

    id: str
    question: str
    readings: tuple[Reading, ...]
    chosen: str
    source: tuple[str, ...] = ()
    note: str = ""
    asked: tuple[str, ...] = ()
    span: Span | None = None


class Fitting(Protocol):
    """The values of parameters that fulfil the conditions between them, computed on demand."""

    @property
    def values(self) -> tuple[Mapping[str, str], ...]:
        """Combinations in notation; empty if there are no conditions, or too many combinations to try."""

    @property
    def advice(self) -> str:
        """The combinations in words; empty if there are none, or too many to list."""


@dataclass(frozen=True)
class Parameter:
    """A bounded constant of the ruleset."""

    id: str
    type: Type
    value: Value
    default: Value
    prose: str
    source: tuple[str, ...] = ()


LIBRARY = "library-"
"""The beginning of the id of a rule that consists of the words of a library."""
ABSENT: Mapping[str, Any] = {}
"""Replaces the settings of an example that the ruleset cannot provide."""


@dataclass(frozen=True, eq=False)
class Other:
    """The game with which a claim compares its own, built on demand."""

    name: str
    """The name used in sentences of verdicts."""
    make: Callable[[], Game]
    """Builds the game; raises RulesetError if there is none."""

    @cached_property
    def game(self) -> Game:
        """The game; raises RulesetError with what is wrong with its text."""
        return self.make()


@dataclass(frozen=True, eq=False)
class Claim:
    """A statement of the author about the game. `kind` is a row of the table of claims."""

    id: str
    prose: str
    kind: str
    condition: Expr | None
    options: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""
    span: Span | None = None
    lemma: bool = False
    """True if it only serves the proofs of other claims."""
    answer: str = ""
    """The answer in the author's words, with a place for its number (`wording.HOLES`); or empty."""

    @property
    def always(self) -> Expr:
        """For an invariant, the condition on each position: its own condition wherever `when` holds."""
        condition = self.condition or Const(BOOL, True)
        return condition if self.when is None else Or(BOOL, (Not(BOOL, self.when), condition))

    @property
    def when(self) -> Expr | None:
        """The condition that restricts the positions of the claim, if there is one."""
        found = self.options.get("when")
        return found if nodes.is_expression(found) else None

    @property
    def is_of_one_deal(self) -> bool:
        """True if it is asked of one deal at a time, so that no verdict on it is stored."""
        return bool(self.options.get("from") == "deal")

    @property
    def helped_by(self) -> tuple[str, ...]:
        """The claims that it names as helping it."""
        named = self.options.get("helped-by", ())
        return (named,) if isinstance(named, str) else tuple(named)

    @property
    def premise(self) -> Expr | None:
        """For an invariant, the condition without which it says nothing; None if it always says something.

        Its `when`, the left side of an implication, or the existence of elements to quantify over.
        """
        if self.kind != "invariant":
            return None
        if self.when is not None:
            return self.when
        return _premise(self.condition) if self.condition is not None else None


def _premise(e: Expr) -> Expr | None:
    """The left side of an implication, or that some element satisfies it; None if a claim has none."""
    if isinstance(e, Or) and isinstance(e.items[0], Not):
        return e.items[0].item
    if not isinstance(e, All):
        return None
    inner = _premise(e.body)
    if isinstance(e.source, Domain) and inner is None:
        return None
    return nodes.Any(BOOL, e.var, e.source, inner if inner is not None else Const(BOOL, True))


@dataclass(frozen=True)
class Rule:
    """A clause of the rulebook as a reader sees it: its kind, its words and its formal text."""

    id: str
    kind: str
    heading: str
    prose: str
    source: tuple[str, ...]
    note: str
    formal: Iterable[tuple[str, str]]
    """Pieces of formal text as (kind and name, text), e.g. ("require vacant", "...")."""
    requirements: tuple[tuple[str, str], ...] = ()
    """Named requirements as (id, prose)."""
    binds: tuple[str, ...] = ()
    ruling: Ruling | None = None
    examples: tuple[Example, ...] = ()
    origin: str = ""
    """The ruleset it comes from, for a rule that a variant inherits or replaces."""
    span: Span | None = None


@dataclass(frozen=True, eq=False)
class Layer:
    """One layer of a diagram: a mark drawn for each value of the binders for which `where` holds.

    A layer of an action is drawn only for the actions shown, with their choices bound; one with `pictures`
    only in those of these names. `text` is a caption: words and expressions in turn.
    """

    mark: str
    binders: tuple[tuple[Var, Expr], ...]
    where: Expr | None
    attributes: Mapping[str, Expr]
    options: Mapping[str, str] = field(default_factory=dict)
    action: str = ""
    text: tuple[str | Expr, ...] = ()
    pictures: tuple[str, ...] = ()

    @property
    def expressions(self) -> Iterator[Expr]:
        """The expressions that the layer consists of."""
        yield from (source for _, source in self.binders)
        if self.where is not None:
            yield self.where
        yield from self.attributes.values()
        yield from (part for part in self.text if not isinstance(part, str))


@dataclass(frozen=True, eq=False)
class Presentation:
    """The words in which a play is reported. They have no meaning for the rules."""

    seats: tuple[str, ...] = ()
    """The name of each player, in order of the players; empty if they have none."""
    sentences: Mapping[str, tuple[str | Expr, ...]] = field(default_factory=dict)
    """By action a predicate for who takes it: words and expressions over the position before it in turn."""
    counters: tuple[Counter, ...] | None = None
    """The numbers that are always in view; None if the ruleset does not say."""
    forced: frozenset[str] | None = None
    """The actions that are taken at once if they are the only ones; None if the ruleset does not say."""
    buttons: frozenset[str] = frozenset()
    """The actions with buttons beside the board, even if they have places on it."""


@dataclass(frozen=True)
class Counter:
    """A text that is always in view: words and expressions in turn, with `player` bound if each has one."""

    parts: tuple[str | Expr, ...]
    player: Var | None = None


@dataclass(frozen=True)
class Work:
    """The work that the rules come from, in bibliographic form; unknown fields are empty."""

    author: str = ""
    titles: tuple[str, ...] = ()
    """One title for each document, or one for all."""
    year: str = ""

    def cite_document(self, document: int = 0) -> str:
        """One of its documents, counted from 0, in words: title, author and year."""
        title = self.titles[min(document, len(self.titles) - 1)] if self.titles else "the rules"
        by = f" by {self.author}" if self.author else ""
        return f"{title}{by}{f' ({self.year})' if self.year else ''}"


@dataclass(frozen=True, eq=False)
class Game:
    """A ruleset with its parameters and readings settled, complete for every executable meaning."""

    id: str
    title: str
    summary: str
    author: str
    licence: str
    source: tuple[str, ...]
    players: int
    player: Scalar
    parameters: Mapping[str, Parameter]
    rulings: Mapping[str, Ruling]
    rules: tuple[Rule, ...]
    types: Mapping[str, Scalar]
    functions: Mapping[str, Function]
    state: Mapping[str, StateVar]
    """In order of declaration; first `mover` (a player) and `over` (whether the game has ended)."""
    setup: Effect
    turn: Turn
    actions: Mapping[str, Action]
    reactions: tuple[Reaction, ...]
    ends: tuple[End, ...]
    outcome: Outcome
    sights: tuple[Sight, ...]
    claims: Mapping[str, Claim]
    diagram: tuple[Layer, ...]
    spans: Mapping[Expr | Effect, Span]
    """The place of each node written in a text."""
    texts: Mapping[Expr, str]
    """The formal text of each written expression, on one line in canonical form."""
    extends: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    fitting: Fitting | None = None
    """The values of parameters that satisfy the conditions between them."""
    positions: Mapping[str, Any] = field(default_factory=dict)
    """Named positions as plain data, from which examples and figures begin."""
    bound: Bound | None = None
    """The book section, if the ruleset has one."""
    stages: tuple[Stage, ...] = ()
    """The actions that are chosen at once; the other fields contain their whole meaning, too."""
    work: Work = field(default_factory=Work)
    presentation: Presentation = field(default_factory=Presentation)

    @cached_property
    def digest(self) -> str:
        """The digest of everything with a meaning, in hexadecimal; prose, places and drawings do not
        count."""
        w = CanonicalWriter()
        write_meaning(w, self)
        return w.digest()

    @property
    def book(self) -> Book | None:
        """The book of the ruleset; None without such a section. Raises RulesetError with its faults."""
        return self.bound.book if self.bound is not None else None

    def stage_of(self, action: str) -> Stage | None:
        """The stage of an action that is chosen at once; None for other actions."""
        return next((stage for stage in self.stages if stage.action == action), None)

    @property
    def mover(self) -> StateVar:
        """The state variable that holds the player to move."""
        return self.state["mover"]

    @property
    def roots(self) -> Iterator[Expr | Effect]:
        """The outermost expressions and effects that affect play."""
        yield from (self.setup, self.turn.begin, self.turn.over, self.turn.next)
        yield from (var.initial for var in self.state.values())
        for action in self.actions.values():
            yield action.effect
            yield from (requirement.condition for requirement in action.requirements)
            for choice in action.choices:
                yield from choice.conditions
        for reaction in self.reactions:
            yield from (reaction.condition, reaction.effect)
        yield from (end.condition for end in self.ends)
        yield from (e for e in (self.outcome.score, self.outcome.winners) if e is not None)
        yield from (e for _, e in self.outcome.ties)

    @property
    def has_chance(self) -> bool:
        """True if chance has a part in the game."""
        return any(_draws([self.setup])) or self.has_chance_in_play

    @property
    def has_chance_in_play(self) -> bool:
        """True if chance has a part in the game after the setup."""
        return any(self.draws_in_play)

    @property
    def counters(self) -> tuple[Counter, ...]:
        """The texts that are always shown: as declared, else the score of each of several players."""
        if self.presentation.counters is not None:
            return self.presentation.counters
        player, score = self.outcome.player, self.outcome.score
        if score is None or len(self.player.values) < 2 or any(var.hidden for var in variables_read(score)):
            return ()
        return (Counter(("score ", score), player),)

    @property
    def forced_actions(self) -> frozenset[str]:
        """The declared actions, else those without choices or chance, taken at once if no other is legal."""
        if self.presentation.forced is not None:
            return self.presentation.forced
        simple = (action for action in self.actions.values() if not action.choices)
        return frozenset(action.id for action in simple if not any(_draws([action.effect])))

    @property
    def draws_in_play(self) -> Iterator[Draw | Shuffle]:
        """The parts of the rules that draw from chance after the setup."""
        effects = [self.turn.begin, *(action.effect for action in self.actions.values())]
        return _draws([*effects, *(reaction.effect for reaction in self.reactions)])


def _draws(effects: Iterable[Effect]) -> Iterator[Draw | Shuffle]:
    for effect in effects:
        yield from (node for node in nodes_within(effect) if isinstance(node, Draw | Shuffle))


def write_meaning(w: CanonicalWriter, game: Game) -> None:
    """Write everything that gives a game its meaning; used by `exact` and `Game.digest`."""
    w.put("rulespec 1", game.players)
    for var in game.state.values():
        w.put(var.name, var.hidden)
        w.write(var.type)
        w.write(var.initial)
        if var.always is not None:
            w.put("always")
            w.write(var.always)
    w.write(game.setup)
    for part in (game.turn.begin, game.turn.over, game.turn.next, game.turn.stuck):
        w.write(part)
    for action in game.actions.values():
        _write_action(w, action)
    for reaction in game.reactions:
        w.put(reaction.id)
        w.write((reaction.condition, reaction.effect))
    for end in game.ends:
        w.put(end.id)
        w.write(end.condition)
    outcome = game.outcome
    titles = tuple(c for c, _ in outcome.titles)
    w.write((outcome.player, outcome.score, outcome.winners, outcome.ties, titles))
    if outcome.side is not None:
        w.write(outcome.side)
    if outcome.gains:
        w.put("gains")
    for sight in game.sights:
        w.write((sight.viewer, sight.binders, sight.value))


def _write_action(w: CanonicalWriter, action: Action) -> None:
    """Write an action in canonical form."""
    w.put(action.id)
    for choice in action.choices:
        w.write((choice.var, choice.source, choice.where))
        if choice.chain:
            w.write((choice.chain.step, choice.chain.where, choice.chain.type))
    w.write(action.written)
    for requirement in action.requirements:
        w.put(requirement.clause, requirement.id)
        w.write(requirement.condition)
    w.write(action.effect)
    _write_secrets(w, action)


def _write_secrets(w: CanonicalWriter, action: Action) -> None:
    """Write the secrets of an action; nothing for an action without secrets."""
    numbers = {choice.var: number for number, choice in enumerate(action.choices)}
    for secret in action.secrets:
        w.put("secret", "action" if secret.choice is None else numbers[secret.choice])
        w.write(secret.shown)
