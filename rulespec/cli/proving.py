"""prove, solve, recheck: claims decided, and decided verdicts gone through again."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..budgets import Budget, Died, Listener, OutOfBudget, Worker, cores
from ..core.diagnostics import Source, nearest
from ..core.game import Claim, Game
from ..core.storage.atomic_files import write_text
from ..core.verdicts import ESTIMATED, PROVED, REFUTED, STRENGTH, Store, Verdict, beside
from ..core.verdicts.current_verdicts import Current
from ..core.verdicts.release_stamps import ReleaseStamps
from ..core.verdicts.stamps import Stamps
from ..core.verdicts.wording import sentence
from ..executors import Processes
from ..language import Ruleset, home, load, locate, read, shipped
from ..play.contrasts import effects
from ..play.face import Game as Played
from .output import Progress, coloured, filled, say, styled, table
from .status import FAILED, HELD, UNDECIDED, Usage, check_outputs, executor, seed_of, settings
from .tracing import Tracer, by_reading, trace, unkept, unkept_data

if TYPE_CHECKING:
    from rulespec.solver.claims import Check
    from rulespec.solver.methods.counterexamples_to_induction import Why

T = TypeVar("T")

WORDS = {True: "passed", False: "FAILED", None: "not checked"}
"""The result of checking one verdict again."""

REMOVED = "the stored verdict was wrong, and is removed"

SURVEYS = (".sqlite", ".db")
"""How the names of databases of surveys end."""

COLOURS = {
    "proved": 32, "refuted": 31, "passed": 32, "FAILED": 31, "bounded": 33, "undecided": 33,
    "conditional": 33, "unchecked": 33,
}  # fmt: skip


class Loader:
    """Gives the games of one ruleset, which is read once, under any settings."""

    def __init__(self, name: str) -> None:
        self.name = name

    @cached_property
    def _ruleset(self) -> Ruleset:
        return read(self.name)

    def __call__(
        self,
        *,
        parameters: Mapping[str, int | str] | None = None,
        readings: Mapping[str, str] | None = None,
        players: int | None = None,
    ) -> Game:
        return self._ruleset.settled(players, parameters, readings)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The texts that the ruleset was read from; all, once it has given a game."""
        return (*self._ruleset.sources.values(),)


