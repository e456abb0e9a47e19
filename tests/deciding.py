"""The formula meaning put beside the interpreter's: symbolic values under an assignment of their literals."""

from __future__ import annotations

import random
from collections.abc import Mapping, Set
from typing import Any

from pysat.solvers import Solver
from world import WORLD, Env

from rulespec.core import nodes as n
from rulespec.core import types
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.notation import write
from rulespec.core.types import List, Map, Truth, Type, Value
from rulespec.play.chance import Chance
from rulespec.play.effects import FaultFound, Run
from rulespec.play.machine import Machine
from rulespec.play.machine import Ply as PlayedPly
from rulespec.play.position import STUCK as STUCK_END
from rulespec.play.position import Move, Position
from rulespec.solver.explore.chance_outcomes import outcomes
from rulespec.solver.explore.states import without_draw_count
from rulespec.solver.formulas.aig import FALSE, TRUE, Gates, tseitin_clauses
from rulespec.solver.formulas.cone_of_influence import cone_of_influence
from rulespec.solver.formulas.context import Moment
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.effects import FAULT, STUCK, ChanceEvent
from rulespec.solver.formulas.layout import flatten, free_state
from rulespec.solver.formulas.legality import Legality
from rulespec.solver.formulas.symbolic_evaluation import SymbolicEvaluator
from rulespec.solver.formulas.unrolling.transition_relation import Ply, TransitionBuilder
from rulespec.solver.formulas.unrolling.transition_template import TransitionTemplate
from rulespec.solver.formulas.values import Symbol, SymbolicList, lift, nothing

MACHINE = Machine(WORLD)
FACTS = Dependencies(WORLD)
ACTIONS = tuple(WORLD.actions.values())
WIDEST = 2_000
"""How many literals a variable may take that is compared though the rules do without it."""
STATES = tuple(WORLD.state.values())


def simulated(gates: Gates, true: Set[int]) -> list[bool]:
    """The value of every variable, given the free ones that are true."""
    values = [False, True]
    for var in range(2, gates.size + 1):
        key = gates.inputs[var]
        if key is None:
            values.append(var in true)
        else:
            values.append(all(values[x] if x > 0 else not values[-x] for x in key))
    return values


def holds(literal: int, bits: list[bool]) -> bool:
    """Whether a literal is true."""
    return bits[literal] if literal > 0 else not bits[-literal]


def decode(t: Type, symbol: Any, bits: list[bool]) -> Value:
    """The value that a symbolic value has; ValueError where it has none or several."""
    if isinstance(t, Truth):
        return holds(symbol, bits)
    if isinstance(t, types.Set):
        return frozenset(v for v, lit in symbol.items() if holds(lit, bits))
    if isinstance(t, Map):
        return tuple(decode(t.of, symbol[key], bits) for key in t.keys.values)
    if isinstance(t, List):
        assert isinstance(symbol, SymbolicList)
        (size,) = (s for s, lit in symbol.size.items() if holds(lit, bits))
        items = ([v for v, lit in item.items() if holds(lit, bits)] for item in symbol.items[:size])
        return tuple(value for (value,) in items)
    (value,) = (v for v, lit in symbol.items() if holds(lit, bits))
    return value


def assumed(
    free: Mapping[n.StateVar, Symbol], state: Mapping[n.StateVar, Value], rng: random.Random
) -> set[int]:
    """The literals of a free state that are true in a given state; those without meaning at random."""
    true: set[int] = set()
    for var, value in state.items():
        told = flatten(var.type, lift(var.type, value))
        true |= {x for x, held in zip(flatten(var.type, free[var]), told, strict=True) if held == 1}
        _fill(var.type, free[var], value, true, rng)
    return true


def _fill(t: Type, symbol: Symbol, value: Value, true: set[int], rng: random.Random) -> None:
    if isinstance(t, List):
        for item in symbol.items[len(value) :]:
            true |= {rng.choice(list(item.values()))} if rng.random() < 0.5 else set()
    elif isinstance(t, Map):
        for key, held in zip(t.keys.values, value, strict=True):
            _fill(t.of, symbol[key], held, true, rng)


def given_literals(free: Mapping[n.StateVar, Symbol], state: Mapping[n.StateVar, Value]) -> list[int]:
    """The literals that tell a free state to be a given one; those without meaning are left open."""
    found: list[int] = []
    for var, value in state.items():
        told = flatten(var.type, _meant(var.type, free[var], value))
        known = flatten(var.type, lift(var.type, value))
        found += [x if held == 1 else -x for x, held in zip(told, known, strict=True) if abs(x) != 1]
    return found


