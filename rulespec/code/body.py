"""The body of one function of a game's code: statements, names, and values as expressions.

A value is held by expressions without effects: a scalar by one, a set by one for each word, a list by where
its first element lies and how many there are, a map by where it begins. What needs statements is
written to the body first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from ..core import nodes as n
from ..core.types import List, Map, Optional, Scalar, Set, Type, Value
from ..machine import form as f
from ..machine.builder import (
    FALSE,
    ONE,
    TRUE,
    ZERO,
    Builder,
    as_type,
    between,
    bit,
    choose,
    compare,
    differ,
    intersection,
    is_atom,
    load,
    low,
    number,
    plus,
    times,
    truth,
    union,
    word,
)  # fmt: skip
from .bindings import NONE, Conds, Env, Known, Macro, Val
from .codes import WORD
from .identifiers import Kind, numbered_name
from .program import Program, is_truth

S, B, C, M = (
    f.Local(t, name) for t, name in ((f.NUMBERS, "s"), (f.WORDS, "b"), (f.WORDS, "c"), (f.NUMBERS, "m"))
)
"""The numbers and the words that begin with the state, the source of chance, and the buffer of actions."""


class Body(Builder):
    """One function being written. `counts` are the numbers of legal actions that are known by then.

    A `steady` one leaves the state as it is.
    """

    def __init__(self, program: Program, functions: Functions, steady: bool = False) -> None:
        super().__init__(() if steady else ("s", "b"))
        self.program, self.codes, self.functions = program, program.codes, functions
        for array in (S, B, C, M):
            self.types[array.name] = array.type
        self.counts: dict[str, f.Expr] = {}
        self.slots = 0
        self.first_store: n.Effect | None = None
        """An effect that comes first and stores a value where none is."""
        self.before_store: BeforeStore | None = None
        """Writes what precedes each store of an effect that is undone; misfits are not stored then."""
        self.plans: dict[str, None] = {}
        """The steps of the function that have a name in textbooks, in the order of writing."""
        self._numbered = 0

    # ---- names

    def name(self, wanted: str | n.Var, t: f.Type = f.NUMBER) -> f.Local:
        """A new local: by a word of ours, or by a number and letters of the variable's name."""
        if isinstance(wanted, n.Var):
            self._numbered += 1
            wanted = numbered_name(Kind.LOCAL, self._numbered, wanted.name)
        return self.local(wanted, t)

    def named(self, wanted: str | n.Var, e: f.Expr | int, t: f.Type | None = None) -> f.Local:
        """A new local with a value, which may be given others."""
        value = number(e) if isinstance(e, int) else e
        x = self.name(wanted, t or value.type)
        self.set(x, value)
        return x

    def atom(self, e: f.Expr, wanted: str | n.Var = "t") -> f.Expr:
        """The expression, or a name for it where repeating it would cost something."""
        return e if is_atom(e) else self.named(wanted, e)

    def atoms(self, val: Val, wanted: str | n.Var = "t") -> Val:
        """A value whose parts are names or constants."""
        return replace(val, parts=tuple(self.atom(e, wanted) for e in val.parts))

    def fresh(self, val: Val, wanted: str | n.Var = "t") -> Val:
        """A value under names of its own, which may be given others of the type."""
        types = (f.NUMBER if e.type is f.TRUTH and not is_truth(val.type) else e.type for e in val.parts)
        return replace(
            val, parts=tuple(self.named(wanted, e, t) for e, t in zip(val.parts, types, strict=True))
        )

    def names(self, t: Type, wanted: str | n.Var) -> tuple[f.Local, ...]:
        """Parameters, or variables for the results of a function, that hold a value of a type."""
        if isinstance(t, Set):
            return tuple(self.name(wanted, f.WORD) for _ in range(self.codes.words(t.of)))
        first = self.name(wanted)
        return (first, self.local(f"{first.name}_size")) if isinstance(t, List) else (first,)

    def assign(self, names: Sequence[f.Expr], val: Val) -> None:
        """Give names a value."""
        for name, e in zip(names, val.parts, strict=True):
            assert isinstance(name, f.Local)
            if name != e:
                self.set(name, e)

    def slot(self, t: Type, initial: Sequence[int] = ()) -> int:
        """Room for a value that is written on the way."""
        self.slots += not initial
        return self.program.slot(t, initial)

    # ---- expressions

    def value(self, e: n.Expr, env: Env) -> Val:
        """A value for an expression; what it needs is written first."""
        known = self.known(e, env)
        if known is not None:
            return self.constant(e.type, known.value)
        return self.functions.tabulated(self, e, env) or self.functions.handlers[type(e)](self, e, env)

    def cond(self, e: n.Expr, env: Env) -> f.Expr:
        """A condition."""
        return as_type(self.value(e, env).expr, f.TRUTH)

    def known(self, e: n.Expr, env: Env) -> Known | None:
        """The value of an expression if it follows from the rules alone."""
        if isinstance(e, n.Const):
            return Known(e.value)
        if self.program.reads_state(e):
            return None
        found: dict[n.Var, Value] = {}
        for var in self.program.free(e):
            bound = env[var]
            if isinstance(bound, Macro):
                bound = self.known(bound.body, bound.env) or bound
            if not isinstance(bound, Known):
                return None
            found[var] = bound.value
        return Known(self.program.static.value(e, found))

    def constant(self, t: Type, value: Value) -> Val:
        """A known value."""
        program = self.program
        if isinstance(t, Set):
            return Val(t, tuple(map(word, self.codes.mask(t.of, value))))
        if isinstance(t, List):
            codes = [self.codes.code(t.of, v) for v in value] if t.of else []
            return Val(t, (number(program.room("s", len(codes), codes) if codes else 0), number(len(codes))))
        if isinstance(t, Map):
            return Val(t, (number(program.slot(t, program.flat(t, value))),))
        if value is None:
            return Val(t, (NONE,), True)
        code = self.codes.code(t, value)
        return Val(t, (truth(bool(code)) if is_truth(t) else number(code),))

    def nothing(self, t: Type) -> Val:
        """The value that reading at nothing gives."""
        if isinstance(t, Set):
            return Val(t, (ZERO,) * self.codes.words(t.of))
        if isinstance(t, List | Map):
            return self.constant(t, t.nothing)
        known = t.nothing if isinstance(t, Scalar) else None
        return Val(t, (NONE,), True) if known is None else Val(t, (FALSE if is_truth(t) else number(0),))

    # ---- positions in domains

    def index(self, val: Val, of: Scalar, sure: bool = False) -> tuple[f.Expr, f.Expr]:
        """The position of a scalar among a type's values, and a condition: that it has one."""
        if val.expr == NONE:
            return number(-1), FALSE
        codes = self.codes.codes(of)
        first, last = codes[0], codes[-1]
        mine = val.type.of if isinstance(val.type, Optional) else val.type
        fit = isinstance(mine, Scalar) and mine.within(of)
        sure = sure or (not val.none and fit)
        held = val.expr if sure else self.atom(val.expr)
        place, inside = plus(held, -first), between(first, as_type(held, f.NUMBER), last)
        if last - first + 1 != len(codes):
            places = [-1] * (last - first + 1)
            for i, code in enumerate(codes):
                places[code - first] = i
            place = load(self.program.table(places, f"place of {of}", f"positions of {of}"), place)
            if not fit:
                place = self.named("place", choose(inside, place, -1))
                inside = compare(">=", place, 0)
        return place, TRUE if sure else differ(held, NONE) if fit else inside

    def inside(self, val: Val, of: Scalar) -> f.Expr:
        """True if a type holds a scalar."""
        mine = val.type.of if isinstance(val.type, Optional) else val.type
        if isinstance(mine, Scalar) and mine.within(of):
            return differ(val.expr, NONE) if val.none else TRUE
        return self.index(val, of)[1]

    def bit(self, e: f.Expr, of: Scalar) -> f.Expr:
        """The number of the bit of a set that stands for an element."""
        return plus(e, -self.codes.base(of))

    # ---- parts of values

    def element(self, val: Val, position: f.Expr | int) -> Val:
        """The value of a map at a position of its keys."""
        assert isinstance(val.type, Map)
        return self.held(val.type.of, plus(val.expr, times(position, self.program.size(val.type.of))))

    def held(self, t: Type, at: f.Expr | int) -> Val:
        """The value of a type that begins somewhere."""
        if isinstance(t, Set):
            return Val(t, tuple(load(B, plus(at, i)) for i in range(self.codes.words(t.of))))
        if isinstance(t, List):
            at = self.atom(plus(at), "at")
            return Val(t, (plus(at, 1), load(S, at)))
        if isinstance(t, Map):
            return Val(t, (plus(at),))
        return Val(t, (load(S, at),), isinstance(t, Optional))

    def widened(self, words: Sequence[f.Expr], size: int) -> tuple[f.Expr, ...]:
        """The words of a set as so many words; what is cut off must be empty."""
        return tuple(words[i] if i < len(words) else ZERO for i in range(size))

    def put(self, t: Type, at: f.Expr | int, val: Val) -> None:
        """Write a value of a type from a place on; a list is filled up with 0, so that equals are equal."""
        if isinstance(t, Set):
            for k, e in enumerate(self.widened(val.parts, self.codes.words(t.of))):
                self.store(B, plus(at, k), e)
        elif isinstance(t, List):
            self.do("keep", S, at, 0, *val.parts)
            self.begin_version()
        elif isinstance(t, Map):
            i = self.name("i")
            source, at = self.atoms(val), self.atom(plus(at), "at")
            with self.each(i, 0, len(t.keys.values)):
                self.put(t.of, plus(at, times(i, self.program.size(t.of))), self.element(source, i))
        else:
            self.store(S, at, val.expr)

    def copy(self, at: f.Expr | int, val: Val) -> None:
        """Write the elements of a list from a place on."""
        self.do("move", S, at, *val.parts)
        self.begin_version()

    def copied(self, t: Type, val: Val) -> Val:
        """A value that nothing written later changes: scalars and sets named, the others copied."""
        if not isinstance(t, List | Map):
            return self.atoms(val)
        at = self.slot(t)
        self.put(t, at, val)
        return self.fresh(self.held(t, at))

    # ---- loops

    @contextmanager
    def bits(self, words: Sequence[f.Expr], wanted: str | n.Var, base: int) -> Iterator[f.Local]:
        """A loop over the bits of words, lowest first: the code of each."""
        left = [self.named("left", e) for e in words]
        x = self.name(wanted)
        with self.repeat(union(*left)):
            self.lowest(left, x, base)
            yield x

    def lowest(self, words: Sequence[f.Local], x: f.Local, base: int) -> None:
        """Take the lowest bit out of words, of which one is not empty, and name its code."""
        if not words:
            return
        first, *others = words
        with self.aside() as taken:
            self.set(x, plus(low(first), base))
            self.set(first, intersection(first, f.Binary(f.WORD, "-", first, ONE)))
        if not others:
            self.body += taken
            return
        with self.when(first):
            self.body += taken
        with self.otherwise():
            self.lowest(others, x, base + WORD)

    def add_bit(self, words: Sequence[f.Expr], position: f.Expr) -> None:
        """Put an element, given by its bit, into the set that names hold."""
        position = self.atom(position) if len(words) > 1 else position
        self._add_bit(words, position)

    def _add_bit(self, words: Sequence[f.Expr], position: f.Expr) -> None:
        first, *others = words
        assert isinstance(first, f.Local)
        if not others:
            self.set(first, union(first, bit(position)))
            return
        with self.when(compare("<", position, WORD)):
            self.set(first, union(first, bit(position)))
        with self.otherwise():
            self._add_bit(others, plus(position, -WORD))

    def has_bit(self, words: Sequence[f.Expr], position: f.Expr) -> f.Expr:
        """True if a bit, surely one of the words', is set."""
        if not words:
            return FALSE
        if len(words) == 1:
            return differ(intersection(words[0], bit(position)), ZERO)
        position = self.atom(position)
        held = words[-1]
        for i in range(len(words) - 2, -1, -1):
            held = choose(compare("<", position, WORD * (i + 1)), words[i], held)
        return differ(intersection(held, bit(f.Binary(f.NUMBER, "&", position, number(WORD - 1)))), ZERO)


