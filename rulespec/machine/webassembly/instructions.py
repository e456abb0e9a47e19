"""Functions of the form as instructions of WebAssembly."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from .. import form as f
from ..traversal import parts_of
from . import binary as w
from .if_conversion import as_range, is_cheap, is_unpredictable

WASM = {f.NUMBER: w.I64, f.WORD: w.I64, f.REAL: w.F64, f.TRUTH: w.I32} | dict.fromkeys(f.ELEMENTS, w.I32)
WASM |= dict.fromkeys(f.VAST, w.I64)
LOADS = {f.NUMBERS: w.I64_LOAD, f.WORDS: w.I64_LOAD, f.SMALL: w.I64_LOAD32_S, f.REALS: w.F64_LOAD}
STORES = {f.NUMBERS: w.I64_STORE, f.WORDS: w.I64_STORE, f.SMALL: w.I64_STORE32, f.REALS: w.F64_STORE}
for _number, (_vast, _kind) in enumerate(f.VAST.items(), 1):
    LOADS[_vast], STORES[_vast] = (w.in_memory(table[_kind], _number) for table in (LOADS, STORES))
SIGNED = 1 << 63
SHORT = 128
"""Fewer bytes are copied one by one."""
LONG = 48
"""An arm of a condition with at least this many bytes subtracts its own work; a shorter one always counts."""


class Body:
    """The body of one function."""

    def __init__(
        self,
        module: f.Module,
        numbers: dict[str, int],
        addresses: dict[str, int],
        function: f.Function,
        limited: bool = False,
    ) -> None:
        self.module, self.numbers, self.addresses = module, numbers, addresses
        self.function, self.limited = function, limited
        self.out = bytearray()
        self.charged = 0
        """Number of bytes of `out` in parts that subtract their own work, those instructions included."""
        self.starts: list[tuple[bytes, int, int]] = [(w.LOOP, 0, 0)]
        """For the function and each enclosing block: its kind, its beginning, and `charged` there."""
        self.depth = 0
        self.places = {name: i for i, (name, _) in enumerate((*function.parameters, *function.variables))}
        self.locals: list[bytes] = [WASM[t] for _, t in function.variables]
        self.first = len(function.parameters)
        self.loops: list[tuple[int, int]] = []
        """For each enclosing loop the depths of the blocks that end it and its step."""
        self.leaving: int | None = None
        """The depth of the block that `Return` leaves; None for the function."""

    def encode(self) -> bytes:
        """Write the instructions of the function, and return them encoded, with the locals; call it once."""
        self.block(self.function.body)
        self.charge()
        if self.function.results:
            self.out += w.UNREACHABLE
        runs: list[list[Any]] = []
        for held in self.locals:
            if runs and runs[-1][1] == held:
                runs[-1][0] += 1
            else:
                runs.append([1, held])
        return w.vector(w.encode_unsigned(count) + held for count, held in runs) + bytes(self.out) + w.END

    def fresh(self, held: bytes) -> int:
        """Add a local of a type; returns its index."""
        self.locals.append(held)
        return self.first + len(self.locals) - 1

    def put(self, *parts: bytes) -> None:
        for part in parts:
            self.out += part

    def get(self, place: int) -> None:
        self.out += w.GET
        self.out += w.encode_unsigned(place)

    def set(self, place: int) -> None:
        self.out += w.SET
        self.out += w.encode_unsigned(place)

    def branch(self, to: int, instruction: bytes = w.BR) -> None:
        """Branch to the end of the block at a depth."""
        self.put(instruction, w.encode_unsigned(self.depth - to - 1))

    def open_block(self, kind: bytes, result: bytes = w.EMPTY) -> int:
        """Begin a block and return its depth."""
        self.put(kind, result)
        self.depth += 1
        self.starts.append((kind, len(self.out), self.charged))
        return self.depth - 1

    def otherwise(self) -> None:
        """Begin the other arm of a condition."""
        self.charge()
        self.put(w.ELSE)
        self.starts.append((w.IF, len(self.out), self.charged))

    def close_block(self) -> None:
        self.charge()
        self.put(w.END)
        self.depth -= 1

    def charge(self) -> None:
        """Close a stretch of code: a loop, a long arm or the function first subtracts its bytes from the
        remaining work, except those of inner stretches that do so themselves."""
        kind, start, before = self.starts.pop()
        work = len(self.out) - start - (self.charged - before)
        if not self.limited or kind == w.BLOCK or (kind == w.IF and work < LONG):
            return
        less = w.I64_CONST + w.encode_signed(work) + w.I64_SUB
        taking = w.GLOBAL_GET + b"\x00" + less + w.GLOBAL_SET + b"\x00"
        testing = w.GLOBAL_GET + b"\x00" + w.I64_CONST + w.encode_signed(0) + w.NUMBER_COMPARE["<"]
        self.out[start:start] = taking + testing + w.IF + w.EMPTY + w.UNREACHABLE + w.END
        self.charged = before + len(self.out) - start

    # ---- statements

    def block(self, body: f.Body) -> None:
        for statement in body:
            STATEMENTS[type(statement)](self, statement)

    def set_one(self, node: f.Set) -> None:
        self.expr(node.value)
        self.set(self.places[node.name])

    def set_many(self, node: f.SetMany) -> None:
        for value in node.values:
            self.expr(value)
        for name in reversed(node.names):
            self.set(self.places[name])

    def set_results(self, node: f.SetResults) -> None:
        self.call(node.function, node.arguments)
        for name in reversed(node.names):
            if name is None:
                self.put(w.DROP)
            else:
                self.set(self.places[name])

    def store(self, node: f.Store) -> None:
        offset = self.address(node.array, node.index)
        self.expr(node.value)
        self.put(STORES[node.array.type], w.encode_unsigned(offset))

    def do(self, node: f.Do) -> None:
        self.call(node.function, node.arguments)
        self.put(w.DROP * len(self.module.functions[node.function].results))

    def branches(self, node: f.If) -> None:
        self.expr(node.condition)
        self.open_block(w.IF)
        self.block(node.then)
        if node.other:
            self.otherwise()
            self.block(node.other)
        self.close_block()

    def repeat(self, node: f.While) -> None:
        """Write a `while` loop."""
        out = self.open_block(w.BLOCK)
        top = self.open_block(w.LOOP)
        if node.condition != f.Const(f.TRUTH, 1):
            self.expr(node.condition)
            self.put(w.I32_EQZ)
            self.branch(out, w.BR_IF)
        self.loops.append((out, top))
        self.block(node.body)
        self.loops.pop()
        self.branch(top)
        self.close_block()
        self.close_block()

    def count(self, node: f.For) -> None:
        """Write a `for` loop; a long copy becomes one instruction unless work is limited."""
        if self.limited or (size := copied_bytes(node)) < SHORT:
            self.steps(node)
            return
        (store,) = node.body
        assert isinstance(store, f.Store) and isinstance(store.value, f.Load)
        places = []
        self.expr(node.first)
        self.set(self.places[node.name])
        for element in (store, store.value):
            self.more(element.array.type, self.address(element.array, element.index))
            places.append(self.fresh(w.I32))
            self.set(places[-1])
        self.get(places[0])
        self.get(places[1])
        self.put(w.I32_SUB, w.I32_CONST, w.encode_signed(size), w.I32_GE_U)  # no step reads what one wrote
        self.open_block(w.IF)
        self.get(places[0])
        self.get(places[1])
        self.put(w.I32_CONST, w.encode_signed(size), w.MEMORY_COPY)
        self.expr(f.Binary(f.NUMBER, "-", node.last, f.Const(f.NUMBER, 1)))
        self.set(self.places[node.name])
        self.otherwise()
        self.steps(node)
        self.close_block()

    def steps(self, node: f.For) -> None:
        """Write a loop that runs step by step."""
        step, last = self.fresh(w.I64), self.fresh(w.I64)
        self.expr(node.first)
        self.set(step)
        self.expr(node.last)
        self.set(last)
        out = self.open_block(w.BLOCK)
        top = self.open_block(w.LOOP)
        self.get(step)
        self.get(last)
        self.put(w.NUMBER_COMPARE[">=" if node.step > 0 else "<="])
        self.branch(out, w.BR_IF)
        self.get(step)
        self.set(self.places[node.name])
        again = self.open_block(w.BLOCK)
        self.loops.append((out, again))
        self.block(node.body)
        self.loops.pop()
        self.close_block()
        self.get(step)
        self.put(w.I64_CONST, w.encode_signed(node.step), w.I64_OPS["+"])
        self.set(step)
        self.branch(top)
        self.close_block()
        self.close_block()

    def leave_loop(self, node: f.Break) -> None:
        self.branch(self.loops[-1][0])

    def next_step(self, node: f.Continue) -> None:
        self.branch(self.loops[-1][1])

    def leave(self, node: f.Return) -> None:
        for value in node.values:
            self.expr(value)
        if self.leaving is None:
            self.put(w.RETURN)
        else:
            self.branch(self.leaving)

    # ---- expressions

    def expr(self, node: f.Expr) -> None:
        EXPRESSIONS[type(node)](self, node)

    def const(self, node: f.Const) -> None:
        if node.type is f.REAL:
            self.put(w.F64_CONST, struct.pack("<d", node.value))
        elif node.type is f.TRUTH:
            self.put(w.I32_CONST, w.encode_signed(int(node.value)))
        else:
            value = int(node.value)
            self.put(w.I64_CONST, w.encode_signed(value - 2 * SIGNED if value >= SIGNED else value))

    def local(self, node: f.Local) -> None:
        self.get(self.places[node.name])

    def static(self, node: f.Static) -> None:
        self.put(w.I32_CONST, w.encode_signed(self.addresses[node.name]))

    def load(self, node: f.Load) -> None:
        offset = self.address(node.array, node.index)
        self.put(LOADS[node.array.type], w.encode_unsigned(offset))

    def length(self, node: f.Length) -> None:
        """Write code that loads the length of an array from its header."""
        self.expr(node.array)
        t = node.array.type
        self.more(t, -f.HEADER)
        self.put(
            w.in_memory(w.I64_LOAD, [*f.VAST].index(t) + 1) if t in f.VAST else w.I64_LOAD,
            w.encode_unsigned(0),
        )

    def more(self, array: f.Type, offset: int) -> None:
        """Add an offset to the address of an array."""
        if array in f.VAST:
            self.put(w.I64_CONST, w.encode_signed(offset), w.I64_OPS["+"])
        else:
            self.put(w.I32_CONST, w.encode_signed(offset), w.I32_ADD)

    def address(self, array: f.Expr, index: f.Expr) -> int:
        """Push the address of an element without its constant offset, and return the offset."""
        size = f.BYTES[array.type]
        shift = size.bit_length() - 1
        rest, known = _split(index)
        offset = known * size
        if isinstance(array, f.Static):
            offset += self.addresses[array.name]
        else:
            self.expr(array)
        if rest is not None and array.type in f.VAST:
            self.expr(rest)
            self.put(w.I64_CONST, w.encode_signed(shift), w.I64_OPS["<<"], w.I64_OPS["+"])
        elif rest is not None:
            self.expr(rest)
            self.put(w.I32_WRAP)
            if shift:
                self.put(w.I32_CONST, w.encode_signed(shift), w.I32_SHL)
            if not isinstance(array, f.Static):
                self.put(w.I32_ADD)
        elif isinstance(array, f.Static):
            self.put(w.I32_CONST, w.encode_signed(0))
        offset = (offset + (1 << 31)) % (1 << 32) - (1 << 31)  # of an index that is never used, maybe
        # Where something is added to the index, the rest of it may be below 0, and no address is.
        if offset < 0 or (isinstance(array, f.Static) and rest is not None and known > 0):
            self.more(array.type, offset)
            return 0
        return offset

    def unary(self, node: f.Unary) -> None:
        if node.op == "neg" and node.type is not f.REAL:
            self.put(w.I64_CONST, w.encode_signed(0))
            self.expr(node.value)
            self.put(w.I64_SUB)
            return
        self.expr(node.value)
        self.put(UNARY[node.op, node.type is f.REAL])

    def binary(self, node: f.Binary) -> None:
        op, real = node.op, node.type is f.REAL
        if real or op in w.I64_OPS or op == ">>":
            self.expr(node.left)
            self.expr(node.right)
            if op == ">>":
                self.put(w.I64_SHR_S if node.type is f.NUMBER else w.I64_SHR_U)
            else:
                self.put(w.F64_OPS[op] if real else w.I64_OPS[op])
        elif op in ("min", "max"):
            self._least(node)
        else:
            self._divide(node)

    def _least(self, node: f.Binary) -> None:
        """Write the minimum or maximum of two numbers."""
        a, b = self.fresh(w.I64), self.fresh(w.I64)
        self.expr(node.left)
        self.put(w.TEE, w.encode_unsigned(a))
        self.expr(node.right)
        self.put(w.TEE, w.encode_unsigned(b))
        self.get(a)
        self.get(b)
        compare = w.NUMBER_COMPARE if node.type is f.NUMBER else w.WORD_COMPARE
        self.put(compare["<" if node.op == "min" else ">"], w.SELECT)

    def _divide(self, node: f.Binary) -> None:
        """Push the quotient of whole numbers, rounded down, or the remainder, which has the sign of the
        divisor."""
        by = node.right.value if isinstance(node.right, f.Const) else 0
        power = by > 0 and by & (by - 1) == 0  # type: ignore[operator]
        if node.type is f.WORD or power:
            self.expr(node.left)
            if power and node.op == "%":
                self.put(w.I64_CONST, w.encode_signed(int(by) - 1), w.I64_OPS["&"])
            elif power:
                shift = w.I64_SHR_S if node.type is f.NUMBER else w.I64_SHR_U
                self.put(w.I64_CONST, w.encode_signed(int(by).bit_length() - 1), shift)
            else:
                self.expr(node.right)
                self.put(w.I64_DIV_U if node.op == "//" else w.I64_REM_U)
            return
        a, b = self.fresh(w.I64), self.fresh(w.I64)
        self.expr(node.left)
        self.put(w.TEE, w.encode_unsigned(a))
        self.expr(node.right)
        self.put(w.TEE, w.encode_unsigned(b), w.I64_DIV_S if node.op == "//" else w.I64_REM_S)
        # One less, or one divisor more, where something is left and the signs differ.
        if node.op == "%":
            self.get(b)
            self.put(w.I64_CONST, w.encode_signed(0))
        else:
            self.put(w.I64_CONST, w.encode_signed(-1), w.I64_CONST, w.encode_signed(0))
        self.get(a)
        self.get(b)
        self.put(w.I64_REM_S, w.I64_CONST, w.encode_signed(0), w.NUMBER_COMPARE["!="])
        self.get(a)
        self.get(b)
        self.put(w.I64_XOR, w.I64_CONST, w.encode_signed(0), w.NUMBER_COMPARE["<"], w.I32_AND, w.SELECT)
        self.put(w.I64_OPS["+"])

    def compare(self, node: f.Compare) -> None:
        self.expr(node.left)
        self.expr(node.right)
        self.put(COMPARE[node.left.type][node.op])

    def both(self, node: f.Both) -> None:
        """Write a conjunction; a range test becomes one comparison, and cheap operands need no branch."""
        held = as_range(node)
        if held is not None:
            self.local(held[0])
            self.put(
                w.I64_CONST,
                w.encode_signed(held[1]),
                w.I64_SUB,
                w.I64_CONST,
                w.encode_signed(held[2] - held[1]),
            )
            self.put(w.WORD_COMPARE["<="])
            return
        self.expr(node.left)
        if is_cheap(node.right):
            self.expr(node.right)
            self.put(w.I32_AND)
            return
        self.open_block(w.IF, w.I32)
        self.expr(node.right)
        self.otherwise()
        self.put(w.I32_CONST, w.encode_signed(0))
        self.close_block()

    def either(self, node: f.Either) -> None:
        """Write a disjunction; a cheap right side needs no branch."""
        self.expr(node.left)
        if is_cheap(node.right):
            self.expr(node.right)
            self.put(w.I32_OR)
            return
        self.open_block(w.IF, w.I32)
        self.put(w.I32_CONST, w.encode_signed(1))
        self.otherwise()
        self.expr(node.right)
        self.close_block()

    def negate(self, node: f.Negate) -> None:
        self.expr(node.value)
        self.put(w.I32_EQZ)

    def choose(self, node: f.Choose) -> None:
        """Write a choice of two values, without a branch if the condition is unpredictable."""
        beside = parts_of(node.condition)
        if is_unpredictable(node.condition, node.type) and is_cheap(node.then, node.other, beside=beside):
            self.expr(node.then)
            self.expr(node.other)
            self.expr(node.condition)
            self.put(w.SELECT)
            return
        self.expr(node.condition)
        self.open_block(w.IF, WASM[node.type])
        self.expr(node.then)
        self.otherwise()
        self.expr(node.other)
        self.close_block()

    def convert(self, node: f.Convert) -> None:
        before, after = node.value.type, node.type
        self.expr(node.value)
        if before is f.TRUTH and after is not f.TRUTH:
            self.put(w.I64_EXTEND_U)
        if after is f.REAL:
            self.put(w.F64_CONVERT)
        elif after is f.TRUTH and before is not f.TRUTH:
            self.put(w.I64_CONST, w.encode_signed(0), w.NUMBER_COMPARE["!="])

    def call_one(self, node: f.Call) -> None:
        self.call(node.function, node.arguments)

    def call(self, name: str, arguments: Sequence[f.Expr]) -> None:
        """Push the results of a call."""
        for argument in arguments:
            self.expr(argument)
        self.put(w.CALL, w.encode_unsigned(self.numbers[name]))

    def inner(self, node: f.Block | f.Run) -> None:
        """Write a body that a `Return` leaves."""
        held = self.leaving
        self.leaving = self.open_block(w.BLOCK, WASM[node.type] if isinstance(node, f.Block) else w.EMPTY)
        self.block(node.body)
        if isinstance(node, f.Block):
            self.put(w.UNREACHABLE)
        self.close_block()
        self.leaving = held


def copied_bytes(node: f.For) -> int:
    """The number of bytes copied by a loop that copies consecutive elements; 0 for any other loop."""
    match node:
        case f.For(
            name, f.Const(_, int(first)), f.Const(_, int(last)), 1, (f.Store(to, at, f.Load(_, source, of)),)
        ):
            each = f.BYTES[to.type]
            alike = each == f.BYTES[source.type] and not {to.type, source.type} & f.VAST.keys()
            return each * (last - first) if alike and _follows(at, name) and _follows(of, name) else 0
    return 0


def _follows(index: f.Expr, name: str) -> bool:
    """True if an index is a variable, perhaps plus a constant or another variable."""
    rest, _ = _split(index)
    parts = [rest.left, rest.right] if isinstance(rest, f.Binary) and rest.op == "+" else [rest]
    names = [x.name if isinstance(x, f.Local) else "" for x in parts]
    return names.count(name) == 1 and "" not in names


def _split(index: f.Expr) -> tuple[f.Expr | None, int]:
    """An index split into an expression (None for nothing) and a constant."""
    if isinstance(index, f.Const):
        return None, int(index.value)
    if isinstance(index, f.Binary) and index.op in ("+", "-"):
        left, a = _split(index.left)
        right, b = _split(index.right)
        if index.op == "-":
            if right is None:
                return left, a - b
            if left is None:
                left = f.Const(f.NUMBER, 0)
            return f.Binary(f.NUMBER, "-", left, right), a - b
        if left is None or right is None:
            return left or right, a + b
        return f.Binary(f.NUMBER, "+", left, right), a + b
    return index, 0


UNARY = {
    ("not", False): w.I64_CONST + w.encode_signed(-1) + w.I64_XOR, ("low", False): w.I64_CTZ,
    ("high", False): w.I64_CLZ + w.I64_CONST + w.encode_signed(63) + w.I64_XOR,
    ("count", False): w.I64_POPCNT, ("neg", True): w.F64_NEG,
}  # fmt: skip
COMPARE = {
    f.NUMBER: w.NUMBER_COMPARE, f.WORD: w.WORD_COMPARE, f.REAL: w.REAL_COMPARE, f.TRUTH: w.TRUTH_COMPARE,
}  # fmt: skip
STATEMENTS: dict[type, Callable[[Body, Any], None]] = {
    f.Set: Body.set_one, f.SetMany: Body.set_many, f.SetResults: Body.set_results, f.Store: Body.store,
    f.Do: Body.do, f.Run: Body.inner, f.If: Body.branches, f.While: Body.repeat, f.For: Body.count,
    f.Break: Body.leave_loop, f.Continue: Body.next_step, f.Return: Body.leave,
}  # fmt: skip
EXPRESSIONS: dict[type, Callable[[Body, Any], None]] = {
    f.Const: Body.const, f.Local: Body.local, f.Static: Body.static, f.Load: Body.load,
    f.Length: Body.length, f.Unary: Body.unary, f.Binary: Body.binary, f.Compare: Body.compare,
    f.Both: Body.both, f.Either: Body.either, f.Negate: Body.negate, f.Choose: Body.choose,
    f.Convert: Body.convert, f.Call: Body.call_one, f.Block: Body.inner,
}  # fmt: skip
