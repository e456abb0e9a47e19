"""Plies as code: functions that play an action and list the legal actions after it, and two that play at
random.

The buffer `m` says what to play: the number of an action and its choices, or one of three numbers past the
last action, `SETUP`, `SETTLE` and `RESUME`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..core import nodes as n
from ..kernels.kit import FAULT as FAULT
from ..kernels.kit import FULL as FULL
from ..machine import form as f
from ..machine.builder import (
    TRUE,
    ZERO,
    bit,
    both,
    choose,
    compare,
    differ,
    either,
    equal,
    intersection,
    load,
    minus,
    number,
    plus,
    times,
)  # fmt: skip
from .body import B, Body, C, Functions, M, S
from .move_generation.action_rows import ActionRows

K = f.Local(f.NUMBER, "k")
"""The place in the buffer of the row to play, or the number of a legal action."""
PLAY = S, B, C, M


class Plies:
    """Writes the functions of plies, given the names of the functions of effects; an effect without work has
    none."""

    def __init__(self, functions: Functions, rows: ActionRows, effects: Mapping[n.Effect, str]) -> None:
        self.functions, self.rows, self.effects = functions, rows, effects
        self.program = program = functions.program
        self.game = program.game
        self.next = n.Assign(self.game.mover, (), self.game.turn.next)
        self.ended = program.constant("ENDED", program.room("s", 1))
        self.fault = program.constant("FAULT", program.room("s", 1))
        count = len(rows.actions)
        self.setup = program.constant("SETUP", count)
        self.settle = program.constant("SETTLE", count + 1)
        self.resume = program.constant("RESUME", count + 2)

    def write(self) -> None:
        """Write all functions of plies."""
        self._act()
        if self.rows.in_blocks:
            body = self._body()
            self.rows.listing(body, FULL)
            self.functions.add("listing", [S, B, M], body, f.NUMBER, entry=True)
        listing = "blocks" if self.rows.in_blocks else "word" if self.rows.single else "listing"
        act, other = (f.Call(f.NUMBER, name, (*PLAY, K)) for name in ("act", "arrange"))
        self._ply("opening", listing, other)
        self._ply("step", listing, act)
        self._ply("play", "listing", choose(compare("<", load(M, K), self.setup), act, other))
        body = self._body(K)
        self.rows.picking(body, K)
        self.functions.add("row_of", [M, K], body, f.NUMBER)
        self._rest()
        self._playouts()

    def _body(self, *parameters: f.Local) -> Body:
        body = Body(self.program, self.functions)
        for x in parameters:
            body.types[x.name] = x.type
        return body

    def _perform(self, body: Body, effect: n.Effect, args: Sequence[f.Expr] = ()) -> None:
        """Write a call of the function of an effect; a fault ends the function."""
        name = self.effects.get(effect)
        if name is None:
            return
        if name not in self.functions.faulting:
            body.do(name, S, B, C, *args)
            return
        fault = body.named("fault", body.call(f.NUMBER, name, S, B, C, *args))
        with body.when(differ(fault, 0)):
            body.store(S, self.fault, fault)
            body.give(FAULT)

    def _change(self, body: Body) -> None:
        self._perform(body, self.next)
        self._perform(body, self.game.turn.begin)

    def _act(self) -> None:
        """Write the functions that play a legal action and what follows; each returns 0 or the end of
        play."""
        body = self._body(K)
        several = len(self.rows.actions) > 1
        self._cases(body, body.named("action", load(M, K)) if several else number(0), 0)
        for reaction in self.game.reactions:
            with body.when(body.cond(reaction.condition, {})):
                self._perform(body, reaction.effect)
        ended = body.named("ended", body.call(f.NUMBER, "end", S, B))
        depth = body.depth
        body.under(equal(ended, 0))
        body.under(body.cond(self.game.turn.over, {}))
        self._change(body)
        body.back(depth)
        body.give(ended)
        self.functions.add("act", [*PLAY, K], body, f.NUMBER)
        body = self._body(K)
        action = body.named("action", load(M, K))
        begins = equal(action, self.setup)
        if self.game.setup in self.effects:
            with body.when(begins):
                self._perform(body, self.game.setup)
        resumed = equal(action, self.resume)
        ended = body.named("ended", choose(resumed, 0, body.call(f.NUMBER, "end", S, B)))
        if self.game.turn.begin in self.effects:
            with body.when(both(equal(ended, 0), begins)):
                self._perform(body, self.game.turn.begin)
        body.give(ended)
        self.functions.add("arrange", [*PLAY, K], body, f.NUMBER)

    def _cases(self, body: Body, action: f.Expr, index: int) -> None:
        """Write code that performs the action with a number, for the actions from an index on."""
        if index < len(self.rows.actions) - 1:
            with body.when(equal(action, index)):
                self._perform(body, self.rows.actions[index].effect, self._args(body, index))
            with body.otherwise():
                self._cases(body, action, index + 1)
        elif index < len(self.rows.actions):
            self._perform(body, self.rows.actions[index].effect, self._args(body, index))

    def _ply(self, name: str, listing: str, played: f.Expr) -> None:
        """Write the function that plays a row and lists the legal actions after it."""
        body = self._body(K)
        ended = body.named("ended", played)
        if self.functions.faulting:
            with body.when(compare("<", ended, 0)):
                body.give(ended)
        with body.when(equal(ended, 0)):
            self._list(body, listing)
            body.set(ended, len(self.game.ends) + 1)
        body.store(S, self.program.offsets[self.game.state["over"]].expr, 1)
        body.store(S, self.ended, ended)
        body.give(0)
        self.functions.add(name, [*PLAY, K], body, f.NUMBER, entry=name == "play")

    def _args(self, body: Body, index: int) -> list[f.Expr]:
        """The choices of the action at k, as arguments."""
        return [part for val in self.rows.choices(body, index, K).values() for part in val.parts]

    def _list(self, body: Body, listing: str) -> None:
        """Write code that lists the legal actions; without any, turns may pass to a player who has some."""
        n = body.local("n")
        listed = body.call(f.NUMBER, listing, S, B, M)
        if self.game.turn.stuck != "pass" or self.game.players == 1:
            body.set(n, listed)
            with body.when(differ(n, 0)):
                body.give(n)
            return
        asked = body.named("asked", 1)
        with body.repeat(TRUE):
            body.set(n, listed)
            with body.when(differ(n, 0)):
                body.give(n)
            with body.when(equal(asked, self.game.players)):
                body.leave()
            body.add(asked, 1)
            self._change(body)

    def _rest(self) -> None:
        """Write `rest`: play at most `most` random plies, when n actions are legal."""
        n, most = f.Local(f.NUMBER, "n"), f.Local(f.NUMBER, "most")
        body = self._body(n, most)
        with body.when(either(compare("<=", n, 0), equal(most, 0))):
            body.give(n, 0)
        chosen = body.call(f.NUMBER, "choose", C, n)
        body.set(n, body.call(f.NUMBER, "step", *PLAY, times(chosen, self.rows.width)))
        left = body.named("left", minus(most, 1))
        self._plies(body, n, left)
        with body.when(compare(">", n, 0)):
            body.set(n, body.call(f.NUMBER, "listing", S, B, M))
        body.give(n, minus(most, left))
        self.functions.add("rest", [*PLAY, n, most], body, f.NUMBER, f.NUMBER, entry=True)

    def _plies(self, body: Body, n: f.Local, left: f.Local) -> None:
        """Write random plies until none of `left` remains, when n actions are legal."""
        k = body.local("k")
        with body.repeat(TRUE):
            with body.when(compare("<=", n, 0)):
                body.leave()
            with body.when(equal(left, 0)):
                body.leave()
            body.set(k, body.call(f.NUMBER, "row_of", M, body.call(f.NUMBER, "choose", C, n)))
            body.set(n, body.call(f.NUMBER, "step", *PLAY, 0 if self.rows.at_once else k))
            body.add(left, -1)

    def _playouts(self) -> None:
        """Write `playouts`: play whole random games and count their results."""
        first, words, tally = (
            f.Local(t, x) for t, x in ((f.NUMBERS, "first"), (f.WORDS, "words"), (f.NUMBERS, "tally"))
        )
        games, most = f.Local(f.NUMBER, "games"), f.Local(f.NUMBER, "most")
        body = self._body(first, words, games, most, tally)
        left, n, i = body.local("left"), body.local("n"), body.local("i")
        begun, held = body.named("begun", 0), body.named("held", 0)
        # Where nothing is set up and a word stands for all legal actions, games begin alike.
        alike = self.rows.single and not {self.game.setup, self.game.turn.begin} & self.effects.keys()
        with body.each(body.local("game"), 0, games):
            with body.each(i, 0, self.program.state_cells):
                body.store(S, i, load(first, i))
            with body.each(i, 0, len(self.program.words)):
                body.store(B, i, load(words, i))
            with body.when(equal(begun, 0) if alike else TRUE):
                body.store(M, 0, self.setup)
                body.set(n, body.call(f.NUMBER, "opening", *PLAY, 0))
                if alike:
                    body.set(begun, n)
                    body.set(held, load(M, self.rows.width))
            if alike:
                with body.otherwise():
                    body.set(n, begun)
                    body.store(M, self.rows.width, held)
            body.set(left, most)
            self._plies(body, n, left)
            with body.when(compare("<", n, 0)):
                body.give(n)
            body.store(tally, 0, plus(load(tally, 0), minus(most, left)))
            with body.when(equal(n, 0)):
                won = body.named("won", body.call(f.WORD, "winners", S, B))
                player, last = body.local("player"), self.game.player.values[-1]
                wins = differ(intersection(won, bit(player)), ZERO)
                with body.each(player, 1, last + 1):
                    body.store(tally, player, plus(load(tally, player), wins))
        body.give(0)
        parameters = [first, words, *PLAY, games, most, tally]
        self.functions.add("playouts", parameters, body, f.NUMBER, entry=True)
