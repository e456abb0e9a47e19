"""The whole text of a game's code: constants, tables, definitions, actions, plies, playouts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core import nodes as n
from ..core.cached_code import digest_of, read_code, write_code
from ..core.digest import exact
from ..core.game import Action, Game
from ..core.types import scalar_of
from ..core.walk import inside
from .actions import Lister
from .body import Body, Functions
from .codes import TooLarge
from .effects import perform, storing_function
from .layout import laid_out, meanings
from .naming import Kind
from .operators import HANDLERS
from .outcome import judging
from .plies import FAULT, FULL, Plies
from .program import Program
from .rows import Rows
from .sharing import Sharing
from .sights import Visible, seeing, sight_parts
from .tables import tabulated
from .vals import Val


@dataclass(frozen=True, eq=False)
class Written:
    """The code of a game and what is needed to speak with it."""

    program: Program
    text: str
    meanings: Mapping[str, str]
    """The meanings of names in the text, in words of the ruleset."""
    rows: Rows
    constants: Mapping[str, int]
    """The constants of the text that are numbers, by name."""
    asked: Mapping[str, tuple[str, n.Expr]]
    """What can be asked of a state besides: the function that answers and the expression, by name."""

    entries: Sequence[str]
    """The functions that may be called from outside the text."""

    visible: Visible | None
    """Where lies what a seat sees, if anything is hidden from anybody."""

    @property
    def width(self) -> int:
        """How many numbers an action takes in a buffer: its own, then its choices'."""
        return self.rows.width


def write(game: Game, asked: Mapping[str, n.Expr] | None = None) -> Written:
    """The code of a game, with a function of `s` and `b` for each expression over the state in `asked`.

    The expressions are scalars without free names, such as the condition of a claim; what is none is
    `NONE`. Code that was written before comes from the cache. Raises TooLarge where a part of it cannot be
    code of a reasonable size.
    """
    digest, writer = digest_of(exact(game, asked or {})), _Writer(game, asked or {})
    kept = read_code(digest)
    written = writer.unpacked(kept) if kept is not None else None
    if written is None:
        written = writer.write()
        write_code(digest, packed(written))
    return written


def packed(written: Written) -> bytes:
    """The code of a game as JSON, but for what follows from the game at once."""
    program, visible = written.program, written.visible
    planes = {var.name: name for var, name in program.planes.items()}
    parts = (
        written.text, written.meanings, written.constants, written.entries, program.cells, program.words,
        planes, visible and (visible.cells, visible.words),
    )  # fmt: skip
    return json.dumps(parts, separators=(",", ":")).encode()


