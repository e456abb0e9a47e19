"""The arguments of each command."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable


def whole(low: int, high: int) -> Callable[[str], int]:
    """Reads a whole number between two."""

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
    """Reads a number of seconds above zero."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds above 0")
    return number


def _game(p: argparse.ArgumentParser, many: str | None = None) -> None:
    p.add_argument(
        "name", metavar="GAME", nargs=many, help="a shipped name (see `rulespec list`) or the path of a file"
    )
    p.add_argument("--players", type=whole(1, 16), metavar="N", help="how many play")
    p.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="give a parameter another value"
    )
    p.add_argument(
        "--reading", action="append", default=[], metavar="RULING=READING", help="choose another reading"
    )


def json(p: argparse.ArgumentParser) -> None:
    p.add_argument("--json", action="store_true", help="print the result as JSON")


def _seed(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--seed", type=_text, metavar="S", help="the seed of all chance (default: one is drawn and printed)"
    )


def _text(written: str) -> str:
    """A type of argument: a text, and not bytes that are none."""
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError(f"`{written}` is no text in UTF-8") from None
    return written


def _timeout(p: argparse.ArgumentParser, usual: int | None = None, of: str = "all together") -> None:
    """`--timeout`, the seconds for a whole call, and `--memory`."""
    p.add_argument(
        "--timeout",
        type=seconds,
        default=usual,
        metavar="SECONDS",
        help=f"for {of} (default: {'no limit' if usual is None else usual})",
    )
    p.add_argument(
        "--memory",
        type=whole(50, 10**6),
        default=4000,
        metavar="MB",
        help="for this process and its children together (default: 4000)",
    )


def _each(p: argparse.ArgumentParser, usual: int, of: str = "claim under each setting") -> None:
    """`--each`, the seconds for each of many questions."""
    p.add_argument(
        "--each",
        type=seconds,
        metavar="SECONDS",
        help=f"for each {of} (default: {usual}, and no limit of its own with --timeout)",
    )


def _engine(p: argparse.ArgumentParser) -> None:
    p.add_argument("--engine", choices=("cadical", "z3"), help="which engine (default: the best installed)")


def _within(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--within",
        type=seconds,
        metavar="SECONDS",
        help="for checking stored verdicts, those on the pages of players first (default: 300 with --prove, "
        "else 10)",
    )


def _jobs(p: argparse.ArgumentParser, done: str = "verdicts are rechecked") -> None:
    p.add_argument(
        "--jobs",
        type=whole(1, 1024),
        metavar="N",
        help=f"how many {done} at once (default: one for each core)",
    )


def _on(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "--on",
        metavar="CLUSTER",
        help="where the work is done: dask://HOST:PORT for a Dask cluster, or dask+tls://HOST:PORT "
        "(default: this machine)",
    )


def check(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "what",
        nargs="*",
        metavar="WHAT",
        help="rulesets, pages, and folders of both (default: all shipped)",
    )
    p.add_argument("--again", action="store_true", help="check shipped rulesets that passed as they are, too")
    p.add_argument("--deep", action="store_true", help="also report what is idle in a ruleset")
    _timeout(p)
    _each(p, 10, "part that random plays leave open")
    json(p)


