"""Actions as rows of numbers: the action's number, then its choices, a list with its size before its
elements.

If there may be many actions, blocks are listed first, from the end of the buffer downwards. A block is a row
with words for one of its choices, and represents one action for each set bit, maybe none. Before the row
stands the number of actions up to the end of the block; the choice in the row, and words past the last action
of a block, mean nothing. Random plays take one action out of the blocks; otherwise the rows are written at
the beginning of the buffer. If all legal actions are one block, it lies there, too; see `distance_pairs` and
`products`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from ...core import nodes as n
from ...core.game import Action, Choice
from ...core.types import Scalar
from ...machine import form as f
from ...machine.builder import (
    ONE,
    ZERO,
    as_type,
    choose,
    compare,
    count_bits,
    differ,
    equal,
    intersection,
    load,
    low,
    minus,
    number,
    plus,
    times,
    union,
)  # fmt: skip
from ..bindings import Env, Val
from ..body import B, Body, M, S
from ..codes import WORD
from ..program import Program
from .distance_pairs import is_distance_pair, write_pair_listing, write_pair_picking
from .legal_actions import FEW as FEW_VALUES
from .products import ChoiceProduct

FIRST_MOVES = 1 << 14
"""Initial room for legal actions in a position's buffer, if there may be that many."""


FEW = 16
"""If there are never more legal actions, rows are written at once, without blocks, which is faster."""
FEW_NUMBERS = 6
"""A row of at most this many numbers is copied without a loop."""
WIDE = 9
"""A block for at least this many values is wide; for actions with few wide blocks, rows are faster."""
FEW_BITS = 10
"""Maximum size of a single word that represents all legal actions; see `kit.nth_of_ten`."""
HEAD = 1
"""Size of the head of a block, before its row."""
N, TOTAL = f.Local(f.NUMBER, "n"), f.Local(f.NUMBER, "total")
"""Number of actions listed, or place of the last block; total number of actions in blocks."""


