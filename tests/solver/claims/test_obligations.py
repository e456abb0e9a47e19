"""The theorem of `docs/reference/flows.md`, held against the interpreter in positions of random games."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

import pytest
from soundness import dealt

from rulespec.core import nodes as n
from rulespec.core.context import Env
from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Map
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.effects import FaultFound, Run
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position
from rulespec.solver.analyses.obligations import Obligations, Unit, of_invariant, of_numbers
from rulespec.solver.analyses.weights import weights_of
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.reductions.remembering import numbers

SEEDS, WALKS, PLIES = 240, 3, 8
PLACES = "sum(size(heap[x]) for x in Place)"
OF_A_CARD = (
    "count(i in 1..size(pile) where pile[i] = C)"
    " + sum(count(i in 1..size(heap[x]) where heap[x][i] = C) for x in Place)"
)
NUMBERS = (
    f"size(pile) + {PLACES}",
    *(OF_A_CARD.replace("C", str(card)) for card in (1, 2)),
    "size(heap[1])",
    "size(pile) - size(heap[1])",
    "count(i in 1..size(heap[2]) where heap[2][i] = 2)",
)
CONDITIONS = (
    *(f"{number} {sign} {bound}" for number in NUMBERS for sign, bound in (("=", 1), ("<=", 2), (">=", 1))),
    "every i in 1..size(heap[1]) satisfies heap[1][i] != 2",
)
CLAIMS = "".join(
    [
        *(f'- id: i{i}\n  prose: So.\n  invariant: "{text}"\n' for i, text in enumerate(CONDITIONS)),
        *(f'- id: f{i}\n  prose: So.\n  never-falls: "{text}"\n' for i, text in enumerate(NUMBERS)),
    ]
)


@dataclass
class Walked:
    """A game, and positions that random plays come to, each with the moves that are legal there."""

    machine: Machine
    moves: dict[Position, list[Move]]

    @property
    def game(self) -> Game:
        return self.machine.game


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> list[Walked]:
    """Random games in which cards pass from list to list, with the claims above."""
    path, found = tmp_path_factory.mktemp("passed") / "passed.yaml", []
    for seed in range(SEEDS):
        rng = random.Random(f"obligations {seed}")
        writer = dealt.Writer(rng)
        if writer.style == dealt.PASSED_ON:
            path.write_text(f"{writer.rules()}claims:\n{CLAIMS}", "utf-8")
            with suppress(RulesetError):
                found.append(walk(load(path), rng))
    return found


def walk(game: Game, rng: random.Random) -> Walked:
    """Some random plays of a game."""
    found = Walked(Machine(game), {})
    for _ in range(WALKS):
        chance = Chance(str(rng.random()))
        position = found.machine.start(chance).position
        for _ in range(PLIES):
            listed = found.moves.setdefault(position, list(found.machine.moves(position)))
            if not listed:
                break
            position = found.machine.play(position, rng.choice(listed), chance).position
    return found


def taken(walked: Walked, unit: Unit) -> Iterator[tuple[Position, Env]]:
    """The positions in which a unit is taken, with the choices; what follows of itself is taken anywhere."""
    for position, moves in walked.moves.items():
        if unit.action is None:
            yield position, {}
            continue
        choices = [choice.var for choice in unit.action.choices]
        yield from (
            (position, dict(zip(choices, move.args, strict=True)))
            for move in moves
            if move.action == unit.action.id
        )


def after(walked: Walked, unit: Unit, position: Position, env: Env) -> object:
    """The situation after a unit; None after a fault."""
    run = Run(walked.machine.situation(position), Chance("0"), 0, lambda _: None)
    try:
        run.perform(unit.effect, env)
    except FaultFound:
        return None
    return run.situation


def breaches(walked: Walked, read: Obligations, kept: Callable[[Unit, Position, Env], bool]) -> Iterator[str]:
    """Each unit that does what it must not though none of its conditions holds before it."""
    units = {id(one.unit): one.unit for one in read.each}
    for key, unit in units.items():
        never = [e for one in read.each if id(one.unit) == key for e in one.never]
        for position, env in taken(walked, unit):
            at = walked.machine.situation(position)
            if read.start is not None and not evaluate(read.start, {}, at):
                continue
            if not any(evaluate(e, env, at) for e in never) and not kept(unit, position, env):
                yield f"{unit.action.id if unit.action else 'what follows'} from {position.values} with {env}"


def test_conditions_stay_true(walked: list[Walked]) -> None:
    read, asked = Counter[str](), 0
    for one in walked:
        for claim in one.game.claims.values():
            if claim.kind != "invariant" or (found := of_invariant(one.game, claim.always)) is None:
                continue

            def kept(unit: Unit, position: Position, env: Env, e: n.Expr = claim.always) -> bool:
                then = after(one, unit, position, env)  # noqa: B023
                return then is None or bool(evaluate(e, {}, then))  # type: ignore[arg-type]

            assert [*breaches(one, found, kept)] == [], claim.id
            read[claim.id] += 1
            asked += sum(len(one.never) for one in found.each)
    assert min(read[name] for name in ("i0", "i3", "i6", "i12", "i18")) > 5, read
    assert asked > 200


def test_numbers_do_not_fall(walked: list[Walked]) -> None:
    read = Counter[str]()
    for one in walked:
        for claim in one.game.claims.values():
            if claim.kind != "never_falls" or (found := of_numbers(one.game, numbers(claim))) is None:
                continue

            (number,) = numbers(claim)

            def kept(unit: Unit, position: Position, env: Env, e: n.Expr = number) -> bool:
                then, before = after(one, unit, position, env), one.machine.situation(position)  # noqa: B023
                return then is None or evaluate(e, {}, then) >= evaluate(e, {}, before)  # type: ignore[arg-type]

            assert [*breaches(one, found, kept)] == [], claim.id
            read[claim.id] += 1
    assert len(read) == len(NUMBERS)
    assert min(read.values()) > 5, read


def test_numbers_are_what_lists_weigh(walked: list[Walked]) -> None:
    for one in walked:
        variables = {var: at for at, var in enumerate(one.game.state.values())}
        for claim in one.game.claims.values():
            for number in numbers(claim) if claim.kind == "never_falls" else ():
                weights = weights_of(number, Dependencies(one.game))
                for position in one.moves:
                    total = weights.base
                    for (var, keys), held in weights.of.items():
                        listed, t = position.values[variables[var]], var.type
                        for key in keys:
                            assert isinstance(t, Map)
                            listed, t = (
                                (listed[t.keys.values.index(key)], t.of) if key in t.keys else ((), t.of)
                            )
                        total += sum(held[value] for value in listed)
                    assert total == evaluate(number, {}, one.machine.situation(position))
