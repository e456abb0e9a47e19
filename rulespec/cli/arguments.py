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
    _value(p, "--players", "N", "number of players", type=whole(1, 16))
    _add_repeated(p, "--set", "NAME=VALUE", "give a parameter another value")
    _add_repeated(p, "--reading", "RULING=READING", "choose another reading")


def json(p: argparse.ArgumentParser) -> None:
    """Add `--json`."""
    _flag(p, "--json", "print the result as JSON")


def _seed(p: argparse.ArgumentParser) -> None:
    _value(p, "--seed", "S", "the seed for all chance (default: a random one, which is printed)", type=_text)


def _text(written: str) -> str:
    """An argument type for texts that refuses invalid bytes."""
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"`{written}` is no text in UTF-8") from None
    return written


def _timeout(p: argparse.ArgumentParser, usual: int | None = None, of: str = "the whole command") -> None:
    """Add `--timeout`, the seconds for a whole call, and `--memory`."""
    words = f"for {of} (default: {'no limit' if usual is None else usual})"
    _value(p, "--timeout", "SECONDS", words, type=seconds, default=usual)
    words = "for this process and its children together (default: 4000)"
    _value(p, "--memory", "MB", words, type=whole(50, 10**6), default=4000)


def _each(p: argparse.ArgumentParser, usual: int, of: str = "claim under each setting") -> None:
    """Add `--each`, the seconds for each of many questions."""
    words = f"for each {of} (default: {usual}, or no limit with --timeout)"
    _value(p, "--each", "SECONDS", words, type=seconds)


def _engine(p: argparse.ArgumentParser) -> None:
    words = "the engine for formulas (default: the best one installed)"
    p.add_argument("--engine", choices=("cadical", "z3"), help=words)


def _within(p: argparse.ArgumentParser) -> None:
    _value(
        p,
        "--within",
        "SECONDS",
        "for checking stored verdicts, first those that players read (default: 300 with --prove, else 10)",
        type=seconds,
    )


def _jobs(p: argparse.ArgumentParser, done: str, usual: str = "one for each core") -> None:
    _value(p, "--jobs", "N", f"how many {done} at once (default: {usual})", type=whole(1, 1024))


def _database(p: argparse.ArgumentParser, what: str) -> None:
    words = f"store the {what} in this SQLite file (default: one in the user's cache folder)"
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
    _value(
        p, "what", "WHAT", "rulesets, pages, or folders of them (default: all shipped rulesets)", nargs="*"
    )
    _flag(p, "--again", "also check shipped rulesets that have passed unchanged")
    _flag(p, "--deep", "also report idle parts of a ruleset")
    _flag(p, "--watch", "check again whenever a file is saved, until interrupted")
    _timeout(p)
    _each(p, 10, "part that random plays leave open")
    json(p)


TEMPLATES = ("board", "cards", "dice", "dominoes", "hidden", "puzzle", "simultaneous")
"""The kinds of games with a template: the files of the folder `templates`."""