class ActionRows:
    """Layout of the actions of a game in a buffer."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.actions = list(program.game.actions.values())
        self.width = 1 + max((sum(map(_size_in_row, action.choices)) for action in self.actions), default=0)
        """Number of numbers in a row."""
        self.in_blocks = self.bound is None or self.bound > FEW
        """True if blocks are listed before rows."""
        self.pairs = (
            self.in_blocks and len(self.actions) == 1 and is_distance_pair(program, self.actions[0].choices)
        )
        """True if a single block represents all legal actions, each a pair of choices."""
        self.product: ChoiceProduct | None = None
        """The block that represents all legal actions, with two choices each, once it has been found."""
        self.words = max(
            [1, *(program.codes.words(t) for action in self.actions for t in self._in_words(action))]
        )
        """Number of words in a block."""
        self.in_words: dict[int, tuple[int, int]] = {}
        """For each action in blocks, the place of the choice represented by words and the value of their
        first bit; for an action without such a choice, the place of its own number."""
        self.wide: set[int] = set()
        """The actions written so far that have wide blocks."""

    @property
    def block(self) -> int:
        """Number of numbers that a block takes."""
        return HEAD + self.width + self.words

    @cached_property
    def single(self) -> bool:
        """True if, in random plays, a single word represents all legal actions: values of one choice."""
        choices = [choice for action in self.actions for choice in action.choices]
        if self.in_blocks or len(self.actions) != 1 or len(choices) != 1 or choices[0].chain:
            return False
        of, codes = choices[0].source.type.of, self.program.codes  # type: ignore[attr-defined]
        return self.program.lanes(of) == 1 and codes.codes(of)[-1] - codes.base(of) < FEW_BITS

    @property
    def one_block(self) -> tuple[bool, bool]:
        """Tell whether a single block represents all legal actions: one of pairs, one of a product."""
        return self.pairs, self.product is not None

    @property
    def may_be_product(self) -> bool:
        """True if two choices of the only action may form a block."""
        return self.in_blocks and len(self.actions) == 1 and not self.pairs

    @property
    def at_once(self) -> bool:
        """True if random plays pick actions directly from the beginning of the buffer."""
        return self.pairs or self.single or self.product is not None

    @property
    def downwards(self) -> bool:
        """True if blocks are listed from the end of the buffer downwards."""
        return self.in_blocks and not self.pairs and self.product is None

    @property
    def pays(self) -> bool:
        """True if blocks are worth their cost; valid once all actions have been written."""
        return self.at_once or 2 * len(self.wide) >= len(self.actions)

    @cached_property
    def bound(self) -> int | None:
        """Maximum number of legal actions in a position; None if it is not known beforehand."""
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
        """True if the first buffer is always large enough."""
        return self.bound is not None and self.bound <= FIRST_MOVES

    @property
    def first_size(self) -> int:
        """Size of the first buffer, with a place for special rows played instead of an action."""
        return self._each * max(1, min(self.bound or FIRST_MOVES, FIRST_MOVES)) + self.block

    def capacity(self, size: int) -> int:
        """Guaranteed number of legal actions for which a buffer of a size has room."""
        return (size - self.block) // self._each

    @property
    def _each(self) -> int:
        return self.width + self.block * self.in_blocks

    def places(self, index: int) -> Iterator[tuple[Choice, int]]:
        """The choices of an action, each with its place in a row."""
        place = 1
        for choice in self.actions[index].choices:
            yield choice, place
            place += _size_in_row(choice)

    def _in_words(self, action: Action) -> Iterator[Scalar]:
        """Types of choices that bit sets may represent: the last, or the one before if the last is small."""
        program, last = self.program, action.choices[-1:]
        listed = [*last]
        if last and len(action.choices) > 1 and not program.reads_state(last[0].source):
            free = program.free(last[0].source)
            if not free and len(program.static.value(last[0].source, {})) <= FEW_VALUES:
                listed.append(action.choices[-2])
        for choice in listed:
            of = choice.source.type.of  # type: ignore[attr-defined]
            if not choice.chain and of is not None and program.lanes(of) is not None:
                yield of

    @property
    def size(self) -> f.Const:
        """Number of numbers that a block takes, as a named constant."""
        return self.program.constant("BLOCK", self.block)

    def number(self, n: f.Expr) -> f.Expr:
        """The number of actions so far, given the value `n` that the lists pass on."""
        return load(M, n) if self.downwards else n

    def enter(self, body: Body, index: int, env: Env, full: int, condition: f.Expr = ONE) -> None:
        """Write code that appends a legal action to those in m; it returns `full` without room.

        With a condition the row is written in any case, and counts only if that holds; see `counts_later`.
        """
        if self.in_blocks:
            self.enter_all(body, index, env, full, None, (ONE,))
            return
        at = body.named("at_move", times(N, self.width))
        if not self.fits:
            with body.when(compare(">", plus(at, self.width), f.Length(M))):
                body.give(full)
        self._row(body, index, env, at, None)
        body.add(N, as_type(condition, f.NUMBER))

    @property
    def counts_later(self) -> bool:
        """True if an action may be written before it is known to count, which saves a branch."""
        return self.fits and not self.in_blocks and self.width <= FEW_NUMBERS

    def enter_all(
        self, body: Body, index: int, env: Env, full: int, var: n.Var | None, words: Sequence[f.Expr]
    ) -> None:
        """Write code that appends a block of legal actions: one for each set bit, a value of a choice."""
        self.pairs = False
        names = [body.atom(e, "left") for e in words]
        if var is not None and isinstance(var.type, Scalar) and len(var.type.values) >= WIDE:
            self.wide.add(index)
        depth = body.depth
        if not self.fits:
            if var is not None:
                body.under(union(*names))
            with body.when(compare("<", N, plus(self.size, self.size))):
                body.give(full)
        of = [(p, choice.source.type.of) for choice, p in self.places(index) if choice.var is var]  # type: ignore[attr-defined]
        self.in_words[index] = (of[0][0], self.program.codes.base(of[0][1])) if of else (0, index)
        body.set(N, minus(N, self.size))
        body.add(TOTAL, count_bits(*names))
        body.store(M, N, TOTAL)
        self._row(body, index, env, plus(N, HEAD), var)
        for k, name in enumerate(names):
            body.store(M, plus(N, HEAD + self.width + k), as_type(name, f.NUMBER))
        assert len(names) <= self.words
        body.back(depth)

    def _row(self, body: Body, index: int, env: Env, at: f.Expr, var: n.Var | None) -> None:
        """Write a row, leaving out the choice that bit sets represent."""
        body.store(M, at, index)
        end = 1
        for choice, place in self.places(index):
            end = place + _size_in_row(choice)
            if choice.var is var:
                continue
            val = env[choice.var]
            assert isinstance(val, Val)
            if choice.chain:
                self._chain(body, plus(at, place), val, choice.chain.type.cap)
            else:
                body.store(M, plus(at, place), val.expr)
        if self._short:
            return
        for place in range(end, self.width):  # the same action is always the same row
            body.store(M, plus(at, place), 0)

    def choices(self, body: Body, index: int, at: f.Expr) -> dict[n.Var, Val]:
        """The choices of the action at a place in m; lists are copied out first."""
        env: dict[n.Var, Val] = {}
        for choice, place in self.places(index):
            held = load(M, plus(at, place))
            if choice.chain is None:
                env[choice.var] = Val(choice.var.type, (held,))
                continue
            to = self.program.slot(choice.chain.type)
            with body.each(i := body.name("i"), 0, held):
                body.store(S, plus(to, i), load(M, plus(at, i, place + 1)))
            env[choice.var] = Val(choice.chain.type, (number(to), held))
        return env

    def picking(self, body: Body, k: f.Local) -> None:
        """Write the body of a function that returns the place of the row of action k; it may change the
        block."""
        if self.single:
            found = body.call(f.NUMBER, "nth_of_ten", as_type(load(M, self.width), f.WORD), k)
            body.store(M, 0, 0)
            body.store(M, 1, plus(found, self._first))
            body.give(0)
            return
        if not self.in_blocks:
            body.give(times(k, self.width))
            return
        if self.pairs:
            write_pair_picking(body, k, self._first, self._pair_words)
            return
        if self.product is not None:
            self.product.picking(body, k)
            return
        at = body.named("at", minus(f.Length(M), 2 * self.block))
        with body.repeat(compare("<=", load(M, at), k)):
            body.add(at, -self.block)
        body.set(k, minus(k, load(M, plus(at, self.block))))
        chosen = body.nth_bit([load(M, plus(at, HEAD + self.width + i)) for i in range(self.words)], k)
        body.add(at, HEAD)
        self._choice(body, at, load(M, at), chosen)
        body.give(at)

    def _word(self, at: f.Expr, i: int) -> f.Expr:
        """A word of the block at a place."""
        return as_type(load(M, plus(at, HEAD + self.width + i)), f.WORD)

    def _choice(self, body: Body, at: f.Expr, action: f.Expr, bit: f.Expr) -> None:
        """Write code that stores in a row the value of the choice that bit sets represent."""
        in_words = [self.in_words.get(index, (0, index)) for index in range(len(self.actions))]
        meanings = "the place of the choice that words stand for", "the choice of their first bit"
        place, first = (
            number(values[0]) if len(set(values)) == 1
            else load(self.program.table(values, "of action", meaning), action)
            for values, meaning in zip(zip(*in_words, strict=True), meanings, strict=True)
        )  # fmt: skip
        body.store(M, plus(at, place), plus(first, bit))

    def listing(self, body: Body, full: int) -> None:
        """Write the body of a function that expands blocks into the rows of all actions."""
        n = body.named("n", body.call(f.NUMBER, "blocks", S, B, M))
        if self.pairs:
            write_pair_listing(body, n, self._first, self._pair_words, full)
            return
        if self.product is not None:
            self.product.listing(body, n, full)
            return
        at = body.named("at", minus(f.Length(M), self.block))
        end = times(n, self.width)
        if not self.fits:
            with body.when(compare("<", n, 0)):
                body.give(n)
            with body.when(compare(">", end, load(M, plus(at, 1)))):
                body.give(full)
        after, left = body.named("after", 0), body.local("left", f.WORD)
        with body.repeat(compare("<", after, end)):
            body.add(at, -self.block)
            for k in range(self.words):
                word = self._word(at, k)
                if k:
                    word = choose(compare("<", after, times(load(M, at), self.width)), word, ZERO)
                body.set(left, word)
                with body.repeat(differ(left, 0)):
                    self._copy(body, after, at)
                    self._choice(body, after, load(M, plus(at, HEAD)), plus(low(left), WORD * k))
                    body.set(left, intersection(left, f.Binary(f.WORD, "-", left, ONE)))
                    body.add(after, self.width)
        body.give(n)

    def mark(self, body: Body, legal: f.Local, env: Env) -> None:
        """Write code that adds an action to the word of all legal ones."""
        val = env[self.actions[0].choices[0].var]
        assert isinstance(val, Val)
        body.set(legal, union(legal, f.Binary(f.WORD, "<<", ONE, minus(val.expr, self._first))))

    def put(self, body: Body, legal: f.Local) -> None:
        """Write code that stores the word of all legal actions after the first row."""
        body.store(M, self.width, as_type(legal, f.NUMBER))
        body.give(count_bits(legal))

    @property
    def _first(self) -> int:
        """The code of the first bit of words for the first choice of the first action."""
        return self.program.codes.base(self.actions[0].choices[0].var.type)  # type: ignore[arg-type]

    @property
    def _pair_words(self) -> int:
        """The number of words for each distance of a block of pairs."""
        return self.program.codes.words(self.actions[0].choices[0].var.type)  # type: ignore[arg-type]

    @property
    def _short(self) -> bool:
        """True if the row in a block ends with the last choice of its action."""
        return self.in_blocks and self.width > FEW_NUMBERS

    def _copy(self, body: Body, to: f.Expr, at: f.Expr) -> None:
        """Write code that copies the row of the block at a place, followed by zeros."""
        if not self._short:
            for place in range(self.width):
                body.store(M, plus(to, place), load(M, plus(at, HEAD + place)))
            return
        sizes = [1 + sum(map(_size_in_row, action.choices)) for action in self.actions]
        table = self.program.table(sizes, "size", "how many numbers each action takes")
        size, i = body.named("size", load(table, load(M, plus(at, HEAD)))), body.name("i")
        with body.each(i, 0, size):
            body.store(M, plus(to, i), load(M, plus(at, i, HEAD)))
        with body.each(i, size, self.width):
            body.store(M, plus(to, i), 0)
        for index in range(len(self.actions)):
            for choice, place in self.places(index):
                if choice.chain:  # the block may have anything behind the elements
                    held = load(M, plus(to, place))
                    with body.when(equal(load(M, to), index)), body.each(i, held, choice.chain.type.cap):
                        body.store(M, plus(to, i, place + 1), 0)

    def _chain(self, body: Body, at: f.Expr, val: Val, cap: int) -> None:
        """Write code that stores a list: its size, its values, then zeros if no copy adds them."""
        first, size = val.parts
        body.store(M, at, size)
        i = body.name("i")
        with body.each(i, 0, size):
            body.store(M, plus(at, i, 1), load(S, plus(first, i)))
        if not self._short:
            with body.each(i, size, cap):
                body.store(M, plus(at, i, 1), 0)


def _size_in_row(choice: Choice) -> int:
    return 1 + choice.chain.type.cap if choice.chain else 1