Handler = Callable[..., Val]
BeforeStore = Callable[[n.Assign, Type, f.Expr, f.Expr], None]
"""Takes the store, the type and the address of the place, and its position in a map."""
Drawn = Callable[[Body, Val], None]
Tabulated = Callable[[Body, n.Expr, Env], Val | None]
ShareConditions = Callable[[Body, Conds, Env], tuple[Conds, Env]]
"""Puts a shared set in the place of several conditions; see `SharedConditions.together`."""


class Functions:
    """The functions of a game's code, those of definitions written when first called, and the handlers of
    operators.
    """

    def __init__(
        self, program: Program, handlers: Mapping[type[n.Expr], Handler], tabulated: Tabulated
    ) -> None:
        self.program = program
        self.handlers = handlers
        self.tabulated = tabulated
        self.share_conditions: ShareConditions | None = None
        self.written: dict[str, f.Function] = {}
        self.names: dict[n.Function, str] = {}
        self.entries: list[str] = []
        """The functions that may be called from outside."""
        self.asked: dict[tuple[str, int], str] = {}
        self.waiting: list[tuple[str, int]] = []
        self.trials: dict[n.After, str] = {}
        """The functions that say what holds after an action; they are written last."""
        self.stores: dict[tuple[n.StateVar, bool, bool], str] = {}
        self.semijoins: dict[tuple[n.Expr, Scalar], str] = {}
        """Names of the functions of semijoins, by the conjunction and the type of its values."""
        self.drawn: list[Drawn] = []
        """Writers of what happens with each outcome of chance besides what the rules say."""
        self.faults: list[n.Effect] = []
        self.faulting: set[str] = set()
        """The functions of effects that return the number of a fault, or 0."""
        self.tests = 0
        """In how many places a fault is tested for."""

    def can(self, action: str, given: int) -> str:
        """The name of the function that says whether an action is legal with so many first choices given."""
        key = (action, given)
        if key not in self.asked:
            after = f", the first {given} choices given" if given else ""
            self.asked[key] = self.program.name(
                Kind.CAN, f"{action} {given or ''}", f"whether action `{action}` is legal{after}"
            )
            self.waiting.append(key)
        return self.asked[key]

    def after(self, e: n.After) -> str:
        """The name of the function that says what holds after an action."""
        if e not in self.trials:
            meaning = f"whether what is asked after action `{e.action}` holds"
            self.trials[e] = self.program.name(Kind.AFTER, e.action, meaning)
        return self.trials[e]

    def storing(self, var: n.StateVar, none: bool, vacant: bool) -> str:
        """The name of the function that stores a value, which may be none, in a map that may have words, and
        that holds none there if it is `vacant`.
        """
        key = var, none, vacant
        if key not in self.stores:
            meaning = f"store a value{' that may be none' * none} in `{var.name}`{' where none is' * vacant}"
            self.stores[key] = self.program.name(Kind.STORE, var.name, meaning)
        return self.stores[key]

    def fault(self, e: n.Effect) -> int:
        """The number with which a function ends where an effect faults."""
        self.tests += 1
        if e not in self.faults:
            self.faults.append(e)
        return self.faults.index(e) + 1

    def add(
        self,
        name: str,
        parameters: Sequence[f.Local],
        body: Body,
        *results: f.Type,
        entry: bool = False,
        apart: bool = False,
        once: tuple[int, ...] | None = None,
    ) -> None:
        """Add a function; an `entry` may be called from outside. See `form.Function`."""
        if entry:
            self.entries.append(name)
        origin = "; ".join((self.program.meanings.get(name, ""), *body.plans)).removeprefix("; ")
        self.written[name] = body.function(name, parameters, results, origin=origin, apart=apart, once=once)


def results_of(program: Program, t: Type) -> tuple[f.Type, ...]:
    """The types of the parts of a value of a type, as functions give it."""
    if isinstance(t, Set):
        return (f.WORD,) * program.codes.words(t.of)
    return (f.NUMBER, f.NUMBER) if isinstance(t, List) else (f.TRUTH if is_truth(t) else f.NUMBER,)
