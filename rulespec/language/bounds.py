"""The size of the rules of a game when everything in them is unfolded.

A bound counts evaluations of operators in the worst case: a body under a binder once for each element its
source can have, a definition once for each call, recursion as deep as its falling number allows but at most
once for each combination of arguments. Results of a definition that depend on few scalars and the rules alone
are tabulated, and filling the table counts separately. So a ruleset cannot hang its reader: everything past
the limit is refused before anything is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass, field
from math import prod
from typing import cast

from ..core import nodes as n
from ..core.diagnostics import Report, Span
from ..core.game import Action, Game
from ..core.traversal import BOUND, FreeVariables, conjuncts, parts
from ..core.types import List, Optional, Scalar, Set, Type

LIMIT = 10**12
MOST_ASKED = 10**10
"""The limit for expressions outside the rules of play: scores, sights, drawings, claims."""
MOST_TABLED = 1 << 14
"""Maximum number of arguments for which a definition independent of the state is tabulated."""
_HUGE = 10**30
ASKED = 5
"""The depth of a test that an action is legal, in operators."""
DEEPEST = 4_000
"""Maximum nesting of operators, with definitions and their recursion unfolded."""

Cost = tuple[int, int]
"""Evaluations outside a definition's calls to itself, and the number of such calls."""


@dataclass
class Measurements:
    """The costs and depths of definitions, actions and expressions that test no other action.

    The games of one document share them.
    """

    costs: dict[n.Function | Action | n.Expr, int] = field(default_factory=dict)
    depths: dict[n.Function, int] = field(default_factory=dict)
    sizes: dict[n.Function, int] = field(default_factory=dict)
    """Maximum sizes of the sets and lists that definitions give."""


def bounds(game: Game) -> dict[str, int]:
    """The bound of each part of a game by its name (`define f`, `action a`, `reaction r`, `end e`).

    The bound of an action is for trying all its choices once, chains element by element, and performing it
    once; a condition is evaluated once for each combination of the choices that it reads.
    """
    return {name: bound for name, bound, _ in _bounds_of_play(game, Measurements())}


def check(game: Game, report: Report, measured: Measurements) -> None:
    """Report each part of a game whose bound exceeds the limit."""
    for name, bound, node in _bounds_of_play(game, measured):
        _check(name, bound, LIMIT, game.spans.get(node), report)
    for name, bound, span in _bounds_outside_play(game, measured):
        _check(name, bound, MOST_ASKED, span, report)
    depths = _Depths(game, measured)
    for name, action in game.actions.items():
        if action not in measured.costs and (depth := depths.action(name)) > DEEPEST:
            message = f"`can {name}` leads {depth:,} operators deep; the limit is {DEEPEST:,}"
            help = "let fewer actions ask one another"
            report.error("size.deep", message, game.spans.get(action.effect), help=help)
    for name, function in game.functions.items():
        if (depth := depths.function(function)) > DEEPEST:
            message = f"`define {name}` leads {depth:,} operators deep; the limit is {DEEPEST:,}"
            help = "let the recursion fall from less, or use `fold` or `follow`"
            report.error("size.deep", message, game.spans.get(function.body), help=help)


def _check(name: str, bound: int, limit: int, span: Span | None, report: Report) -> None:
    if bound > limit:
        about = f"more than {_HUGE:.0e}" if bound >= _HUGE else f"{bound:,}"
        words = f"`{name}` unfolds to {about} steps in the worst case; the limit is {limit:,}"
        help = "let binders run over smaller types, or fewer of them over one another"
        report.error("size.unfolded", words, span, help=help)


