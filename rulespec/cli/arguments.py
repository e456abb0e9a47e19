"""What every command takes, and the words with which `--help` teaches it."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from dataclasses import dataclass

Adder = Callable[[argparse.ArgumentParser], None]


@dataclass(frozen=True)
class Command:
    """One command: the module that holds its function, what it does, its arguments, and examples."""

    module: str
    summary: str
    text: str
    examples: tuple[str, ...]
    add: Adder


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


def _json(p: argparse.ArgumentParser) -> None:
    p.add_argument("--json", action="store_true", help="print the result as JSON")


def _seed(p: argparse.ArgumentParser) -> None:
    p.add_argument("--seed", metavar="S", help="what chance is drawn from (default: one is drawn and told)")


def _budget(p: argparse.ArgumentParser, most: int = 60) -> None:
    p.add_argument(
        "--timeout",
        type=seconds,
        default=float(most),
        metavar="SECONDS",
        help=f"for each claim (default: {most})",
    )
    p.add_argument(
        "--memory", type=whole(50, 10**6), default=4000, metavar="MB", help="for each claim (default: 4000)"
    )
    p.add_argument("--engine", choices=("cadical", "z3"), help="which engine (default: the best installed)")


def _longest(p: argparse.ArgumentParser, usual: int | None) -> None:
    p.add_argument(
        "--longest",
        type=seconds,
        default=usual,
        metavar="SECONDS",
        help="do not recheck what took longer to decide, plays apart (default: "
        + (f"{usual})" if usual else "recheck everything)"),
    )


def _jobs(p: argparse.ArgumentParser, done: str = "verdicts are rechecked") -> None:
    p.add_argument(
        "--jobs",
        type=whole(1, 1024),
        default=cores(),
        metavar="N",
        help=f"how many {done} at once (default: one for each core)",
    )


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "what",
        nargs="*",
        metavar="WHAT",
        help="rulesets, or pages and folders of pages (default: all shipped)",
    )
    _json(p)


def _show(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("--rule", metavar="ID", help="only this rule")
    p.add_argument("--formal", action="store_true", help="with the formal text")
    p.add_argument("--code", action="store_true", help="the rules as code, in place of the rulebook")
    _json(p)


def _play(p: argparse.ArgumentParser) -> None:
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
    p.add_argument("--record", metavar="FILE", help="write the record of the play here when it stops")
    p.add_argument(
        "--full", action="store_true", help="with --record: say of every ply what is seen and what is legal"
    )
    p.add_argument("--resume", metavar="FILE", help="go on where this record ends")
    _json(p)


def _replay(p: argparse.ArgumentParser) -> None:
    p.add_argument("file", metavar="FILE", help="a record")
    p.add_argument("--steps", action="store_true", help="draw every position")
    _json(p)


def _perft(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("--seed", default="0", metavar="S", help="what chance is drawn from (default: 0)")
    p.add_argument("--depth", type=whole(1, 64), required=True, metavar="N", help="how many plies")
    _json(p)


def _simulate(p: argparse.ArgumentParser) -> None:
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
        help="give a game up after N actions (default: 10000)",
    )
    _jobs(p, "games are played")
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
    _json(p)


def _why(p: argparse.ArgumentParser) -> None:
    _game(p, "?")
    p.add_argument("action", metavar="ACTION", help="an action in notation, in quotes")
    _seed(p)
    p.add_argument("--record", metavar="FILE", help="in the position where this record ends")
    p.add_argument("--ply", type=whole(0, 10**6), metavar="N", help="after N plies of the record")
    _json(p)


def _prove(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("claims", nargs="*", metavar="CLAIM", help="which claims (default: all)")
    p.add_argument("--all-readings", action="store_true", help="ask under every reading")
    p.add_argument("--no-store", action="store_true", help="leave the stored verdicts alone")
    p.add_argument("--record", metavar="FILE", help="write the first play that shows something here")
    p.add_argument("--again", action="store_true", help="decide anew what is stored already")
    _budget(p)
    _json(p)


def _solve(p: argparse.ArgumentParser) -> None:
    _game(p)
    _seed(p)
    p.add_argument("--deal", metavar="FILE", help="the deal of this record")
    p.add_argument("--goal", metavar="CLAIM", help="the claim to settle (default: the one asked of a deal)")
    p.add_argument("--shortest", action="store_true", help="look for a play that none is shorter than")
    p.add_argument("--record", metavar="FILE", help="write the play that was found here")
    _budget(p, most=25)
    _json(p)


def _survey(p: argparse.ArgumentParser) -> None:
    _game(p)
    p.add_argument("--claim", metavar="CLAIM", help="the claim to ask (default: the one asked of a deal)")
    p.add_argument(
        "--deals", type=whole(1, 10**9), metavar="N", help="so many deals, by seeds (default: 100)"
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
    p.add_argument(
        "--timeout", type=seconds, default=60.0, metavar="SECONDS", help="for each deal (default: 60)"
    )
    p.add_argument(
        "--memory", type=whole(50, 10**6), default=4000, metavar="MB", help="for each deal (default: 4000)"
    )
    p.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="ENGINE",
        help="cadical or z3 to decide with (default: the best installed); dask://HOST:PORT to do the work",
    )
    _jobs(p, "deals are decided")
    p.add_argument(
        "--database",
        metavar="FILE",
        help="keep the answers in this SQLite file (default: one of the user's cache folder)",
    )
    _json(p)


def _recheck(p: argparse.ArgumentParser) -> None:
    p.add_argument(
        "names",
        nargs="*",
        metavar="GAME",
        help="whose stored verdicts, or the database of a survey (default: all shipped)",
    )
    p.add_argument(
        "--sample", type=whole(1, 10**9), metavar="N", help="of a survey: only N deals, drawn by chance"
    )
    _budget(p)
    _jobs(p)
    _longest(p, None)
    _json(p)


def _mutate(p: argparse.ArgumentParser) -> None:
    p.add_argument("name", metavar="GAME", help="a shipped name (see `rulespec list`) or the path of a file")
    p.add_argument(
        "--rule", action="append", default=[], metavar="RULE", help="break only this rule (may be repeated)"
    )
    p.add_argument("--no-claims", action="store_true", help="ask the examples only")
    p.add_argument(
        "--timeout",
        type=seconds,
        default=5.0,
        metavar="SECONDS",
        help="for each claim on each break; claims that took longer to decide are not asked (default: 5)",
    )
    p.add_argument("--all", action="store_true", help="list what was noticed too")
    _jobs(p, "breaks are tried")
    _json(p)


def _book(p: argparse.ArgumentParser) -> None:
    p.add_argument("--prove", action="store_true", help="decide what has no verdict yet, recheck what has")
    p.add_argument(
        "--config", default="mkdocs.yml", metavar="FILE", help="the configuration (default: mkdocs.yml)"
    )
    p.add_argument("--out", metavar="FOLDER", help="where the site goes (default: as configured)")
    _budget(p)
    _jobs(p)
    _longest(p, 45)
    _json(p)


def _coverage(p: argparse.ArgumentParser) -> None:
    p.add_argument("name", metavar="GAME", help="a shipped name (see `rulespec list`) or the path of a file")
    p.add_argument("--document", metavar="FILE", help="the document, to be held against its map")
    p.add_argument("--draft", action="store_true", help="first begin the map, or bring it up to date")
    _json(p)


def _schema(p: argparse.ArgumentParser) -> None:
    p.add_argument("of", nargs="?", metavar="COMMAND", help="whose schema (default: name all)")


COMMANDS: dict[str, Command] = {
    "list": Command(
        "texts",
        "name the shipped rulesets",
        "Names the rulesets that come with rulespec, each with its title, how many play it and how many "
        "claims are made of it; variants stand below the ruleset that they extend.",
        ("rulespec list",),
        _json,
    ),
    "check": Command(
        "texts",
        "read rulesets or pages, run their examples, name every fault",
        "Reads rulesets and runs the examples in them, or runs the fenced examples of Markdown pages. "
        "Every fault of every file is named in one run, with its line and column. A source map that no "
        "longer fits the rules is a fault too. No claim is decided: that is `prove`.",
        ("rulespec check", "rulespec check my-game.yaml", "rulespec check docs/"),
        _check,
    ),
    "show": Command(
        "texts",
        "print the rules",
        "Prints the rulebook of a game: its parameters, its rules in order, the readings of every ruling "
        "(the chosen one marked with *) and its claims.",
        (
            "rulespec show sacred-alignment",
            "rulespec show sacred-alignment --rule ascending --formal",
            "rulespec show tic-tac-toe --code",
        ),
        _show,
    ),
    "play": Command(
        "playing",
        "play in the terminal",
        "Draws the board and asks for actions, typed in notation (Tab completes them) or by number. "
        "`help` in the game tells the rest: undo, hint, why an action is refused, save. A person sees "
        "only what the rules show to that player, and so do the players of the machine. A record, and the "
        "play that --json prints, holds everything. Lines may also come from a pipe.",
        (
            "rulespec play sacred-alignment-small --seed 4",
            "rulespec play connect-four --player 2=search:5",
            "rulespec play smith --players 4 --player greedy --player 1=person --player 3=search",
            "rulespec play sacred-alignment-small --player random --seed 4 --record play.json",
            "rulespec play smith-small --player random --seed 1 --record playthrough.json --full",
            "rulespec play --resume play.json",
        ),
        _play,
    ),
    "replay": Command(
        "playing",
        "play a record again",
        "Plays a record again by the rules and says how it ended. An action that the rules refuse is "
        "named with its line and the rules that refuse it. A record that was written with --full is compared "
        "at every ply: the first at which another action is legal, or somebody sees something else, is told.",
        ("rulespec replay play.json", "rulespec replay play.json --steps"),
        _replay,
    ),
    "perft": Command(
        "playing",
        "count the sequences of actions up to a depth",
        "Counts the sequences of exactly 1, 2, … N actions from the start. Chance comes from the seed, "
        "draw by draw the same in every branch. Any slip in a rule changes these numbers.",
        ("rulespec perft sacred-alignment-small --depth 2",),
        _perft,
    ),
    "simulate": Command(
        "simulating",
        "play many games and say how they go",
        "Plays many games and tells how long they are, who wins, how they end, which actions occur and what "
        "is scored, each number with its 95% interval. The same seed gives the same games, whatever --jobs "
        "is. Games are kept as they come: the same command goes on where an interrupted or killed one was, "
        "and with more --games it adds to those that are there.",
        (
            "rulespec simulate tic-tac-toe --games 100000 --seed 1",
            "rulespec simulate stout --players 2 --games 1000 --seed 1 --plot lengths.svg",
            "rulespec simulate connect-four --games 100 --policy greedy --policy 1=search:50 --seed 1",
        ),
        _simulate,
    ),
    "why": Command(
        "playing",
        "say why an action is refused",
        "Names the rules that refuse an action, and what made each of them false: at the start of a game,"
        " or in a position of a record.",
        (
            'rulespec why sacred-alignment-small "place 0-0 2.2.2/2.2.3" --seed 1',
            'rulespec why "lift 0-1" --record play.json --ply 3',
        ),
        _why,
    ),
    "prove": Command(
        "proving",
        "decide claims",
        "Decides the claims of a ruleset from its rules: proved, refuted, holding up to some depth, or "
        "undecided within the time. Verdicts are kept with their evidence in verdicts.json.gz beside the "
        "ruleset, one by one, so that an interrupt loses nothing.",
        (
            "rulespec prove sacred-alignment-small",
            "rulespec prove sacred-alignment zero-cheat --all-readings --timeout 30",
            "rulespec prove sacred-alignment-small zero-cheat --record witness.json",
        ),
        _prove,
    ),
    "solve": Command(
        "proving",
        "settle one deal: the best that can be reached",
        "Finds the best that can be reached from one deal, everything hidden being known, and prints a "
        "play that reaches it; or shows that nothing does.",
        (
            "rulespec solve sacred-alignment-small --seed 1",
            "rulespec solve sacred-alignment-small --deal play.json --record best.json",
        ),
        _solve,
    ),
    "survey": Command(
        "surveying",
        "ask one question of many deals",
        "Asks a claim of many deals and tells what share of them it holds in, or how its values lie, with "
        "95% intervals; deals that stay undecided are counted apart. Every answer is kept with its evidence "
        "as it falls: the same command goes on where an interrupted or killed one was, and with more --deals "
        "it adds to those that are there.",
        (
            "rulespec survey sacred-alignment --claim zero-cheat --deals 1000 --timeout 30",
            "rulespec survey sacred-alignment-small --deals 50 --database small.sqlite",
            "rulespec survey sacred-alignment --deals 10000 --engine dask://cluster:8786",
        ),
        _survey,
    ),
    "recheck": Command(
        "proving",
        "go through stored evidence again",
        "Goes through the evidence of stored verdicts again without believing whoever made it: plays are "
        "replayed, explorations and refutations repeated.",
        (
            "rulespec recheck",
            "rulespec recheck sacred-alignment",
            "rulespec recheck small.sqlite --sample 20",
        ),
        _recheck,
    ),
    "mutate": Command(
        "mutating",
        "break the rules one by one, and say what nothing notices",
        "Breaks the formal text of the rules in one place at a time: a requirement or law dropped, a number "
        "shifted, a comparison, connective or quantifier exchanged. Then it runs the examples, and decides "
        "anew the claims whose stored verdicts are settled. A break that nothing notices is told with its "
        "place: an example or a claim is missing there, or the text says what another says already.",
        (
            "rulespec mutate nim",
            "rulespec mutate sacred-alignment-small --rule ascending --all",
            "rulespec mutate my-game.yaml --no-claims",
        ),
        _mutate,
    ),
    "book": Command(
        "publishing",
        "build the rulebook",
        "Builds the site: rulebook pages with their verdicts, and your own pages with their examples. If "
        "any example, verdict or fence is wrong, every one of them is named and no page is written.",
        ("rulespec book", "rulespec book --prove", "rulespec book --config my/mkdocs.yml --out public"),
        _book,
    ),
    "coverage": Command(
        "covering",
        "say what became of each sentence of a document",
        "Holds a document, its source map and the rules against each other: whether the map accounts for "
        "every sentence as it stands in the document, whether every rule comes from a sentence or says that "
        "it is ours, and whether map and rules agree on which. Without a document only maps and rules are "
        "compared.",
        (
            "rulespec coverage my-game.yaml --document rules.txt --draft",
            "rulespec coverage my-game.yaml --document rules.txt",
            "rulespec coverage smith",
        ),
        _coverage,
    ),
    "schema": Command(
        "texts",
        "print the JSON schema of what a command prints with --json",
        "Prints the JSON Schema (draft 2020-12) of what a command prints with --json. The schema `error` "
        "is that of wrong input, whatever the command.",
        ("rulespec schema", "rulespec schema perft"),
        _schema,
    ),
}
