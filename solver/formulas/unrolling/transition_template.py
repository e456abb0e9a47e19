"""A template of the transition relation, evaluated once and stamped for each ply.

Stamping goes through the folding builder, so constants of a state (especially the first one) simplify its ply
before anything reaches an engine. A process keeps its last templates, because the claims of a setting often
need the same one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Action
from rulespec.core.types import Type

from ..aig import FALSE, TRUE, Gates, Watch
from ..dependencies import Dependencies
from ..effects import FAULT, STUCK, ChanceEvent, State
from ..layout import build, flatten, free_state
from ..symbolic_evaluation import OpenCall
from ..values import Symbol
from .transition_relation import Ply, TransitionBuilder

MOST_ROUNDS = 8
"""Maximum number of times a ply is stamped again after requirements have fixed choices; chains fix one at
a time."""
MOST_IN_A_PLY = 2_000_000
"""Maximum number of gates in the template of a ply."""
MOST_KEPT = 1_500_000
"""Maximum number of gates of all templates that a process keeps, some 100 MB."""


def shared_template(
    facts: Dependencies,
    actions: list[Action],
    wanted: frozenset[n.StateVar],
    fixed: State,
    most: dict[n.StateVar, int],
    legal: list[Action],
    watch: Watch | None = None,
    loose: bool = False,
) -> TransitionTemplate:
    """The template for these arguments, cached.

    A template depends on nothing but the game, the actions, the variables with their bounds, and the fixed
    values, which are constants.
    """
    constants = tuple((var, tuple(flatten(var.type, symbol))) for var, symbol in fixed.items())
    assert all(abs(literal) == TRUE for _, literals in constants for literal in literals)
    key = (
        facts.game,
        tuple(action.id for action in actions),
        tuple(action.id for action in legal),
        wanted,
        constants,
        tuple(most.items()),
        loose,
    )
    made = _kept.pop(key, None)
    if made is None:
        made = TransitionTemplate(facts, actions, wanted, fixed, most, legal, watch, loose)
    _kept[key] = made
    while len(_kept) > 1 and sum(template.size for template in _kept.values()) > MOST_KEPT:
        _kept.popitem(last=False)
    return made


_kept: OrderedDict[tuple[object, ...], TransitionTemplate] = OrderedDict()
"""The templates that were used last, by their arguments; each keeps its game alive."""


class TransitionTemplate:
    """A ply of a game from any state with the given values of fixed variables."""

    def __init__(
        self,
        facts: Dependencies,
        actions: list[Action],
        wanted: frozenset[n.StateVar],
        fixed: State,
        most: dict[n.StateVar, int],
        legal: list[Action],
        watch: Watch | None = None,
        loose: bool = False,
    ) -> None:
        game = facts.game
        self.variables = [v for v in game.state.values() if v in wanted or v in fixed]
        self.moving = [v for v in self.variables if v not in fixed]
        self.fixed = (*fixed,)
        gates = Gates(MOST_IN_A_PLY, watch)
        before = free_state(gates, self.variables, most, fixed)
        self._inputs = self._run(before)
        before |= {FAULT: FALSE, STUCK: FALSE}
        builder = TransitionBuilder(gates, facts, wanted, most, actions, legal, loose)
        self.ply: Ply = builder.ply(before)
        self.loosened, self._opened = builder.evaluate.loosened, builder.evaluate.opened
        self._outputs = self._run(self.ply.after)
        self._inputs_of, self._clauses, self.size = gates.inputs, gates.clauses, gates.size
        self._needed = gates.below(self._roots())

    def _run(self, state: State) -> list[int]:
        """The literals of the variables that are not fixed."""
        return [x for var in self.moving for x in flatten(var.type, state[var])]

    def _roots(self) -> list[int]:
        """The literals of everything that a ply consists of."""
        ply = self.ply
        waiting = [*self._outputs, *(x for clause in self._clauses for x in clause)]
        waiting += [c.literal for c in ply.cases]
        waiting += [x for _, given in self._opened for _, literals in given for x in literals]
        waiting += self._opened.values()
        waiting += [d.guard for d in ply.drawn] + [ply.after[flag] for flag in (FAULT, STUCK)]
        read = [(d.type, d.symbol) for d in ply.drawn]
        read += [(var.type, symbol) for free in ply.choices.values() for var, symbol in free.items()]
        return [*waiting, *(x for t, symbol in read for x in flatten(t, symbol))]

    def stamp(self, gates: Gates, state: State, opened: dict[OpenCall, int]) -> Ply:
        """Add a ply from a state to other gates, and its open calls to those `opened` there."""
        at = self._settled(gates, self._run(state))

        def real(literal: int) -> int:
            return at[literal] if literal > 0 else -at[-literal]

        def moved(t: Type, symbol: Symbol) -> Symbol:
            return build(t, map(real, flatten(t, symbol)))

        for (function, given), literal in self._opened.items():
            call = function, tuple((t, tuple(map(real, literals))) for t, literals in given)
            same = opened.setdefault(call, real(literal))
            gates.imply(same, real(literal))
            gates.imply(real(literal), same)
        after: State = {var: state[var] for var in self.fixed}
        after |= {var: moved(var.type, self.ply.after[var]) for var in self.moving}
        after |= {flag: real(self.ply.after[flag]) for flag in (FAULT, STUCK)}
        return Ply(
            [replace(c, literal=real(c.literal)) for c in self.ply.cases],
            {a: {v: moved(v.type, s) for v, s in free.items()} for a, free in self.ply.choices.items()},
            [ChanceEvent(d.type, moved(d.type, d.symbol), real(d.guard)) for d in self.ply.drawn],
            after,
        )

    def _settled(self, gates: Gates, actual: list[int]) -> list[int]:
        """The ply's literals, once its requirements are made; choices that these determine are constants.

        So if a rule fixes a choice under a lasting condition, everything that depends on the choice folds
        away.
        """
        forced: dict[int, int] = {}
        rounds = 0
        while True:
            size, demands = gates.size, len(gates.clauses)
            at = self._substitute(gates, actual, forced)
            for clause in self._clauses:
                gates.require([at[x] if x > 0 else -at[-x] for x in clause])
            single = {clause[0] for clause in gates.clauses[demands:] if len(clause) == 1}
            fresh = [v for v in self._needed if self._inputs_of[v] is None and abs(at[v]) > size]
            result = dict.fromkeys((v for v in fresh if -at[v] in single), FALSE)
            result |= dict.fromkeys((v for v in fresh if at[v] in single), TRUE)
            if not result or rounds == MOST_ROUNDS:
                return at
            rounds += 1
            forced |= result
            gates.undo_to(size, demands)

    def _substitute(self, gates: Gates, actual: list[int], forced: Mapping[int, int]) -> list[int]:
        """The literal of each gate, by number, with actual inputs in place of the template's."""
        at = [0] * (self.size + 1)
        at[1] = TRUE
        for var, known in forced.items():
            at[var] = known
        for literal, real in zip(self._inputs, actual, strict=True):
            if abs(literal) != TRUE:
                at[abs(literal)] = real if literal > 0 else -real
        both, conjunction, free = gates.both, gates.all, gates.free
        inputs = self._inputs_of
        for var in self._needed:
            if at[var]:
                continue
            key = inputs[var]
            if key is None:
                at[var] = free()
            elif len(key) == 2:
                a, b = key
                at[var] = both(at[a] if a > 0 else -at[-a], at[b] if b > 0 else -at[-b])
            else:
                at[var] = conjunction([at[x] if x > 0 else -at[-x] for x in key])
        return at