class _Writer:
    def __init__(self, game: Game, asked: Mapping[str, n.Expr]) -> None:
        self.game = game
        self.hides = any(var.hidden for var in game.state.values())
        self.program = Program(game, [*asked.values(), *(sight_parts(game) if self.hides else ())])
        self.asked = {
            name: (self.program.name(Kind.ASK, name, f"question `{name}`"), e) for name, e in asked.items()
        }
        self.functions = Functions(self.program, HANDLERS, tabulated)
        self.rows = Rows(self.program)
        self.sharing = Sharing(self.program, self.rows.actions)
        self.lists = {
            action.id: self.program.name(Kind.LIST, action.id, f"the legal ways of action `{action.id}`")
            for action in self.rows.actions
        }
        self.effects: dict[n.Effect, str] = {}

    def unpacked(self, data: bytes) -> Written | None:
        """The code that was packed; None if that is damaged."""
        program = self.program
        try:
            text, named, constants, entries, cells, words, planes, seen = json.loads(data)
            visible = seen and Visible(*map(tuple, seen))
            program.planes = {program.game.state[name]: plane for name, plane in planes.items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        program.cells, program.words = cells, words
        return Written(program, text, named, self.rows, constants, self.asked, entries, visible)

    def write(self) -> Written:
        plies = Plies(self.functions, self.rows, self.effects)
        for action in self.rows.actions:
            name = self.program.name(Kind.DO, action.id, f"action `{action.id}`")
            self._effect(name, action.effect, action)
        for reaction in self.game.reactions:
            name = self.program.name(Kind.REACT, reaction.id, f"reaction `{reaction.id}`")
            self._effect(name, reaction.effect)
        self._effect("setup", self.game.setup)
        self._effect("begin", self.game.turn.begin)
        self._effect("next_mover", plies.next)
        self._ends()
        self._listing()
        judging(self.functions)
        plies.write()
        for name, e in self.asked.values():
            self._ask(name, e)
        visible = seeing(self.functions) if self.hides else None
        while self.functions.waiting:
            self._can(*self.functions.waiting.pop())
        self._stores()
        text = laid_out(self.program, self.functions.texts)
        named = meanings(self.program, text)
        constants = {name: int(value) for name, value in self.program.constants if value.isdecimal()}
        entries = tuple(self.functions.entries)
        return Written(self.program, text, named, self.rows, constants, self.asked, entries, visible)

    def _body(self, *params: str) -> Body:
        return Body(self.program, self.functions, params)

    def _effect(self, name: str, effect: n.Effect, action: Action | None = None) -> None:
        """Write the function of an effect, unless it does nothing."""
        body = self._body()
        params: list[str] = []
        env: dict[n.Var, Val] = {}
        for choice in action.choices if action else ():
            texts: tuple[str, ...] = (body.local(choice.var),)
            if choice.chain:
                texts += (body.beside(texts[0], "_size"),)
            params += texts
            env[choice.var] = Val(choice.var.type, texts)
        tests = self.functions.tests
        perform(body, effect, env)
        if not body.lines:
            return
        self.effects[effect] = name
        if self.functions.tests > tests:
            body.line("return 0")
            self.functions.faulting.add(name)
        rare = "rare" if effect is self.game.setup else ""
        self.functions.add(name, ["s", "b", "c", *params], body, mark=rare)

    def _ends(self) -> None:
        body = self._body()
        for i, end in enumerate(self.game.ends, 1):
            text = body.cond(end.condition, {})
            with body.block(f"if {text}"):
                body.line(f"return {i}")
        body.line("return 0")
        self.functions.add("end", ["s", "b"], body, mark="steady")

    def _listing(self) -> None:
        lists = self._lists()
        if self.rows.in_blocks and not self.rows.pays:
            self.rows.in_blocks = False
            lists = self._lists()
        for name, params, body in lists[:-1]:
            self.functions.add(name, params, body)
        blocks = self.rows.in_blocks
        if blocks:
            self.program.constant("BLOCK", str(self.rows.block))
        name, params, whole = lists[-1]
        self.functions.add(name, params, whole, entry=not blocks, mark="steady")

    def _lists(self) -> list[tuple[str, list[str], Body]]:
        """The functions that list each action, and the one that calls them."""
        found: list[tuple[str, list[str], Body]] = []
        whole = self._body()
        counts: dict[str, str] = {}
        asked = {name for action in self.rows.actions for name in _asks(action)}
        begun = "0"
        if self.rows.in_blocks:
            begun = "n"
            whole.line("n = len(m) - BLOCK")
            whole.line("m[n] = 0")
        for action in self._in_order():
            known = {name: counts[name] for name in sorted(_asks(action)) if name in counts}
            found.append(self._list(action, list(known)))
            call = f"{found[-1][0]}({', '.join(['s', 'b', 'm', begun, *known.values()])})"
            if action.id in asked:
                counts[action.id] = whole.beside(self.lists[action.id], "_count")
                whole.line(f"{counts[action.id]} = {self.rows.number(begun)}")
            whole.line(f"n = {call}")
            begun = "n"
            if not self.rows.fits:
                with whole.block("if n < 0"):
                    whole.line("return n")
            if action.id in asked:
                whole.line(f"{counts[action.id]} = {self.rows.number('n')} - {counts[action.id]}")
        if self.rows.in_blocks:
            whole.line("m[len(m) - BLOCK + 1] = n")
        whole.line(f"return {self.rows.number(begun)}")
        return [*found, ("blocks" if self.rows.in_blocks else "listing", ["s", "b", "m"], whole)]

    def _list(self, action: Action, asked: Sequence[str]) -> tuple[str, list[str], Body]:
        """The function that puts the ways to take an action behind those in m."""
        body = self._body()
        body.counts = {name: body.beside(self.lists[name], "_count") for name in asked}
        index = self.rows.actions.index(action)
        if self.rows.in_blocks:
            body.line("total = m[n]")
        Lister(
            body, action, (), lambda env: self.rows.enter(body, index, env, FULL),
            (lambda env, var, words: self.rows.enter_all(body, index, env, FULL, var, words))
            if self.rows.in_blocks else None,
            (lambda env, condition: self.rows.enter(body, index, env, FULL, condition))
            if self.rows.counts_later else None,
            self.sharing,
        ).write()  # fmt: skip
        body.line("return n")
        return self.lists[action.id], ["s", "b", "m", "n", *body.counts.values()], body

    def _in_order(self) -> list[Action]:
        """The actions, each after those whose being legal it asks for, as far as that goes."""
        done: list[Action] = []
        waiting = list(self.rows.actions)
        while waiting:
            known = {action.id for action in done}
            ready = [a for a in waiting if _asks(a) - {a.id} <= known] or waiting[:1]
            done += ready
            waiting = [a for a in waiting if a not in ready]
        return done

    def _can(self, action_id: str, given: int) -> None:
        action = self.game.actions[action_id]
        body = self._body()
        vals: list[Val] = []
        params: list[str] = []
        for choice in action.choices[:given]:
            t = choice.var.type
            texts = (body.local(choice.var),)
            params += texts
            vals.append(Val(t, texts))
        Lister(body, action, vals, lambda env: body.line("return True")).write()
        body.line("return False")
        name = self.functions.asked[action_id, given]
        self.functions.add(name, ["s", "b", *params], body, mark="steady")

    def _stores(self) -> None:
        for var, name in self.functions.stores.items():
            body = self._body("place", "value")
            storing_function(body, var)
            self.functions.add(name, ["s", "b", "place", "value"], body)

    def _ask(self, name: str, e: n.Expr) -> None:
        assert scalar_of(e.type) is not None, f"{name} is a {e.type}"
        body = self._body()
        body.line(f"return {body.value(e, {}).text}")
        self.functions.add(name, ["s", "b"], body, entry=True, mark="steady")


def _asks(action: Action) -> set[str]:
    conditions = [r.condition for r in action.requirements]
    conditions += [choice.where for choice in action.choices if choice.where is not None]
    return {node.action for e in conditions for node in inside(e) if isinstance(node, n.Can)}


__all__ = ["FAULT", "FULL", "TooLarge", "Written", "write"]
