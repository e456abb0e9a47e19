"""The commands and their arguments, and what becomes of every error."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from .status import HELD, INTERRUPTED, WRONG

Arguments = argparse.Namespace
Adder = Callable[[argparse.ArgumentParser], None]


def _game(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "name", metavar="GAME", help="a shipped name (see `rulespec list`) or the path of a YAML file"
    )
    p.add_argument("--players", type=int, metavar="N", help="how many play")
    p.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="give a parameter a value"
    )
    p.add_argument(
        "--reading", action="append", default=[], metavar="RULING=READING", help="choose a reading"
    )


def _json(p: argparse.ArgumentParser) -> None:
    p.add_argument("--json", action="store_true", help="print the result as JSON")


def _seed(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--seed", metavar="S", help="what chance is drawn from; without it one is drawn and printed"
    )


def _budget(p: argparse.ArgumentParser, seconds: int = 60) -> None:
    p.add_argument(
        "--timeout",
        type=float,
        default=float(seconds),
        metavar="SECONDS",
        help=f"for each claim (default: {seconds})",
    )
    p.add_argument("--memory", type=int, default=4000, metavar="MB", help="for each claim (default: 4000)")
    p.add_argument("--engine", choices=("cadical", "z3"), help="which engine (default: the best installed)")


def _list(p: argparse.ArgumentParser) -> None:
    _json(p)


def _check(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "what", nargs="*", metavar="WHAT", help="rulesets, or pages and folders of pages (default: all)"
    )
    _json(p)


def _show(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("--rule", metavar="ID", help="only this rule")
    p.add_argument("--formal", action="store_true", help="with the formal text")
    _json(p)


def _play(p: argparse.ArgumentParser) -> None:
    _game(p)
    _seed(p)
    p.add_argument("--random", action="store_true", help="let chance play, to the end")
    p.add_argument("--record", metavar="FILE", help="write the record of the play here")
    p.add_argument("--resume", metavar="FILE", help="go on from this record")
    _json(p)


def _replay(p: argparse.ArgumentParser) -> None:
    p.add_argument("file", metavar="FILE", help="a record")
    p.add_argument("--steps", action="store_true", help="draw every position")
    _json(p)


def _perft(p: argparse.ArgumentParser) -> None:
    _game(p)
    _seed(p)
    p.add_argument("--depth", type=int, required=True, metavar="N", help="how many plies")
    _json(p)


def _why(p: argparse.ArgumentParser) -> None:
    _game(p)
    _seed(p)
    p.add_argument("action", metavar="ACTION", help="an action in notation")
    p.add_argument("--record", metavar="FILE", help="in the position where this record ends")
    p.add_argument("--ply", type=int, metavar="N", help="after N plies of the record")
    _json(p)


def _prove(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("claims", nargs="*", metavar="CLAIM", help="which claims (default: all)")
    p.add_argument("--all-readings", action="store_true", help="ask under every reading")
    p.add_argument("--no-store", action="store_true", help="leave the stored verdicts alone")
    p.add_argument("--again", action="store_true", help="decide anew what is stored already")
    _budget(p)
    _json(p)


def _solve(p: argparse.ArgumentParser) -> None:
    _game(p)
    _seed(p)
    p.add_argument("--deal", metavar="RECORD", help="the deal of this record")
    p.add_argument("--goal", metavar="CLAIM", help="the claim to settle (default: the one asked of a deal)")
    p.add_argument("--record", metavar="FILE", help="write the play that was found here")
    _budget(p, seconds=25)
    _json(p)


def _recheck(p: argparse.ArgumentParser) -> None:
    p.add_argument("names", nargs="*", metavar="GAME", help="whose stored verdicts (default: all shipped)")
    _budget(p)
    _json(p)


def _book(p: argparse.ArgumentParser) -> None:
    p.add_argument("--prove", action="store_true", help="decide what has no verdict yet, recheck what has")
    p.add_argument("--config", default="mkdocs.yml", metavar="FILE", help="the site's mkdocs configuration")
    p.add_argument("--out", metavar="FOLDER", help="where the site goes")
    _budget(p)
    _json(p)


COMMANDS: dict[str, tuple[str, str, Adder]] = {
    "list": ("texts", "name the shipped rulesets", _list),
    "check": ("texts", "read rulesets or pages, run their examples, name every fault", _check),
    "show": ("texts", "print the rules", _show),
    "play": ("playing", "play in the terminal", _play),
    "replay": ("playing", "play a record again", _replay),
    "perft": ("playing", "count the sequences of actions up to a depth", _perft),
    "why": ("playing", "say why an action is refused", _why),
    "prove": ("proving", "decide claims", _prove),
    "solve": ("proving", "settle one deal: the best that can be reached", _solve),
    "recheck": ("proving", "go through stored evidence again", _recheck),
    "book": ("publishing", "build the rulebook", _book),
}


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    from .. import __version__

    top = argparse.ArgumentParser(
        prog="rulespec",
        description="Rules of games as data: check them, play them, prove things about them, publish them.",
        epilog="exit status: 0 all held; 1 a claim refuted, an example failed, a record illegal; "
        "2 wrong input or usage; 3 undecided",
    )
    top.add_argument("--version", action="version", version=f"rulespec {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, help, add) in COMMANDS.items():
        add(commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + "."))
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    try:
        arguments = parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or HELD)
    try:
        module = import_module(f".{COMMANDS[arguments.command][0]}", __package__)
        return int(getattr(module, arguments.command)(arguments))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return HELD
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        print(told, file=sys.stderr)
        return WRONG


def _told(error: Exception) -> str | None:
    """What to say about an error that is the user's to mend; None for a defect of ours."""
    from ..core.diagnostics import RulesetError
    from ..core.verdicts import StoreError
    from .status import Usage

    if isinstance(error, RulesetError):
        return "\n".join(d.render() for d in error.diagnostics)
    if isinstance(error, Usage | StoreError):
        return f"rulespec: {error}"
    if isinstance(error, OSError):
        return f"rulespec: {error.filename or 'file'}: {error.strerror}"
    if isinstance(error, ModuleNotFoundError) and error.name in (
        "z3",
        "pysat",
        "mkdocs",
        "markdown",
        "pygments",
    ):
        extra = "book" if error.name in ("mkdocs", "markdown", "pygments") else "prove"
        return f"rulespec: {error.name} is not installed: install rulespec[{extra}]"
    return None