def budget(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits of one question."""
    return {"timeout": arguments.timeout, "memory": arguments.memory, "engine": arguments.engine}


def budget_of_checks(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits of the checks of stored verdicts that may help."""
    return {"memory": arguments.memory, "engine": arguments.engine}


def budgets(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits of many questions."""
    return {**budget(arguments), "each": arguments.each}


def prove(arguments: argparse.Namespace) -> int:
    """Decide claims."""
    whole = Budget(inf if arguments.timeout is None else arguments.timeout, arguments.memory)
    from rulespec.solver.claims import prove as decided

    asked = settings(arguments)
    loader = Loader(arguments.name)
    core = loader(**asked)
    for claim in arguments.claims:
        if claim not in core.claims:
            advice = nearest(claim, core.claims) or f"it has {', '.join(core.claims) or 'none'}"
            raise Usage(f"`{core.id}` has no claim `{claim}`; {advice}")
    check_outputs(arguments.record)
    progress, path = Progress(), beside(locate(arguments.name))
    unkept, late = Store(), list[tuple[str, int]]()
    before = Store() if arguments.no_store else Store.read(path)
    current = Current(loader.sources)
    known = {v.subject for v in before if STRENGTH[v.outcome] == 2 and v.subject in current}
    checks: list[Check] = []

    def tell(verdict: Verdict) -> None:
        if not arguments.json:
            stored = "" if verdict.standing == "decided" else "stored"
            styled(verdict_text(verdict, stored, core.claims.get(verdict.claim)))

    verdicts = decided(
        loader,
        arguments.claims or claims_of_any_deal(core),
        all_readings=arguments.all_readings,
        progress=progress,
        store=unkept if arguments.no_store else path,
        reuse=not arguments.again,
        known=() if arguments.again else known,
        decided=teller(progress, tell),
        left_out=lambda claim, settings: late.append((claim, settings)),
        checked=checks.append,
        default_only=arguments.default_only,
        executor=executor(arguments) or (Processes(arguments.jobs) if arguments.jobs else None),
        ruleset=arguments.name,
        **budgets(arguments) | {"timeout": None if arguments.timeout is None else whole.left},
        **asked,
    )
    progress.clear()
    if not arguments.no_store:
        current.keep(v.subject for v in verdicts)
    kept = unkept if arguments.no_store else Store.read(path)
    if arguments.record:
        _write_play(arguments, verdicts, kept)
    tracer = Tracer(Played(core, arguments.name, read(arguments.name).settled), kept)
    unasked = [*([] if arguments.claims else _unasked(arguments.name, core)), *map(_late, late)]
    if arguments.json:
        say({**_data(arguments, verdicts, tracer), "unasked": unasked, "checks": [*map(row, checks)]})
    else:
        _tell_plays(arguments, verdicts, tracer)
        for check in checks:
            if check.passed is False:
                styled(f"{check.verdict.claim}: {painted(WORDS[False])}{_under(check.verdict)}, {REMOVED}")
                print(filled(check.text, "    ", "    "))
        for one in unasked:
            print(f"{one['claim']}: not asked, for {one['why']}: {one['advice']}")
        if not (verdicts or unasked):
            print(f"`{core.id}` makes no claim")
    failed = any(check.passed is False for check in checks)
    status = FAILED if failed else status_of(verdicts)
    return UNDECIDED if late and status == HELD else status


def _late(left_out: tuple[str, int]) -> dict[str, str]:
    """A row about a claim that was not tested under some settings because the time ended."""
    claim, settings = left_out
    under = "one other reading" if settings == 1 else f"{settings} other readings or combinations of them"
    return {
        "claim": claim,
        "why": f"the time ended before it was asked under {under}",
        "advice": "give a longer --timeout",
    }


def _unasked(name: str, core: Game) -> list[dict[str, str]]:
    """A row for each claim that is asked of one deal at a time, with the command that asks it."""
    asked = claims_of_any_deal(core)
    return [
        {
            "claim": claim,
            "why": "it is asked of one deal at a time",
            "advice": f"rulespec solve {name} --goal {claim} --seed 1",
        }
        for claim in core.claims
        if claim not in asked
    ]


def _traced(arguments: argparse.Namespace, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts whose plays are told: those on claims that fail here, or all if that is asked for."""
    every = arguments.steps or arguments.draw
    return [v for v in verdicts if every or (v.outcome == REFUTED and not v.readings)]


def _by_claim(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.claim, []).append(verdict)
    return {claim: several for claim, several in found.items() if len(several) > 1}


def _data(arguments: argparse.Namespace, verdicts: Sequence[Verdict], tracer: Tracer) -> dict[str, Any]:
    plays = [play.to_data() for v in _traced(arguments, verdicts) for play in tracer.plays(v)]
    rulings = [
        {
            "claim": claim,
            "ruling": effect.ruling,
            "alone": effect.outcomes,
            "values": effect.values,
            "changes": effect.changes,
            "play": found.to_data() if found else None,
        }
        for claim, several in _by_claim(verdicts).items()
        for effect, found in effects(tracer.game, tracer.store, several)
    ]
    broken = [
        {"claim": v.claim, "readings": dict(v.readings), **data}
        for v, several in _unkept(
            arguments, verdicts, tracer, lambda v, why, game: [*unkept_data(v, why, game)]
        )
        for data in several
    ]
    data = [v.described(tracer.game.core.claims.get(v.claim)) for v in verdicts]
    return {"verdicts": data, "plays": plays, "rulings": rulings, "unkept": broken}


def _tell_plays(arguments: argparse.Namespace, verdicts: Sequence[Verdict], tracer: Tracer) -> None:
    for verdict in _traced(arguments, verdicts):
        for play in tracer.plays(verdict):
            print(f"\n{verdict.claim}{_under(verdict)}, a play that shows it:")
            styled(trace(play, arguments.draw))
    for claim, several in _by_claim(verdicts).items():
        print(f"\n{claim}, by reading:\n{by_reading([*effects(tracer.game, tracer.store, several)])}")
    for _, text in _unkept(
        arguments, verdicts, tracer, lambda v, why, game: unkept(v, why, game, arguments.draw)
    ):
        styled(f"\n{text}")
    if len(verdicts) > 1:
        print(summary(verdicts))


def _unkept(
    arguments: argparse.Namespace,
    verdicts: Sequence[Verdict],
    tracer: Tracer,
    shown: Callable[[Verdict, Why, Played], T],
) -> Iterator[tuple[Verdict, T]]:
    """With --why: the counterexample to induction for each claim of a suitable kind, formatted by `shown`."""
    from rulespec.solver.claims.gate import Gate
    from rulespec.solver.methods.counterexamples_to_induction import KINDS, Why, why_unkept

    seconds = arguments.each or arguments.timeout or 60.0
    limits = {**budget(arguments), "timeout": seconds}

    def serve(verdict: Verdict, send: Listener) -> T:
        game = tracer.of(verdict)
        claim = game.core.claims[verdict.claim]
        lemmas = gate.lemmas(game.core, claim, Budget(seconds, arguments.memory))
        why = why_unkept(game.core, claim, lemmas, **limits)
        return shown(verdict, why, game)

    gate = Gate(Loader(arguments.name), tracer.store, **budget_of_checks(arguments))
    with Worker(serve) as worker:
        for verdict in verdicts if arguments.why else ():
            if verdict.kind in KINDS and verdict.outcome != REFUTED:
                try:
                    yield verdict, worker.ask(verdict, Budget(seconds, arguments.memory))
                except (OutOfBudget, Died) as out:
                    yield verdict, shown(verdict, Why((), str(out)), tracer.of(verdict))


def _write_play(arguments: argparse.Namespace, verdicts: Iterable[Verdict], store: Store) -> None:
    """Write the record of the first play that is evidence for a verdict; Usage if there is none."""
    for verdict in verdicts:
        for evidence in verdict.evidence:
            data = store.records.get(str(evidence.data.get("record", "")))
            if evidence.kind == "play" and data is not None:
                core = load(arguments.name, verdict.players, verdict.parameters, verdict.readings)
                text = recorded_play(core, arguments.name, tuple(data["chance"]), tuple(data["plays"]))
                write_text(Path(arguments.record), text)
                return
    raise Usage("no verdict rests on a play, so there is nothing to write")


def claims_of_any_deal(game: Game) -> list[str]:
    """The claims that are not asked of one deal: those are for `solve`."""
    return [c.id for c in game.claims.values() if c.options.get("from") != "deal"]


def teller(
    progress: Progress, tell: Callable[[Verdict], None] | None = None
) -> Callable[[Verdict, int, int], None]:
    """Receives the verdicts of a run of many questions: counts them and passes each on."""

    def decided(verdict: Verdict, number: int, total: int) -> None:
        progress.total, progress.done = total, number
        if tell is not None:
            progress.clear()
            tell(verdict)
        progress(f"{verdict.ruleset}: {verdict.claim} {verdict.outcome}")

    return decided


def verdict_text(v: Verdict, stored: str = "", claim: Claim | None = None) -> str:
    """A verdict in words, about its claim if that is given, and how those stand that it rests on.

    `stored` replaces its engine and seconds.
    """
    how = stored or f"{v.seconds:.1f} s, {v.engine}"
    if v.rests_on:
        how += "; rests on " + ", ".join(f"{n} ({s or 'unchecked'})" for n, s in v.rests_on.items())
    lines = [f"{v.claim}: {painted(v.outcome)}{_under(v)}  [{how}]"]
    said = v.statement if claim is None else sentence(v, claim)
    lines.append(filled(said, "    ", "    "))
    lines += [filled(f"note: {note}", "    ") for note in v.warnings]
    return "\n".join(lines)


def _under(v: Verdict) -> str:
    said = setting_of(v)
    return f" ({said})" if said else ""


def setting_of(v: Verdict) -> str:
    """The setting of a verdict in words; empty for the defaults."""
    changed = [f"{name}={value}" for name, value in v.parameters.items()]
    return ", ".join([*changed, *(f"{name} is {reading}" for name, reading in v.readings.items())])


def painted(word: str) -> str:
    """An outcome in its colour, where the terminal has any."""
    code = COLOURS.get(word)
    return f"\033[{code}m{word}\033[0m" if code and coloured(sys.stdout) else word


def summary(verdicts: Iterable[Verdict]) -> str:
    """How many verdicts there are of each outcome."""
    counts = Counter(v.outcome for v in verdicts)
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


def status_of(verdicts: Iterable[Verdict]) -> int:
    """The exit status of some verdicts.

    Where some are about the defaults these count; that a claim fails under other readings is what was asked.
    """
    listed = [*verdicts]
    listed = [v for v in listed if not v.readings] or listed
    if any(v.outcome == REFUTED for v in listed):
        return FAILED
    return HELD if listed and all(v.outcome in (PROVED, ESTIMATED) for v in listed) else UNDECIDED


def solve(arguments: argparse.Namespace) -> int:
    """Settle one deal."""
    whole = Budget(arguments.timeout, arguments.memory)
    from rulespec.solver.claims import NoPuzzle, puzzle
    from rulespec.solver.claims import solve as settled
    from rulespec.solver.claims.gate import Gate

    check_outputs(arguments.record)
    core = load(arguments.name, **settings(arguments))
    chance = _deal(arguments, core)
    progress = Progress()
    try:
        claim = puzzle(core, arguments.goal)
        gate = Gate.beside(locate(arguments.name), Loader(arguments.name), **budget_of_checks(arguments))
        verdict, play = settled(
            core,
            claim.id,
            seed=None if chance is not None else seed_of(arguments, core.has_chance),
            chance=chance,
            shortest=arguments.shortest,
            progress=progress,
            lemmas=gate.lemmas(core, claim, whole),
            **budget(arguments) | {"timeout": whole.left},
        )
    except NoPuzzle as error:
        raise Usage(str(error)) from None
    progress.clear()
    gate.enter(verdict)
    verdict = gate.result(verdict)
    if arguments.record and play is not None:
        text = recorded_play(core, arguments.name, play.chance, play.plays)
        write_text(Path(arguments.record), text)
    if arguments.json:
        about = core.claims.get(verdict.claim)
        say({"verdict": verdict.described(about), "play": play.to_data() if play else None})
    else:
        styled(verdict_text(verdict, claim=core.claims.get(verdict.claim)))
        for number, text in enumerate(play.plays if play else (), 1):
            print(f"{number:4}  {text}")
    return {PROVED: HELD, REFUTED: FAILED}.get(verdict.outcome, UNDECIDED)


def _deal(arguments: argparse.Namespace, core: Game) -> tuple[str, ...] | None:
    """The chance of the record of --deal; none without one."""
    from .playing import read as recorded

    if not arguments.deal:
        return None
    if arguments.seed is not None:
        raise Usage("--deal and --seed both give a deal: leave one away")
    record = recorded(arguments.deal)
    if record.digest != core.digest:
        raise Usage(f"{arguments.deal} was played by other rules or settings than `{core.id}` has here")
    return record.chance


def recorded_play(core: Game, name: str, chance: tuple[str, ...], plays: tuple[str, ...]) -> str:
    """The record of a play, as it is written to a file."""
    state = Played(core, name).start(chance=chance)
    for text in plays:
        state = state.play(text)
    return state.record().to_json()


def recheck(arguments: argparse.Namespace) -> int:
    """Go through stored evidence again."""
    names = arguments.names or [n for n in shipped() if beside(locate(n)).is_file()]
    limits, progress = limits_of_recheck(arguments), Progress()
    surveys = [name for name in names if Path(name).suffix in SURVEYS]
    again = arguments.again or arguments.engine or arguments.second or arguments.export
    if surveys and (arguments.second or arguments.export):
        raise Usage("--with and --export are for stored verdicts, not for surveys")
    export = Path(arguments.export) if arguments.export else None
    more = {**limits, "second": arguments.second, "export": export}
    stores = [name for name in names if name not in surveys]
    rows = [row(check) for check in rechecked(stores, more, progress, Stamps(), bool(again))]
    shown = [one for one in rows if arguments.names or one["result"] != WORDS[True]]
    for name in surveys:
        from .surveying import rechecked as answers

        found = answers(Path(name), arguments.sample, limits, progress)
        rows += found
        shown += [one for one in found if one["result"] != WORDS[True]]
    progress.clear()
    if arguments.json:
        say({"checks": rows})
    elif not rows:
        print("no verdicts are stored: `rulespec prove GAME` stores them")
    else:
        if shown:
            print(table([("ruleset", "claim", "result", "what was done"), *map(_row, shown)]))
        counts = Counter(row["result"] for row in rows)
        styled(", ".join(f"{count} {painted(result)}" for result, count in counts.items()))
    results = {row["result"] for row in rows}
    if WORDS[False] in results:
        return FAILED
    return HELD if results == {WORDS[True]} else UNDECIDED


def limits_of_recheck(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits within which verdicts are gone through again."""
    return {**budgets(arguments), "jobs": arguments.jobs or cores()}


def _row(row: Mapping[str, str]) -> tuple[str, ...]:
    where = f" ({row['setting']})" if row["setting"] else ""
    return (row["ruleset"], row["claim"], row["result"], row["text"] + where)


def rechecked(
    names: Iterable[str], limits: Mapping[str, Any], progress: Progress, stamps: Stamps, again: bool = False
) -> list[Check]:
    """Check the stored verdicts of rulesets that have no stamp, or all `again`, and stamp those that pass.

    Stamps are saved every few seconds, so an interrupted run goes on where it was. What has a stamp is among
    the checks, with the text of its stamp. Raises Usage if a ruleset has no verdicts.
    """
    from rulespec.solver.claims import recheck_all

    failures = set[str]()

    def checked(check: Check, number: int, total: int) -> None:
        progress.total, progress.done = total, number

    def settled(checks: Sequence[Check]) -> None:
        for check in checks:
            if check.passed is True:
                stamps.add(check.verdict, check.text)
            elif check.passed is False:
                stamps.drop(check.verdict)
        failures.update(filter(None, [stamps.save()]))

    found = recheck_all(
        [(stored(name), Loader(name)) for name in names],
        progress=progress,
        checked=checked,
        settled=settled,
        vouched=(lambda verdict: None) if again else stamps.of,
        measured=ReleaseStamps(home()).seconds,
        **limits,
    )
    for failure in failures:
        print(f"rulespec: no stamps are kept: {failure}", file=sys.stderr)
    return found


def stored(name: str) -> Path:
    """Where the verdicts on a ruleset are stored. Usage if there are none."""
    path = beside(locate(name))
    if not path.is_file():
        raise Usage(f"no verdicts are stored for `{name}`: run `rulespec prove {name}` first")
    return path


def row(check: Check) -> dict[str, str]:
    """A check as data."""
    return about(check.verdict, WORDS[check.passed], check.text)


def about(verdict: Verdict, result: str, text: str) -> dict[str, str]:
    """The result of checking a stored verdict, as data."""
    return {
        "ruleset": verdict.ruleset,
        "claim": verdict.claim,
        "setting": setting_of(verdict),
        "result": result,
        "text": text,
    }