def _bounds_outside_play(game: Game, measured: Measurements) -> Iterator[tuple[str, int, Span | None]]:
    """The bounds of expressions outside the rules of play, with names and places."""
    measure = _Measure(game, measured)
    outcome, players, spans = game.outcome, len(game.player.values), game.spans
    judged = [("score", outcome.score), ("winners", outcome.winners), ("sides", outcome.side)]
    judged += [("ties", wish) for _, wish in outcome.ties] + [("titles", when) for when, _ in outcome.titles]
    for name, e in judged:
        if e is not None:
            yield name, players * measure.part(e), spans.get(e)
    for sight in game.sights:
        bound = measure.over(sight.binders, [sight.value])
        yield f"sees {sight.text}", players * bound, spans.get(sight.value)
    for layer in game.diagram:
        drawn = [*layer.attributes.values(), *(part for part in layer.text if not isinstance(part, str))]
        drawn += [layer.where] if layer.where is not None else []
        place = next((span for e in drawn if (span := spans.get(e)) is not None), None)
        yield f"diagram {layer.mark}", measure.over(layer.binders, drawn), place
    for name, sentence in game.presentation.sentences.items():
        shown = [part for part in sentence if not isinstance(part, str)]
        yield f"sentence {name}", sum(map(measure.part, shown)), next(map(spans.get, shown), None)
    for number, counter in enumerate(game.counters, 1):
        shown = [part for part in counter.parts if not isinstance(part, str)]
        yield f"counter {number}", players * sum(map(measure.part, shown)), next(map(spans.get, shown), None)
    for claim in game.claims.values():
        parts_of = [claim.condition, *claim.options.values()]
        yield f"claim {claim.id}", sum(map(measure.part, filter(n.is_expression, parts_of))), claim.span
    for example in (example for rule in game.rules for example in rule.examples):
        then = example.data.get("then")
        if n.is_expression(then):
            yield f"example {example.id}", measure.part(then), spans.get(then, example.span)


def _bounds_of_play(game: Game, measured: Measurements) -> Iterator[tuple[str, int, n.Expr | n.Effect]]:
    """Yield each part of a game with its greatest number of steps, and the node to report."""
    measure = _Measure(game, measured)
    for name, function in game.functions.items():
        yield f"define {name}", measure.function(function), function.body
    yield "setup", measure.whole(game.setup), game.setup
    begin, over, after = game.turn.begin, game.turn.over, game.turn.next
    whole = measure.whole(begin) + measure.whole(over) + measure.whole(after)
    yield "turn", whole, game.turn.over
    for name, action in game.actions.items():
        yield f"action {name}", measure.action(action), action.effect
    for reaction in game.reactions:
        cost = measure.whole(reaction.condition) + measure.whole(reaction.effect)
        yield f"reaction {reaction.id}", cost, reaction.condition
    for end in game.ends:
        yield f"end {end.id}", measure.whole(end.condition), end.condition


class _Sizes:
    """Maximum sizes of sets and lists; each definition is examined once."""

    def __init__(self, functions: dict[n.Function, int]) -> None:
        self._functions = functions

    def __call__(self, source: n.Expr) -> int:
        """Maximum size of a set or list."""
        if isinstance(source.type, List):
            return min(source.type.cap, self._built_size(source))
        return min(self._built_size(source), _value_count(of) if (of := cast(Set, source.type).of) else 0)

    def _built_size(self, source: n.Expr) -> int:
        """Maximum size of a set or list by its construction, ignoring the values of its type."""
        if isinstance(source, n.Const):
            return len(cast(Sized, source.value))
        if isinstance(source, n.SetOf | n.ListOf):
            return len(source.items)
        if isinstance(source, n.Select | n.Image | n.Collect):
            return self(source.source)
        if isinstance(source, n.Union | n.Concat):
            return self(source.a) + self(source.b)
        if isinstance(source, n.Intersection):
            return min(self(source.a), self(source.b))
        if isinstance(source, n.Difference):
            return self(source.a)
        if isinstance(source, n.If):
            return max(self(source.then), self(source.otherwise))
        if isinstance(source, n.Let):
            return self(source.body)
        if isinstance(source, n.Call) and source.function.falling is None:
            if source.function not in self._functions:
                self._functions[source.function] = self(source.function.body)
            return self._functions[source.function]
        return _HUGE


def _value_count(of: Type) -> int:
    """The number of values of a type that can be listed; for other types more than any limit."""
    if isinstance(of, Scalar):
        return len(of.values)
    if isinstance(of, Optional):
        return 1 + (len(of.of.values) if of.of else 0)
    return _HUGE


