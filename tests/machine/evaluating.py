"""The form evaluated node by node, as its nodes say, with arrays that check every index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulespec.machine import form as f

BITS = (1 << 64) - 1
SIGN = 1 << 63


class _Left(Exception):
    """`Break`, `Continue` or `Return` on its way out; the results of `Return`."""

    def __init__(self, kind: type, values: tuple[Any, ...] = ()) -> None:
        self.kind, self.values = kind, values


def wrapped(t: f.Type, value: Any) -> Any:
    """A value as its type holds it."""
    if t is f.REAL or t.is_array:
        return value
    if t is f.TRUTH:
        return int(value) & 1
    value &= BITS
    return value - 2 * SIGN if t is f.NUMBER and value >= SIGN else value


class Evaluator:
    """Functions of a module; tables and rooms are lists by name."""

    def __init__(self, module: f.Module) -> None:
        self.module = module
        self.statics: dict[str, list[Any]] = {name: [*x.values] for name, x in module.tables.items()}
        for name, room in module.rooms.items():
            self.statics[name] = [room.first, *[0] * (room.size - 1)]

    def call(self, name: str, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """The results of a function."""
        function = self.module.functions[name]
        env: dict[str, Any] = dict.fromkeys((name for name, _ in function.variables), 0)
        env.update(zip((name for name, _ in function.parameters), arguments, strict=True))
        return self.given(function.body, env)

    def given(self, body: f.Body, env: dict[str, Any]) -> tuple[Any, ...]:
        """The value that a body returns."""
        try:
            self.body(body, env)
        except _Left as left:
            assert left.kind is f.Return
            return left.values
        return ()

    def body(self, body: f.Body, env: dict[str, Any]) -> None:
        for node in body:
            self.statement(node, env)

    def statement(self, node: f.Statement, env: dict[str, Any]) -> None:
        match node:
            case f.Set(name, value):
                env[name] = self.value(value, env)
            case f.SetMany(names, values):
                env.update(zip(names, [self.value(x, env) for x in values], strict=True))
            case f.SetResults(names, function, arguments):
                found = self.call(function, [self.value(x, env) for x in arguments])
                env.update((name, x) for name, x in zip(names, found, strict=True) if name is not None)
            case f.Store(array, index, value, within):
                held, at = self.value(array, env), self.value(index, env)
                held[_checked(held, at, within)] = self.value(value, env)
            case f.Do(function, arguments):
                self.call(function, [self.value(x, env) for x in arguments])
            case f.Run(body):
                self.given(body, env)
            case f.If(condition, then, other):
                self.body(then if self.value(condition, env) else other, env)
            case f.While(condition, body):
                while self.value(condition, env) and self.turn(body, env):
                    pass
            case f.For(name, first, last, step, body):
                for at in range(self.value(first, env), self.value(last, env), step):
                    env[name] = at
                    if not self.turn(body, env):
                        break
            case f.Break() | f.Continue():
                raise _Left(type(node))
            case f.Return(values):
                raise _Left(f.Return, tuple(self.value(x, env) for x in values))

    def turn(self, body: f.Body, env: dict[str, Any]) -> bool:
        """One turn of a loop; True if it goes on."""
        try:
            self.body(body, env)
        except _Left as left:
            if left.kind is f.Return:
                raise
            return left.kind is f.Continue
        return True

    def value(self, node: f.Expr, env: dict[str, Any]) -> Any:
        return wrapped(node.type, self._value(node, env))

    def _value(self, node: f.Expr, env: dict[str, Any]) -> Any:
        match node:
            case f.Const(_, value):
                return value
            case f.Local(_, name):
                return env[name]
            case f.Static(_, name):
                return self.statics[name]
            case f.Load(_, array, index, within):
                held, at = self.value(array, env), self.value(index, env)
                return held[_checked(held, at, within)]
            case f.Length(array):
                return len(self.value(array, env))
            case f.Unary(_, op, value):
                x = self.value(value, env)
                bits = x & BITS
                return {
                    "neg": -x, "not": ~x, "count": bits.bit_count(),
                    "high": bits.bit_length() - 1, "low": (bits & -bits).bit_length() - 1,
                }[op]  # fmt: skip
            case f.Binary(_, op, left, right):
                return _BINARY[op](self.value(left, env), self.value(right, env))
            case f.Compare(op, left, right):
                return _COMPARE[op](self.value(left, env), self.value(right, env))
            case f.Both(left, right):
                return self.value(left, env) and self.value(right, env)
            case f.Either(left, right):
                return self.value(left, env) or self.value(right, env)
            case f.Negate(value):
                return 1 - self.value(value, env)
            case f.Choose(_, condition, then, other):
                return self.value(then if self.value(condition, env) else other, env)
            case f.Convert(t, value):
                x = self.value(value, env)
                return int(x != 0) if t is f.TRUTH else x
            case f.Call(_, function, arguments):
                return self.call(function, [self.value(x, env) for x in arguments])[0]
            case f.Block(_, body):
                return self.given(body, env)[0]


def _checked(held: list[Any], at: int, within: f.Span | None) -> int:
    assert 0 <= at < len(held)
    assert within is None or within[0] <= at < sum(within)
    return at


_BINARY: dict[str, Any] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "&": lambda a, b: a & b,
    "|": lambda a, b: a | b, "^": lambda a, b: a ^ b, "<<": lambda a, b: a << b, ">>": lambda a, b: a >> b,
    "//": lambda a, b: a // b, "%": lambda a, b: a % b, "min": min, "max": max,
}  # fmt: skip
_COMPARE: dict[str, Any] = {
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
}  # fmt: skip
