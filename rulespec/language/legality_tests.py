"""Checks of `can`: its arguments are first choices of its action, and no legality depends on itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..core import nodes as n
from ..core.diagnostics import Report
from ..core.game import Action, Game
from ..core.traversal import parts
from .bounds import Measurements
from .elaborate.spans import Spans
from .elaborate.world import mismatch, same_family


def check_arguments(game: Game, spans: Spans, report: Report) -> None:
    """Report each `can` whose arguments are not the first choices of its action."""
    for node in [node for node in spans.legality_tests if node.action in game.actions]:
        action = game.actions[node.action]
        if len(node.args) > len(action.choices):
            message = f"`{action.id}` has {_choices(action)}, not {len(node.args)}"
            report.error("can.arguments", message, spans.get(node))
            continue
        for given, choice in zip(node.args, action.choices, strict=False):
            if not same_family(given.type, choice.var.type):
                message = f"`{choice.var.name}` does not take this: {mismatch(given.type, choice.var.type)}"
                place = spans.get(given, spans.get(node))
                report.error("can.arguments", message, place, clause=action.id)


def _choices(action: Action) -> str:
    count = len(action.choices)
    return "no choice" if not count else "1 choice" if count == 1 else f"{count} choices"


@dataclass(frozen=True)
class _Test:
    """A test of an action's legality inside that of another action, and its `can`."""

    action: str
    node: n.Can


def check_cycles(game: Game, report: Report, measured: Measurements) -> None:
    """Report each cycle of actions whose legality depends on one another through `can`.

    Actions in `measured` test no other action, so they are left out.
    """
    asking = {name: action for name, action in game.actions.items() if action not in measured.costs}
    tests = {name: [*_tests_of(action)] for name, action in asking.items()}
    for circle in _circles(tests):
        name = circle[-1].action
        through = "".join(f"`{one.action}`, which depends on that of " for one in circle[:-1])
        message = f"the legality of `{name}` depends on that of {through}`{name}`"
        help = "replace `can` in the law or requirement by the conditions that make the action legal"
        report.error("can.circle", message, game.spans.get(circle[0].node), help=help, clause=name)


def _circles(tests: Mapping[str, list[_Test]]) -> Iterator[list[_Test]]:
    """The back edges of a depth-first search, each with the path that makes it a cycle."""
    done: set[str] = set()
    for start in tests:
        path: list[_Test] = []
        places = {start: 0}
        """The position on the path at which each action is reached."""
        left = [iter(tests[start])] if start not in done else []
        while left:
            test = next(left[-1], None)
            if test is None:
                left.pop()
                done.add(path.pop().action if path else start)
                places.popitem()
            elif test.action in places:
                yield [*path[places[test.action] :], test]
            elif test.action not in done:
                path.append(test)
                places[test.action] = len(path)
                left.append(iter(tests.get(test.action, ())))


def _tests_of(action: Action) -> Iterator[_Test]:
    """The `can` tests that decide whether an action is legal, direct or in definitions; one per action."""
    waiting: list[n.Expr | n.Effect] = [r.condition for r in action.requirements]
    for choice in action.choices:
        waiting += [choice.source, *([choice.where] if choice.where is not None else [])]
        waiting += [choice.chain.where] if choice.chain is not None else []
    functions: set[n.Function] = set()
    tested: set[str] = set()
    while waiting:
        node = waiting.pop()
        waiting += parts(node)
        if isinstance(node, n.Call) and not node.function.static and node.function not in functions:
            functions.add(node.function)
            waiting.append(node.function.body)
        elif isinstance(node, n.Can) and node.action not in tested:
            tested.add(node.action)
            yield _Test(node.action, node)
