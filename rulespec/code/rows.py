"""Actions as rows of numbers: which action, then its choices, a list with its size before its elements.

Where there may be many actions, blocks are listed first, from the end of the buffer downwards: a block is a
row with words for one of its choices, and stands for as many actions as they have bits, maybe none. Before
the row comes the number of actions up to the end of the block; the choice in the row, and words past the last
action of a block, mean nothing. Random plays take one action out of the blocks; for others the rows are
written at the beginning of the buffer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ..core import nodes as n
from ..core.game import Choice
from ..core.types import Scalar
from .body import Body
from .codes import WORD
from .program import Program
from .vals import Env, Val, plus, sum_of

FIRST_MOVES = 1 << 14
"""For so many legal actions the buffer of a position has room at first, if there may be as many."""


FEW = 16
"""Where there are never more legal actions, rows are written at once, without blocks: that is faster."""
FEW_NUMBERS = 6
"""A row of at most so many numbers is copied without a loop."""
WIDE = 9
"""A block for so many values or more is wide; where few actions have such blocks, rows are faster."""
HEAD = 1
"""So many numbers stand in a block before its row."""


class Rows:
    """How the actions of a game lie in a buffer."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.actions = list(program.game.actions.values())
        self.width = 1 + max((sum(map(_room, action.choices)) for action in self.actions), default=0)
        """How many numbers a row has."""
        self.in_blocks = self.bound is None or self.bound > FEW
        """Whether blocks are listed before rows."""
        self.words = 1
        """How many words a block has, as far as actions have been written."""
        self.in_words: dict[int, tuple[int, int]] = {}
        """Of each action written in blocks the place of the choice that words stand for and the value of
        their first bit; for an action without such a choice that of its own number.
        """
        self.wide: set[int] = set()
        """The actions with blocks for many values of a choice, as far as they have been written."""

    @property
    def block(self) -> int:
        """How many numbers a block takes."""
        return HEAD + self.width + self.words

    @property
    def pays(self) -> bool:
        """Whether blocks are worth their price, once all actions have been written."""
        return 2 * len(self.wide) >= len(self.actions)

    @cached_property
    def bound(self) -> int | None:
        """How many legal actions there are at most in any position; None if that is not known beforehand."""
        total = 0
        for action in self.actions:
            ways = 1
            for choice in action.choices:
                if choice.chain or not isinstance(choice.var.type, Scalar):
                    return None
                ways *= len(choice.var.type.values)
            total += ways
        return total

    @property
    def fits(self) -> bool:
        """Whether the first buffer is surely large enough."""
        return self.bound is not None and self.bound <= FIRST_MOVES

    @property
    def first_size(self) -> int:
        """How many numbers the first buffer has; what is played instead of an action needs one, too."""
        return self._each * max(1, min(self.bound or FIRST_MOVES, FIRST_MOVES)) + self.block

    def capacity(self, size: int) -> int:
        """For how many legal actions a buffer of a size has room in any case."""
        return (size - self.block) // self._each

    @property
    def _each(self) -> int:
        return self.width + self.block * self.in_blocks

    def places(self, index: int) -> Iterator[tuple[Choice, int]]:
        """The choices of an action, each with its place in a row."""
        place = 1
        for choice in self.actions[index].choices:
            yield choice, place
            place += _room(choice)

    def number(self, name: str) -> str:
        """The text of the number of actions so far, `name` being what is passed on by the lists."""
        return f"m[{name}]" if self.in_blocks else name

    def enter(self, body: Body, index: int, env: Env, full: int, condition: str = "1") -> None:
        """Write what puts a legal action behind those in m; without room `full` is returned.

        With a condition it is put there in any case, and counts where that holds; see `counts_later`.
        """
        if self.in_blocks:
            self.enter_all(body, index, env, full, None, ("ONE",))
            return
        at = body.local("at_move")
        body.line(f"{at} = n * {self.width}")
        if not self.fits:
            with body.block(f"if {plus(at, self.width)} > len(m)"):
                body.line(f"return {full}")
        self._row(body, index, env, at, None)
        body.line(f"n += {condition}")

    @property
    def counts_later(self) -> bool:
        """Whether an action may be put down before it is asked whether it counts, which saves a branch."""
        return self.fits and not self.in_blocks and self.width <= FEW_NUMBERS

    def enter_all(
        self, body: Body, index: int, env: Env, full: int, var: n.Var | None, words: Sequence[str]
    ) -> None:
        """Write what puts a block of legal actions behind those in m: one for each bit of the words, which
        stand for the values of a choice.
        """
        names = [body.atom(word, "left") for word in words]
        if var is not None and isinstance(var.type, Scalar) and len(var.type.values) >= WIDE:
            self.wide.add(index)
        depth = body.depth
        if not self.fits:
            if var is not None:
                body.line(f"if {' | '.join(names)}:")
                body.depth += 1
            with body.block("if n < BLOCK + BLOCK"):
                body.line(f"return {full}")
        of = [(p, choice.source.type.of) for choice, p in self.places(index) if choice.var is var]  # type: ignore[attr-defined]
        self.in_words[index] = (of[0][0], self.program.codes.base(of[0][1])) if of else (0, index)
        body.line("n -= BLOCK")
        body.line(f"total += {' + '.join('1' if x == 'ONE' else f'count({x})' for x in names)}")
        body.line("m[n] = total")
        self._row(body, index, env, f"n + {HEAD}", var)
        for k, name in enumerate(names):
            body.line(f"m[n + {HEAD + self.width + k}] = as_number({name})")
        self.words = max(self.words, len(names))
        body.depth = depth

    def _row(self, body: Body, index: int, env: Env, at: str, var: n.Var | None) -> None:
        """Write a row but for the choice that words stand for."""
        body.line(f"m[{at}] = {index}")
        end = 1
        for choice, place in self.places(index):
            end = place + _room(choice)
            if choice.var is var:
                continue
            val = env[choice.var]
            assert isinstance(val, Val)
            if choice.chain:
                self._chain(body, plus(at, place), val, choice.chain.type.cap)
            else:
                body.line(f"m[{plus(at, place)}] = {val.text}")
        if self._short:
            return
        for place in range(end, self.width):  # the same action is always the same row
            body.line(f"m[{plus(at, place)}] = 0")

    def picking(self) -> str:
        """The body of a function that gives the place of the row of action k; it may change its block."""
        if not self.in_blocks:
            return f"return k * {self.width}\n"
        lines = [
            f"at = len(m) - {2 * self.block}", "while m[at] <= k:", f"    at -= {self.block}",
            f"k -= m[at + {self.block}]", f"left = as_word(m[at + {HEAD + self.width}])",
        ]  # fmt: skip
        if self.words > 1:
            lines.append("base = 0")
        for i in range(1, self.words):
            lines += [
                "size_ = count(left)", "if k >= size_:", "    k -= size_", f"    base = {WORD * i}",
                f"    left = as_word(m[at + {HEAD + self.width + i}])",
            ]  # fmt: skip
        found = "base + nth(left, k)" if self.words > 1 else "nth(left, k)"
        lines += [f"at += {HEAD}", self._choice("at", "m[at]", found), "return at", ""]
        return "\n".join(lines)

    def _choice(self, at: str, action: str, bit: str) -> str:
        """A statement that puts the choice into a row that words stand for."""
        in_words = [self.in_words.get(index, (0, index)) for index in range(len(self.actions))]
        meanings = "the place of the choice that words stand for", "the choice of their first bit"
        texts = []
        for values, meaning in zip(map(list, zip(*in_words, strict=True)), meanings, strict=True):
            if len(set(values)) == 1:
                texts.append(str(values[0]))
            else:
                texts.append(f"{self.program.table('table', values, 'of action', meaning)}[{action}]")
        return f"m[{sum_of(at, texts[0])}] = {sum_of(texts[1], bit)}"

    def listing(self, full: int) -> str:
        """The body of a function that lists blocks, then the rows of all actions."""
        end = f"{self.width} * n"
        lines = ["n = blocks(s, b, m)", f"at = len(m) - {self.block}"]
        if not self.fits:
            lines += ["if n < 0:", "    return n", f"if {end} > m[at + 1]:", f"    return {full}"]
        lines += ["after = 0", f"while after < {end}:", f"    at -= {self.block}"]
        for i in range(self.words):
            bit = f"low(left) + {WORD * i}" if i else "low(left)"
            only = f" if after < {self.width} * m[at] else ZERO" if i else ""
            lines += [
                f"    left = as_word(m[at + {HEAD + self.width + i}]){only}", "    while left:",
                *(f"        {line}" for line in self._copied("after")),
                f"        {self._choice('after', f'm[at + {HEAD}]', bit)}", "        left &= left - ONE",
                f"        after += {self.width}",
            ]  # fmt: skip
        return "\n".join([*lines, "return n", ""])

    @property
    def _short(self) -> bool:
        """Whether the row in a block ends with the last choice of its action."""
        return self.in_blocks and self.width > FEW_NUMBERS

    def _copied(self, to: str) -> list[str]:
        """Statements that copy the row of the block at `at`, with zeros behind it."""
        if not self._short:
            return [f"m[{plus(to, i)}] = m[at + {HEAD + i}]" for i in range(self.width)]
        sizes = [1 + sum(map(_room, action.choices)) for action in self.actions]
        name = self.program.table("table", sizes, "size", "how many numbers each action takes")
        return [
            f"size_ = {name}[m[at + {HEAD}]]",
            "for i in range(size_):", f"    m[{sum_of(to, 'i')}] = m[at + i + {HEAD}]",
            f"for i in range(size_, {self.width}):", f"    m[{sum_of(to, 'i')}] = 0",
        ]  # fmt: skip

    def _chain(self, body: Body, at: str, val: Val, cap: int) -> None:
        """Write what puts a list at a place: how long it is, then its values, then zeros."""
        first, size = val.texts
        body.line(f"m[{at}] = {size}")
        i = body.local("i")
        with body.block(f"for {i} in range({size})"):
            body.line(f"m[{sum_of(at, i, '1')}] = s[{sum_of(first, i)}]")
        with body.block(f"for {i} in range({size}, {cap})"):
            body.line(f"m[{sum_of(at, i, '1')}] = 0")


def _room(choice: Choice) -> int:
    return 1 + choice.chain.type.cap if choice.chain else 1
