"""The function `refused`: which conditions an action fails, so that a page can refuse it in the rule's words.

The row of an action is at the beginning of `m`; the function appends one number for each condition: for each
choice in turn those on the choice, then the requirements, as in `play.explain`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..code.bindings import Env, Val
from ..code.body import B, Body, Functions, M, S
from ..code.move_generation.action_rows import ActionRows
from ..core import nodes as n
from ..core.game import Action, Choice, Game
from ..core.types import BOOL
from ..machine import form as f
from ..machine.builder import as_type, equal, load, negation, number, plus
from ..play.explain import BARRED, absence_words
from ..play.refusal import Refusal, refusing_rule

HOLDS, FAILS = 0, 1
"""The number for a condition that fails; for a condition on a list, the failing step, counted from 1."""


class Refusing:
    """Writes `refused(s, b, m)`."""

    name = "refused"

    def roots(self) -> Iterable[n.Expr]:
        """None: the conditions are part of the rules."""
        return ()

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write a function for each action, and one that calls them."""
        whole = Body(functions.program, functions)
        for index, action in enumerate(rows.actions):
            body = Body(functions.program, functions)
            _tests(body, rows, index, action)
            functions.add(f"refused_{index}", [S, B, M], body)
            with whole.when(equal(load(M, 0), index)):
                whole.do(f"refused_{index}", S, B, M)
        functions.add("refused", [S, B, M], whole, entry=True)


def refusals(game: Game) -> list[list[dict[str, Any]]]:
    """For each action the refusals of its conditions in words, in the order of their numbers."""
    return [[*_meanings(game, action)] for action in game.actions.values()]


def _tests(body: Body, rows: ActionRows, index: int, action: Action) -> None:
    """Write code that tests each choice and requirement of an action."""
    at = iter(range(rows.width, rows.width + 4 * len(action.choices) + len(action.requirements)))
    env = rows.choices(body, index, number(0))
    for choice in action.choices:
        if choice.chain is not None:
            _chain(body, choice, env, [next(at) for _ in range(3)])
        else:
            member = n.Member(BOOL, n.Local(choice.var.type, choice.var), choice.source)
            _put(body, next(at), member, env)
        if choice.where is not None:
            _put(body, next(at), choice.where, env)
    for requirement in action.requirements:
        _put(body, next(at), requirement.condition, env)


def _put(body: Body, at: int, condition: n.Expr, env: Env) -> None:
    body.store(M, at, as_type(negation(body.cond(condition, env)), f.NUMBER))


def _chain(body: Body, choice: Choice, env: Env, places: list[int]) -> None:
    """Test the size of a list, then for each step that it exists and may follow."""
    chain = choice.chain
    assert chain is not None
    listed = env[choice.var]
    assert isinstance(listed, Val)
    first, size = listed.parts
    for place in places:
        body.store(M, place, HOLDS)
    with body.when(equal(size, 0)):
        body.store(M, places[0], FAILS)
    i = body.name("i")
    with body.each(i, 0, size):
        step = Val(chain.step.type, (load(S, plus(first, i)),))
        inner = {**env, choice.var: Val(chain.type, (first, i)), chain.step: body.atoms(step)}
        member = n.Member(BOOL, n.Local(chain.step.type, chain.step), choice.source)
        for place, condition in zip(places[1:], (member, chain.where), strict=True):
            with body.when(negation(body.cond(condition, inner))):
                body.store(M, place, plus(i, 1))
                body.leave()


def _meanings(game: Game, action: Action) -> Iterator[dict[str, Any]]:
    """The conditions of an action with the rule of each, the `clause`, and its sentence, the `text`."""
    for place, choice in enumerate(action.choices):
        absent = absence_words(choice.source)
        clause, text = refusing_rule(game, Refusal("choice", choice.var.name, action.id, ""))
        told = {"choice": place, "clause": clause, "text": text}
        if choice.chain is not None:
            yield {"kind": "size", **told, "most": choice.chain.type.cap}
            yield {"kind": "step", **told, "absent": absent}
            yield {"kind": "following", **told, "absent": BARRED}
        else:
            yield {"kind": "choice", **told, "absent": absent}
        if choice.where is not None:
            yield {"kind": "where", **told, "absent": BARRED}
    for r in action.requirements:
        clause, text = refusing_rule(game, Refusal("requirement", r.id, r.clause, r.prose))
        yield {"kind": "requirement", "id": r.id, "clause": clause, "text": text}
