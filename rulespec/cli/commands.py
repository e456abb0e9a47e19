"""The commands, and their help texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from . import arguments

Adder = Callable[[argparse.ArgumentParser], None]


class Bound(Enum):
    """The work of a command that `--timeout` limits."""

    COMMAND = "all of it"
    PART = "a part of it, which the command sees to"


@dataclass(frozen=True)
class Command:
    """One command: the module with its function, its help, and its limits.

    A supervised command runs in a child of the command line, which a parent ends: at a signal, and if it
    exceeds `--memory` or, if that limits all of it, `--timeout`. A command that may go on for ever names the
    `step` with its own limit (see `budgets.watchdog`).
    """

    module: str
    summary: str
    text: str
    examples: tuple[str, ...]
    add: Adder
    supervised: bool = True
    timeout: Bound = Bound.COMMAND
    step: str = ""


PLY = "one ply, or the list of actions of one position,"
"""The step of commands that play."""

COMMANDS: dict[str, Command] = {
    "list": Command(
        "listing",
        "list the shipped rulesets",
        "Lists the rulesets that come with rulespec, each with its number of players and its title; "
        "variants appear below the ruleset that they extend.",
        ("rulespec list",),
        arguments.json,
        supervised=False,
    ),
    "check": Command(
        "checking",
        "read rulesets or pages, run their examples, report every fault",
        "Reads rulesets and runs the examples in them, or runs the fenced examples of Markdown pages. One "
        "run reports every fault in every file, with its line and column. A source map that no longer fits "
        "the rules is a fault too. The exit status is 2 if something cannot be read or takes too much work, "
        "1 if an example fails. Where an example fails, single changes to the rules are tried for a few "
        "seconds, and up to three are shown that would make it hold without breaking another one (not with "
        "--watch). Claims are not decided here: use `prove`. For a variant, inherited examples "
        "are run too; those for other settings, and those that the variant drops, are only counted. Shipped "
        "rulesets that passed are not checked again until a ruleset or the program changes. The command "
        "also plays random games for about a second, with fixed seeds, and reports doubts: things that the "
        "author may not have meant. Doubts do not affect the exit status. They concern values that do not "
        "fit, players who never move, actions, ends, branches and winners that never occur, actions with "
        "the same notation, hidden state that everybody sees, declarations that nothing uses, conditions "
        "that types decide, scores that are the same for everybody, numbers and bounds that differ from the "
        "prose, actions and things that only the prose names, variables that nothing sets back, and effects "
        "on the wrong player. With --deep, the command decides which of these are certain, and reports other "
        "idle parts too: a requirement or law that refuses nothing, a claim whose premise never holds, a "
        "reading that changes nothing.",
        ("rulespec check", "rulespec check my-game.yaml --deep", "rulespec check docs/"),
        arguments.check,
    ),
    "new": Command(
        "beginning",
        "write a new ruleset to start from",
        "Writes a small game of a given kind into a new file, or a variant that does not change its game "
        "yet. Beside it goes the JSON Schema of rulesets, with which YAML editors complete keys and mark "
        "unknown ones.",
        ("rulespec new board my-game.yaml", "rulespec new variant my-nim.yaml --of nim"),
        arguments.new,
        supervised=False,
    ),
    "fmt": Command(
        "formatting",
        "format ruleset files",
        "Rewrites the formal text of rulesets in canonical layout, as the rulebook shows it. Comments, "
        "prose and the order of keys are kept, and so is the meaning, as the digest shows. With --check it "
        "only lists the files that are laid out differently, and the exit status is 1 if there are any.",
        ("rulespec fmt my-game.yaml", "rulespec fmt my-game.yaml --check"),
        arguments.fmt,
        supervised=False,
    ),
    "explain": Command(
        "explaining",
        "explain the code of a message",
        "Explains what a message means, why it appears, and what to do about it. The code is in brackets in "
        "the message.",
        ("rulespec explain name.reserved", "rulespec explain"),
        arguments.explain,
        supervised=False,
    ),
    "show": Command(
        "texts",
        "print the rules",
        "Prints the rulebook of a game: its parameters, its rules in order, the readings of every ruling "
        "(the chosen one is marked with *) and its claims. If --rule names a ruling, each other reading is "
        "followed by the claims that change under it, as far as their verdicts were checked here.",
        (
            "rulespec show sacred-alignment",
            "rulespec show sacred-alignment --rule ascending --formal",
            "rulespec show tic-tac-toe --code",
        ),
        arguments.show,
        supervised=False,
    ),
    "play": Command(
        "playing",
        "play in the terminal",
        "Draws the board and asks for actions, which you type in notation (Tab completes them) or by "
        "number. Type `help` in the game for the other commands: undo, hint, why an action is refused, "
        "save. Each person sees only what the rules show to that player, and so does each machine player. A "
        "record, and the play that --json prints, contain everything. Input may also come from a pipe.",
        (
            "rulespec play sacred-alignment-small --seed 4",
            "rulespec play connect-four --player 2=search:5",
            "rulespec play smith --players 4 --player greedy --player 1=person --player 3=search",
            "rulespec play sacred-alignment-small --player random --seed 4 --record play.json",
            "rulespec play smith-small --player random --seed 1 --record playthrough.json --full",
            "rulespec play --resume play.json",
        ),
        arguments.play,
        step=PLY,
    ),
    "replay": Command(
        "playing",
        "replay a record",
        "Replays a record by the rules and says how it ended. If the rules refuse an action, its line and "
        "the refusing rules are reported. A record written with --full is compared at every ply: the first "
        "ply at which other actions are legal, or a player sees something else, is reported.",
        ("rulespec replay play.json", "rulespec replay play.json --steps"),
        arguments.replay,
        step=PLY,
    ),
    "perft": Command(
        "playing",
        "count the sequences of actions up to a depth",
        "Counts the sequences of exactly 1, 2, … N actions from the start. Chance comes from the seed: each "
        "draw has the same result in every branch. Any slip in a rule changes these numbers.",
        ("rulespec perft sacred-alignment-small --depth 2",),
        arguments.perft,
        step=PLY,
    ),
    "simulate": Command(
        "simulating",
        "play many games and report statistics",
        "Plays many games and reports how long they are, who wins, how they end, which actions occur and "
        "what is scored, each number with its 95% interval. The same seed gives the same games, whatever "
        "--jobs is. Games are stored as they finish: the same command continues one that was interrupted or "
        "killed, and with more --games it adds to those already stored.",
        (
            "rulespec simulate tic-tac-toe --games 100000 --seed 1",
            "rulespec simulate stout --players 2 --games 1000 --seed 1 --plot lengths.svg",
            "rulespec simulate connect-four --games 100 --policy greedy --policy 1=search:50 --seed 1",
            "rulespec simulate connect-four --games 100000 --policy search --seed 1 --on dask://cluster:8786",
        ),
        arguments.simulate,
        step=PLY,
    ),
    "why": Command(
        "playing",
        "explain why an action is refused",
        "Names the rules that refuse an action, and what made each of them false, at the start of a game or "
        "in a position of a record.",
        (
            'rulespec why sacred-alignment-small "place 0-0 2.2.2/2.2.3" --seed 1',
            'rulespec why "lift 0-1" --record play.json --ply 3',
        ),
        arguments.why,
        step=PLY,
    ),
    "prove": Command(
        "proving",
        "decide claims",
        "Decides the claims of a ruleset from its rules: proved, refuted, true up to some depth, or "
        "undecided within the time. Each verdict is stored with its evidence in verdicts.json.gz beside the "
        "ruleset as soon as it is reached, so an interrupt loses nothing. For a claim that fails, the play "
        "that shows it is printed: the clause by which each ply was taken, what the ply changed, and which "
        "part of the claim fails at the end, with which values. If the answer depends on a reading, the "
        "play is also printed under the other reading.",
        (
            "rulespec prove sacred-alignment-small",
            "rulespec prove sacred-alignment-small zero-cheat --draw",
            "rulespec prove sacred-alignment zero-cheat --all-readings --each 30",
            "rulespec prove sacred-alignment-small zero-cheat --record witness.json",
        ),
        arguments.prove,
    ),
    "solve": Command(
        "proving",
        "find the best result of one deal",
        "Finds the best result that can be reached from one deal, with everything hidden known, and prints "
        "a play that reaches it, or shows that there is none.",
        (
            "rulespec solve sacred-alignment-small --seed 1",
            "rulespec solve sacred-alignment-small --deal play.json --record best.json",
        ),
        arguments.solve,
    ),
    "hint": Command(
        "hinting",
        "give the next step of a deal, and what rules out the others",
        "Says what can still be reached from a position, with everything hidden known, and gives the next "
        "step of a play that reaches it. In the time that is left, it decides which other actions lead "
        "there too. For those that do not, it names a minimal set of requirements that rule them out: no "
        "play reaches the goal while all of these hold, but one would without any one of them. It also says "
        "which other actions are as good, or were not decided. The exit status is 1 if nothing can be "
        "reached any more.",
        (
            "rulespec hint sacred-alignment-small --seed 1",
            "rulespec hint --record play.json --ply 20",
            "rulespec hint eight-puzzle --position nearly-solved --play 'slide 1'",
        ),
        arguments.hint,
    ),
    "survey": Command(
        "surveying",
        "ask one question about many deals",
        "Decides a claim for many deals and reports the share of deals in which it holds, or the "
        "distribution of its values, with 95% intervals; undecided deals are counted separately. Each "
        "answer is stored with its evidence at once: the same command continues one that was interrupted or "
        "killed, and with more --deals it adds to those already stored.",
        (
            "rulespec survey sacred-alignment --claim zero-cheat --deals 1000 --each 30",
            "rulespec survey sacred-alignment-small --deals 50 --database small.sqlite",
            "rulespec survey sacred-alignment --deals 10000 --on dask://cluster:8786",
        ),
        arguments.survey,
    ),
    "generate": Command(
        "generating",
        "make puzzles: deals that meet criteria, with their answers",
        "Decides the goal for one deal after another, measures the deals that are decided, and collects "
        "those that meet every criterion: solvable (1 if the goal can be reached), value (the best "
        "possible), length (the plies of the play found, which need not be a shortest one), work (the plies "
        "that the policy search plays before it finds one, a measure of difficulty), or another claim about "
        "a deal, such as a count of solutions. Without --want solvable=..., only deals in which the goal can "
        "be reached count. Answers are stored like those of a survey: the same command continues one that "
        "was interrupted.",
        (
            "rulespec generate sacred-alignment --want value=0 --number 20 --output puzzles.json",
            "rulespec generate eight-puzzle --want 'work>=1000' --number 5",
            "rulespec hint --record puzzles.json#3",
        ),
        arguments.generate,
    ),
    "certify": Command(
        "rechecking",
        "store certificates for verdicts from an engine or a search",
        "Decides again what stored verdicts say is impossible, and stores a proof of each refutation beside "
        "the verdicts, so that `recheck` needs no engine: its checker goes through the proofs. It also "
        "searches for the value of best play again, and stores the strategies that guarantee it. Verdicts "
        "with a certificate are skipped, so an interrupted run continues where it stopped.",
        ("rulespec certify", "rulespec certify tic-tac-toe --again"),
        arguments.certify,
    ),
    "recheck": Command(
        "rechecking",
        "check stored evidence again",
        "Checks the evidence of stored verdicts again, whoever made it: plays are replayed, explorations "
        "repeated, and refutations checked by their proofs, or repeated if they have none.",
        (
            "rulespec recheck",
            "rulespec recheck sacred-alignment",
            "rulespec recheck connect-four --with bitwuzla --export obligations",
            "rulespec recheck small.sqlite --sample 20",
        ),
        arguments.recheck,
    ),
    "diff": Command(
        "differing",
        "list how two rulesets differ, and decide whether they are the same game",
        "Lists the differences between two rulesets, or between one ruleset under two settings: parameters, "
        "readings, rules with their prose and formal text, claims. With --prove it decides whether both are "
        "the same game all the same. If so, the same actions are legal with the same results from the "
        "start; if not, it prints a play that leads to a difference, and names the rule that makes the "
        "difference. With --simulate it plays many games of both and compares their lengths, winners, ends, "
        "scores and actions side by side, each with its 95% interval; if the intervals do not overlap, it "
        "says which number is higher. With --since it compares the game with an earlier revision of itself.",
        (
            "rulespec diff hex hex-small",
            "rulespec diff my-game.yaml --since HEAD~3",
            "rulespec diff kalah kalah-three-seeds --simulate 1000",
            "rulespec diff smith --reading tie=ender --prove",
            "rulespec diff my-game.yaml my-other-wording.yaml --prove --record apart.json",
        ),
        arguments.diff,
    ),
    "mutate": Command(
        "mutating",
        "break the rules one by one, and report breaks that no example or claim notices",
        "Breaks the formal text of the rules in one place at a time: it drops a requirement or law, shifts "
        "a number, or exchanges a comparison, connective or quantifier. Then it runs the examples, and "
        "decides again the claims whose stored verdicts are settled. A break that nothing notices is "
        "reported with its place: an example or a claim is missing there, or the text repeats what another "
        "says.",
        (
            "rulespec mutate nim",
            "rulespec mutate sacred-alignment-small --rule ascending --all",
            "rulespec mutate my-game.yaml --no-claims",
        ),
        arguments.mutate,
    ),
    "book": Command(
        "publishing",
        "build the rulebook",
        "Builds the site: rulebook pages with their verdicts, and your own pages with their examples. If "
        "any example, verdict or fence is wrong, all that are wrong are reported and no page is written. "
        "`book new DIR` writes a first project: a game, its pages and their configuration.",
        (
            "rulespec book",
            "rulespec book --prove",
            "rulespec book --config my/mkdocs.yml --out public",
            "rulespec book --pdf smith",
            "rulespec book new my-games",
        ),
        arguments.book,
        timeout=Bound.PART,
        step="one page",
    ),
    "coverage": Command(
        "covering",
        "report what became of each sentence of a document",
        "Compares a document, its source map and the rules: does the map account for every sentence as it "
        "stands in the document, does every rule come from a sentence or say that it is ours, and do the "
        "map and the rules agree? It counts the sentences that words of the rulebook page express, and with "
        "`--where` shows these words with their headings and anchors. Without a document, only the map and "
        "the rules are compared.",
        (
            "rulespec coverage my-game.yaml --document rules.txt --draft",
            "rulespec coverage my-game.yaml --document rules.txt",
            "rulespec coverage smith",
        ),
        arguments.coverage,
        supervised=False,
    ),
    "schema": Command(
        "texts",
        "print the JSON schema of a command's --json output",
        "Prints the JSON Schema (draft 2020-12) of a command's --json output. The schema `error` describes "
        "wrong input to any command; `ruleset` describes rulesets, for YAML editors.",
        ("rulespec schema", "rulespec schema perft", "rulespec schema ruleset"),
        arguments.schema,
        supervised=False,
    ),
}
