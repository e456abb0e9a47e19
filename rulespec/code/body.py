"""The body of one function of a game's code: statements, names, and values as expressions.

Expressions without effects hold a value: one for a scalar, one for each word of a set, the place of the first
element and the size for a list, the place for a map. Statements that a value needs are written to the body
before it.
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
    count_bits,
    differ,
    equal,
    intersection,
    is_atom,
    load,
    low,
    minus,
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
"""Numbers and words (both begin with the state), the source of chance, and the buffer of actions."""


class Body(Builder):
    """One function being written. `counts` are the numbers of legal actions computed so far.

    A `steady` function does not change the state.
    """

    def __init__(self, program: Program, functions: Functions, steady: bool = False) -> None:
        super().__init__(() if steady else ("s", "b"))
        self.program, self.codes, self.functions = program, program.codes, functions
        for array in (S, B, C, M):
            self.types[array.name] = array.type
        self.start = self.body
        """The statements of the function itself, of which inner ones are collected aside."""
        self.counts: dict[str, f.Expr] = {}
        self.slots = 0
        self.first_store: n.Effect | None = None
        """A leading effect that stores a value in a place that holds none."""
        self.before_store: BeforeStore | None = None
        """Writes code before each store of an effect that is undone later; values that do not fit are not
        stored then."""
        self.plans: dict[str, None] = {}
        """The textbook names of the steps of the function, in the order of writing."""
        self._numbered = 0

    # ---- names

    def name(self, wanted: str | n.Var, t: f.Type = f.NUMBER) -> f.Local:
        """A new local, with a wanted name or one made of letters of the variable's name and a number."""
        if isinstance(wanted, n.Var):
            self._numbered += 1
            wanted = numbered_name(Kind.LOCAL, self._numbered, wanted.name)
        return self.local(wanted, t)

    def named(self, wanted: str | n.Var, e: f.Expr | int, t: f.Type | None = None) -> f.Local:
        """A new local with an initial value; it can be assigned again."""
        value = number(e) if isinstance(e, int) else e
        x = self.name(wanted, t or value.type)
        self.set(x, value)
        return x

    def from_the_start(self, wanted: str, value: int) -> f.Local:
        """A new local that has an initial value from the start of the function."""
        x = self.name(wanted)
        self.start.insert(0, f.Set(x.name, number(value)))
        return x

    def atom(self, e: f.Expr, wanted: str | n.Var = "t") -> f.Expr:
        """The expression, or a local that holds it if repeating it would cost something."""
        return e if is_atom(e) else self.named(wanted, e)

    def atoms(self, val: Val, wanted: str | n.Var = "t") -> Val:
        """The value with each part as a local or constant."""
        return replace(val, parts=tuple(self.atom(e, wanted) for e in val.parts))

    def fresh(self, val: Val, wanted: str | n.Var = "t") -> Val:
        """A value in new locals, which can be assigned other values of the type."""
        types = (f.NUMBER if e.type is f.TRUTH and not is_truth(val.type) else e.type for e in val.parts)
        return replace(
            val, parts=tuple(self.named(wanted, e, t) for e, t in zip(val.parts, types, strict=True))
        )

    def names(self, t: Type, wanted: str | n.Var) -> tuple[f.Local, ...]:
        """New locals that hold a value of a type, as parameters or results of a function."""
        if isinstance(t, Set):
            return tuple(self.name(wanted, f.WORD) for _ in range(self.codes.words(t.of)))
        first = self.name(wanted)
        return (first, self.local(f"{first.name}_size")) if isinstance(t, List) else (first,)

    def assign(self, names: Sequence[f.Expr], val: Val) -> None:
        """Assign the words or numbers of a value to locals."""
        for name, e in zip(names, val.parts, strict=True):
            assert isinstance(name, f.Local)
            if name != e:
                self.set(name, e)

    def slot(self, t: Type, initial: Sequence[int] = ()) -> int:
        """Reserve memory for an intermediate value and return its place."""
        self.slots += not initial
        return self.program.slot(t, initial)

    # ---- expressions

    def value(self, e: n.Expr, env: Env) -> Val:
        """Write the statements that an expression needs, and return its value."""
        known = self.known(e, env)
        if known is not None:
            return self.constant(e.type, known.value)
        return self.functions.tabulated(self, e, env) or self.functions.handlers[type(e)](self, e, env)

    def cond(self, e: n.Expr, env: Env) -> f.Expr:
        """A condition as an expression, after writing the statements that it needs."""
        return as_type(self.value(e, env).expr, f.TRUTH)

    def known(self, e: n.Expr, env: Env) -> Known | None:
        """The value of an expression if it is static, else None."""
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
        """A constant value."""
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
        """The value that reading at none gives."""
        if isinstance(t, Set):
            return Val(t, (ZERO,) * self.codes.words(t.of))
        if isinstance(t, List | Map):
            return self.constant(t, t.nothing)
        known = t.nothing if isinstance(t, Scalar) else None
        return Val(t, (NONE,), True) if known is None else Val(t, (FALSE if is_truth(t) else number(0),))

    # ---- positions in domains

    def index(self, val: Val, of: Scalar, sure: bool = False) -> tuple[f.Expr, f.Expr]:
        """The position of a scalar among the values of a type, and the condition that it is one of them."""
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
        """True if a scalar belongs to a type."""
        mine = val.type.of if isinstance(val.type, Optional) else val.type
        if isinstance(mine, Scalar) and mine.within(of):
            return differ(val.expr, NONE) if val.none else TRUE
        return self.index(val, of)[1]

    def bit(self, e: f.Expr, of: Scalar) -> f.Expr:
        """The number of the bit that represents an element in a set."""
        return plus(e, -self.codes.base(of))

    # ---- parts of values

    def element(self, val: Val, position: f.Expr | int) -> Val:
        """The value of a map at the given position of its keys."""
        assert isinstance(val.type, Map)
        return self.held(val.type.of, plus(val.expr, times(position, self.program.size(val.type.of))))

    def held(self, t: Type, at: f.Expr | int) -> Val:
        """The value of a type stored at a place."""
        if isinstance(t, Set):
            return Val(t, tuple(load(B, plus(at, i)) for i in range(self.codes.words(t.of))))
        if isinstance(t, List):
            at = self.atom(plus(at), "at")
            return Val(t, (plus(at, 1), load(S, at)))
        if isinstance(t, Map):
            return Val(t, (plus(at),))
        return Val(t, (load(S, at),), isinstance(t, Optional))

    def widened(self, words: Sequence[f.Expr], size: int) -> tuple[f.Expr, ...]:
        """The words of a set extended or shortened to `size`; words that are dropped must be 0."""
        return tuple(words[i] if i < len(words) else ZERO for i in range(size))

    def put(self, t: Type, at: f.Expr | int, val: Val) -> None:
        """Store a value at a place; a list is padded with zeros, so that equal lists are stored alike."""
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
        """Store the elements of a list at a place."""
        self.do("move", S, at, *val.parts)
        self.begin_version()

    def copied(self, t: Type, val: Val) -> Val:
        """A value unaffected by later statements: scalars and sets in locals, other values copied."""
        if not isinstance(t, List | Map):
            return self.atoms(val)
        at = self.slot(t)
        self.put(t, at, val)
        return self.fresh(self.held(t, at))

    # ---- loops

    @contextmanager
    def bits(self, words: Sequence[f.Expr], wanted: str | n.Var, base: int) -> Iterator[f.Local]:
        """Loop over the set bits, lowest first; yields the code of each."""
        left = [self.named("left", e) for e in words]
        x = self.name(wanted)
        with self.repeat(union(*left)):
            self.lowest(left, x, base)
            yield x

    def lowest(self, words: Sequence[f.Local], x: f.Local, base: int) -> None:
        """Remove the lowest set bit from words, which must have one, and assign its code to `x`."""
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

    def nth_bit(self, held: Sequence[f.Expr], k: f.Expr) -> f.Expr:
        """The position of the set bit of words with k set bits below it, without a branch, which would often
        be mispredicted."""
        word, *others = (self.named("held", as_type(e, f.WORD)) for e in held)
        past: f.Expr = number(0)
        found: list[f.Expr] = []
        for other in others:
            size = self.named("size", count_bits(word))
            past = self.named("past", f.Binary(f.NUMBER, ">>", minus(minus(size, 1), k), number(WORD - 1)))
            k = self.named("k", minus(k, f.Binary(f.NUMBER, "&", size, past)))
            word = self.named("held", choose(equal(past, 0), word, other))
            found.append(f.Binary(f.NUMBER, "&", past, number(WORD)))
        return plus(self.call(f.NUMBER, "nth", word, k), *found)

    def add_bit(self, words: Sequence[f.Expr], position: f.Expr) -> None:
        """Add an element, given by its bit, to the set in locals."""
        position = self.atom(position) if len(words) > 1 else position
        self._add_bit(words, position)

    def _add_bit(self, words: Sequence[f.Expr], position: f.Expr) -> None:
        """Write code that sets the bit at a position of a set of words."""
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
        """True if a bit is set; its position must lie within the words."""
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
"""Called with the store, the type and address of the place, and its position in a map."""
Drawn = Callable[[Body, Val], None]
Tabulated = Callable[[Body, n.Expr, Env], Val | None]
ShareConditions = Callable[[Body, Conds, Env], tuple[Conds, Env]]
"""Replaces several conditions by membership in a shared set; see `SharedConditions.together`."""


