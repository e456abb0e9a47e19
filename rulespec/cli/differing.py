"""diff: how two rulesets differ, in text and in play, and whether they are the same game all the same."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..core.game import Game
from ..core.storage.atomic_files import write_text
from ..core.verdicts import PROVED, REFUTED
from ..language import load, locate
from ..language.differences import CHANGED, Change, changes, lines
from .loading import limits
from .output import Progress, fill, print_json, print_styled
from .proving import recorded_play, verdict_text
from .status import FAILED, HELD, UNDECIDED, Usage, check_outputs, settings

SIGNS = {"added": "+", "removed": "-", "changed": " "}


def diff(arguments: argparse.Namespace) -> int:
    """Compare two rulesets, or one ruleset under two settings."""
    asked = settings(arguments)
    other = arguments.other or arguments.name
    if not arguments.other and not arguments.since and not any(asked.values()):
        raise Usage(
            "name another ruleset, or an earlier revision with --since, or give settings to compare the game "
            "with itself under them"
        )
    if arguments.other and arguments.since:
        raise Usage("--since compares GAME with its own earlier revision: name no other ruleset")
    if arguments.record and not arguments.prove:
        raise Usage("only --prove finds a play that --record could write")
    if arguments.prove and arguments.games:
        raise Usage("--prove and --simulate are two questions: ask one after the other")
    if arguments.games is None and (arguments.policy or arguments.seed is not None):
        raise Usage("--policy and --seed are for --simulate")
    check_outputs(arguments.record)
    theirs = load(other, **asked)
    mine = _earlier(arguments) if arguments.since else load(arguments.name, asked["players"])
    found = changes(mine, theirs)
    if not arguments.json:
        print("\n".join(_change_lines(mine, theirs, found)))
    if arguments.games:
        from .simulating import simulate_both

        return simulate_both(arguments, (mine, theirs), _data(mine, theirs, found))
    if not arguments.prove:
        if arguments.json:
            print_json(_data(mine, theirs, found))
        return HELD
    return _decide_sameness(arguments, mine, theirs, found)


def _earlier(arguments: argparse.Namespace) -> Game:
    """The game at an earlier revision."""
    from ..sources.revisions import NoRevision, game_at

    try:
        return game_at(locate(arguments.name), arguments.since, arguments.players)
    except NoRevision as error:
        raise Usage(f"--since {arguments.since}: {error}") from None


def _decide_sameness(arguments: argparse.Namespace, mine: Game, theirs: Game, found: list[Change]) -> int:
    """Decide whether two games are the same, print the answer, and return the status."""
    from rulespec.solver.claims import compare

    progress = Progress()
    name = f"`{theirs.id}`" if theirs.id != mine.id else "the game with these settings"
    within = limits(arguments, "timeout", "memory", "engine")
    verdict, play = compare(mine, theirs, name, progress=progress, **within)
    progress.clear()
    if arguments.record and play is not None:
        text = recorded_play(mine, arguments.name, play.chance, play.plays)
        write_text(Path(arguments.record), text)
    if arguments.json:
        data = {"verdict": verdict.json_data(), "play": play.to_data() if play is not None else None}
        print_json({**_data(mine, theirs, found), **data})
    else:
        print_styled(verdict_text(verdict))
        for number, text in enumerate(play.plays if play is not None else (), 1):
            print(f"{number:4}  {text}")
    return {PROVED: HELD, REFUTED: FAILED}.get(verdict.outcome, UNDECIDED)


def _data(mine: Game, theirs: Game, found: list[Change]) -> dict[str, Any]:
    """The differences between two games as JSON data."""
    listed = [
        {
            "kind": change.kind,
            "id": change.id,
            "how": change.how,
            "parts": [dict(zip(("part", "before", "after"), part, strict=True)) for part in change.parts],
        }
        for change in found
    ]
    return {"game": mine.id, "other": theirs.id, "changes": listed}


def _change_lines(mine: Game, theirs: Game, found: list[Change]) -> Iterator[str]:
    if not found:
        yield f"`{mine.id}` and `{theirs.id}` say the same"
    for change in found:
        yield from _change(change)


def _change(change: Change) -> Iterator[str]:
    yield f"{SIGNS[change.how]} {change.sentence()}"
    for part, before, after in change.parts if change.how == CHANGED and not change.is_value else ():
        yield f"      {part}"
        for sign, line in lines(before, after):
            yield fill(line, f"      {sign} ", "        ")
