"""prove and solve: decide claims of a ruleset, or of one deal, and print verdicts."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from ..budgets import Budget, ChildDied, Listener, OutOfBudget, Worker
from ..core.diagnostics import nearest
from ..core.game import Claim, Game
from ..core.storage.atomic_files import write_text
from ..core.verdicts import ESTIMATED, PROVED, REFUTED, STRENGTH, Store, Verdict, beside
from ..core.verdicts.current_verdicts import Current
from ..core.verdicts.properties import PROPERTIES
from ..core.verdicts.wording import sentence
from ..executors import Processes
from ..language import load, locate, read
from ..play.contrasts import effects
from ..play.face import Game as Played
from .loading import Loader, claims_of_any_deal, limits, setting_of
from .output import Progress, fill, in_colour, print_json, print_styled
from .rechecking import check_data
from .status import FAILED, HELD, PASSED, UNDECIDED, Usage, check_outputs, executor, seed_of, settings
from .tracing import Tracer, broken_inductions, broken_inductions_data, by_reading, trace

if TYPE_CHECKING:
    from rulespec.solver.claims import Check, LeftOut, ProveOptions
    from rulespec.solver.methods.counterexamples_to_induction import Why

REMOVED = "the stored verdict was wrong, and is removed"

T = TypeVar("T")


def prove(arguments: argparse.Namespace) -> int:
    """Decide claims; the status is 0 if all hold, 1 if one fails, 3 if one is undecided."""
    whole = Budget(arguments.timeout or inf, arguments.memory)
    from rulespec.solver.claims import ProveOptions, Scope

    loader, setting = Loader(arguments.name), settings(arguments)
    core = loader(**setting)
    _check_names(core, arguments.claims)
    named = arguments.claims or [*core.claims]
    check_outputs(arguments.record)
    path = None if arguments.no_store else beside(locate(arguments.name))
    if path is not None and not os.access(path.parent, os.W_OK):
        raise Usage(f"verdicts cannot be stored in `{path.parent}`: use --no-store to decide without that")
    before, current = Store() if path is None else Store.read(path), Current(loader.sources)
    known = {v.subject for v in before if STRENGTH[v.outcome] == 2 and v.subject in current}
    scope = Scope.ALL if arguments.all_readings else Scope.NAMED
    unfiled = Store()
    options = ProveOptions(
        **limits(arguments, "each", "memory", "engine"),
        **setting,
        timeout=None if arguments.timeout is None else whole.seconds_left,
        claims=[name for name in named if name in claims_of_any_deal(core)],
        scope=Scope.USUAL if arguments.default_only else scope,
        store=unfiled if path is None else path,
        reuse=not arguments.again,
        known=() if arguments.again else known,
        executor=executor(arguments) or (Processes(arguments.jobs) if arguments.jobs else None),
        ruleset=arguments.name,
    )
    verdicts, checks, late = _decide_and_print(loader, options, core, arguments.json)
    if path is not None:
        current.keep(v.subject for v in verdicts)
    store = unfiled if path is None else Store.read(path)
    if arguments.record:
        _write_play(arguments, verdicts, store)
    tracer = Tracer(Played(core, arguments.name, read(arguments.name).with_settings), store)
    of_deals = _one_deal_rows(arguments.name, core, named)
    unasked = [*of_deals, *map(_left_out_row, late)]
    if arguments.json:
        checked = [*map(check_data, checks)]
        print_json({**_data(arguments, verdicts, tracer), "unasked": unasked, "checks": checked})
    else:
        _tell_plays(arguments, verdicts, tracer)
        for check in checks:
            if check.passed is False:
                failed = in_colour(PASSED[False])
                print_styled(f"{check.verdict.claim}: {failed}{_setting_suffix(check.verdict)}, {REMOVED}")
                print(fill(check.text, "    ", "    "))
        for one in unasked:
            print(f"{one['claim']}: not decided, because {one['why']}: {one['advice']}")
        if not (verdicts or unasked):
            print(f"`{core.id}` has no claims")
    status = FAILED if any(check.passed is False for check in checks) else status_of(verdicts)
    return UNDECIDED if (late or (arguments.claims and of_deals)) and status == HELD else status


def _check_names(core: Game, names: Iterable[str]) -> None:
    """Raise Usage, with advice, if a game lacks a claim with one of these names."""
    for claim in names:
        if claim not in core.claims:
            advice = nearest(claim, core.claims) or f"it has {', '.join(core.claims) or 'none'}"
            raise Usage(f"`{core.id}` has no claim `{claim}`; {advice}")


def _decide_and_print(
    loader: Loader, options: ProveOptions, core: Game, quiet: bool
) -> tuple[list[Verdict], list[Check], list[LeftOut]]:
    """Decide claims and print each verdict at once; returns verdicts, checks and omitted claims."""
    from rulespec.solver.claims import LeftOut, VerdictChecked, VerdictReached, decide_claims

    progress = Progress()
    verdicts, checks, late = list[Verdict](), list["Check"](), list["LeftOut"]()
    with closing(decide_claims(loader, options, progress)) as events:
        for event in events:
            match event:
                case VerdictReached(verdict, number, total):
                    verdicts.append(verdict)
                    progress.total, progress.done = total, number
                    progress.clear()
                    if not quiet:
                        stored = "" if verdict.standing == "decided" else "stored"
                        print_styled(verdict_text(verdict, stored, core.claims.get(verdict.claim)))
                    progress(f"{verdict.ruleset}: {verdict.claim} {verdict.outcome}")
                case VerdictChecked(check):
                    checks.append(check)
                case LeftOut():
                    late.append(event)
                case _:
                    assert_never(event)
    progress.clear()
    return verdicts, checks, late


def _left_out_row(left_out: LeftOut) -> dict[str, str]:
    """A row about a claim that was not decided under some settings because time ran out."""
    number = left_out.settings
    under = "one other reading" if number == 1 else f"{number} other readings or combinations of them"
    return {
        "claim": left_out.claim,
        "why": f"time ran out before it was decided under {under}",
        "advice": "give a longer --timeout",
    }


def _one_deal_rows(name: str, core: Game, asked: Sequence[str]) -> list[dict[str, str]]:
    """A row for each of these claims that is about one deal at a time, with the command that decides it."""
    return [
        {
            "claim": claim,
            "why": "it is about one deal at a time",
            "advice": f"rulespec solve {name} --goal {claim} --seed 1",
        }
        for claim in asked
        if core.claims[claim].is_of_one_deal
    ]


def _verdicts_to_trace(arguments: argparse.Namespace, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts whose plays are printed: those on claims that fail here, or all on request."""
    every = arguments.steps or arguments.draw
    return [v for v in verdicts if every or (v.outcome == REFUTED and not v.readings)]


