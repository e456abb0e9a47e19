"""The names that formal text may use: those of one text (`Frame`), and those the ruleset declares (`World`).

A declaration is elaborated on first use.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NoReturn, TypeVar, cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.context import Context, Env
from ...core.diagnostics import Label, Report, Span
from ...core.evaluate import evaluate
from ...core.game import Choice, Parameter, Requirement, Ruling
from ...core.meter import Meter
from ...core.traversal import conjuncts, nodes_within
from ...core.types import BOOL, Enum, Int, List, Map, Optional, Record, Scalar, Set, Type, Value, fits
from ..documents.yaml import Scalar as Text
from ..syntax.habits import NAMES
from ..syntax.parser import Syntax, span_of
from ..work_limit import VALUE, new_meter
from .memoisation import PLAYERS, Memory, Remembering
from .spans import Spans

Made = TypeVar("Made")
Node = TypeVar("Node", n.Expr, n.Effect)

MOST_VALUES = 200_000
"""Maximum number of values of a type, and of combinations of fields that are tried for it."""

FEW = 50
"""Listing at most this many values of a type costs no steps."""

RESERVED = frozenset(
    "every some no not if let the those can follow fold true false none original nothing "
    "Bool Player players mover over player viewer".split()
)
"""Words that begin an expression or a statement, and names that every game has; they cannot be declared.

