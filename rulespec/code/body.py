"""The body of one generated function: lines, names, and values as texts.

A value is held by texts without effects: a scalar by one, a set by one for each word, a list by where
its first element lies and how many there are, a map by where it begins. What needs statements is
written to the body first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from ..core import nodes as n
from ..core.types import List, Map, Optional, Scalar, Set, Type, Value
from .codes import NONE, WORD
from .naming import NUMBERED, Kind, Word, numbered
from .program import Program
from .vals import Env, Known, Macro, Val, bare, is_atom, plus, sum_of, times

_ENCLOSED = re.compile(r"(return|if|elif|while|[^=()]+ =) (\(.*\))(:?)")
_NAMED = re.compile(r"\(*(?:[sb]\[)?(?:([A-Z]\w*)[\[\] ]|(\w+)\(s, b)")
"""What a value is called after: where it lies, the table it comes from, or the definition."""


class Body:
    """One function being written. `counts` are the numbers of legal actions that are known by then."""

    def __init__(self, program: Program, functions: Functions, params: Sequence[str] = ()) -> None:
        self.program = program
        self.codes = program.codes
        self.functions = functions
        self.lines: list[str] = []
        self.depth = 1
        self.counts: dict[str, str] = {}
        self.slots = 0
        self._numbered = 0
        self._tried: dict[str, int] = {}
        self._taken = {*params, *"s b c m n k total action fault ended asked old bit".split()}

    # ---- lines and names

    def line(self, text: str) -> None:
        """Write a statement."""
        found = _ENCLOSED.fullmatch(text)
        if found:
            text = f"{found[1]} {bare(found[2])}{found[3]}"
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Write what follows under a head such as `if x`."""
        self.line(f"{head}:")
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    @contextmanager
    def aside(self) -> Iterator[list[str]]:
        """Collect the lines written meanwhile instead of writing them."""
        kept, self.lines = self.lines, []
        try:
            yield self.lines
        finally:
            self.lines = kept

    def local(self, wanted: Word | n.Var) -> str:
        """An unused local name: the `Word`, with a number if need be, or one for the variable."""
        if isinstance(wanted, n.Var):
            self._numbered += 1
            return self._unused(numbered(Kind.LOCAL, self._numbered, wanted.name))
        return self._unused(wanted)

    def beside(self, name: str, part: str) -> str:
        """An unused local name derived from another one, for a part or a result of its value."""
        return self._unused(f"{name.lower()}{part}")

    def _unused(self, base: str) -> str:
        found, i = base, self._tried.get(base, 2)
        while found in self._taken or found in self.program.taken:
            found, i = f"{base}_{i}", i + 1
        self._tried[base] = i
        self._taken.add(found)
        return found

    def atom(self, text: str, wanted: Word | n.Var = "t") -> str:
        """The text, or a name for it where repeating it would cost something."""
        if is_atom(text):
            return text
        of = _NAMED.match(text) if wanted == "t" else None
        after = of and (of[1] or of[2])
        name = self.beside(after, "") if after and NUMBERED.fullmatch(after) else self.local(wanted)
        self.line(f"{name} = {text}")
        return name

    def atoms(self, val: Val, wanted: Word | n.Var = "t") -> Val:
        """A value whose texts are names or numbers."""
        return Val(val.type, tuple(self.atom(text, wanted) for text in val.texts), val.none)

    def fresh(self, val: Val, wanted: Word | n.Var = "t") -> Val:
        """A value under names of its own, which may be assigned to."""
        names = tuple(self.local(wanted) for _ in val.texts)
        for name, text in zip(names, val.texts, strict=True):
            self.line(f"{name} = {text}")
        return Val(val.type, names, val.none)

    def set(self, names: Sequence[str], val: Val) -> None:
        """Assign a value to names."""
        for name, text in zip(names, val.texts, strict=True):
            if name != text:
                self.line(f"{name} = {text}")

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

    def cond(self, e: n.Expr, env: Env) -> str:
        """The text of a condition."""
        return self.value(e, env).text

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
            return Val(t, tuple(map(program.word, self.codes.mask(t.of, value))))
        if isinstance(t, List):
            if not value:
                return Val(t, ("0", "0"))
            assert t.of is not None
            codes = [self.codes.code(t.of, v) for v in value]
            return Val(t, (str(program.room("s", len(codes), codes)), str(len(codes))))
        if isinstance(t, Map):
            return Val(t, (str(program.slot(t, program.flat(t, value))),))
        code = self.codes.code(t, value)
        return Val(t, ("NONE" if code == NONE else str(code),), value is None)

    def nothing(self, t: Type) -> Val:
        """The value that reading at nothing gives."""
        if isinstance(t, Set):
            return Val(t, ("ZERO",) * self.codes.words(t.of))
        if isinstance(t, List | Map):
            return self.constant(t, t.nothing)
        known = t.nothing if isinstance(t, Scalar) else None
        return Val(t, ("0",) if known is not None else ("NONE",), known is None)

    # ---- positions in domains

    def index(self, val: Val, of: Scalar, sure: bool = False) -> tuple[str, bool]:
        """The position of a scalar among a type's values, and whether it surely has one (else it is -1)."""
        if val.text == "NONE":
            return "-1", False
        codes = self.codes.codes(of)
        first, last = codes[0], codes[-1]
        mine = val.type.of if isinstance(val.type, Optional) else val.type
        sure = sure or (not val.none and isinstance(mine, Scalar) and mine.within(of))
        if last - first + 1 == len(codes):
            if sure:
                return plus(val.text, -first), True
            held = self.atom(val.text)
            return f"({plus(held, -first)} if {first} <= {held} <= {last} else -1)", False
        places = [-1] * (last - first + 1)
        for i, code in enumerate(codes):
            places[code - first] = i
        name = self.program.table("table", places, f"place of {of}", f"positions of {of}")
        if sure:
            return f"{name}[{plus(val.text, -first)}]", True
        held = self.atom(val.text)
        return f"({name}[{plus(held, -first)}] if {first} <= {held} <= {last} else -1)", False

    def inside(self, val: Val, of: Scalar) -> str:
        """The text of whether a type holds a scalar."""
        codes = self.codes.codes(of)
        mine = val.type.of if isinstance(val.type, Optional) else val.type
        if isinstance(mine, Scalar) and mine.within(of):
            return f"{val.text} != NONE" if val.none else "True"
        if codes[-1] - codes[0] + 1 == len(codes):
            return f"{codes[0]} <= {val.text} <= {codes[-1]}"
        return f"{self.index(val, of)[0]} >= 0"

    def bit(self, text: str, of: Scalar) -> str:
        """Which bit of a set stands for an element."""
        return plus(text, -self.codes.base(of))

    # ---- parts of values

    def element(self, val: Val, position: str) -> Val:
        """The value of a map at a position of its keys."""
        assert isinstance(val.type, Map)
        return self.held(val.type.of, sum_of(val.text, times(position, self.program.size(val.type.of))))

    def held(self, t: Type, at: str) -> Val:
        """The value of a type that begins somewhere."""
        if isinstance(t, Set):
            return Val(t, tuple(f"b[{plus(at, i)}]" for i in range(self.codes.words(t.of))))
        if isinstance(t, List):
            at = self.atom(at, "at")
            return Val(t, (plus(at, 1), f"s[{at}]"))
        if isinstance(t, Map):
            return Val(t, (at,))
        return Val(t, (f"s[{at}]",), isinstance(t, Optional))

    def widened(self, words: Sequence[str], size: int) -> tuple[str, ...]:
        """The words of a set as so many words; what is cut off must be empty."""
        return tuple(words[i] if i < len(words) else "ZERO" for i in range(size))

    def put(self, t: Type, at: str, val: Val) -> None:
        """Write a value of a type from a place on; a list is filled up with 0, so that equals are equal."""
        if isinstance(t, Set):
            for k, word in enumerate(self.widened(val.texts, self.codes.words(t.of))):
                self.line(f"b[{plus(at, k)}] = {word}")
        elif isinstance(t, List):
            self.line(f"keep(s, {at}, {t.cap}, {', '.join(val.texts)})")
        elif isinstance(t, Map):
            i = self.local("i")
            source, at = self.atoms(val), self.atom(at, "at")
            with self.block(f"for {i} in range({len(t.keys.values)})"):
                self.put(t.of, sum_of(at, times(i, self.program.size(t.of))), self.element(source, i))
        else:
            self.line(f"s[{at}] = {val.text}")

    def copied(self, t: Type, val: Val) -> Val:
        """A value that nothing written later changes: scalars and sets named, the others copied."""
        if not isinstance(t, List | Map):
            return self.atoms(val)
        at = self.slot(t)
        self.put(t, str(at), val)
        return self.fresh(self.held(t, str(at)))

    # ---- loops

    @contextmanager
    def bits(self, words: Sequence[str], wanted: Word | n.Var, base: int) -> Iterator[str]:
        """A loop over the bits of words, lowest first: the code of each."""
        names = [self.local("left") for _ in words]
        for name, text in zip(names, words, strict=True):
            self.line(f"{name} = {text}")
        x = self.local(wanted)
        with self.block(f"while {' | '.join(names) or 'False'}"):
            self.lowest(names, x, base)
            yield x

    def lowest(self, names: Sequence[str], x: str, base: int) -> None:
        """Take the lowest bit out of words, of which one is not empty, and name its code."""
        for i, name in enumerate(names):
            number = plus(f"low({name})", base + WORD * i)
            if len(names) == 1:
                self.line(f"{x} = {number}")
                self.line(f"{name} &= {name} - ONE")
                continue
            last = i == len(names) - 1
            with self.block("else" if last else f"if {name}" if i == 0 else f"elif {name}"):
                self.line(f"{x} = {number}")
                self.line(f"{name} &= {name} - ONE")

    def add_bit(self, names: Sequence[str], bit: str) -> None:
        """Put an element, given by its bit, into the set that names hold."""
        if len(names) == 1:
            self.line(f"{names[0]} |= BIT[{bit}]")
            return
        held = self.atom(bit)
        for i, name in enumerate(names):
            last = i == len(names) - 1
            head = "else" if last else f"{'if' if i == 0 else 'elif'} {held} < {WORD * (i + 1)}"
            with self.block(head):
                self.line(f"{name} |= BIT[{plus(held, -WORD * i)}]")

    def has_bit(self, words: Sequence[str], bit: str) -> str:
        """The text of whether a bit, surely one of the words', is set."""
        if not words:
            return "False"
        if len(words) == 1:
            return f"({words[0]} & BIT[{bit}] != ZERO)"
        held = self.atom(bit)
        word = words[-1]
        for i in range(len(words) - 2, -1, -1):
            word = f"({words[i]} if {held} < {WORD * (i + 1)} else {word})"
        return f"({word} & BIT[{held} & {WORD - 1}] != ZERO)"