def _by_claim(verdicts: Iterable[Verdict]) -> dict[str, list[Verdict]]:
    found: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        found.setdefault(verdict.claim, []).append(verdict)
    return {claim: several for claim, several in found.items() if len(several) > 1}


def _data(arguments: argparse.Namespace, verdicts: Sequence[Verdict], tracer: Tracer) -> dict[str, Any]:
    """The verdicts as JSON data, with their plays and the effects of rulings."""
    plays = [play.to_data() for v in _verdicts_to_trace(arguments, verdicts) for play in tracer.plays(v)]
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
        for v, several in _broken_inductions(
            arguments, verdicts, tracer, lambda v, why, game: [*broken_inductions_data(v, why, game)]
        )
        for data in several
    ]
    data = [v.json_data(tracer.game.core.claims.get(v.claim)) for v in verdicts]
    return {"verdicts": data, "plays": plays, "rulings": rulings, "unkept": broken}


def _tell_plays(arguments: argparse.Namespace, verdicts: Sequence[Verdict], tracer: Tracer) -> None:
    """Print the plays of verdicts, the effects of readings, and failed inductions."""
    for verdict in _verdicts_to_trace(arguments, verdicts):
        for play in tracer.plays(verdict):
            print(f"\n{verdict.claim}{_setting_suffix(verdict)}, a play that shows it:")
            print_styled(trace(play, arguments.draw))
    for claim, several in _by_claim(verdicts).items():
        print(f"\n{claim}, by reading:\n{by_reading([*effects(tracer.game, tracer.store, several)])}")
    for _, text in _broken_inductions(
        arguments, verdicts, tracer, lambda v, why, game: broken_inductions(v, why, game, arguments.draw)
    ):
        print_styled(f"\n{text}")
    if len(verdicts) > 1:
        print(summary(verdicts))


def _broken_inductions(
    arguments: argparse.Namespace,
    verdicts: Sequence[Verdict],
    tracer: Tracer,
    shown: Callable[[Verdict, Why, Played], T],
) -> Iterator[tuple[Verdict, T]]:
    """With --why: the counterexample to induction for each claim of a suitable kind, formatted by `shown`."""
    from rulespec.solver.claims.gate import Gate
    from rulespec.solver.methods.counterexamples_to_induction import Why, why_unkept

    seconds = arguments.each or arguments.timeout or 60.0
    within = {**limits(arguments, "memory", "engine"), "timeout": seconds}

    def serve(verdict: Verdict, send: Listener) -> T:
        game = tracer.of(verdict)
        claim = game.core.claims[verdict.claim]
        lemmas = gate.lemmas(game.core, claim, Budget(seconds, arguments.memory))
        why = why_unkept(game.core, claim, lemmas, **within)
        return shown(verdict, why, game)

    gate = Gate(Loader(arguments.name), tracer.store, **limits(arguments, "memory", "engine"))
    with Worker(serve) as worker:
        for verdict in verdicts if arguments.why else ():
            if PROPERTIES[verdict.kind].is_inductive and verdict.outcome != REFUTED:
                try:
                    yield verdict, worker.ask(verdict, Budget(seconds, arguments.memory))
                except (OutOfBudget, ChildDied) as out:
                    yield verdict, shown(verdict, Why((), str(out)), tracer.of(verdict))


