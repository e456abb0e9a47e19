"""play, replay, perft, why: games in the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ..play.chance import ChanceError
from ..play.errors import IllegalAction
from ..play.face import State, load
from ..play.records import read_record
from ..play.records import replay as replayed
from .status import FAILED, HELD, Usage, say, seed_of, settings

HELP = """\
a number, or an action in notation   play it (a beginning is enough where it is clear)
actions [TEXT]                       list the legal actions, those that hold TEXT
why ACTION                           say why an action is refused
undo                                 take the last action back
save FILE                            write the record of the play
help, quit"""
MOST_LISTED = 20


def play(arguments: argparse.Namespace) -> int:
    """Play in the terminal."""
    if arguments.resume:
        state = _state_of(arguments.resume)
    else:
        state = load(arguments.name, **settings(arguments)).start(seed=seed_of(arguments))
    state = _at_random(state, arguments) if arguments.random else _by_hand(state)
    if arguments.record:
        Path(arguments.record).write_text(state.record().to_json(), "utf-8")
    if arguments.json:
        say({"plays": [*state.record().plays], "chance": [*state.chance], **_outcome(state)})
    else:
        print(_drawn(state))
        print(_ending(state))
    return HELD


def _state_of(file: str, plies: int | None = None) -> State:
    states = [*replayed(read_record(Path(file).read_text("utf-8"), file))]
    if plies is not None and not 0 <= plies < len(states):
        raise Usage(f"the record has {len(states) - 1} plies, not {plies}")
    return states[-1 if plies is None else plies]


def _at_random(state: State, arguments: argparse.Namespace) -> State:
    from ..play.playouts import RandomPlayer

    player = RandomPlayer(seed_of(arguments) if arguments.seed is None else str(arguments.seed))
    while not state.is_over:
        state = state.play(player.choose(state))
        if not arguments.json:
            print(state.plays[-1])
    return state


def _by_hand(state: State) -> State:
    history = [state]
    print(HELP)
    shown: State | None = None
    while not history[-1].is_over:
        now = history[-1]
        if now is not shown:
            print(_drawn(now))
            _list(now, "")
            shown = now
        try:
            line = input(f"{now.to_move}> " if sys.stdin.isatty() else "").strip()
        except EOFError:
            break
        word, _, rest = line.partition(" ")
        if line in ("quit", "q"):
            break
        if line == "help":
            print(HELP)
        elif line == "undo" and len(history) > 1:
            history.pop()
        elif word == "actions":
            _list(now, rest.strip())
        elif word == "save" and rest:
            Path(rest).write_text(now.record().to_json(), "utf-8")
        elif word == "why" and rest:
            _explain(now, rest)
        elif line:
            moved = _moved(now, line)
            history += [moved] if moved is not None else []
    return history[-1]


def _moved(state: State, line: str) -> State | None:
    actions = state.actions()
    if line.isdigit() and 0 < int(line) <= len(actions):
        return state.play(actions[int(line) - 1])
    near = [a for a in actions if str(a).startswith(line)]
    try:
        return state.play(near[0] if len(near) == 1 else line)
    except IllegalAction as error:
        print(error)
    except ChanceError as error:
        raise Usage(str(error)) from None
    return None


def _list(state: State, holding: str) -> None:
    listed = [(i, a) for i, a in enumerate(state.actions(), 1) if holding in str(a)]
    for i, action in listed[:MOST_LISTED]:
        print(f"{i:5}  {action}")
    if len(listed) > MOST_LISTED:
        print(f"       … {len(listed) - MOST_LISTED} more: `actions TEXT` lists those that hold TEXT")


def _explain(state: State, action: str) -> None:
    print("\n".join(map(str, state.why_not(action))) or f"`{action}` is legal")


def _drawn(state: State) -> str:
    if not state.game.core.diagram:
        return "\n".join(f"{name}: {value}" for name, value in state.seen_by(state.to_move).items())
    from ..book.diagram import text

    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    return text(state.game.core, state.values, colour)


def _outcome(state: State) -> dict[str, Any]:
    return {
        "over": state.is_over,
        "ended_by": state.ended_by,
        "scores": {str(k): v for k, v in state.scores.items()},
        "winners": [str(w) for w in state.winners],
        "titles": {str(k): v for k, v in state.titles.items()},
    }


def _ending(state: State) -> str:
    if not state.is_over:
        return "not over yet"
    words = [f"over: {state.fault or state.ended_by}"]
    words += [f"score of {player}: {score}" for player, score in state.scores.items()]
    words += [f"{player}: {title}" for player, title in state.titles.items()]
    winners = ", ".join(str(w) for w in state.winners)
    return "\n".join([*words, f"won by {winners}" if winners else "won by nobody"])


def replay(arguments: argparse.Namespace) -> int:
    """Play a record again; a record that the rules refuse fails."""
    from ..core.diagnostics import RulesetError

    record = read_record(Path(arguments.file).read_text("utf-8"), arguments.file)
    states: list[State] = []
    try:
        for state in replayed(record):
            states.append(state)
            if arguments.steps and not arguments.json:
                print(state.plays[-1] if state.plays else "start")
                print(_drawn(state))
    except RulesetError as error:
        if arguments.json:
            say(
                {
                    "legal": False,
                    "plies": max(0, len(states) - 1),
                    "diagnostics": [d.to_data() for d in error.diagnostics],
                }
            )
        else:
            print("\n".join(d.render() for d in error.diagnostics))
        return FAILED
    last = states[-1]
    if arguments.json:
        say({"legal": True, "plies": len(last.plays), **_outcome(last)})
    else:
        print(f"{len(last.plays)} plies, all legal")
        print(_ending(last))
    return HELD


def perft(arguments: argparse.Namespace) -> int:
    """Count the sequences of actions up to a depth."""
    from ..play.perft import perft as counted

    if not 0 < arguments.depth <= 64:
        raise Usage("a depth is a number from 1 to 64")
    game = load(arguments.name, **settings(arguments))
    counts = counted(game, arguments.depth, arguments.seed if arguments.seed is not None else 0)
    if arguments.json:
        say({"counts": {str(depth): count for depth, count in counts.items()}})
    else:
        for depth, count in counts.items():
            print(f"{depth:3}  {count:,}")
    return HELD


def why(arguments: argparse.Namespace) -> int:
    """Say why an action is refused."""
    if arguments.record:
        state = _state_of(arguments.record, arguments.ply)
    else:
        state = load(arguments.name, **settings(arguments)).start(seed=seed_of(arguments))
    refusals = state.why_not(arguments.action)
    if any(r.kind == "unknown" for r in refusals):
        raise Usage("\n".join(map(str, refusals)))
    if arguments.json:
        say({"action": arguments.action, "legal": not refusals, "refusals": [r.to_data() for r in refusals]})
    elif refusals:
        print("\n".join(map(str, refusals)))
    else:
        print(f"`{arguments.action}` is legal")
    return FAILED if refusals else HELD