Handler = Callable[..., Val]
Tabulated = Callable[[Body, n.Expr, Env], Val | None]


class Functions:
    """The generated functions of definitions, written when first called, and the handlers of operators."""

    def __init__(
        self, program: Program, handlers: Mapping[type[n.Expr], Handler], tabulated: Tabulated
    ) -> None:
        self.program = program
        self.handlers = handlers
        self.tabulated = tabulated
        self.names: dict[n.Function, str] = {}
        self.light: dict[str, int] = {}
        """The functions of definitions that take little work, with the number of calls they come to."""
        self.texts: list[str] = []
        self.entries: list[str] = []
        """The functions that may be called from outside."""
        self.asked: dict[tuple[str, int], str] = {}
        self.waiting: list[tuple[str, int]] = []
        self.stores: dict[n.StateVar, str] = {}
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

    def storing(self, var: n.StateVar) -> str:
        """The name of the function that stores a value in a map which may have words of its own."""
        if var not in self.stores:
            self.stores[var] = self.program.name(Kind.STORE, var.name, f"store a value in `{var.name}`")
        return self.stores[var]

    def fault(self, e: n.Effect) -> int:
        """The number with which a function ends where an effect faults."""
        self.tests += 1
        if e not in self.faults:
            self.faults.append(e)
        return self.faults.index(e) + 1

    def add(
        self, name: str, params: Sequence[str], body: Body, entry: bool = False, *, mark: str = ""
    ) -> None:
        """Add the text of a function; an `entry` may be called from outside the text.

        A further `mark` says that it is `steady` or asked `once`; see `machine.remembering`.
        """
        marks = [*([f"@{mark}"] if mark else []), "@fast" if entry else "@part"]
        if entry:
            self.entries.append(name)
        lines = body.lines or ["    pass"]
        self.texts.append("\n".join(marks) + f"\ndef {name}({', '.join(params)}):\n" + "\n".join(lines))
