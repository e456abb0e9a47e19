"""Plies as code: functions that play an action and list what is legal then, and two that play at random.

What is played lies in the buffer `m`: the number of an action and its choices, or one of three numbers
past the last action, `SETUP`, `SETTLE` and `RESUME`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from ..core import nodes as n
from ..kernels.kit import FAULT as FAULT
from ..kernels.kit import FULL as FULL
from .body import Body, Functions
from .rows import Rows
from .vals import plus, sum_of


class Plies:
    """Writes them, given what the functions of effects are called; an effect that does nothing has none."""

    def __init__(self, functions: Functions, rows: Rows, effects: Mapping[n.Effect, str]) -> None:
        self.functions, self.rows, self.effects = functions, rows, effects
        self.program = program = functions.program
        self.game = program.game
        self.next = n.Assign(self.game.mover, (), self.game.turn.next)
        self.ended = program.constant("ENDED", str(program.room("s", 1)))
        self.fault = program.constant("FAULT", str(program.room("s", 1)))
        count = len(rows.actions)
        self.setup = program.constant("SETUP", str(count))
        self.settle = program.constant("SETTLE", str(count + 1))
        self.resume = program.constant("RESUME", str(count + 2))

    def write(self) -> None:
        """Write all of them."""
        self._act()
        if self.rows.in_blocks:
            self._add("listing", "s b m", self.rows.listing(FULL))
            self._ply("step", "blocks", entry=False)
        else:
            self._add("step", "s b c m k", "return play(s, b, c, m, k)", entry=False)
        self._ply("play", "listing", entry=True)
        self._add("row_of", "m k", self.rows.picking(), entry=False)
        self._rest()
        self._playouts()

    def _perform(self, body: Body, effect: n.Effect, args: list[str]) -> None:
        """Call the function of an effect, and end with a fault."""
        name = self.effects.get(effect)
        if name is None:
            return
        call = f"{name}({', '.join(['s', 'b', 'c', *args])})"
        if name not in self.functions.faulting:
            body.line(call)
            return
        body.line(f"fault = {call}")
        with body.block("if fault != 0"):
            body.line(f"s[{self.fault}] = fault")
            body.line(f"return {FAULT}")

    def _change(self, body: Body) -> None:
        self._perform(body, self.next, [])
        self._perform(body, self.game.turn.begin, [])

    def _act(self) -> None:
        """Write what plays an action, and says whether play goes on (0) or how it ends."""
        body = Body(self.program, self.functions)
        body.line("action = m[k]")
        for i, action in enumerate(self.rows.actions):
            with body.block(f"{'if' if i == 0 else 'elif'} action == {i}"):
                self._perform(body, action.effect, self._args(body, i))
        if self.game.setup in self.effects:
            with body.block(f"{'elif' if self.rows.actions else 'if'} action == {self.setup}"):
                self._perform(body, self.game.setup, [])
        if self.game.reactions:
            with body.block(f"if action < {self.setup}"):
                for reaction in self.game.reactions:
                    with body.block(f"if {body.cond(reaction.condition, {})}"):
                        self._perform(body, reaction.effect, [])
        body.line(f"ended = 0 if action == {self.resume} else end(s, b)")
        with body.block("if ended == 0"):
            self._turn(body)
        body.line("return ended")
        self.functions.add("act", ["s", "b", "c", "m", "k"], body)

    def _ply(self, name: str, listing: str, entry: bool) -> None:
        """Write what plays an action and lists those that follow."""
        body = Body(self.program, self.functions)
        body.line("ended = act(s, b, c, m, k)")
        if self.functions.faulting:
            with body.block("if ended < 0"):
                body.line("return ended")
        with body.block("if ended == 0"):
            self._list(body, listing)
            body.line(f"ended = {len(self.game.ends) + 1}")
        body.line(f"s[{self.program.offsets[self.game.state['over']][0]}] = 1")
        body.line(f"s[{self.ended}] = ended")
        body.line("return 0")
        self.functions.add(name, ["s", "b", "c", "m", "k"], body, entry=entry)

    def _args(self, body: Body, index: int) -> list[str]:
        """The choices of an action that lies at k, as arguments; a list is copied out of the buffer first."""
        args: list[str] = []
        for choice, place in self.rows.places(index):
            held = f"m[{plus('k', place)}]"
            if choice.chain:
                at = self.program.slot(choice.chain.type)
                x = body.local("i")
                with body.block(f"for {x} in range({held})"):
                    body.line(f"s[{sum_of(str(at), x)}] = m[{sum_of('k', x, str(place + 1))}]")
                args.append(str(at))
            args.append(held)
        return args

    def _turn(self, body: Body) -> None:
        if self.game.turn.begin in self.effects:
            with body.block(f"if action == {self.setup}"):
                self._perform(body, self.game.turn.begin, [])
        text = body.cond(self.game.turn.over, {})
        with body.block(f"if action < {self.setup}" + ("" if text in ("1", "True") else f" and {text}")):
            self._change(body)

    def _list(self, body: Body, listing: str) -> None:
        """List the legal actions; where there are none and the next player may have some, ask that one."""
        if self.game.turn.stuck != "pass" or self.game.players == 1:
            body.line(f"n = {listing}(s, b, m)")
            with body.block("if n != 0"):
                body.line("return n")
            return
        body.line("asked = 1")
        with body.block("while True"):
            body.line(f"n = {listing}(s, b, m)")
            with body.block("if n != 0"):
                body.line("return n")
            with body.block(f"if asked == {self.game.players}"):
                body.line("break")
            body.line("asked += 1")
            self._change(body)

    def _rest(self) -> None:
        self._add(
            "rest",
            "s b c m n most",
            f"""
            if n <= 0 or most == 0:
                return n, 0
            n = step(s, b, c, m, choose(c, n) * {self.rows.width})
            plies = 1
            while n > 0 and plies < most:
                n = step(s, b, c, m, row_of(m, choose(c, n)))
                plies += 1
            if n > 0:
                n = listing(s, b, m)
            return n, plies
            """,
        )

    def _playouts(self) -> None:
        self._add(
            "playouts",
            "first words s b c m games most tally",
            f"""
            for _ in range(games):
                for i in range({self.program.state_cells}):
                    s[i] = first[i]
                for i in range({len(self.program.words)}):
                    b[i] = words[i]
                m[0] = {self.setup}
                k = 0
                plies = -1
                while True:
                    n = step(s, b, c, m, k)
                    plies += 1
                    if n <= 0 or plies == most:
                        break
                    k = row_of(m, choose(c, n))
                if n < 0:
                    return n
                tally[0] += plies
                if n == 0:
                    won = winners(s, b)
                    for player in range(1, {self.game.player.values[-1] + 1}):
                        if won & BIT[player] != ZERO:
                            tally[player] += 1
            return 0
            """,
        )

    def _add(self, name: str, params: str, text: str, entry: bool = True) -> None:
        body = Body(self.program, self.functions)
        body.lines = textwrap.indent(textwrap.dedent(text).strip(), "    ").split("\n")
        self.functions.add(name, params.split(), body, entry=entry)
