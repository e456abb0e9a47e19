"""prove, solve, recheck: claims decided, and decided verdicts gone through again."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..core.game import Game
from ..core.verdicts import PROVED, REFUTED, Store, Verdict, beside
from ..language import load, locate, shipped
from .status import FAILED, HELD, UNDECIDED, Usage, done, progress, say, seed_of, settings, table


class Loader:
    """Loads one ruleset again and again, under other settings."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(
        self,
        *,
        parameters: Mapping[str, int | str] | None = None,
        readings: Mapping[str, str] | None = None,
        players: int | None = None,
    ) -> Game:
        return load(self.name, players, parameters, readings)


def prove(arguments: argparse.Namespace) -> int:
    """Decide claims."""
    from solver.claims import prove as decided

    asked = settings(arguments)
    core = load(arguments.name, **asked)
    for claim in arguments.claims:
        if claim not in core.claims:
            raise Usage(f"`{core.id}` has no claim `{claim}`; it has {', '.join(core.claims)}")
    verdicts = decided(
        Loader(arguments.name),
        arguments.claims or None,
        all_readings=arguments.all_readings,
        timeout=arguments.timeout,
        memory=arguments.memory,
        engine=arguments.engine,
        progress=progress,
        store=None if arguments.no_store else beside(locate(arguments.name)),
        reuse=not arguments.again,
        **asked,
    )
    done()
    report(verdicts, arguments.json)
    return status_of(verdicts)


def report(verdicts: Iterable[Verdict], as_json: bool) -> None:
    """Print verdicts as a table, or as JSON."""
    listed = [*verdicts]
    if as_json:
        say({"verdicts": [asdict(v) for v in listed]})
        return
    for v in listed:
        setting = ", ".join(
            [*(f"{k}={x}" for k, x in v.parameters.items()), *(f"{k} is {x}" for k, x in v.readings.items())]
        )
        print(f"{v.claim}: {v.outcome}{f' ({setting})' if setting else ''}  [{v.seconds:.1f} s, {v.engine}]")
        print(f"    {v.statement}")
        for note in v.notes:
            print(f"    note: {note}")


def status_of(verdicts: Iterable[Verdict]) -> int:
    """The exit status of some verdicts; the defaults' count, other readings may well be refuted."""
    listed = [v for v in verdicts if not v.readings] or [*verdicts]
    if any(v.outcome == REFUTED for v in listed):
        return FAILED
    return HELD if listed and all(v.outcome == PROVED for v in listed) else UNDECIDED


def solve(arguments: argparse.Namespace) -> int:
    """Settle one deal."""
    from solver.claims import NoPuzzle
    from solver.claims import solve as settled

    from ..play.records import read_record

    core = load(arguments.name, **settings(arguments))
    chance = (
        read_record(Path(arguments.deal).read_text("utf-8"), arguments.deal).chance
        if arguments.deal
        else None
    )
    try:
        verdict, play = settled(
            core,
            arguments.goal,
            seed=None if chance is not None else seed_of(arguments),
            chance=chance,
            timeout=arguments.timeout,
            memory=arguments.memory,
            engine=arguments.engine,
            progress=progress,
        )
    except NoPuzzle as error:
        raise Usage(str(error)) from None
    done()
    if arguments.record and play is not None:
        Path(arguments.record).write_text(_record(core, play.chance, play.plays), "utf-8")
    if arguments.json:
        say({"verdict": asdict(verdict), "play": play.to_data() if play else None})
    else:
        report([verdict], False)
        for number, text in enumerate(play.plays if play else (), 1):
            print(f"{number:4}  {text}")
    return HELD if verdict.outcome in (PROVED, REFUTED) else UNDECIDED


def _record(core: Game, chance: tuple[str, ...], plays: tuple[str, ...]) -> str:
    from ..play.face import Game as Played

    state = Played(core).start(chance=chance)
    for text in plays:
        state = state.play(text)
    return state.record().to_json()


def recheck(arguments: argparse.Namespace) -> int:
    """Go through stored evidence again."""
    names = arguments.names or [n for n in shipped() if beside(locate(n)).is_file()]
    rows, passed = rechecked(names, arguments)
    done()
    if arguments.json:
        say({"checks": rows})
    else:
        print(
            table([(r["ruleset"], r["claim"], r["result"], r["text"]) for r in rows]) or "nothing is stored"
        )
    if not rows:
        return UNDECIDED
    return FAILED if False in passed else UNDECIDED if None in passed else HELD


def rechecked(
    names: Iterable[str], arguments: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[bool | None]]:
    """What came of going through the stored verdicts of some rulesets."""
    from solver.claims import recheck as gone_through

    rows: list[dict[str, Any]] = []
    passed: list[bool | None] = []
    for name in names:
        path = beside(locate(name))
        if not path.is_file():
            raise Usage(f"no verdicts are stored for `{name}`: run `rulespec prove {name}` first")
        budget = {"timeout": arguments.timeout, "memory": arguments.memory, "engine": arguments.engine}
        for check in gone_through(Store.read(path), Loader(name), progress=progress, **budget):
            word = {True: "passed", False: "FAILED", None: "not checked"}[check.passed]
            rows.append(
                {
                    "ruleset": check.verdict.ruleset,
                    "claim": check.verdict.claim,
                    "result": word,
                    "text": check.text,
                }
            )
            passed.append(check.passed)
    return rows, passed
