"""Games with secrets: knowledge and values of best play, compared with a model by hand.

The games are one family: chance gives a number, player 1 chooses one, player 2 chooses one, player 1 chooses
again. Observations and winners differ. `Rules` models the observations by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.game import Game
from rulespec.core.verdicts import Store
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import comparisons
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.linear_programming import maximise
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods.table import METHODS

SHOWN = {
    "open": "",
    "secret": "  secret: n\n",
    "some": "  secret: n shown to if n = 1 then Player else {}\n",
    "by-die": "  secret: n shown to if die = 2 then Player else {}\n",
    "to-two": "  secret: n shown to 2\n",
}
"""The key that declares the observers of a choice."""


def choosing(rule: str, ply: int, var: str, observers: str = "", requirements: str = "") -> str:
    """The rule by which a player chooses the value of `var` in a ply, counted from 0."""
    return f"""\
- id: {rule}
  prose: A player chooses.
  action: n in Number
{observers}  require:
    now:
      prose: It is the ply of this choice.
      that: plies = {ply}
{requirements}  do: |
    {var} := n
    add 1 to plies
"""


@dataclass(frozen=True)
class Rules:
    """One game of the family: the observers of die and choices, the refused choices, the payoff."""

    die: str
    shown: tuple[str, str]
    refused: bool
    ending: str
    factors: tuple[int, ...]

    def text(self) -> str:
        """The ruleset."""
        one, two = (SHOWN[mode] or "  open: n\n" for mode in self.shown)
        refusal = "n != x" if self.refused else "true"
        sees = {"one": "if viewer = 1 then die else none", "both": "die", "nobody": "size({1})"}[self.die]
        a, b, c, d, e, f = self.factors
        worth = (
            f"({a} * (die otherwise 0) + {b} * (x otherwise 0) + {c} * (y otherwise 0)"
            f" + {d} * last + {e} * (x otherwise 0) * (y otherwise 0)"
            f" + {f} * (die otherwise 0) * (y otherwise 0)) mod 5"
        )
        fits = f"    fits:\n      prose: It may have to be another one.\n      that: {refusal}\n"
        choices = (
            choosing("one", 0, "x", one) + choosing("two", 1, "y", two, fits) + choosing("three", 2, "last")
        )
        ending = {"shown": "if over then x else none", "kept": "size({1})"}[self.ending]
        return f"""\
rulespec: 1
id: family
title: Family
players: 2
rules:
- id: die
  prose: Chance gives a number.
  formal: |
    type Number = 1..2
    hidden state die: Number? = none
    hidden state x: Number? = none
    hidden state y: Number? = none
    state last: 0..2 = 0
    state plies: 0..3 = 0
    define worth = {worth}
  setup: roll die from Number
  sees: {sees}
{choices}- id: done
  prose: After three plies it is over.
  end: plies = 3
  winners: if worth > 2 then 1 else 2
  sees: {ending}
claims:
- id: worth
  prose: As much as this.
  expected: worth
- id: known
  prose: All know what they must.
  kind: knowable