All other words of the language are words only in places where they cannot be names, and a declared name hides
the built-in function of that name.
"""

RESERVED_FOR = {"type": frozenset(("map", "set", "list", "one")), "call": frozenset(("count",))}
"""Words that are reserved for names of types, and for names of definitions with parameters."""


LIBRARY = "library "
"""The prefix of words of libraries among the settings that are asked for (see `memoisation`)."""

MOST_FACTS = 30
"""Maximum number of known conditions at a place of a text."""
LONGEST_FACT = 100
"""Maximum number of operators of a known condition."""


class Faulty(Exception):
    """Raised when something cannot be elaborated; the report says why."""


@dataclass(frozen=True, eq=False)
class Frame:
    """The scope of one formal text: `names` are the local names, `clause` is the rule it belongs to."""

    world: World
    text: Text
    clause: str = ""
    names: dict[str, n.Expr] = field(default_factory=dict)
    original: Callable[[Frame, Type | None, list[Syntax] | None], n.Expr] | None = None
    original_effect: Callable[[Frame], n.Effect] | None = None
    procedures: tuple[str, ...] = ()
    facts: tuple[n.Expr, ...] = ()
    """Conditions that hold at the place of the text (see `narrowing`)."""

    def knowing(self, *facts: n.Expr) -> Frame:
        """This frame with further conditions that hold."""
        held = [part for fact in facts for part in conjuncts(fact) if not isinstance(part, n.Const)]
        short = [fact for fact in held if _is_short(fact)]
        return replace(self, facts=(*self.facts, *short)[-MOST_FACTS:]) if short else self

    def binding(self, **names: n.Expr) -> Frame:
        """This frame with more local names; a later name hides an earlier one."""
        return replace(self, names={**self.names, **names})

    def bound(self, var: n.Var) -> Frame:
        """This frame with a variable under its own name."""
        return replace(self, names={**self.names, var.name: n.Local(var.type, var)})

    def span(self, tree: Syntax | Token) -> Span:
        """The place in the file of a part of the text."""
        return span_of(self.text, tree)

    def fail(self, code: str, message: str, tree: Syntax | Token, *more: Label, help: str = "") -> NoReturn:
        """Report a fault at a part of the text and give up on it. Raises Faulty."""
        self.world.report.error(code, message, self.span(tree), *more, help=help, clause=self.clause)
        raise Faulty

    def value(self, e: n.Expr, env: Env) -> Value:
        """The value of an expression that reads no state."""
        context = self.world.context
        context.spend_on(1, e)
        return evaluate(e, env, context)

    def put(self, node: Node, tree: Syntax | Token) -> Node:
        """Record the place and the text of a node."""
        self.world.spans.note(node, self.text, tree)
        if n.is_expression(node) and isinstance(tree, Tree):
            self.world.memory.trees.setdefault(node, tree)
        return node


@dataclass(eq=False)
class Declaration:
    """A declaration as written, and its elaboration. `older` is the one that a variant replaced."""

    kind: str
    name: str
    tree: Syntax
    text: Text
    clause: str
    older: Declaration | None = None
    state: str = "waiting"
    made: Any = None
    generated: bool = False
    """True if it comes from the lowering of a construct, not from a text."""
    make: Callable[[World, Declaration], Any] | None = None
    """Makes a declaration without text; None if its kind determines how it is made."""
    arguments: Callable[[], Mapping[str, n.Expr]] | None = None
    """For a word of a library, gives the parameters of the library that it reads."""

    def frame(self, world: World, procedures: tuple[str, ...] = ()) -> Frame:
        """The scope of the declaration. Raises Faulty where a library lacks a parameter."""
        names = dict(self.arguments()) if self.arguments is not None else {}
        return Frame(world, self.text, self.clause, names, procedures=procedures)

    def span(self, world: World) -> Span:
        """The place of the declaration."""
        return Frame(world, self.text).span(self.tree)


Choices = tuple[Choice, ...]
ChoicesOf = Callable[..., Choices]
"""Elaborates the choices of an action."""


class ActionBody:
    """The choices and the effect of an action, elaborated on first use."""

    def __init__(
        self,
        world: World,
        name: str,
        choose: Callable[[], Choices],
        requirements: Callable[..., tuple[Requirement, ...]],
        perform: Callable[[Choices, tuple[Requirement, ...]], n.Effect],
        count: Callable[[n.Effect], n.Effect],
    ) -> None:
        """`count` adds the counting of actions to an effect, if actions are counted.

        `requirements` gives those of the action, or only those about the present position.
        """
        self._world, self._name, self._choose, self._perform = world, name, choose, perform
        self.requirements, self.count = requirements, count
        self._state = "waiting"
        self._made: tuple[Choices, n.Effect] | None = None
        self.choices: Choices | None = None
        """The choices, once they were elaborated without fault."""

    def __call__(self) -> tuple[Choices, n.Effect]:
        """The choices and the effect; raises Faulty if they are faulty."""
        if self._state == "making":
            message = f"what is chosen or done in `{self._name}` asks what holds after `{self._name}`"
            help = "ask for what is chosen and done without `after`"
            self._world.report.error("after.circle", message, self._world.actions[self._name], help=help)
            raise Faulty
        key = ("action body", self._name)
        if self._state == "waiting":
            self._state = "making"
            try:
                self._made = self._world.piece(key, self._make)
                self.choices = self._made[0]
            finally:
                self._state = "made"
        else:
            self._world.remembering.again(key)
        if self._made is None:
            raise Faulty
        return self._made

    def _make(self) -> tuple[Choices, n.Effect]:
        self._world.make_generated()
        self.choices = self._choose()
        return self.choices, self._perform(self.choices, self.requirements(self.choices, here=True))


Declarer = Callable[["World", Declaration], Any]
DECLARERS: dict[str, Declarer] = {}


def declares(kind: str) -> Callable[[Declarer], Declarer]:
    """Register a function as the elaborator of a kind of declaration."""

    def enter(declarer: Declarer) -> Declarer:
        DECLARERS[kind] = declarer
        return declarer

    return enter


@dataclass(eq=False)
class World:
    """All names that formal text may use."""

    report: Report
    memory: Memory = field(default_factory=Memory)
    playing: int = 1
    """The number of players; what is elaborated asks for `players`."""
    declared: dict[str, Declaration] = field(default_factory=dict)
    parameters: dict[str, Parameter] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    conditions: dict[str, Callable[[], n.Function]] = field(default_factory=dict)
    """Laws and ends, to which texts may refer by their ids."""
    predicates: set[str] = field(default_factory=set)
    """The ids of laws with parameters, which are called with arguments."""
    lifted: set[str] = field(default_factory=set)
    """Laws that a variant removed: they count as true."""
    actions: dict[str, Span] = field(default_factory=dict)
    at_once: set[str] = field(default_factory=set)
    """The actions that several players choose at once."""
    starts: dict[str, Callable[[Type], Value]] = field(default_factory=dict)
    """For variables with a first value given as data under `start`: reads the value of a type."""
    action_bodies: dict[str, ActionBody] = field(default_factory=dict)
    """Of each action its choices and its effect."""
    offered: dict[str, Callable[[], Declaration]] = field(default_factory=dict)
    """The words of libraries by name, which no name of the ruleset hides; each becomes a declaration when a
    text first uses it."""
    offered_members: dict[str, str] = field(default_factory=dict)
    """The members of enumerations of libraries, each with the name of the type."""
    meter: Meter = field(default_factory=new_meter)
    """The limit of work for reading the ruleset."""
    most_players: int = 1
    """The most players that the ruleset allows."""
    makes: int = 0
    """The current nesting of declarations being elaborated."""
    runs: int = 0
    """The number of named effects that were inlined."""
    types: dict[str, Scalar] = field(default_factory=dict)
    functions: dict[str, n.Function] = field(default_factory=dict)
    state: dict[str, n.StateVar] = field(default_factory=dict)
    readers: list[bool] = field(default_factory=list)
    """For each definition being elaborated, innermost last, whether it reads the state."""

    def __post_init__(self) -> None:
        self.context = Context(meter=self.meter)
        """The context in which constant expressions are evaluated."""
        self.met: dict[int, Type] = {}
        """The types of expressions by identity; the steps of listing their values have been spent."""
        self.numbers: dict[int, tuple[n.Const, Int]] = {}
        """Maps from the values of a type to their numbers, by the identity of the type."""
        self._members: dict[str, list[tuple[Enum, int]]] | None = None
        player, mover = self.memory.players(self.playing)
        self.types |= {"Bool": BOOL, "Player": player}
        self.state |= {var.name: var for var in (mover, self.memory.over)}
        self.remembering = Remembering(self.memory, self.report, self._chosen)

    def _chosen(self, setting: str) -> Value:
        """The chosen number of players, reading of a ruling or value of a parameter."""
        if setting == PLAYERS:
            return self.playing
        if setting in self.rulings:
            return self.rulings[setting].chosen
        return self.parameters[setting].value if setting in self.parameters else None

    @property
    def player(self) -> Scalar:
        """The type of players."""
        self.remembering.ask(PLAYERS, "")
        return self.types["Player"]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.player.values)

    @property
    def spans(self) -> Spans:
        """The places of expressions and effects."""
        return self.memory.spans

    def piece(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of `make`, or an earlier result under settings with the same values; its exceptions
        pass."""
        return self.remembering.piece(key, make)

    def quietly(self, make: Callable[[], Made], otherwise: Made) -> Made:
        """The result of `make`; if that is faulty, `otherwise`, with nothing reported."""
        report = self.report
        self.report = self.remembering.report = Report()
        try:
            made = make()
            return otherwise if self.report.count else made
        except Faulty:
            return otherwise
        finally:
            self.report = self.remembering.report = report

    # ---- declaring

    def declare(self, kind: str, name: Token, tree: Syntax, text: Text, clause: str) -> None:
        """Enter a declaration; a second one with the same name is a fault."""
        frame = Frame(self, text, clause)
        found = self.declared.get(name) or self.rulings.get(name)
        called = kind == "to" or (kind == "define" and tree.children[1] is not None)
        if str(name) in RESERVED or str(name) in RESERVED_FOR.get("call" if called else kind, ()):
            self.report.reserve(str(name), frame.span(name))
            self.lose(kind, str(name), text, clause)
        elif found is not None:
            at = Label(found.span(self), "first here") if isinstance(found, Declaration) else None
            self.report.error("name.twice", f"`{name}` is declared twice", frame.span(name), at)
        else:
            self.declared[str(name)] = Declaration(kind, str(name), tree, text, clause)

    def lose(self, kind: str, name: str, text: Text, clause: str) -> None:
        """Enter an unreadable declaration, so that it is not reported as missing."""
        tree: Syntax = Tree("lost", [])
        self.declared.setdefault(name, Declaration(kind, name, tree, text, clause, state="faulty"))

    def override(self, name: str, tree: Syntax, text: Text) -> None:
        """Replace a declaration by one of the same kind and name from a variant."""
        older = self.declared[name]
        self.declared[name] = Declaration(older.kind, name, tree, text, older.clause, older)

    # ---- asking

    def find(self, name: str) -> Declaration | None:
        """The declaration of a name, which may be a library's word. Raises Faulty if it is unusable."""
        found = self.declared.get(name)
        if found is None and name in self.offered:
            take = self.offered.pop(name)
            found = self.declared[name] = take()
        return found

    def open_reading(self, ruling: str) -> n.StateVar:
        """The variable that holds the reading of a ruling that is left open."""
        name = f"reading of {ruling}"
        if name not in self.state:
            ids = tuple(reading.id for reading in self.rulings[ruling].readings)
            modelled = (i for i, reading in enumerate(self.rulings[ruling].readings) if reading.modelled)
            of = Enum(name, tuple(modelled), name, ids)
            make = partial(n.StateVar, name, of, n.Const(of, of.values[0]))
            self.state[name] = self.piece(("open reading", ruling), make)
        return self.state[name]

    def note_read(self) -> None:
        """The definition being elaborated reads the state."""
        if self.readers:
            self.readers[-1] = True

    def define(self, function: n.Function, make: Callable[[], n.Expr]) -> n.Function:
        """A definition with the body from `make`; records whether it reads the state."""
        self.readers.append(False)
        try:
            function.body = make()
        finally:
            function.static = not self.readers.pop()
        return function

    def get_type(self, name: Token, frame: Frame) -> Type:
        """The type of a name."""
        if name == "Player":
            return self.player
        if name in self.types:
            self._again(name)
            return self.types[name]
        found = self.find(name)
        if found is None or found.kind != "type":
            declared = (d.name for d in self.declared.values() if d.kind == "type")
            help = NAMES.get(name) or self.report.nearest(name, itertools.chain(self.types, declared))
            frame.fail("name.type", f"there is no type `{name}`", name, help=help)
        return cast(Type, self._make(found, name, frame))

    def get_function(self, name: Token, frame: Frame) -> n.Function:
        """The definition of a name, elaborated when first used; recursion without a falling number is a
        fault."""
        found = self.declared[name]
        if found.state == "making" and found.made is not None:
            if found.made.falling is None:
                words = f"`{name}` uses itself without a number that falls"
                help = "give it a range parameter marked `falling`, smaller in every call to itself"
                frame.fail("define.endless", words, name, help=help)
            return cast(n.Function, found.made)
        return cast(n.Function, self._make(found, name, frame))

    def get_state(self, name: Token, frame: Frame) -> n.StateVar:
        """The state variable of a name."""
        if name == "mover":
            self.remembering.ask(PLAYERS, "")
        if name in self.state:
            self._again(name)
            return self.state[name]
        found = self.declared[name]
        return cast(n.StateVar, self._make(found, name, frame))

    def parameter_type(self, name: str, make: Callable[[], Made]) -> Made:
        """The type of a parameter, from `make` or cached."""
        return self.piece(("parameter", name), make)

    def get_parameter(self, name: str, frame: Frame) -> Parameter:
        """The parameter of a name, with its value."""
        self.remembering.ask(name, frame.clause)
        self.remembering.again(("parameter", name))
        return self.parameters[name]

    def check_effect(self, found: Declaration, name: Token, frame: Frame) -> None:
        """Raise Faulty if a named effect is faulty; one being elaborated counts as faultless."""
        if found.state != "making":
            self._make(found, name, frame)

    def _make(self, found: Declaration, name: Token, frame: Frame) -> Any:
        """Elaborate a declaration on first use. Raises Faulty if it is faulty or needs itself."""
        if found.state == "faulty":
            raise Faulty
        if found.state == "made":
            self._again(found.name)
        if found.state == "making":
            found.state = "faulty"
            frame.fail("name.circle", f"`{name}` is declared in a circle", name)
        if found.state == "waiting":
            found.state = "making"
            self.makes += 1
            try:
                with self.meter.part(f"`{found.kind} {found.name}`", found.span(self)):
                    found.made = self.piece(_key(found.name), lambda: self._elaborate(found))
            except Faulty:
                found.state = "faulty"
                raise
            except RecursionError:
                found.state = "faulty"
                if self.makes > 1:
                    raise
                frame.fail("size.deep", f"what `{name}` leads to is nested too deep", name)
            finally:
                self.makes -= 1
            found.state = "made"
            if found.kind in self._by_kind and (found.kind != "type" or isinstance(found.made, Scalar)):
                self._by_kind[found.kind][found.name] = found.made
        return found.made

    def _elaborate(self, found: Declaration) -> Any:
        if found.arguments is not None:
            self.remembering.ask(LIBRARY + found.name, found.clause)
        return (found.make or DECLARERS[found.kind])(self, found)

    def _again(self, name: str) -> None:
        self.remembering.again(_key(name))

    @property
    def _by_kind(self) -> dict[str, dict[str, Any]]:
        return {"type": self.types, "define": self.functions, "state": self.state}

    def make_all(self) -> None:
        """Elaborate every declaration, so that all faults are found."""
        for name in list(self.declared):
            with suppress(Faulty):
                self.make(name)

    def make(self, name: str) -> None:
        """Elaborate a declaration. Faults are reported, and Faulty is raised."""
        found = self.find(name)
        if found is not None:
            frame = Frame(self, found.text, found.clause)
            self._elaborate_kind(found.kind, Token("NAME", found.name), frame)

    def _elaborate_kind(self, kind: str, name: Token, frame: Frame) -> None:
        if kind == "type":
            self.get_type(name, frame)
        elif kind == "define":
            self.get_function(name, frame)
        elif kind == "state":
            self.get_state(name, frame)
        else:
            self.check_effect(self.declared[name], name, frame)

    def make_generated(self) -> None:
        """Elaborate the generated state of lowered constructs."""
        for found in list(self.declared.values()):
            if found.generated and found.kind == "state":
                self.get_state(Token("NAME", found.name), Frame(self, found.text, found.clause))

    def members(self, word: str) -> list[tuple[Enum, int]]:
        """The enumerations with a member of this name, subsets left out."""
        if self._members is None:
            self._members = self._all_members()
        meant = self._members.get(word, [])
        if not meant and word in self.offered_members:
            name = self.offered_members[word]
            declared = self.find(name)
            if declared is not None:
                of = self.get_type(Token("NAME", name), Frame(self, declared.text, declared.clause))
                value = of.member(word) if isinstance(of, Enum) else None
                meant = [(of, value)] if isinstance(of, Enum) and value is not None else []
        for enum, _ in meant:
            self._again(enum.name)
        return meant

    def _all_members(self) -> dict[str, list[tuple[Enum, int]]]:
        """The members of all enumerations, each name with its types and values."""
        for found in list(self.declared.values()):
            waits = found.kind == "type" and found.state == "waiting"
            if waits and cast(Syntax, found.tree.children[1]).data == "enum_def":
                self.get_type(Token("NAME", found.name), Frame(self, found.text, found.clause))
        members: dict[str, list[tuple[Enum, int]]] = {}
        for t in self.types.values():
            declared = self.declared.get(t.name) if isinstance(t, Enum) else None
            is_own = declared is None or declared.arguments is None
            if isinstance(t, Enum) and t.name == t.family and is_own:
                for value, name in enumerate(t.members):
                    members.setdefault(name, []).append((t, value))
        return members

    def meet(self, of: Type) -> None:
        """Spend the steps of listing the values of a new type."""
        self.met[id(of)] = of
        inner = of.of if isinstance(of, Optional | Set | List) else None
        if inner is not None and id(inner) not in self.met:
            self.meet(inner)
        elif isinstance(of, Scalar) and len(of.values) > FEW and not isinstance(of.values, range):
            fields = len(of.fields) if isinstance(of, Record) else 1
            self.meter.spend(VALUE * len(of.values) * max(fields, 1))

    def visible(self, frame: Frame) -> Iterator[str]:
        """Every name that can be used in an expression."""
        enums = (m for t in self.types.values() if isinstance(t, Enum) for m in t.members)
        return itertools.chain(
            frame.names,
            self.state,
            self.declared,
            self.offered,
            self.parameters,
            self.types,
            self.conditions,
            enums,
        )