_LEAVES = frozenset({n.Const, n.Domain, n.Local, n.Get})
_COUNTED = frozenset({*BOUND, n.If, n.When, n.ForEach, n.Draw}) - {n.Let}
"""Nodes with parts that are not evaluated exactly once."""


class _Measure:
    """The costs of the nodes of one game; each definition is measured once."""

    def __init__(self, game: Game, measured: Measurements) -> None:
        self.game = game
        self.lasting = measured.costs
        self.cached: dict[n.Function | Action | n.Expr, int] = {}
        self.inside: list[n.Function | Action | n.Expr] = []
        self.asking = False
        """True if another action was tested since this was last set."""
        self.free = FreeVariables()
        self.elements = _Sizes(measured.sizes)

    def over(self, binders: Iterable[tuple[n.Var, n.Expr]], nodes: Iterable[n.Expr]) -> int:
        """The bound for evaluating nodes once for every combination of the binders' values."""
        total, times = 0, 1
        for _, source in binders:
            total, times = total + times * self.part(source), min(_HUGE, times * self.elements(source))
        return min(_HUGE, total + times * sum(map(self.part, nodes)))

    def part(self, e: n.Expr) -> int:
        """The bound of an expression, cached for other games with the same expression."""
        return self._once(e, lambda: self.whole(e))

    def whole(self, node: n.Expr | n.Effect) -> int:
        """The bound of a node outside of definitions."""
        return min(_HUGE, self.cost(node)[0])

    def function(self, function: n.Function) -> int:
        """The bound of one call of a definition."""
        return self._once(function, lambda: self._unfolded_cost(function))

    def action(self, action: Action) -> int:
        """The bound for trying all choices of an action and performing it once."""
        return self._once(action, lambda: self._trial_cost(action))

    def _once(self, key: n.Function | Action | n.Expr, measured: Callable[[], int]) -> int:
        """A cost, measured once; it is kept for later games unless it depends on callers."""
        if key in self.lasting:
            return self.lasting[key]
        if key in self.cached:
            self.asking = True  # else it would last
        else:
            before, self.asking = self.asking, False
            self.inside.append(key)
            self.cached[key] = min(_HUGE, measured())
            self.inside.pop()
            if not self.asking:
                self.lasting[key] = self.cached[key]
            self.asking |= before
        return self.cached[key]

    def _unfolded_cost(self, function: n.Function) -> int:
        """The cost of a recursive function with its calls, at most once per combination of arguments."""
        own, calls = self.cost(function.body)
        if not calls or function.falling is None:
            return own
        distinct = prod(_value_count(param.type) for param in function.params)
        total, level = 0, 1
        for _ in range(_value_count(function.params[function.falling].type)):
            total += level
            level *= calls
            if total >= distinct:
                return own * distinct
        return own * total

    def _is_tabled(self, function: n.Function) -> bool:
        """True if a call costs no more than a lookup, and filling the table no more than the limit."""
        if not function.static:
            return False
        distinct = prod(_value_count(param.type) for param in function.params)
        return distinct <= MOST_TABLED and distinct * self.function(function) <= LIMIT

    def _trial_cost(self, action: Action) -> int:
        """The cost of trying all choices of an action."""
        wide: dict[n.Var, int] = {}

        def asked(e: n.Expr | None) -> int:
            read = self.free(e) if e else frozenset()
            return prod(wide[v] for v in wide if v in read) * self.whole(e) if e else 0

        total = 0
        for choice in action.choices:
            total += asked(choice.source)
            times = choice.chain.type.cap if choice.chain else 1
            wide[choice.var] = max(1, self.elements(choice.source)) * times
            total += asked(choice.where) + (asked(choice.chain.where) if choice.chain else 0)
        for requirement in action.requirements:
            total += sum(map(asked, conjuncts(requirement.condition)))
        total += sum(self.whole(secret.shown) for secret in action.secrets if secret.shown is not None)
        return total + prod(wide.values()) + self.whole(action.effect)

    def cost(self, node: n.Expr | n.Effect) -> Cost:
        """The cost of a node; bodies count once for each evaluation."""
        kind = type(node)
        own, calls = 1, 0
        if kind in _LEAVES:
            return own, calls
        if isinstance(node, n.If | n.When):
            branches = [self.cost(branch) for branch in (node.then, node.otherwise)]
            own, calls = 1 + max(own for own, _ in branches), max(calls for _, calls in branches)
        for part, times in self._times(node) if kind in _COUNTED else ((part, 1) for part in parts(node)):
            more = self.cost(part)
            own, calls = min(_HUGE, own + times * more[0]), min(_HUGE, calls + times * more[1])
        if isinstance(node, n.Call):
            if node.function in self.inside:
                calls += 1
                self.asking |= node.function is not self.inside[-1]  # the recursion leads through an action
            elif not self._is_tabled(node.function):
                own += self.function(node.function)
        elif isinstance(node, n.Can):
            self.asking = True
            asked = self.game.actions[node.action]
            own += self.action(asked) if asked not in self.inside else 0
        return min(_HUGE, own), calls

    def _times(self, node: n.Expr | n.Effect) -> Iterator[tuple[n.Expr | n.Effect, int]]:
        """Yield the parts of a node, each with the number of times it is evaluated."""
        once: tuple[n.Expr | n.Effect | None, ...] = ()
        times = 1
        if isinstance(node, n.Tabulate):
            times = len(node.keys.values)
        elif isinstance(node, n.Follow):
            once, times = (node.start, node.times), node.most
        elif isinstance(node, n.Reach):
            once, times = (node.start, node.source), self.elements(node.source) ** 2
        elif isinstance(node, n.Fold):
            once, times = (node.start, node.source), self.elements(node.source)
        elif isinstance(node, n.Draw):
            once, times = (node.body, node.source), self.elements(node.source)
        elif isinstance(node, n.Over | n.ForEach | n.Shuffle):
            once, times = (node.source,), self.elements(node.source)
        for part in (node.cond,) if isinstance(node, n.If | n.When) else parts(node):
            yield part, 1 if any(part is other for other in once) else times


