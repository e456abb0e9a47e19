"""The parts of the language that a random game uses, and that all of a campaign together must use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.traversal import nodes_within
from rulespec.core.types import Int, List, Optional, Set, Type, fits
from rulespec.language.claims import OPTIONS

from .space import Space
from .truth import Truth, order

EFFECTS = {e.__name__ for e in n.EFFECTS}
NODES = {*EFFECTS, *(e.__name__ for e in n.EXPRESSIONS)}
OF_RULES = {
    "one player", "two players", "three players", "a reading", "a law", "a reaction", "a named effect",
    "a definition that uses itself", "a call outside its parameter", "a sum over optional values",
    "can in a rule", "can in a claim", "a choice with a condition", "a chain",
    "a choice from a set that changes",
    "chance in the setup", "chance in a ply", "chance with weights", "hidden state", "a secret choice",
    "a sight", "a score", "winners", "ties", "a player passes", "turns that skip", "optional state",
    "a beginning of turns", "a state of several words",
}  # fmt: skip
OF_POSITIONS = {
    "none", "a negative number", "a list at its capacity", "an empty set", "a fault", "a fault in the setup",
    "an end", "nobody can act", "several deals", "a position that comes back", "more than 300 positions",
}  # fmt: skip
OF_CLAIMS = {
    *OPTIONS, "when", "from deal", "across", "is", "different",
    "helped by what holds", "helped by what fails",
    "a symmetry that holds", "a symmetry that does not", "a deal by itself",
}  # fmt: skip
WRITTEN = {
    "a law": "\n  binds:",
    "a named effect": "to change(",
    "a score": "\n  score:",
    "winners": "\n  winners:",
    "ties": "\n  ties:",
    "turns that skip": "\n    next:",
    "a beginning of turns": "\n    begin:",
    "a state of several words": "state been: set of 0..63",
}
"""Parts that are told by how they are written."""
OF_GAMES = {*NODES, *OF_RULES, *OF_POSITIONS}
"""The parts that games use whatever is claimed of them."""
ALL = {*OF_GAMES, *OF_CLAIMS}
"""All that is counted."""


def used(text: str, space: Space, truths: Mapping[str, Truth]) -> set[str]:
    """The parts that a game with its claims uses, of `ALL`."""
    claims = list(space.game.claims.values())
    asked = [node for c in claims if c.condition is not None for node in nodes_within(c.condition)]
    found = used_by_rules(text, space.game) | used_by_positions(space) | set(_of_claims(claims, truths))
    found |= {type(node).__name__ for node in asked}
    if any(isinstance(node, n.Can) for node in asked):
        found.add("can in a claim")
    return found & ALL


def used_by_rules(text: str, game: Game) -> set[str]:
    """The parts that the rules of a game use, of `OF_GAMES`."""
    nodes = [node for root in roots(game) for node in nodes_within(root)]
    found = {type(node).__name__ for node in nodes} | set(_of_rules(game, nodes))
    return (found | {name for name, written in WRITTEN.items() if written in text}) & OF_GAMES


def used_by_positions(space: Space) -> set[str]:
    """The parts that occur in play, of `OF_POSITIONS`."""
    return set(_of_positions(space))


def roots(game: Game) -> Iterator[n.Expr | n.Effect]:
    """The formal text of a game without its claims, definitions included."""
    waiting: list[n.Expr | n.Effect] = [game.setup, game.turn.begin, game.turn.over, game.turn.next]
    for action in game.actions.values():
        waiting += [action.effect, *(r.condition for r in action.requirements)]
        waiting += [e for choice in action.choices for e in choice.conditions]
    waiting += [part for reaction in game.reactions for part in (reaction.condition, reaction.effect)]
    waiting += [end.condition for end in game.ends]
    seen = set[n.Function]()
    while waiting:
        root = waiting.pop()
        yield root
        called = {node.function for node in nodes_within(root) if isinstance(node, n.Call)} - seen
        seen |= called
        waiting += [function.body for function in called]


def _of_rules(game: Game, rules: list[n.Expr | n.Effect]) -> Iterator[str]:
    yield ("one player", "two players", "three players")[game.players - 1]
    plies = [e for a in game.actions.values() for e in nodes_within(a.effect)]
    plies += [*nodes_within(game.turn.begin), *(e for r in game.reactions for e in nodes_within(r.effect))]
    choices = [choice for action in game.actions.values() for choice in action.choices]
    calls = [node for node in rules if isinstance(node, n.Call)]
    seen = {
        "a reading": bool(game.rulings),
        "a reaction": bool(game.reactions),
        "a definition that uses itself": any(c.function.falling is not None for c in calls),
        "a call outside its parameter": any(
            not fits(a.type, p.type) for c in calls for a, p in zip(c.args, c.function.params, strict=True)
        ),
        "a sum over optional values": any(
            isinstance(node, n.Sum) and isinstance(node.body.type, Optional) for node in rules
        ),
        "can in a rule": any(isinstance(node, n.Can) for node in rules),
        "a choice with a condition": any(c.where is not None for c in choices),
        "a chain": any(c.chain is not None for c in choices),
        "a choice from a set that changes": any(isinstance(c.source, n.Get) for c in choices),
        "chance in the setup": any(isinstance(e, n.Draw | n.Shuffle) for e in nodes_within(game.setup)),
        "chance in a ply": any(isinstance(e, n.Draw | n.Shuffle) for e in plies),
        "chance with weights": any(isinstance(e, n.Draw) and e.weight is not None for e in plies),
        "hidden state": any(var.hidden for var in game.state.values()),
        "a secret choice": any(action.secrets for action in game.actions.values()),
        "a sight": bool(game.sights),
        "a player passes": game.turn.stuck == "pass",
        "optional state": any(_optional(var.type) for var in game.state.values()),
    }
    yield from (name for name, held in seen.items() if held)


def _optional(t: Type) -> bool:
    return isinstance(t, Optional) or (hasattr(t, "of") and isinstance(t.of, Optional))


def _of_positions(space: Space) -> Iterator[str]:
    variables = list(
        zip(space.machine.variables, zip(*(p.values for p in space.positions), strict=True), strict=True)
    )
    flat = [(var.type, value) for var, values in variables for value in set(values)]
    seen = {
        "none": any(value is None or (isinstance(value, tuple) and None in value) for _, value in flat),
        "a negative number": any(isinstance(t, Int) and value is not None and value < 0 for t, value in flat),
        "a list at its capacity": any(isinstance(t, List) and len(value) == t.cap for t, value in flat),
        "an empty set": any(isinstance(t, Set) and not value for t, value in flat),
        "a fault": any(p.fault for p in space.positions),
        "a fault in the setup": any(space.positions[i].fault for _, i in space.starts),
        "an end": any(p.ended not in (None, "stuck") for p in space.positions),
        "nobody can act": any(p.ended == "stuck" for p in space.positions),
        "several deals": len(space.starts) > 1,
        "a position that comes back": order(space) is None,
        "more than 300 positions": len(space) > 300,
    }
    yield from (name for name, held in seen.items() if held)


def _of_claims(claims: list[Claim], truths: Mapping[str, Truth]) -> Iterator[str]:
    for claim in claims:
        yield from claim.options.keys() & OF_CLAIMS
        if claim.options.get("from") == "deal":
            yield "from deal"
        for name in claim.options.get("helped-by", ()):
            if name in truths:
                yield "helped by what holds" if truths[name].holds else "helped by what fails"
        if claim.kind == "symmetry" and claim.id in truths:
            yield "a symmetry that holds" if truths[claim.id].holds else "a symmetry that does not"


def table(counts: Counter[str]) -> str:
    """In how many games each part was used, the rarest first."""
    return ", ".join(
        f"{name} {counts[name]:,}" for name in sorted(ALL, key=lambda name: (counts[name], name))
    )
