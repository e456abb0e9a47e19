"""The whole code of a game: definitions, actions, plies, playouts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..core import nodes as n
from ..core.cpython import without_collector
from ..core.digest import exact
from ..core.game import Action, Game
from ..core.storage.code_cache import digest_of, read_code, write_code
from ..core.traversal import nodes_within
from ..core.types import scalar_of
from ..machine import form as f
from ..machine.builder import FALSE, TRUE, ZERO, as_type, compare, differ, minus, plus
from . import listing
from .bindings import Val
from .body import B, Body, C, Functions, M, S
from .codes import TooLarge
from .common_subexpressions import SharedConditions, drop_single_use_memos
from .effects import perform, storing_function, vacant_store
from .extensions import DrawExtension, Extension
from .identifiers import Kind
from .lookup_tables import table_lookup
from .move_generation.action_rows import TOTAL, ActionRows, N
from .move_generation.distance_pairs import enter_pairs
from .move_generation.legal_actions import FoundProduct, LegalActions
from .move_generation.products import ChoiceProduct
from .operators import HANDLERS
from .outcome import write_winners
from .plies import FAULT, FULL, Plies
from .program import Place, Program
from .sights import Visible, secret_parts, showing, sight_parts, write_sights
from .undo_log import write_after


@dataclass(frozen=True, eq=False)
class GameCode:
    """The code of a game and the data needed to call it."""

    program: Program
    rows: ActionRows
    asked: Mapping[str, tuple[str, n.Expr]]
    """Further questions about a state, by name: the function that answers, and the expression."""

    entries: Sequence[str]
    """The functions that may be called from outside."""

    visible: Visible | None
    """The places of the values that a seat sees, if anything is hidden from anybody."""

    digest: str
    """A digest of everything that the code depends on."""

    made: Mapping[str, f.Function] | None = field(repr=False)
    """The functions; None if only the data for calling them was cached."""

    @cached_property
    def _whole(self) -> GameCode:
        """This code with all functions, written again if only its data were cached."""
        if self.made is not None:
            return self
        asked = {name: e for name, (_, e) in self.asked.items()}
        again = _Writer(self.program.game, asked).write(self.digest)
        assert pack_code(again) == pack_code(self), "the code of a game is written alike each time"
        return again

    @property
    def functions(self) -> Mapping[str, f.Function]:
        """The functions by name."""
        return self._whole.made or {}

    @property
    def tables(self) -> Mapping[str, f.Table]:
        """The tables by name."""
        return self._whole.program.tables

    @property
    def constants(self) -> Mapping[str, int]:
        """The named numbers."""
        return self.program.constants

    @property
    def text(self) -> str:
        """The code in Python."""
        return listing.list_code(self._whole.program, self.functions)

    @property
    def listing(self) -> str:
        """The code in Python under headings that name the part of the rules behind each function."""
        return listing.list_code(self._whole.program, self.functions, headings=True)

    @property
    def meanings(self) -> Mapping[str, str]:
        """The meanings of names in the code, in words of the ruleset."""
        return listing.meanings(self._whole.program, self.functions)

    @property
    def width(self) -> int:
        """Size of an action in a buffer: its number, then its choices."""
        return self.rows.width


@without_collector()
def write(
    game: Game, asked: Mapping[str, n.Expr] | None = None, further: Sequence[Extension] = ()
) -> GameCode:
    """The code of a game, with a function of `s` and `b` for each expression in `asked`.

    The expressions are scalars without free names, such as the condition of a claim; none is returned as
    `NONE`. If the code was written before, the data for calling it come from the cache, unless there are
    `further` parts. Raises TooLarge if a part of the code would exceed a reasonable size.
    """
    digest = digest_of(exact(game, asked or {}), *(part.name for part in further))
    writer = _Writer(game, asked or {}, further)
    if further:
        return writer.write(digest)
    kept = read_code(digest)
    written = writer.unpacked(digest, kept) if kept is not None else None
    if written is None:
        written = writer.write(digest)
        write_code(digest, pack_code(written))
    return written


def pack_code(written: GameCode) -> bytes:
    """The data for calling the code of a game as JSON, except what the game gives directly."""
    program, visible = written.program, written.visible
    planes = {var.name: (place.expr.name, place.at) for var, place in program.planes.items()}
    parts = (
        program.constants, written.entries, program.cells, program.words, planes, written.rows.in_blocks,
        visible and (visible.cells, visible.words, visible.places),
    )  # fmt: skip
    return json.dumps(parts, separators=(",", ":")).encode()


class _Writer:
    def __init__(self, game: Game, asked: Mapping[str, n.Expr], further: Sequence[Extension] = ()) -> None:
        self.game, self.further = game, further
        self.hides = any(var.hidden for var in game.state.values())
        roots = [*asked.values(), *(sight_parts(game) if self.hides else ()), *secret_parts(game)]
        self.program = Program(game, [*roots, *(root for part in further for root in part.roots())])
        self.asked = {
            name: (self.program.name(Kind.ASK, name, f"question `{name}`"), e) for name, e in asked.items()
        }
        self.functions = Functions(self.program, HANDLERS, table_lookup)
        self.functions.drawn += [part.drawn for part in further if isinstance(part, DrawExtension)]
        self.rows = ActionRows(self.program)
        conditions = [*(x.condition for x in game.reactions), *(x.condition for x in game.ends)]
        self.sharing = SharedConditions(self.program, self.rows.actions, conditions)
        self.functions.share_conditions = self.sharing.together
        self.lists = {
            action.id: self.program.name(
                Kind.LIST, action.id, f"the legal ways of action {_with_clauses(action)}"
            )
            for action in self.rows.actions
        }
        self.effects: dict[n.Effect, str] = {}

    def unpacked(self, digest: str, data: bytes) -> GameCode | None:
        """Restore packed data; None if they are damaged."""
        program = self.program
        try:
            constants, entries, cells, words, planes, in_blocks, seen = json.loads(data)
            visible = seen and Visible(tuple(seen[0]), tuple(seen[1]), tuple(map(tuple, seen[2])))
            for name, (constant, at) in planes.items():
                program.planes[program.game.state[name]] = Place(program.constant(constant, at), at)
            program.constants = dict(constants)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        program.cells, program.words, self.rows.in_blocks = cells, words, in_blocks
        return GameCode(program, self.rows, self.asked, entries, visible, digest, None)

    def write(self, digest: str) -> GameCode:
        """Write all functions of the game."""
        plies = Plies(self.functions, self.rows, self.effects)
        for action in self.rows.actions:
            name = self.program.name(Kind.DO, action.id, f"the effect of action `{action.id}`")
            self._effect(name, action.effect, action)
        for reaction in self.game.reactions:
            name = self.program.name(Kind.REACT, reaction.id, f"reaction `{reaction.id}`")
            self._effect(name, reaction.effect)
        self._effect("setup", self.game.setup)
        self._effect("begin_turn", self.game.turn.begin)
        self._effect("next_mover", plies.next)
        self._ends()
        self._listing()
        write_winners(self.functions)
        plies.write()
        self._able()
        for name, e in self.asked.values():
            self._ask(name, e)
        visible = write_sights(self.functions) if self.hides else None
        showing(self.functions, self.rows)
        for part in self.further:
            part.write(self.functions, self.rows)
        self._write_requested()
        self._stores()
        entries = tuple(self.functions.entries)
        made = drop_single_use_memos(self.functions.written, {*self.functions.names.values()})
        return GameCode(self.program, self.rows, self.asked, entries, visible, digest, made)

    def _write_requested(self) -> None:
        """Write the requested functions, until none requests another."""
        done: set[n.After] = set()
        while self.functions.waiting or len(done) < len(self.functions.trials):
            while self.functions.waiting:
                self._can(*self.functions.waiting.pop())
            for e, name in [*self.functions.trials.items()][len(done) :]:
                done.add(e)
                write_after(self.functions, e, name)

    def _body(self, steady: bool = False) -> Body:
        return Body(self.program, self.functions, steady)

    def _effect(self, name: str, effect: n.Effect, action: Action | None = None) -> None:
        """Write the function of an effect, unless it does nothing."""
        body = self._body()
        env: dict[n.Var, Val] = {}
        for choice in action.choices if action else ():
            t = choice.chain.type if choice.chain else choice.var.type
            env[choice.var] = Val(choice.var.type, body.names(t, choice.var))
        tests = self.functions.tests
        body.first_store = vacant_store(action) if action else None
        perform(body, effect, env)
        if not body.body:
            return
        self.effects[effect] = name
        faulting = self.functions.tests > tests
        if faulting:
            body.give(0)
            self.functions.faulting.add(name)
        results, apart = [f.NUMBER] * faulting, effect is self.game.setup
        self.functions.add(name, [S, B, C, *_parts(env.values())], body, *results, apart=apart)

    def _ends(self) -> None:
        """Write the function that gives the number of the end that is reached."""
        body = self._body(steady=True)
        ends = "".join(f"; {i}: `{end.id}`" for i, end in enumerate(self.game.ends, 1))
        self.program.meanings["end"] = f"which end is reached, 0 if none is{ends}"
        for i, end in enumerate(self.game.ends, 1):
            with body.when(body.cond(end.condition, {})):
                body.give(i)
        body.give(0)
        self.functions.add("end", [S, B], body, f.NUMBER)

    def _listing(self) -> None:
        """Write the functions that list legal actions, again until their layout stays the same."""
        before, lists = self.rows.one_block, self._lists()
        while before != self.rows.one_block:  # all legal actions are another block, or none after all
            before, lists = self.rows.one_block, self._lists()
        if self.rows.in_blocks and not self.rows.pays:
            self.rows.in_blocks = False
            lists = self._lists()
        for name, parameters, body in lists:
            entry = name == "listing"
            self.functions.add(name, parameters, body, f.NUMBER, entry=entry)
        if self.rows.single:
            self.functions.add("word", [S, B, M], self._word(), f.NUMBER)

    def _word(self) -> Body:
        """The body of the function that returns all legal actions as one word."""
        body = self._body(steady=True)
        legal = body.named("legal", ZERO)
        LegalActions(
            body, self.rows.actions[0], (), lambda env: self.rows.mark(body, legal, env),
            lambda _, __, words: body.set(legal, words[0]),
            sharing=self.sharing, answered=True,
        ).write()  # fmt: skip
        self.rows.put(body, legal)
        return body

    def _lists(self) -> list[tuple[str, list[f.Local], Body]]:
        """The functions that list the choices of each action, and the function that calls them."""
        found: list[tuple[str, list[f.Local], Body]] = []
        whole, blocks = self._body(steady=True), self.rows.downwards
        n = whole.named("n", minus(f.Length(M), self.rows.size) if blocks else 0)
        if blocks:
            whole.store(M, n, 0)
        counts: dict[str, f.Local] = {}
        asked = {name for action in self.rows.actions for name in _actions_asked(action)}
        for action in self._in_order():
            known = {name: counts[name] for name in sorted(_actions_asked(action)) if name in counts}
            found.append(self._list(action, list(known)))
            if action.id in asked:
                counts[action.id] = whole.named("ways", self.rows.number(n))
            whole.set(n, whole.call(f.NUMBER, found[-1][0], S, B, M, n, *known.values()))
            if not self.rows.fits:
                with whole.when(compare("<", n, 0)):
                    whole.give(n)
            if action.id in asked:
                whole.set(counts[action.id], minus(self.rows.number(n), counts[action.id]))
        if blocks:
            whole.store(M, plus(f.Length(M), minus(1, self.rows.size)), n)
        whole.give(self.rows.number(n))
        return [*found, ("blocks" if self.rows.in_blocks else "listing", [S, B, M], whole)]

    def _list(self, action: Action, asked: Sequence[str]) -> tuple[str, list[f.Local], Body]:
        """The function that appends the legal choices of an action to those in m."""
        body = self._body(steady=True)
        given = [body.local(N.name), *(body.local("ways") for _ in asked)]
        body.counts = dict(zip(asked, given[1:], strict=True))
        index = self.rows.actions.index(action)
        if self.rows.downwards:
            body.set(body.local(TOTAL.name), self.rows.number(N))
        LegalActions(
            body, action, (), lambda env: self.rows.enter(body, index, env, FULL),
            (lambda env, var, words: self.rows.enter_all(body, index, env, FULL, var, words))
            if self.rows.in_blocks else None,
            (lambda env, condition: self.rows.enter(body, index, env, FULL, condition))
            if self.rows.counts_later else None,
            (lambda words, steps: enter_pairs(body, N, words, steps))
            if self.rows.pairs else None,
            self._product(body) if self.rows.may_be_product else None,
            self.sharing,
        ).write()  # fmt: skip
        body.give(N)
        return self.lists[action.id], [S, B, M, *given], body

    def _product(self, body: Body) -> FoundProduct:
        """A function that writes a block of all legal actions."""

        def enter(
            product: ChoiceProduct, firsts: Sequence[f.Expr], seconds: Sequence[Sequence[f.Expr]]
        ) -> None:
            self.rows.product = product
            product.enter(body, N, firsts, seconds)

        return enter

    def _in_order(self) -> list[Action]:
        """The actions, each after the actions whose legality it tests, if possible."""
        done: list[Action] = []
        waiting = list(self.rows.actions)
        while waiting:
            known = {action.id for action in done}
            ready = [a for a in waiting if _actions_asked(a) - {a.id} <= known] or waiting[:1]
            done += ready
            waiting = [a for a in waiting if a not in ready]
        return done

    def _can(self, action_id: str, given: int) -> None:
        """Write the function that tests an action with its first `given` choices fixed."""
        action = self.game.actions[action_id]
        body = self._body(steady=True)
        choices = [choice.var for choice in action.choices[:given]]
        vals = [Val(var.type, body.names(var.type, var)) for var in choices]
        LegalActions(body, action, vals, lambda env: body.give(TRUE)).write()
        body.give(FALSE)
        name = self.functions.asked[action_id, given]
        self.functions.add(name, [S, B, *_parts(vals)], body, f.TRUTH)

    def _able(self) -> None:
        """Write the function that tests whether any action is legal, stopping at the first way found.

        Several actions are listed together, so that their common parts are computed once.
        """
        body, actions = self._body(steady=True), self.rows.actions
        if len(actions) == 1 and not _actions_asked(actions[0]):
            body.give(body.call(f.TRUTH, self.functions.can(actions[0].id, 0), S, B))
        else:
            body.give(differ(body.call(f.NUMBER, "listing", S, B, M), 0))
        self.functions.add("able", [S, B, M], body, f.TRUTH)

    def _stores(self) -> None:
        for (var, none, vacant), name in self.functions.stores.items():
            body = self._body()
            place, value = body.local("place"), body.local("value")
            storing_function(body, var, place, value, none, vacant)
            self.functions.add(name, [S, B, place, value], body)

    def _ask(self, name: str, e: n.Expr) -> None:
        assert scalar_of(e.type) is not None, f"{name} is a {e.type}"
        body = self._body(steady=True)
        body.give(as_type(body.value(e, {}).expr, f.NUMBER))
        self.functions.add(name, [S, B], body, f.NUMBER, entry=True)


def _with_clauses(action: Action) -> str:
    """The name of an action, with the clauses that have conditions for it."""
    clauses = dict.fromkeys(r.clause for r in action.requirements if r.clause != action.id)
    others = ", ".join(f"`{clause}`" for clause in clauses)
    return f"`{action.id}`" + (f", with {others}" if clauses else "")


def _parts(vals: Iterable[Val]) -> list[f.Local]:
    """The parameters through which values are passed."""
    return [x for val in vals for x in val.parts if isinstance(x, f.Local)]


def _actions_asked(action: Action) -> set[str]:
    conditions = [r.condition for r in action.requirements]
    conditions += [choice.where for choice in action.choices if choice.where is not None]
    return {node.action for e in conditions for node in nodes_within(e) if isinstance(node, n.Can)}


__all__ = ["FAULT", "FULL", "GameCode", "TooLarge", "write"]
