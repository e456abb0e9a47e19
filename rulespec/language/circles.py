"""Actions whose legality asks for itself through `can`: such a question has no answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..core import nodes as n
from ..core.diagnostics import Report
from ..core.game import Action, Game
from ..core.walk import parts
from .bounds import Known


@dataclass(frozen=True)
class _Asked:
    """An action that another one's legality asks for, and the `can` that does."""

    action: str
    node: n.Can


def check(game: Game, report: Report, known: Known) -> None:
    """Note a fault for each action that is asked whether it is legal while that is being found out.

    Only those are gone through that ask for any action, which `known` does not hold as measured.
    """
    asking = {name: action for name, action in game.actions.items() if action not in known.costs}
    asks = {name: [*_asked_by(action)] for name, action in asking.items()}
    for circle in _circles(asks):
        name = circle[-1].action
        through = "".join(f"`{one.action}` can be taken, which asks whether " for one in circle[:-1])
        message = f"whether `{name}` can be taken asks whether {through}`{name}` can be taken"
        help = "let the law or requirement ask for what makes the action legal, not for `can`"
        report.error("can.circle", message, game.spans.get(circle[0].node), help=help, clause=name)


def _circles(asks: Mapping[str, list[_Asked]]) -> Iterator[list[_Asked]]:
    """Ways from actions through those that are asked for back to them; each action is gone through once."""
    done: set[str] = set()
    for start in asks:
        way: list[_Asked] = []
        places = {start: 0}
        """Where on the way each action is reached."""
        left = [iter(asks[start])] if start not in done else []
        while left:
            one = next(left[-1], None)
            if one is None:
                left.pop()
                done.add(way.pop().action if way else start)
                places.popitem()
            elif one.action in places:
                yield [*way[places[one.action] :], one]
            elif one.action not in done:
                way.append(one)
                places[one.action] = len(way)
                left.append(iter(asks.get(one.action, ())))


def _asked_by(action: Action) -> Iterator[_Asked]:
    """The actions that are asked for to tell whether one is legal, each once, definitions gone into."""
    waiting: list[n.Expr | n.Effect] = [r.condition for r in action.requirements]
    for choice in action.choices:
        waiting += [choice.source, *([choice.where] if choice.where is not None else [])]
        waiting += [choice.chain.where] if choice.chain is not None else []
    functions: set[n.Function] = set()
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        waiting += parts(node)
        if isinstance(node, n.Call) and not node.function.static and node.function not in functions:
            functions.add(node.function)
            waiting.append(node.function.body)
        elif isinstance(node, n.Can) and node.action not in found:
            found.add(node.action)
            yield _Asked(node.action, node)