def new(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `new`."""
    kinds = (*TEMPLATES, "variant")
    p.add_argument("kind", metavar="KIND", choices=kinds, help=f"the kind of game: {', '.join(kinds)}")
    _value(p, "file", "FILE", "the new file")
    _value(p, "--of", "GAME", "the game that a variant changes")


def fmt(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `fmt`."""
    _value(p, "names", "GAME", "the paths of files and folders, or shipped names", nargs="+")
    _flag(p, "--check", "only name the files that would change")


def explain(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `explain`."""
    _value(p, "code", "CODE", "the code of a message (default: list all codes)", nargs="?")


def show(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `show`."""
    _game(p)
    _value(p, "--rule", "ID", "only this rule")
    _flag(p, "--formal", "also print the formal text")
    _flag(p, "--code", "print the rules as code instead, with the clause of each part")
    json(p)


def play(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `play`."""
    _game(p, "?")
    _seed(p)
    _add_repeated(
        p,
        "--player",
        "[PLAYER=]WHO",
        "who plays: person, random, greedy, beginner, good, thorough, search or search:SECONDS for each "
        "action (search is search:2); without PLAYER, all players not named (default: person)",
    )
    _value(p, "--plies", "N", "if no person plays: stop after N actions", type=whole(0, 10**6))
    _value(p, "--record", "FILE", "write the record of the play to this file when it stops")
    _flag(p, "--full", "with --record: also write what is seen and legal at every ply")
    _value(p, "--resume", "FILE", "continue where this record ends")
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
    _value(p, "--seed", "S", "the seed for all chance (default: 0)", type=_text, default="0")
    _value(p, "--depth", "N", "how many plies", type=whole(1, 64), required=True)
    _timeout(p)
    json(p)


def _policies(p: argparse.ArgumentParser) -> None:
    _add_repeated(
        p,
        "--policy",
        "[PLAYER=]HOW",
        "how players choose: random, greedy, beginner, good, thorough, search or search:PLAYS tried for each "
        "action (search is search:100); without PLAYER, all players not named (default: random)",
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
    _flag(p, "--no-store", "store no games")
    _value(p, "--plot", "FILE", "draw the results as SVG")
    _add_repeated(p, "--record", "NUMBER=FILE", "write the record of the game with this number, from 0")
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
    _value(p, "--record", "FILE", "use the position at the end of this record")
    _value(p, "--ply", "N", "use the position after N plies of the record", type=whole(0, 10**6))
    _value(p, "--position", "NAME", "use this named position of the ruleset")
    _add_repeated(p, "--play", "ACTION", "then play this action, in notation (may be repeated)")


def prove(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `prove`."""
    _game(p)
    _value(p, "claims", "CLAIM", "the claims to decide (default: all)", nargs="*")
    which = p.add_mutually_exclusive_group()
    _flag(which, "--all-readings", "decide under every reading")
    _flag(which, "--default-only", "decide under the default readings only")
    _flag(p, "--no-store", "neither use nor store verdicts")
    _flag(p, "--steps", "print every play ply by ply, not only those of claims that fail")
    _flag(p, "--draw", "like --steps, with a drawing of every position")
    _flag(p, "--why", "print positions from which one ply breaks an induction")
    _value(p, "--record", "FILE", "write the first play that is evidence to this file")
    _flag(p, "--again", "decide again what is already stored")
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
    _value(p, "--deal", "FILE", "use the deal of this record")
    _value(p, "--goal", "CLAIM", "the claim to decide (default: the one meant for deals)")
    _flag(p, "--shortest", "look for a shortest play")
    _value(p, "--record", "FILE", "write the play found to this file")
    _timeout(p, 25, "the deal")
    _engine(p)
    json(p)


def hint(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `hint`."""
    _game(p, "?")
    _position(p)
    _value(p, "--goal", "CLAIM", "the claim to reach (default: the one meant for deals)")
    _flag(p, "--shortest", "look for a shortest play")
    _flag(p, "--brief", "give only the step; leave other actions undecided")
    _timeout(p, 25, "the hint")
    _engine(p)
    json(p)


def survey(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `survey`."""
    _game(p)
    _value(p, "--claim", "CLAIM", "the claim to decide (default: the one meant for deals)")
    _value(p, "--deals", "N", "how many deals, by seeds (default: 100)", type=whole(1, 10**9))
    _value(p, "--from", "SEED", "the first seed (default: 0)", type=whole(0, 10**18), dest="first")
    _add_repeated(p, "--deal", "FILE", "use the deal of this record instead of seeds")
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
        "try at most this many deals (default: 1000 for each puzzle)",
        type=whole(1, 10**9),
    )
    _value(p, "--goal", "CLAIM", "the claim to reach (default: the one meant for deals)")
    _value(p, "--output", "FILE", "write the puzzles with their evidence to this file")
    _timeout(p)
    _each(p, 60, "deal")
    _engine(p)
    _jobs(p, "deals are decided")
    json(p)


def certify(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `certify`."""
    _value(p, "names", "GAME", "games whose stored verdicts to certify (default: all shipped)", nargs="*")
    _flag(p, "--again", "make new proofs even if there are some")
    _timeout(p)
    _each(p, 300, "verdict")
    _engine(p)
    json(p)


def recheck(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `recheck`."""
    words = "games whose verdicts to check, or the database of a survey (default: all shipped)"
    _value(p, "names", "GAME", words, nargs="*")
    _value(p, "--sample", "N", "for a survey: check only N deals, chosen at random", type=whole(1, 10**9))
    _flag(p, "--again", "also check what has a stamp (implied by --engine, --with and --export)")
    p.add_argument(
        "--with",
        dest="second",
        choices=("bitwuzla", "cvc5", "z3"),
        help="let a second solver confirm each refutation, from its text in SMT-LIB",
    )
    _value(p, "--export", "FOLDER", "write each refutation to it: SMT-LIB, clauses (DIMACS), proof (LRAT)")
    _timeout(p)
    _each(p, 60, "verdict")
    _engine(p)
    _jobs(p, "verdicts are rechecked")
    json(p)


def diff(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `diff`."""
    _value(p, "name", "GAME", "a shipped name (see `rulespec list`) or the path of a file")
    _value(p, "other", "OTHER", "the other game (default: GAME under the given settings)", nargs="?")
    _value(p, "--since", "REVISION", "compare GAME with itself at this revision of its git repository")
    _value(p, "--players", "N", "number of players in both", type=whole(1, 16))
    _add_repeated(p, "--set", "NAME=VALUE", "give a parameter of OTHER a value")
    _add_repeated(p, "--reading", "RULING=READING", "choose a reading in OTHER")
    _flag(p, "--prove", "decide whether both are the same game")
    _value(p, "--record", "FILE", "with --prove: write a play that leads to a difference")
    _value(
        p,
        "--simulate",
        "N",
        "play N games of each, and compare the statistics",
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
    _flag(p, "--no-claims", "run the examples only")
    _timeout(p)
    _value(
        p,
        "--each",
        "SECONDS",
        "for each claim on each break; claims that took longer to decide are skipped (default: 5)",
        type=seconds,
        default=5.0,
    )
    _flag(p, "--all", "also list the breaks that were noticed")
    _jobs(p, "breaks are tried")
    json(p)


def book(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `book`."""
    _value(p, "new", "new DIR", "write a project with a first game into a new folder", nargs="*")
    _flag(p, "--prove", "decide claims without a verdict, recheck all other verdicts")
    _value(p, "--config", "FILE", "the configuration (default: mkdocs.yml)", default="mkdocs.yml")
    _value(p, "--out", "FOLDER", "the folder for the site (default: as configured)")
    _value(
        p,
        "--pdf",
        "GAME",
        "print the rulebooks of these games, or of all but variants, as PDFs beside their pages",
        nargs="*",
    )
    _flag(p, "--no-player", "make pages without playable games")
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
    _value(p, "--document", "FILE", "compare this document with its map")
    _flag(p, "--draft", "first create the map or bring it up to date")
    _flag(p, "--where", "show the words of the rulebook that express each sentence")
    json(p)


def schema(p: argparse.ArgumentParser) -> None:
    """Add the arguments of `schema`."""
    _value(p, "of", "COMMAND", "the command or schema (default: list all)", nargs="?")
