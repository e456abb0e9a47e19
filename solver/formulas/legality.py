"""Legality in a symbolic state: choices in order, each condition evaluated as early as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rulespec.core import nodes as n
from rulespec.core.game import Action, Chain, Choice
from rulespec.core.types import Value

from .aig import FALSE, TRUE, TooWide
from .context import Env, Moment
from .symbolic_evaluation import SymbolicEvaluator
from .values import Symbol, SymbolicList, cases_of, constant, element, is_member, single

MOST_CHAINS = 5_000
"""Maximum number of enumerated prefixes of chains."""


@dataclass(frozen=True)
class PartialChoice:
    """Some choices of an action: their values, the condition so far, and the remaining conditions."""

    env: Env
    guard: int
    waiting: tuple[n.Expr, ...]


class Legality:
    """Evaluates the legality of actions; `actions` are all that may be legal."""

    def __init__(self, evaluator: SymbolicEvaluator, actions: Sequence[Action]) -> None:
        self.evaluate, self.actions = evaluator, actions
        self.gates, self.facts = evaluator.gates, evaluator.facts

    def can(self, action: str, given: list[Symbol], at: Moment) -> int:
        """Literal for an action of this name being legal in a moment, with these first choices."""
        return self.gates.any(self.ways(self.facts.game.actions[action], given, at))

    def anything(self, at: Moment) -> int:
        """Literal that some action is legal at a moment. Actions without choices are tried first."""
        result = []
        for action in sorted(self.actions, key=lambda a: bool(a.choices)):
            result.append(self.can(action.id, [], at))
            if result[-1] == TRUE:
                return TRUE
        return self.gates.any(result)

    def ways(self, action: Action, given: list[Symbol], at: Moment) -> Iterator[int]:
        """The conditions under which an action is legal, one for each combination of its choices."""
        result = [self._begin(action, at)]
        for i, choice in enumerate(action.choices):
            going = (way for way in result if way.guard != FALSE)
            fixed = given[i : i + 1]
            result = [further for way in going for further in self._further(choice, way, fixed, at)]
        return (way.guard for way in result)

    def is_possible(self, action: Action, at: Moment) -> bool:
        """True if some combination of its choices may be legal; stops at the first."""
        return self._leads_on(action.choices, self._begin(action, at), at)

    def _leads_on(self, choices: Sequence[Choice], way: PartialChoice, at: Moment) -> bool:
        """True if a partial choice may be completed."""
        if way.guard == FALSE or not choices:
            return way.guard != FALSE
        return any(self._leads_on(choices[1:], on, at) for on in self._further(choices[0], way, [], at))

    def _begin(self, action: Action, at: Moment) -> PartialChoice:
        """The partial choice without any choices made."""
        return self._ask_ready(PartialChoice({}, TRUE, tuple(r.condition for r in action.requirements)), at)

    def _ask_ready(self, way: PartialChoice, at: Moment) -> PartialChoice:
        """The partial choice with the conditions added that can be evaluated by now."""
        guard, left = way.guard, []
        for condition in way.waiting:
            if any(v not in way.env for v in self.facts.free(condition)):
                left.append(condition)
            elif guard != FALSE:
                guard = self.gates.both(guard, self.evaluate(condition, way.env, at))
        return PartialChoice(way.env, guard, tuple(left))

    def _further(
        self, choice: Choice, way: PartialChoice, given: Sequence[Symbol], at: Moment
    ) -> Iterator[PartialChoice]:
        """Yield a partial choice extended by each possible value of the next choice."""
        members = (
            [(value, self.admits(choice, value, way.env, at)) for value in given]
            if given
            else self._members(choice, way.env, at)
        )
        for value, member in members:
            guard = self.gates.both(way.guard, member)
            inner = {**way.env, choice.var: value}
            if choice.where is not None and guard != FALSE:
                guard = self.gates.both(guard, self.evaluate(choice.where, inner, at))
            if guard != FALSE:
                yield self._ask_ready(replace(way, env=inner, guard=guard), at)

    def _members(self, choice: Choice, env: Env, at: Moment) -> Iterator[tuple[Symbol, int]]:
        """The values of a choice, each with its condition, without evaluating its `where`."""
        if choice.chain is None:
            return self.evaluate.elements(choice.source, env, at)
        return self._chains(choice, choice.chain, env, at)

    def _chains(self, choice: Choice, chain: Chain, env: Env, at: Moment) -> Iterator[tuple[Symbol, int]]:
        """Yield each list that a choice of several elements allows, with its condition. Raises TooWide."""
        of = chain.type.of
        steps: dict[Value, list[int]] = {}
        for item, member in self.evaluate.elements(choice.source, env, at):
            for value, lit in cases_of(of, item):
                steps.setdefault(value, []).append(self.gates.both(member, lit))
        waiting: list[tuple[tuple[Value, ...], int]] = [((), TRUE)]
        seen = 0
        while waiting:
            so_far, guard = waiting.pop()
            row = SymbolicList([constant(v) for v in so_far], constant(len(so_far)))
            if so_far:
                yield row, guard
            if len(so_far) == chain.type.cap:
                continue
            seen += 1
            if seen > MOST_CHAINS:
                raise TooWide(f"more than {MOST_CHAINS:,} chains to look through, where one is legal")
            for value, members in steps.items():
                inner = {**env, choice.var: row, chain.step: element(of, value)}
                lits = (guard, self.gates.any(members), self.evaluate(chain.where, inner, at))
                here = self.gates.all(lits)
                if here != FALSE:
                    waiting.append(((*so_far, value), here))

    def admits(self, choice: Choice, value: Symbol, env: Env, at: Moment) -> int:
        """Literal that a value is among those of a choice, with its `where` left out."""
        if choice.chain is not None:
            return self._is_chain(choice, choice.chain, value, env, at)
        if isinstance(choice.source, n.Domain):
            cases = cases_of(choice.source.of, value)
            return self.gates.any(lit for v, lit in cases if v is not None and v in choice.source.of)
        source = self.evaluate(choice.source, env, at)
        return is_member(self.gates, list(cases_of(choice.var.type, value)), source)

    def _is_chain(self, choice: Choice, chain: Chain, row: SymbolicList, env: Env, at: Moment) -> int:
        """Literal that a list has at least one element, each allowed after those before."""
        gates, source = self.gates, self.evaluate(choice.source, env, at)
        holds = [gates.any(lit for size, lit in row.size.items() if 1 <= size <= chain.type.cap)]
        for i, (item, there) in enumerate(zip(row.items, row.longer(gates), strict=True)):
            before = SymbolicList(row.items[:i], constant(i))
            inner = {**env, choice.var: before, chain.step: single(chain.type.of, item)}
            follows = self.evaluate(chain.where, inner, at)
            allowed = gates.both(is_member(gates, list(item.items()), source), follows)
            holds.append(gates.either(-there, allowed))
        return gates.all(holds)
