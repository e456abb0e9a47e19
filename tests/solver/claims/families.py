"""Families of small games with rulings and claims, for tests of what is decided about them.

hops     one token on a strip; rulings: how far it hops (`one`, `two`), and one that matters to
         nothing that is claimed but whether resting tires (`rests`)
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import handmade
from building import (
    NO,
    YES,
    add,
    assign,
    at_most,
    block,
    const,
    equal,
    game,
    get,
    less,
    no,
    number,
    requirement,
    seats,
)

from rulespec.core import nodes as n
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Action, Claim, End, Game, Outcome, Reading, Ruling, Turn
from rulespec.core.types import BOOL, integers

DICE = """
players: 1
rules:
- id: walk
  prose: Walk to the end by a die, or stay.
  formal: |
    type Pip = 1..2
    state place: 0..3 = 0
    state pip: Pip? = none
  action: far in Bool
  written: go {far}
  do: |
    roll pip from Pip
    if pip = 1 and far: place := 0
    if pip = 2 and far: place := 3
    if pip = 2 and not far: place := place + 1
    pip := none
- id: home
  prose: The walk ends at 3.
  end: place = 3
claims:
"""
"""A walk by a die, as a ruleset without its head; claims are to follow."""
LENGTH = 5


def claim(name: str, kind: str, condition: n.Expr | None = None, **options: object) -> Claim:
    """A claim whose text is its name, which is enough to tell claims apart."""
    named = {key.replace("_", "-"): value for key, value in options.items()}
    return Claim(name, name, kind, condition, named, name)


def with_claims(core: Game, *claims: Claim) -> Game:
    """A game that makes these claims."""
    return replace(core, claims={c.id: c for c in claims})


def ruling(name: str, chosen: str, *readings: str) -> Ruling:
    """An ambiguity with these readings."""
    return Ruling(name, f"{name}?", tuple(Reading(r, r) for r in readings), chosen)


def hops(
    *,
    parameters: Mapping[str, int | str] | None = None,
    readings: Mapping[str, str] | None = None,
    players: int | None = None,
    left_open: Collection[str] = (),
) -> Game:
    """The token hops from 0 and may rest three times; with hops of two it never stands on an odd place."""
    if left_open:  # no text could be read with a reading drawn
        raise RulesetError([])
    chosen = {"far": "one", "rests": "counted", **(readings or {})}
    player, mover, over, after = seats(1)
    place, times = integers(0, LENGTH + 1), integers(0, 3)
    at = n.StateVar("at", place, number(0))
    rests = n.StateVar("rests", times, number(0))
    tired = n.StateVar("tired", BOOL, NO)
    step = 1 if chosen["far"] == "one" else 2
    beyond = add(get(at), number(step))
    hop = Action(
        "hop",
        "Hop.",
        (),
        ("hop",),
        (requirement("room", at_most(beyond, number(LENGTH)), clause="hop"),),
        assign(at, beyond),
    )
    counted = const(BOOL, chosen["rests"] == "counted")
    count = n.When(counted, assign(tired, YES), n.NOTHING_DONE)
    rest = Action(
        "rest", "Rest.", (), ("rest",),
        (requirement("fresh", less(get(rests), number(3)), clause="rest"),),
        block(assign(rests, add(get(rests), number(1))), count),
    )  # fmt: skip
    there = equal(get(at), number(LENGTH))
    core = game(
        "hops", 1, (at, rests, tired), (hop, rest), player=player, mover=mover, over=over,
        turn=Turn(n.NOTHING_DONE, YES, after, "end"), outcome=Outcome(n.Var("p", player), None, None, (), ()),
        ends=(End("home", "The token is home.", there),),
    )  # fmt: skip
    core = with_claims(
        core,
        claim("home", "reachable", there, across=["far", "rests"]),
        claim("home-at-once", "reachable", n.And(BOOL, (there, equal(get(rests), number(0))))),
        claim("inside", "invariant", at_most(get(at), number(LENGTH))),
        claim("three", "unreachable", equal(get(at), number(3))),
        claim("never-tired", "invariant", no(get(tired))),
        claim("hollow", "invariant", no(there), when=equal(get(at), number(LENGTH + 1))),
        claim("stuck", "never_stuck"),
        claim("fits", "never_faults"),
        claim("ends", "terminates", n.Sub(integers(-20, 20), number(8), add(get(at), get(rests)))),
        claim("rested", "best", get(rests), when=there, sense="least"),
        claim("busiest", "best", get(rests), sense="most"),
    )
    return replace(
        core,
        rulings={
            "far": ruling("far", chosen["far"], "one", "two"),
            "rests": ruling("rests", chosen["rests"], "counted", "free"),
        },
    )  # fmt: skip


def hopping(**settings: Any) -> Game:
    """The hops, with a question for the best that is not the greatest value of its type."""
    core = hops(**settings)
    at = get(core.state["at"])
    return with_claims(core, *core.claims.values(), claim("farthest", "best", at, sense="most"))


def trail(**_: object) -> Game:
    """A game with a play that never ends."""
    return with_claims(handmade.trail(), claim("ends", "terminates"))


def ziggurat(**_: object) -> Game:
    """A puzzle that is dealt: how many squares can be covered, and whether all can."""
    core = handmade.ziggurat()
    assert core.outcome.score is not None
    return with_claims(
        core,
        claim("built", "reachable", core.ends[0].condition, **{"from": "deal"}),
        claim("covered", "best", core.outcome.score, sense="most", **{"from": "deal"}),
    )
