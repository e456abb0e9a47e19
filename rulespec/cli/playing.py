"""play, replay, perft, why: games in the terminal."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from ..budgets import Budget, OutOfBudget, Stopwatch, held_to, watchdog
from ..core.diagnostics import RulesetError, nearest
from ..core.game import Game as Core
from ..core.numbers import whole_number
from ..core.storage.atomic_files import write_text
from ..core.storage.safe_reading import read_text
from ..play.chance import Chance
from ..play.face import Game, State, load
from ..play.records.files import MOST_BYTES, Record, read_record
from ..play.records.files import replay as replayed
from ..play.records.puzzles import read_puzzles
from ..players.naming import PERSON, player_of
from ..players.table import Table
from . import board
from .loading import with_question_limit
from .output import Progress, advise_compiler, print_json, print_styled
from .session import Session
from .status import FAILED, HELD, UNDECIDED, Usage, check_outputs, seed_of, settings


@watchdog.watch()
def play(arguments: argparse.Namespace) -> int:
    """Play in the terminal."""
    if arguments.full and not arguments.record:
        raise Usage("--full is for records: add --record FILE")
    check_outputs(arguments.record)
    record = read_record_file(arguments.resume) if arguments.resume else None
    if record is not None:
        _nothing_besides(arguments, record, "--resume")
    game = with_question_limit(record.load()) if record is not None else _game(arguments)
    who = _who(game, arguments.player)
    persons = [player for player, name in who.items() if name == PERSON]
    for option, asked in (("--json", arguments.json), ("--plies", arguments.plies is not None)):
        if asked and persons:
            raise Usage(f"{option} is for a play without people: add --player random, for example")
    chance = game.core.has_chance if record is None else game.core.has_chance_in_play
    seed = seed_of(arguments, chance or len(persons) < len(who))
    states = _resume(game, record, seed) if record is not None else [game.start(seed=seed)]
    players = {player: player_of(name, f"{seed}/{player}") for player, name in who.items() if name != PERSON}
    session = Session(Table(states), players, seed)
    try:
        if not persons:
            _watch(session, not arguments.json, arguments.plies)
        else:
            session.run()
    finally:
        if arguments.record:
            _write(arguments.record, session.state.record(arguments.full))
    end = session.state
    if arguments.json:
        print_json({"plays": [str(a) for a in end.plays], "chance": [*end.chance], **board.outcome(end)})
    else:
        if end.is_over:
            print_styled(board.board(end))
        print(board.ending_text(end))
    return HELD


def _game(arguments: argparse.Namespace) -> Game:
    if arguments.name is None:
        raise Usage("which game? give the name of one (see `rulespec list`), or a record")
    return with_question_limit(load(arguments.name, **settings(arguments)))


def _resume(game: Game, record: Record, seed: str) -> list[State]:
    """The states of a record, with chance from a seed after the last."""
    *before, last = replayed(record, game)
    chance = Chance(seed, last.chance)
    return [*before, State(game, last.position, chance, last.chance, last.plays, origin=last.origin)]


def _nothing_besides(arguments: argparse.Namespace, record: Record, option: str) -> None:
    if arguments.name not in (None, record.ruleset):
        raise Usage(f"{option} goes on with `{record.ruleset}`, not `{arguments.name}`")
    if arguments.players or arguments.set or arguments.reading:
        raise Usage(f"the record of {option} has its own settings: leave out --players, --set and --reading")


def read_record_file(file: str) -> Record:
    """The record in a file, or that of the puzzle `FILE#NUMBER` of a collection, before anything is done.

    Raises RulesetError or Usage for another file, OSError if it cannot be read.
    """
    name, _, digits = file.rpartition("#")
    number = whole_number(digits)
    try:
        if name and number is not None and not Path(file).exists():
            return read_puzzles(read_text(Path(name), MOST_BYTES), name).record(number)
        return read_record(read_text(Path(file), MOST_BYTES), file)
    except LookupError as error:
        raise Usage(f"{name}: {error}") from None
    except UnicodeDecodeError:
        raise Usage(f"{file}: a record is text in UTF-8") from None


def recorded_deal(file: str, game: Core) -> tuple[str, ...]:
    """The chance outcomes in the record of a file. Raises Usage unless it begins with a deal of the game."""
    record = read_record_file(file)
    if record.digest != game.digest:
        raise Usage(f"{file} was played by other rules or settings than those of `{game.id}` has here")
    if record.given is not None:
        raise Usage(f"{file} begins in a position that was set up by hand, not with a deal")
    return record.chance


def _write(file: str, record: Record) -> None:
    write_text(Path(file), record.to_json())


def _who(game: Game, named: list[str]) -> dict[Any, str]:
    """The person or program that plays each player, as given by --player; a person by default."""
    known = {str(player): player for player in game.players}
    who: dict[Any, str] = {}
    rest: str | None = None
    for text in named:
        player, sign, name = text.rpartition("=")
        if name != PERSON:
            try:
                player_of(name, "")
            except ValueError as error:
                raise Usage(f"`--player {text}`: {error}") from None
        if not sign and rest is None:
            rest = name
        elif sign and player not in known:
            raise Usage(f"`--player {text}`: there is no player `{player}`; there are {', '.join(known)}")
        elif sign and known[player] not in who:
            who[known[player]] = name
        else:
            raise Usage(f"`--player {text}` is a second choice for {player or 'the others'}")
    return {player: who.get(player, rest or PERSON) for player in game.players}


def _watch(session: Session, tell: bool, most: int | None) -> None:
    """Let the machine's players play to the end of the game."""
    while not session.state.is_over and (most is None or len(session.table.states) <= most):
        session.play_machine()
        if tell:
            print(session.state.plays[-1])