def _key(name: str) -> tuple[str, str]:
    """The key of a declaration among the pieces."""
    return "declared", name


def mismatch(found: Type, wanted: Type) -> str:
    """The reason why a value of one type does not fit another, in few words."""
    inner = found.of if isinstance(found, Optional) and not isinstance(wanted, Optional) else None
    if inner and fits(inner, wanted):
        return f"it may be none, and {wanted} has no none"
    return f"it is {phrase(found)}, and {phrase(wanted)} is wanted"


def phrase(t: Type) -> str:
    """A type as messages name it."""
    if isinstance(t, Optional | Set | List | Map):
        return str(t)
    if t is BOOL:
        return "yes or no"
    return str(t)


def same_family(a: Type, b: Type) -> bool:
    """True if values of two types can be compared."""
    if isinstance(a, Set) and isinstance(b, Set):
        return a.of is None or b.of is None or a.of.family == b.of.family
    if isinstance(a, List) and isinstance(b, List):
        return a.of is None or b.of is None or a.of.family == b.of.family
    if isinstance(a, Map) and isinstance(b, Map):
        return a.keys == b.keys and same_family(a.of, b.of)
    left = a.of if isinstance(a, Optional) else a
    right = b.of if isinstance(b, Optional) else b
    if left is None or right is None:
        return not isinstance(left or right, Set | List | Map)
    return isinstance(left, Scalar) and isinstance(right, Scalar) and left.family == right.family


def _is_short(fact: n.Expr) -> bool:
    return sum(1 for _ in itertools.islice(nodes_within(fact), LONGEST_FACT + 1)) <= LONGEST_FACT


def product_size(domains: Iterable[Scalar]) -> int:
    """The number of combinations of values of some types."""
    size = 1
    for domain in domains:
        size *= len(domain.values)
    return size