def _meant(t: Type, symbol: Symbol, value: Value) -> Symbol:
    if isinstance(t, List):
        return SymbolicList(symbol.items[: len(value)], symbol.size)
    if isinstance(t, Map):
        return {k: _meant(t.of, symbol[k], v) for k, v in zip(t.keys.values, value, strict=True)}
    return symbol


def chosen(drawn: ChanceEvent, bits: list[bool]) -> list[int]:
    """The literals by which a chance event came out as it did, or did not happen."""
    if not holds(drawn.guard, bits):
        return [-drawn.guard]
    if isinstance(drawn.type, Truth):
        return [drawn.guard, drawn.symbol if holds(drawn.symbol, bits) else -drawn.symbol]
    return [drawn.guard, *(x for x in flatten(drawn.type, drawn.symbol) if holds(x, bits))]


# ---- expressions


def agrees(e: n.Expr, env: Env, found: list[dict[n.StateVar, Value]], seed: int) -> None:
    """Assert that the formula's value of an expression is the interpreter's in each of these states."""
    gates = Gates()
    builder = TransitionBuilder(gates, FACTS, None, {}, ACTIONS, ACTIONS)
    free = free_state(gates, list(WORLD.state.values()), {}, {})
    locals_: dict[n.Var, Symbol] = {v: lift(v.type, x) for v, x in env.items()}
    symbol = builder.evaluate(e, locals_, builder.moment(free))
    for state in found:
        expected = evaluate(e, env, MACHINE.situation_of(dict(state)))
        known = {v: lift(v.type, x) for v, x in state.items()}
        told = builder.evaluate(e, locals_, builder.moment(known))
        for made in (symbol, told):
            flatten(e.type, made)  # some gates are made only when asked for
        bits = simulated(gates, assumed(free, state, random.Random(seed)))
        assert decode(e.type, symbol, bits) == expected
        assert all(any(bits[abs(x)] == (x > 0) for x in clause) for clause in gates.clauses)
        assert decode(e.type, told, bits) == expected


# ---- effects

Branch = tuple[tuple[str, ...], tuple[Value, ...] | None]
"""The outcomes of chance in notation, and the state after them; None after a fault."""


def branches_of_the_interpreter(effect: n.Effect, env: Env, state: dict[n.StateVar, Value]) -> set[Branch]:
    """What the interpreter makes of an effect, for every outcome of chance."""

    def run(chance: Chance) -> Branch:
        ply = Run(MACHINE.situation_of(dict(state)), chance, 0, lambda _: None)
        try:
            ply.perform(effect, env)
        except FaultFound:
            return tuple(ply.outcomes), None
        return tuple(ply.outcomes), tuple(ply.situation.values[var] for var in STATES)

    return set(outcomes(run, ()))


def branches_of_the_formulas(effect: n.Effect, env: Env, state: dict[n.StateVar, Value]) -> set[Branch]:
    """What the models of the formulas say, the state before given by assumptions."""
    gates = Gates()
    builder = TransitionBuilder(gates, FACTS, None, {}, ACTIONS, ACTIONS)
    run = builder.run
    free = free_state(gates, STATES, {}, {})
    locals_: dict[n.Var, Symbol] = {v: lift(v.type, x) for v, x in env.items()}
    after = run(effect, locals_, {**free, FAULT: FALSE, STUCK: FALSE}, TRUE)
    for var in STATES:  # lists make gates for their items when these are asked for, so before they are solved
        flatten(var.type, after[var])
    found: set[Branch] = set()
    with Solver(
        name="cadical195", bootstrap_with=[[TRUE], *tseitin_clauses(gates), *map(list, gates.clauses)]
    ) as solver:
        while solver.solve(assumptions=given_literals(free, state)):
            bits = [False, *(x > 0 for x in solver.get_model())]
            bits += [False] * (gates.size + 1 - len(bits))
            drawn = [d for d in run.drawn if holds(d.guard, bits)]
            texts = tuple(write(d.type, decode(d.type, d.symbol, bits)) for d in drawn)
            fault = holds(after[FAULT], bits)
            branch = texts, None if fault else tuple(decode(v.type, after[v], bits) for v in STATES)
            assert branch not in found
            found.add(branch)
            solver.add_clause([-x for d in run.drawn for x in chosen(d, bits)])
    return found