def show(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("--rule", metavar="ID", help="only this rule")
    p.add_argument("--formal", action="store_true", help="with the formal text")
    p.add_argument(
        "--code",
        action="store_true",
        help="the rules as code instead of the rulebook, with the clause of each part",
    )
    json(p)


def play(p: argparse.ArgumentParser) -> None:
    _game(p, "?")
    _seed(p)
    p.add_argument(
        "--player",
        action="append",
        default=[],
        metavar="[PLAYER=]WHO",
        help="who plays: person, random, greedy, search or search:SECONDS for an action (default: search:2); "
        "without PLAYER, everybody not named otherwise (default: person)",
    )
    p.add_argument(
        "--plies", type=whole(0, 10**6), metavar="N", help="where no person plays: stop after N actions"
    )
    p.add_argument("--record", metavar="FILE", help="write the record of the play to this file when it stops")
    p.add_argument(
        "--full", action="store_true", help="with --record: say of every ply what is seen and what is legal"
    )
    p.add_argument("--resume", metavar="FILE", help="go on where this record ends")
    json(p)


def replay(p: argparse.ArgumentParser) -> None:
    p.add_argument("file", metavar="FILE", help="a record")
    p.add_argument(
        "--ruleset", metavar="GAME", help="a shipped name or the path of a file (default: as the record says)"
    )
    p.add_argument("--steps", action="store_true", help="draw every position")
    json(p)


def perft(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument(
        "--seed", type=_text, default="0", metavar="S", help="what chance is drawn from (default: 0)"
    )
    p.add_argument("--depth", type=whole(1, 64), required=True, metavar="N", help="how many plies")
    _timeout(p)
    json(p)


def simulate(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument(
        "--games", type=whole(1, 10**10), default=1000, metavar="N", help="how many games (default: 1000)"
    )
    p.add_argument(
        "--policy",
        action="append",
        default=[],
        metavar="[PLAYER=]HOW",
        help="how players choose: random, greedy, search or search:PLAYS tried for an action (default: 100); "
        "without PLAYER, everybody not named otherwise (default: random)",
    )
    _seed(p)
    p.add_argument(
        "--plies",
        type=whole(1, 10**9),
        default=10_000,
        metavar="N",
        help="stop a game after N actions (default: 10000)",
    )
    _timeout(p)
    _jobs(p, "games are played")
    _on(p)
    p.add_argument(
        "--database",
        metavar="FILE",
        help="keep the games in this SQLite file (default: one of the user's cache folder)",
    )
    p.add_argument("--no-store", action="store_true", help="keep no games")
    p.add_argument("--plot", metavar="FILE", help="draw what was found, as SVG")
    p.add_argument(
        "--record",
        action="append",
        default=[],
        metavar="NUMBER=FILE",
        help="write the record of this game, counted from 0",
    )
    json(p)


def why(p: argparse.ArgumentParser) -> None:
    _game(p, "?")
    p.add_argument("action", metavar="ACTION", help="an action in notation, in quotes")
    _seed(p)
    p.add_argument("--record", metavar="FILE", help="in the position where this record ends")
    p.add_argument("--ply", type=whole(0, 10**6), metavar="N", help="after N plies of the record")
    json(p)


def prove(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("claims", nargs="*", metavar="CLAIM", help="which claims (default: all)")
    which = p.add_mutually_exclusive_group()
    which.add_argument("--all-readings", action="store_true", help="ask under every reading")
    which.add_argument("--default-only", action="store_true", help="ask under the usual readings only")
    p.add_argument("--no-store", action="store_true", help="leave the stored verdicts alone")
    p.add_argument(
        "--steps", action="store_true", help="print every play ply by ply, not only those of claims that fail"
    )
    p.add_argument("--draw", action="store_true", help="the same, with a drawing of every position")
    p.add_argument(
        "--why",
        action="store_true",
        help="print positions from which one ply breaks an induction",
    )
    p.add_argument("--record", metavar="FILE", help="write the first play that is evidence to this file")
    p.add_argument("--again", action="store_true", help="decide anew what is stored already")
    _timeout(p)
    _each(p, 60)
    _engine(p)
    p.add_argument(
        "--jobs",
        type=whole(1, 1024),
        metavar="N",
        help="how many deals or readings of a claim are decided at once (default: 1)",
    )
    _on(p)
    json(p)


def solve(p: argparse.ArgumentParser) -> None:
    _game(p)
    _seed(p)
    p.add_argument("--deal", metavar="FILE", help="the deal of this record")
    p.add_argument("--goal", metavar="CLAIM", help="the claim to settle (default: the one asked of a deal)")
    p.add_argument("--shortest", action="store_true", help="look for a shortest play")
    p.add_argument("--record", metavar="FILE", help="write the play that was found to this file")
    _timeout(p, 25, "the deal")
    _engine(p)
    json(p)


def survey(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("--claim", metavar="CLAIM", help="the claim to ask (default: the one asked of a deal)")
    p.add_argument(
        "--deals", type=whole(1, 10**9), metavar="N", help="how many deals, by seeds (default: 100)"
    )
    p.add_argument(
        "--from", type=whole(0, 10**18), dest="first", metavar="SEED", help="the first seed (default: 0)"
    )
    p.add_argument(
        "--deal",
        action="append",
        default=[],
        metavar="FILE",
        help="the deal of this record, in place of seeds",
    )
    _timeout(p)
    _each(p, 60, "deal")
    _engine(p)
    _jobs(p, "deals are decided")
    _on(p)
    p.add_argument(
        "--database",
        metavar="FILE",
        help="keep the answers in this SQLite file (default: one of the user's cache folder)",
    )
    json(p)


def certify(p: argparse.ArgumentParser) -> None:
    p.add_argument("names", nargs="*", metavar="GAME", help="whose stored verdicts (default: all shipped)")
    p.add_argument("--again", action="store_true", help="make proofs anew, also where there are some")
    _timeout(p)
    _each(p, 300, "verdict")
    _engine(p)
    json(p)


def recheck(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "names",
        nargs="*",
        metavar="GAME",
        help="whose stored verdicts, or the database of a survey (default: all shipped)",
    )
    p.add_argument(
        "--sample", type=whole(1, 10**9), metavar="N", help="of a survey: only N deals, drawn by chance"
    )
    p.add_argument(
        "--again",
        action="store_true",
        help="check anew what has a stamp, too, as do --engine, --with and --export",
    )
    p.add_argument(
        "--with",
        dest="second",
        choices=("bitwuzla", "cvc5", "z3"),
        help="let a second solver confirm each refutation, from its text in SMT-LIB",
    )
    p.add_argument(
        "--export",
        metavar="FOLDER",
        help="write each refutation there: SMT-LIB, clauses (DIMACS), proof (LRAT)",
    )
    _timeout(p)
    _each(p, 60, "verdict")
    _engine(p)
    _jobs(p)
    json(p)


def diff(p: argparse.ArgumentParser) -> None:
    p.add_argument("name", metavar="GAME", help="a shipped name (see `rulespec list`) or the path of a file")
    p.add_argument(
        "other", metavar="OTHER", nargs="?", help="the other one (default: GAME under the settings here)"
    )
    p.add_argument("--players", type=whole(1, 16), metavar="N", help="how many play, in both")
    p.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="give a parameter of OTHER a value"
    )
    p.add_argument(
        "--reading", action="append", default=[], metavar="RULING=READING", help="choose a reading in OTHER"
    )
    p.add_argument("--prove", action="store_true", help="decide whether both are the same game")
    p.add_argument("--record", metavar="FILE", help="with --prove: write a play to a difference here")
    _timeout(p, 60, "the question")
    _engine(p)
    json(p)


def mutate(p: argparse.ArgumentParser) -> None:
    p.add_argument("name", metavar="GAME", help="a shipped name (see `rulespec list`) or the path of a file")
    p.add_argument(
        "--rule", action="append", default=[], metavar="RULE", help="break only this rule (may be repeated)"
    )
    p.add_argument("--no-claims", action="store_true", help="ask the examples only")
    _timeout(p)
    p.add_argument(
        "--each",
        type=seconds,
        default=5.0,
        metavar="SECONDS",
        help="for each claim on each break; claims that took longer to decide are not asked (default: 5)",
    )
    p.add_argument("--all", action="store_true", help="list what was noticed too")
    _jobs(p, "breaks are tried")
    json(p)


def book(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "new", nargs="*", metavar="new DIR", help="write a project with a game of its own into a new folder"
    )
    p.add_argument(
        "--prove", action="store_true", help="decide claims without a verdict, recheck all other verdicts"
    )
    p.add_argument(
        "--config", default="mkdocs.yml", metavar="FILE", help="the configuration (default: mkdocs.yml)"
    )
    p.add_argument("--out", metavar="FOLDER", help="where the site goes (default: as configured)")
    p.add_argument(
        "--pdf",
        nargs="*",
        metavar="GAME",
        help="print the rulebooks of these games, or of all that are no variants, as PDFs beside their pages",
    )
    p.add_argument("--no-player", action="store_true", help="make pages on which no game can be played")
    p.add_argument("--paper", choices=("a4", "a5", "letter"), default="a4", help="for --pdf (default: a4)")
    p.add_argument(
        "--appendix", action="store_true", help="for --pdf: add the exact text, settings, claims and verdicts"
    )
    _timeout(p, None, "deciding")
    _each(p, 60)
    _engine(p)
    _jobs(p)
    _within(p)
    json(p)


def coverage(p: argparse.ArgumentParser) -> None:
    p.add_argument("name", metavar="GAME", help="a shipped name (see `rulespec list`) or the path of a file")
    p.add_argument("--document", metavar="FILE", help="the document, to be compared with its map")
    p.add_argument("--draft", action="store_true", help="first begin the map, or bring it up to date")
    p.add_argument(
        "--where", action="store_true", help="show for each sentence the words of the rulebook that tell it"
    )
    json(p)


def schema(p: argparse.ArgumentParser) -> None:
    p.add_argument("of", nargs="?", metavar="COMMAND", help="whose schema (default: name all)")