class Functions:
    """The functions of a game's code, definitions being written on their first call, and operator
    handlers."""

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
        """The functions that evaluate a condition after an action; they are written last."""
        self.stores: dict[tuple[n.StateVar, bool, bool], str] = {}
        self.semijoins: dict[tuple[n.Expr, Scalar], str] = {}
        """Names of the functions of semijoins, by conjunction and type of values."""
        self.drawn: list[Drawn] = []
        """Writers of additional code for each outcome of chance."""
        self.faults: list[n.Effect] = []
        self.faulting: set[str] = set()
        """The functions of effects that return the number of a fault, or 0."""
        self.tests = 0
        """The number of places at which each fault is tested."""

    def can(self, action: str, given: int) -> str:
        """The name of the function that tests whether an action with these first choices is legal."""
        key = (action, given)
        if key not in self.asked:
            after = f", the first {given} choices given" if given else ""
            self.asked[key] = self.program.name(
                Kind.CAN, f"{action} {given or ''}", f"whether action `{action}` is legal{after}"
            )
            self.waiting.append(key)
        return self.asked[key]

    def after(self, e: n.After) -> str:
        """The name of the function that evaluates a condition after an action."""
        if e not in self.trials:
            meaning = f"whether what is asked after action `{e.action}` holds"
            self.trials[e] = self.program.name(Kind.AFTER, e.action, meaning)
        return self.trials[e]

    def storing(self, var: n.StateVar, none: bool, vacant: bool) -> str:
        """The name of the function that stores a value in a map and updates the bit sets of its values.

        The value may be none if `none`; the place is known to hold none if `vacant`.
        """
        key = var, none, vacant
        if key not in self.stores:
            meaning = f"store a value{' that may be none' * none} in `{var.name}`{' where none is' * vacant}"
            self.stores[key] = self.program.name(Kind.STORE, var.name, meaning)
        return self.stores[key]

    def fault(self, e: n.Effect) -> int:
        """The number that a function returns to report the fault of an effect."""
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
    """The types of the parts of a value, as functions return it."""
    if isinstance(t, Set):
        return (f.WORD,) * program.codes.words(t.of)
    return (f.NUMBER, f.NUMBER) if isinstance(t, List) else (f.TRUTH if is_truth(t) else f.NUMBER,)