def _write_play(arguments: argparse.Namespace, verdicts: Iterable[Verdict], store: Store) -> None:
    """Write the record of the first play that is evidence for a verdict; raises Usage if there is none."""
    for verdict in verdicts:
        for evidence in verdict.evidence:
            data = store.records.get(str(evidence.data.get("record", "")))
            if evidence.kind == "play" and data is not None:
                core = load(arguments.name, verdict.players, verdict.parameters, verdict.readings)
                text = recorded_play(core, arguments.name, tuple(data["chance"]), tuple(data["plays"]))
                write_text(Path(arguments.record), text)
                return
    raise Usage("no verdict rests on a play, so there is nothing to write")


def verdict_text(v: Verdict, stored: str = "", claim: Claim | None = None) -> str:
    """A verdict in words, with its claim if given, and the standing of verdicts on which it rests.

    `stored` replaces its engine and seconds.
    """
    how = stored or f"{v.seconds:.1f} s, {v.engine}"
    if v.rests_on:
        how += "; rests on " + ", ".join(f"{n} ({s or 'unchecked'})" for n, s in v.rests_on.items())
    lines = [f"{v.claim}: {in_colour(v.outcome)}{_setting_suffix(v)}  [{how}]"]
    said = v.statement if claim is None else sentence(v, claim)
    lines.append(fill(said, "    ", "    "))
    lines += [fill(f"note: {note}", "    ") for note in v.warnings]
    return "\n".join(lines)


def _setting_suffix(v: Verdict) -> str:
    said = setting_of(v)
    return f" ({said})" if said else ""


def summary(verdicts: Iterable[Verdict]) -> str:
    """The number of verdicts of each outcome."""
    counts = Counter(v.outcome for v in verdicts)
    return ", ".join(f"{count} {outcome}" for outcome, count in counts.items())


def status_of(verdicts: Iterable[Verdict]) -> int:
    """The exit status for some verdicts.

    If there are verdicts under the defaults only these count: a claim that fails under other readings is a
    result, not an error.
    """
    listed = [*verdicts]
    listed = [v for v in listed if not v.readings] or listed
    if any(v.outcome == REFUTED for v in listed):
        return FAILED
    return HELD if listed and all(v.outcome in (PROVED, ESTIMATED) for v in listed) else UNDECIDED


def solve(arguments: argparse.Namespace) -> int:
    """Decide the claim about one deal; the status is 0 if it holds, 1 if it fails, 3 if undecided."""
    whole = Budget(arguments.timeout, arguments.memory)
    from rulespec.solver.claims import NoPuzzle, puzzle
    from rulespec.solver.claims import solve as settled
    from rulespec.solver.claims.gate import Gate

    check_outputs(arguments.record)
    core = load(arguments.name, **settings(arguments))
    chance = _deal_of_record(arguments, core)
    progress, within = Progress(), limits(arguments, "memory", "engine")
    try:
        claim = puzzle(core, arguments.goal)
        gate = Gate.beside(locate(arguments.name), Loader(arguments.name), **within)
        verdict, play = settled(
            core,
            claim.id,
            seed=None if chance is not None else seed_of(arguments, core.has_chance),
            chance=chance,
            shortest=arguments.shortest,
            progress=progress,
            lemmas=gate.lemmas(core, claim, whole),
            timeout=whole.seconds_left,
            **within,
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
        print_json({"verdict": verdict.json_data(about), "play": play.to_data() if play else None})
    else:
        print_styled(verdict_text(verdict, claim=core.claims.get(verdict.claim)))
        for number, text in enumerate(play.plays if play else (), 1):
            print(f"{number:4}  {text}")
    return {PROVED: HELD, REFUTED: FAILED}.get(verdict.outcome, UNDECIDED)


def _deal_of_record(arguments: argparse.Namespace, core: Game) -> tuple[str, ...] | None:
    """The chance outcomes in the record given by --deal; None without the option."""
    from .playing import recorded_deal

    if not arguments.deal:
        return None
    if arguments.seed is not None:
        raise Usage("--deal and --seed both give a deal: use only one")
    return recorded_deal(arguments.deal, core)


def recorded_play(core: Game, name: str, chance: tuple[str, ...], plays: tuple[str, ...]) -> str:
    """Replay a play and return its record as JSON text."""
    state = Played(core, name).start(chance=chance)
    for text in plays:
        state = state.play(text)
    return state.record().to_json()
