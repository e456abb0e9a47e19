"""hint: the next step of a deal, with the requirements that exclude the other actions."""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..budgets import Budget
from ..core.game import Game
from ..core.verdicts.properties import Form, property_of
from ..language import locate
from .loading import Loader, limits
from .output import Progress, fill, print_json, print_styled
from .playing import position_of
from .proving import verdict_text
from .status import FAILED, HELD, UNDECIDED, Usage

if TYPE_CHECKING:
    from rulespec.solver.claims import Hint
    from rulespec.solver.claims.hint import Alternative

LISTED = 12
"""Actions listed of each sort."""


def hint(arguments: argparse.Namespace) -> int:
    """Print the next step; the status is 0 if there is one, 1 if there is none, 3 if undecided."""
    whole = Budget(arguments.timeout, arguments.memory)
    from rulespec.solver.claims import NoPuzzle, puzzle
    from rulespec.solver.claims import hint as advice
    from rulespec.solver.claims.gate import Gate

    state, later = position_of(arguments)
    core, name = state.game.core, state.game.name
    if state.is_over:
        raise Usage("the play is over at that point")
    progress, within = Progress(), limits(arguments, "memory", "engine")
    try:
        claim = puzzle(core, arguments.goal)
        if property_of(claim).form is Form.STATISTIC:
            raise Usage(f"`{claim.id}` asks for a number, and no play leads to it; name a goal with --goal")
        gate = Gate.beside(locate(name), Loader(name), **within)
        given = state.origin is not None  # what holds in every play need not hold in a position set up
        found = advice(
            state,
            claim,
            shortest=arguments.shortest,
            likely=later,
            brief=arguments.brief,
            progress=progress,
            lemmas={} if given else gate.lemmas(core, claim, whole),
            timeout=whole.seconds_left,
            **within,
        )
    except NoPuzzle as error:
        raise Usage(str(error)) from None
    progress.clear()
    if arguments.json:
        print_json(hint_data(found))
    else:
        print_styled("\n".join(hint_lines(found, core)))
    return {True: HELD, False: FAILED, None: UNDECIDED}[found.possible]


def hint_data(found: Hint) -> dict[str, Any]:
    """A hint as plain data."""
    names = {True: "possible", False: "no longer", None: "open"}
    return {
        "outcome": names[found.possible],
        "statement": found.verdict.statement,
        "numbers": {**found.verdict.numbers},
        "step": found.step,
        "forced": found.is_forced,
        "play": [*found.play],
        "others": [
            {
                "action": other.action,
                "outcome": names[other.reaches],
                "clauses": None if other.clauses is None else [*map(_name, other.clauses)],
                "minimal": other.is_minimal,
            }
            for other in found.alternatives
        ],
    }


def hint_lines(found: Hint, core: Game) -> list[str]:
    """A hint in words."""
    lines = [verdict_text(found.verdict, claim=core.claims[found.verdict.claim])]
    if found.possible is False:
        return [*lines, "It is no longer possible, whatever is done."]
    if found.step is None:
        return [*lines, "It is reached already." if found.possible else "No hint was found."]
    lines += [f"next: {found.step}", f"    {_why(found)}"]
    for reaches, words in ((True, "as good"), (False, "excluded")):
        same = [other for other in found.alternatives if other.reaches is reaches]
        if same:
            lines.append(f"{words} ({len(same)}):")
            reasons = (f"{other.action}{_clauses(other, found)}" for other in same[:LISTED])
            lines += [fill(reason, "    ", "      ") for reason in reasons]
            lines += [f"    and {len(same) - LISTED} more"] if len(same) > LISTED else []
    still = sum(other.reaches is None for other in found.alternatives)
    return [*lines, f"not decided: {still}"] if still else lines


def _why(found: Hint) -> str:
    """The reason for a step, or a sentence that no step helps."""
    counts = Counter(other.reaches for other in found.alternatives)
    if not found.alternatives:
        return "It is the only action."
    if found.is_forced:
        return "It is forced: after any other action the goal is out of reach."
    if counts[True]:
        more = " or more" if counts[None] else ""
        return f"It is one of {counts[True] + 1}{more} actions after which the goal is still within reach."
    return "It is a guess: a play from here reaches the goal, and not every other action was decided."


def _clauses(other: Alternative, found: Hint) -> str:
    """The requirements that exclude an action, in words."""
    if other.reaches is not False:
        return ""
    if other.clauses is None and "value" in found.verdict.numbers:
        return ": the best that is left is worse"
    if other.clauses is None:
        return ": the requirements that exclude it were not determined"
    if not other.clauses:
        return ": its effect alone puts the goal out of reach"
    more = "" if other.is_minimal else ", not all of which may be needed"
    return f": by {', '.join(map(_name, other.clauses))}{more}"


def _name(clause: tuple[str, str]) -> str:
    """The name of a requirement: that of its rule alone if it is a law."""
    rule, requirement = clause
    return rule if rule == requirement else f"{rule}.{requirement}"