class _Depths:
    """The nesting depths of the definitions of one game; each definition is measured once."""

    def __init__(self, game: Game, measured: Measurements) -> None:
        self.game = game
        self.lasting = measured.depths
        self.cached: dict[n.Function | str, int] = {}
        self.inside: list[n.Function | str] = []
        self.asking = False
        """True if an action was tested since this was last set."""

    def function(self, function: n.Function) -> int:
        """The depth of one call of a definition, its recursion included."""
        if function in self.lasting:
            return self.lasting[function]
        if function in self.cached:
            self.asking = True  # else it would last
        else:
            before, self.asking = self.asking, False
            self.inside.append(function)
            own, back = self._of(function.body)
            self.inside.pop()
            falls = function.falling is not None and back > 0
            times = _value_count(function.params[function.falling or 0].type) if falls else 1
            self.cached[function] = own + back * (times - 1)
            if not self.asking:
                self.lasting[function] = self.cached[function]
            self.asking |= before
        return self.cached[function]

    def action(self, name: str) -> int:
        """The depth of testing that an action is legal."""
        if name not in self.cached:
            self.inside.append(name)
            choices, requirements = self.game.actions[name].choices, self.game.actions[name].requirements
            asked = [c.source for c in choices] + [c.where for c in choices if c.where is not None]
            asked += [c.chain.where for c in choices if c.chain] + [r.condition for r in requirements]
            self.cached[name] = max((self._of(e)[0] for e in asked), default=0)
            self.inside.pop()
        return self.cached[name]

    def _of(self, node: n.Expr | n.Effect) -> tuple[int, int]:
        """The nesting depth of a node, and that of recursive calls in it (0: none)."""
        if type(node) in _LEAVES:
            return 1, 0
        inner = [self._of(part) for part in parts(node)]
        own, back = max((d for d, _ in inner), default=0), max((b for _, b in inner), default=0)
        if isinstance(node, n.Call) and node.function is self.inside[-1:][0]:
            back = max(back, 1)
        elif isinstance(node, n.Call):
            own = max(own, self.function(node.function))
        elif isinstance(node, n.Can):
            self.asking = True
            own = max(own, self.action(node.action)) if node.action not in self.inside else own
        return own + (ASKED if isinstance(node, n.Can) else 1), back + 1 if back else 0
