"""What best play comes to: backwards from all ends, and by a search with memory."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from rulespec.budgets import UNBOUNDED, Budget
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.language import load
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore import CodeStates
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.mtdf import MtdSearch
from rulespec.solver.explore.state_space import Exploration, Limits
from rulespec.solver.pairs.images import group_of

from .peers import one_core
from .report import Table, spread

GAMES = {
    "tic-tac-toe": "best-play",
    "kalah-small": "by-how-much",
    "othello-small": "by-how-much",
    "connect-four-small": "best-play",
    "breakthrough-small": "first-wins",
}
ROUNDS = 3
ENOUGH = 1 << 30
"""Positions, and numbers, beyond all that there are."""

WORDS = (
    "The value of best play from the start, by generated code on one core with all symmetries, in two "
    "ways: retrograde analysis of the graph of all positions, and a search with memory. The table has the"
    " positions found (with their images), the positions whose actions the search followed, and the "
    f"ratio; seconds of the process, medians of {ROUNDS} rounds (least and greatest in brackets) in which "
    "both take turns, without compiling, and how many times faster the search was. Both give the same "
    "value."
)


def measure(names: tuple[str, ...] = tuple(GAMES)) -> list[Table]:
    """Each game by both ways in turn."""
    columns = ["game", "positions", "followed", "fewer", "seconds, all", "seconds, search", "faster"]
    table = Table("Best play", WORDS, columns)
    with one_core():
        for name in names:
            game = load(name)
            table.rows.append([name, *_row(game, Case(game, game.claims[GAMES[name]], Budget(ENOUGH)))])
    return [table]


def _row(game: Game, case: Case) -> list[str]:
    name = case.claim.id if case.claim.condition is not None else None
    elements = group_of(game)
    seconds: dict[str, list[float]] = {"all": [], "search": []}
    for number in range(ROUNDS + 1):
        found, positions, whole = _timed(lambda: _backwards(case, name, elements))
        value, followed, searched = _timed(lambda: _searched(case, name, elements))
        if found != value:
            raise AssertionError(f"{game.id}: {found} backwards, {value} by search")
        if number:  # before that code is compiled
            seconds["all"].append(whole)
            seconds["search"].append(searched)
    faster = median(a / b for a, b in zip(seconds["all"], seconds["search"], strict=True))
    times = [spread(found, 3) for found in seconds.values()]
    return [f"{positions:,}", f"{followed:,}", f"{positions / followed:.0f}", *times, f"{faster:.0f}"]


def _timed(run: Callable[[], tuple[int, int]]) -> tuple[int, int, float]:
    began = time.process_time()
    return *run(), time.process_time() - began


def _space(case: Case, name: str | None, elements: list[Symmetry], ways: bool) -> CodeStates:
    asked = {name: case.condition} if name else {}
    return CodeStates(case.game, asked, None, ways=ways, symmetries=elements, shown=True)


def _backwards(case: Case, name: str | None, elements: list[Symmetry]) -> tuple[int, int]:
    """The value by the graph of all plays, and how many positions there are."""
    look = Exploration(_space(case, name, elements, ways=True), Limits(ENOUGH, ENOUGH), UNBOUNDED)
    look.all()
    graph = Graph(look.states)
    return int(graph.values(name)[0]), sum(look.states.all_counts)


def _searched(case: Case, name: str | None, elements: list[Symmetry]) -> tuple[int, int]:
    """The value by search, and how many positions' actions were followed."""
    space = _space(case, name, elements, ways=False)
    space.deeper(lambda: "", ENOUGH)
    within = (-1, 1) if name is None else (-100, 100)
    memory = MtdSearch(space, name, within, lambda more: True)
    low, _ = memory.settle(space.row(0), 0, lambda: "")
    return low, memory.expanded_count
