"""The arguments of each command."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any


def whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers between two bounds."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from {low} to {high}")
        return number

    return read


def seconds(text: str) -> float:
    """Read a number of seconds above zero."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds above 0")
    return number


def _flag(p: argparse._ActionsContainer, name: str, text: str) -> None:
    """Add an option without a value."""
    p.add_argument(name, action="store_true", help=text)


def _add_repeated(p: argparse.ArgumentParser, name: str, metavar: str, text: str) -> None:
    """Add an option that may be given several times."""
    p.add_argument(name, action="append", default=[], metavar=metavar, help=text)


def _value(p: argparse.ArgumentParser, name: str, metavar: str, text: str, **more: Any) -> None:
    """Add an option, or a positional argument, with a value."""
    p.add_argument(name, metavar=metavar, help=text, **more)


def _game(p: argparse.ArgumentParser, many: str | None = None) -> None:
    _value(p, "name", "GAME", "a shipped name (see `rulespec list`) or the path of a file", nargs=many)
    _value(p, "--players", "N", "how many play", type=whole(1, 16))
    _add_repeated(p, "--set", "NAME=VALUE", "give a parameter another value")
    _add_repeated(p, "--reading", "RULING=READING", "choose another reading")


def json(p: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    _flag(p, "--json", "print the result as JSON")


def _seed(p: argparse.ArgumentParser) -> None:
    _value(p, "--seed", "S", "the seed of all chance (default: one is drawn and printed)", type=_text)


def _text(written: str) -> str:
    """An argument type for texts that refuses invalid bytes."""
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"`{written}` is no text in UTF-8") from None
    return written


def _timeout(p: argparse.ArgumentParser, usual: int | None = None, of: str = "all together") -> None:
    """Add `--timeout`, the seconds for a whole call, and `--memory`."""
    words = f"for {of} (default: {'no limit' if usual is None else usual})"
    _value(p, "--timeout", "SECONDS", words, type=seconds, default=usual)
    words = "for this process and its children together (default: 4000)"
    _value(p, "--memory", "MB", words, type=whole(50, 10**6), default=4000)


def _each(p: argparse.ArgumentParser, usual: int, of: str = "claim under each setting") -> None:
    """Add `--each`, the seconds for each of many questions."""
    words = f"for each {of} (default: {usual}, and no limit of its own with --timeout)"
    _value(p, "--each", "SECONDS", words, type=seconds)


def _engine(p: argparse.ArgumentParser) -> None:
    p.add_argument("--engine", choices=("cadical", "z3"), help="which engine (default: the best installed)")


def _within(p: argparse.ArgumentParser) -> None:
    _value(
        p,
        "--within",
        "SECONDS",
        "for checking stored verdicts, those on the pages of players first (default: 300 with --prove, "
        "else 10)",
        type=seconds,
    )


def _jobs(p: argparse.ArgumentParser, done: str, usual: str = "one for each core") -> None:
    _value(p, "--jobs", "N", f"how many {done} at once (default: {usual})", type=whole(1, 1024))


def _database(p: argparse.ArgumentParser, what: str) -> None:
    words = f"keep the {what} in this SQLite file (default: one of the user's cache folder)"
    _value(p, "--database", "FILE", words)


def _on(p: argparse.ArgumentParser) -> None:
    _value(
        p,
        "--on",
        "CLUSTER",
        "where the work is done: dask://HOST:PORT for a Dask cluster, or dask+tls://HOST:PORT (default: "
        "this machine)",
    )