@watchdog.watch()
def replay(arguments: argparse.Namespace) -> int:
    """Replay a record; the status is 1 if the rules refuse a ply or a full record differs from them."""
    record = read_record_file(arguments.file)
    if arguments.ruleset is not None:
        record = replace(record, ruleset=arguments.ruleset)
    states: list[State] = []
    try:
        for state in replayed(record, with_question_limit(record.load())):
            states.append(state)
            if arguments.steps and not arguments.json:
                print(f"{len(state.plays)}. {state.plays[-1]}" if state.plays else "the start")
                print_styled(board.board(state) + "\n")
    except RulesetError as error:
        return _illegal(error, len(states), arguments.json)
    last = states[-1]
    if arguments.json:
        print_json({"legal": True, "plies": len(last.plays), **board.outcome(last), "diagnostics": []})
    else:
        also = ", and what is legal and seen agrees with the record" if record.accounts else ""
        print(f"{record.ruleset}: every action is legal{also}")
        print(board.ending_text(last))
    return HELD


def _illegal(error: RulesetError, played: int, as_json: bool) -> int:
    """Report a record that the rules refuse; a record that fits no ruleset is wrong input."""
    if any(not d.code.startswith("record.") for d in error.diagnostics):
        raise error
    if as_json:
        diagnostics = [d.to_data() for d in error.diagnostics]
        print_json({"legal": False, "plies": max(0, played - 1), "diagnostics": diagnostics})
    else:
        print("\n".join(d.render() for d in error.diagnostics))
    return FAILED


@watchdog.watch()
def perft(arguments: argparse.Namespace) -> int:
    """Count the sequences of actions up to a depth; the status is 3 if a limit stopped it."""
    from ..play.perft import perft as sequences

    progress, watch = Progress(), Stopwatch()
    budget = Budget(arguments.timeout or inf, arguments.memory)

    def tell(ply: int, done: int, total: int) -> None:
        progress(f"depth {ply}: {done:,} of {total:,} positions")

    game, counts, status = _game(arguments), dict[int, int](), HELD
    try:
        with held_to(arguments.memory):
            depth = 0
            while depth < arguments.depth:  # a count of all depths at once would tell nothing before its end
                told, depth = depth, min(max(1, 2 * depth), arguments.depth)
                counts = sequences(game, depth, arguments.seed, tell, budget=budget)
                if not arguments.json:
                    progress.clear()
                    for one in range(told + 1, depth + 1):
                        print(f"{one:3}  {counts[one]:,}", flush=True)
    except OutOfBudget as out:
        print(f"not all depths were counted within {out}; a smaller --depth takes less", file=sys.stderr)
        status = UNDECIDED
    finally:
        progress.clear()
    advise_compiler(watch.seconds)
    if arguments.json:
        print_json({"counts": {str(depth): count for depth, count in counts.items()}})
    return status


@watchdog.watch()
def why(arguments: argparse.Namespace) -> int:
    """Explain why an action is refused; the status is 1 if it is, 0 if it is legal."""
    state, _ = position_of(arguments)
    refusals = state.why_not(arguments.action)
    if any(r.kind == "unknown" for r in refusals):
        raise Usage("\n".join(f"`{arguments.action}`: {refusal}" for refusal in refusals))
    if arguments.json:
        listed = [r.to_data() for r in refusals]
        print_json({"action": arguments.action, "legal": not refusals, "refusals": listed})
    elif refusals:
        print(board.refusal_text(state, arguments.action, refusals))
    else:
        print(f"`{arguments.action}` is legal")
    return FAILED if refusals else HELD


def position_of(arguments: argparse.Namespace) -> tuple[State, tuple[str, ...]]:
    """The position to which `why` and `hint` refer, and the actions after it in the record."""
    state, later = _looked_at(arguments)
    for text in arguments.play:
        refusals = state.why_not(text)
        if refusals:
            raise Usage("\n".join(f"--play `{text}`: {refusal}" for refusal in refusals))
        state, later = state.play(text), later[1:] if later[:1] == (text,) else ()
    return state, later


def _looked_at(arguments: argparse.Namespace) -> tuple[State, tuple[str, ...]]:
    """The position before the actions given by `--play`."""
    if not arguments.record:
        if arguments.ply is not None:
            raise Usage("--ply counts the plies of a record: give --record too")
        game = _game(arguments)
        seed = seed_of(arguments, game.core.has_chance)
        if arguments.position is None:
            return game.start(seed=seed), ()
        named = game.core.positions
        if arguments.position not in named:
            advice = nearest(arguments.position, named) or f"it names {', '.join(named) or 'none'}"
            raise Usage(f"`{game.id}` has no position `{arguments.position}`; {advice}")
        return game.position(named[arguments.position], seed=seed), ()
    if arguments.position is not None:
        raise Usage("--record and --position both name a position: use only one")
    record = read_record_file(arguments.record)
    _nothing_besides(arguments, record, "--record")
    states = [*replayed(record, with_question_limit(record.load()))]
    at = len(states) - 1 if arguments.ply is None else arguments.ply
    if at >= len(states):
        raise Usage(f"the record has {len(states) - 1} plies, not {at}")
    return states[at], tuple(map(str, states[-1].plays[at:]))