"""

    def legal(self, die: int, moves: tuple[int, ...]) -> list[int]:
        """The numbers that may be chosen next."""
        return [n for n in (1, 2) if not (self.refused and len(moves) == 1 and n == moves[0])]

    def worth(self, die: int, moves: tuple[int, ...]) -> int:
        """The payoff of the play."""
        a, b, c, d, e, f = self.factors
        first, second, last = moves
        return (a * die + b * first + c * second + d * last + e * first * second + f * die * second) % 5

    def observed(self, viewer: int, die: int, moves: tuple[int, ...]) -> tuple[Any, ...]:
        """The observations of a player, by hand."""
        seen: list[Any] = [die if self.die == "both" or (self.die == "one" and viewer == 1) else None]
        for ply, n in enumerate(moves):
            mover, mode = (1, 2, 1)[ply], (*self.shown, "open")[ply]
            shown = {
                "open": True, "secret": False, "some": n == 1, "by-die": die == 2, "to-two": viewer == 2,
            }[mode]  # fmt: skip
            seen.append(n if shown or mover == viewer else None)
        if len(moves) == 3 and self.ending == "shown":
            seen.append(moves[0])
        return tuple(seen)

    def plays(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Every position, as the die and the choices so far."""
        for die in (1, 2):
            waiting: list[tuple[int, ...]] = [()]
            for moves in waiting:
                yield die, moves
                if len(moves) < 3:
                    waiting += [(*moves, n) for n in self.legal(die, moves)]

    def all_known(self) -> bool:
        """True if each player can always distinguish own choices and the winner."""
        needed: dict[Any, set[Any]] = {}
        for die, moves in self.plays():
            mover = (1, 2, 1, 0)[len(moves)]
            for viewer in (1, 2):
                told: Any = None
                if mover == 0:
                    told = self.worth(die, moves) > 2
                elif mover == viewer:
                    told = tuple(self.legal(die, moves))
                key = viewer, len(moves), self.observed(viewer, die, moves)
                needed.setdefault(key, set()).add(told)
        return all(len(found) == 1 for found in needed.values())

    def value(self) -> Fraction:
        """The value of best play, from the matrix of pure strategies."""
        strategies = [[*self._strategies(viewer)] for viewer in (1, 2)]
        matrix = [[self._outcome(one, two) for two in strategies[1]] for one in strategies[0]]
        # The second player mixes columns so that the best row is worth least: with all entries shifted
        # to be positive, sum(y) is the greatest with M y <= 1, and the value is 1 / sum(y).
        rows = [{j: x + 1 for j, x in enumerate(row)} for row in {tuple(row): row for row in matrix}.values()]
        wide = len(strategies[1])
        y, _ = maximise(dict.fromkeys(range(wide), Fraction(1)), rows, [Fraction(1)] * len(rows), wide)
        return 1 / sum(y, Fraction()) - 1

    def _strategies(self, viewer: int) -> Iterator[dict[Any, int]]:
        places: dict[Any, list[int]] = {}
        for die, moves in self.plays():
            if len(moves) < 3 and (1, 2, 1)[len(moves)] == viewer:
                places[self.observed(viewer, die, moves)] = self.legal(die, moves)
        for chosen in product(*places.values()):
            yield dict(zip(places, chosen, strict=True))

    def _outcome(self, one: dict[Any, int], two: dict[Any, int]) -> Fraction:
        total = Fraction()
        for die in (1, 2):
            moves: tuple[int, ...] = ()
            for mover in (1, 2, 1):
                moves = (*moves, (one, two)[mover - 1][self.observed(mover, die, moves)])
            total += Fraction(self.worth(die, moves), 2)
        return total


rules = st.builds(
    Rules,
    st.sampled_from(["one", "both", "nobody"]),
    st.tuples(st.sampled_from(sorted(SHOWN)), st.sampled_from(["open", "secret", "some"])),
    st.booleans(),
    st.sampled_from(["shown", "kept"]),
    st.tuples(*[st.integers(0, 4)] * 6),
)


def made(which: Rules, folder: Path) -> Game:
    (folder / "family.yaml").write_text(which.text(), "utf-8")
    return load(folder / "family.yaml")


def case(game: Game, claim: str, seconds: float = 30) -> Case:
    return Case(game, game.claims[claim], Budget(seconds))


WITHOUT_RESET = [HealthCheck.function_scoped_fixture]


@settings(max_examples=25, deadline=None, suppress_health_check=WITHOUT_RESET)
@given(rules)
def test_knowledge_agrees_with_a_count_by_hand(tmp_path: Path, which: Rules) -> None:
    game = made(which, tmp_path)
    wanted = "proved" if which.all_known() else "refuted"
    assert comparisons.known_explored(case(game, "known"), Limits(30, 100_000)).outcome == wanted
    for method in ("looking alike now", "lookalikes"):  # which decide what they can
        answer = METHODS[method](case(game, "known", 1))
        assert answer is None or answer.outcome == wanted


@settings(max_examples=15, deadline=None, suppress_health_check=WITHOUT_RESET)
@given(rules.filter(lambda which: not which.refused))
def test_expectation_is_the_value_of_the_strategic_form(tmp_path: Path, which: Rules) -> None:
    made(which, tmp_path)
    store, loader = Store(), Loader(str(tmp_path / "family.yaml"))
    (verdict,) = prove(loader, ["worth"], timeout=300, store=store)
    assert verdict.evidence[0].data["is"] == str(which.value())
    assert [check.passed for check in recheck(store, loader, ["worth"])] == [True]