def check(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `check`."""
    _value(p, "what", "WHAT", "rulesets, pages, and folders of both (default: all shipped)", nargs="*")
    _flag(p, "--again", "check shipped rulesets that passed as they are, too")
    _flag(p, "--deep", "also report what is idle in a ruleset")
    _flag(p, "--watch", "check again whenever a file is saved, until interrupted")
    _timeout(p)
    _each(p, 10, "part that random plays leave open")
    json(p)


TEMPLATES = ("board", "cards", "dice", "dominoes", "hidden", "puzzle", "simultaneous")
"""The kinds of games with a template: the files of the folder `templates`."""


def new(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `new`."""
    kinds = (*TEMPLATES, "variant")
    p.add_argument("kind", metavar="KIND", choices=kinds, help=f"what it is about: {', '.join(kinds)}")
    _value(p, "file", "FILE", "the new file")
    _value(p, "--of", "GAME", "the game that a variant changes")


def fmt(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `fmt`."""
    _value(p, "names", "GAME", "the paths of files, or shipped names", nargs="+")
    _flag(p, "--check", "only name the files that would change")


def explain(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    _value(p, "code", "CODE", "the code of a message (default: name all)", nargs="?")


def show(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    _game(p)
    _value(p, "--rule", "ID", "only this rule")
    _flag(p, "--formal", "with the formal text")
    _flag(p, "--code", "the rules as code instead of the rulebook, with the clause of each part")
    json(p)


def play(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `play`."""
    _game(p, "?")
    _seed(p)
    _add_repeated(
        p,
        "--player",
        "[PLAYER=]WHO",
        "who plays: person, random, greedy, beginner, good, thorough, search or search:SECONDS for an action "
        "(default: search:2); "
        "without PLAYER, everybody not named otherwise (default: person)",
    )
    _value(p, "--plies", "N", "where no person plays: stop after N actions", type=whole(0, 10**6))
    _value(p, "--record", "FILE", "write the record of the play to this file when it stops")
    _flag(p, "--full", "with --record: say of every ply what is seen and what is legal")
    _value(p, "--resume", "FILE", "go on where this record ends")
    json(p)


def replay(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `replay`."""
    _value(p, "file", "FILE", "a record")
    _value(p, "--ruleset", "GAME", "a shipped name or the path of a file (default: as the record says)")
    _flag(p, "--steps", "draw every position")
    json(p)


def perft(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `perft`."""
    _game(p)
    _value(p, "--seed", "S", "what chance is drawn from (default: 0)", type=_text, default="0")
    _value(p, "--depth", "N", "how many plies", type=whole(1, 64), required=True)
    _timeout(p)
    json(p)


def _policies(p: argparse.ArgumentParser) -> None:
    _add_repeated(
        p,
        "--policy",
        "[PLAYER=]HOW",
        "how players choose: random, greedy, beginner, good, thorough, search or search:PLAYS tried for an "
        "action (default: 100); "
        "without PLAYER, everybody not named otherwise (default: random)",
    )


def simulate(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `simulate`."""
    _game(p)
    _value(p, "--games", "N", "how many games (default: 1000)", type=whole(1, 10**10), default=1000)
    _policies(p)
    _seed(p)
    _value(
        p, "--plies", "N", "stop a game after N actions (default: 10000)", type=whole(1, 10**9), default=10000
    )
    _timeout(p)
    _jobs(p, "games are played")
    _on(p)
    _database(p, "games")
    _flag(p, "--no-store", "keep no games")
    _value(p, "--plot", "FILE", "draw what was found, as SVG")
    _add_repeated(p, "--record", "NUMBER=FILE", "write the record of this game, counted from 0")
    json(p)


def why(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `why`."""
    _game(p, "?")
    _value(p, "action", "ACTION", "an action in notation, in quotes")
    _position(p)
    json(p)


def _position(p: argparse.ArgumentParser) -> None:
    """Add the options that determine a position; `playing.position_of` reads them."""
    _seed(p)
    _value(p, "--record", "FILE", "in the position where this record ends")
    _value(p, "--ply", "N", "after N plies of the record", type=whole(0, 10**6))
    _value(p, "--position", "NAME", "in this named position of the ruleset")
    _add_repeated(p, "--play", "ACTION", "after this action from there, in notation (may be repeated)")


def prove(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `prove`."""
    _game(p)
    _value(p, "claims", "CLAIM", "which claims (default: all)", nargs="*")
    which = p.add_mutually_exclusive_group()
    _flag(which, "--all-readings", "ask under every reading")
    _flag(which, "--default-only", "ask under the usual readings only")
    _flag(p, "--no-store", "leave the stored verdicts alone")
    _flag(p, "--steps", "print every play ply by ply, not only those of claims that fail")
    _flag(p, "--draw", "the same, with a drawing of every position")
    _flag(p, "--why", "print positions from which one ply breaks an induction")
    _value(p, "--record", "FILE", "write the first play that is evidence to this file")
    _flag(p, "--again", "decide anew what is stored already")
    _timeout(p)
    _each(p, 60)
    _engine(p)
    _jobs(p, "deals or readings of a claim are decided", "1")
    _on(p)
    json(p)


def solve(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `solve`."""
    _game(p)
    _seed(p)
    _value(p, "--deal", "FILE", "the deal of this record")
    _value(p, "--goal", "CLAIM", "the claim to settle (default: the one asked of a deal)")
    _flag(p, "--shortest", "look for a shortest play")
    _value(p, "--record", "FILE", "write the play that was found to this file")
    _timeout(p, 25, "the deal")
    _engine(p)
    json(p)


def hint(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `hint`."""
    _game(p, "?")
    _position(p)
    _value(p, "--goal", "CLAIM", "the claim to reach (default: the one asked of a deal)")
    _flag(p, "--shortest", "look for a shortest play")
    _flag(p, "--brief", "only the step: leave the other actions undecided")
    _timeout(p, 25, "the hint")
    _engine(p)
    json(p)


def survey(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `survey`."""
    _game(p)
    _value(p, "--claim", "CLAIM", "the claim to ask (default: the one asked of a deal)")
    _value(p, "--deals", "N", "how many deals, by seeds (default: 100)", type=whole(1, 10**9))
    _value(p, "--from", "SEED", "the first seed (default: 0)", type=whole(0, 10**18), dest="first")
    _add_repeated(p, "--deal", "FILE", "the deal of this record, in place of seeds")
    _timeout(p)
    _each(p, 60, "deal")
    _engine(p)
    _jobs(p, "deals are decided")
    _on(p)
    _database(p, "answers")
    json(p)


def generate(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `generate`."""
    _game(p)
    _add_repeated(p, "--want", "CRITERION", "a measure or a claim and a number, such as work>=1000")
    _value(p, "--number", "N", "how many puzzles (default: 10)", type=whole(1, 100_000), default=10)
    _value(p, "--seed", "S", "the first seed of deals (default: 0)", type=whole(0, 10**18), default=0)
    _value(
        p,
        "--most",
        "DEALS",
        "ask so many deals at most (default: 1000 for each puzzle)",
        type=whole(1, 10**9),
    )
    _value(p, "--goal", "CLAIM", "the claim to reach (default: the one asked of a deal)")
    _value(p, "--output", "FILE", "write the puzzles with their evidence to this file")
    _timeout(p)
    _each(p, 60, "deal")
    _engine(p)
    _jobs(p, "deals are decided")
    json(p)


def certify(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `certify`."""
    _value(p, "names", "GAME", "whose stored verdicts (default: all shipped)", nargs="*")
    _flag(p, "--again", "make proofs anew, also where there are some")
    _timeout(p)
    _each(p, 300, "verdict")
    _engine(p)
    json(p)


def recheck(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `recheck`."""
    words = "whose stored verdicts, or the database of a survey (default: all shipped)"
    _value(p, "names", "GAME", words, nargs="*")
    _value(p, "--sample", "N", "of a survey: only N deals, drawn by chance", type=whole(1, 10**9))
    _flag(p, "--again", "check anew what has a stamp, too, as do --engine, --with and --export")
    p.add_argument(
        "--with",
        dest="second",
        choices=("bitwuzla", "cvc5", "z3"),
        help="let a second solver confirm each refutation, from its text in SMT-LIB",
    )
    _value(p, "--export", "FOLDER", "write each refutation there: SMT-LIB, clauses (DIMACS), proof (LRAT)")
    _timeout(p)
    _each(p, 60, "verdict")
    _engine(p)
    _jobs(p, "verdicts are rechecked")
    json(p)


def diff(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    _value(p, "name", "GAME", "a shipped name (see `rulespec list`) or the path of a file")
    _value(p, "other", "OTHER", "the other one (default: GAME under the settings here)", nargs="?")
    _value(p, "--since", "REVISION", "compare GAME with what it was in this revision of its git repository")
    _value(p, "--players", "N", "how many play, in both", type=whole(1, 16))
    _add_repeated(p, "--set", "NAME=VALUE", "give a parameter of OTHER a value")
    _add_repeated(p, "--reading", "RULING=READING", "choose a reading in OTHER")
    _flag(p, "--prove", "decide whether both are the same game")
    _value(p, "--record", "FILE", "with --prove: write a play to a difference here")
    _value(
        p,
        "--simulate",
        "N",
        "play N games of each, and compare how they go",
        type=whole(1, 10**10),
        dest="games",
    )
    _policies(p)
    _seed(p)
    _timeout(p, 60, "the question")
    _engine(p)
    json(p)


def mutate(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `mutate`."""
    _value(p, "name", "GAME", "a shipped name (see `rulespec list`) or the path of a file")
    _add_repeated(p, "--rule", "RULE", "break only this rule (may be repeated)")
    _flag(p, "--no-claims", "ask the examples only")
    _timeout(p)
    _value(
        p,
        "--each",
        "SECONDS",
        "for each claim on each break; claims that took longer to decide are not asked (default: 5)",
        type=seconds,
        default=5.0,
    )
    _flag(p, "--all", "list what was noticed too")
    _jobs(p, "breaks are tried")
    json(p)


def book(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `book`."""
    _value(p, "new", "new DIR", "write a project with a game of its own into a new folder", nargs="*")
    _flag(p, "--prove", "decide claims without a verdict, recheck all other verdicts")
    _value(p, "--config", "FILE", "the configuration (default: mkdocs.yml)", default="mkdocs.yml")
    _value(p, "--out", "FOLDER", "where the site goes (default: as configured)")
    _value(
        p,
        "--pdf",
        "GAME",
        "print the rulebooks of these games, or of all that are no variants, as PDFs beside their pages",
        nargs="*",
    )
    _flag(p, "--no-player", "make pages on which no game can be played")
    p.add_argument("--paper", choices=("a4", "a5", "letter"), default="a4", help="for --pdf (default: a4)")
    _flag(p, "--appendix", "for --pdf: add the exact text, settings, claims and verdicts")
    _timeout(p, None, "deciding")
    _each(p, 60)
    _engine(p)
    _jobs(p, "verdicts are rechecked")
    _within(p)
    json(p)


def coverage(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `coverage`."""
    _value(p, "name", "GAME", "a shipped name (see `rulespec list`) or the path of a file")
    _value(p, "--document", "FILE", "the document, to be compared with its map")
    _flag(p, "--draft", "first begin the map, or bring it up to date")
    _flag(p, "--where", "show for each sentence the words of the rulebook that tell it")
    json(p)


def schema(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `schema`."""
    _value(p, "of", "COMMAND", "whose schema (default: name all)", nargs="?")