# ---- plies

After = tuple[Move, tuple[str, ...], tuple[Value, ...] | None, bool]
"""A move, the outcomes of chance, the state after it (None after a fault), whether all passed in vain then.

Where nobody passes, the formulas' `over` says whether an end was reached; so it does here.
"""


def plies_of_the_interpreter(
    machine: Machine, position: Position, kept: tuple[n.StateVar, ...]
) -> set[After]:
    """Every ply that can follow a position, with these variables of the state after it."""
    found: set[After] = set()
    over = machine.game.state["over"]
    for move in machine.moves(position):

        def play(chance: Chance, move: Move = move) -> PlayedPly:
            return machine.play(without_draw_count(position), move, chance)

        for after, drawn in outcomes(play, ()):
            stuck = after.ended == STUCK_END
            passed = stuck and machine.game.turn.stuck == "pass"
            ended = after.ended is not None and (passed or not stuck)
            held = {**dict(zip(machine.variables, after.values, strict=True)), over: ended}
            values = None if after.fault else tuple(held[v] for v in kept)
            found.add((move, drawn, values, passed))
    return found


class Plies:
    """Plies of a game by formulas, made once for free literals and stamped for each state.

    `kept` are the variables that the rules need to go on, and all others that are not too wide.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.variables = game, tuple(game.state.values())
        self.actions = list(game.actions.values())
        self.facts = Dependencies(game)
        asked = cone_of_influence(game, self.facts, self.actions, self.actions, [])
        narrow = {v for v in self.variables if len(flatten(v.type, nothing(v.type))) <= WIDEST}
        self.kept = tuple(v for v in self.variables if v in asked | narrow)
        self.template = TransitionTemplate(
            self.facts, self.actions, frozenset(self.kept), {}, {}, self.actions
        )

    def may_act(self, position: Position) -> bool:
        """Whether anything is legal in a position."""
        state = {v: lift(v.type, x) for v, x in zip(self.variables, position.values, strict=True)}
        legality = Legality(SymbolicEvaluator(Gates(), self.facts), self.actions)
        return {TRUE: True, FALSE: False}[legality.anything(Moment(state, legality.can))]

    def after(self, position: Position) -> set[After]:
        """Every ply that can follow a position."""
        gates = Gates()
        state = {v: lift(v.type, x) for v, x in zip(self.variables, position.values, strict=True)}
        ply = self.template.stamp(gates, {**state, FAULT: FALSE, STUCK: FALSE}, {})
        after = ply.after
        found: set[After] = set()
        clauses = [[TRUE], *tseitin_clauses(gates), *map(list, gates.clauses)]
        with Solver(name="cadical195", bootstrap_with=clauses) as solver:
            while solver.solve():
                bits = [False, *(x > 0 for x in solver.get_model())]
                bits += [False] * (gates.size + 1 - len(bits))
                move, told = self._move(ply, bits)
                drawn = (d for d in ply.drawn if holds(d.guard, bits))
                texts = tuple(write(d.type, decode(d.type, d.symbol, bits)) for d in drawn)
                fault = holds(after[FAULT], bits)
                values = None if fault else tuple(decode(v.type, after[v], bits) for v in self.kept)
                one = move, texts, values, holds(after[STUCK], bits)
                assert one not in found
                found.add(one)
                told += [x for d in ply.drawn for x in chosen(d, bits)]
                solver.add_clause([-x for x in told])
        return found

    def possible(self, gates: Gates) -> bool:
        """True if the ply that was stamped into some gates can be taken."""
        clauses = [[TRUE], *tseitin_clauses(gates), *map(list, gates.clauses)]
        with Solver(name="cadical195", bootstrap_with=clauses) as solver:
            return bool(solver.solve())

    def _move(self, ply: Ply, bits: list[bool]) -> tuple[Move, list[int]]:
        """The move of a model, and the literals by which it is told from others."""
        (case,) = (case for case in ply.cases if holds(case.literal, bits))
        told, args = [case.literal], dict(case.settled)
        for var, symbol in ply.choices[case.action.id].items():
            if var not in case.settled:
                args[var] = decode(var.type, symbol, bits)
                told += chosen(ChanceEvent(var.type, symbol, TRUE), bits)
        return Move(case.action.id, tuple(args[c.var] for c in case.action.choices)), told
